import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct FlickrImporterTests {
    private let importer = FlickrImporter()

    @Test(arguments: [
        ("people_findByUsername.json", "85853333@N00"), ("urls_lookupUser.json", "124857539@N03"),
    ])
    func `a recorded look-up gives the user's identifier`(fixture: String, id: String) throws {
        #expect(try importer.user(Fixture.data("flickr/\(fixture)")) == id)
    }

    @Test(arguments: [
        "feed_everyone_2019.json", "feed_tagged_2025.json", "people_findByUsername.json",
        "people_getInfo_2014.json", "photos_getInfo_2014.json", "photos_getSizes_2014.json",
        "photos_licenses_getInfo.json", "urls_lookupUser.json",
    ])
    func `an answer that is no list says so`(fixture: String) {
        let error = #expect(throws: ServiceError.self) {
            try importer.page(Fixture.data("flickr/\(fixture)"), PageSlice(number: 1, size: 20), end: .max)
        }
        #expect(error?.description == "flickr sent no 'photos'.")
    }

    @Test(arguments: [
        ("{}", "{}"), ("jsonFlickrApi({})", "{}"), ("jsonFlickrApi({});\n", "{}"), ("\n a.b_1([])", "[]"),
        ("(1)", "(1)"), ("name(", "name("), ("name)(", "name)("), ("<html>(x)", "<html>(x)"), ("", ""),
        (#"{"a":"f(x)"}"#, #"{"a":"f(x)"}"#),
    ])
    func `a callback around the answer is taken off`(sent: String, json: String) {
        #expect(FlickrImporter.withoutCallback(Data(sent.utf8)) == Data(json.utf8))
    }
}

import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct FlickrListTests {
    private let importer = Flickr(base: nil, key: nil)

    private func page(_ fixture: String, number: Int = 1, size: Int = 100) throws -> Page {
        try page(Fixture.data("flickr/\(fixture)"), number: number, size: size)
    }

    private func page(_ body: Data, number: Int = 1, size: Int = 100) throws -> Page {
        let body = Flickr.withoutCallback(body)
        return try importer.page(body, PageSlice(number: number, size: size), end: .max)
    }

    private func row(_ fields: String) throws -> Photo { try photo(#"{"id":"1",\#(fields)}"#) }

    /// A photo that was recorded without its list.
    private func record(_ fixture: String) throws -> Photo {
        try photo(String(decoding: Fixture.data("flickr/\(fixture)"), as: UTF8.self))
    }

    private func photo(_ json: String) throws -> Photo {
        try page(Data(#"{"photos":{"photo":[\#(json)]}}"#.utf8)).photos[0].photo
    }

    @Test func `a search of 2014 says everything of a photo`() throws {
        let page = try page("photos_search_2014.json", size: 5)
        #expect(page.photos.map(\.index) == [1, 2, 3, 4, 5])
        #expect(page.total == 799)
        #expect(page.hasMore)
        let photo = page.photos[0].photo
        #expect(photo.id == PhotoID(service: "flickr", value: "14256698876"))
        #expect(photo.title == "San Francisco Spirit")
        #expect(photo.author == Author(id: "21945957@N00", name: "a.k.a. Flash", username: "mcordell"))
        #expect(photo.page == URL(string: "https://www.flickr.com/photos/mcordell/14256698876/"))
        #expect(photo.size == PixelSize(width: 1098, height: 1333))
        #expect(photo.thumbnail?.size == PixelSize(width: 150, height: 150))
        #expect(photo.thumbnail?.url.lastPathComponent == "14256698876_2b00fa5537_q.jpg")
        #expect(photo.full?.size == PixelSize(width: 1098, height: 1333))
        #expect(photo.full?.url.lastPathComponent == "14256698876_f985684cf1_o.jpg")
        #expect(photo.likes == nil)
        #expect(photo.views == 49)
        #expect(photo.published == Date(timeIntervalSince1970: 1_401_160_084))
        #expect(photo.taken == Date(timeIntervalSince1970: 1_400_803_203))
        #expect(photo.tags == ["bw", "film", "polaroid", "600", "impossible", "2014", "roidweek2014"])
        #expect(photo.license == "All rights reserved")
        #expect(photo.description == "San Francisco")
        #expect(!photo.isAdult)
        #expect(page.photos[1].photo.title == "")
    }

    @Test func `a recorded list is read, numbers as texts or not`() throws {
        // Recording, page and photos a page; photos, photos in all, whether there are more; first, and how many need
        // no further request.
        let lists: [(String, Int, Int, Int, Int, Bool, String?, Int)] = [
            ("photos_getRecent_2014.json", 1, 5, 5, 1000, true, "Sea of Galilee", 5),
            ("photos_search_2014.json", 1, 5, 5, 799, true, "San Francisco Spirit", 5),
            ("photos_search_empty_2019.json", 1, 10, 0, 0, false, nil, 0),
            ("photos_search_empty_2019.jsonp.txt", 1, 10, 0, 0, false, nil, 0),
            ("people_getPublicPhotos_2009.json", 1, 500, 1, 1, false, "Burrito", 0),
            ("people_getPublicPhotos_2014.json", 5, 10, 10, 95252, true, "Eddie Gaia", 10),
            ("people_getPhotos_2014.json", 2, 10, 10, 45, true, "La Sombra Rotoporky", 10),
            ("people_getPhotosOf_2014.json", 1, 10, 9, 132, true, "Happy Moment", 9),
            ("galleries_getPhotos_2014.json", 1, 500, 13, 13, false, "China Chef", 0),
            ("stats_getPopularPhotos.json", 1, 5, 5, 1921, true, "Elliot, plate 2", 0),
        ]
        for (fixture, number, size, count, total, hasMore, first, full) in lists {
            let page = try page(fixture, number: number, size: size)
            #expect(page.photos.count == count, "\(fixture)")
            #expect(page.photos.first?.index == (first == nil ? nil : (number - 1) * size + 1), "\(fixture)")
            #expect(page.total == total && page.hasMore == hasMore, "\(fixture)")
            #expect(page.photos.first?.photo.title == first, "\(fixture)")
            #expect(page.photos.filter { $0.photo.full != nil }.count == full, "\(fixture)")
        }
    }

    @Test func `a film leaves its place empty`() throws {
        let page = try page("people_getPhotosOf_2014.json", number: 3, size: 10)
        #expect(page.photos.map(\.index) == [21, 22, 23, 24, 25, 27, 28, 29, 30])
        #expect(!page.photos.contains { $0.photo.title.hasPrefix("Motor Club") })
        let photo = page.photos[0].photo
        // The original is not shared: the largest is 1024 pixels, and nobody says what the original measures.
        #expect(photo.full?.size == PixelSize(width: 1024, height: 711))
        #expect(photo.size == nil)
        #expect(photo.description == nil)
        #expect(photo.tags == [])
    }

    @Test func `licences are named, unknown ones by their number`() throws {
        let pairs: [(String, String?)] = [
            ("0", "All rights reserved"), ("\"1\"", "CC BY-NC-SA 2.0"), ("2", "CC BY-NC 2.0"),
            ("3", "CC BY-NC-ND 2.0"), ("4", "CC BY 2.0"), ("\"5\"", "CC BY-SA 2.0"), ("6", "CC BY-ND 2.0"),
            ("7", "No known copyright restrictions"), ("8", "United States government work"),
            ("9", "CC0 1.0"), ("10", "Public Domain Mark 1.0"), ("11", "Flickr license 11"),
            ("-1", "Flickr license -1"), ("null", nil), ("\"\"", nil),
        ]
        for (sent, name) in pairs { #expect(try row("\"license\":\(sent)").license == name) }
        // The vendor's own list names the same ones at the same numbers.
        struct Wire: Decodable {
            let licenses: Licenses
            struct Licenses: Decodable { let license: [License] }
            struct License: Decodable {
                let id: Int
                let url: String
            }
        }
        let vendor = try JSONDecoder().decode(
            Wire.self, from: Fixture.data("flickr/photos_licenses_getInfo.json")
        ).licenses.license
        #expect(vendor.count == 9)
        for license in vendor {
            let ours = try #require(pairs[license.id].1)
            guard license.url.contains("creativecommons.org") else { continue }
            let code = license.url.split(separator: "/")[3].uppercased()
            #expect(ours == "CC \(code) 2.0")
        }
    }

    @Test func `a photo recorded in 2020 whose original is measured but not shared`() throws {
        let photo = try record("photo_record_2020.json")
        #expect(photo.size == PixelSize(width: 6000, height: 4000))
        #expect(photo.full?.size == PixelSize(width: 1024, height: 683))
        #expect(photo.thumbnail?.size == PixelSize(width: 240, height: 160))
        #expect(photo.license == "CC BY-NC-SA 2.0")
        #expect(photo.published == Date(timeIntervalSince1970: 1_581_318_235))
        #expect(photo.taken == Date(timeIntervalSince1970: 1_581_327_496))
    }

    @Test func `a set's photos have no owner and so no page`() throws {
        let set = String(decoding: try Fixture.data("flickr/photosets_getPhotos_2014.json"), as: UTF8.self)
        let page = try page(Data(set.replacing("\"photoset\"", with: "\"photos\"").utf8))
        #expect(page.photos.count == 6)
        let photo = page.photos[0].photo
        #expect(photo.title == "Right Outside")
        #expect(photo.author == Author(name: "jinxlib", username: "jinxlib"))
        #expect(photo.page == nil)
        #expect(photo.full?.size == PixelSize(width: 5616, height: 3744))
        #expect(photo.thumbnail?.size == PixelSize(width: 240, height: 160))
    }

    @Test(arguments: [
        (
            #""url_z":"https://a.example/z.jpg","url_n":"https://a.example/n.jpg""#, "n.jpg" as String?,
            nil as String?
        ),
        (#""url_z":"https://a.example/z.jpg""#, "z.jpg", nil),
        (#""url_l":"https://a.example/l.jpg","url_h":"https://a.example/h.jpg""#, nil, "h.jpg"),
        (#""url_k":"https://a.example/k.jpg","url_3k":"https://a.example/3k.jpg""#, nil, "3k.jpg"),
        (#""url_5k":"https://a.example/5k.jpg","url_6k":"https://a.example/6k.jpg""#, nil, "6k.jpg"),
        (#""url_6k":"https://a.example/6k.jpg","url_o":"https://a.example/o.png""#, nil, "o.png"),
        (#""url_o":"javascript:alert(1)","url_l":"file:///etc/passwd","url_q":"/q.jpg""#, nil, nil),
        (#""url_o":null,"url_l":"","url_q":"https://a.example/q.jpg""#, "q.jpg", nil),
    ])
    func `the largest file is full, and 640 pixels are not enough`(
        files: String, thumbnail: String?, full: String?
    ) throws {
        let photo = try row(files)
        #expect(photo.thumbnail?.url.lastPathComponent == thumbnail)
        #expect(photo.full?.url.lastPathComponent == full)
    }

    @Test(arguments: [
        (#""datetaken":"2014-05-23 00:00:03","datetakengranularity":0"#, "2014-05-23T00:00:03" as String?),
        (
            #""datetaken":"2014-05-23 00:00:03","datetakengranularity":"0","datetakenunknown":"0""#,
            "2014-05-23T00:00:03"
        ),
        (#""datetaken":"2014-05-23 00:00:03","datetakenunknown":"1""#, nil),
        (#""datetaken":"2014-05-01 00:00:00","datetakengranularity":"4""#, "2014-05"),
        (#""datetaken":"2014-01-01 00:00:00","datetakengranularity":"6""#, "2014"),
        (#""datetaken":"2014-01-01 00:00:00","datetakengranularity":"8""#, nil),
        (#""datetaken":"0000-00-00 00:00:00""#, nil), (#""datetaken":"2014-02-30 00:00:00""#, nil),
        (#""datetaken":"""#, nil), (#""datetaken":null"#, nil),
    ])
    func `of a time, what is made up is not told`(fields: String, taken: String?) throws {
        #expect(try row(fields).takenText == taken)
    }

    @Test(arguments: [
        (#""dateupload":"1401160084""#, 1_401_160_084.0 as Double?), (#""dateupload":0"#, 0),
        (#""dateupload":-1"#, nil), (#""dateupload":99999999999999"#, nil), (#""dateupload":"""#, nil),
    ])
    func `a moment of publication lies in a year of four digits`(field: String, seconds: Double?) throws {
        #expect(try row(field).published == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func `likes, and a title of nothing but digits`() throws {
        let photo = try row(
            #""title":2014,"count_faves":"14","ownername":7,"owner":"../../evil","pathalias":"""#)
        #expect(photo.title == "2014")
        #expect(photo.likes == 14)
        #expect(photo.author == Author(id: "../../evil", name: "7", username: "7"))
        #expect(photo.page == nil)
    }

    // MARK: - Other answers

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
        #expect(Flickr.withoutCallback(Data(sent.utf8)) == Data(json.utf8))
    }
}

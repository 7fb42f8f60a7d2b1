import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct FiveHundredPixelsImporterTests {
    private let importer = FiveHundredPixelsImporter(service: "500px", files: nil)

    private func page(_ fixture: String, size: Int = 20) throws -> Page {
        try importer.page(Fixture.data("500px/\(fixture)"), PageSlice(number: 1, size: size))
    }

    @Test func `a list of 2017 gives thumbnail and full size without a further request`() throws {
        let page = try page("list_popular_landscapes_2017.json")
        #expect(page.photos.count == 20)
        #expect(page.total == 11603)
        #expect(page.hasMore)
        let first = try #require(page.photos.first)
        #expect(first.index == 1)
        #expect(first.photo.id == PhotoID(service: "500px", value: "230343687"))
        #expect(first.photo.title == "The Golden Window")
        #expect(first.photo.size == PixelSize(width: 1400, height: 934))
        #expect(first.photo.likes == 2744)
        #expect(first.photo.views == 28251)
        #expect(first.photo.rating == 99.9)
        #expect(first.photo.published == Date(timeIntervalSince1970: 1_506_966_207))
        #expect(first.photo.thumbnail?.size == PixelSize(width: 440, height: 440))
        #expect(first.photo.full?.size == PixelSize(width: 1400, height: 934))
        #expect(page.photos.allSatisfy { $0.photo.full != nil && $0.photo.thumbnail != nil })
        // Signed addresses break when an escape is touched.
        #expect(first.photo.full?.url.absoluteString.contains("m%3D1600_k%3D1_a%3D1") == true)
    }

    @Test(arguments: [(2, true), (3, false), (0, false)])
    func `without a number of pages a full page has a next one`(rows: Int, hasMore: Bool) throws {
        let photos = (0..<rows).map { #"{"id":\#($0 + 1),"name":"a"}"# }.joined(separator: ",")
        // A page of two was asked for; a list of three is the server's own idea, and none is the end.
        let size = rows == 3 ? 4 : 2
        let page = try importer.page(
            Data(#"{"photos":[\#(photos)]}"#.utf8), PageSlice(number: 1, size: size))
        #expect(page.hasMore == hasMore)
        #expect(page.photos.count == rows)
    }

    @Test func `descriptions lose their markup and keep their lines`() throws {
        let description = try #require(page("list_popular_landscapes_2017.json").photos[0].photo.description)
        #expect(description.hasPrefix(" VIDEO TUTORIALS\nBILDBEARBEITUNG\nWEBSITE\nINSTAGRAM\n"))
    }

    @Test func `camera values may be null`() throws {
        let data = try Fixture.data("500px/list_popular_bw_2017.json")
        let details = try importer.batch(data)
        #expect(details.count == 20)
        // Eight are null and one is an empty text.
        #expect(details.filter { $0.camera == nil }.count == 9)
        #expect(details[0].photo.category == "Black and White")
    }

    @Test func `a list of 2012 has a thumbnail alone, by its address`() throws {
        let page = try page("list_popular_docs_2012.json")
        let photo = page.photos[0].photo
        #expect(photo.title == "Orange or lemon")
        #expect(photo.author == Author(id: "386047", name: "Lluis de Haro Sanchez", username: "Lluisdeharo"))
        #expect(photo.thumbnail?.size == PixelSize(width: 140, height: 140))
        #expect(photo.full == nil)
        #expect(photo.description == nil)
        #expect(photo.page == URL(string: "https://500px.com/photo/4910421"))
        #expect(photo.published == Date(timeIntervalSince1970: 1_328_772_436))
    }

    @Test func `a search counts pages its own way`() throws {
        let page = try page("search_docs_2012.json")
        #expect(page.total == 8263)
        #expect(page.photos.map(\.photo.title) == ["Bike", "Rain"])
    }

    @Test func `a detail of 2012 spells the size as a text`() throws {
        let detail = try importer.detail(Fixture.data("500px/detail_2012.json"))
        #expect(detail.photo.full?.size == PixelSize(width: 900, height: 242))
        #expect(detail.photo.full?.url.lastPathComponent == "4.jpg")
        #expect(detail.photo.tags == ["toronto", "night", "skyline"])
        #expect(detail.camera == "Canon EOS 20D")
        #expect(detail.lens == nil)
        #expect(detail.latitude == 43.685650966634206)
        #expect(detail.comments == 0)
    }

    @Test func `a detail without images has its full size by the address`() throws {
        let detail = try importer.detail(Fixture.data("500px/photo_wrapped_PUT_docs_2013.json"))
        #expect(detail.photo.full?.url.lastPathComponent == "4.jpg")
        #expect(detail.photo.author?.username == "freeatnet")
        #expect(detail.iso == nil)
    }

    @Test(arguments: [
        ("photo_record_2015.json", "105106007", 75.0, nil as String?),
        ("photo_record_ccmulti_2016.json", "165862179", 78.4, "CC BY 3.0"),
    ])
    func `photos recorded alone are read in a list of one`(
        fixture: String, id: String, rating: Double, license: String?
    ) throws {
        let record = String(decoding: try Fixture.data("500px/\(fixture)"), as: UTF8.self)
        let photo = try importer.page(
            Data("{\"photos\":[\(record)]}".utf8), PageSlice(number: 1, size: 20)
        ).photos[0].photo
        #expect(photo.id.value == id)
        #expect(photo.rating == rating)
        #expect(photo.license == license)
    }

    @Test func `an address list of 2018 is read where there are no images`() throws {
        let addresses = String(
            decoding: try Fixture.data("500px/image_url_array_issue255_2018.json"), as: UTF8.self
        ).dropFirst()
        let body = Data("{\"photos\":[{\"id\":214274441,\"name\":\"x\",\(addresses)]}".utf8)
        let photo = try importer.batch(body)[0].photo
        // Neither address ends in a size id, so neither can be told to be the one or the other.
        #expect(photo.full == nil)
        #expect(photo.id.value == "214274441")
    }

    @Test(arguments: [
        (
            "detail_docs_2012.INVALID.json.txt",
            "500px sent something other than JSON, beginning '{ \"photo\""
        ),
        ("comments_docs_2012.json", "500px sent no 'photos'."),
        ("error_401_consumer_key_missing.json", "500px sent no 'photos'."),
        ("error_graphql_retired_2026.json", "500px sent no 'photos'."),
        ("gallery_items_PUT_partial_error_docs.json", "500px sent no 'photos'."),
        ("users_show_docs_2012.json", "500px sent no 'photos'."),
        ("votes_docs_2012.json", "500px sent no 'photos'."),
    ])
    func `an answer that is no list says so`(fixture: String, beginning: String) throws {
        let error = #expect(throws: ServiceError.self) { try page(fixture) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#"{"photos":[{"id":null,"name":"a"}]}"#, "500px sent 'photos[0].id' as null."),
        (#"{"photos":[{"name":"b"},{"name":"c"}]}"#, "500px sent no 'photos[0].id'."),
        (
            #"{"photos":[{"id":{},"name":"a"}]}"#,
            "500px sent 'photos[0].id' as an object instead of an identifier."
        ),
        (#"{"photos":[7]}"#, "500px sent 'photos[0]' as 7 instead of an object."),
        (
            #"{"photos":[{"id":1,"nsfw":"\u001b[31mred"}]}"#,
            "500px sent 'photos[0].nsfw' as \"[31mred\" instead of true or false."
        ),
        (#"{"photos":"none"}"#, "500px sent 'photos' as \"none\" instead of a list."),
        (
            "<html>Please sign in</html>",
            "500px sent something other than JSON, beginning '<html>Please sign in</html>'."
        ),
        ("", "500px sent an empty answer."),
        (
            #"{"photos":[{"id":1,"#,
            #"500px sent something other than JSON, beginning '{"photos":[{"id":1,'."#
        ),
    ])
    func `a bad reply names the service, the field and the value`(body: String, message: String) {
        let error = #expect(throws: ServiceError.self) {
            try importer.page(Data(body.utf8), PageSlice(number: 1, size: 20))
        }
        #expect(error?.description == message)
    }

    @Test func `what a photo can do without is unknown where it cannot be read`() throws {
        let body = """
            {"total_pages":"many","photos":[{"name":"lost"},
            {"id":2,"name":7,"width":"wide","height":3,"user":3,"tags":["a",7,"b"],"images":{"x":1},"rating":[]},
            {"id":3}]}
            """
        let page = try importer.page(Data(body.utf8), PageSlice(number: 2, size: 3))
        #expect(page.photos.map(\.index) == [5, 6] && page.hasMore)
        #expect(page.leftOut.map(\.description) == ["500px sent no 'photos[0].id'."])
        let photo = page.photos[0].photo
        #expect(photo.title == "" && photo.size == nil && photo.author == nil && photo.rating == nil)
        #expect(photo.tags == ["a", "b"] && photo.thumbnail == nil)
    }

    @Test(arguments: ["[", "{\"photos\":["])
    func `a reply nested a hundred thousand deep is an error, not a crash`(opening: String) {
        let deep = Data(repeatElement(opening, count: 100_000).joined().utf8)
        #expect(throws: ServiceError.self) { try importer.page(deep, PageSlice(number: 1, size: 20)) }
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "/photo/1", "//evil.example/x.jpg", "",
        "ftp://a.example/b",
    ])
    func `only web addresses are taken as files`(address: String) throws {
        let body = #"{"photos":[{"id":1,"name":"a","images":[{"size":2048,"url":"\#(address)"}]}]}"#
        let photo = try importer.batch(Data(body.utf8))[0].photo
        #expect(photo.full == nil)
    }

    @Test(arguments: [
        (#""nsfw":true"#, true), (#""nsfw":1"#, true), (#""category":4"#, true),
        (#""nsfw":false,"category":8"#, false),
    ])
    func `adult photos are known by flag or category`(field: String, isAdult: Bool) throws {
        let photo = try importer.batch(Data(#"{"photos":[{"id":1,"name":"a",\#(field)}]}"#.utf8))[0].photo
        #expect(photo.isAdult == isAdult)
    }
}

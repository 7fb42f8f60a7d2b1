import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// What there is without a key.
@Suite struct FlickrPublicTests {
    private let service = Flickr(base: nil, key: nil)

    private func list(_ feed: Feed, _ conversation: inout Conversation) throws -> Page {
        try conversation.page(of: service, feed)
    }

    @Test(arguments: [
        (Feed.popular(), "?"), (.search("red  sea"), "?tags=red,sea&tagmode=all&"),
        (.user("12037949754@N01"), "?id=12037949754%40N01&"),
    ])
    func `the public feed is asked for`(feed: Feed, query: String) throws {
        var conversation = Conversation((suffix: "gne", status: 200, body: Data(#"{"items":[]}"#.utf8)))
        #expect(try list(feed, &conversation).photos.isEmpty)
        let address = "https://www.flickr.com/services/feeds/photos_public.gne"
        #expect(conversation.asked == [[address + query + "format=json&nojsoncallback=1"]])
    }

    @Test(
        arguments: [
            ("flickr/feed_public_2024", "53831666357", "dasgonaviation", "184460015@N08"),
            ("flickr/feed_everyone_2019", "48108325221", "monica girard", "66143078@N00"),
            ("flickr/feed_tagged_2025", "54341118456", nil, nil),
        ] as [(String, String, String?, String?)])
    func `a recording is a list`(name: String, id: String, author: String?, user: String?) throws {
        var conversation = Conversation(
            (suffix: "gne", status: 200, body: try Fixture.data(name + ".json")))
        let page = try list(.popular(), &conversation)
        #expect(!page.hasMore)
        #expect(page.total == page.photos.count)
        #expect(page.leftOut.isEmpty)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.id == PhotoID(service: "flickr", value: id))
        #expect(photo.author?.name == author)
        #expect(photo.author?.id == user)
        #expect(photo.thumbnail?.url.lastPathComponent.hasSuffix("_m.jpg") == true)
        #expect(photo.full == nil)
        #expect(photo.published != nil)
        #expect(photo.taken != nil)
    }

    @Test func `an item without a photo's page is left out`() throws {
        let item =
            #"{"link":"https://www.flickr.com/photos/a/7/","media":{"m":"https://live.staticflickr.com/7_m.jpg"}}"#
        let body = Data(#"{"items":[\#(item),{"link":"https://a.example/7"},7]}"#.utf8)
        var conversation = Conversation((suffix: "gne", status: 200, body: body))
        let page = try list(.popular(), &conversation)
        #expect(page.photos.map(\.photo.id.value) == ["7"])
        #expect(page.leftOut.count == 2)
    }

    // Written after answers of 2008 and later.
    private let embedded = Data(
        """
        {"type":"photo","flickr_type":"photo","title":"Sea","author_name":"Ann","width":"1024","height":684,
        "url":"https://live.staticflickr.com/3599/3372549602_3e_b.jpg","thumbnail_width":150,"thumbnail_height":150,
        "web_page":"https://www.flickr.com/photos/ann/3372549602/","license":"Attribution-ShareAlike License",
        "thumbnail_url":"https://live.staticflickr.com/3599/3372549602_3e_q.jpg",
        "license_url":"https://creativecommons.org/licenses/by-sa/2.0/","license_id":"5"}
        """.utf8)

    @Test func `a photo's page is told by its short address`() throws {
        let page = try #require(URL(string: "https://www.flickr.com/photos/ann/3372549602/"))
        let id = try #require(service.photo(atPage: page))
        let gone = PhotoID(service: "flickr", value: "1")
        var conversation = Conversation((suffix: "692cuW", status: 200, body: embedded))
        let details = try conversation.run(service.details(of: [id, gone]))
        #expect(
            conversation.asked.first?.first
                == "https://www.flickr.com/services/oembed/?url=https%3A%2F%2Fflic.kr%2Fp%2F692cuW&format=json"
        )
        let photo = try #require(try details[id]?.get().photo)
        #expect(photo.title == "Sea")
        #expect(photo.author == Author(name: "Ann"))
        #expect(photo.page == page)
        #expect(photo.license == "CC BY-SA 2.0")
        #expect(photo.full?.size == PixelSize(width: 1024, height: 684))
        #expect(photo.thumbnail?.isCropped == true)
        let error = #expect(throws: ServiceError.self) { try details[gone]?.get() }
        #expect(error?.description == "flickr has no photo 1.")
    }

    @Test(arguments: [
        "{}", #"{"type":"video","url":"https://a.example/7"}"#, #"{"type":"photo","url":7}"#, "<html>",
    ])
    func `what is no picture is an error`(body: String) throws {
        var conversation = Conversation((suffix: "oembed", status: 200, body: Data(body.utf8)))
        let id = PhotoID(service: "flickr", value: "7")
        let details = try conversation.run(service.files(of: [Photo(id: id, title: "")]))
        #expect(throws: ServiceError.self) { try details[id]?.get() }
    }
}

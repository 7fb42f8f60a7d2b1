import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct FiveHundredPixelsTests {
    private let service = FiveHundredPixels(base: URL(string: "http://127.0.0.1/v1"), key: nil)

    private func photo(_ id: Int) -> String { #"{"id":\#(id),"name":"photo \#(id)"}"# }

    private func ids(_ values: Int...) -> [PhotoID] {
        values.map { PhotoID(service: "500px", value: String($0)) }
    }

    private static let sizes = "&image_size=3,30,20,31,21,4,1080,5,6,1600,2048&tags=1"

    @Test(arguments: [
        (Feed.popular(), 1, 20, "photos?feature=popular&page=1&rpp=20"),
        (.popular(ranking: "editors"), 3, 100, "photos?feature=editors&page=3&rpp=100"),
        (.search("a b&c+d"), 1, 20, "photos/search?term=a%20b%26c%2Bd&sort=_score&page=1&rpp=20"),
        (.user("some one"), 2, 5, "photos?feature=user&username=some%20one&page=2&rpp=5"),
    ])
    func `a list is one request with both sizes`(feed: Feed, page: Int, size: Int, address: String) throws {
        var conversation = Conversation((suffix: "photos", status: 200, body: Data(#"{"photos":[]}"#.utf8)))
        _ = try conversation.page(of: service, feed, number: page, size: size)
        #expect(conversation.asked == [["http://127.0.0.1/v1/" + address + Self.sizes]])
    }

    @Test func `a key travels apart from the address`() throws {
        let service = FiveHundredPixels(base: nil, key: Secret("hush"))
        let requests = try service.page(PageSlice(number: 1, size: 20), of: .popular(), cursor: nil).requests
        #expect(requests[0].url.absoluteString.hasPrefix("https://api.500px.com/v1/photos?feature=popular"))
        #expect(!"\(requests[0])".contains("hush"))
        #expect(requests[0].secrets == [.query(name: "consumer_key"): Secret("hush")].compactMapValues { $0 })
    }

    @Test func `the official service without a key is not asked`() {
        let error = #expect(throws: ServiceError.self) {
            try FiveHundredPixels(base: nil, key: nil)
                .page(PageSlice(number: 1, size: 20), of: .popular(), cursor: nil)
        }
        guard case .keyMissing("500px", variable: "GALLERY_500PX_KEY")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `several details are one request`() throws {
        var conversation = Conversation(
            (
                suffix: "ids=1,2", status: 200,
                body: Data(#"{"photos":{"1":\#(photo(1)),"2":\#(photo(2))}}"#.utf8)
            ))
        let details = try conversation.run(service.details(of: ids(1, 2)))
        #expect(conversation.asked == [["http://127.0.0.1/v1/photos?ids=1,2" + Self.sizes]])
        #expect(try details[ids(2)[0]]?.get().photo.title == "photo 2")
    }

    @Test(arguments: [404, 400, 501, 500, 200])
    func `a server without the batch is asked photo by photo`(status: Int) throws {
        var conversation = Conversation(
            (suffix: "ids=", status: status, body: Data(#"{"photos":[\#(photo(77))]}"#.utf8)),
            (suffix: "photos/1", status: 200, body: Data(#"{"photo":\#(photo(1))}"#.utf8)),
            (suffix: "photos/2", status: 403, body: Data()))
        let details = try conversation.run(service.details(of: ids(1, 2)))
        #expect(conversation.asked.map(\.count) == [1, 2])
        #expect(details.count == 2)
        #expect(try details[ids(1)[0]]?.get().photo.title == "photo 1")
        #expect(throws: ServiceError.self) { try details[ids(2)[0]]?.get() }
    }

    @Test func `what a batch leaves out is asked alone and says why`() throws {
        var conversation = Conversation(
            (suffix: "ids=", status: 200, body: Data(#"{"photos":{"1":\#(photo(1))}}"#.utf8)),
            (suffix: "photos/2", status: 404, body: Data()))
        let details = try conversation.run(service.details(of: ids(1, 2)))
        #expect(conversation.asked.map(\.count) == [1, 1])
        guard case .failure(.missing(_, let what))? = details[ids(2)[0]] else { throw CancellationError() }
        #expect(what == "photo 2")
    }

    @Test func `fifty photos take three batches, sent together`() throws {
        let all = (1...50).map { PhotoID(service: "500px", value: String($0)) }
        let body = #"{"photos":[\#((1...50).map(photo).joined(separator: ","))]}"#
        var conversation = Conversation((suffix: "ids=", status: 200, body: Data(body.utf8)))
        #expect(try conversation.run(service.details(of: all)).count == 50)
        #expect(conversation.asked.map(\.count) == [3])
    }

    @Test(arguments: [
        (401, #"{"error":"Consumer key missing.","status":401}"#, "500px needs a key, but none is set."),
        (403, #"{"error":"Forbidden.","status":403}"#, "500px refused the request: Forbidden."),
        (404, "", "500px has no page 1."),
        (429, "", "500px asks to wait."),
        (500, "<html>", "500px failed with status 500."),
    ])
    func `a status means what it means`(status: Int, body: String, message: String) {
        #expect(service.complaint(status: status, Data(body.utf8))?.description == message)
    }

    @Test(arguments: [
        ("https://500px.com/photo/4910421/orange-or-lemon", "4910421" as String?),
        ("https://www.500px.com/photo/5", "5"), ("https://500px.com/photo/x", nil),
        ("https://example.com/photo/5", nil), ("https://not500px.com/photo/5", nil),
        ("https://500px.com/p/5", nil), ("https://web.500px.com/photo/6/?from=popular#details", "6"),
        ("https://drscdn.500px.org/photo/4910421/q%3D80_m%3D2000/v2?sig=abc", "4910421"),
        ("http://pcdn.500px.net/4910421/c4a10b46e857e33ed2df35749858a7e45690dae7/2.jpg", "4910421"),
        ("https://500px.org/about", nil),
    ])
    func `a photo's page names the photo`(page: String, id: String?) throws {
        #expect(service.photo(atPage: try #require(URL(string: page)))?.value == id)
    }
}

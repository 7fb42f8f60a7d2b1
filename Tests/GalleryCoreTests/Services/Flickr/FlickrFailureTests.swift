import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// What Flickr says when it gives nothing, and what is left of a photo then.
@Suite struct FlickrFailureTests {
    private let service = Flickr(base: URL(string: "http://127.0.0.1/rest"), key: Secret("hush"))
    private static let json = "&format=json&nojsoncallback=1"

    private func failure(_ code: Int, _ message: String = "Sorry") -> Data {
        Data(#"{"stat":"fail","code":\#(code),"message":"\#(message)"}"#.utf8)
    }

    @Test(arguments: [
        (
            "error_100_invalid_key.json",
            "flickr refused the request: Invalid API Key (Key has invalid format)."
        ),
        (
            "error_100_invalid_key_2019.jsonp.txt",
            "flickr refused the request: Invalid API Key (Key has invalid format)."
        ),
        ("error_100_key_expired.json", "flickr refused the request: Invalid API Key (Key has expired)."),
        (
            "error_112_method_not_found_2013.json",
            #"flickr answered: Method "flickr.photos.doesNotExist" not found."#
        ),
        ("error_1_user_not_found.json", "flickr has no interesting photos of 2016-11-09."),
    ])
    func `a recorded failure is read from an answer of status 200`(fixture: String, message: String) throws {
        let feed = Feed.popular(date: CalendarDay("2016-11-09"))
        let error = service.complaint(about: feed, try Fixture.data("flickr/\(fixture)"))
        #expect(error?.description == message)
        if fixture.contains("_100_") { #expect(error?.hint == "Check the key.") }
    }

    @Test func `a server of another's that wants a key after all says so`() throws {
        let service = Flickr(base: URL(string: "http://127.0.0.1/rest"), key: nil)
        let error = service.complaint(try Fixture.data("flickr/error_100_invalid_key.json"))
        #expect(error?.description == "flickr needs a key, but none is set.")
    }

    @Test(arguments: [
        (Feed.popular(), 1, "flickr has no interesting photos."),
        (.user("1@N01"), 1, "flickr has no user '1@N01'."),
        (.favorites(of: "1@N01"), 1, "flickr has no user '1@N01'."),
        // "Too many tags" is no missing photo.
        (.search("sea"), 1, "flickr answered: Sorry."),
        (.search("sea"), 10, "flickr failed with status 503: Sorry."),
        (.popular(), 10, "flickr answered: Sorry."),
        (.popular(), 105, "flickr failed with status 503: Sorry."),
        (.user("1@N01"), 2, "flickr refused the request: Sorry."),
        (.user("1@N01"), 98, "flickr refused the request: Sorry."),
        (.user("1@N01"), 99, "flickr refused the request: Sorry."),
        (.search(""), 3, "flickr answered: Sorry."),
        (.popular(), 111, "flickr answered: Sorry."),
    ])
    func `a code means what its method means`(feed: Feed, code: Int, message: String) {
        #expect(service.complaint(about: feed, failure(code))?.description == message)
    }

    @Test(arguments: [
        (401, "", "flickr refused the request: status 401."), (404, "", "flickr has no page 1."),
        (429, "<html>", "flickr asks to wait."), (500, "<html>", "flickr failed with status 500."),
        (
            200, "<html>Please sign in</html>",
            "flickr sent something other than JSON, beginning '<html>Please sign in</html>'."
        ),
        (200, "", "flickr sent an empty answer."), (200, #"{"stat":"ok"}"#, "flickr sent no 'photos'."),
        (200, #"{"stat":"fail"}"#, "flickr answered: no reason given."),
    ])
    func `a status means what it means`(status: Int, body: String, message: String) {
        let error = service.complaint(about: .search("a"), status: status, Data(body.utf8))
        #expect(error?.description == message)
    }

    private func ids(_ values: String...) -> [PhotoID] {
        values.map { PhotoID(service: "flickr", value: $0) }
    }

    @Test func `details of which nothing is listed are two requests a photo, all sent together`() throws {
        var conversation = Conversation(
            (
                suffix: "getInfo&photo_id=1&", status: 200,
                body: try Fixture.data("flickr/photos_getInfo_2014.json")
            ),
            (
                suffix: "getSizes&photo_id=1&", status: 200,
                body: try Fixture.data("flickr/photos_getSizes_2014.json")
            ),
            (suffix: "photo_id=2", status: 200, body: failure(1, "Photo not found")))
        let details = try conversation.run(service.details(of: ids("1", "2")))
        #expect(conversation.asked.map(\.count) == [4])
        #expect(
            conversation.asked[0][0]
                == "http://127.0.0.1/rest?method=flickr.photos.getInfo&photo_id=1" + Self.json)
        #expect(
            conversation.asked[0][3]
                == "http://127.0.0.1/rest?method=flickr.photos.getSizes&photo_id=2" + Self.json)
        #expect(try details[ids("1")[0]]?.get().photo.full?.size == PixelSize(width: 3776, height: 2520))
        let error = #expect(throws: ServiceError.self) { try details[ids("2")[0]]?.get() }
        #expect(error?.description == "flickr has no photo 2.")
    }

    @Test func `a photo whose large file was listed is one request`() throws {
        let address = try #require(URL(string: "https://live.staticflickr.com/1_b.jpg"))
        let full = Rendition(url: address, size: PixelSize(width: 1024, height: 683))
        var conversation = Conversation(
            (suffix: "getInfo", status: 200, body: try Fixture.data("flickr/photos_getInfo_2016.json")),
            (suffix: "getSizes", status: 200, body: failure(1)))
        let photos = [Photo(id: ids("1")[0], title: "", full: full), Photo(id: ids("2")[0], title: "")]
        let details = try conversation.run(service.details(of: photos))
        #expect(
            conversation.asked[0].map { $0.contains("getSizes&photo_id=2") } == [false, false, true])
        let detail = try #require(details[photos[0].id]).get()
        #expect(photos[0].completed(by: detail.photo).full == full)
        #expect(detail.photo.title == "Summer Mood")
    }

    @Test(arguments: [
        (2, nil as String?), (1, nil), (105, "flickr failed with status 503: Sorry."),
    ])
    func `files that the owner keeps leave the text`(code: Int, message: String?) throws {
        var conversation = Conversation(
            (suffix: "getInfo", status: 200, body: try Fixture.data("flickr/photos_getInfo_2016.json")),
            (suffix: "getSizes", status: 200, body: failure(code)))
        let detail = try #require(try conversation.run(service.details(of: ids("1")))[ids("1")[0]])
        switch detail {
        case .success(let detail):
            #expect(message == nil)
            #expect(detail.photo.title == "Summer Mood")
            #expect(detail.photo.full == nil)
        case .failure(let error): #expect(error.description == message)
        }
    }

    @Test func `a film is no photo`() throws {
        var conversation = Conversation(
            (suffix: "getInfo", status: 200, body: Data(#"{"photo":{"id":"5","media":"video"}}"#.utf8)),
            (suffix: "getSizes", status: 200, body: Data(#"{"sizes":{"size":[]}}"#.utf8)))
        let detail = try #require(try conversation.run(service.details(of: ids("5")))[ids("5")[0]])
        let error = #expect(throws: ServiceError.self) { try detail.get() }
        #expect(error?.description == "flickr has no photo 5: it is a video.")
    }
}

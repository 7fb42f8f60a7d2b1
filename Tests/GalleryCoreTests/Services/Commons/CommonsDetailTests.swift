import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Details by number and by title, failures, and the addresses of files' pages.
@Suite(.fewAtOnce) struct CommonsDetailTests {
    private let service = Commons(base: URL(string: "http://127.0.0.1/api.php"))

    private func file(_ id: Int, _ title: String, mime: String = "image/jpeg") -> String {
        let info = #"{"url":"https://a.example/\#(id)","mime":"\#(mime)"}"#
        return #"{"pageid":\#(id),"title":"\#(title)","imageinfo":[\#(info)]}"#
    }

    private func id(_ value: String) -> PhotoID { PhotoID(service: "commons", value: value) }

    private func query(_ pages: String..., moves: String = "") -> Data {
        Data(#"{"batchcomplete":true,"query":{\#(moves)"pages":[\#(pages.joined(separator: ","))]}}"#.utf8)
    }

    // MARK: - Details

    @Test func `numbers and titles are asked for apart, fifty at once`() throws {
        let numbers = (1...51).map { id("\($0)") }
        var conversation = Conversation(
            (
                suffix: "pageids=", status: 200,
                body: query(file(1, "File:One.jpg"), file(51, "File:Last.jpg"))
            ),
            (suffix: "titles=", status: 200, body: query(file(70, "File:Sea.jpg"))))
        let details = try conversation.run(service.details(of: numbers + [id("File:Sea.jpg")]))
        // One after the other: Wikimedia asks for that.
        #expect(conversation.asked.map(\.count) == [1, 1, 1])
        let first = (1...50).map(String.init).joined(separator: "%7C")
        #expect(conversation.asked[0][0].contains("&pageids=\(first)&prop="))
        #expect(conversation.asked[1][0].contains("&pageids=51&prop="))
        #expect(conversation.asked[2][0].contains("&titles=File%3ASea.jpg&redirects=1&prop="))
        #expect(details.count == 52)
        #expect(try details[id("51")]?.get().photo.title == "Last")
        // The page's number, which lists give, is what a photo is known by.
        #expect(try details[id("File:Sea.jpg")]?.get().photo.id == id("70"))
        let error = #expect(throws: ServiceError.self) { try details[id("2")]?.get() }
        #expect(error?.description == "commons has no photo 2.")
    }

    @Test(arguments: [
        (#""normalized":[{"from":"File:sea.jpg","to":"File:Sea.jpg"}],"#, "File:sea.jpg"),
        (#""redirects":[{"from":"File:Ocean.jpg","to":"File:Sea.jpg"}],"#, "File:Ocean.jpg"),
        (
            #""normalized":[{"from":"File:ocean.jpg","to":"File:Ocean.jpg"}],"#
                + #""redirects":[{"from":"File:Ocean.jpg","to":"File:Sea.jpg"}],"#, "File:ocean.jpg"
        ),
    ])
    func `a file is found under an old title`(moves: String, title: String) throws {
        var conversation = Conversation(
            (suffix: "titles=", status: 200, body: query(file(7, "File:Sea.jpg"), moves: moves)))
        let details = try conversation.run(service.details(of: [id(title)]))
        #expect(try details[id(title)]?.get().photo.title == "Sea")
    }

    @Test(arguments: [
        (#"{"pageid":5,"missing":true}"#, "commons has no photo 5."),
        (#"{"pageid":5,"title":"File:A.jpg"}"#, "commons has no photo 5."),
        (
            #"{"pageid":5,"title":"File:A.svg","imageinfo":[{"url":"https://a.example/a.svg","mime":"image/svg+xml"}]}"#,
            "commons has no photo 5: its type is image/svg+xml."
        ),
    ])
    func `what is no photo says why`(page: String, message: String) throws {
        var conversation = Conversation((suffix: "pageids=5", status: 200, body: query(page)))
        let result = try #require(try conversation.run(service.details(of: [id("5")]))[id("5")])
        let error = #expect(throws: ServiceError.self) { try result.get() }
        #expect(error?.description == message)
    }

    @Test func `a batch that fails does not hide the others`() throws {
        var conversation = Conversation(
            (suffix: "pageids=1&", status: 200, body: query(file(1, "File:One.jpg"))))
        let details = try conversation.run(service.details(of: [id("1"), id("File:Sea.jpg")]))
        #expect(try details[id("1")]?.get().photo.title == "One")
        let error = #expect(throws: ServiceError.self) { try details[id("File:Sea.jpg")]?.get() }
        #expect(error?.description == "commons has no such page.")
    }

    // MARK: - Failures

    @Test(arguments: [
        ("maxlag", "Waiting for 10.64.0.50: 0.5 seconds lagged.", "commons asks to wait 5 seconds."),
        ("ratelimited", "Slow down.", "commons asks to wait."),
        ("cirrussearch-too-busy-error", "Search is currently too busy.", "commons asks to wait."),
        ("readonly", "The wiki is read-only.", "commons failed with status 503: The wiki is read-only."),
        ("internal_api_error_DBQueryError", "Oops", "commons failed with status 500: Oops."),
        ("baduser", "Invalid value.", "commons has no such user."),
        ("permissiondenied", "No.", "commons refused the request: No."),
        ("badvalue", "Unrecognized value.", "commons answered: Unrecognized value."),
    ])
    func `a failure is told with status 200`(code: String, info: String, message: String) {
        let body = #"{"error":{"code":"\#(code)","info":"\#(info)"},"servedby":"mw1"}"#
        #expect(service.complaint(Data(body.utf8))?.description == message)
    }

    @Test func `the recorded lag asks to wait five seconds, or as many as the head says`() throws {
        let body = try Fixture.data("commons/mediawiki_error_maxlag.json")
        let url = try #require(URL(string: "http://127.0.0.1"))
        for (headers, seconds) in [([:], 5), (["retry-after": "7"], 7)] {
            let reply = HTTPReply(head: HTTPHead(status: 200, url: url, headers: headers), body: body)
            guard case .rateLimited("commons", seconds)? = Commons(base: nil).failure(reply) else {
                Issue.record("no wait of \(seconds) seconds")
                continue
            }
        }
    }

    @Test(arguments: [
        (403, "<html>", "commons refused the request: status 403."), (429, "", "commons asks to wait."),
        (500, "<html>", "commons failed with status 500."), (404, "", "commons has no such page."),
        (200, "", "commons sent an empty answer."), (200, "{}", "commons sent no 'query'."),
        (
            200, "<!DOCTYPE html>",
            "commons sent something other than JSON, beginning '<!DOCTYPE html>'."
        ),
    ])
    func `a status means what it means`(status: Int, body: String, message: String) {
        #expect(service.complaint(status: status, Data(body.utf8))?.description == message)
    }

    // MARK: - Addresses

    @Test(arguments: [
        (
            "https://commons.wikimedia.org/wiki/File:Minchinmavida_Volcano.jpg",
            "File:Minchinmavida Volcano.jpg"
        ),
        ("https://commons.wikimedia.org/wiki/File:Stra%C3%9Fe_(1).JPG?uselang=de", "File:Straße (1).JPG"),
        ("https://commons.m.wikimedia.org/wiki/File:a.jpg", "File:A.jpg"),
        ("https://commons.wikimedia.org/wiki/Category:Sea#/media/File:Sea_%26_sky.jpg", "File:Sea & sky.jpg"),
        ("https://commons.wikimedia.org/wiki/File:Sea.jpg#mw-jump-to-license", "File:Sea.jpg"),
        ("https://commons.wikimedia.org/w/index.php?curid=18263872", "18263872"),
        ("https://commons.wikimedia.org/w/index.php?curid=x", nil as String?),
        ("https://commons.wikimedia.org/wiki/Category:Sea", nil),
        ("https://commons.wikimedia.org/wiki/File:", nil),
        ("https://commons.wikimedia.org/wiki/File:A%7CB.jpg", nil),
        ("https://example.com/wiki/File:Sea.jpg", nil),
        ("https://en.wikipedia.org/wiki/File:Sea.jpg", "File:Sea.jpg"),
        ("https://de.m.wikipedia.org/wiki/Datei:Sea.jpg", "File:Sea.jpg"),
        ("https://fr.wikipedia.org/wiki/Fichier:Sea_%26_sky.JPG", "File:Sea & sky.JPG"),
        ("https://ja.wikipedia.org/wiki/%E3%83%95%E3%82%A1%E3%82%A4%E3%83%AB:Sea.png", "File:Sea.png"),
        ("https://ru.wikipedia.org/wiki/Файл:Море.jpg", "File:Море.jpg"),
        ("https://zh.wikipedia.org/zh-tw/File:Sea.jpg", "File:Sea.jpg"),
        ("https://nl.wikipedia.org/wiki/Zee#/media/Bestand:Sea.jpg", "File:Sea.jpg"),
        ("https://de.wikipedia.org/w/index.php?title=Datei:Sea.jpg&oldid=7", "File:Sea.jpg"),
        ("https://de.wikipedia.org/w/index.php?curid=7", nil),
        ("https://en.wikipedia.org/wiki/User:Sea.jpg", nil), ("https://en.wikipedia.org/wiki/Sea", nil),
        ("https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey", nil),
        ("https://commons.wikimedia.org/wiki/Special:FilePath/sea_1.jpg?width=300", "File:Sea 1.jpg"),
        ("https://commons.wikimedia.org/wiki/Special:Redirect/file/Sea.jpg", "File:Sea.jpg"),
        ("https://commons.wikimedia.org/wiki/Special:ListFiles/Ann", nil),
        ("https://commons.wikimedia.org/w/index.php?title=File%3ASea.jpg", "File:Sea.jpg"),
        ("https://commons.wikimedia.org/w/thumb.php?f=Sea.jpg&w=200", "File:Sea.jpg"),
        ("https://commons.wikimedia.org/entity/M18263872", "18263872"),
        ("https://upload.wikimedia.org/wikipedia/commons/a/ab/Sea_%281%29.jpg", "File:Sea (1).jpg"),
        ("https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Sea.jpg/330px-Sea.jpg", "File:Sea.jpg"),
        (
            "https://upload.wikimedia.org/wikipedia/commons/archive/a/ab/20120101000000%21Sea.jpg",
            "File:Sea.jpg"
        ),
        (
            "https://thumb.wikimedia.org/wikipedia/commons/thumb/a/ab/Sea.jpg/330px-Sea.jpg?utm_source=x",
            "File:Sea.jpg"
        ),
        ("https://thumb.wikimedia.org/wikipedia/en/thumb/a/ab/Local.jpg/330px-Local.jpg", nil),
        ("https://upload.wikimedia.org/wikipedia/en/a/ab/Local.jpg", nil),
        ("https://upload.wikimedia.org/wikipedia/commons/a", nil),
    ])
    func `a file's page names the photo`(page: String, id: String?) throws {
        #expect(service.photo(atPage: try #require(URL(string: page)))?.value == id)
    }

    @Test(arguments: [
        ("File:Sea.jpg", "Sea"), ("File:A.b.JPEG", "A.b"), ("Sea", "Sea"),
        ("File:Mr. Sandman", "Mr. Sandman"),
        ("File:.jpg", ".jpg"), ("", ""), ("File:", ""),
    ])
    func `a title is shown without its kind and its ending`(title: String, name: String) {
        #expect(CommonsTitle.name(title) == name)
    }
}

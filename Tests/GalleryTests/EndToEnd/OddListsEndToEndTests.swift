import Foundation
import GalleryTestSupport
import Testing

/// The built program and lists that end early, lead elsewhere, or whose source is gone.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct OddListsEndToEndTests {
    private static let items = (1...3).map {
        #"<item><title>\#($0)</title><guid>\#($0)</guid><enclosure url="/\#($0).jpg" type="image/jpeg"/></item>"#
    }

    /// A feed of three photos that is cut in its third item, or at `/whole.xml` not, and its pictures.
    private static func answer(_ request: LocalRequest) -> LocalReply {
        let picture = request.path.hasSuffix(".jpg") ? Pictures.jpeg(width: 8, height: 8) : nil
        if let picture { return .file(picture) }
        let isWhole = request.path == "/whole.xml" || request.attempt > 3
        let feed =
            "<rss><channel>" + (isWhole ? items.joined() + "</channel></rss>" : items.joined().dropLast(30))
        return .body(Data(feed.utf8), contentType: "application/rss+xml")
    }

    @Test func `a feed that is cut is listed as far as it is whole, with one line and status 1`() async throws
    {
        try await withLocalServer(Self.answer) { server in
            try await withBuiltProduct("gallery") { gallery in
                let source = ["-s", "feed", "--base-url", server.url("feed.xml").absoluteString]
                let line = "Error: feed's list ends early: the feed is cut off in its middle.\n"
                for quiet in [[], ["-q"]] {
                    let list = try await gallery.run(
                        ["popular", "--format", "jsonl", "--refresh"] + source + quiet)
                    #expect(list.status == 1 && list.lines.count == 2, "\(list.all)")
                    #expect(list.errors == line)
                }
                let new = ["fetch", "1-", "--new", "-d", "p", "--name", "{title}", "--refresh"] + source
                let first = try await gallery.run(new)
                #expect(first.status == 1 && first.lines == ["p/1.jpg", "p/2.jpg"], "\(first.all)")
                #expect(first.errors.hasPrefix(line))
                // What was missing comes with the next run.
                let second = try await gallery.run(new)
                #expect(second.status == 0 && second.lines == ["p/3.jpg"], "\(second.all)")
            }
        }
    }

    @Test func `a next page on another site is told with -v, and its photos are not there`() async throws {
        try await withLocalServer { request in
            .body(
                Data(
                    "<feed><link rel='next' href='http://localhost:1/2'/><entry><link rel='enclosure' href='/1.jpg'/></entry></feed>"
                        .utf8),
                contentType: "application/atom+xml")
        } run: { server in
            try await withBuiltProduct("gallery") { gallery in
                let list = [
                    "popular", "-s", "feed", "--base-url", server.url("feed.xml").absoluteString, "--format",
                    "url",
                ]
                let (plain, verbose) = (try await gallery.run(list), try await gallery.run(list + ["-v"]))
                let line =
                    "Left out: feed's list ends early: its next page is on another site, 'http://localhost:1/2'.\n"
                #expect(plain.status == 0 && plain.lines.count == 1 && plain.errors.isEmpty, "\(plain.all)")
                #expect(verbose.status == 0 && verbose.errors.contains(line), "\(verbose.all)")
            }
        }
    }

    @Test(arguments: [#"{"service":"sample","id":"1002"}"#, "picsum.photos/id/10/info", "x"])
    func `lines of another service are fetched after a source's file is gone`(line: String) async throws {
        try await withLocalServer { _ in
            .json(#"{"items":[{"id":1,"u":"/a.jpg"}]}"#)
        } run: { server in
            try await withBuiltProduct("gallery") { gallery in
                let folder = gallery.home.appending(path: ".config/gallery/sources")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appending(path: "sea.json")
                let text = """
                    {"base": "\(server.url("").absoluteString)", "feeds": {"popular": "list"}, "items": "items",
                     "photo": {"id": "id", "files": "u"}}
                    """
                try Data(text.utf8).write(to: file)
                #expect(try await gallery.run(["popular", "-s", "sea"]).status == 0)
                try FileManager.default.removeItem(at: file)
                let fetched = try await gallery.run(
                    ["fetch", "-", "--dry-run"], input: Data((line + "\n").utf8))
                #expect(!fetched.errors.contains("no service 'sea'"), "\(fetched.all)")
                if line.hasPrefix("{") {
                    #expect(fetched.status == 0 && fetched.lines.count == 1, "\(fetched.all)")
                }
                // An index is one of the list that is gone.
                let index = try await gallery.run(["fetch", "1"])
                #expect(index.status == 64 && index.errors.contains("no service 'sea'"), "\(index.all)")
            }
        }
    }
}

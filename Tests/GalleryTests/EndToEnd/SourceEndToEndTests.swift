import Foundation
import GalleryTestSupport
import Testing

/// The built program and a source that its user has described.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct SourceEndToEndTests {
    private static let members = """
        "site": "https://www.sea.example", "key": {"header": "X-Sea"},
        "feeds": {"popular": "pictures?from={offset}&count={size}", "search": "find?text={query}"},
        "pageSize": 50, "items": "ok.rows", "total": "ok.all",
        "photo": {"id": "key", "title": "name", "author": "by.nick", "page": {"text": "https://www.sea.example/p/{key}"},
          "tags": {"path": "labels", "split": " "}, "width": "w", "height": "h", "files": "file"},
        "detail": {"request": "picture/{id}", "item": "ok", "when": "always", "photo": {"description": "story"}},
        "pages": {"photo": "sea.example/p/{id}"}
        """

    /// Sixty pictures, of which a request gets as many as it wants.
    private static func answer(_ request: LocalRequest) -> LocalReply {
        func row(_ number: Int) -> String {
            let file = request.serverURL.absoluteString + "/files/\(number).jpg"
            return
                #"{"key":"p\#(number)","name":"Picture \#(number)","by":{"nick":"ann"},"labels":"sea foam","#
                + #""w":"640","h":"480","file":"\#(file)","story":"It was told."}"#
        }
        let last = request.path.split(separator: "/").last ?? ""
        switch request.path {
        case "/v2/pictures", "/v2/find":
            let first = Int(request.query("from") ?? "0") ?? 0
            let end = min(60, first + (Int(request.query("count") ?? "50") ?? 50))
            let rows = (first..<max(first, end)).map { row($0 + 1) }
            return .json(#"{"ok":{"all":60,"rows":[\#(rows.joined(separator: ","))]}}"#)
                .header("X-RateLimit-Remaining", "44")
        case let path where path.hasPrefix("/v2/picture/"):
            return .json(#"{"ok":\#(row(Int(last.dropFirst()) ?? 0))}"#)
        case let path where path.hasPrefix("/files/"):
            return .file(Pictures.jpeg(bytes: 3000, seed: UInt64(last.prefix { $0 != "." }) ?? 0))
        default: return .status(404)
        }
    }

    private func describe(
        _ gallery: BuiltProduct, _ name: String, at base: URL, _ members: String = SourceEndToEndTests.members
    ) throws -> URL {
        let folder = gallery.home.appending(path: ".config/gallery/sources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).json")
        try Data(#"{"base": "\#(base.absoluteString)", \#(members)}"#.utf8).write(to: file)
        return file
    }

    private func withSea(_ body: (BuiltProduct, LocalServer, _ file: URL) async throws -> Void) async throws {
        try await withLocalServer(Self.answer) { server in
            try await withBuiltProduct("gallery") { gallery in
                try await body(gallery, server, describe(gallery, "sea", at: server.url("v2")))
            }
        }
    }

    @Test func `it lists, shows, fetches, and publishes as any service does`() async throws {
        try await withSea { gallery, server, _ in
            let key = ["GALLERY_SEA_KEY": "hush-sea"]
            let list = try await gallery.run(
                ["popular", "-s", "sea", "--range", "1-40", "--format", "jsonl"], environment: key)
            #expect(list.status == 0 && list.lines.count == 40, "\(list.all)")
            #expect(list.lines.last?.contains(#""index":40,"service":"sea","id":"p40""#) == true)
            #expect(server.requests.count { $0.path == "/v2/pictures" } <= 2)
            let shown = try await gallery.run(["show", "7", "--format", "json"], environment: key)
            #expect(shown.output.contains(#""description":"It was told.""#), "\(shown.all)")
            let page = try await gallery.run(
                ["show", "www.sea.example/p/p9", "--format", "json"], environment: key)
            #expect(page.output.contains(#""service":"sea","id":"p9""#), "\(page.all)")
            let fetched = try await gallery.run(["fetch", "2-3", "-d", "out"], environment: key)
            #expect(fetched.status == 0, "\(fetched.all)")
            #expect(fetched.lines == ["out/p2_Picture 2.jpg", "out/p3_Picture 3.jpg"], "\(fetched.all)")
            let site = try await gallery.run(["web", "1-3", "-o", "site"], environment: key)
            #expect(site.lines == ["site/index.html"], "\(site.all)")
            for outcome in [list, shown, page, fetched, site] { #expect(!outcome.all.contains("hush")) }
            let (files, requests) = (server.requests.filter { $0.path.hasPrefix("/files/") }, server.requests)
            #expect(files.count >= 2 && files.allSatisfy { $0.headers["X-Sea"] == nil })
            #expect(requests.count { $0.headers["X-Sea"] == "hush-sea" } == requests.count - files.count)
        }
    }

    @Test func `a header that leads to the next page is kept with the reply`() async throws {
        let members = """
            "feeds": {"popular": "x?p={page}"}, "pageSize": 2, "next": {"header": "Link"},
            "photo": {"id": "@", "files": "f"}
            """
        let pages = { @Sendable (request: LocalRequest) -> LocalReply in
            let page = Int(request.query("p") ?? "") ?? 0
            let reply = LocalReply.json("[\(page * 2 - 1),\(page * 2)]")
            return page < 3 ? reply.header("Link", #"<?p=\#(page + 1)>; rel="next""#) : reply
        }
        try await withLocalServer(pages) { server in
            try await withBuiltProduct("gallery") { gallery in
                _ = try describe(gallery, "linked", at: server.url("v2"), members)
                for _ in 1...2 {
                    let list = try await gallery.run(["-s", "linked", "--range", "2-9", "--format", "jsonl"])
                    #expect(list.status == 0 && list.lines.count == 5, "\(list.all)")
                }
                #expect(server.requests.count == 3)
            }
        }
    }

    @Test(arguments: [[], ["--refresh"]])
    func `a source without pages is asked once, whatever the cache holds`(options: [String]) async throws {
        let members = #""feeds": {"popular": "x"}, "pageSize": 20, "photo": {"id": "@", "files": "f"}"#
        let answer = "[\((1...400).map(String.init).joined(separator: ","))]"
        try await withLocalServer({ _ in .json(answer) }) { server in
            try await withBuiltProduct("gallery") { gallery in
                _ = try describe(gallery, "whole", at: server.url("v2"), members)
                let list = try await gallery.run(
                    ["-s", "whole", "--range", "1-400", "--format", "jsonl"] + options)
                #expect(list.status == 0 && list.lines.count == 400, "\(list.errors)")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `help and completion offer it`() async throws {
        try await withSea { gallery, _, _ in
            let help = try await gallery.run(["help", "popular"], environment: ["COLUMNS": "400"])
            #expect(help.output.contains("wallhaven, sea)"), "\(help.all)")
            let asked = ["---completion", "popular", "--", "-s", "3", "0", "gallery", "popular", "-s", ""]
            #expect(try await gallery.run(asked).lines.contains("sea"))
            let typed = try await gallery.run(["popular", "-s", "see"])
            #expect(typed.status == 64 && typed.errors.contains("Did you mean 'sea'?"), "\(typed.all)")
        }
    }

    @Test func `a trial asks the host, and says where each field came from`() async throws {
        try await withSea { gallery, server, file in
            let trial = try await gallery.run(["services", "--try", file.path])
            #expect(trial.status == 0, "\(trial.all)")
            #expect(trial.lines.first == "Rows: 50. Photos: 50.")
            #expect(trial.lines.contains("As the reply to 'detail', one photo."), "\(trial.all)")
            #expect(trial.lines.last?.hasPrefix("Not in the definition: row, username, ") == true)
            let title = trial.lines.first { $0.hasPrefix("title ") }
            #expect(title?.hasSuffix("Picture 1  ← name") == true, "\(trial.all)")
            #expect(server.requests.map(\.target) == ["/v2/pictures?from=0&count=50", "/v2/picture/p1"])
        }
    }

    @Test func `a key that the host repeats is followed where it leads, and stands nowhere`() async throws {
        let key = "s3cret/key-9"
        let spelled = "s3cret%2fkey-9"
        try await withLocalServer({ request in
            func row(_ number: Int) -> String {
                #"{"id":"\#(number)","name":"Of s3cret\/key-\u0039","file":"\#(request.serverURL)/\#(key)/\#(number).jpg"}"#
            }
            switch (request.path, request.query("page")) {
            case ("/list", nil): return .redirect(to: "/\(spelled)/list")
            case (_, nil):
                return .json(#"{"r":[\#(row(1))]}"#).header(
                    "Link", "</\(spelled)/list?page=2&k=\(key)>; rel=next")
            default: return .json(#"{"r":[\#(row(2))],"\#(key)":1}"#)
            }
        }) { server in
            try await withBuiltProduct("gallery") { gallery in
                let members = """
                    "key": {"header": "X-Sea"}, "feeds": {"popular": "list"}, "items": "r", "next": {"header": "Link"},
                    "photo": {"id": "id", "title": "name", "files": "file"}
                    """
                let file = try describe(gallery, "sea", at: server.url(""), members)
                for words in [
                    ["services", "--try", file.path],
                    ["popular", "-s", "sea", "-v", "--format", "jsonl", "--range", "1-2"],
                ] {
                    let run = try await gallery.run(words, environment: ["GALLERY_SEA_KEY": key])
                    #expect(run.status == 0, "\(run.all)")
                    for spelling in [key, spelled, "s3cret"] {
                        #expect(!run.all.contains(spelling), "\(run.all)")
                    }
                }
                let asked = server.requests.map(\.target)
                #expect(asked.last == "/s3cret%2Fkey-9/list?page=2&k=s3cret%2Fkey-9", "\(asked)")
                let kept = try FileManager.default.subpathsOfDirectory(atPath: gallery.home.path)
                for path in kept {
                    let data = try? Data(contentsOf: gallery.home.appending(path: path))
                    #expect(data?.range(of: Data("s3cret".utf8)) == nil, "\(path)")
                }
            }
        }
    }

    @Test func `an unknown key is named with its place and the nearest known one`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let base = try #require(URL(string: "https://sea.example"))
            let members = Self.members.replacing(#""title""#, with: #""titel""#)
            let file = try describe(gallery, "sea", at: base, members)
            for line in [["services", "--try", file.path], ["popular", "-s", "sea"]] {
                let outcome = try await gallery.run(line)
                #expect(outcome.status == 78, "\(outcome.all)")
                #expect(outcome.errors.contains("'photo.titel' is unknown (line 4, "), "\(outcome.errors)")
                #expect(outcome.errors.contains("Help: Did you mean 'title'?"), "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: ["flickr", "Flickr"])
    func `no definition takes the name of a service, nor its key`(name: String) async throws {
        try await withLocalServer(Self.answer) { server in
            try await withBuiltProduct("gallery") { gallery in
                let key = ["GALLERY_FLICKR_KEY": "hush"]
                let file = try describe(gallery, name, at: server.url("v2"))
                let listed = try await gallery.run(["popular", "-s", name], environment: key)
                #expect(listed.status == 78, "\(listed.all)")
                #expect(listed.errors.contains("there is a service 'flickr' already"))
                let trial = try await gallery.run(["services", "--try", file.path], environment: key)
                #expect(trial.status == 0, "\(trial.all)")
                #expect(server.requests.count == 2)
                #expect(server.requests.allSatisfy { $0.headers["X-Sea"] == nil })
            }
        }
    }

    // MARK: - Checks

    @Test func `a check asks each service once, and says what it answered`() async throws {
        try await withSea { gallery, server, _ in
            let one = try await gallery.run(["services", "--check", "sea"])
            #expect(one.status == 0, "\(one.all)")
            #expect(one.lines.count == 1)
            #expect(one.output.hasPrefix("sea  ok      200  "), "\(one.all)")
            #expect(one.output.hasSuffix("  1 photo; 127.0.0.1; requests left: 44\n"), "\(one.all)")
            #expect(server.requests.map(\.target) == ["/v2/pictures?from=0&count=1"])
            // Not from the cache.
            _ = try await gallery.run(["services", "--check", "sea"])
            #expect(server.requests.count == 2)
            let unknown = try await gallery.run(["services", "--check", "ocean"])
            #expect(unknown.status == 64, "\(unknown.all)")
            _ = try describe(gallery, "gone", at: server.url("v3"))
            let gone = try await gallery.run(["services", "--check", "gone"])
            #expect(gone.output.hasSuffix("  gone has no page 1; 127.0.0.1\n"), "\(gone.all)")
            #expect(unknown.errors.contains("There is no service 'ocean' on the web."))
        }
    }

    @Test func `a check ends within the timeout, and fails unless all answer`() async throws {
        let gate = Gate()
        defer { gate.open() }
        try await withLocalServer({ Self.answer($0).delayed(until: gate) }) { mute in
            try await withSea { gallery, server, _ in
                _ = try describe(gallery, "mute", at: mute.url("v2"))
                _ = try describe(gallery, "gone", at: server.url("v3"))
                let all = try await gallery.run(
                    ["services", "--check", "mute", "sea", "gone", "--timeout", "1"])
                #expect(all.status == 1, "\(all.all)")
                let starts = all.lines.map { String($0.prefix(17)) }
                #expect(
                    starts == ["mute  failed  -  ", "sea   ok      200", "gone  failed  404"], "\(all.all)")
                let alone = try await gallery.run(["services", "--check", "mute", "--timeout", "1"])
                #expect(alone.status == 69, "\(alone.all)")
                #expect(mute.requests.count == 2)
            }
        }
    }
}

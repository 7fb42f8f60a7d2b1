import Foundation
import GalleryTestSupport
import Testing

/// The built program against a site that answers as pixiv does, on a real socket.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct PixivEndToEndTests {
    private static let session = "31415926_Q7vX2mLp9KdR"

    /// The site, and the host of its images, which refuses whoever does not come from the site.
    private static func answer(_ request: LocalRequest) -> LocalReply {
        let root = request.serverURL.appending(path: "/").absoluteString
        let isVisitor = request.headers["Referer"] == "https://www.pixiv.net/"
        switch request.path {
        case _ where !isVisitor: return .status(403)
        case "/ranking.php":
            if request.query("mode")?.contains("r18") == true,
                request.headers["Cookie"] != "PHPSESSID=\(session)"
            {
                return .json(#"{"error":"…"}"#, status: 403)
            }
            return .json(
                #"{"contents":[{"illust_id":77,"title":"Sea","url":"\#(root)c/240x480/img-master/img/77_p0_master1200.jpg","illust_page_count":"3","width":16,"height":16,"user_id":5,"user_name":"Aki","tags":[]}],"page":1,"next":false,"rank_total":1}"#
            )
        case "/ajax/illust/77":
            return .json(
                #"{"error":false,"body":{"id":"77","title":"Sea","pageCount":3,"width":16,"height":16,"urls":{"original":"\#(root)img-original/77_p0.jpg"}}}"#
            )
        case "/ajax/illust/77/pages":
            let pages = (0..<3).map { #"{"urls":{"original":"\#(root)img-original/77_p\#($0).jpg"}}"# }
            return .json(#"{"error":false,"body":[\#(pages.joined(separator: ","))]}"#)
        case let path where path.hasPrefix("/img-original/"):
            return .file(picture(Int(path.dropLast(4).suffix(1)) ?? 9))
        case let path where path.hasPrefix("/c/"): return .file(picture(8))
        default: return .json(#"{"error":true,"message":"","body":[]}"#, status: 404)
        }
    }

    private static func picture(_ page: Int) -> Data { Pictures.jpeg(bytes: 3000 + page, seed: UInt64(page)) }

    @Test(arguments: [["popular"], ["fetch", "1", "--feed", "popular"]])
    func `a ranking for adults wants both the word and a session`(command: [String]) async throws {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, server, source in
            let line = command + ["--ranking", "daily_r18"] + source
            let mine = ["GALLERY_PIXIV_SESSION": Self.session]
            let unasked = try await gallery.run(line, environment: mine, expecting: 64)
            #expect(
                unasked.errors
                    == "Error: The ranking 'daily_r18' is for adults.\nHelp: Add '--adult' to see it.\n")
            let stranger = try await gallery.run(line + ["--adult"], expecting: 77)
            #expect(stranger.errors.contains("Help: Set GALLERY_PIXIV_SESSION"))
            #expect(server.requests.isEmpty)
            let both = try await gallery.runWell(line + ["--adult", "-v"], environment: mine)
            #expect(!(both.output + both.errors).contains("Q7vX2mLp9KdR"))
        }
    }

    @Test func `what was listed with the word is fetched by its index without it`() async throws {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, _, source in
            let mine = ["GALLERY_PIXIV_SESSION": Self.session]
            _ = try await gallery.run(
                ["popular", "--ranking", "daily_r18", "--adult"] + source, environment: mine)
            try await gallery.runWell(["fetch", "1"], environment: mine)
        }
    }

    @Test func `a work is known once all of its pages are`() async throws {
        let mended = Gate()
        let answer: LocalServer.Handler = { request in
            !mended.isOpen && request.path == "/img-original/77_p1.jpg"
                ? .status(404) : Self.answer(request)
        }
        try await withGallery(of: "pixiv", at: "", answer) { gallery, server, source in
            let line = ["fetch", "1-", "--feed", "popular", "--new"] + source
            #expect(try await gallery.run(line).status == 1)
            mended.open()
            let second = try await gallery.run(line)
            #expect(second.errors.hasPrefix("1 fetched, 2 kept"), "\(second.all)")
            let count = server.requests.count { $0.path.hasPrefix("/img-original/") }
            let third = try await gallery.run(line)
            #expect(third.status == 0 && third.lines.isEmpty, "\(third.all)")
            #expect(third.errors.contains("Left out 1 photo: downloaded before"), "\(third.all)")
            #expect(server.requests.count { $0.path.hasPrefix("/img-original/") } == count)
        }
    }

    @Test(arguments: [
        ([], ["77_Sea_p0.jpg", "77_Sea_p1.jpg", "77_Sea_p2.jpg"]),
        (["--name", "{author}/{page} {id}"], ["Aki/0 77.jpg", "Aki/1 77.jpg", "Aki/2 77.jpg"]),
    ])
    func `a work of three pages is one photo and three originals`(options: [String], names: [String])
        async throws
    {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, server, source in
            let outcome = try await gallery.runWell(["fetch", "1"] + options + source)
            #expect(outcome.lines == names)
            for (page, name) in names.enumerated() {
                let data = try gallery.data(name)
                #expect(data == Self.picture(page))
            }
            // The list names a file of 1200 pixels; a fetch is not content with that.
            #expect(!server.requests.contains { $0.path.contains("master1200") })
        }
    }

    @Test func `the files of a work are all listed once its details are known`() async throws {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, server, source in
            let list = try await gallery.run(["popular", "--format", "url"] + source)
            let files = (0..<3).map { server.url("img-original/77_p\($0).jpg").absoluteString }
            #expect(list.lines == files, "\(list.all)")
            #expect(try await gallery.run(["show", "1", "--format", "url"]).lines == files)
            let row = try await gallery.run(["popular", "--format", "jsonl"] + source)
            #expect(row.output.contains(#""full":null,"renditions":[{"#), "\(row.output)")
            #expect(
                server.requests.map(\.path) == ["/ranking.php", "/ajax/illust/77", "/ajax/illust/77/pages"])
        }
    }

    @Test func `a work of three pages that was shown needs no request to be fetched`() async throws {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, server, source in
            let shown = try await gallery.run(
                ["show", "1", "--feed", "popular", "--format", "jsonl"] + source)
            try gallery.remove("~/.cache")
            let asked = server.requests.count
            let listed = try await gallery.run(
                ["show", "-", "--format", "url"] + source, input: shown.outputData)
            #expect(listed.lines.count == 3, "\(listed.all)")
            let outcome = try await gallery.run(["fetch", "-"] + source, input: shown.outputData)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            #expect(
                server.requests.dropFirst(asked).map(\.path).sorted()
                    == (0..<3).map { "/img-original/77_p\($0).jpg" })
            // Unless the addresses are to be asked for anew.
            let anew = try await gallery.run(
                ["fetch", "-", "--refresh", "-d", "anew"] + source, input: shown.outputData)
            #expect(anew.status == 0 && anew.lines.count == 3, "\(anew.all)")
            #expect(server.requests(to: "/ajax/illust/77").count == 2)
        }
    }

    @Test func `the photos beside a page are fetched with all their files`() async throws {
        try await withGallery(of: "pixiv", at: "", Self.answer) { gallery, server, source in
            try await gallery.runWell(
                ["web", "1-1", "-o", "site", "--size", "full", "--metadata", "--feed", "popular"] + source)
            let photos = try gallery.data("site/photos.json")
            try gallery.remove("~/.cache")
            let asked = server.requests.count
            let outcome = try await gallery.run(["fetch", "-"] + source, input: photos)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            let pictures = server.requests.dropFirst(asked).filter { $0.path.hasPrefix("/img-original/") }
            #expect(pictures.count == 3)
        }
    }

    @Test func `withheld works are left out without renumbering, and never fetched`() async throws {
        let masked = try String(decoding: Fixture.data("pixiv/made_ranking_masked.json"), as: UTF8.self)
        let answer: LocalServer.Handler = { $0.path == "/ranking.php" ? .json(masked) : .status(500) }
        try await withGallery(of: "pixiv", at: "", answer) { gallery, server, source in
            let outcome = try await gallery.run(["popular", "--adult", "--format", "jsonl"] + source)
            let indexes = outcome.lines.map { $0.dropFirst(9).prefix { $0 != "," } }
            #expect(indexes == ["1", "6", "7", "8"], "\(outcome.all)")
            #expect(!outcome.output.contains("limit_"))
            try await gallery.run(["fetch", "2", "--size", "thumbnail"], expecting: 66)
            #expect(server.requests.allSatisfy { $0.path == "/ranking.php" })
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// What forty photos cost each service, by the requests of the built program; and again, once they are there.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct RequestCountTests {
    /// A service with forty photos, and what its requests are about.
    struct Site: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let service: String
        let path: String
        let answer: LocalServer.Handler
        /// Requests for lists, for details or sizes, and for files.
        let lists: Int
        let details: Int
        let files: Int
        let isList: @Sendable (LocalRequest) -> Bool
        let isFile: @Sendable (LocalRequest) -> Bool

        static let all = [
            fiveHundredPixels("500px", details: 0, listsFullSizes: true, hasBatch: true),
            fiveHundredPixels(
                "500px, whose lists lack full sizes", details: 2, listsFullSizes: false, hasBatch: true),
            fiveHundredPixels(
                "500px, which also lacks batches", details: 42, listsFullSizes: false, hasBatch: false),
            flickr("Flickr", lacking: 0), flickr("Flickr, whose list lacks every fourth size", lacking: 10),
            pixiv("Pixiv, works of one page", long: 0), pixiv("Pixiv, five of them of three pages", long: 5),
            Site(
                testDescription: "Commons", service: "commons", path: "w/api.php",
                answer: { WikiServer(count: 40).reply(to: $0) }, lists: 1, details: 0, files: 40,
                isList: { $0.query("generator") != nil }, isFile: { $0.path.hasPrefix("/files/") }),
        ]

        private static func fiveHundredPixels(
            _ name: String, details: Int, listsFullSizes: Bool, hasBatch: Bool
        ) -> Site {
            let pixels = PixelServer(count: 40, listsFullSizes: listsFullSizes, hasBatch: hasBatch)
            return Site(
                testDescription: name, service: "500px", path: "v1", answer: { pixels.reply(to: $0) },
                lists: 1, details: details, files: 40, isList: { $0.query("feature") != nil },
                isFile: { $0.path.hasPrefix("/full/") })
        }

        private static func flickr(_ name: String, lacking: Int) -> Site {
            Site(
                testDescription: name, service: "flickr", path: "rest",
                answer: { request in
                    let root = request.serverURL.absoluteString
                    switch request.query("method") {
                    case "flickr.interestingness.getList":
                        let rows = (1...40).map { id in
                            let full = id <= 40 - lacking ? #","url_o":"\#(root)/files/\#(id)""# : ""
                            return #"{"id":"\#(id)","title":"Photo \#(id)"\#(full)}"#
                        }
                        return .json(
                            #"{"photos":{"pages":1,"total":40,"photo":[\#(rows.joined(separator: ","))]}}"#)
                    case "flickr.photos.getSizes":
                        let id = request.query("photo_id") ?? ""
                        return .json(
                            #"{"sizes":{"size":[{"label":"Original","source":"\#(root)/files/\#(id)"}]}}"#)
                    default: return file(request)
                    }
                }, lists: 1, details: lacking, files: 40,
                isList: { $0.query("method")?.hasSuffix("getList") == true },
                isFile: { $0.path.hasPrefix("/files/") })
        }

        private static func pixiv(_ name: String, long: Int) -> Site {
            Site(
                testDescription: name, service: "pixiv", path: "",
                answer: { request in
                    let root = request.serverURL.absoluteString
                    let parts = request.path.split(separator: "/").map(String.init)
                    func pages(_ id: Int) -> Int { id <= long ? 3 : 1 }
                    if request.path == "/ranking.php" {
                        let rows = (1...40).map {
                            #"{"illust_id":\#($0),"title":"Work \#($0)","illust_page_count":\#(pages($0))}"#
                        }
                        return .json(#"{"contents":[\#(rows.joined(separator: ","))],"next":false}"#)
                    }
                    guard parts.first == "ajax", let id = Int(parts[2]) else { return file(request) }
                    let files = (0..<pages(id)).map { "\(root)/files/\(id * 10 + $0)" }
                    if parts.last == "pages" {
                        let pages = files.map { #"{"urls":{"original":"\#($0)"}}"# }
                        return .json(#"{"body":[\#(pages.joined(separator: ","))]}"#)
                    }
                    return .json(
                        #"{"body":{"id":\#(id),"title":"Work \#(id)","pageCount":\#(pages(id)),"urls":{"original":"\#(files[0])"}}}"#
                    )
                }, lists: 1, details: 40 + long, files: 40 + 2 * long,
                isList: { $0.path == "/ranking.php" }, isFile: { $0.path.hasPrefix("/files/") })
        }

        /// A picture, another one for each number.
        private static func file(_ request: LocalRequest) -> LocalReply {
            let id = request.path.split(separator: "/").last.flatMap { UInt64($0) }
            return id.map { .file(Pictures.jpeg(bytes: 3000, seed: $0)) } ?? .status(404)
        }

        /// How many of `requests` are for lists, for details and for files.
        func counts(_ requests: some Sequence<LocalRequest>) -> [Int] {
            let lists = requests.count { isList($0) }
            let files = requests.count { isFile($0) }
            return [lists, requests.count { _ in true } - lists - files, files]
        }
    }

    @Test(arguments: Thorough.cases(Site.all, few: 3))
    func `forty photos cost no request too many, and none once they are there`(site: Site) async throws {
        try await withGallery(of: site.service, at: site.path, site.answer) { gallery, server, source in
            let line = ["fetch", "1-40", "--feed", "popular"] + source
            let first = try await gallery.run(line)
            #expect(first.status == 0 && first.lines.count == site.files, "\(first.all)")
            #expect(site.counts(server.requests) == [site.lists, site.details, site.files])
            var asked = server.requests.count
            // With the list in the cache nothing is asked.
            let again = try await gallery.run(line)
            #expect(again.errors.hasPrefix("0 fetched, \(site.files) kept"), "\(again.errors)")
            #expect(server.requests.count == asked)
            // Without a cache, the list itself.
            try gallery.remove("~/.cache")
            let bare = try await gallery.run(line)
            #expect(bare.errors.hasPrefix("0 fetched, \(site.files) kept"), "\(bare.errors)")
            #expect(site.counts(server.requests.dropFirst(asked)) == [site.lists, 0, 0])
            asked = server.requests.count
            _ = try await gallery.run(["cache", "clear"])
            try await gallery.runWell(["popular", "--per-page", "40"] + source)
            asked = server.requests.count
            // Of a list that was shown, not even that.
            _ = try await gallery.run(["cache", "clear"])
            let shown = try await gallery.run(["fetch", "1-40"])
            #expect(shown.errors.hasPrefix("0 fetched, \(site.files) kept"), "\(shown.errors)")
            #expect(server.requests.count == asked)
        }
    }

    @Test(arguments: ["{id}_{title}", "{id}_{width}x{height}"])
    func `names that only details tell are kept, at the price of asking`(name: String) async throws {
        let pixels = PixelServer(count: 3, listsFullSizes: false)
        let answer: LocalServer.Handler = { request in
            guard request.query("feature") != nil else { return pixels.reply(to: request) }
            return .json(#"{"photos":[{"id":1},{"id":2},{"id":3}]}"#)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, server, source in
            let line = ["fetch", "1-3", "--feed", "popular", "--name", name] + source
            #expect(try await gallery.run(line).lines.count == 3)
            _ = try await gallery.run(["cache", "clear"])
            let again = try await gallery.run(line)
            #expect(again.errors.hasPrefix("0 fetched, 3 kept"), "\(again.errors)")
            #expect(server.requests.count { $0.path.hasPrefix("/full/") } == 3)
        }
    }

    @Test func `metadata wants the details all the same`() async throws {
        let site = try #require(Site.all.first { $0.service == "flickr" && $0.details > 0 })
        try await withGallery(of: "flickr", at: "rest", site.answer) { gallery, server, source in
            _ = try await gallery.run(["fetch", "1-40", "--metadata", "--feed", "popular"] + source)
            #expect(server.requests.count { $0.query("method") == "flickr.photos.getInfo" } == 10)
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program's second stage: details overlap with files, nothing known is requested, and image addresses
/// that have expired are renewed.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct StageTwoEndToEndTests {
    /// A site that answers as pixiv does: works from 1 to 40 of one page each.
    private static func pixiv(_ request: LocalRequest) -> LocalReply {
        let root = request.serverURL.appending(path: "/").absoluteString
        let parts = request.path.split(separator: "/").map(String.init)
        if request.path == "/ranking.php" {
            let works = (1...40).map {
                #"{"illust_id":\#($0),"title":"Work","url":"\#(root)c/240x480/img-master/img/\#($0)_p0_master1200.jpg","illust_page_count":"1","width":16,"height":16,"user_id":5,"user_name":"Aki","tags":[]}"#
            }
            return .json(
                #"{"contents":[\#(works.joined(separator: ","))],"page":1,"next":false,"rank_total":40}"#)
        }
        if parts.first == "ajax", parts.last == "pages" {
            return .json(#"{"error":false,"body":[{"urls":{"original":"\#(root)original/\#(parts[2])"}}]}"#)
        }
        if parts.first == "ajax", let id = parts.last {
            return .json(
                #"{"error":false,"body":{"id":"\#(id)","title":"Work","pageCount":1,"width":16,"height":16,"urls":{"original":"\#(root)original/\#(id)"}}}"#
            )
        }
        guard parts.first == "original", let id = parts.last.flatMap({ UInt64($0) }) else {
            return .status(404)
        }
        return .file(Pictures.jpeg(bytes: 3000, seed: id))
    }

    @Test func `the first file is on disk before the second photo's details have come`() async throws {
        let gate = Gate()
        let answer: LocalServer.Handler = { request in
            let reply = Self.pixiv(request)
            return request.path.hasPrefix("/ajax/illust/2") ? reply.delayed(until: gate) : reply
        }
        try await withGallery(of: "pixiv", at: "", answer) { gallery, server, source in
            let run = try gallery.start(["fetch", "1-40", "--feed", "popular"] + source)
            #expect(try await run.waitForOutput("1_Work.jpg\n"))
            #expect(!server.requests.contains { $0.path.hasPrefix("/ajax/illust/3") })
            gate.open()
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && outcome.lines.count == 40, "\(outcome.all)")
        }
    }

    @Test func `the second photo's details are asked for while the first file is coming`() async throws {
        let gate = Gate()
        let answer: LocalServer.Handler = { request in
            let reply = Self.pixiv(request)
            return request.path == "/original/1" ? reply.delayed(until: gate) : reply
        }
        try await withGallery(of: "pixiv", at: "", answer) { gallery, server, source in
            // A connection for the file, and one more; and nothing comes because another thing has timed out.
            let run = try gallery.start(
                ["fetch", "1-3", "-j", "2", "--timeout", "600", "--feed", "popular"] + source)
            try await until { server.requests.contains { $0.path.hasPrefix("/ajax/illust/2") } }
            gate.open()
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
        }
    }

    private func details(_ server: LocalServer) -> Int {
        server.requests.count { request in
            request.query("ids") != nil || request.path.hasPrefix("/v1/photos/")
        }
    }

    @Test func `details of a file that is there are asked for with --refresh alone`() async throws {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            for (options, asked) in [([], 1), ([], 1), (["--refresh"], 2)] {
                let outcome = try await gallery.run(["fetch", "1", "--feed", "popular"] + options + source)
                #expect(outcome.lines == ["1_Photo 1.jpg"], "\(outcome.all)")
                #expect(details(server) == asked)
            }
        }
    }

    @Test func `an address that was asked for just now is not asked for again`() async throws {
        let pixels = PixelServer(
            listsFullSizes: false, fault: { $0.path == "/full/1" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            #expect(try await gallery.run(["fetch", "1"]).status == 66)
            #expect(details(server) == 1)
        }
    }

    @Test func `forty photos of 500px cost a list and forty files, and again nothing`() async throws {
        try await withGallery(PixelServer(count: 40)) { gallery, server, source in
            let first = try await gallery.run(["fetch", "1-40"] + source)
            #expect(first.status == 0 && server.requests.count == 41, "\(first.errors)")
            try FileManager.default.removeItem(at: gallery.home.appending(path: ".cache"))
            let again = try await gallery.run(["fetch", "1-40"] + source)
            #expect(again.errors.hasPrefix("0 fetched, 40 kept"), "\(again.errors)")
            #expect(server.requests.count == 42)
        }
    }

    /// 500px with image addresses that are good for one epoch; its details always give one of the latest.
    private func expiring(
        _ epoch: Counter, isRefused: Bool = false, status: Int = 403
    ) -> LocalServer.Handler {
        let pixels = PixelServer(count: 3)
        return { request in
            let root = request.serverURL.absoluteString
            let base = root.hasSuffix("/") ? String(root.dropLast()) : root
            func photo(_ id: Int) -> String {
                """
                {"id":\(id),"name":"Photo \(id)","width":4000,"height":3000,"images":[
                {"size":3,"url":"\(base)/thumb/\(id)"},{"size":2048,"url":"\(base)/full/\(id)?sig=\(epoch.value)"}]}
                """
            }
            let parts = request.path.split(separator: "/").map(String.init)
            switch (parts.first, parts.count) {
            case ("v1", 2):
                let photos = (1...3).map(photo).joined(separator: ",")
                return .json(#"{"current_page":1,"total_pages":1,"total_items":3,"photos":[\#(photos)]}"#)
            case ("v1", 3): return .json("{\"photo\":\(photo(Int(parts[2]) ?? 0)),\"comments\":[]}")
            case ("full", 2) where isRefused || request.query("sig") != "\(epoch.value)":
                return .status(status)
            default: return pixels.reply(to: request)
            }
        }
    }

    @Test(arguments: [["fetch", "1-3"], ["fetch", "1", "2", "3"]])
    func `addresses that have expired are renewed, once each`(line: [String]) async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            // The list, and for each photo the old address, its details, and the new address.
            #expect(server.requests.count == 10)
            _ = try await gallery.run(line)
            #expect(server.requests.count == 10)
        }
    }

    @Test(arguments: [401, 403, 404, 410])
    func `addresses from marks are renewed, whatever the host says of them`(status: Int) async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch, status: status)) {
            gallery, server, source in
            _ = try await gallery.run(["mark", "1-3", "--feed", "popular"] + source)
            epoch.increment()
            let asked = server.requests.count
            // Marks do not say where a service is.
            let outcome = try await gallery.run(["fetch", "1-3", "--feed", "marked"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            #expect(server.requests.count == asked + 9)
        }
    }

    @Test func `addresses from a list in the cache are renewed`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            try FileManager.default.removeItem(at: gallery.home.appending(path: ".local"))
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "1-3", "--feed", "popular"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            #expect(server.requests.count { $0.path == "/v1/photos" } == 1)
            #expect(server.requests.count == 10)
        }
    }

    @Test(arguments: ["500", "none"])
    func `an address that cannot be renewed fails as its host answered`(details: String) async throws {
        let epoch = Counter()
        let answer = expiring(epoch)
        let broken: LocalServer.Handler = { request in
            request.path == "/v1/photos/1" ? .status(details == "500" ? 500 : 404) : answer(request)
        }
        try await withGallery(of: "500px", at: "v1", broken) { gallery, _, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "1", "--retries", "0"])
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("'127.0.0.1' answered with status 403."), "\(outcome.errors)")
        }
    }

    @Test func `an expired address from standard input is renewed`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch)) { gallery, server, source in
            let list = try await gallery.run(["popular", "--format", "jsonl"] + source)
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "-"] + source, input: list.outputData)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
        }
    }

    @Test func `a host that refuses the new address too has failed`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch, isRefused: true)) {
            gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "1"])
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(server.requests.map(\.path) == ["/v1/photos", "/full/1", "/v1/photos/1", "/full/1"])
        }
    }

    @Test func `an address that was requested just now is not renewed`() async throws {
        let pixels = PixelServer(count: 3, fault: { $0.path == "/full/1" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1", "--feed", "popular"] + source)
            #expect(outcome.status == 66, "\(outcome.all)")
            #expect(server.requests.map(\.path) == ["/v1/photos", "/full/1"])
        }
    }

    @Test func `refreshing renews the addresses of photos that were shown`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "1", "--refresh"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(server.requests.map(\.path) == ["/v1/photos", "/v1/photos/1", "/full/1"])
        }
    }

    @Test func `photos that the folder has cost no details, even with an empty cache`() async throws {
        var pixels = PixelServer(count: 40)
        pixels.listsFullSizes = false
        try await withGallery(pixels) { gallery, server, source in
            let first = try await gallery.run(["fetch", "1-40"] + source)
            // A list, two batches of details, and the files.
            #expect(first.status == 0 && server.requests.count == 43, "\(first.errors)")
            try FileManager.default.removeItem(at: gallery.home.appending(path: ".cache"))
            let again = try await gallery.run(["fetch", "1-40"] + source)
            #expect(again.errors.hasPrefix("0 fetched, 40 kept"), "\(again.errors)")
            #expect(server.requests.count == 44)
        }
    }

    @Test func `a damaged file whose details were skipped is downloaded all the same`() async throws {
        var pixels = PixelServer(count: 2)
        pixels.listsFullSizes = false
        try await withGallery(pixels) { gallery, server, source in
            _ = try await gallery.run(["fetch", "1-2"] + source)
            let file = gallery.folder.appending(path: "1_Photo 1.jpg")
            // As long as before, and without its end.
            try Data(count: PixelServer.picture(1).count).write(to: file)
            let again = try await gallery.run(["fetch", "1-2"] + source)
            #expect(again.status == 0, "\(again.all)")
            #expect(again.errors.hasPrefix("1 fetched, 1 kept"), "\(again.errors)")
            #expect(try Data(contentsOf: file) == PixelServer.picture(1))
        }
    }

    @Test func `pictures compared for a list are not transferred again to be fetched`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            _ = try await gallery.run(["popular", "--unique"] + source)
            #expect(server.requests.count == 1 + 3)
            let outcome = try await gallery.run(["fetch", "1-3"])
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            #expect(server.requests.count == 1 + 3)
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program's second stage: nothing known is requested, and image addresses that have expired are renewed.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct StageTwoEndToEndTests {
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

    /// 500px with image addresses that are good for one epoch; its details always give one of the latest.
    private func expiring(
        _ epoch: Counter, status: Int = 403
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
            case ("full", 2) where request.query("sig") != "\(epoch.value)":
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

    @Test func `addresses from marks are renewed, whatever the host says of them`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch, status: 410)) {
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

    @Test func `an address that cannot be renewed fails as its host answered`() async throws {
        let epoch = Counter()
        let answer = expiring(epoch)
        let broken: LocalServer.Handler = { request in
            request.path == "/v1/photos/1" ? .status(500) : answer(request)
        }
        try await withGallery(of: "500px", at: "v1", broken) { gallery, _, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            let outcome = try await gallery.run(["fetch", "1", "--retries", "0"], expecting: 69)
            #expect(outcome.errors.contains("'127.0.0.1' answered with status 403."), "\(outcome.errors)")
        }
    }

    @Test func `an address that was requested just now is not renewed`() async throws {
        let pixels = PixelServer(count: 3, fault: { $0.path == "/full/1" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, server, source in
            try await gallery.run(["fetch", "1", "--feed", "popular"] + source, expecting: 66)
            #expect(server.requests.map(\.path) == ["/v1/photos", "/full/1"])
        }
    }

    @Test func `refreshing renews the addresses of photos that were shown`() async throws {
        let epoch = Counter()
        try await withGallery(of: "500px", at: "v1", expiring(epoch)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            epoch.increment()
            try await gallery.runWell(["fetch", "1", "--refresh"])
            #expect(server.requests.map(\.path) == ["/v1/photos", "/v1/photos/1", "/full/1"])
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
            let again = try await gallery.runWell(["fetch", "1-2"] + source)
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

import Foundation
import GalleryTestSupport
import Synchronization
import Testing

/// The built program and hosts whose pictures have their length but not their format's end.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct IncompleteEndToEndTests {
    /// What the host has of photos 1 to 4, what is missing, and the extension it gets.
    private static let broken: [(bytes: Data, missing: String, ending: String)] = {
        return [
            (PixelServer.picture(1).dropLast(2), "its end marker is missing", "jpg"),
            (Pictures.png(width: 40, height: 30).dropLast(12), "its last chunk, IEND, is missing", "png"),
            (Pictures.gif(width: 5, height: 6).dropLast(), "its trailer is missing", "gif"),
            (webp.dropLast(), "it has \(webp.count - 1) of \(webp.count) bytes", "webp"),
        ]
    }()

    private static let webp = Pictures.webp(width: 7, height: 8)

    private static let server = PixelServer(fault: { request in
        let parts = request.path.split(separator: "/")
        guard parts.first == "full", let id = parts.last.flatMap({ Int($0) }), id <= 4 else { return nil }
        return .file(broken[id - 1].bytes, tag: "\"v1\"")
    })

    private func fulls(_ server: LocalServer) -> Int {
        server.requests.filter { $0.path.hasPrefix("/full/") }.count
    }

    @Test
    func `what a host has broken is transferred twice, then asked about, and kept where that is wanted`()
        async throws
    {
        try await withGallery(Self.server) { gallery, server, source in
            for (run, requests) in [(1, 4), (2, 8), (3, 12), (4, 16)] {
                let outcome = try await gallery.run(["fetch", "1-4"] + source, expecting: 65)
                #expect(fulls(server) == requests, "run \(run)")
                for (_, missing, _) in Self.broken {
                    #expect(outcome.errors.contains("sent a broken picture: \(missing)."), "\(outcome.all)")
                }
                #expect(outcome.errors.contains("Help: Add '--accept-incomplete' to keep"), "\(outcome.all)")
            }
            let names = (1...4).map { "\($0)_Photo \($0).\(Self.broken[$0 - 1].ending)" }
            let accepted = try await gallery.runWell(["fetch", "1-4", "--accept-incomplete"] + source)
            #expect(accepted.lines == names)
            #expect(fulls(server) == 20)
            for (name, (bytes, missing, _)) in zip(names, Self.broken) {
                #expect(try gallery.data(name) == bytes)
                #expect(
                    accepted.errors.contains("the picture is incomplete, as is the host's copy: \(missing)."),
                    "\(accepted.all)")
            }
            let again = try await gallery.run(["fetch", "1-4"] + source)
            #expect(again.errors.hasPrefix("0 fetched, 4 kept"), "\(again.all)")
            #expect(fulls(server) == 20)
            let dry = try await gallery.run(["fetch", "1-4", "--dry-run"] + source)
            #expect(dry.lines.count == 4 && dry.lines.allSatisfy { $0.hasSuffix("\tkept") }, "\(dry.all)")
            let verified = try await gallery.runWell(["verify"])
            #expect(verified.errors == "4 incomplete\n", "\(verified.all)")
            #expect(
                verified.lines.contains(
                    "\(names[0]): it is incomplete, as is the host's copy: its end marker is missing"))
            // Cut further, it is broken.
            let file = gallery.folder.appending(path: names[0])
            try Data(contentsOf: file).dropLast().write(to: file)
            let cut = try await gallery.run(["verify"])
            #expect(cut.errors == "1 broken, 3 incomplete\n", "\(cut.all)")
        }
    }

    /// Some encoders count eight bytes more, or one.
    @Test func `a WebP whose chunks are whole is taken, whatever its RIFF length says`() async throws {
        let webp = Self.webp
        let longer = UInt32(webp.count)
        let bytes = webp.prefix(4) + withUnsafeBytes(of: longer.littleEndian) { Data($0) } + webp.dropFirst(8)
        let server = PixelServer(fault: { $0.path == "/full/1" ? .file(bytes, tag: "\"v1\"") : nil })
        try await withGallery(server) { gallery, server, source in
            let outcome = try await gallery.runWell(["fetch", "1"] + source)
            #expect(outcome.lines == ["1_Photo 1.webp"])
            #expect(try gallery.data("1_Photo 1.webp") == bytes)
            #expect(try await gallery.runWell(["fetch", "1"] + source).errors.hasPrefix("0 fetched, 1 kept"))
            #expect(try await gallery.runWell(["verify"]).errors == "1 incomplete\n")
        }
    }

    @Test func `other bytes each time are tried each time`() async throws {
        let count = Mutex(0)
        let pixels = PixelServer(fault: { request in
            guard request.path == "/full/1" else { return nil }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .file(Pictures.jpeg(bytes: 9_000, seed: UInt64(number)).dropLast(2), tag: "\"\(number)\"")
        })
        try await withGallery(pixels) { gallery, server, source in
            for run in 1...4 {
                try await gallery.run(["fetch", "1"] + source, expecting: 65)
                #expect(fulls(server) == run)
            }
        }
    }

    @Test func `a cut second picture behind a whole one is a warning`() async throws {
        let picture = PixelServer.picture(1) + Pictures.jpeg(width: 16, height: 16).dropLast(9)
        let pixels = PixelServer(fault: { request in
            request.path == "/full/1" ? .file(picture, tag: "\"v1\"") : nil
        })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.runWell(["fetch", "1-2"] + source)
            #expect(
                outcome.errors.contains("Warning:")
                    && outcome.errors.contains("a second picture in it is cut off."),
                "\(outcome.all)")
            #expect(outcome.errors.components(separatedBy: "Warning:").count == 2)
            #expect(try await gallery.run(["verify"]).errors == "2 whole\n")
        }
    }
}

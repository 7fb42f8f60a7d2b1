import Foundation
import GalleryTestSupport
import Testing

/// The built program and `--unique`, against a server that has the same bytes under several ids.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(3))) struct UniqueEndToEndTests {
    /// A server whose photos have the pictures of others, or their own.
    static func pixels(
        _ count: Int, _ original: @escaping @Sendable (Int) -> Int,
        change: @escaping @Sendable (Int, LocalReply) -> LocalReply = { $1 }
    ) -> PixelServer {
        PixelServer(
            count: count,
            fault: { request in
                guard request.path.hasPrefix("/full/"), let id = Int(request.path.dropFirst(6)) else {
                    return nil
                }
                return change(id, .file(PixelServer.picture(original(id)), tag: "\"\(id)\""))
            })
    }

    /// Everything in the program's folder but the record.
    private func names(_ gallery: BuiltProduct) throws -> [String] {
        try gallery.names().filter { $0 != ".gallery.jsonl" }
    }

    static func images(_ server: LocalServer) -> Int {
        server.requests.count { $0.path.hasPrefix("/full/") }
    }

    @Test func `the earliest stays though it comes last, and the next run asks for no image`() async throws {
        let gates = (0...6).map { _ in Gate() }
        let pixels = Self.pixels(6, { $0 % 3 }, change: { $1.delayed(until: gates[$0]) })
        try await withGallery(pixels) { gallery, server, source in
            let line = ["fetch", "1-6", "--unique", "-j", "6"] + source
            let run = try gallery.start(line)
            for id in (1...6).reversed() {
                gates[id].open()
                let part = gallery.folder.appending(path: "\(id)_Photo \(id).part")
                if id > 1 { try await waitForFile(part, bytes: PixelServer.picture(id % 3).count) }
            }
            let kept = ["1_Photo 1.jpg", "2_Photo 2.jpg", "3_Photo 3.jpg"]
            let first = try await run.outcome()
            #expect(first.status == 0, "\(first.all)")
            #expect(first.lines == kept)
            #expect(
                first.errors.hasPrefix("Left out 3 photos: 3 by --unique.\n3 fetched, 0 kept, 0 failed, "),
                "\(first.errors)")
            #expect(try names(gallery) == kept)
            #expect(Self.images(server) == 6)

            let again = try await gallery.run(line)
            #expect(again.lines == kept)
            #expect(
                again.errors.hasPrefix("Left out 3 photos: 3 by --unique.\n0 fetched, 3 kept, 0 failed, 0 B"),
                "\(again.errors)")
            #expect(Self.images(server) == 6)
            let verified = try await gallery.run(["verify"])
            #expect(verified.all == "status(0)\n\n3 whole\n")
        }
    }

    @Test func `what is left out has no line, no file and no metadata`() async throws {
        try await withGallery(Self.pixels(4, { $0 == 4 ? 1 : $0 })) { gallery, _, source in
            let outcome = try await gallery.run(
                ["fetch", "2-", "--unique", "--metadata", "--format", "jsonl"] + source)
            #expect(outcome.lines.count == 3)
            let first = try await gallery.run(
                ["fetch", "1-", "--unique", "--metadata", "--format", "jsonl"] + source)
            #expect(first.lines.count == 3)
            #expect(first.lines.allSatisfy { $0.contains(#""status":"kept""#) }, "\(first.all)")
            #expect(first.errors.hasPrefix("Left out 1 photo: 1 by --unique.\n"))
            #expect(
                try names(gallery)
                    == [2, 3, 4].flatMap { ["\($0)_Photo \($0).jpg", "\($0)_Photo \($0).json"] })
        }
    }

    @Test func `other filters and copies are counted in one line`() async throws {
        let pixels = Self.pixels(5, { min($0, 3) })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(
                ["fetch", "1-5", "--unique", "--author", "nobody"] + source)
            #expect(outcome.errors.contains("Left out 5 photos: 5 by --author.\n"), "\(outcome.errors)")
            let both = try await gallery.run(["fetch", "1-5", "--unique", "--author", "ansel"] + source)
            #expect(both.errors.contains("Left out 2 photos: 2 by --unique.\n"), "\(both.errors)")
        }
    }

    @Test func `a limit is reached with photos that are no copies, and no list page more`() async throws {
        // 1 to 25 have the bytes of 1: the third that passes is on the second page.
        try await withGallery(Self.pixels(200, { max($0, 25) })) { gallery, server, source in
            for line in [["fetch", "1-200"], ["fetch", "1-", "-d", "open"]] {
                let lists = server.requests.count { $0.path == "/v1/photos" }
                let outcome = try await gallery.runWell(
                    line + ["--unique", "--limit", "3", "--refresh"] + source)
                #expect(
                    outcome.lines.map { $0.split(separator: "/").last } == [
                        "1_Photo 1.jpg", "26_Photo 26.jpg", "27_Photo 27.jpg",
                    ])
                #expect(outcome.errors.contains("Left out 24 photos: 24 by --unique.\n"), "\(outcome.errors)")
                let asked = server.requests.count { $0.path == "/v1/photos" } - lists
                #expect(asked == 2)
            }
            #expect(Self.images(server) == 54)
        }
    }

    @Test func `photos named by themselves are taken, those of ranges and lines are not`() async throws {
        try await withGallery(Self.pixels(6, { _ in 1 })) { gallery, _, source in
            let named = try await gallery.run(["fetch", "2", "4", "1-6", "--unique"] + source)
            #expect(named.lines == ["2_Photo 2.jpg", "4_Photo 4.jpg"], "\(named.all)")
            let list = try await gallery.run(["popular", "--format", "jsonl"] + source)
            let piped = try await gallery.run(
                ["fetch", "-", "--unique", "-d", "piped"] + source, input: list.outputData)
            #expect(piped.lines == ["piped/1_Photo 1.jpg"], "\(piped.all)")
        }
    }

    @Test func `a dry run says that it cannot tell`() async throws {
        try await withGallery(Self.pixels(3, { _ in 1 })) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-3", "--unique", "--dry-run"] + source)
            #expect(outcome.lines.count == 3)
            #expect(
                outcome.errors == "'--dry-run' downloads nothing, so '--unique' has no effect.\n")
            #expect(Self.images(server) == 0)
        }
    }
}

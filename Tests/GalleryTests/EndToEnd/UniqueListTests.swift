import Foundation
import GalleryTestSupport
import Testing

/// The built program and `--unique` of its lists, which brings the files to see which are copies.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct UniqueListTests {
    private func indexes(_ outcome: ProductOutcome) -> [Int] {
        outcome.lines.compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["index"] as? Int
        }
    }

    @Test(arguments: [true, false])
    func `a list has each picture once, under the index it always had`(listsFullSizes: Bool) async throws {
        var pixels = UniqueEndToEndTests.pixels(12, { $0 % 5 })
        pixels.listsFullSizes = listsFullSizes
        try await withGallery(pixels) { gallery, server, source in
            let line = ["popular", "--unique", "--format", "jsonl"] + source
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(indexes(outcome) == [1, 2, 3, 4, 5])
            #expect(outcome.errors == "Left out 7 photos: 7 by --unique.\n")
            #expect(UniqueEndToEndTests.images(server) == 12)
            // The files are in the cache now, and the indexes mean what was shown.
            #expect(try await gallery.run(line).output == outcome.output)
            #expect(UniqueEndToEndTests.images(server) == 12)
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path).isEmpty)
        }
    }

    @Test func `with a limit no file and no page more is asked for than is needed`() async throws {
        // 1 to 25 have the same bytes: with the limit 3 the third is on the second page.
        let pixels = UniqueEndToEndTests.pixels(200, { max($0, 25) })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(
                ["popular", "--unique", "--limit", "3", "--format", "jsonl"] + source)
            #expect(indexes(outcome) == [1, 26, 27], "\(outcome.all)")
            #expect(outcome.errors == "Left out 24 photos: 24 by --unique.\n")
            #expect(server.requests.count { $0.path == "/v1/photos" } == 2)
            #expect(UniqueEndToEndTests.images(server) == 27)
        }
    }

    @Test func `one whose file does not come stays, and is named`() async throws {
        let pixels = UniqueEndToEndTests.pixels(4, { _ in 1 }, change: { $0 == 3 ? .status(404) : $1 })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(
                ["popular", "--range", "1-4", "--unique", "--format", "jsonl"] + source)
            #expect(indexes(outcome) == [1, 3], "\(outcome.all)")
            #expect(
                outcome.errors == """
                    Warning: photo 3 could not be compared. '127.0.0.1' answered with status 404.
                    Left out 2 photos: 2 by --unique.

                    """)
        }
    }
}

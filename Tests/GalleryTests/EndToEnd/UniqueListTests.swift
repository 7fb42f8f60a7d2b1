import Foundation
import GalleryTestSupport
import Testing

/// The built program and `--unique` of its lists, which brings the files to see which are copies.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct UniqueListTests {
    private func indexes(_ outcome: ProductOutcome) throws -> [Int?] {
        try outcome.objects.map { $0["index"] as? Int }
    }

    @Test(arguments: [true, false])
    func `a list has each picture once, under the index it always had`(listsFullSizes: Bool) async throws {
        var pixels = UniqueEndToEndTests.pixels(12, { $0 % 5 })
        pixels.listsFullSizes = listsFullSizes
        try await withGallery(pixels) { gallery, server, source in
            let line = ["popular", "--unique", "--format", "jsonl"] + source
            let outcome = try await gallery.runWell(line)
            #expect(try indexes(outcome) == [1, 2, 3, 4, 5])
            #expect(outcome.errors == "Left out 7 photos: 7 by --unique.\n")
            #expect(UniqueEndToEndTests.images(server) == 12)
            // The files are in the cache now, and the indexes mean what was shown.
            #expect(try await gallery.run(line).output == outcome.output)
            #expect(UniqueEndToEndTests.images(server) == 12)
            #expect(try gallery.names().isEmpty)
        }
    }

    @Test func `one whose file does not come stays, and is named`() async throws {
        let pixels = UniqueEndToEndTests.pixels(4, { _ in 1 }, change: { $0 == 3 ? .status(404) : $1 })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(
                ["popular", "--range", "1-4", "--unique", "--format", "jsonl"] + source)
            #expect(try indexes(outcome) == [1, 3], "\(outcome.all)")
            #expect(
                outcome.errors == """
                    Warning: photo 3 could not be compared. '127.0.0.1' answered with status 404.
                    Left out 2 photos: 2 by --unique.

                    """)
        }
    }

    @Test func `the files of a folder are compared where they are, and read once`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            func write(_ name: String, seed: UInt64, minute: Double) throws {
                let file = folder.appending(path: name)
                try Pictures.jpeg(bytes: 20_000, seed: seed).write(to: file)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - minute * 60)],
                    ofItemAtPath: file.path)
            }
            func shown() async throws -> [Int?] {
                let line = ["popular", "--unique", "--folder", "p", "--format", "jsonl"]
                let outcome = try await gallery.runWell(line)
                return try indexes(outcome)
            }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write("a.jpg", seed: 1, minute: 0)
            try write("b.jpg", seed: 1, minute: 1)
            try write("c.jpg", seed: 2, minute: 2)
            #expect(try await shown() == [1, 3])
            let cache = gallery.home.appending(path: ".cache/gallery/browse")
            #expect((try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? [] == [])
            // A file of the same length and date is not read again.
            try write("c.jpg", seed: 1, minute: 2)
            #expect(try await shown() == [1, 3])
            try write("c.jpg", seed: 1, minute: 3)
            #expect(try await shown() == [1])
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// Files that are read whole, and are longer than anybody's: each is named, and none is read to its end.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(1))) struct LongFileTests {
    /// A file below the home, how long it may be in MiB, a line that reads it, and how that ends.
    typealias Case = (path: String, limit: Int, line: [String], status: Int32)

    @Test(arguments: [
        (".config/gallery/config.json", 4, ["popular"], 78),
        (".config/gallery/config.json", 4, ["config", "set", "jobs", "3"], 78),
        (".config/gallery/sources/sea.json", 4, ["popular"], 78),
        ("sea.json", 4, ["services", "--try", "~/sea.json"], 66),
    ])
    func `one that is too long is named`(test: Case) async throws { try await expectNamed(test) }

    /// Reading so far takes seconds.
    @Test(
        .thorough,
        arguments: [
            ("photos/.gallery.jsonl", 64, ["fetch", "1", "--new", "-d", "~/photos"], 74),
            (".local/state/gallery/marks.jsonl", 256, ["marked"], 74),
            (".local/state/gallery/ratings.jsonl", 256, ["popular", "--rating", "3"], 74),
            // Ratings that are only shown.
            (".local/state/gallery/ratings.jsonl", 256, ["popular"], 0),
        ])
    func `one that is far too long is named, too`(test: Case) async throws { try await expectNamed(test) }

    private func expectNamed(_ test: Case) async throws {
        try await withBuiltProduct("gallery") { gallery in
            // Of zeros, which take no room on the disk.
            let file = try gallery.write("", to: "~/\(test.path)")
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(test.limit << 20) + 1)
            let outcome = try await gallery.run(test.line, expecting: test.status)
            #expect(outcome.errors.contains("is longer than \(test.limit) MiB"), "\(outcome.errors)")
            #expect(outcome.errors.contains(file.lastPathComponent), "\(outcome.errors)")
        }
    }
}

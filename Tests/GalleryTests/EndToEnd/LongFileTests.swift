import Foundation
import GalleryTestSupport
import Testing

/// Files that are read whole, and are longer than anybody's: each is named, and none is read to its end.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct LongFileTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// In the user's home.
        let path: String
        /// In MiB.
        let limit: Int
        let arguments: [String]
        let status: Int32
    }

    @Test(arguments: [
        Case(
            testDescription: "settings", path: ".config/gallery/config.json", limit: 4,
            arguments: ["popular"],
            status: 78),
        Case(
            testDescription: "settings that are changed", path: ".config/gallery/config.json", limit: 4,
            arguments: ["config", "set", "jobs", "3"], status: 78),
        Case(
            testDescription: "a definition", path: ".config/gallery/sources/sea.json", limit: 4,
            arguments: ["popular"], status: 78),
        Case(
            testDescription: "a definition on trial", path: "sea.json", limit: 4,
            arguments: ["services", "--try", "~/sea.json"], status: 66),
        Case(
            testDescription: "marks", path: ".local/state/gallery/marks.jsonl", limit: 256,
            arguments: ["marked"],
            status: 74),
        Case(
            testDescription: "ratings that are shown", path: ".local/state/gallery/ratings.jsonl", limit: 256,
            arguments: ["popular"], status: 0),
        Case(
            testDescription: "ratings that choose", path: ".local/state/gallery/ratings.jsonl", limit: 256,
            arguments: ["popular", "--rating", "3"], status: 74),
        Case(
            testDescription: "a manifest", path: "photos/.gallery.jsonl", limit: 64,
            arguments: ["fetch", "1", "--new", "-d", "~/photos"], status: 74),
    ])
    func `one that is too long is named`(test: Case) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let file = gallery.home.appending(path: test.path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Of zeros, which take no room on the disk.
            try Data().write(to: file)
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(test.limit << 20) + 1)
            let outcome = try await gallery.run(test.arguments)
            #expect(outcome.status == test.status, "\(outcome.all)")
            #expect(outcome.errors.contains("is longer than \(test.limit) MiB"), "\(outcome.errors)")
            #expect(outcome.errors.contains(file.lastPathComponent), "\(outcome.errors)")
        }
    }
}

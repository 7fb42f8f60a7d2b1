import Foundation
import GalleryTestSupport
import Testing

/// The feed `marked`: the photos that are marked on this machine, read from a file that may be damaged.
@Suite(.timeLimit(.minutes(2))) struct MarksEndToEndTests {
    @Test(arguments: [
        (["show", "1-2"], []), (["show", "1", "2-"], []),
        (["fetch", "1-"], ["3 fetched, 0 kept, 0 failed, "]),
        (["fetch", "1-", "--limit", "3"], ["3 fetched, 0 kept, 0 failed, "]),
        (["unmark", "1-2"], ["2 unmarked"]),
    ])
    func `a damaged line of the marks is told once`(arguments: [String], rest: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            #expect(try await gallery.run(["mark", "1-3"]).errors == "3 marked\n")
            let file = gallery.home.appending(path: ".local/state/gallery/marks.jsonl")
            let marks = try Data(contentsOf: file)
            try (Data("damaged\n".utf8) + marks).write(to: file)
            let outcome = try await gallery.run(arguments + ["--feed", "marked"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let lines = outcome.errors.split(separator: "\n").map(String.init)
            #expect(
                lines.first == "Warning: Line 1 of '\(file.path)' cannot be read and is left alone.")
            #expect(lines.count == 1 + rest.count, "\(outcome.errors)")
            #expect(zip(lines.dropFirst(), rest).allSatisfy { $0.hasPrefix($1) }, "\(outcome.errors)")
        }
    }

    @Test(arguments: [["mark", "1"], ["unmark", "1"], ["show", "1", "--feed", "marked"]])
    func `marks that cannot be read or written are status 74`(arguments: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let file = gallery.home.appending(path: ".local/state/gallery/marks.jsonl")
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            let outcome = try await gallery.run(arguments)
            #expect(outcome.status == 74, "\(outcome.all)")
            #expect(
                outcome.errors.hasPrefix("Error: '\(file.path)' could not be read.\n"), "\(outcome.errors)")
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The feed `marked`: the photos that are marked on this machine, read from a file that may be damaged.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct MarksEndToEndTests {
    @Test func `marked photos are a list like any other`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            #expect(try await gallery.run(["marked"]).errors == "No photos.\n")
            _ = try await gallery.run(["popular"])
            _ = try await gallery.run(["mark", "3", "1", "2"])
            let list = try await gallery.run(["marked", "--format", "csv"])
            #expect(
                list.lines.dropFirst().map { String($0.prefix(13)) } == [
                    "1,sample,1003", "2,sample,1001", "3,sample,1002",
                ])
            let table = try await gallery.run(["marked", "--orientation", "landscape", "--limit", "1"])
            #expect(table.lines.count == 2, "\(table.all)")
            // Indexes mean what was listed last.
            #expect(
                try await gallery.run(["show", "1", "--format", "jsonl"]).output.contains(#""id":"1003""#))
            #expect(try await gallery.run(["fetch", "1-3"]).lines.count == 3)
            let page = try await gallery.run([
                "marked", "--page", "2", "--per-page", "2", "--format", "jsonl",
            ])
            #expect(page.lines.count == 1 && page.output.hasPrefix(#"{"index":3,"#), "\(page.all)")
        }
    }

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
                lines.first == "Warning: Line 1 of '\(file.path)' cannot be read; it is ignored.")
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

import Foundation
import GalleryTestSupport
import Testing

/// The feed `marked`: the photos that are marked on this machine, read from a file that may be damaged.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct MarksEndToEndTests {
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
            let outcome = try await gallery.runWell(arguments + ["--feed", "marked"])
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
            let file = try gallery.makeFolder("~/.local/state/gallery/marks.jsonl")
            let outcome = try await gallery.run(arguments, expecting: 74)
            #expect(
                outcome.errors.hasPrefix("Error: '\(file.path)' could not be read: Is a directory.\n"),
                "\(outcome.errors)")
        }
    }

    @Test func `a named list is made, listed, fetched, and goes with its last photo`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            _ = try await gallery.run(["popular"])
            #expect(try await gallery.run(["marked", "--lists"]).errors == "No lists.\n")
            #expect(try await gallery.run(["mark", "3", "1", "--list", "trip"]).errors == "2 marked\n")
            #expect(
                try await gallery.run(["mark", "1-2", "--query", "cat", "--list", "best of 2026"]).status == 0
            )
            #expect(try await gallery.run(["marked", "--lists"]).lines == ["best of 2026", "trip"])
            #expect(try await gallery.run(["marked"]).errors == "No photos.\n")
            let fetched = try await gallery.run(["fetch", "1-", "--feed", "marked", "--list", "trip"])
            #expect(fetched.lines.count == 2, "\(fetched.all)")
            // Without a feed, the name alone says which.
            #expect(
                try await gallery.run(["show", "2", "--list", "trip"]).lines.first == "2  Eileen Collins")
            // Not the photo of the list shown last, nor that of another that is named.
            #expect(
                try await gallery.run(["unmark", "1", "--feed", "popular", "--list", "trip"]).errors
                    == "1 unmarked\n")
            #expect(
                try await gallery.run(["mark", "5", "-s", "sample", "--list", "trip"]).errors
                    == "1 marked\n")
            #expect(try await gallery.run(["unmark", "1", "--list", "trip"]).errors == "1 unmarked\n")
            #expect(
                try await gallery.run(["show", "1", "--list", "trip"]).lines.first == "1  Falcon 9 Launch")
            let last = try await gallery.run(["unmark", "1-", "--list", "trip"])
            #expect(last.errors == "1 unmarked\n")
            #expect(try await gallery.run(["marked", "--lists"]).lines == ["best of 2026"])
            let gone = try await gallery.run(["marked", "--list", "trip"], expecting: 66)
            #expect(gone.errors == "Error: There is no list 'trip'.\nHelp: Lists: best of 2026.\n")
        }
    }

    @Test func `a list is exported and imported without loss, whatever the services`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let photos = [
                #"{"service":"club","id":"7","title":"Sea","category":"Nature","license":"CC BY 2.0","credit":"Ann, by courtesy","tags":["a;b"],"taken":"2011-11-05T15:54:37"}"#,
                #"{"service":"flickr","id":"8","title":"A \u001b[31m \"title\"","author":{"id":"1","name":"Bob","username":null},"files":3,"rating":97.4}"#,
            ]
            let first = try await gallery.run(
                ["mark", "-", "--list", "a"], input: Data(photos.joined(separator: "\n").utf8))
            #expect(first.errors == "2 marked\n" && first.status == 0)
            let export = try await gallery.run(["marked", "--list", "a", "--format", "jsonl"])
            #expect(export.lines.count == 2 && export.output.contains(#""category":"Nature""#))
            #expect(export.output.contains(#""credit":"Ann, by courtesy""#))
            let second = try await gallery.run(["mark", "-", "--list", "b"], input: export.outputData)
            #expect(second.errors == "2 marked\n")
            let lists = gallery.home.appending(path: ".local/state/gallery/marks")
            #expect(
                try Data(contentsOf: lists.appending(path: "a.jsonl"))
                    == Data(contentsOf: lists.appending(path: "b.jsonl")))
            let again = try await gallery.run(["marked", "--list", "b", "--format", "jsonl"])
            #expect(again.output == export.output)
        }
    }

    @Test(arguments: [
        (["marked", "--list", "../x"], "a list's name is a file's"),
        (["mark", "1", "--list", ""], "a list's name is a file's"),
        (["show", "1", "--list", "trip", "--query", "x"], "'--list' goes with '--feed marked' only."),
        (["marked", "--list", "a", "--lists"], "'--list' and '--lists' cannot be used together."),
    ])
    func `what names no list is a usage error`(words: [String], message: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(words)
            #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.all)")
        }
    }
}

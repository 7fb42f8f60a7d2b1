import Foundation
import GalleryTestSupport
import Testing

/// Command lines that contradict themselves, and what they are told.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct ContradictionTests {
    @Test(arguments: [
        (["show", "1", "--feed", "popular", "--query", "x"], "'--query' goes with '--feed search'"),
        (["show", "1", "--query", "x", "--user", "y"], "'--query' and '--user' name different feeds."),
        (["show", "1", "--feed", "search", "--query", "x", "--user", "y"], "'--query' and '--user' name"),
        (["show", "1", "--feed", "marked", "--user", "y"], "'--user' goes with '--feed user' or"),
        (["show", "1", "--query", "x", "--ranking", "y"], "'--ranking' goes with '--feed popular' only."),
        (["show", "1", "--feed", "user", "--user", "x", "--date", "2020-01-01"], "'--date' goes with"),
        (["popular", "--author", "a", "--author", "b"], "'--author' can be given once"),
    ])
    func `a contradiction is a usage error that says what to do`(line: [String], message: String) throws {
        let refusal = try #require(Refusal(of: line))
        #expect(refusal.status == 64 && refusal.message.contains(message), "\(refusal)")
    }

    @Test(arguments: [
        (
            ["popular", "--base-url", "http://127.0.0.1:1/v1"],
            "'--base-url' cannot be used with the service 'sample'."
        ),
        (
            [
                "show", "https://www.pixiv.net/artworks/1", "-s", "500px", "--base-url",
                "http://127.0.0.1:1/v1",
            ],
            "which is a page of pixiv."
        ),
    ])
    func `an address of another service is a usage error`(line: [String], message: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.all)")
        }
    }

    @Test(arguments: [("3", [3]), ("3-4", [3, 4]), ("11-", [11, 12])])
    func `a range is written as in selections`(range: String, indexes: [Int]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.runWell(["popular", "--range", range, "--format", "jsonl"])
            #expect(outcome.lines.map { $0.prefix { $0 != "," } } == indexes.map { "{\"index\":\($0)" })
        }
    }

    @Test func `an empty search names its text`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["search", "zebra crossing"])
            #expect(outcome.errors == "No photos match 'zebra crossing'.\n", "\(outcome.all)")
        }
    }
}

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
            let outcome = try await gallery.run(["popular", "--range", range, "--format", "jsonl"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.lines.map { $0.prefix { $0 != "," } } == indexes.map { "{\"index\":\($0)" })
        }
    }

    @Test func `an empty search names its text`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["search", "zebra crossing"])
            #expect(outcome.errors == "No photos match 'zebra crossing'.\n", "\(outcome.all)")
        }
    }

    @Test func `the configuration names base URLs and the folder to list`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, _ in
            let folder = gallery.home.appending(path: ".config/gallery")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let pictures = gallery.home.appending(path: "pictures")
            try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
            try Pictures.jpeg(bytes: 2000, seed: 1).write(to: pictures.appending(path: "one.jpg"))
            let settings = """
                {"folder": "~/pictures", "baseURLs": {"500px": "\(server.url("v1").absoluteString)"}}
                """
            try Data(settings.utf8).write(to: folder.appending(path: "config.json"))
            let list = try await gallery.run(["popular", "-s", "500px", "--format", "url"])
            #expect(list.status == 0 && list.lines.count == 3, "\(list.all)")
            let own = try await gallery.run(["popular", "-s", "folder", "--format", "jsonl"])
            #expect(own.status == 0 && own.output.contains("\"title\":\"one\""), "\(own.all)")
        }
    }

    @Test(arguments: [
        (#"{"baseURLs": {"sample": "http://a.example"}}"#, "'baseURLs.sample' names no service with an API"),
        (#"{"baseURLs": {"500px": "ftp://a.example"}}"#, "'baseURLs.500px' is not an 'http://' or"),
        (#"{"baseURLs": 3}"#, "'baseURLs' is not an object of strings"),
        (#"{"folder": 3}"#, "'folder' is not"),
    ])
    func `a setting that cannot be used is named`(settings: String, message: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let folder = gallery.home.appending(path: ".config/gallery")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(settings.utf8).write(to: folder.appending(path: "config.json"))
            let outcome = try await gallery.run(["popular"])
            #expect(outcome.status == 78 && outcome.errors.contains(message), "\(outcome.all)")
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and lists of several services at once.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct SeveralEndToEndTests {
    private let source = ["-s", "commons,openverse,picsum"]

    private func withSeveral(
        _ several: SeveralServer = SeveralServer(),
        _ body: (_ gallery: BuiltProduct, _ server: LocalServer) async throws -> Void
    ) async throws {
        try await withLocalServer({ several.reply(to: $0) }) { server in
            try await withBuiltProduct("gallery") { gallery in
                let folder = gallery.home.appending(path: ".config/gallery")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let bases = SeveralServer.bases(server).mapValues(\.absoluteString)
                try JSONEncoder().encode(["baseURLs": bases])
                    .write(to: folder.appending(path: "config.json"))
                try await body(gallery, server)
            }
        }
    }

    /// `7 openverse:o3` for each line.
    private func rows(_ outcome: ProductOutcome) throws -> [String] {
        try outcome.lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return "\(object["index"] ?? "-") \(object["service"] ?? "-"):\(object["id"] ?? "-")"
        }
    }

    private func faulty(_ isFault: @escaping @Sendable (LocalRequest) -> Bool) -> SeveralServer {
        var several = SeveralServer()
        several.fault = { isFault($0) ? .status(500) : nil }
        return several
    }

    @Test func `one list is taken in turns, and its next page goes on`() async throws {
        try await withSeveral { gallery, server in
            let first = try await gallery.run(["popular", "--format", "jsonl", "--per-page", "4"] + source)
            #expect(first.status == 0, "\(first.all)")
            #expect(try rows(first) == ["1 commons:45", "2 openverse:o1", "3 picsum:1", "4 commons:44"])
            let next = try await gallery.run(["popular", "--format", "jsonl", "--range", "5-7"] + source)
            #expect(try rows(next) == ["5 openverse:o2", "6 picsum:2", "7 commons:43"])
            #expect(server.requests.count == 3)
            let all = try await gallery.run(["popular", "--range", "1-", "--format", "jsonl"] + source)
            #expect(all.status == 0 && all.lines.count == 175, "\(all.errors)")
        }
    }

    @Test func `indexes refer to it, and photos keep their own services`() async throws {
        try await withSeveral { gallery, server in
            _ = try await gallery.run(["popular"] + source)
            let fetched = try await gallery.run(["fetch", "1-3", "22"])
            #expect(
                fetched.lines == [
                    "45_Picture 45.jpg", "o1_Open 1.jpg", "1_untitled.jpg", "38_Picture 38.jpg",
                ],
                "\(fetched.all)")
            let manifest = try String(
                contentsOf: gallery.folder.appending(path: ".gallery.jsonl"), encoding: .utf8)
            for service in ["commons", "openverse", "picsum"] {
                #expect(manifest.contains(#""service":"\#(service)""#), "\(manifest)")
            }
            #expect(!manifest.contains("commons,openverse"))
            let kept = try await gallery.run(["fetch", "1-3"] + source)
            #expect(kept.errors.hasPrefix("0 fetched, 3 kept"), "\(kept.all)")
            let new = try await gallery.run(["fetch", "1-6", "--new", "--archive", "had"] + source)
            #expect(new.lines.count == 3, "\(new.all)")
            let shown = try await gallery.run(["show", "2", "--format", "json"])
            #expect(shown.output.contains(#""service":"openverse","id":"o1""#), "\(shown.all)")
            #expect(try await gallery.run(["mark", "1-3"]).errors == "3 marked\n")
            #expect(try await gallery.run(["verify"]).status == 0)
            #expect(server.requests(to: "/v1/images/").count == 1)
        }
    }

    @Test func `filters, limits and pages of the web work on it`() async throws {
        try await withSeveral { gallery, _ in
            let wide = try await gallery.run(
                ["popular", "--min-width", "1000", "--limit", "2", "--format", "jsonl"] + source)
            #expect(try rows(wide) == ["2 openverse:o1", "5 openverse:o2"], "\(wide.all)")
            let site = try await gallery.run(["web", "1-3", "-o", "site", "--size", "thumbnail"] + source)
            #expect(site.status == 0, "\(site.all)")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: gallery.folder.appending(path: "site/thumbs").path)
            for service in ["commons", "openverse", "picsum"] {
                #expect(names.contains { $0.hasPrefix(service + "_") }, "\(names)")
            }
        }
    }

    @Test func `it is browsed, from page to page`() async throws {
        try await withSeveral { gallery, _ in
            let browse = try Browsing(gallery, source)
            try await browse.shows("Picture 45")
            browse.type("n")
            try await browse.shows("Open 1")
            browse.type("g61\r")
            try await browse.shows("Picture 25")
            #expect(try await browse.quit() == 0)
            let again = try await gallery.run(["show", "61", "--format", "json"])
            #expect(again.output.contains(#""service":"commons","id":"25""#), "\(again.all)")
        }
    }

    // MARK: - Faults

    @Test(arguments: [[], ["-q"]])
    func `one that fails is one line and status 1, and the others are listed`(flags: [String]) async throws {
        let several = faulty { $0.path.hasPrefix("/v1/") }
        try await withSeveral(several) { gallery, server in
            let outcome = try await gallery.run(
                ["popular", "--retries", "0", "--format", "jsonl", "--per-page", "3"] + flags + source)
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(try rows(outcome) == ["1 commons:45", "2 picsum:1", "3 commons:44"])
            #expect(outcome.errors == "Error: openverse failed with status 500.\n")
            let fetched = try await gallery.run(["fetch", "1-3", "--retries", "0", "--refresh"] + source)
            #expect(fetched.status == 1 && fetched.lines.count == 3, "\(fetched.all)")
        }
    }

    @Test func `where all fail, the status is the first one's`() async throws {
        var several = SeveralServer()
        several.fault = { $0.path.hasPrefix("/w/") ? .status(403) : .status(500) }
        try await withSeveral(several) { gallery, _ in
            for line in [["popular"], ["fetch", "1-3"], ["fetch", "1-"]] {
                let outcome = try await gallery.run(line + ["--retries", "0"] + source)
                #expect(outcome.status == 77, "\(outcome.all)")
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.contains("commons refused the request: status 403."))
            }
        }
    }

    @Test func `one that lacks the feed is left out with a line, unless all do`() async throws {
        try await withSeveral { gallery, _ in
            let outcome = try await gallery.run(
                ["search", "sea", "-s", "openverse,picsum", "--per-page", "2", "--format", "jsonl"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(try rows(outcome) == ["1 openverse:o1", "2 openverse:o2"])
            #expect(outcome.errors == "Left out: picsum has no feed 'search'.\n")
            let ranking = try await gallery.run(
                ["popular", "--ranking", "list", "--per-page", "1", "--format", "jsonl"] + source)
            #expect(try rows(ranking) == ["1 picsum:1"], "\(ranking.all)")
            let none = try await gallery.run(["favorites", "me"] + source)
            #expect(none.status == 64, "\(none.all)")
            #expect(none.errors.hasPrefix("Error: commons has no feed 'favorites'.\nHelp: Known: "))
        }
    }

    // MARK: - Lines that name no services

    @Test(arguments: [
        ("commons,", "has a comma without a service on both sides."),
        (",commons", "has a comma without a service on both sides."),
        ("commons,,openverse", "has a comma without a service on both sides."),
        (",", "has a comma without a service on both sides."),
        ("commons,commons", "'--service commons,commons' names 'commons' twice."),
        ("commons,opnverse", "There is no service 'opnverse'.\nHelp: Did you mean 'openverse'?"),
        ("comons,openverse", "There is no service 'comons'.\nHelp: Did you mean 'commons'?"),
        ("commons,somewhere", "There is no service 'somewhere'.\nHelp: Known: sample, "),
    ])
    func `bad names are told of`(names: String, problem: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            for line in [["popular"], ["fetch", "1"], ["browse"]] {
                let outcome = try await gallery.run(line + ["-s", names])
                #expect(outcome.status == 64, "\(outcome.all)")
                #expect(outcome.errors.contains(problem), "\(outcome.errors)")
            }
            let variable = try await gallery.run(["popular"], environment: ["GALLERY_SERVICE": names])
            #expect(variable.status == 64, "\(variable.all)")
            #expect(variable.errors.hasPrefix("Error: GALLERY_SERVICE is '"), "\(variable.errors)")
        }
    }

    @Test func `one address is not several services'`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["popular", "--base-url", "http://127.0.0.1:9/"] + source)
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(
                outcome.errors
                    == "Error: '--base-url' is the address of one service, not of several.\nHelp: Put theirs in the configuration file as 'baseURLs'.\n"
            )
        }
    }

    @Test func `a folder and the bundled photos are services like others`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let album = gallery.folder.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            try Pictures.jpeg(bytes: 3000).write(to: album.appending(path: "a.jpg"))
            let outcome = try await gallery.run(
                [
                    "popular", "-s", "sample,folder", "--folder", "album", "--per-page", "3", "--format",
                    "jsonl",
                ]
            )
            #expect(
                try rows(outcome) == ["1 sample:1001", "2 folder:a.jpg", "3 sample:1002"], "\(outcome.all)")
            let fetched = try await gallery.run(["fetch", "1-2", "-d", "out"])
            #expect(fetched.status == 0 && fetched.lines.count == 2, "\(fetched.all)")
            let wrong = try await gallery.run(["popular", "-s", "sample,commons", "--folder", "album"])
            #expect(wrong.status == 64, "\(wrong.all)")
        }
    }
}

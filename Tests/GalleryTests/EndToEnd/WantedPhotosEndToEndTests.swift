import Foundation
import GalleryTestSupport
import Testing

/// Which photos are wanted, and in which order, in the built program.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct WantedPhotosEndToEndTests {
    /// The titles of a list of the bundled photos.
    private func titles(_ gallery: BuiltProduct, _ line: [String]) async throws -> [String] {
        let outcome = try await gallery.runWell(line + ["--format", "jsonl"])
        return try outcome.objects.map { try #require($0["title"] as? String) }
    }

    @Test func `tags and authors that are not wanted are left out`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let line = ["popular", "--exclude-tag", "SPACE", "--exclude-tag", "rocket"]
            let outcome = try await gallery.runWell(line + ["--exclude-author", "Rachel Michetti"])
            #expect(
                outcome.errors == "Left out 5 photos: 4 by --exclude-tag, 1 by --exclude-author.\n",
                "\(outcome.errors)")
            try gallery.configure(#"{"excludeTags": ["space", "night"], "excludeAuthors": ["usnavy"]}"#)
            let always = try await gallery.run(["fetch", "1-", "--dry-run"])
            #expect(always.lines.count == 7, "\(always.all)")
            #expect(always.errors == "Left out 5 photos: 4 by --exclude-tag, 1 by --exclude-author.\n")
            try gallery.configure(#"{"excludeTags": "space"}"#)
            let wrong = try await gallery.run(["popular"], expecting: 78)
            #expect(wrong.errors.contains("'excludeTags' is not a list of strings"), "\(wrong.errors)")
        }
    }

    // MARK: - Dates

    /// A feed of which each photo was published a day before the one at the index before, the first on 2024-12-31.
    private func daily(_ count: Int) -> LocalServer.Handler {
        { request in
            let size = request.query("rpp").flatMap { Int($0) } ?? 20
            let first = ((request.query("page").flatMap { Int($0) } ?? 1) - 1) * size + 1
            let photos = (first..<first + size).filter { $0 <= count }.map { index in
                let date = Date(timeIntervalSince1970: 1_735_603_200 - Double(index - 1) * 86_400)
                let day = date.formatted(.iso8601.year().month().day())
                let image = "\(request.serverURL.absoluteString)/full/\(index).jpg"
                return
                    #"{"id":\#(index),"name":"P","created_at":"\#(day)T12:00:00Z","images":[{"size":2048,"url":"\#(image)"}]}"#
            }
            let pages = (count + size - 1) / size
            return .json(#"{"photos":[\#(photos.joined(separator: ","))],"total_pages":\#(pages)}"#)
        }
    }

    @Test func `photos of a time are those from a day to before another`() async throws {
        try await withGallery(of: "500px", at: "v1", daily(100)) { gallery, _, source in
            let outcome = try await gallery.runWell(
                ["popular", "--range", "1-100", "--after", "2024-12-01", "--before", "2024-12-25"] + [
                    "--format", "jsonl",
                ] + source)
            #expect(outcome.lines.count == 24)
            #expect(outcome.lines.first?.contains(#""published":"2024-12-24T12:00:00Z""#) == true)
            #expect(outcome.lines.last?.contains(#""published":"2024-12-01T12:00:00Z""#) == true)
            #expect(outcome.errors == "Left out 76 photos: 69 by --after, 7 by --before.\n")
            let year = try await gallery.runWell(
                [
                    "popular", "--range", "1-100", "--after", "2024-10", "--before", "2024-11", "--format",
                    "url",
                ]
                    + source)
            #expect(year.lines.count == 31, "\(year.all)")
            for word in ["2024-13-01", "2024-13", "24", "2024:05", "d", "-7d", "7x", "yesterday"] {
                try await gallery.run(["popular", "--after=\(word)"] + source, expecting: 64)
            }
        }
    }

    @Test(arguments: [
        (["user", "ada", "--range", "1-"], 1), (["fetch", "1-", "--user", "ada", "--dry-run"], 1),
        (["popular", "--range", "1-1000"], 10),
    ])
    func `a feed in the order of dates is asked for no more once it is past`(
        line: [String], requests: Int
    ) async throws {
        try await withGallery(of: "500px", at: "v1", daily(1000)) { gallery, server, source in
            let outcome = try await gallery.runWell(line + ["--after", "2024-12-01"] + source)
            #expect(server.requests.count == requests)
            if line[0] == "fetch" { #expect(outcome.lines.count == 31, "\(outcome.all)") }
        }
    }

    // MARK: - Bytes

    @Test func `files that are too small or too large are left out at their heads`() async throws {
        // A photo's file has 40,000 bytes and as many as its number.
        try await withGallery(PixelServer(count: 5)) { gallery, _, source in
            let outcome = try await gallery.runWell(
                ["fetch", "1-5", "-d", "p", "--name", "{id}", "--min-bytes", "40003", "--max-bytes", "40004"]
                    + source)
            #expect(outcome.lines == ["p/3.jpg", "p/4.jpg"])
            #expect(
                outcome.errors.hasPrefix(
                    "Left out 3 photos: 3 by --min-bytes or --max-bytes.\n2 fetched, 0 kept, 0 failed, "),
                "\(outcome.errors)")
            let folder = gallery.folder.appending(path: "p").path
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                    == [".gallery.jsonl", "3.jpg", "4.jpg"])
            let rest = try await gallery.run(
                ["fetch", "1-5", "-d", "p", "--name", "{id}", "--max-bytes", "1M"] + source)
            #expect(rest.errors.hasPrefix("3 fetched, 2 kept, 0 failed, "), "\(rest.errors)")
            try await gallery.run(
                ["fetch", "1", "--min-bytes", "2k", "--max-bytes", "1k"] + source, expecting: 64)
        }
    }

    // MARK: - Order

    @Test func `photos are sorted, and with a limit the first of them are taken`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let all = try await titles(gallery, ["popular"])
            #expect(all.count == 12)
            #expect(
                try await titles(gallery, ["popular", "--sort", "title"])
                    == all.sorted { $0.lowercased() < $1.lowercased() })
            #expect(
                try await titles(gallery, ["popular", "--range", "1-12", "--sort=-pixels", "--limit", "2"])
                    == ["Hubble eXtreme Deep Field", "Grace Hopper"])
            // The limit applies to photos in order.
            #expect(
                try await titles(gallery, ["popular", "--sort", "pixels", "--limit", "3"])
                    == Array(titles(gallery, ["popular", "--sort", "pixels"]).prefix(3)))
            let fetched = try await gallery.run(
                ["fetch", "1-12", "--sort", "-pixels", "--limit", "2", "--name", "{id}", "-d", "p"])
            #expect(fetched.lines == ["p/1002.jpg", "p/1009.jpg"], "\(fetched.all)")
        }
    }

    @Test func `photos are shuffled, by the same number in the same way`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let all = try await titles(gallery, ["popular"])
            let once = try await titles(gallery, ["popular", "--shuffle", "--seed", "7"])
            #expect(once != all)
            #expect(once.sorted() == all.sorted())
            #expect(try await titles(gallery, ["popular", "--seed", "7"]) == once)
            #expect(try await titles(gallery, ["popular", "--seed", "8"]) != once)
            #expect(try await titles(gallery, ["popular", "--shuffle"]).sorted() == all.sorted())
        }
    }

    @Test func `all of a list with an end is sorted before the limit`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            #expect(try await titles(gallery, ["popular", "--sort", "title", "--limit", "2"]).count == 2)
            let album = try gallery.makeFolder("album")
            for number in 1...30 {
                let file = album.appending(path: "\((number * 7) % 30 + 10).jpg")
                try Pictures.jpeg(bytes: 3000, seed: UInt64(number)).write(to: file)
            }
            let folder = ["--folder", "album", "--sort", "title"]
            #expect(try await titles(gallery, ["popular", "--limit", "2"] + folder) == ["10", "11"])
            #expect(try await titles(gallery, ["popular"] + folder) == (10...29).map { "\($0)" })
            let fetched = try await gallery.run(
                ["fetch", "1-", "--limit", "2", "--name", "{title}", "-d", "p"] + folder)
            #expect(fetched.lines == ["p/10.jpg", "p/11.jpg"], "\(fetched.all)")
            #expect(try await gallery.run(["fetch", "1-", "-d", "q"] + folder).lines.count == 30)
            try await gallery.run(["fetch", "1-3", "--sort", "likes", "--shuffle"], expecting: 64)
        }
    }

    @Test func `of a longer list of a service, the first photos are sorted, and that is said`() async throws {
        try await withGallery(of: "500px", at: "v1", daily(1500)) { gallery, server, source in
            let outcome = try await gallery.runWell(
                ["popular", "--sort", "published", "--limit", "1", "--format", "jsonl"] + source)
            #expect(outcome.lines.count == 1 && outcome.output.contains(#""index":1000,"#), "\(outcome.all)")
            #expect(outcome.errors == "Sorted the first 1,000.\n" && server.requests.count == 10)
            let refused = try await gallery.run(["fetch", "1-", "--sort", "taken"] + source, expecting: 64)
            #expect(
                refused.errors == """
                    Error: Only the first 1,000 photos of a service's list can be put in order.
                    Help: Name its end, such as '90-120', or add '--limit <n>'.

                    """)
        }
    }

    // MARK: - Folders and names

    @Test func `accents do not matter to a search`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let album = try gallery.makeFolder("album")
            try Pictures.jpeg(bytes: 3000).write(to: album.appending(path: "Un Café.jpg"))
            for word in ["cafe", "CAFÉ", "café un"] {
                #expect(try await titles(gallery, ["search", word, "--folder", "album"]) == ["Un Café"])
            }
            #expect(try await titles(gallery, ["search", "STEFAN"]).count == 2)
        }
    }

    @Test func `files of a folder that cannot be shown are one line in all`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let album = try gallery.makeFolder("album")
            for name in ["a.jpg", "b.png", "c.webp"] { try Data().write(to: album.appending(path: name)) }
            try Pictures.jpeg(bytes: 3000).write(to: album.appending(path: "d.jpg"))
            try Data("text".utf8).write(to: album.appending(path: "e.txt"))
            for command in [["popular", "--sort", "title"], ["fetch", "1-", "--dry-run"]] {
                let outcome = try await gallery.runWell(command + ["--folder", "album"])
                let lines = outcome.errors.split(separator: "\n").filter { $0 != "1 file, about 3 KB" }
                #expect(lines.count == 2, "\(outcome.errors)")
                #expect(lines.first?.hasPrefix("Left out 3 photos: '") == true)
                #expect(
                    lines.first?.hasSuffix(
                        "' cannot be shown: it is no picture: it holds nothing, and so on.") == true)
                #expect(lines.last == "Left out 1 document.")
            }
        }
    }
}

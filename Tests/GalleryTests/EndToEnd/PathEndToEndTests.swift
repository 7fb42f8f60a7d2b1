import Foundation
import GalleryTestSupport
import ProductTestSupport
import TerminalPictures
import Testing

/// The built program and paths where selections stand.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct PathEndToEndTests {
    /// `A` with `a.jpg`, newest first, to `c.jpg`, and `s/d.jpg`; `B` with another `a.jpg`; `7`, a picture, and a text.
    private func withPictures(_ body: @Sendable (BuiltProduct) async throws -> Void) async throws {
        try await withBuiltProduct { gallery in
            let paths = ["A/a.jpg", "A/b.jpg", "A/c.jpg", "A/s/d.jpg", "B/a.jpg", "7", "A/e f%20\n.jpg"]
            for (age, path) in paths.enumerated() {
                let file = try gallery.write(Pictures.jpeg(width: 16 + age, height: 16), to: path)
                let date = Date(timeIntervalSince1970: 1_700_000_000 - Double(age))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            }
            try gallery.write(Data("1-3\n".utf8), to: "notes.txt")
            try await body(gallery)
        }
    }

    private func titles(_ outcome: ProductOutcome) -> [String] {
        outcome.lines.compactMap { line in
            line.split(separator: "\"title\":\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
        }
    }

    @Test(arguments: [
        (["A"], ["a", "b", "c", "d", "e f%20\\n"]), (["popular", "A", "--limit", "1"], ["a"]),
        (["A/c.jpg", "B/a.jpg", "7"], ["c", "a", "7"]), (["B", "A/b.jpg"], ["a", "b"]), (["./7"], ["7"]),
        (["show", "./7", "A/b.jpg"], ["7", "b"]), (["show", "B"], ["a"]),
        (["show", "A", "2-3"], ["b", "c"]),
        (["show", "A/s", "B/"], ["d", "a"]), (["show", "file:B/../A/s/d.jpg"], []),
    ])
    func `a path stands where a selection does`(line: [String], expected: [String]) async throws {
        try await withPictures { gallery in
            let outcome = try await gallery.run(line + ["--format", "jsonl"])
            #expect(titles(outcome) == expected, "\(outcome.all)")
            guard line[0] != "show", outcome.status == 0 else { return }
            let last = try await gallery.runWell(["show", "\(expected.count)", "--format", "jsonl"])
            #expect(titles(last) == expected.suffix(1), "\(last.all)")
            let beyond = try await gallery.run(["show", "9"], expecting: 66)
            #expect(!beyond.errors.contains("'popular' of folder"), "\(beyond.all)")
        }
    }

    @Test func `addresses of files, and odd names, are paths`() async throws {
        try await withPictures { gallery in
            let address = "file://" + gallery.folder.path + "/A/e%20f%2520%0A.jpg"
            let long = String(repeating: "ü", count: 125) + ".jpg"
            try gallery.write(Pictures.jpeg(width: 9, height: 9), to: long)
            let outcome = try await gallery.runWell(["fetch", address, long, "-d", "X"])
            #expect(try gallery.names(in: "X").filter { $0 != ".gallery.jsonl" }.count == 2, "\(outcome.all)")
            #expect(gallery.exists("X/e f%20.jpg"))
        }
    }

    @Test(arguments: [
        (["./gone"], 66, "There is no file or folder '.*/gone'."),
        (["show", "gone/x"], 66, "There is no file or folder '.*/gone/x'."),
        (["fetch", "gone.JPG", "A/c.jpg", "-d", "X"], 1, "There is no file or folder '.*/gone.JPG'."),
        (["show", "./gone", "A/a.jpg"], 1, "Error: There is no file or folder '.*/gone'."),
        (["fetch", "../gone"], 66, "There is no file or folder"), (["browse", "/gone"], 66, "'/gone'"),
        (["show", "notes.txt"], 66, "There is no picture in '.*/notes.txt'."),
        (["notes.txt"], 66, "There is no picture in '.*/notes.txt'."),
        (["A", "-s", "sample"], 64, "'--service'"),
        (["fetch", "A", "-d", "A"], 64, "/A' would be copied into the folder that it is read from."),
        (["fetch", "A/a.jpg", "-d", "A"], 64, "/A/a.jpg' would be copied into the folder"),
        (["fetch", "1-", "--folder", "A", "-d", "A/../A"], 64, "would be copied into the folder"),
    ])
    func `what a path cannot be is said with the path`(line: [String], status: Int32, text: String)
        async throws
    {
        try await withPictures { gallery in
            let outcome = try await gallery.run(line, expecting: status)
            #expect(outcome.errors.contains(try Regex(text)), "\(outcome.all)")
            #expect(try gallery.names(in: "A") == ["a.jpg", "b.jpg", "c.jpg", "e f%20\n.jpg", "s"])
        }
    }

    @Test func `copies keep their names, also of copies and of copies under older names`() async throws {
        try await withPictures { gallery in
            try gallery.write(Pictures.jpeg(width: 40, height: 16), to: "A/b.jpeg")
            let first = try await gallery.runWell(["fetch", "A/a.jpg", "A/b.jpg", "B/a.jpg", "-d", "X"])
            let names = first.lines.map { String($0.dropFirst(2)) }
            #expect(names[..<2] == ["a.jpg", "b.jpg"] && names[2].hasPrefix("a_"), "\(names)")
            #expect(
                try await gallery.runWell(["fetch", "A/a.jpg", "A/b.jpg", "B/a.jpg", "-d", "X"]).lines
                    == first.lines)
            // By the folder's list they are the same pictures.
            let list = try await gallery.runWell(["fetch", "1-2", "--folder", "A", "-d", "X"])
            #expect(
                list.errors.hasPrefix("1 fetched, 1 kept") || list.errors.hasPrefix("0 fetched, 2"),
                "\(list.all)")
            _ = try await gallery.runWell(["fetch", "X/a.jpg", "-d", "Y"])
            #expect(try gallery.names(in: "Y") == [".gallery.jsonl", "a.jpg"])
            // As versions before named and recorded them.
            _ = try await gallery.runWell(["fetch", "B", "-d", "Z", "--name", "{id}_{title}"])
            #expect(try gallery.names(in: "Z") == [".gallery.jsonl", "a.jpg_a.jpg"])
            let kept = try await gallery.runWell(["fetch", "B", "-d", "Z"])
            #expect(kept.errors.hasPrefix("0 fetched, 1 kept"), "\(kept.all)")
            _ = try await gallery.runWell(["fetch", "./7", "-o", "seven.jpg"])
            #expect(try gallery.data("seven.jpg") == gallery.data("7"))
        }
    }

    @Test func `of two that come to one name the later gets digits of its path, and not the path`()
        async throws
    {
        try await withPictures { gallery in
            try gallery.write(Pictures.jpeg(width: 9, height: 9), to: "A/a.dng")
            _ = try await gallery.runWell(["fetch", "A/a.jpg", "A/a.dng", "-d", "X"])
            let names = try gallery.names(in: "X").filter { !$0.hasPrefix(".") }
            #expect(names.count == 2 && names.contains("a.jpg"), "\(names)")
            #expect(names.contains { $0.wholeMatch(of: /a_[0-9a-f]{8}\.jpg/) != nil }, "\(names)")
        }
    }

    @Test func `marked pictures of several folders are had everywhere`() async throws {
        try await withPictures { gallery in
            _ = try await gallery.runWell(["mark", "A/a.jpg", "B/a.jpg", "--list", "picks"])
            #expect(
                try await gallery.runWell(["mark", "1", "--folder", "B", "--list", "picks"]).errors.hasPrefix(
                    "0 marked"))
            let marked = ["--list", "picks"]
            #expect(try await gallery.runWell(["fetch", "1-", "-d", "X"] + marked).lines.count == 2)
            _ = try await gallery.runWell(["web", "1-", "-o", "site", "-q"] + marked)
            #expect(try gallery.names(in: "site/photo").count == 2)
            _ = try await gallery.runWell(["collage", "1-", "-o", "c.svg", "-q"] + marked)
            #expect(gallery.exists("c.svg"))
            let plain = try await gallery.runWell(
                ["browse", "--plain", "--feed", "marked"] + marked, input: Data("f\nq\n".utf8))
            #expect(plain.output.contains("1 of 2: a") && gallery.exists("a.jpg"), "\(plain.all)")
            let lines = try await gallery.runWell(["marked", "--format", "jsonl"] + marked).output
            let stranger = try await gallery.run(
                ["fetch", "-", "-d", "Y", "-s", "sample"], input: Data(lines.utf8))
            #expect(stranger.status == 65 && !gallery.exists("Y/a.jpg"), "\(stranger.all)")
            try gallery.remove("B/a.jpg")
            let gone = try await gallery.run(["fetch", "1-", "-d", "Z"] + marked, expecting: 1)
            #expect(
                gone.errors.contains("There is no file '") && gone.errors.contains("Help: "), "\(gone.all)")
        }
    }

    @Test(arguments: [
        (["A/b.jpg"], "2 of 5: b"), (["A"], "1 of 5: a"), (["A/c.jpg", "B/a.jpg"], "1 of 2: c"),
        (["./7"], ": 7"),
        (["A/a.jpg", "--ranking", "name"], "1 of 5: a"), (["A/s/d.jpg"], "1 of 1: d"),
    ])
    func `a picture is browsed in its folder`(line: [String], shown: String) async throws {
        try await withPictures { gallery in
            let outcome = try await gallery.runWell(["browse", "--plain"] + line, input: Data("q\n".utf8))
            #expect(outcome.output.contains(shown), "\(outcome.all)")
        }
    }

    @Test func `marked pictures that were moved within a fetched folder are found by their digests`()
        async throws
    {
        try await withPictures { gallery in
            _ = try await gallery.runWell(["fetch", "1-3", "-s", "sample", "-d", "X/Y", "--name", "a/{id}"])
            _ = try await gallery.runWell(
                ["mark", "--list", "picks"] + [1, 2, 3].map { "X/Y/a/100\($0).jpg" })
            try gallery.write("other", to: "X/Y/b/c/z.txt")
            for (name, other) in [
                ("1001.jpg", "X/Y/b/c/new.jpg"), ("1002.jpg", "gone.jpg"), ("1003.jpg", "X/Y/third.jpg"),
            ] {
                try FileManager.default.moveItem(
                    at: gallery.folder.appending(path: "X/Y/a/" + name),
                    to: gallery.folder.appending(path: other))
            }
            for run in 1...2 {
                let outcome = try await gallery.run(
                    ["fetch", "1-", "--list", "picks", "-d", "Z\(run)"], expecting: 1)
                #expect(outcome.lines == ["Z\(run)/new.jpg", "Z\(run)/third.jpg"], "\(outcome.all)")
                #expect(outcome.errors.contains("There is no file '\(gallery.folder.path)/X/Y/a/1002.jpg'."))
            }
            #expect(
                try await gallery.runWell(["unmark", "X/Y/b/c/new.jpg", "--list", "picks"]).errors
                    == "1 unmarked\n")
        }
    }

    @Test func `a page of a folder has its name, and no path`() async throws {
        try await withPictures { gallery in
            _ = try await gallery.runWell(["web", "A", "-o", "site", "-q", "--metadata", "--size", "none"])
            let page = try gallery.text("site/index.html")
            #expect(page.contains("<title>A</title>") && !page.contains(gallery.folder.path))
        }
    }

    @Test(.needs("chafa") { await PictureBench.has(.chafa) })
    func `a preview of fzf has the picture as lines`() async throws {
        try await withPictures { gallery in
            let size = ["FZF_PREVIEW_COLUMNS": "20", "FZF_PREVIEW_LINES": "12", "TERM": "xterm-256color"]
            let outcome = try await gallery.runWell(["show", "--picture", "A/a.jpg"], environment: size)
            #expect(outcome.lines.count > 5 && !outcome.output.contains("\u{1B}7"), "\(outcome.all)")
            let told = try await gallery.runWell(["show", "--picture-format", "symbols", "A/a.jpg"])
            #expect(told.output.contains("\u{1B}["), "\(told.all)")
            let untold = try await gallery.runWell(["show", "--picture", "A/a.jpg"])
            #expect(!untold.output.contains("\u{1B}"), "\(untold.all)")
        }
    }
}

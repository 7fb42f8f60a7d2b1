import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

@Suite struct PlainCommandTests {
    @Test(
        arguments: [
            ("", .move(1)), ("n", .move(1)), (" ", .move(1)), ("p", .move(-1)), ("g 12", .go(12)),
            ("g12", .go(12)),
            ("/sea shore ", .find("sea shore")), ("/", .find(nil)), ("0", .rate(0)), ("5", .rate(5)),
            ("u", .undo),
            ("M best of 2026", .list(MarkListName("best of 2026"))), ("M", .list(nil)), ("q", .quit),
            ("?", .help),
            ("Y", .path), ("y", .address), ("b", .back), ("& 4- sea", .filter(BrowseFilter("4- sea"))),
            ("&", .filter(nil)), ("D 2024-05", .date("2024-05")), ("F user grace", .feed("user grace")),
            ("*", .marks), ("O", .order), ("d", .trash), ("U", .untrash), ("x", .run), ("T", .tournament),
        ] as [(String, PlainCommand)])
    func `a line is a key and what it needs`(line: String, command: PlainCommand) {
        #expect(PlainCommand(line) == command)
    }

    @Test(arguments: [
        "g", "g 0", "g x", "g -1", "g 99999999999999999999", "6", "M ../x", "quit", "D", "D May", "F",
        "T all", "\u{1B}[A", "nn", "日",
    ])
    func `anything else is said, and does nothing`(line: String) {
        guard case .mistake(let text) = PlainCommand(line) else {
            Issue.record("\(PlainCommand(line))")
            return
        }
        #expect(!text.contains("\u{1B}"))
    }
}

/// `browse --plain`: lines in, lines out.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct PlainBrowseTests {
    private func browse(
        _ gallery: BuiltProduct, _ lines: String, _ words: [String] = ["1"],
        environment: [String: String] = [:]
    ) async throws -> ProductOutcome {
        try await gallery.run(
            ["browse", "--plain"] + words, environment: environment, input: Data(lines.utf8))
    }

    @Test func `photos are read over a pipe, and commands with them`() async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await browse(gallery, "n\n\np\ng 12\nn\n/cat\n/\ng 99\ng 1\np\nq\nn\n")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.all)")
            let numbers = outcome.lines.compactMap {
                $0.firstMatch(of: #/^(\d+) of 12: /#).map { String($0.1) }
            }
            #expect(numbers == ["1", "2", "3", "2", "12", "1"], "\(outcome.output)")
            #expect(outcome.lines.first?.hasPrefix("1 of 12: ") == true)
            #expect(outcome.lines.filter { $0 == "This is the last photo." }.count == 1)
            #expect(outcome.lines.filter { $0 == "No other photo matches 'cat'." }.count == 2)
            #expect(outcome.lines.contains("There is no photo 99: the feed has 12."))
            #expect(outcome.lines.last == "This is the first photo.")
            #expect(!outcome.output.contains("\u{1B}"))
        }
    }

    @Test func `it marks, rates, takes back, and downloads`() async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await browse(
                gallery, "m\nM trip\nm\nm\nm\n4\n2\nu\nu\nu\n4\ni\nf\n6\nn\nb\n",
                ["3", "-d", gallery.folder.path])
            #expect(outcome.status == 0, "\(outcome.all)")
            let said = outcome.lines.filter { !$0.hasPrefix(" ") && !$0.contains(" of 12: ") }
            #expect(
                Array(said.prefix(11)) == [
                    "Marked.", "Marks go into 'trip'.", "Marked.", "Unmarked.", "Marked.", "4 stars.",
                    "2 stars.",
                    "4 stars.", "Not rated.", "Nothing was rated yet.", "4 stars.",
                ])
            #expect(
                said.contains("Stars        4 of 5") && said.contains { $0.hasPrefix("Fetched ") }, "\(said)")
            #expect(
                said.suffix(2) == [
                    "Error: '6' is no command; '?' lists them.", "There is no feed to go back to.",
                ])
            let list = try await gallery.run(["marked", "--list", "trip", "--format", "jsonl"])
            #expect(list.lines.count == 1 && list.output.contains(#""stars":4"#))
            #expect(try await gallery.run(["marked"]).lines.count == 2)
            // It opens where it was left.
            let again = try await browse(gallery, "", ["-s", "sample"])
            #expect(again.lines.first?.hasPrefix("4 of 12: ") == true, "\(again.output)")
        }
    }

    @Test func `with --advance, a rating goes on to the next photo`() async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await browse(gallery, "4\n5\nq\n", ["3", "--advance"])
            let numbers = outcome.lines.compactMap { $0.firstMatch(of: #/^(\d+) of 12: /#)?.output.1 }
            #expect(numbers == ["3", "4", "5"], "\(outcome.output)")
        }
    }

    @Test func `a terminal that cannot redraw gets lines, and so does who asks for them`() async throws {
        try await withBuiltProduct { gallery in
            for set in [["TERM": "dumb"], ["TERM": "xterm", "ACCESSIBLE": "1"]] {
                let browse = try gallery.start(["browse", "1"], environment: set, terminal: TerminalSize())
                browse.type("n\rq\r")
                let outcome = try await browse.outcome()
                #expect(outcome.status == 0)
                #expect(
                    outcome.output.contains("2 of 12: ") && !outcome.output.contains("\u{1B}"),
                    "\(outcome.output)")
            }
        }
    }

    @Test(arguments: [("", "A woman"), (#","alt":"A \u001bsuit""#, "A suit")])
    func `what is to be seen comes first, and no control characters with it`(
        alternative: String, first: String
    ) async throws {
        try await withBuiltProduct { gallery in
            let photo =
                #"{"service":"sample","id":"77","title":"T\u001b]0;x\u0007","description":"A woman\u001b[2J in\nsilver""#
                + alternative + "}"
            _ = try await gallery.run(["mark", "-"], input: Data(photo.utf8))
            let outcome = try await browse(gallery, "", ["1", "--feed", "marked"])
            #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{7}"), "\(outcome.all)")
            #expect(outcome.lines.first?.hasPrefix("1 of 1: \(first)") == true, "\(outcome.all)")
            #expect(outcome.lines.dropFirst().first?.hasPrefix("   T") == true, "\(outcome.all)")
        }
    }

    /// A folder of four pictures, the last the newest, one of them upright.
    private func withFolder(_ body: (BuiltProduct, _ words: [String]) async throws -> Void) async throws {
        try await withBuiltProduct { gallery in
            let folder = try gallery.makeFolder("p")
            for (number, name) in ["d", "c", "b", "a"].enumerated() {
                let file = folder.appending(path: "\(name).jpg")
                try Pictures.jpeg(width: number == 1 ? 30 : 40, height: number == 1 ? 60 : 30).write(to: file)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(number))],
                    ofItemAtPath: file.path)
            }
            try await body(gallery, ["-s", "folder", "--folder", "p"])
        }
    }

    private func numbers(_ outcome: ProductOutcome) -> [String] {
        outcome.lines.compactMap { $0.firstMatch(of: #/^(\d+ of \d+: \S+)/#).map { String($0.1) } }
    }

    @Test func `it filters, goes to a date, and shows another order or feed`() async throws {
        try await withFolder { gallery, words in
            let outcome = try await browse(
                gallery, "& portrait\nn\n&\n& nothing\n&\nO\nF search b\nb\nm\n*\nF user\n", words)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                numbers(outcome) == [
                    "1 of 4: a", "3 of 4: c", "3 of 4: c", "3 of 4: c", "1 of 4: a", "1 of 1: b", "1 of 4: a",
                    "1 of 1: a",
                ], "\(outcome.output)")
            #expect(outcome.lines.contains("This is the last photo."), "\(outcome.output)")
            #expect(outcome.lines.contains("No photo meets these conditions."))
            #expect(
                outcome.errors == "Error: \(FeedWish.rule)\n"
                    || outcome.lines.last == "Error: \(FeedWish.rule)")
            let photos = (1...3).map {
                #"{"service":"sample","id":"\#($0)","taken":"2024-0\#($0)-17T10:00:00"}"#
            }
            _ = try await gallery.run(
                ["mark", "-", "--list", "dated"], input: Data(photos.joined(separator: "\n").utf8))
            let dated = try await browse(gallery, "D 2024-02\nD 2024\nD 2023\n", ["1", "--list", "dated"])
            #expect(dated.lines.filter { $0.hasPrefix("2 of 3") }.count == 1, "\(dated.all)")
            #expect(dated.lines.last == "No photo is of 2023.")
        }
    }

    @Test func `it moves to the trash after asking, takes back, and runs a command`() async throws {
        try await withFolder { gallery, words in
            let file = gallery.folder.appending(path: "p/a.jpg").path
            func isThere() -> Bool { FileManager.default.fileExists(atPath: file) }
            let environment = ["XDG_DATA_HOME": gallery.folder.appending(path: "data").path]
            let kept = try await browse(gallery, "U\nd\nn\n", words, environment: environment)
            #expect(kept.lines.contains("It stays.") && isThere(), "\(kept.all)")
            #expect(kept.lines.contains("Error: Nothing was moved to the trash yet."))
            let moved = try await browse(gallery, "d\ny\n", words, environment: environment)
            #expect(!isThere(), "\(moved.all)")
            let back = try await browse(
                gallery, "d\ny\nU\nx\n", words + ["--exec", "cp $1 copy.jpg"], environment: environment)
            #expect(back.lines.contains { $0.hasPrefix("Took ") }, "\(back.all)")
            #expect(gallery.exists("copy.jpg"))
            let none = try await browse(gallery, "d\nx\n")
            #expect(
                none.lines.suffix(2) == [
                    "Only files of the service 'folder' can be moved to the trash.",
                    "To run a command here, start with '--exec <command>'.",
                ])
        }
    }

    @Test func `a tournament is left, taken up, and becomes a list`() async throws {
        try await withFolder { gallery, words in
            let first = try await browse(gallery, "T\n2\nu\nx\n1\n1\nq\nT\nq\n", words)
            #expect(first.status == 0, "\(first.all)")
            #expect(first.lines.filter { $0 == "The tournament is kept; T takes it up." }.count == 2)
            #expect(first.lines.contains("Type 1 or 2."))
            #expect(first.lines.contains { $0.hasPrefix("Tournament taken up: 2 of about ") }, "\(first.all)")
            // A file that is gone meanwhile is left out.
            try gallery.remove("p/b.jpg")
            let second = try await browse(gallery, "T\n1\nu\n1\nbest of all\n", words)
            let ranking = second.lines.compactMap { $0.wholeMatch(of: #/\d\. (.*)/#).map { String($0.1) } }
            #expect(ranking.suffix(3).count == 3 && Set(ranking) == ["a", "c", "d"], "\(second.all)")
            let list = try await gallery.run(["marked", "--list", "best of all", "--format", "csv"])
            #expect(list.lines.count == 4, "\(list.all)")
            let few = try await browse(gallery, "& portrait\nT\n", words)
            #expect(few.lines.last == "A tournament needs two photos.")
        }
    }
}

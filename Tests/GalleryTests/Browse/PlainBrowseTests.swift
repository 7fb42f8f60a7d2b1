import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import gallery

@Suite struct PlainCommandTests {
    @Test(
        arguments: [
            ("", .move(1)), ("n", .move(1)), (" ", .move(1)), ("p", .move(-1)), ("g 12", .go(12)),
            ("g12", .go(12)),
            ("/sea shore ", .find("sea shore")), ("/", .find(nil)), ("0", .rate(0)), ("5", .rate(5)),
            ("u", .undo), ("R", .turn(1)), ("L", .turn(3)),
            ("M best of 2026", .list(MarkListName("best of 2026"))), ("M", .list(nil)), ("q", .quit),
            ("?", .help),
            ("Y", .path), ("y", .address), ("b", .back),
        ] as [(String, PlainCommand)])
    func `a line is a key and what it needs`(line: String, command: PlainCommand) {
        #expect(PlainCommand(line) == command)
    }

    @Test(arguments: [
        "g", "g 0", "g x", "g -1", "g 99999999999999999999", "6", "M ../x", "quit", "\u{1B}[A", "nn", "日",
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
                gallery, "m\nM trip\nm\nm\nm\n4\n2\nu\ni\nf\n6\nn\nb\n", ["3", "-d", gallery.folder.path])
            #expect(outcome.status == 0, "\(outcome.all)")
            let said = outcome.lines.filter { !$0.hasPrefix(" ") && !$0.contains(" of 12: ") }
            #expect(
                Array(said.prefix(8)) == [
                    "Marked.", "Marks go into 'trip'.", "Marked.", "Unmarked.", "Marked.", "4 stars.",
                    "2 stars.",
                    "4 stars.",
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

    @Test func `a description comes first, and no control characters with it`() async throws {
        try await withBuiltProduct { gallery in
            let photo =
                #"{"service":"sample","id":"1001","title":"T\u001b]0;x\u0007","description":"A woman\u001b[2J in\nsilver"}"#
            _ = try await gallery.run(["mark", "-"], input: Data(photo.utf8))
            let outcome = try await browse(gallery, "", ["1", "--feed", "marked"])
            #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{7}"), "\(outcome.all)")
            #expect(outcome.lines.first?.hasPrefix("1 of 1: ") == true)
        }
    }
}

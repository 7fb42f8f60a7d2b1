import Basics
import Testing

@testable import TerminalPictures

struct TerminalQueryTests {
    private static let kitty =
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\" + "\u{1B}[6;20;10t\u{1B}[?62;52;4c"

    private func answers(_ bytes: String) -> TerminalAnswers {
        var parser = TerminalParser()
        _ = parser.keys(in: bytes.utf8)
        return parser.answers
    }

    @Test func `answers are taken out wherever reads cut them, and among keys`() {
        let whole = answers(Self.kitty)
        #expect(whole.hasKitty && whole.version == "kitty(0.43.1)" && whole.attributes == [62, 52, 4])
        #expect(whole.cell == CellSize(width: 10, height: 20))
        let bytes = Array(("q\u{1B}[C" + Self.kitty + "\u{1B}[6~n").utf8)
        for place in 0...bytes.count {
            var parser = TerminalParser()
            let keys = parser.keys(in: bytes[..<place]) + parser.keys(in: bytes[place...])
            #expect(keys == [.character("q"), .right, .pageDown, .character("n")])
            #expect(parser.answers == whole)
        }
        var parser = TerminalParser()
        #expect(Self.kitty.utf8.flatMap { parser.keys(in: [$0]) }.isEmpty)
        #expect(parser.answers == whole)
    }

    @Test func `an answer is read`() {
        // As kitty 0.26.5 answers.
        #expect(answers("\u{1B}[?62;c").attributes == [62])
        #expect(answers("\u{1B}P>|x\u{7}").version == "x")
        #expect(answers("\u{1B}[24;1R").cursor == CellPosition(row: 24, column: 1))
        #expect(answers("\u{1B}[1;1R").cursor == CellPosition(row: 1, column: 1))
        #expect(answers("\u{1B}[?1;0;256S").sixelRegisters == 256)
        #expect(answers("\u{1B}[?2;0;1000;800S").sixelLimit == PixelSize(width: 1000, height: 800))
    }

    @Test(arguments: [("2;2", true), ("24;3", false), ("9;1", false), ("1;2", nil)] as [(String, Bool?)])
    func `a letter of two bytes in one column tells of UTF-8`(position: String, isUTF8: Bool?) {
        #expect(answers("\u{1B}[\(position)R\u{1B}[?1;2c").readsUTF8 == isUTF8)
    }

    @Test(
        arguments: [
            ("2;2 2;3 2;3 2;3 2;2 2;2 2;3", DisplayWidth()),
            // kitty.
            (
                "2;2 2;7 2;3 2;3 2;3 2;2 2;5",
                DisplayWidth(joinsEmoji: false, joinsLetters: false, jamo: 1)
            ),
            // xterm, foot, and GNU screen.
            (
                "2;2 2;7 2;5 2;2 2;3 2;3 2;3",
                DisplayWidth(
                    joinsEmoji: false, joinsSkin: false, selectsEmoji: false, joinsLetters: false,
                    vowelSign: 1)
            ),
            // Of a window that is too narrow nothing is known.
            ("2;2 2;3 2;3 2;40 2;2 2;2 2;3", DisplayWidth()), ("2;2 2;9", nil),
            ("2;3 2;3 2;3 2;3 2;2 2;2 2;3", nil), ("", nil),
        ] as [(String, DisplayWidth?)])
    func `where the cursor is after joined characters tells how they count`(
        positions: String, rules: DisplayWidth?
    ) {
        #expect(answers(positions.split(separator: " ").map { "\u{1B}[\($0)R" }.joined()).widths == rules)
    }

    @Test(arguments: [
        "\u{1B}[?12;", "\u{1B}[?1;2x", "\u{1B}[?;c", "\u{1B}[?99999999999999999999c", "\u{1B}P>x\u{1B}\\",
        "\u{1B}P>|never ends\u{1B}[C", "\u{1B}[1;2R", "\u{1B}_Gab\r", "\u{1B}[200~\u{1B}[?62;4c\u{1B}[201~",
        "\u{1B}[6;0;0t", "\u{1B}[?2;3S", "\u{1B}[;;t", "\u{1B}[R", "\u{1B}[?S",
    ])
    func `what is none is not taken for one`(bytes: String) {
        #expect(answers(bytes) == TerminalAnswers())
    }

    @Test func `of two answers the first counts`() {
        let twice = answers("\u{1B}[?1;2c\u{1B}P>|a\u{7}\u{1B}[?62;4c\u{1B}P>|b\u{7}")
        #expect(twice.attributes == [1, 2] && twice.version == "a")
    }

    @Test func `what is typed meanwhile is kept, noise is not`() {
        var parser = TerminalParser()
        parser.listen(to: "n\u{1B}[?1;2cn".utf8)
        #expect(parser.typed == [.character("n"), .character("n")] && parser.answers.attributes == [1, 2])
        parser.listen(to: String(repeating: "x", count: 1000).utf8)
        #expect(parser.typed.count == 64)
    }
}

import GalleryTestSupport
import Testing

@testable import TerminalPictures

struct KeysTests {
    /// The keys in `pieces`, and what is left after a pause.
    private func keys(_ pieces: [some Sequence<UInt8>]) -> [Key] {
        var parser = TerminalParser()
        return pieces.flatMap { parser.keys(in: $0) } + parser.flush()
    }

    @Test(arguments: [
        ("n", [Key.character("n")]), ("\u{1B}[C", [.right]), ("\u{1B}OC", [.right]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}[H\u{1B}[F", [.home, .end]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[6;5~", [.pageUp, .pageDown, .pageDown]), ("\r\n", [.enter, .enter]),
        ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\t", [.tab]), ("\u{3}\u{1A}", [.control("c"), .control("z")]),
        ("é世", [.character("é"), .character("世")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        // What terminals answer to questions, however late, is never a key.
        ("\u{1B}[?62;4;6c", []), ("\u{1B}[>1;4000;29c", []), ("\u{1B}_Gi=31;OK\u{1B}\\q", [.character("q")]),
        ("\u{1B}P>|XTerm(370)\u{1B}\\", []), ("\u{1B}]11;rgb:0000/0000/0000\u{7}n", [.character("n")]),
        ("\u{1B}q", []), ("\u{1B}[27u\u{1B}[113;5u", []), ("\u{1B}[I\u{1B}[O", []),
        // F3 with Shift, Alt and Control: like a cursor's place.
        ("\u{1B}[1;2A\u{1B}[1;2D\u{1B}[1;5C\u{1B}[1;2H", [.shift(.up), .shift(.left), .right, .home]),
        ("\u{1B}[1;2R\u{1B}[1;3R\u{1B}[1;5R", []),
        // The mouse, in xterm's SGR form: a press of the first button, the wheel; neither releases nor others.
        ("\u{1B}[<0;10;20M\u{1B}[<0;10;20m", [.click(CellPosition(row: 20, column: 10))]),
        ("\u{1B}[<64;1;1M\u{1B}[<65;1;1M", [.wheelUp, .wheelDown]),
        ("\u{1B}[<2;1;1M\u{1B}[<0;1M\u{1B}[<M", []),
        // What is pasted is no key, whatever is in it.
        ("\u{1B}[200~body\u{1B}[201~y", [.paste("body"), .character("y")]),
        (
            "\u{1B}[200~d\ry\u{3}\u{1B}[C\u{1B}[201~\u{1B}[200~\u{1B}[201~",
            [.paste("d\ry\u{3}\u{1B}[C"), .paste("")]
        ),
        // Given up at the first byte that cannot belong to it: another sequence, Return, Ctrl-C.
        ("\u{1B}P>|never ends\u{1B}[C", [.right]), ("\u{1B}_Gi=31\rq", [.enter, .character("q")]),
        ("\u{1B}P>|\u{3}", [.control("c")]), ("\u{1B}_Gab\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}[12\u{3}", [.control("c")]),
    ])
    func `bytes become keys`(bytes: String, keys: [Key]) {
        #expect(self.keys([Array(bytes.utf8)]) == keys)
        // Byte by byte, too.
        #expect(self.keys(bytes.utf8.map { [$0] }) == keys)
    }

    @Test(arguments: [
        "-9223372036854775808", "9223372036854775807", "-99999999999999999999", "99999999999999999999",
    ])
    func `a number that no terminal has is the nearest that one may have`(number: String) {
        let side = number.hasPrefix("-") ? 0 : 65_535
        #expect(
            keys([Array("\u{1B}[<0;\(number);\(number)M".utf8)])
                == [.click(CellPosition(row: side, column: side))])
        var parser = TerminalParser()
        parser.listen(to: "\u{1B}[2;2R\u{1B}[2;\(number)R\u{1B}[\(number);2R\u{1B}[2;\(number)R".utf8)
        #expect(
            parser.answers.cursors.allSatisfy {
                (0...65_535).contains($0.row) && (0...65_535).contains($0.column)
            })
        _ = parser.answers.widths
    }

    @Test func `whatever a terminal sends, its positions can be reckoned with`() {
        var random = SeededGenerator(seed: 10)
        let pieces = [
            "\u{1B}", "[", "<", ";", "M", "m", "R", "c", "t", "S", "?", "_G", "P>|", "\\", "6", "0", "1", "~",
            "200~",
            "-9223372036854775808", "9223372036854775807", "4294967296", "-1", "é", "\u{7}",
        ]
        for _ in 0..<(Thorough.isOn ? 1_000_000 : 3_000) {
            var parser = TerminalParser()
            let text = "\u{1B}[" + (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for key in parser.keys(in: text.utf8) + parser.flush() {
                if case .click(let place) = key {
                    #expect(place.row - 2 < place.row && place.column * 9 >= 0)
                }
            }
            _ = parser.answers.widths
        }
    }

    @Test func `Escape is a key once nothing follows, the beginning of an answer is not`() {
        var parser = TerminalParser()
        #expect(parser.keys(in: [0x1B]) == [])
        #expect(parser.flush() == [.escape])
        #expect(parser.keys(in: [0x1B, 0x1B]) == [.escape])
        #expect(parser.flush() == [.escape])
        #expect(parser.keys(in: "\u{1B}P>|Wez".utf8).isEmpty)
        #expect(parser.flush().isEmpty)
        #expect(parser.keys(in: "Term 1\u{1B}\\n".utf8) == [.character("n")])
        #expect(parser.answers.version == "WezTerm 1")
    }

    @Test func `bytes that are no text are dropped, and nothing fills the memory`() {
        var parser = TerminalParser()
        #expect(parser.keys(in: [0xFF, 0xC0, 0x6E]) == [.character("n")])
        let endless = [0x1B, 0x50] + [UInt8](repeating: 0x61, count: 10_000)
        #expect(parser.keys(in: endless) == [])
        #expect(parser.keys(in: [0x6E]) == [.character("n")])
        let long = "\u{1B}[200~" + String(repeating: "x", count: 100_000)
        #expect(parser.keys(in: long.utf8) == [])
        let kept = String(repeating: "x", count: 4096)
        #expect(parser.keys(in: "y\u{1B}[201~n".utf8) == [.paste(kept), .character("n")])
    }
}

import Testing

@testable import gallery

struct KeysTests {
    @Test(arguments: [
        ("n", [Key.character("n")]), ("\u{1B}[C", [.right]), ("\u{1B}OC", [.right]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}[H\u{1B}[F", [.home, .end]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\r", [.enter]),
        ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\t", [.tab]), ("\u{3}\u{1A}", [.control("c"), .control("z")]),
        ("é世", [.character("é"), .character("世")]),
        // What terminals answer to questions, however late, is never a key.
        ("\u{1B}[?62;4;6c", []), ("\u{1B}[>1;4000;29c", []), ("\u{1B}_Gi=31;OK\u{1B}\\q", [.character("q")]),
        ("\u{1B}P>|XTerm(370)\u{1B}\\", []), ("\u{1B}]11;rgb:0000/0000/0000\u{7}n", [.character("n")]),
        ("\u{1B}[200~", []), ("\u{1B}q", []),
        // The mouse, in xterm's SGR form: a press of the first button, the wheel; neither releases nor others.
        ("\u{1B}[<0;10;20M\u{1B}[<0;10;20m", [.click(CellPosition(row: 20, column: 10))]),
        ("\u{1B}[<64;1;1M\u{1B}[<65;1;1M", [.wheelUp, .wheelDown]),
        ("\u{1B}[<2;1;1M\u{1B}[<0;1M\u{1B}[<M", []),
    ])
    func `bytes become keys`(bytes: String, keys: [Key]) {
        var parser = KeyParser()
        #expect(parser.keys(from: bytes.utf8) == keys)
    }

    @Test(arguments: ["\u{1B}[C", "\u{1B}[1;5C", "é", "\u{1B}P>|tmux\u{1B}\\n", "\u{1B}[?62;4c"])
    func `a sequence may come byte by byte`(bytes: String) {
        var whole = KeyParser()
        var parser = KeyParser()
        #expect(bytes.utf8.flatMap { parser.keys(from: [$0]) } == whole.keys(from: bytes.utf8))
    }

    @Test func `Escape is a key once nothing follows`() {
        var parser = KeyParser()
        #expect(parser.keys(from: [0x1B]) == [])
        #expect(parser.flush() == [.escape])
        #expect(parser.keys(from: [0x1B, 0x1B]) == [.escape])
        #expect(parser.flush() == [.escape])
    }

    @Test func `bytes that are no text are dropped`() {
        var parser = KeyParser()
        #expect(parser.keys(from: [0xFF, 0xC0, 0x6E]) == [.character("n")])
        let endless = [0x1B, 0x50] + [UInt8](repeating: 0x61, count: 10_000)
        #expect(parser.keys(from: endless) == [])
        #expect(parser.keys(from: [0x6E]) == [.character("n")])
    }
}

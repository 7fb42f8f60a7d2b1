import Testing

@testable import gallery

struct TerminalQueryTests {
    private static let kitty =
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\" + "\u{1B}[6;20;10t\u{1B}[?62;52;4c"

    private static let replies: [TerminalReply] = [
        .graphics("OK"), .version("kitty(0.43.1)"), .cell(height: 20, width: 10), .attributes([62, 52, 4]),
    ]

    private func filtered(_ pieces: [String]) -> (keys: String, replies: [TerminalReply]) {
        var filter = TerminalReplyFilter()
        let keys = pieces.flatMap { filter.keys(in: $0.utf8) }
        return (String(decoding: keys + filter.flush(), as: UTF8.self), filter.replies)
    }

    @Test func `kitty's attributes end by a semicolon, and nothing more is waited for`() {
        // As kitty 0.26.5 answers.
        var filter = TerminalReplyFilter()
        #expect(filter.keys(in: Array("\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[?62;c".utf8)).isEmpty)
        #expect(filter.hasAttributes && filter.replies.last == .attributes([62]))
    }

    @Test func `answers are taken out`() {
        let (keys, replies) = filtered([Self.kitty])
        #expect(keys.isEmpty)
        #expect(replies == Self.replies)
    }

    @Test func `wherever reads cut them, and among keys`() {
        let bytes = Array(("q\u{1B}[C" + Self.kitty + "\u{1B}[6~n").utf8)
        for place in 0...bytes.count {
            var filter = TerminalReplyFilter()
            let keys = filter.keys(in: bytes[..<place]) + filter.keys(in: bytes[place...])
            #expect(String(decoding: keys, as: UTF8.self) == "q\u{1B}[C\u{1B}[6~n")
            #expect(filter.replies == Self.replies)
        }
    }

    @Test func `even a byte at a time`() {
        var filter = TerminalReplyFilter()
        #expect(Self.kitty.utf8.flatMap { filter.keys(in: [$0]) }.isEmpty)
        #expect(filter.replies == Self.replies)
        // Nothing is held back that a key could be taken for a part of.
        #expect(filter.keys(in: "q".utf8) == Array("q".utf8))
    }

    @Test(arguments: [
        "abc äß漢", "\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", "\u{1B}OA\u{1B}OP", "\u{1B}[5~\u{1B}[6;5~",
        // F3 with Shift, Alt and Control: like a cursor's place.
        "\u{1B}[1;2R\u{1B}[1;3R\u{1B}[1;5R", "\u{1B}[200~text\u{1B}[201~", "\u{1B}[<0;10;20M\u{1B}[<0;10;20m",
        "\u{1B}[27u\u{1B}[113;5u", "\u{1B}x\u{1B}P\u{1B}_\u{1B}[", "\u{1B}Px\u{1B}_y", "\u{1B}\u{1B}[A",
        "\u{1B}[I\u{1B}[O", "\u{1}\u{3}\u{1A}\r\n\u{7F}", "\u{1B}", "\u{1B}\u{1B}", "\u{1B}P>x",
    ])
    func `keys are left alone`(keys: String) {
        for pieces in [[keys], keys.unicodeScalars.map { String($0) }] {
            let result = filtered(pieces)
            #expect(result.keys == keys)
            #expect(result.replies.isEmpty)
        }
    }

    @Test func `Escape alone is a key after a pause, the beginning of an answer is not`() {
        var filter = TerminalReplyFilter()
        #expect(filter.keys(in: "\u{1B}".utf8).isEmpty)
        #expect(filter.flush() == [0x1B])
        #expect(filter.keys(in: "\u{1B}P>|Wez".utf8).isEmpty)
        #expect(filter.flush().isEmpty)
        #expect(filter.keys(in: "Term 1\u{1B}\\n".utf8) == Array("n".utf8))
        #expect(filter.replies == [.version("WezTerm 1")])
    }

    @Test(arguments: [
        // Given up at the first byte that cannot belong to it: another sequence, Return, Ctrl-C.
        ("\u{1B}P>|never ends\u{1B}[C", "\u{1B}[C"), ("\u{1B}_Gi=31\rq", "\rq"),
        ("\u{1B}P>|\u{3}", "\u{3}"), ("\u{1B}_Gab\u{1B}\u{1B}[A", "\u{1B}\u{1B}[A"),
        ("\u{1B}[?12;", ""), ("\u{1B}[?1;2x", "\u{1B}[?1;2x"), ("\u{1B}[?;c", "\u{1B}[?;c"),
        ("\u{1B}[?99999999999999999999c", "\u{1B}[?99999999999999999999c"),
    ])
    func `garbage neither passes for an answer nor holds keys for ever`(bytes: String, keys: String) {
        let result = filtered([bytes])
        #expect(result.keys == keys)
        #expect(result.replies.isEmpty)
    }

    @Test func `what is longer than any answer is none`() {
        var filter = TerminalReplyFilter()
        let endless = "\u{1B}P>|" + String(repeating: "x", count: 251)
        #expect(filter.keys(in: endless.utf8).isEmpty)
        #expect(filter.keys(in: "qq".utf8) == Array("qq".utf8))
        for _ in 0..<1000 { _ = filter.keys(in: "\u{1B}[?1;2c".utf8) }
        #expect(filter.replies.count == 32)
    }

    @Test func `BEL ends a string too`() {
        let result = filtered(["\u{1B}P>|x\u{7}k"])
        #expect(result.keys == "k")
        #expect(result.replies == [.version("x")])
    }

    @Test func `the cursor's place is one`() {
        #expect(filtered(["\u{1B}[24;1R"]).replies == [.cursor(row: 24, column: 1)])
        #expect(filtered(["\u{1B}[1;1R"]).replies == [.cursor(row: 1, column: 1)])
    }

    @Test func `what is typed meanwhile is kept, noise is not`() {
        var answers = TerminalAnswers()
        answers.take("n\u{1B}[?1;2cn".utf8)
        #expect(answers.keys == Array("nn".utf8))
        answers.take(String(repeating: "x", count: 1000).utf8)
        #expect(answers.keys.count == 64)
    }
}

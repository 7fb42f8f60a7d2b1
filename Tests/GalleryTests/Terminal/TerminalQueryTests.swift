import GalleryCore
import Testing

@testable import gallery

struct TerminalQueryTests {
    private static let kitty =
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\" + "\u{1B}[6;20;10t\u{1B}[?62;52;4c"

    private static let replies: [TerminalReply] = [
        .graphics("OK"), .version("kitty(0.43.1)"), .cell(CellSize(width: 10, height: 20)),
        .attributes([62, 52, 4]),
    ]

    private func replies(to bytes: String) -> [TerminalReply] {
        var parser = TerminalParser()
        _ = parser.keys(in: bytes.utf8)
        return parser.replies
    }

    @Test func `answers are taken out wherever reads cut them, and among keys`() {
        let bytes = Array(("q\u{1B}[C" + Self.kitty + "\u{1B}[6~n").utf8)
        for place in 0...bytes.count {
            var parser = TerminalParser()
            let keys = parser.keys(in: bytes[..<place]) + parser.keys(in: bytes[place...])
            #expect(keys == [.character("q"), .right, .pageDown, .character("n")])
            #expect(parser.replies == Self.replies)
        }
        var parser = TerminalParser()
        #expect(Self.kitty.utf8.flatMap { parser.keys(in: [$0]) }.isEmpty)
        #expect(parser.replies == Self.replies)
    }

    @Test(arguments: [
        // As kitty 0.26.5 answers.
        ("\u{1B}[?62;c", TerminalReply.attributes([62])), ("\u{1B}P>|x\u{7}", .version("x")),
        ("\u{1B}[24;1R", .cursor(CellPosition(row: 24, column: 1))),
        ("\u{1B}[1;1R", .cursor(CellPosition(row: 1, column: 1))),
        ("\u{1B}[6;0;0t", .cell(nil)), ("\u{1B}[?1;0;256S", .sixelRegisters(256)),
        ("\u{1B}[?2;0;1000;800S", .sixelLimit(PixelSize(width: 1000, height: 800))),
        ("\u{1B}[?2;3S", .sixelRegisters(0)),
    ])
    func `an answer is read`(bytes: String, reply: TerminalReply) {
        #expect(replies(to: bytes) == [reply])
    }

    @Test(arguments: [
        "\u{1B}[?12;", "\u{1B}[?1;2x", "\u{1B}[?;c", "\u{1B}[?99999999999999999999c", "\u{1B}P>x\u{1B}\\",
        "\u{1B}P>|never ends\u{1B}[C", "\u{1B}[1;2R", "\u{1B}_Gab\r", "\u{1B}[200~\u{1B}[?62;4c\u{1B}[201~",
    ])
    func `what is none is not taken for one`(bytes: String) {
        #expect(replies(to: bytes).isEmpty)
    }

    @Test func `a terminal that keeps answering fills no memory`() {
        #expect(replies(to: String(repeating: "\u{1B}[?1;2c", count: 1000)).count == 32)
    }

    @Test func `what is typed meanwhile is kept, noise is not`() {
        var answers = TerminalAnswers()
        answers.take("n\u{1B}[?1;2cn".utf8)
        #expect(answers.keys == [.character("n"), .character("n")] && answers.attributes == [1, 2])
        answers.take(String(repeating: "x", count: 1000).utf8)
        #expect(answers.keys.count == 64)
    }
}

import Testing

@testable import TerminalPictures

@Suite struct DisplayWidthTests {
    private static let kitty = DisplayWidth(joinsEmoji: false, joinsLetters: false, jamo: 1)
    private static let xterm = DisplayWidth(
        joinsEmoji: false, joinsSkin: false, selectsEmoji: false, joinsLetters: false, vowelSign: 1)

    /// What kitty 0.26 and xterm 379 told of each, and what is taken for granted where a terminal does not tell.
    @Test(
        arguments: [
            ("é", 1, 1, 1), ("語", 2, 2, 2), ("👨‍👩‍👧", 2, 6, 6), ("👍🏽", 2, 2, 4), ("❤️", 2, 2, 1), ("🇩🇪", 2, 2, 2),
            ("क्ष", 1, 2, 2), ("कि", 1, 1, 2), ("กำ", 2, 2, 2), ("ᄒᆞᆫ", 2, 4, 2),
            ("\u{1100}\u{1161}\u{11A8}", 2, 4, 2), ("1️⃣", 2, 2, 1),
            ("e\u{301}", 1, 1, 1), ("🏽", 2, 2, 2), ("\u{200D}", 0, 0, 0),
        ])
    func `characters have the columns that the terminal counts`(
        text: String, usual: Int, kitty: Int, xterm: Int
    ) {
        #expect(DisplayWidth.usual.of(text) == usual)
        #expect(Self.kitty.of(text) == kitty)
        #expect(Self.xterm.of(text) == xterm)
    }

    @Test func `what the terminal tells of the samples is what they have then`() {
        for columns in [[2, 2, 2, 1, 1, 2], [6, 2, 2, 2, 1, 4], [6, 4, 1, 2, 2, 2], [2, 4, 1, 2, 2, 2]] {
            let widths = DisplayWidth(columns: columns)
            #expect(DisplayWidth.samples.map { widths.of($0) } == columns)
        }
    }
}

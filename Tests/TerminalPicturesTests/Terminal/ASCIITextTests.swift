import TerminalPictures
import Testing

struct ASCIITextTests {
    @Test(arguments: [
        ("Plain\u{1B}[1m text", "Plain\u{1B}[1m text"), ("Émile, übergroß… ×2", "Emile, ubergros~ x2"),
        ("┌──┐│━└┘", "+--+|-++"), ("“A” – B’s ›", "\"A\" - B's >"), ("Жук θ", "Zuk t"), ("世界", "????"),
        ("ねこ", "neko"), ("한가", "??ga"), ("👩‍👩‍👧‍👦!", "??!"), ("e\u{301}", "e"), ("½ №", "1 N"), ("", ""),
    ])
    func `every column has a letter or a question mark`(text: String, ascii: String) {
        let found = ASCIIText.of(text)
        #expect(found == ascii)
        #expect(DisplayWidth.usual.of(found) == DisplayWidth.usual.of(text))
    }
}

import Testing

@testable import gallery

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

    @Test func `a screen has the same columns in ASCII`() {
        var model = ScreenState.model()
        model.notice = .init(text: "世界 Überfluß …")
        let drawn = model.frame
        model.readsUTF8 = false
        let frame = model.frame
        let text = ScreenText.update(from: nil, to: frame)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(frame.lines.map(\.count) == drawn.lines.map(\.count))
        #expect(frame.text.last == "???? Uberflus ~")
        #expect(!frame.text.joined().contains("━") && drawn.text.joined().contains("━"))
    }
}

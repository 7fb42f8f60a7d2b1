import Basics
import GalleryTestSupport
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("", ""), (" ", ""), (" a", "a"), ("a ", "a"), ("a  b", "a b"),
        ("two plain words~", "two plain words~"),
        ("\u{1B}]0;owned\u{07}title", "]0;ownedtitle"),
        ("\u{1B}[2J\u{9B}31m", "[2J31m"),
        ("a\r\nb\tc", "a b c"),
        ("a\u{2028}b\u{85}c", "a b c"),
        ("  spaces \u{3000} inside ", "spaces inside"),
        ("\u{202E}gpj.exe\u{2066}", "gpj.exe"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"),
        ("family 👨‍👩‍👧", "family 👨‍👩‍👧"),
        ("日本語", "日本語"),
        ("nul\0byte\u{7F}", "nulbyte"),
        ("\u{E000}private", "private"),
    ])
    func `a line has nothing that a terminal obeys`(text: String, line: String) {
        #expect(PlainText.line(text) == line)
    }

    @Test func `no text whatever gets a control character through`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<20 {
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &generator)) {
                    text.append(scalar)
                }
            }
            let line = PlainText.line(String(text))
            #expect(!line.unicodeScalars.contains { isObeyed($0) })
            #expect(PlainText.line(line) == line)
        }
    }

    /// What a terminal obeys, by the Unicode standard's own words for it.
    private func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        let breaks: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        return breaks.contains(scalar.properties.generalCategory) || scalar.properties.isBidiControl
    }

    @Test func `lines are kept apart and trimmed at both ends`() {
        #expect(PlainText.lines("\n\n a \u{1B}b\r\nc\n\n") == ["a b", "c"])
    }
}

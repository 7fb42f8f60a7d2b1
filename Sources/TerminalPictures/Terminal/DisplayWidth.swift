/// How many columns a terminal needs for text: two for East Asian wide characters and emoji, none for combining marks.
/// About characters of several code points, terminals differ.
package struct DisplayWidth: Hashable, Sendable {
    /// Whether emoji joined by U+200D, and one with a color of skin, are a single one of two columns.
    var joinsEmoji = true
    var joinsSkin = true
    /// Whether U+FE0F makes an emoji of two columns of the character before it.
    var selectsEmoji = true
    /// Whether letters that are written as one take the columns of one.
    var joinsLetters = true
    /// The columns of a vowel's sign that has a place of its own, and of a vowel or final consonant of old Hangul.
    var vowelSign = 0
    var jamo = 0

    /// As most terminals count.
    package static let usual = DisplayWidth()

    /// One of each: a family, a thumb, a heart, two Devanagari letters, one with the sign of a vowel, a syllable.
    static let samples = ["👨‍👩‍👧", "👍🏽", "❤️", "क्ष", "कि", "ᄒᆞᆫ"]

    package func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character: 0, 1 or 2, and more where the terminal does not join what it consists of.
    package func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard scalars.count > 1 else { return scalars.first.map(of) ?? 0 }
        var (width, last, isJoined) = (0, 0, false)
        for scalar in scalars {
            let own = width == 0 ? of(scalar) : columns(of: scalar, after: last, isJoined: isJoined)
            isJoined = scalar.value == 0x200D
            width += own
            if own > 0 { last = own }
        }
        return width
    }

    /// The columns of a code point within a character, after one of so many columns.
    private func columns(of scalar: Unicode.Scalar, after last: Int, isJoined: Bool) -> Int {
        switch scalar.value {
        case 0xFE0F: selectsEmoji && last == 1 ? 1 : 0
        case 0x1F3FB...0x1F3FF: joinsSkin ? 0 : 2
        // The second half of a flag.
        case 0x1F1E6...0x1F1FF: 0
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: jamo
        // Thai and Lao vowels of which one half stands beside the letter.
        case 0x0E33, 0x0EB3: 1
        case _ where scalar.properties.generalCategory == .spacingMark: vowelSign
        default: (isJoined ? joinsEmoji : joinsLetters) ? 0 : of(scalar)
        }
    }

    /// `text` cut to `columns`, with `…` at its end if anything was cut.
    package func truncated(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        return columns > 0 ? String(first(of: text, within: columns - 1)) + "…" : ""
    }

    /// `text` cut in the middle to `columns`, with `…` in place of what was cut.
    package func shortened(_ text: String, to columns: Int) -> String {
        guard of(text) > columns, columns > 2 else { return truncated(text, to: columns) }
        let head = truncated(text, to: (columns + 2) / 2)
        return head + first(of: text.reversed(), within: columns - of(head)).reversed()
    }

    private func first(of characters: some Sequence<Character>, within columns: Int) -> [Character] {
        var used = 0
        return characters.prefix {
            used += of($0)
            return used <= columns
        }
    }

    package func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    private func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        case _ where scalar.properties.isEmojiPresentation: 2
        default: Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Unicode 16's East Asian Width W and F, with adjacent blocks merged where only unassigned characters lie between.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]
}

extension DisplayWidth {
    /// - Parameter columns: The columns that ``samples`` took, in their order.
    init(columns: [Int]) {
        self.init()
        guard columns.count == Self.samples.count, columns.allSatisfy((1...12).contains) else { return }
        (joinsEmoji, joinsSkin, selectsEmoji) = (columns[0] == 2, columns[1] == 2, columns[2] == 2)
        (joinsLetters, vowelSign) = (columns[3] == 1, columns[4] > 1 ? 1 : 0)
        jamo = columns[5] > 2 ? 1 : 0
    }
}

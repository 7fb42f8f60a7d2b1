/// How many columns a terminal needs for text: two for East Asian wide characters and emoji, none for
/// combining marks.
enum DisplayWidth {
    /// The columns of `text`.
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// How a terminal counts characters of several code points, about which they differ.
    struct Rules: Hashable, Sendable {
        /// Whether joined emoji, or one with a color of skin, are a single one of two columns.
        var joinsEmoji = true
        /// The columns of ``cluster``: 1 where it is one letter, 2 where each of its letters counts, 3 where signs
        /// of vowels do as well.
        var cluster = 1

        /// Four people who are one family.
        static let family = "👩‍👩‍👧‍👦"
        /// Two Devanagari letters that are written as one, with the sign of a vowel.
        static let cluster = "क्षि"
    }

    /// How the terminal counts whose screen is being laid out.
    @TaskLocal static var rules = Rules()

    /// The columns of one character: 0, 1 or 2, and more where the terminal does not join what it consists of.
    static func of(_ character: Character) -> Int {
        if let added = added(character, rules) { return added }
        var width = 0
        for scalar in character.unicodeScalars {
            // U+FE0F selects the emoji form of the character before it.
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, of(scalar))
        }
        return width
    }

    /// `text` cut to `columns`, with `…` at its end if anything was cut.
    static func truncated(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += of(character)
            if used > columns { break }
            kept.append(character)
        }
        return columns > 0 ? kept + "…" : ""
    }

    /// `text` cut in the middle to `columns`, with `…` in place of what was cut.
    static func shortened(_ text: String, to columns: Int) -> String {
        guard of(text) > columns, columns > 2 else { return truncated(text, to: columns) }
        let head = truncated(text, to: (columns + 2) / 2)
        var tail = ""
        var used = of(head)
        for character in text.reversed() {
            used += of(character)
            if used > columns { break }
            tail.insert(character, at: tail.startIndex)
        }
        return head + tail
    }

    /// `text` padded with spaces to `columns`.
    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    /// The columns of its code points together; `nil` where the terminal does not add them.
    private static func added(_ character: Character, _ rules: Rules) -> Int? {
        let scalars = character.unicodeScalars
        guard rules != Rules(), scalars.count > 1, let first = scalars.first else { return nil }
        if first.properties.isEmoji, first.value > 0x7F {
            let isJoined = scalars.contains { $0.value == 0x200D || $0.properties.isEmojiModifier }
            return rules.joinsEmoji || !isJoined ? nil : scalars.reduce(0) { $0 + of($1) }
        }
        guard rules.cluster > 1 else { return nil }
        return scalars.reduce(0) { width, scalar in
            let isSign = scalar.properties.generalCategory == .spacingMark
            // Vowels and final consonants of old Hangul are written into the first one's columns.
            let isWithin =
                (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
            return width + (isWithin || isSign && rules.cluster == 2 ? 0 : of(scalar))
        }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Unicode 16's East Asian Width W and F, with adjacent blocks merged where only unassigned characters lie between.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF,
        0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]
}

/// Makes untrusted text safe to show.
///
/// Whatever comes from outside passes through here before it reaches a terminal, an error, a file name, HTML or SVG:
/// terminals execute control sequences (CVE-2024-38396, CVE-2003-0070), and bidirectional controls disguise text.
public enum PlainText {
    /// `text` on one line, without control, bidirectional and invisible characters, and with single spaces alone.
    public static func line(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                needsSpace = !result.isEmpty
            } else if !isHidden(scalar) {
                if needsSpace { result.append(" ") }
                needsSpace = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether it needs no change: printable ASCII without a space at its ends or beside another.
    private static func isPlain(_ text: String) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return last != 0x20 || text.isEmpty
    }

    /// The lines of `text`, each as from ``line(_:)``, without empty lines at either end.
    public static func lines(_ text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line(String($0)) }
        while lines.last == "" { lines.removeLast() }
        while lines.first == "" { lines.removeFirst() }
        return lines
    }

    /// The first `limit` characters of ``line(_:)``, ending with `…` if some were cut.
    public static func excerpt(_ text: String, limit: Int = 60) -> String {
        let line = line(String(text.prefix(limit * 4)))
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    /// Whether a character is invisible or a control. Joiners are not, since emoji and several scripts need them.
    public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x200C, 0x200D: false
        case 0..<0x20, 0x7F..<0xA0, 0xE0000...0xE0FFF: !(0xE0020...0xE007F).contains(scalar.value)
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
            default: false
            }
        }
    }
}

extension String {
    /// A sentence as a part of another one.
    package var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

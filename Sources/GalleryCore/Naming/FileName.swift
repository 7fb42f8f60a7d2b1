import Foundation

/// Turns untrusted text into file names that are safe on every system.
///
/// Every result is a single path component: it has no separator, is not empty, `.` or `..`, and names no device.
package enum FileName {
    /// The most UTF-8 bytes in a component: file systems allow 255, of which extensions, such as `.part.json`, get 15.
    package static let longest = 240

    /// `text` as a component of at most `limit` bytes, or `fallback` if nothing of it remains. Safe text is unchanged,
    /// so applying this twice is the same as once.
    package static func component(_ text: String, fallback: String, limit: Int = longest) -> String {
        let candidates = [text, fallback].lazy.map { shortened(trimmed(cleaned($0)), to: limit) }
        var name = candidates.first { !$0.isEmpty } ?? "photo"
        // Cutting may reveal a device's name, and escaping that may require another cut.
        var before = ""
        while name != before {
            before = name
            name = shortened(unreserved(name), to: limit)
        }
        return name
    }

    /// `text` without characters that are unsafe anywhere in a name.
    ///
    /// Separators and what Windows forbids become `_`, runs of white space one space. Invisible characters are removed:
    /// controls, direction marks, zero widths, the replacement character, noncharacters. Joiners stay where they join.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var joiner: Unicode.Scalar?
        // Composition takes time quadratic in the number of combining marks, so limit the input.
        for scalar in text.unicodeScalars.prefix(4 * 255) {
            if scalar.isJoiner {
                joiner = scalars.last?.isJoined == true ? scalar : nil
                continue
            }
            if let joiner, scalar.isJoined { scalars.append(joiner) }
            joiner = nil
            if (0x21..<0x7F).contains(scalar.value) {
                scalars.append("/\\<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar)
            } else if scalar.properties.isWhitespace {
                // Some controls are white space, so this comes first.
                if scalars.last != " " { scalars.append(" ") }
            } else if !scalar.isInvisible {
                scalars.append(scalar)
            }
        }
        return composed(String(scalars))
    }

    /// `text` in NFC, as typed on Linux and Windows.
    private static func composed(_ text: String) -> String {
        // Foundation takes longer over plain text than everything else here together.
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// `text` without characters that are unsafe at either end of a name: a leading dot hides a file, a dash looks like
    /// an option, and `~` like a home folder; Windows drops trailing dots and spaces.
    static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, " .-~".unicodeScalars.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, " .".unicodeScalars.contains(last) || last.isJoiner {
            scalars.removeLast()
        }
        return String(scalars)
    }

    /// The longest prefix of at most `limit` bytes, cut between grapheme clusters unless the first is longer than that.
    package static func shortened(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var room = limit
        let characters = text.prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        if !characters.isEmpty { return trimmed(String(characters)) }
        room = limit
        let scalars = text.unicodeScalars.prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return trimmed(String(scalars))
    }

    /// A key that is equal for names of the same file on some system: macOS and Windows ignore case and composition. It
    /// is coarser than any system, so that `ß` equals `ss`, and joiners are nothing.
    package static func collisionKey(_ path: String) -> String {
        composed(composed(withoutJoiners(path)).uppercased().lowercased())
    }

    static func withoutJoiners(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? path : String(path.unicodeScalars.filter { !$0.isJoiner })
    }

    /// `name`, changed if it would be a device on Windows, whatever its extension, or one of our parts.
    private static func unreserved(_ name: String) -> String {
        // By scalars: a combining mark after a dot would hide the dot.
        let stem = trimmed(String(name.unicodeScalars.prefix { $0 != "." })).uppercased()
        if devices.contains(stem) { return "_" + name }
        let end = name.unicodeScalars.suffix(5)
        guard end.first == ".", String(end).lowercased() == ".part" else { return name }
        // Its metadata, `.part.json`, would be mistaken for the note beside a part.
        return String(name.unicodeScalars.dropLast(5)) + "_part"
    }

    private static let devices: Set<String> = {
        let numbered = ["COM", "LPT"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }
        return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"] + numbered)
    }()

    // MARK: - Identifiers

    /// A photo's identifier for use in a name, at most 64 bytes. A changed one gets a digest of the original, so that
    /// `-5` and `5`, or two long ones with a common start, differ.
    package static func identifier(_ value: String) -> String {
        let longest = 64
        let name = component(value, fallback: "photo", limit: longest)
        if name.utf8.elementsEqual(value.utf8) { return name }
        // Eight hexadecimal digits. Collisions can be constructed, but then only number the later file.
        let hash = FNV1a.hash(value.utf8)
        let digest = Hexadecimal.text(UInt32(truncatingIfNeeded: hash ^ hash >> 32))
        return shortened(name, to: longest - 1 - digest.utf8.count) + "~" + digest
    }

    /// The same of a photo; of a picture of a folder that is known by its path eight digits, for that would fill a name.
    static func identifier(of photo: PhotoID) -> String {
        let isPath = photo.service == Folder.word && photo.value.hasPrefix("/")
        return String(identifier(photo.value).suffix(isPath ? 8 : .max))
    }

    /// Whether no other identifier gives the same name, even on a system that ignores case.
    package static func isPlain(identifier value: String) -> Bool {
        let isPlain = value.utf8.allSatisfy("0123456789abcdefghijklmnopqrstuvwxyz_-".utf8.contains)
        return isPlain && identifier(value).utf8.elementsEqual(value.utf8)
    }
}

extension Unicode.Scalar {
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Whether it is of a script whose characters joiners join, or an emoji. Composition leads out of none of these.
    fileprivate var isJoined: Bool {
        [0x600..<0x1E00, 0x2600..<0x2A00, 0xA800..<0xAC00, 0x10000..<0x20000].contains { $0.contains(value) }
            && !isInvisible
    }

    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse: true
        default:
            properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint || self == "\u{FFFD}"
        }
    }
}

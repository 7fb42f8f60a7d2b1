import Foundation

/// Strangers' text made into names of files and folders that are safe on every system.
///
/// Everything here is pure. What comes out is one component: it holds no separator,
/// is neither empty nor `.` nor `..`, and names no device.
enum FileName {
    /// Bytes of UTF-8 a component may have: 255 is the limit of nearly every file
    /// system, and 15 are for what is added, of which `.part.json` is the longest.
    static let longest = 240

    /// `text` as a component of at most `limit` bytes, or `fallback` where nothing of it is left.
    ///
    /// Text that is safe comes out as it went in, and what comes out stays when it goes in again.
    static func component(_ text: String, fallback: String, limit: Int = longest) -> String {
        let candidates = [text, fallback].lazy.map { shortened(trimmed(cleaned($0)), to: limit) }
        var name = candidates.first { !$0.isEmpty } ?? "photo"
        // A cut may bare a device's name, and what is put before that ask for a cut.
        var before = ""
        while name != before {
            before = name
            name = shortened(unreserved(name), to: limit)
        }
        return name
    }

    /// `text` without the characters that harm anywhere in a name.
    ///
    /// Separators and what Windows forbids become `_`, so that words stay apart. White
    /// space of any kind, and as much as there is, becomes one space. What cannot be
    /// seen is left out: control characters, marks of direction, zero-width characters,
    /// the stand-in for broken text, and characters without a meaning of their own.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        // Composing sorts marks, in a time that grows with their square: four times
        // what fits a name will do, whatever a service sends as a title.
        for scalar in text.unicodeScalars.prefix(4 * 255) {
            switch scalar.fate {
            case .stays: scalars.append(scalar)
            case .separates: scalars.append("_")
            case .spaces: if scalars.last != " " { scalars.append(" ") }
            case .goes: continue
            }
        }
        // One form for what looks the same: NFC, as Linux and Windows users type it.
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    /// `text` without what harms at a name's start and end: dots there hide a file or
    /// lead out of a folder, a dash is read as an option, `~` as a home; Windows drops
    /// dots and spaces at the end.
    static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, " .-~".unicodeScalars.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, " .".unicodeScalars.contains(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// The beginning of `text` that has at most `limit` bytes, cut between characters
    /// as people count them; within one only where it alone is longer.
    static func shortened(_ text: String, to limit: Int) -> String {
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

    /// What two names have in common that are one file on some system: macOS and
    /// Windows see neither case nor how a letter is composed.
    ///
    /// Finer differences than any system makes are lost, such as `ß` and `ss`: two
    /// names too many are told apart, never too few.
    static func collisionKey(_ path: String) -> String {
        let composed = path.precomposedStringWithCanonicalMapping
        return composed.uppercased().lowercased().precomposedStringWithCanonicalMapping
    }

    /// `name`, changed where it means something else: a device to Windows, whatever
    /// extension it has, or a part to us.
    private static func unreserved(_ name: String) -> String {
        // By scalars: a mark behind a dot hides the dot in a character of its own.
        let stem = trimmed(String(name.unicodeScalars.prefix { $0 != "." })).uppercased()
        if devices.contains(stem) { return "_" + name }
        let end = name.unicodeScalars.suffix(5)
        guard end.first == ".", String(end).lowercased() == ".part" else { return name }
        // As a photo's name its `.json` would be the note beside another's part.
        return String(name.unicodeScalars.dropLast(5)) + "_part"
    }

    private static let devices: Set<String> = {
        let numbered = ["COM", "LPT"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }
        return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"] + numbered)
    }()
}

/// What becomes of a character in a file's name.
private enum Fate {
    case stays, separates, spaces, goes
}

extension Unicode.Scalar {
    fileprivate var fate: Fate {
        if value < 0x7F {
            if "/\\<>:\"|?*".unicodeScalars.contains(self) { return .separates }
            if value > 0x20 { return .stays }
        }
        // Before the controls, of which some are white space.
        if properties.isWhitespace { return .spaces }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse: return .goes
        default: break
        }
        let isNothing = properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        return isNothing || self == "\u{FFFD}" ? .goes : .stays
    }
}

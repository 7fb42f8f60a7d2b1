/// The terminal programs whose ways with pictures are known.
enum TerminalProgram: Hashable, Sendable {
    /// `takesParts`: whether a file may come in several sequences, as since 3.5.
    case iTerm2(takesParts: Bool)
    case wezTerm, mintty, konsole
    /// Visual Studio Code and its relatives. Pictures are an option of theirs.
    case xtermJS
    /// `placesByText`: whether characters can stand for a picture's cells, as since 0.28.
    case kitty(placesByText: Bool)
    case ghostty
    /// Programs without pictures that print what they do not understand.
    case wordy
    case other

    /// By the name and version it gave itself.
    ///
    /// Source: what these terminals answered to `CSI > q` in ucs-detect's records of 2023 to 2026.
    init(version text: String) {
        let words = text.split { $0 == " " || $0 == "(" || $0 == ")" }
        let version = Self.version(words.dropFirst().first ?? "")
        switch words.first?.lowercased() {
        case "iterm2": self = .iTerm2(takesParts: version >= [3, 5])
        case "wezterm": self = .wezTerm
        case "mintty": self = .mintty
        case "konsole": self = version >= [22, 4] ? .konsole : .other
        case "xterm.js": self = .xtermJS
        case "kitty": self = .kitty(placesByText: version >= [0, 28])
        case "ghostty": self = .ghostty
        default: self = .other
        }
    }

    /// By what it sets for its children. Weaker: terminals started from others inherit it.
    init(_ environment: [String: String]) {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let version = value("TERM_PROGRAM_VERSION")
        switch value("TERM_PROGRAM") {
        case "iTerm.app": self = .iTerm2(takesParts: Self.version(version) >= [3, 5])
        case "WezTerm": self = .wezTerm
        case "mintty": self = .mintty
        case "vscode": self = .xtermJS
        case "ghostty": self = .ghostty
        case "Apple_Terminal": self = .wordy
        default: self = Self.byOtherVariables(value)
        }
    }

    private static func byOtherVariables(_ value: (String) -> String) -> TerminalProgram {
        switch value("TERM") {
        case "xterm-kitty": return .kitty(placesByText: false)
        case "xterm-ghostty": return .ghostty
        case "linux", "cons25", "eterm-color": return .wordy
        default: break
        }
        // Through ssh, which hands on LC_ variables, as iTerm2 knows.
        if value("LC_TERMINAL") == "iTerm2" {
            return .iTerm2(takesParts: version(value("LC_TERMINAL_VERSION")) >= [3, 5])
        }
        // `221203` for 22.12.3.
        if let number = Int(value("KONSOLE_VERSION")), number >= 220_400 { return .konsole }
        return .other
    }

    /// Whether a file is shown by iTerm2's protocol.
    var speaksITerm: Bool {
        switch self {
        case .iTerm2, .wezTerm, .mintty, .konsole: true
        case .xtermJS, .kitty, .ghostty, .wordy, .other: false
        }
    }

    /// Whether its pictures can be placed by characters.
    var placesByText: Bool { self == .kitty(placesByText: true) || self == .ghostty }

    /// Whether it speaks kitty's protocol.
    var speaksKitty: Bool {
        switch self {
        case .kitty, .ghostty: true
        case .iTerm2, .wezTerm, .mintty, .konsole, .xtermJS, .wordy, .other: false
        }
    }

    /// `3.5.0beta17` as its leading numbers.
    private static func version(_ text: some StringProtocol) -> PictureVersion {
        PictureVersion(
            text.split(separator: ".").prefix(2).map { part in
                Int(part.prefix { $0.isASCII && $0.isNumber }) ?? 0
            })
    }
}

/// A version's first numbers, compared one by one.
private struct PictureVersion: ExpressibleByArrayLiteral {
    private let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }
    init(arrayLiteral numbers: Int...) { self.numbers = numbers }

    static func >= (one: PictureVersion, other: PictureVersion) -> Bool {
        !one.numbers.lexicographicallyPrecedes(other.numbers)
    }
}

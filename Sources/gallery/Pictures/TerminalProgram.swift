/// Terminal programs that are treated in their own way.
enum TerminalProgram: Hashable, Sendable {
    /// `takesParts`: whether a file may come in several sequences (since 3.5).
    case iTerm2(takesParts: Bool)
    case wezTerm, mintty, konsole
    /// Visual Studio Code and its relatives, where pictures are an option.
    case xtermJS
    /// `placesByText`: whether characters can stand for a picture's cells (since 0.28).
    case kitty(placesByText: Bool)
    case ghostty
    /// Programs without pictures that print sequences they do not understand.
    case wordy
    case other

    /// The program by the name and version that it reports.
    ///
    /// Source: what these terminals answered to `CSI > q` in ucs-detect's records of 2023 to 2026.
    init(version text: String) {
        let words = text.split { $0 == " " || $0 == "(" || $0 == ")" }
        let version = Self.version(words.dropFirst().first ?? "")
        switch words.first?.lowercased() {
        case "iterm2": self = .iTerm2(takesParts: version.isAtLeast([3, 5]))
        case "wezterm": self = .wezTerm
        case "mintty": self = .mintty
        case "konsole": self = version.isAtLeast([22, 4]) ? .konsole : .other
        case "xterm.js": self = .xtermJS
        case "kitty": self = .kitty(placesByText: version.isAtLeast([0, 28]))
        case "ghostty": self = .ghostty
        default: self = .other
        }
    }

    /// The program by the environment, which terminals started from others inherit.
    init(_ environment: [String: String]) {
        func value(_ name: String) -> String { environment[name] ?? "" }
        switch (value("TERM_PROGRAM"), value("TERM")) {
        case ("iTerm.app", _): self.init(version: "iTerm2 \(value("TERM_PROGRAM_VERSION"))")
        case ("WezTerm", _): self = .wezTerm
        case ("mintty", _): self = .mintty
        case ("vscode", _): self = .xtermJS
        case ("Apple_Terminal", _): self = .wordy
        case ("ghostty", _), (_, "xterm-ghostty"): self = .ghostty
        case (_, "linux"), (_, "cons25"), (_, "eterm-color"): self = .wordy
        case (_, "xterm-kitty"): self = .kitty(placesByText: false)
        // iTerm2 through ssh, which passes LC_ variables on.
        case _ where value("LC_TERMINAL") == "iTerm2":
            self.init(version: "iTerm2 \(value("LC_TERMINAL_VERSION"))")
        // `221203` for 22.12.3.
        case _ where Int(value("KONSOLE_VERSION")) ?? 0 >= 220_400: self = .konsole
        default: self = .other
        }
    }

    /// The program by all that is known. What it reports counts most, and a program that would have reported
    /// its name is not the one if the terminal answers without it.
    init(_ environment: [String: String], answers: TerminalAnswers?) {
        if let version = answers?.version {
            self.init(version: version)
            return
        }
        self.init(environment)
        guard answers?.attributes != nil else { return }
        switch self {
        case .wezTerm, .kitty, .ghostty: self = .other
        case .iTerm2, .mintty, .konsole, .xtermJS, .wordy, .other: break
        }
    }

    /// Whether its pictures can be placed by characters.
    var placesByText: Bool { self == .kitty(placesByText: true) || self == .ghostty }

    /// Whether it speaks kitty's protocol.
    var speaksKitty: Bool {
        switch self {
        case .kitty, .ghostty, .konsole: true
        case .iTerm2, .wezTerm, .mintty, .xtermJS, .wordy, .other: false
        }
    }

    /// The leading numbers of `3.5.0beta17`.
    private static func version(_ text: Substring) -> [Int] {
        text.split(separator: ".").prefix(2).map { part in
            Int(part.prefix { $0.isASCII && $0.isNumber }) ?? 0
        }
    }
}

extension [Int] {
    /// Whether this version is that one or a later one.
    fileprivate func isAtLeast(_ version: [Int]) -> Bool { !lexicographicallyPrecedes(version) }
}

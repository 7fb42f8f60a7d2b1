/// How this terminal shows pictures: decided by what the user chose, the environment, and the terminal's answers.
package struct PictureSupport: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        case shown(PictureProtocol)
        /// Text only; the reason is a sentence, or `nil` if the user chose so.
        case none(because: String?)
    }

    package private(set) var method = Method.none(because: nil)
    /// The protocol for files that the first one cannot show.
    private(set) var fallback = PictureProtocol.symbols
    package let program: TerminalProgram
    package let multiplexer: Multiplexer
    /// `nil` if nothing was asked.
    package let answers: TerminalAnswers?
    /// What tmux says of the terminal around it.
    package let tmux: Tmux?
    package let term: String
    package let colors: PictureColors

    /// Whether tmux stands between us and the terminal, and sequences have to be wrapped for it.
    package var isInTmux: Bool { multiplexer == .tmux }
    package var passesThrough: Bool { isInTmux && tmux?.passesThrough == true }

    /// Whether the terminal reads UTF-8, whatever the environment says of it; taken for granted where it does not tell.
    package var readsUTF8: Bool { answers?.readsUTF8 != false && tmux?.readsUTF8 != false }

    /// Whether the terminal has not answered at all, so that its name has to do.
    var isSilent: Bool { answers?.attributes == nil }

    /// A protocol that is the `choice` is used on any terminal, whatever `TERM` and `NO_COLOR` say, but never without
    /// one. `answers` is `nil` if the terminal was not asked, `tmux` if it is none of its panes.
    package init(
        _ choice: PictureChoice, _ environment: [String: String], answers: TerminalAnswers?,
        tmux: Tmux? = nil, isTerminal: Bool
    ) {
        multiplexer = Multiplexer(environment, answers: answers)
        program =
            switch multiplexer {
            case .none: TerminalProgram(environment, answers: answers)
            case .tmux: tmux.map(\.outerProgram) ?? .other
            case .opaque: .other
            }
        (self.answers, self.tmux, term) = (answers, tmux, environment["TERM"] ?? "")
        colors = PictureColors(environment, program, answers: answers, in: multiplexer)
        let supported = PictureProtocol.all.filter { way in
            switch multiplexer {
            case .none, .opaque(isScreen: false): way.isShown(self)
            case .tmux: way.isShownInTmux(self)
            case .opaque(isScreen: true): way == .symbols
            }
        }
        fallback = supported.first { !$0.needsPassthrough } ?? .symbols
        method =
            Self.refusal(choice, environment, isTerminal: isTerminal) ?? choice.chosen.map { chosen in
                !chosen.needsPassthrough || multiplexer == .none || passesThrough
                    ? .shown(chosen)
                    : .none(
                        because: "This multiplexer does not let pictures through; in tmux, run "
                            + "'tmux set -p allow-passthrough on'.")
            } ?? .shown(supported.first ?? .symbols)
    }

    package var used: PictureProtocol? { if case .shown(let used) = method { used } else { nil } }

    private static func refusal(
        _ choice: PictureChoice, _ environment: [String: String], isTerminal: Bool
    ) -> Method? {
        guard isTerminal else { return Method.none(because: "Pictures are only shown on a terminal.") }
        guard choice == .auto else { return choice == .none ? Method.none(because: nil) : nil }
        let term = environment["TERM"] ?? ""
        if term.isEmpty || term == "dumb" {
            return Method.none(because: "No pictures: TERM does not name a terminal that can show them.")
        }
        // https://no-color.org: set and not empty; a word on the command line overrides it.
        if !(environment["NO_COLOR"] ?? "").isEmpty {
            return Method.none(because: "No pictures, because NO_COLOR is set.")
        }
        return nil
    }
}

/// How pictures are shown, as `--picture` of `browse` names it. The flag of that name of `show` stands for `auto`.
package enum PictureChoice: String, CaseIterable {
    /// The best that the terminal is found to support.
    case auto
    case iterm, kitty, sixel, symbols
    case none

    var chosen: PictureProtocol? { PictureProtocol.all.first { $0.name == rawValue } }
}

/// One way to show pictures on a terminal: one file, which extends this type with a static value. ``all`` and
/// ``PictureChoice`` are the only other places that name it.
package struct PictureProtocol: Sendable {
    /// What `--picture` calls it.
    package let name: String
    /// Whether a multiplexer has to pass its sequences on to the terminal around it.
    let needsPassthrough: Bool
    package let needsChafa: Bool
    /// Whether the terminal shows it where no tmux stands before it.
    let isShown: @Sendable (PictureSupport) -> Bool
    let isShownInTmux: @Sendable (PictureSupport) -> Bool
    /// Paints a picture, a part of it, or all frames of an animation: none where the terminal plays files, or cannot.
    let paint: @Sendable (PictureJob) async throws(Chafa.Fault) -> [PaintedPicture]

    /// Every protocol, the best first; the last one works on any terminal.
    static let all: [PictureProtocol] = [.iterm, .kitty, .sixel, .symbols]
}

extension PictureProtocol: Hashable {
    package static func == (one: PictureProtocol, other: PictureProtocol) -> Bool { one.name == other.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What stands between us and the terminal.
package enum Multiplexer: Hashable, Sendable {
    case none
    case tmux
    /// One that shows no more than it says itself.
    case opaque(isScreen: Bool)

    init(_ environment: [String: String], answers: TerminalAnswers?) {
        func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
        let name = answers?.version.map { String($0.prefix { $0 != " " && $0 != "(" }).lowercased() }
        let term = environment["TERM"] ?? ""
        switch name {
        case "tmux": self = .tmux
        case "zellij": self = .opaque(isScreen: false)
        // Another terminal was started from one of these and inherited their variables.
        case .some where name != "screen": self = .none
        case _ where isSet("TMUX") || term.hasPrefix("tmux"): self = .tmux
        case _ where isSet("STY") || term.hasPrefix("screen") || name == "screen":
            self = .opaque(isScreen: true)
        case _ where isSet("ZELLIJ"): self = .opaque(isScreen: false)
        default: self = .none
        }
    }
}

/// Terminal programs that are treated in their own way.
package enum TerminalProgram: Hashable, Sendable {
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

    /// By the name and version that it reports. Source: answers to `CSI > q` in ucs-detect's records of 2023 to 2026.
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
        switch self {
        case .wezTerm, .kitty, .ghostty: if answers?.attributes != nil { self = .other }
        case .iTerm2, .mintty, .konsole, .xtermJS, .wordy, .other: break
        }
    }

    package var placesByText: Bool { self == .kitty(placesByText: true) || self == .ghostty }

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
    fileprivate func isAtLeast(_ version: [Int]) -> Bool { !lexicographicallyPrecedes(version) }
}

import Arguments
import GalleryCore

/// How this terminal shows pictures: a pure decision from what was asked for, what is set, and what was answered.
struct TerminalPictureSupport: Hashable, Sendable {
    /// The ways to show a picture, and not to.
    enum Method: Hashable, Sendable {
        case iterm, kitty, sixel, symbols
        /// Words only; `because` says why, in a sentence.
        case none(because: String?)
    }

    let method: Method
    /// For files that the program cannot read itself, and for sequences that tmux would not take.
    let secondMethod: Method
    let program: TerminalProgram
    /// Whether tmux stands between us and the terminal: sequences of kitty and iTerm2 are wrapped for it.
    let isInTmux: Bool
    let colors: PictureColors

    /// Decides.
    ///
    /// - Parameters:
    ///   - choice: What the user asked for. A way asked for by name is taken on any terminal,
    ///     whatever `TERM` and `NO_COLOR` say, but never where there is no terminal.
    ///   - answers: `nil` where nothing was asked.
    ///   - tmux: What tmux says, if it is the one of this terminal.
    init(
        _ choice: PictureChoice, _ environment: [String: String], answers: TerminalAnswers?,
        tmux: PictureTmux? = nil, isTerminal: Bool
    ) {
        let multiplexer = PictureMultiplexer(environment, answers: answers)
        let program: TerminalProgram
        switch multiplexer {
        case .none: program = Self.program(environment, answers)
        case .tmux: program = tmux.map(Self.outerProgram) ?? .other
        case .opaque: program = .other
        }
        self.program = program
        let passes = multiplexer == .tmux && tmux?.passesThrough == true
        let answered = Self.answered(
            program, multiplexer, answers, tmux, term: environment["TERM"] ?? "")
        isInTmux = multiplexer == .tmux
        colors = PictureColors(environment, program)
        secondMethod = answered.contains(.sixel) ? .sixel : .symbols
        method =
            Self.refusal(choice, environment, isTerminal: isTerminal)
            ?? Self.named(choice, multiplexer, passes: passes)
            ?? [.iterm, .kitty, .sixel].first(where: answered.contains) ?? .symbols
    }

    private static func refusal(
        _ choice: PictureChoice, _ environment: [String: String], isTerminal: Bool
    ) -> Method? {
        guard isTerminal else { return .none(because: "Pictures are only shown on a terminal.") }
        guard choice == .auto else { return choice == .none ? Method.none(because: nil) : nil }
        let term = environment["TERM"] ?? ""
        if term.isEmpty || term == "dumb" {
            return .none(because: "No pictures: TERM does not name a terminal that can show them.")
        }
        // https://no-color.org: set and not empty; a word on the command line overrides it.
        if !(environment["NO_COLOR"] ?? "").isEmpty {
            return .none(because: "No pictures, because NO_COLOR is set.")
        }
        return nil
    }

    private static func named(
        _ choice: PictureChoice, _ multiplexer: PictureMultiplexer, passes: Bool
    ) -> Method? {
        switch choice {
        case .auto: return nil
        case .none: return Method.none(because: nil)
        case .symbols: return .symbols
        case .sixel: return .sixel
        case .kitty, .iterm:
            guard multiplexer == .none || passes else {
                return .none(
                    because: "This multiplexer does not pass pictures on; in tmux, run "
                        + "'tmux set -p allow-passthrough on'.")
            }
            return choice == .kitty ? .kitty : .iterm
        }
    }

    /// What it calls itself counts more than what is set; where it has answered at all, the programs that
    /// would have named themselves are not it.
    private static func program(
        _ environment: [String: String], _ answers: TerminalAnswers?
    ) -> TerminalProgram {
        if let version = answers?.version { return TerminalProgram(version: version) }
        let program = TerminalProgram(environment)
        guard answers?.attributes != nil else { return program }
        switch program {
        case .wezTerm, .kitty, .ghostty: return .other
        case .iTerm2, .mintty, .konsole, .xtermJS, .wordy, .other: return program
        }
    }

    private static func outerProgram(_ tmux: PictureTmux) -> TerminalProgram {
        tmux.outerVersion.isEmpty
            ? TerminalProgram(["TERM": tmux.outerTerm]) : TerminalProgram(version: tmux.outerVersion)
    }

    /// The ways that are known to work here.
    private static func answered(
        _ program: TerminalProgram, _ multiplexer: PictureMultiplexer, _ answers: TerminalAnswers?,
        _ tmux: PictureTmux?, term: String
    ) -> Set<Method> {
        var methods: Set<Method> = []
        let hasSixel = answers?.hasSixel ?? false
        switch multiplexer {
        case .tmux:
            // Characters that stand for a picture are text, which tmux can move about.
            if tmux?.passesThrough == true, program.placesByText { methods.insert(.kitty) }
            if tmux?.passesThrough == true, program.speaksITerm { methods.insert(.iterm) }
            // Both must: tmux answers for itself and prints `SIXEL IMAGE` where the other one does not.
            if hasSixel, tmux?.outerHasSixel == true { methods.insert(.sixel) }
        case .opaque where multiplexer.isScreen: break
        case .none, .opaque:
            if program.speaksITerm || program == .xtermJS && hasSixel { methods.insert(.iterm) }
            if answers?.hasKitty ?? false { methods.insert(.kitty) }
            if hasSixel { methods.insert(.sixel) }
            if answers?.attributes == nil {
                if program.speaksKitty { methods.insert(.kitty) }
                if ["foot", "foot-extra", "mlterm"].contains(term) { methods.insert(.sixel) }
            }
        }
        return methods
    }

    /// Whether the program itself can read such a file.
    func shows(_ type: PictureType) -> Bool {
        switch (method, program, type) {
        case (.kitty, _, _): type == .png
        case (.iterm, _, .jpeg), (.iterm, _, .png), (.iterm, _, .gif): true
        case (.iterm, .wezTerm, .webp): true
        // iTerm2 reads what macOS reads; of others that were named by hand nothing is known.
        case (.iterm, .iTerm2, _), (.iterm, .other, _): true
        default: false
        }
    }
}

/// How pictures are shown, as `--picture` of `browse` names it.
///
///     @Option(help: PictureChoice.help)
///     var picture = PictureChoice.auto
///
/// `show` has a flag of the same name, which stands for `auto`.
enum PictureChoice: String, ExpressibleByArgument, CaseIterable {
    /// What the terminal is found to do.
    case auto
    /// The protocols of kitty and of iTerm2, and DEC's sixels, whatever the terminal says.
    case kitty, iterm, sixel
    /// Colored characters.
    case symbols
    /// Words only.
    case none

    static var help: ArgumentHelp { "How the pictures are shown." }
}

/// How many colors symbols have.
enum PictureColors: String, Hashable, Sendable {
    case full, many = "240", few = "16", none

    init(_ environment: [String: String], _ program: TerminalProgram) {
        let term = environment["TERM"] ?? ""
        if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
            self = .full
        } else if program != .other, program != .wordy {
            self = .full
        } else if term.contains("256color") || term == "foot" || term.hasPrefix("alacritty") {
            self = .many
        } else {
            self = term.hasPrefix("vt") ? .none : .few
        }
    }
}

/// What stands between us and the terminal.
enum PictureMultiplexer: Hashable, Sendable {
    case none
    case tmux
    /// One that shows at most what it says itself it does.
    case opaque(isScreen: Bool)

    var isScreen: Bool { self == .opaque(isScreen: true) }

    init(_ environment: [String: String], answers: TerminalAnswers?) {
        func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
        let name = answers?.version.map { String($0.prefix { $0 != " " && $0 != "(" }).lowercased() }
        let term = environment["TERM"] ?? ""
        switch name {
        case "tmux": self = .tmux
        case "zellij": self = .opaque(isScreen: false)
        // Whoever has another name was started from one of these and inherited their variables.
        case .some where name != "screen": self = .none
        default:
            if isSet("TMUX") || term.hasPrefix("tmux") {
                self = .tmux
            } else if isSet("STY") || term.hasPrefix("screen") || name == "screen" {
                self = .opaque(isScreen: true)
            } else if isSet("ZELLIJ") {
                self = .opaque(isScreen: false)
            } else {
                self = .none
            }
        }
    }
}

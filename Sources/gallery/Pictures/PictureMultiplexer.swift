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

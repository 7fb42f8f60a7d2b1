/// How many colours symbols have.
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

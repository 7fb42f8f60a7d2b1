// Colored characters, for terminals that show nothing better.

extension PictureProtocol {
    package static let symbols = PictureProtocol(
        name: "symbols", needsPassthrough: false, needsChafa: true, isSupported: { _ in true }
    ) { job async throws(Chafa.Fault) -> [PaintedPicture] in
        try await job.chafa.symbols(job).map { lines in
            PaintedPicture(
                columns: job.fit.columns, rows: lines.count,
                before: PictureCells.drawing(lines.map { $0 + Array("\u{1B}[0m".utf8) }), after: [])
        }
    }
}

package enum PictureColors: String, Hashable, Sendable {
    case full
    case many = "240"
    case few = "16"
    case none

    /// - Parameters:
    ///   - answers: `nil` if the terminal was not asked.
    ///   - multiplexer: What stands before the terminal: the variables of what is around GNU screen do not hold in it.
    init(
        _ environment: [String: String], _ program: TerminalProgram, answers: TerminalAnswers? = nil,
        in multiplexer: Multiplexer = .none
    ) {
        let term = environment["TERM"] ?? ""
        let isAnswered = answers?.version != nil || answers?.hasColor == true
        if multiplexer == .opaque(isScreen: true) {
            self = .many
        } else if term.hasPrefix("vt"), !isAnswered {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct")
        {
            self = .full
        } else if program != .other, program != .wordy {
            self = .full
        } else if term.contains("256color") || term == "foot" || term.hasPrefix("alacritty") {
            self = .many
        } else if term.hasPrefix("xterm") || term.hasPrefix("vt"), isAnswered {
            // These say 8 colors or none, but a terminal that answers like this has 256.
            self = .many
        } else {
            self = .few
        }
    }
}

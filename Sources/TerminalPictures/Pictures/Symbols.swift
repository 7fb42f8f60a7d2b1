// Colored characters, for terminals that show nothing better.

extension PictureProtocol {
    package static let symbols = PictureProtocol(
        name: "symbols", needsPassthrough: false, needsChafa: true, isShown: { _ in true },
        isShownInTmux: { _ in true }
    ) { job async throws(Chafa.Fault) -> [PaintedPicture] in
        try await job.chafa.symbols(job).map { lines in
            let lines = lines.map { $0 + Array("\u{1B}[0m".utf8) }
            return PaintedPicture(
                columns: job.fit.columns, rows: lines.count, before: PictureCells.drawing(lines), after: [],
                lines: lines)
        }
    }
}

package enum PictureColors: String, Hashable, Sendable {
    case full
    case many = "240"
    case few = "16"
    case none

    /// `answers` is `nil` if it was not asked. Variables of what is around GNU screen do not hold in it.
    init(
        _ environment: [String: String], _ program: TerminalProgram, answers: TerminalAnswers? = nil,
        in multiplexer: Multiplexer = .none
    ) {
        let term = environment["TERM"] ?? ""
        let isAnswered = answers?.version != nil || answers?.hasColor == true
        let isFull = ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.hasSuffix("-direct")
        self =
            switch term {
            case _ where multiplexer == .opaque(isScreen: true): .many
            case _ where term.hasPrefix("vt") && !isAnswered: .none
            case _ where isFull || ![.other, .wordy].contains(program): .full
            case _ where term.contains("256color") || term.hasPrefix("alacritty"), "foot": .many
            // These say 8 colors or none, but a terminal that answers like this has 256.
            case _ where isAnswered && (term.hasPrefix("xterm") || term.hasPrefix("vt")): .many
            default: .few
            }
    }
}

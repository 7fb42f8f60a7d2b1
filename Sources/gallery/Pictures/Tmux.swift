import Foundation

/// What tmux says of the pane we are in and of the terminal around it.
struct PictureTmux: Hashable, Sendable {
    /// The pane's own terminal, to tell a `TMUX` that was inherited by another window from one that holds.
    let terminal: String
    /// Whether sequences wrapped for the outer terminal are handed on.
    let passesThrough: Bool
    /// The outer terminal's name and version, as tmux itself asked for them; empty where it did not answer.
    let outerVersion: String
    /// The outer terminal's `TERM`.
    let outerTerm: String
    /// Whether the outer terminal shows sixels. Our own question is answered by tmux, for itself.
    let outerHasSixel: Bool
    let cell: CellSize?
    /// Lines and columns of the outer screen before the pane.
    let top: Int
    let left: Int

    /// The question, one field a line but for the tabs between them.
    static let format = [
        "pane_tty", "allow-passthrough", "client_termtype", "client_termname", "client_termfeatures",
        "client_cell_width", "client_cell_height", "pane_top", "pane_left", "status-position", "status",
    ].map { "#{\($0)}" }.joined(separator: "\t")

    /// Reads the answer to ``format``; `nil` where it is none.
    init?(_ answer: some Sequence<UInt8>) {
        let text = String(decoding: Array(answer), as: UTF8.self)
        let line = text.prefix { !$0.isNewline }
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 11, !fields[0].isEmpty else { return nil }
        terminal = fields[0]
        // Before 3.3 there was no such option, and everything was handed on.
        passesThrough = !["0", "off"].contains(fields[1])
        outerVersion = fields[2]
        outerTerm = fields[3]
        outerHasSixel = fields[4].split(separator: ",").contains("sixel")
        cell = CellSize(width: Int(fields[5]) ?? 0, height: Int(fields[6]) ?? 0)
        let status = fields[10] == "on" ? 1 : Int(fields[10]) ?? 0
        top = (Int(fields[7]) ?? 0) + (fields[9] == "top" ? status : 0)
        left = Int(fields[8]) ?? 0
    }

    /// Asks the server that `TMUX` names; `nil` outside tmux, and where it does not answer in time.
    static func ask(
        _ environment: [String: String], limit: Duration = TerminalQuery.limit
    ) async -> PictureTmux? {
        guard !(environment["TMUX"] ?? "").isEmpty, let tmux = ProcessRun.find("tmux", in: environment) else {
            return nil
        }
        let pane = environment["TMUX_PANE"].flatMap { $0.hasPrefix("%") ? ["-t", $0] : nil } ?? []
        var run = ProcessRun(tmux, ["display-message", "-p"] + pane + [format], environment)
        run.timeLimit = limit
        run.outputLimit = 4096
        guard let outcome = try? await run.outcome(), outcome.succeeded else { return nil }
        return PictureTmux(outcome.output)
    }

    /// `bytes` as tmux hands them on to the terminal around it: each Escape doubled.
    static func wrapped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var wrapped = Array("\u{1B}Ptmux;".utf8)
        for byte in bytes {
            if byte == 0x1B { wrapped.append(byte) }
            wrapped.append(byte)
        }
        return wrapped + [0x1B, 0x5C]
    }

    /// The longest sequence tmux takes in; a longer one vanishes without a trace.
    static let longestSequence = 1_000_000

    /// The longest file that fits one as base64, with room for the rest of it.
    static let longestFile = 700_000
}

import Basics

/// What tmux says about our pane and the terminal around it.
package struct Tmux: Hashable, Sendable {
    /// The pane's device, to recognize a `TMUX` that another window has inherited.
    let terminal: String
    /// Whether wrapped sequences are passed on to the outer terminal.
    let passesThrough: Bool
    /// The outer terminal's name and version; empty if it did not tell tmux.
    package let outerVersion: String
    let outerTerm: String
    /// Whether the outer terminal shows sixels; our own question is answered by tmux itself.
    let outerHasSixel: Bool
    /// Whether the outer terminal reads UTF-8; tmux itself always does.
    let readsUTF8: Bool
    let cell: CellSize?
    /// Lines and columns of the outer screen above and left of the pane.
    let top: Int
    let left: Int

    var outerProgram: TerminalProgram {
        outerVersion.isEmpty ? TerminalProgram(["TERM": outerTerm]) : TerminalProgram(version: outerVersion)
    }

    package static let program = HelperProgram(
        names: ["tmux"], product: "tmux", question: ["-V"], beginnings: ["tmux "])

    static let format = [
        "pane_tty", "allow-passthrough", "client_termtype", "client_termname", "client_termfeatures",
        "client_cell_width", "client_cell_height", "pane_top", "pane_left", "status-position", "status",
        "client_utf8",
    ].map { "#{\($0)}" }.joined(separator: "\t")

    init?(_ answer: some Sequence<UInt8>) {
        let line = String(decoding: Array(answer), as: UTF8.self).prefix { !$0.isNewline }
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 12, !fields[0].isEmpty else { return nil }
        terminal = fields[0]
        // Before 3.3 there was no such option, and everything was passed on.
        passesThrough = !["0", "off"].contains(fields[1])
        outerVersion = fields[2]
        outerTerm = fields[3]
        outerHasSixel = fields[4].split(separator: ",").contains("sixel")
        readsUTF8 = fields[11] != "0"
        func number(_ field: Int) -> Int { Int(fields[field], within: CellPosition.sides) ?? 0 }
        cell = CellSize(width: number(5), height: number(6))
        let status = fields[10] == "on" ? 1 : number(10)
        top = number(7) + (fields[9] == "top" ? status : 0)
        left = number(8)
    }

    /// Whether the outer terminal will tell its name: one that has just been attached does so a bit later.
    private var isNameAwaited: Bool {
        outerVersion.isEmpty && ["xterm-kitty", "xterm-ghostty"].contains(outerTerm)
    }

    /// Asks the server that `TMUX` names, again until it knows its terminal's name, which decides whether there are
    /// pictures; `nil` outside tmux, or if it does not answer in time.
    static func ask(_ environment: [String: String], limit: Duration = TerminalQuery.limit) async -> Tmux? {
        let deadline = ContinuousClock.now + limit
        while true {
            let answer = await answer(environment, limit)
            guard answer?.isNameAwaited == true, ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(20))) != nil
            else { return answer }
        }
    }

    private static func answer(_ environment: [String: String], _ limit: Duration) async -> Tmux? {
        guard !(environment["TMUX"] ?? "").isEmpty, let tmux = ProcessRun.find("tmux", in: environment) else {
            return nil
        }
        let pane = environment["TMUX_PANE"].flatMap { $0.hasPrefix("%") ? ["-t", $0] : nil } ?? []
        var run = ProcessRun(tmux, ["display-message", "-p"] + pane + [format], environment)
        run.timeLimit = limit
        run.outputLimit = 4096
        guard let outcome = try? await run.outcome(), outcome.succeeded else { return nil }
        return Tmux(outcome.output)
    }

    /// Wraps `bytes` for tmux to pass on to the outer terminal, with each Escape doubled.
    static func wrapped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var wrapped = Array("\u{1B}Ptmux;".utf8)
        for byte in bytes {
            if byte == 0x1B { wrapped.append(byte) }
            wrapped.append(byte)
        }
        return wrapped + [0x1B, 0x5C]
    }

    /// The longest sequence that tmux accepts; a longer one is dropped silently.
    static let longestSequence = 1_000_000

    /// The longest file that fits into one sequence as base64.
    static let longestFile = 700_000
}

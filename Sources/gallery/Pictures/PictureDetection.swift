import Foundation

/// Finds out what the terminal can show, and keeps late answers from being echoed.
///
///     let detection = await PictureDetection(.auto, environment)
///     defer { detection.end() }           // and in the farewell of ``Interrupt``
///     let painter = detection.painter
///     …
///     await detection.settle()            // when all work is done
struct PictureDetection: Sendable {
    let painter: PicturePainter
    /// What the terminal answered; `nil` if it was not asked.
    let parser: TerminalParser?
    /// The painter for a terminal that has answered so.
    let painterAfter: @Sendable (TerminalAnswers?) -> PicturePainter
    private let line: TerminalQueryLine?
    private let query: TerminalQuery
    private let asked = ContinuousClock.now

    /// Asks the terminal of standard output, or of another stream, and tmux if we are in it, for at most 200 ms in all.
    init(
        _ choice: PictureChoice, _ environment: [String: String], terminal: Int32 = STDOUT_FILENO
    ) async {
        let asks = Self.asks(choice, environment)
        let line = asks ? TerminalQueryLine(terminal) : nil
        async let tmux = asks ? Tmux.ask(environment) : nil
        let multiplexer = Multiplexer(environment, answers: nil)
        query = multiplexer == .none ? .abilities : .abilitiesInMultiplexer
        parser = if let line { await query.answers(on: line) } else { nil }
        let ours = await tmux.flatMap {
            $0.terminal == TerminalQueryLine.name(of: terminal) ? $0 : nil
        }
        painterAfter = { answers in
            let support = PictureSupport(
                choice, environment, answers: answers, tmux: ours, isTerminal: isatty(terminal) == 1)
            let answered = ours?.cell ?? answers?.cell
            return PicturePainter(support, answers: answers, environment: environment) {
                var window = PictureWindow(ofTerminal: terminal)
                // The window size follows font changes; an answer may be outdated.
                window.cell = window.cell ?? answered
                return window
            }
        }
        painter = painterAfter(parser?.answers)
        self.line = line
    }

    /// Whether no answer is still to come.
    var isComplete: Bool { parser?.answers.isComplete ?? true }

    /// Waits for a late answer until ``TerminalQuery/patience`` after the question, lest the shell reads it.
    func settle() async {
        guard let line, let parser, !isComplete else { return }
        _ = await query.answers(on: line, after: parser, until: asked + TerminalQuery.patience)
    }

    /// Restores the terminal, and drops late answers.
    func end() { line?.restore(flushing: !isComplete) }

    /// Restores the terminal for a program that goes on to read keys with ``parser``, which may hold the beginning of
    /// a late answer. It has to be in raw mode, so that the rest is not echoed.
    func handOver() { line?.restore(flushing: false) }

    /// The cursor's position; `nil` if the terminal does not tell in time.
    func cursor() async -> CellPosition? {
        guard isComplete, let line else { return nil }
        return await TerminalQuery.cursor.answers(on: line).answers.cursor
    }

    /// Whether to ask: not if the answer decides nothing, or if the question would be printed.
    private static func asks(_ choice: PictureChoice, _ environment: [String: String]) -> Bool {
        guard choice != .none, TerminalProgram(environment) != .wordy,
            (environment["INSIDE_EMACS"] ?? "").isEmpty
        else { return false }
        let support = PictureSupport(choice, environment, answers: nil, isTerminal: true)
        if case .none(because: _?) = support.method, choice == .auto { return false }
        return true
    }
}

import Foundation

/// Finds out what the terminal can show, and keeps late answers from being echoed.
///
///     let detection = await PictureDetection(.auto, environment)
///     defer { detection.end() }           // and in the farewell of ``Interrupt``
///     let painter = detection.painter
///     …
///     await detection.settle()            // when all work is done
package struct PictureDetection: Sendable {
    package let painter: PicturePainter
    /// What the terminal answered; `nil` if it was not asked.
    package let parser: TerminalParser?
    package let painterAfter: @Sendable (TerminalAnswers?) -> PicturePainter
    private let line: TerminalQueryLine?
    private let query: TerminalQuery
    private let asked = ContinuousClock.now

    /// Asks the terminal of standard output, or of another stream, and tmux if we are in it, for at most 200 ms in all;
    /// if it `measures`, also how characters are counted, for which some are shown. `isPassedOn`: whether pictures are
    /// wanted where the stream is no terminal: what reads it shows them.
    package init(
        _ choice: PictureChoice, _ environment: [String: String], terminal: Int32 = STDOUT_FILENO,
        measures: Bool = false, isPassedOn: Bool = false
    ) async {
        let isTerminal = isatty(terminal) == 1
        let query = Self.query(choice, environment)
        let line = query == nil || !isTerminal ? nil : TerminalQueryLine(terminal)
        async let tmux = query == nil ? nil : Tmux.ask(environment)
        let paints =
            (isTerminal || isPassedOn)
            && PictureSupport(choice, environment, answers: nil, isTerminal: true).used != nil
        async let chafa = paints ? HelperProgram.chafa.path(in: environment) : nil
        self.query = query ?? .encoding
        let deadline = asked + TerminalQuery.limit
        var parser: TerminalParser?
        if let line { parser = await self.query.answers(on: line, until: deadline) }
        // Not in one write: what does not read UTF-8 takes bytes of these for control characters.
        if measures, let line, let first = parser, first.answers.isComplete, first.answers.readsUTF8 == true {
            parser = await TerminalQuery.widths.answers(on: line, after: first, until: deadline)
        }
        self.parser = parser
        let ours = await tmux.flatMap { $0.terminal == TerminalQueryLine.name(of: terminal) ? $0 : nil }
        let hasChafa = await chafa != nil
        painterAfter = { answers in
            let support = PictureSupport(
                choice, environment, answers: answers, tmux: ours, isTerminal: isTerminal || isPassedOn)
            let answered = ours?.cell ?? answers?.cell
            return PicturePainter(support, answers: answers, environment: environment, hasChafa: hasChafa) {
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
    package var isComplete: Bool { parser?.answers.isComplete ?? true }

    /// Waits for a late answer until ``TerminalQuery/patience`` after the question, so that the shell does not read it.
    package func settle() async {
        guard let line, let parser, !isComplete else { return }
        _ = await query.answers(on: line, after: parser, isAsked: true, until: asked + TerminalQuery.patience)
    }

    /// Restores the terminal, and drops late answers.
    package func end() { line?.restore(flushing: !isComplete) }

    /// Restores the terminal for a program that goes on to read keys with ``parser``, which may hold the beginning of
    /// a late answer. It has to be in raw mode, so that the rest is not echoed.
    package func handOver() { line?.restore(flushing: false) }

    /// The cursor's position; `nil` if the terminal does not tell in time.
    package func cursor() async -> CellPosition? {
        guard isComplete, let line else { return nil }
        return await TerminalQuery.cursor.answers(on: line).answers.cursor
    }

    /// What to ask; `nil` if the answer decides nothing, or if the question would be printed.
    private static func query(_ choice: PictureChoice, _ environment: [String: String]) -> TerminalQuery? {
        guard choice != .none, (environment["INSIDE_EMACS"] ?? "").isEmpty else { return nil }
        let support = PictureSupport(choice, environment, answers: nil, isTerminal: true)
        if case .none(because: _?) = support.method, choice == .auto { return nil }
        if TerminalProgram(environment) == .wordy { return .encoding }
        return support.multiplexer == .none ? .abilities : .abilitiesInMultiplexer
    }
}

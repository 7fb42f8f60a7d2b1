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
    fileprivate let line: TerminalQueryLine?
    private let query: TerminalQuery
    private let asked = ContinuousClock.now

    /// Asks the terminal of standard output, and tmux if we are in it, for at most 200 ms in all.
    init(_ choice: PictureChoice, _ environment: [String: String]) async {
        let asks = Self.asks(choice, environment)
        let line = asks ? TerminalQueryLine() : nil
        async let tmux = asks ? Tmux.ask(environment) : nil
        let multiplexer = Multiplexer(environment, answers: nil)
        query = multiplexer == .none ? .abilities : .abilitiesInMultiplexer
        let answers: TerminalAnswers? = if let line { await query.answers(on: line) } else { nil }
        let ours = await tmux.flatMap { Self.isOurs($0) ? $0 : nil }
        let support = PictureSupport(
            choice, environment, answers: answers, tmux: ours, isTerminal: isatty(STDOUT_FILENO) == 1)
        let answered = ours?.cell ?? answers?.cell
        painter = PicturePainter(support, answers: answers, environment: environment) {
            var window = PictureWindow(ofTerminal: STDOUT_FILENO)
            // The window size follows font changes; an answer may be outdated.
            window.cell = window.cell ?? answered
            return window
        }
        self.line = line
    }

    private var isComplete: Bool { painter.answers?.isComplete ?? true }

    /// Waits for a late answer until ``TerminalQuery/patience`` after the question, lest the shell reads it.
    func settle() async {
        guard let line, let answers = painter.answers, !isComplete else { return }
        _ = await query.answers(on: line, after: answers, until: asked + TerminalQuery.patience)
    }

    /// Restores the terminal, and drops late answers.
    func end() {
        line?.restore(flushing: !isComplete)
    }

    /// The cursor's position; `nil` if the terminal does not tell in time.
    func cursor() async -> CellPosition? {
        guard isComplete, let line else { return nil }
        return await TerminalQuery.cursor.answers(on: line).cursor
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

    private static func isOurs(_ tmux: Tmux) -> Bool {
        TerminalQueryLine.name(of: STDOUT_FILENO) == tmux.terminal
    }
}

extension PicturePainter {
    /// A painter for this process's terminal, which is asked once, for at most 200 ms.
    ///
    /// For a program that reads keys: the terminal has to be in raw mode already, so that a late answer is not
    /// echoed. Nothing else may read the terminal before this returns.
    static func live(_ choice: PictureChoice, _ environment: [String: String]) async -> PicturePainter {
        let detection = await PictureDetection(choice, environment)
        // The rest of a late answer is not dropped: the answers so far hold its beginning.
        detection.line?.restore(flushing: false)
        return detection.painter
    }
}

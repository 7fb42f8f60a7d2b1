import Foundation

/// A terminal asked what it can show, and kept from echoing what it answers too late.
///
///     let detection = await PictureDetection(.auto, context.environment)
///     defer { detection.end() }                       // and in the farewell of ``Interrupt``
///     let painter = detection.painter
///     …
///     await detection.settle()                        // when all work is done
struct PictureDetection: Sendable {
    let painter: PicturePainter
    fileprivate let line: TerminalQueryLine?
    private let query: TerminalQuery
    private let answers: TerminalAnswers?
    private let asked = ContinuousClock.now

    /// Asks the terminal of standard output, and tmux where we are in it, for 200 ms at most in all.
    init(_ choice: PictureChoice, _ environment: [String: String]) async {
        let asks = Self.asks(choice, environment)
        let line = asks ? TerminalQueryLine() : nil
        async let tmux = asks ? PictureTmux.ask(environment) : nil
        let multiplexer = PictureMultiplexer(environment, answers: nil)
        query = multiplexer == .none ? .abilities : .abilitiesInMultiplexer
        let answers = await line?.answers(to: query)
        let ours = await tmux.flatMap { Self.isOurs($0) ? $0 : nil }
        let support = TerminalPictureSupport(
            choice, environment, answers: answers, tmux: ours, isTerminal: isatty(STDOUT_FILENO) == 1)
        let answered = ours?.cell ?? answers?.cell
        painter = PicturePainter(support, answers: answers, environment: environment) {
            // What the system knows follows the window; an answer is as old as the question.
            CellSize.ofTerminal(STDOUT_FILENO) ?? answered
        }
        self.line = line
        self.answers = answers
    }

    private var isComplete: Bool { answers?.isComplete ?? true }

    /// Waits for an answer that is late, but no longer than ``TerminalQuery/patience`` after the question:
    /// one that came after our end would be read by the shell.
    func settle() async {
        guard let line, let answers, !isComplete else { return }
        _ = await query.awaitRest(of: answers, on: line, until: asked + TerminalQuery.patience)
    }

    /// Gives the terminal back as it was. Answers that came too late by then are dropped.
    func end() {
        line?.restore(flushing: !isComplete)
    }

    /// The cursor's place, for whoever cannot know it; `nil` where it is not told in time.
    func cursor() async -> CellPosition? {
        guard isComplete else { return nil }
        return await line?.answers(to: .cursor).cursor
    }

    /// Where the answer decides nothing, or would be printed, nothing is asked.
    private static func asks(_ choice: PictureChoice, _ environment: [String: String]) -> Bool {
        guard choice != .none, TerminalProgram(environment) != .wordy,
            (environment["INSIDE_EMACS"] ?? "").isEmpty
        else { return false }
        let support = TerminalPictureSupport(choice, environment, answers: nil, isTerminal: true)
        if case .none(_?) = support.method, choice == .auto { return false }
        return true
    }

    private static func isOurs(_ tmux: PictureTmux) -> Bool {
        TerminalQueryLine.name(of: STDOUT_FILENO) == tmux.terminal
    }
}

extension PicturePainter {
    /// A painter for the process's terminal, which is asked once, for 200 ms at most.
    ///
    /// For whoever reads keys: the terminal is in raw mode already, and stays so, lest a late answer is
    /// echoed. Call it before anything else reads the terminal.
    static func live(_ choice: PictureChoice, _ environment: [String: String]) async -> PicturePainter {
        let detection = await PictureDetection(choice, environment)
        // Nothing is dropped: the rest of a late answer belongs to what the painter's filter holds already.
        detection.line?.restore(flushing: false)
        return detection.painter
    }
}

extension TerminalQueryLine {
    fileprivate func answers(to query: TerminalQuery) async -> TerminalAnswers { await query.ask(on: self) }
}

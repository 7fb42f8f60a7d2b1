import Foundation

/// A program that was started and may still be running.
///
///     let fetch = try gallery.start(["fetch", "1-60"])
///     try await server.waitForRequests(3)
///     fetch.send(SIGKILL)
///     #expect(try await fetch.outcome().exit == .signal(SIGKILL))
public final class RunningProduct: Sendable {
    struct State: Sendable {
        var output = Data()
        var errors = Data()
        var exit: ProductOutcome.Exit?
        var peakMemory: Int64 = 0
        var isTimedOut = false
        /// Whether it has ended and all of its output has been read.
        var isOver = false
    }

    /// The process ID.
    public let process: Int32

    private let command: [String]
    private let terminal: PseudoTerminal?
    private let state: Watched<State>

    init(_ process: pid_t, command: [String], terminal: PseudoTerminal?, state: Watched<State>) {
        self.process = process
        self.command = command
        self.terminal = terminal
        self.state = state
    }

    /// Sends a signal, unless the program has exited.
    public func send(_ signal: Int32) {
        // Under the lock that also guards reaping, so the ID cannot belong to
        // another process yet.
        state.update { if $0.exit == nil { kill(process, signal) } }
    }

    /// Waits until the program ends. Canceling the waiting task kills the program.
    ///
    /// - Throws: ``ProductTimedOut`` if the time limit ended it, or
    /// `CancellationError`.
    public func outcome() async throws -> ProductOutcome {
        do {
            return try outcome(of: try await state.first { $0.isOver })
        } catch let error as CancellationError {
            send(SIGKILL)
            throw error
        }
    }

    /// Kills the program if it is still running and waits until it ends: for cleanup.
    func end() async {
        send(SIGKILL)
        await state.firstIgnoringCancellation { $0.isOver }
    }

    private func outcome(of state: State) throws -> ProductOutcome {
        guard let exit = state.exit else { preconditionFailure("Over without an exit.") }
        let outcome = ProductOutcome(
            exit: exit, outputData: state.output, errorData: state.errors, peakMemory: state.peakMemory)
        if state.isTimedOut { throw ProductTimedOut(command: command, outcome: outcome) }
        return outcome
    }
}

// MARK: - While running

extension RunningProduct {
    /// Whether the program has not exited yet.
    public var isRunning: Bool { state.value.exit == nil }

    /// The output so far to standard output or the terminal.
    public var output: String { String(decoding: state.value.output, as: UTF8.self) }

    /// The output so far to standard error.
    public var errors: String { String(decoding: state.value.errors, as: UTF8.self) }

    /// Waits until standard output, or the terminal, contains `text`, or the program has ended.
    ///
    /// - Returns: Whether the text was found.
    /// - Throws: `CancellationError` if the task is canceled first.
    @discardableResult
    public func waitForOutput(_ text: String) async throws(CancellationError) -> Bool {
        let wanted = Data(text.utf8)
        return try await state.first { $0.isOver || $0.output.range(of: wanted) != nil }
            .output.range(of: wanted) != nil
    }

    /// Waits until standard output, or the terminal, has more than `count` bytes, or the program has ended.
    ///
    /// - Returns: The output by then.
    /// - Throws: `CancellationError` if the task is canceled first.
    public func waitForOutput(longerThan count: Int) async throws(CancellationError) -> Data {
        try await state.first { $0.isOver || $0.output.count > count }.output
    }

    /// Waits until standard error contains `text`, or the program has ended.
    @discardableResult
    public func waitForErrors(_ text: String) async throws(CancellationError) -> Bool {
        let wanted = Data(text.utf8)
        return try await state.first { $0.isOver || $0.errors.range(of: wanted) != nil }
            .errors.range(of: wanted) != nil
    }

    /// Types these characters. Stops the test run if the program has no terminal.
    ///
    /// `\u{3}` is Ctrl-C and `\u{4}` is Ctrl-D, unless the program has
    /// turned that off; `\u{1B}[C` is the right arrow.
    public func type(_ keys: String) {
        guard let terminal else { preconditionFailure("'\(command[0])' was started without a terminal.") }
        let bytes = Array(keys.utf8)
        _ = terminal.descriptor.withNumber { write($0, bytes, bytes.count) }
    }

    /// Resizes the terminal; the program gets SIGWINCH.
    public func resize(to size: TerminalSize) {
        terminal?.resize(to: size)
    }
}

import Basics
import Foundation
import Synchronization
import TerminalPictures

/// Standard output for results, standard error for all else. Only ``Screen`` writes there, too, while it owns the
/// terminal. Every line from outside has passed ``PlainText`` or an escape function before it gets here.
final class Terminal: Sendable {
    static let system = Terminal(output: STDOUT_FILENO, messages: STDERR_FILENO)

    private let output: Int32
    private let messages: Int32
    private let pending = Mutex<[UInt8]>([])
    /// Messages that wait for the screen to be free; `nil` while it is.
    private let held = Mutex<[String]?>(nil)
    /// The progress display that messages are printed above, if there is one.
    private let canvas = Mutex<Canvas?>(nil)
    private let writesASCII = Atomic(false)

    private static let mostHeld = 50
    /// Bytes of results to collect before they are written.
    private static let bufferSize = 1 << 16

    init(output: Int32, messages: Int32) { (self.output, self.messages) = (output, messages) }

    /// Writes text for a terminal that does not read UTF-8 from now on.
    func writeASCII() { writesASCII.store(true, ordering: .releasing) }

    private func written(_ text: String) -> String {
        writesASCII.load(ordering: .acquiring) ? ASCIIText.of(text) : text
    }

    /// Writes a line of results, no later than the next ``flush()``.
    func result(_ line: String) throws {
        let line = written(line)
        try pending.withLock { pending in
            pending.append(contentsOf: line.utf8)
            pending.append(UInt8(ascii: "\n"))
            if pending.count >= Self.bufferSize { try Self.write(&pending, to: output) }
        }
    }

    func results(_ lines: [String]) throws {
        for line in lines { try result(line) }
        try flush()
    }

    /// Writes our own bytes unchanged, control sequences included, after all results so far.
    func sequence(_ bytes: ArraySlice<UInt8>) throws {
        try pending.withLock { pending in
            pending += bytes
            try Self.write(&pending, to: output)
        }
    }

    func flush() throws { try pending.withLock { try Self.write(&$0, to: output) } }

    /// Writes a message to standard error. A failure is ignored.
    func message(_ line: String) {
        let isHeld = held.withLock { held in
            if let count = held?.count, count < Self.mostHeld { held?.append(line) }
            return held != nil
        }
        guard !isHeld else { return }
        if let canvas = canvas.withLock(\.self) {
            canvas.above { raw(line + "\n") }
        } else {
            raw(line + "\n")
        }
    }

    /// Prints messages above what `canvas` draws from now on; `nil` ends that.
    func goAbove(_ canvas: Canvas?) { self.canvas.withLock { $0 = canvas } }

    var showsMessages: Bool { isatty(messages) == 1 }

    /// Holds messages back while `body` owns the screen, unless standard error goes elsewhere.
    func holdingMessages<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard showsMessages else { return try await body() }
        held.withLock { $0 = [] }
        defer {
            for line in held.withLock({ $0.take() ?? [] }) { message(line) }
        }
        return try await body()
    }

    /// Writes text to standard error unchanged, including our own control sequences.
    func raw(_ text: String) {
        var bytes = Array(written(text).utf8)
        try? Self.write(&bytes, to: messages)
    }

    func report(_ error: any ActionableError) {
        try? flush()
        message("Error: \(PlainText.line(error.description))")
        if let hint = error.commandHint { message("Help: \(PlainText.line(hint))") }
    }

    /// Writes `bytes`, and removes those that were written. Throws ``ClosedPipe``, or an error with status 74.
    static func write(_ bytes: inout [UInt8], to descriptor: Int32) throws {
        var written = 0
        defer { bytes.removeFirst(written) }
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { bytes in
                SystemCall.retrying { Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
            }
            if count > 0 {
                written += count
            } else if errno == EPIPE {
                throw ClosedPipe()
            } else {
                let reason = String(cString: strerror(errno))
                throw CommandFault(.inputOutput, "The output could not be written: \(reason).")
            }
        }
    }
}

/// Lines that are redrawn in place at the bottom of the terminal.
final class Canvas: Sendable {
    private struct State {
        var drawn: [Int] = []
        /// The window's width, which wraps what was drawn in a wider one.
        var columns = Int.max
        /// How many calls of ``above(_:)`` are under way.
        var printing = 0
        var isStopped = false

        /// How many rows of the window the lines take, with those that wrapped when it got narrower unnoticed.
        var rows: Int { drawn.reduce(0) { $0 + max(1, ($1 - 1) / max(1, columns) + 1) } }
    }

    private let terminal: Terminal
    private let reflows: Bool
    private let state = Mutex(State())

    /// `reflows` if the terminal wraps what it shows when its window gets narrower.
    init(_ terminal: Terminal, reflows: Bool) {
        (self.terminal, self.reflows) = (terminal, reflows)
        terminal.goAbove(self)
    }

    /// Replaces the lines drawn before by some that fit; if the window has fewer `columns` now, those have wrapped.
    func draw(_ lines: [String], columns: Int = .max) {
        state.withLock { state in
            guard !state.isStopped, state.printing == 0 else { return }
            state.columns = reflows ? columns : .max
            let rows = state.rows
            // Without wrapping: tmux tells a smaller size late, and each line has to stay in its row until then.
            var text = "\u{1B}[?7l" + (rows > 0 ? "\u{1B}[\(rows)A\r" : "\r")
            text += lines.map { $0 + "\u{1B}[K\n" }.joined()
            text += Self.erasure(rows - lines.count) + "\u{1B}[?7h"
            terminal.raw(text)
            state.drawn = lines.map { DisplayWidth.usual.of($0) }
        }
    }

    /// Removes the lines while `print` writes others above them. A message that `print` writes comes here again.
    func above(_ print: () throws -> Void) rethrows {
        state.withLock { state in
            clear(&state)
            state.printing += 1
        }
        defer { state.withLock { $0.printing -= 1 } }
        try print()
    }

    func stop() {
        terminal.goAbove(nil)
        state.withLock { state in
            clear(&state)
            state.isStopped = true
        }
    }

    private func clear(_ state: inout State) {
        let rows = state.rows
        if rows > 0 { terminal.raw("\u{1B}[\(rows)A\r" + Self.erasure(rows)) }
        state.drawn = []
    }

    /// Clears `lines` lines and moves back up; one by one: tmux saves a screen cleared at once to its history.
    private static func erasure(_ lines: Int) -> String {
        lines > 0 ? String(repeating: "\u{1B}[K\n", count: lines) + "\u{1B}[\(lines)A" : ""
    }
}

extension Interrupt {
    /// What is reported where a fetch is interrupted before its first file.
    static let nothingFetched = "Interrupted: nothing was fetched yet."

    /// Installs the handler of a command that fetches, until ``FetchRun`` knows more.
    static func tellNothingFetched(_ terminal: Terminal, isQuiet: Bool) {
        guard !isQuiet else { return }
        onInterrupt { terminal.message(nothingFetched) }
    }
}

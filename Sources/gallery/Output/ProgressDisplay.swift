import Foundation
import Synchronization

/// Lines at the bottom of the terminal that are redrawn in place, and gone when done.
///
/// Silent where standard error is no terminal. Ten redraws a second, by a timer of
/// its own, so that a countdown runs while nothing arrives.
final class ProgressDisplay {
    /// The room there is, in characters.
    struct Size {
        var columns = 80
        var rows = 24
    }

    private let canvas: Canvas
    private let timer: (any DispatchSourceTimer)?

    /// A display of what `lines` gives: fewer than `rows`, since the cursor stands below the last.
    init(_ canvas: Canvas, isShown: Bool, lines: @escaping @Sendable (Size) -> [String]) {
        self.canvas = canvas
        timer =
            isShown ? DispatchSource.makeTimerSource(queue: DispatchQueue(label: "gallery.progress")) : nil
        timer?.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
        timer?.setEventHandler {
            // The window may have been resized since the last time.
            var size = Size()
            if let window = TerminalAbilities.size(of: STDERR_FILENO) {
                // A line as wide as the window would wrap on some. No rows are none that were told.
                size.columns = window.columns - 1
                if window.rows > 0 { size.rows = window.rows }
            }
            canvas.draw(lines(size))
        }
        timer?.activate()
    }

    /// Removes the display for good.
    func stop() {
        timer?.cancel()
        canvas.stop()
    }

    deinit { timer?.cancel() }
}

/// The lines on the screen.
final class Canvas: Sendable {
    private struct State {
        var drawn = 0
        /// Who prints where the drawing stood, and is not done.
        var printing = 0
        var isStopped = false
    }

    private let terminal: Terminal
    private let state = Mutex(State())

    init(_ terminal: Terminal) {
        self.terminal = terminal
        terminal.goAbove(self)
    }

    /// Puts `lines`, none wider than the terminal, in the place of those drawn before.
    func draw(_ lines: [String]) {
        state.withLock { state in
            guard !state.isStopped, state.printing == 0 else { return }
            var text = state.drawn > 0 ? "\u{1B}[\(state.drawn)A\r" : "\r"
            text += lines.map { $0 + "\u{1B}[K\n" }.joined()
            text += Self.erasure(state.drawn - lines.count)
            terminal.raw(text)
            state.drawn = lines.count
        }
    }

    /// Lets `print` write lines where the drawing stands; it comes back below them.
    ///
    /// `print` may come here again, as with a message, which goes above the drawing by itself.
    func above(_ print: () throws -> Void) rethrows {
        state.withLock { state in
            clear(&state)
            state.printing += 1
        }
        defer { state.withLock { $0.printing -= 1 } }
        try print()
    }

    /// Removes the lines; nothing is drawn again.
    func stop() {
        terminal.goAbove(nil)
        state.withLock { state in
            clear(&state)
            state.isStopped = true
        }
    }

    private func clear(_ state: inout State) {
        if state.drawn > 0 { terminal.raw("\u{1B}[\(state.drawn)A\r" + Self.erasure(state.drawn)) }
        state.drawn = 0
    }

    /// Empties so many lines and comes back; line by line, since of a whole screen that is cleared at once
    /// tmux puts what it showed into its history.
    private static func erasure(_ lines: Int) -> String {
        lines > 0 ? String(repeating: "\u{1B}[K\n", count: lines) + "\u{1B}[\(lines)A" : ""
    }
}

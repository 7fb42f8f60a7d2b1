import Foundation
import TerminalPictures

/// Progress lines at the bottom of the terminal, redrawn ten times a second and removed at the end.
final class ProgressDisplay {
    struct Size {
        var columns = 80
        var rows = 24
    }

    private let canvas: Canvas
    private let timer: (any DispatchSourceTimer)?

    /// A display of `lines`: fewer than the window's rows, because the cursor stands below the last.
    init(_ canvas: Canvas, isShown: Bool, lines: @escaping @Sendable (Size) -> [String]) {
        self.canvas = canvas
        timer =
            isShown ? DispatchSource.makeTimerSource(queue: DispatchQueue(label: "gallery.progress")) : nil
        timer?.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
        timer?.setEventHandler {
            var size = Size()
            if let window = TerminalAbilities.size(of: STDERR_FILENO) {
                // A line as wide as the window would wrap on some terminals. Zero rows means unknown.
                size.columns = window.columns - 1
                if window.rows > 0 { size.rows = window.rows }
            }
            canvas.draw(lines(size), columns: size.columns + 1)
        }
        timer?.activate()
    }

    func stop() {
        timer?.cancel()
        canvas.stop()
    }

    deinit { timer?.cancel() }
}

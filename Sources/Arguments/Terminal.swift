import Foundation

/// The few system services that this module needs.
enum Terminal {
    /// The line width in characters: `COLUMNS`, or the terminal's width, or 80.
    static var columns: Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }) {
            // Widths are reckoned with.
            return min(max(0, columns), 1 << 16)
        }
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    static var shell: String? { environment["SHELL"]?.split(separator: "/").last.map(String.init) }

    private static let environment = ProcessInfo.processInfo.environment
}

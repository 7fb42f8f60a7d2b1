import Foundation

/// What may be shown where, decided by the environment and by what the descriptors are.
struct TerminalAbilities: Sendable {
    /// Columns of the terminal that shows results; `nil` where results go elsewhere.
    let columns: Int?
    /// Whether results may be coloured.
    let colorsResults: Bool
    /// Whether messages go to a terminal that can redraw a line.
    let showsProgress: Bool
    /// Whether keys come from a terminal and the screen goes to one.
    let browses: Bool

    /// The process's own abilities.
    static func current(_ environment: [String: String]) -> TerminalAbilities {
        let isCapable = environment["TERM"].map { $0 != "dumb" } ?? false
        let isResultTerminal = isatty(STDOUT_FILENO) == 1
        let fallback = environment["COLUMNS"].flatMap { Int($0) }
        return TerminalAbilities(
            columns: isResultTerminal ? size(of: STDOUT_FILENO)?.columns ?? fallback ?? 80 : nil,
            colorsResults: isResultTerminal && isCapable && (environment["NO_COLOR"] ?? "").isEmpty,
            showsProgress: isatty(STDERR_FILENO) == 1 && isCapable,
            browses: isResultTerminal && isatty(STDIN_FILENO) == 1 && isCapable)
    }

    /// The columns and rows of the terminal behind `descriptor`; `nil` where there is none or it does not say.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

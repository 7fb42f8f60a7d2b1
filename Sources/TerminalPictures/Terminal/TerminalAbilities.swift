import Basics
import Foundation

/// What the terminal allows, decided by the environment and by what the descriptors are.
package struct TerminalAbilities: Sendable {
    /// Columns of the terminal on standard output; `nil` if results go elsewhere.
    package let columns: Int?
    package let colorsResults: Bool
    /// Whether standard error is a terminal that can redraw lines.
    package let showsProgress: Bool
    /// Whether it wraps the lines it shows when its window gets narrower.
    package let reflows: Bool
    /// Whether both keys and screen belong to a capable terminal.
    package let browses: Bool

    package static func current(_ environment: [String: String]) -> TerminalAbilities {
        let isCapable = environment["TERM"].map { $0 != "dumb" } ?? false
        let isResultTerminal = isatty(STDOUT_FILENO) == 1
        let fallback = environment["COLUMNS"].flatMap { Int($0, within: CellPosition.sides) }
        return TerminalAbilities(
            columns: isResultTerminal ? size(of: STDOUT_FILENO)?.columns ?? fallback ?? 80 : nil,
            colorsResults: isResultTerminal && isCapable && (environment["NO_COLOR"] ?? "").isEmpty,
            showsProgress: isatty(STDERR_FILENO) == 1 && isCapable, reflows: reflows(environment),
            browses: isResultTerminal && isatty(STDIN_FILENO) == 1 && isCapable)
    }

    /// xterm, rxvt, st, screen and the consoles of systems cut lines off; others wrap them.
    static func reflows(_ environment: [String: String]) -> Bool {
        // Variables of the terminal around it are seen within tmux as well.
        if environment["TMUX"]?.isEmpty == false { return true }
        let term = environment["TERM"] ?? ""
        return environment["XTERM_VERSION"] == nil
            && !["linux", "rxvt", "st-", "screen", "cons25"].contains(where: term.hasPrefix)
    }

    /// The columns and rows of the terminal behind `descriptor`; `nil` if there is none or it does not say.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        window(of: descriptor).map { (Int($0.ws_col), Int($0.ws_row)) }
    }

    /// The same with pixels, which many systems do not know.
    static func window(of descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? size : nil
    }
}

/// A cell of the screen: its row and column, each from 1.
package struct CellPosition: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) { (self.row, self.column) = (row, column) }

    /// What a terminal may say of its own: the system counts cells in 16 bits.
    static let sides = 0...Int(UInt16.max)
}

/// The size of a terminal's cell, in pixels.
package struct CellSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// Assumed if the terminal does not say: small, so that a picture never exceeds its box.
    package static let usual = CellSize(known: 8, 16)

    /// What a character shows of a picture: two pixels, and as many lines of them as keep its shape.
    static let character = CellSize(known: 2, 4)

    /// A size, or `nil` if it is implausible: some terminals answer with zeros, or in other units.
    package init?(width: Int, height: Int) {
        guard (2...200).contains(width), (2...400).contains(height), height < width * 5, width < height * 2
        else { return nil }
        self.init(known: width, height)
    }

    private init(known width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
}

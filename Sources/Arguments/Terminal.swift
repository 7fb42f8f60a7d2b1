import Foundation

/// The few things this module asks of the system.
enum Terminal {
    /// Characters in a line: what `COLUMNS` says, else the terminal, else 80.
    static var columns: Int {
        if let columns = environment("COLUMNS").flatMap({ Int($0) }) { return columns }
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// The name of the user's shell: `zsh` of `/bin/zsh`.
    static var shell: String? {
        environment("SHELL")?.split(separator: "/").last.map(String.init)
    }

    /// Prints a line.
    static func print(_ text: String, isError: Bool) {
        if isError {
            // A reader that has gone is no fault of ours.
            try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
        } else {
            // Buffered like what the command has printed itself, so that it comes behind that.
            Swift.print(text)
        }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

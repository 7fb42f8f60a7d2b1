#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Glibc
#endif

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

    static func print(_ text: String, isError: Bool) {
        var bytes = Array((text + "\n").utf8)[...]
        let file = isError ? STDERR_FILENO : STDOUT_FILENO
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if written > 0 { bytes = bytes.dropFirst(written) } else if errno != EINTR { return }
        }
    }

    static func exit(_ status: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status)
        #elseif canImport(Musl)
            Musl.exit(status)
        #else
            Glibc.exit(status)
        #endif
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

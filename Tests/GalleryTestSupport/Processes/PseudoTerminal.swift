import Foundation

/// The size of a terminal window in characters.
public struct TerminalSize: Sendable, Hashable {
    /// Characters per line.
    public var columns: Int
    /// Lines.
    public var rows: Int

    /// Creates a size; by default, the classic 80 by 24.
    public init(columns: Int = 80, rows: Int = 24) {
        self.columns = columns
        self.rows = rows
    }
}

/// A terminal without a screen, whose output is read and whose input is typed by the test.
struct PseudoTerminal {
    let descriptor: Descriptor
    /// The device that the child opens.
    let name: String

    init(size: TerminalSize) throws {
        // Not `posix_openpt`: some systems do not let it use O_CLOEXEC.
        let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open /dev/ptmx") }
        descriptor = Descriptor(number)
        var name = [CChar](repeating: 0, count: 128)
        #if canImport(Glibc)
            let isReady =
                GNU.grantTerminal(number) == 0 && GNU.unlockTerminal(number) == 0
                && GNU.terminalName(number, &name, name.count) == 0
        #else
            let isReady =
                grantpt(number) == 0 && unlockpt(number) == 0 && ptsname_r(number, &name, name.count) == 0
        #endif
        guard isReady else { throw SystemError("ptsname_r") }
        self.name = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        descriptor.makeNonblocking()
        resize(to: size)
    }

    /// Sets the size; the foreground program gets SIGWINCH.
    func resize(to size: TerminalSize) {
        var window = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = descriptor.withNumber { ioctl($0, UInt(TIOCSWINSZ), &window) }
    }
}

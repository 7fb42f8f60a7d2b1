import Foundation
import Synchronization

/// The terminal as browsing needs it: keys at once and unechoed, another screen, no cursor;
/// and as it was before, on every way out.
enum RawMode {
    /// Takes the terminal. What was there before is kept for ``leave()``.
    ///
    /// - Returns: false where standard input is no terminal.
    static func enter() -> Bool {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
        if !isTaken.load(ordering: .acquiring) {
            saved.pointee = settings
            isTaken.store(true, ordering: .releasing)
        }
        rescueOnExit()
        rescueOnCrash()
        return take(settings)
    }

    /// Takes the terminal once more, after somebody else had it; not where it was given back meanwhile.
    static func renew() {
        guard isTaken.load(ordering: .acquiring) else { return }
        _ = take(saved.pointee)
        // Given back while it was taken: the last word is the shell's.
        if !isTaken.load(ordering: .acquiring) { restore() }
    }

    private static func take(_ found: termios) -> Bool {
        var settings = found
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | IXON | ISTRIP)
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        settings.c_oflag &= ~tcflag_t(OPOST)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        while tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) != 0 { if errno != EINTR { return false } }
        write(arrival)
        return true
    }

    /// Gives the terminal back. May be called from a signal handler, at any time, and twice.
    static func leave() {
        if isTaken.exchange(false, ordering: .acquiringAndReleasing) { restore() }
    }

    private static func restore() {
        write(farewell)
        // Flushes what came in: a late answer of the terminal's is not the shell's to read.
        while tcsetattr(STDIN_FILENO, TCSAFLUSH, saved) != 0, errno == EINTR {}
    }

    // Plain memory that lives as long as the process: a signal handler may take no lock, and a pointer is
    // not Sendable, hence `nonisolated(unsafe)`. It is safe for this reason: `enter` writes `saved` only
    // where `isTaken` is not set, and sets it after that (releasing); all others read `saved` after they
    // found `isTaken` set or cleared it themselves (acquiring). `enter` has one caller at a time: the
    // session, and later the one thread that reads keys.
    nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private static let isTaken = Atomic(false)

    /// Another screen, cleared; no cursor; no wrapping at the right edge.
    private static let arrival: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// Ends a string that was cut in the middle (of a picture), then undoes the arrival.
    ///
    /// Computed: a stored one would be made at its first use, which may be in a signal handler.
    private static var farewell: StaticString {
        "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }

    private static func write(_ text: StaticString) {
        var done = 0
        while done < text.utf8CodeUnitCount {
            let (start, count) = (text.utf8Start + done, text.utf8CodeUnitCount - done)
            #if canImport(Glibc)
                let written = Glibc.write(STDOUT_FILENO, start, count)
            #else
                let written = Darwin.write(STDOUT_FILENO, start, count)
            #endif
            if written > 0 { done += written } else if errno != EINTR { return }
        }
    }

    // MARK: - The ways out that nobody plans

    private static func rescueOnExit() { _ = atExit }
    private static let atExit: Int32 = atexit { RawMode.leave() }

    /// Signals that end the process on the spot. Swift's traps are SIGILL or SIGTRAP, by processor.
    private static let fatal = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT]

    /// Gives the terminal back, then lets the crash be what it would have been: the signal is raised again
    /// under the action it had before, such as Swift's own report of crashes.
    private static func rescueOnCrash() { _ = onCrash }
    private static let onCrash: Void = {
        let handler: @convention(c) (Int32) -> Void = { number in
            RawMode.leave()
            sigaction(number, RawMode.former + Int(number), nil)
            // Blocked while it is handled: it comes once this returns.
            raise(number)
        }
        for number in fatal {
            var action = sigaction()
            #if canImport(Glibc)
                action.__sigaction_handler.sa_handler = handler
            #else
                action.__sigaction_u.__sa_handler = handler
            #endif
            // A thread whose stack is full has no room for the handler but where it set some aside.
            action.sa_flags = Int32(SA_ONSTACK)
            sigaction(number, &action, former + Int(number))
        }
    }()

    // As `saved`: for a signal handler to read. Each place is written once, by the call that makes the
    // handler which reads it.
    nonisolated(unsafe) private static let former: UnsafeMutablePointer<sigaction> = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()
}

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
        let found = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        found.initialize(to: settings)
        // Taken already: what was there before that is what counts.
        let (isKept, _) = saved.compareExchange(
            expected: 0, desired: UInt(bitPattern: found), ordering: .acquiringAndReleasing)
        if !isKept { found.deallocate() }
        rescueOnExit()
        rescueOnCrash()
        return take(settings)
    }

    /// Takes the terminal once more, after somebody else had it; not where it was given back meanwhile.
    static func renew() {
        guard let found = settings(at: saved.load(ordering: .acquiring)) else { return }
        _ = take(found.pointee)
        // Given back while it was taken: the last word is the shell's.
        if saved.load(ordering: .acquiring) == 0 { restore(found) }
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
        if let found = settings(at: saved.exchange(0, ordering: .acquiringAndReleasing)) { restore(found) }
    }

    /// Ctrl-Z: gives the terminal back, stops this process group, and takes the terminal again afterwards.
    static func stop() {
        leave()
        signal(SIGTSTP, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // The whole group, as the terminal would have done: a script around us is to stop too.
        kill(0, SIGTSTP)
        // Any of our threads may take the signal, a moment later. Whom no shell looks after is not
        // stopped at all, and comes back after this wait.
        poll(nil, 0, 100)
        TerminalInput.catchSignal(SIGTSTP)
        _ = enter()
    }

    private static func restore(_ found: UnsafePointer<termios>) {
        write(farewell)
        // Flushes what came in: a late answer of the terminal's is not the shell's to read.
        while tcsetattr(STDIN_FILENO, TCSAFLUSH, found) != 0, errno == EINTR {}
    }

    private static func settings(at address: UInt) -> UnsafePointer<termios>? { .init(bitPattern: address) }

    /// The address of the settings from before, while the terminal is taken; else 0.
    ///
    /// An address, since a signal handler may take no lock. What is there is never written again once the
    /// address is told, and never freed: a handler that has taken it back may still be reading while the
    /// terminal is taken anew. So each ``enter()`` has memory of its own, 60 bytes for every Ctrl-Z.
    ///
    /// Made at its first use, as statics are, which is in ``enter()``: before there is a handler.
    private static let saved = Atomic<UInt>(0)

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
            let written = Foundation.write(STDOUT_FILENO, start, count)
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
            let former = UnsafePointer<sigaction>(bitPattern: RawMode.former.load(ordering: .acquiring))
            sigaction(number, former.map { $0 + Int(number) }, nil)
            // Blocked while it is handled: it comes once this returns.
            raise(number)
        }
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        for number in fatal { sigaction(number, nil, actions + Int(number)) }
        former.store(UInt(bitPattern: actions), ordering: .releasing)
        // A thread whose stack is full has no room for the handler but where it set some aside.
        var action = sigaction(handler, flags: Int32(SA_ONSTACK))
        for number in fatal { sigaction(number, &action, nil) }
    }()

    /// The address of the actions that signals had before, by signal number; 0 before there is a handler.
    ///
    /// As ``saved``: written before the address is told, and neither changed nor freed after that.
    private static let former = Atomic<UInt>(0)
}

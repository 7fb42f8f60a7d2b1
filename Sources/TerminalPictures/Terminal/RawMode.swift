import Basics
import Foundation
import Synchronization

/// Raw mode, the alternate screen and a hidden cursor, undone on every way out of the process.
package enum RawMode {
    /// Takes the terminal over, and saves its settings for ``leave()``; false if standard input is not one. `mouse`:
    /// whether it reports clicks and the wheel, as long as it is taken.
    package static func enter(mouse: Bool? = nil) -> Bool {
        if let mouse { reportsMouse.store(mouse, ordering: .releasing) }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
        let found = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        found.initialize(to: settings)
        // If the terminal is taken already, the settings saved first are the ones to restore.
        let (isKept, _) = saved.compareExchange(
            expected: 0, desired: UInt(bitPattern: found), ordering: .acquiringAndReleasing)
        if !isKept { found.deallocate() }
        _ = (atExit, onCrash)
        return take(settings)
    }

    /// Takes the terminal over again after another program had it, unless it was given back meanwhile.
    static func renew() {
        guard let found = UnsafePointer<termios>(bitPattern: saved.load(ordering: .acquiring)) else { return }
        _ = take(found.pointee)
        // Given back in the meantime: the shell's settings win.
        if saved.load(ordering: .acquiring) == 0 { restore(found) }
    }

    private static func take(_ found: termios) -> Bool {
        var settings = found
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | IXON | ISTRIP)
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        settings.c_oflag &= ~tcflag_t(OPOST)
        settings.readEachByte()
        guard SystemCall.retrying({ tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }) == 0 else {
            return false
        }
        write(arrival)
        if reportsMouse.load(ordering: .acquiring) { write(mouse) }
        return true
    }

    /// Gives the terminal back. Async-signal-safe, and may be called twice.
    package static func leave() {
        let address = saved.exchange(0, ordering: .acquiringAndReleasing)
        if let found = UnsafePointer<termios>(bitPattern: address) { restore(found) }
    }

    /// Ctrl-Z: gives the terminal back, stops this process group, and takes the terminal again afterwards.
    static func stop() {
        leave()
        stopGroup()
        for number in [SIGTSTP, SIGCONT] { TerminalInput.catchSignal(number) }
        _ = enter()
    }

    /// Stops this process group as Ctrl-Z does, and returns once it is continued.
    static func stopGroup() {
        // First the rest of the group, as the terminal would do: a script around us has to stop too.
        signal(SIGTSTP, SIG_IGN)
        kill(0, SIGTSTP)
        // It waits for a thread that is still in the handler; this drops it, so that we do not stop twice.
        signal(SIGTSTP, SIG_IGN)
        // What continues us is no news here, so nobody has to be told.
        for number in [SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // This thread takes it before the call returns, so all of them stop here. Without a shell that controls
        // jobs none does, and we go on.
        pthread_kill(pthread_self(), SIGTSTP)
    }

    private static func restore(_ found: UnsafePointer<termios>) {
        write(farewell)
        // Drops pending input: a late answer of the terminal must not reach the shell.
        while tcsetattr(STDIN_FILENO, TCSAFLUSH, found) != 0, errno == EINTR {}
    }

    /// The address of the saved settings while the terminal is taken, else 0: a signal handler must not lock. The
    /// memory is never changed or freed, since a handler may still read it while the terminal is taken over again: each
    /// ``enter()`` allocates its own 60 bytes. Initialized in ``enter()``, before there is a handler.
    private static let saved = Atomic<UInt>(0)

    private static let reportsMouse = Atomic<Bool>(false)
    /// Presses and the wheel, in SGR form.
    private static let mouse: StaticString = "\u{1B}[?1000h\u{1B}[?1006h"
    /// Terminates a control string that was cut short (in a picture). Then the alternate screen, cleared; no cursor;
    /// no wrapping at the right edge; pasted text told from keys.
    private static let arrival: StaticString =
        "\u{1B}\\\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J"
    /// Terminates a control string, too, then undoes ``arrival``. Computed, because a stored static would be
    /// initialized at its first use, maybe in a signal handler.
    private static var farewell: StaticString {
        "\u{1B}\\\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }

    /// By hand, as in ``restore(_:)``: a signal handler may call only what is async-signal-safe, which Swift does
    /// not promise for generic functions.
    private static func write(_ text: StaticString) {
        var done = 0
        while done < text.utf8CodeUnitCount {
            let (start, count) = (text.utf8Start + done, text.utf8CodeUnitCount - done)
            let written = Foundation.write(STDOUT_FILENO, start, count)
            if written > 0 { done += written } else if errno != EINTR { return }
        }
    }

    // MARK: - Unplanned exits

    private static let atExit: Int32 = atexit { RawMode.leave() }

    /// Signals of crashes. Swift's traps are SIGILL or SIGTRAP, depending on the processor.
    private static let fatal = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Gives the terminal back, then raises the signal again under the action it had before, such as Swift's
    /// backtracer; under the system's own where that would write to the terminal, and take it for questions.
    private static let onCrash: Void = {
        let handler: @convention(c) (Int32) -> Void = { number in
            RawMode.leave()
            let former = UnsafePointer<sigaction>(bitPattern: RawMode.former.load(ordering: .acquiring))
            sigaction(number, former.map { $0 + Int(number) }, nil)
            // Blocked during the handler, so it arrives once this returns.
            raise(number)
        }
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        if isatty(STDERR_FILENO) != 1 {
            for number in fatal { sigaction(number, nil, actions + Int(number)) }
        }
        former.store(UInt(bitPattern: actions), ordering: .releasing)
        // A thread whose stack overflowed needs an alternate stack for the handler.
        var action = sigaction(handler, flags: Int32(SA_ONSTACK))
        for number in fatal { sigaction(number, &action, nil) }
    }()

    /// The address of the previous actions, indexed by signal number; 0 before there is a handler. Like ``saved``,
    /// neither changed nor freed once published.
    private static let former = Atomic<UInt>(0)
}

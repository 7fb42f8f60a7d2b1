import Foundation
import GalleryCore
import Synchronization

/// Ctrl-C and SIGTERM: say what is done, where there is anything to say, then end at once with status 130.
///
/// Ends by `_exit`, not by cancelling: every byte that counts is already with the
/// kernel, and cancelling a busy URLSession was measured to take up to 4.5 s.
///
/// One for the process, as signals are. ``TerminalInput`` takes them over for as long as the terminal is its own.
enum Interrupt {
    /// From now on the signals end the process with 130, rather than as signals do.
    ///
    /// One that is ignored stays so: `nohup`, or a shell's `&`, asked for that before we were started.
    static func catchSignals() {
        // A static is made at its first use, which must not be in a handler.
        _ = (bell.load(ordering: .relaxed), rangAt.load(ordering: .relaxed))
        var action = sigaction(handler, flags: SA_RESTART)
        for number in [SIGINT, SIGTERM] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if !former.isIgnoring { sigaction(number, &action, nil) }
        }
    }

    /// Runs `farewell` first, and none that was given before. A second signal, or a farewell that hangs,
    /// ends without it.
    static func say(_ farewell: @escaping @Sendable () -> Void) {
        self.farewell.withLock { $0 = farewell }
        bell.store(listener, ordering: .releasing)
    }

    /// For a command that is to fetch, until ``FetchRun`` knows more.
    static func sayNothingIsFetched(_ terminal: Terminal, isQuiet: Bool) {
        guard !isQuiet else { return }
        say { terminal.message("Interrupted: nothing was fetched yet.") }
    }

    /// Ends without a farewell from now on.
    static func sayNothing() {
        bell.store(-1, ordering: .releasing)
    }

    // MARK: - The handler

    /// Does only what is safe in the midst of anything.
    private static var handler: @convention(c) (Int32) -> Void {
        { _ in
            let former = errno
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let now = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
            let (isFirst, rangAt) = Interrupt.rangAt.compareExchange(
                expected: 0, desired: now, ordering: .acquiringAndReleasing)
            let bell = Interrupt.bell.load(ordering: .acquiring)
            // `timeout` sends each signal twice in a row: no second wish, as another press of the key would be.
            if bell < 0 || !isFirst && now - rangAt > 50 { _exit(ExitStatus.interrupted.rawValue) }
            var byte: UInt8 = 0
            if isFirst { _ = write(bell, &byte, 1) }
            errno = former
        }
    }

    /// When the first signal came, in milliseconds of the monotonic clock; 0 before that.
    private static let rangAt = Atomic<Int>(0)
    /// Where the handler writes a byte for the farewell; -1 where there is none.
    private static let bell = Atomic<Int32>(-1)

    // MARK: - The farewell

    private static let farewell = Mutex<(@Sendable () -> Void)?>(nil)

    /// The end of a pipe: a thread waits at the other.
    private static let listener: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        Thread.detachNewThread { [end = ends[0]] in
            var byte: UInt8 = 0
            while read(end, &byte, 1) < 0, errno == EINTR {}
            Thread.detachNewThread {
                farewell.withLock(\.self)?()
                _exit(ExitStatus.interrupted.rawValue)
            }
            poll(nil, 0, 150)
            _exit(ExitStatus.interrupted.rawValue)
        }
        return ends[1]
    }()
}

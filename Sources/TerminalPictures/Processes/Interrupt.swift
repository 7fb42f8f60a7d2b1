import Basics
import Foundation
import Synchronization

/// Ctrl-C, Ctrl-\, SIGTERM, and a terminal that hangs up: runs a handler if there is one, then ends the process at once
/// with status 130. By `_exit` rather than by cancelling: every byte that counts is already with the kernel, and
/// cancelling a busy URLSession was measured to take up to 4.5 s. There is one per process, as with signals;
/// ``TerminalInput`` takes them over while it owns the terminal.
package enum Interrupt {
    package static let status: Int32 = 130

    /// Makes the signals end the process with status 130, but for one that `nohup`, or a shell's `&`, has it ignore.
    package static func catchSignals() {
        // A static is initialized at its first use, which must not be in a signal handler.
        _ = (bell.load(ordering: .relaxed), rangAt.load(ordering: .relaxed))
        var action = sigaction(handler, flags: SA_RESTART)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if !former.isIgnoring { sigaction(number, &action, nil) }
        }
    }

    /// Runs `body`, in place of any earlier handler, before the end. A second signal, or a handler that hangs, ends the
    /// process without it.
    package static func onInterrupt(_ body: @escaping @Sendable () -> Void) {
        Self.body.withLock { $0 = body }
        tidyUp()
    }

    package static func removeHandler() { body.withLock { $0 = nil } }

    /// From now on, helpers are killed and their folders removed before the end, with or without a handler.
    package static func tidyUp() { bell.store(listener, ordering: .releasing) }

    // MARK: - The signal

    /// What the system calls: it uses only async-signal-safe functions.
    private static var handler: @convention(c) (Int32) -> Void {
        { _ in
            let former = errno
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let now = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
            let (isFirst, rangAt) = Interrupt.rangAt.compareExchange(
                expected: 0, desired: now, ordering: .acquiringAndReleasing)
            let bell = Interrupt.bell.load(ordering: .acquiring)
            // `timeout` sends each signal twice in a row; only a later one is a second request to end.
            if bell < 0 || !isFirst && now - rangAt > 50 { _exit(Interrupt.status) }
            var byte: UInt8 = 0
            if isFirst { _ = write(bell, &byte, 1) }
            errno = former
        }
    }

    /// When the first signal came, in milliseconds of the monotonic clock; 0 before that.
    private static let rangAt = Atomic<Int>(0)
    /// The descriptor that wakes the handler's thread; -1 if there is nothing to do before the end.
    private static let bell = Atomic<Int32>(-1)

    // MARK: - The handler

    private static let body = Mutex<(@Sendable () -> Void)?>(nil)

    /// The writing end of a pipe; a thread waits at the other end.
    private static let listener: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        Thread.detachNewThread { [end = ends[0]] in
            var byte: UInt8 = 0
            SystemCall.retrying { read(end, &byte, 1) }
            ChildProcess.killAll()
            Thread.detachNewThread {
                body.withLock(\.self)?()
                _exit(status)
            }
            // A handler that has to wait for a busy machine's cores is not one that hangs.
            poll(nil, 0, 2_000)
            _exit(status)
        }
        return ends[1]
    }()
}

extension sigaction {
    /// The action that calls `handler`, which must be async-signal-safe.
    init(_ handler: @escaping @convention(c) (Int32) -> Void, flags: Int32) {
        self.init()
        // The first field, whatever the C library calls it.
        withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: handler, as: type(of: handler)) }
        sa_flags = flags
    }

    /// Whether the signal is ignored. `SIG_IGN` is a number in the place of a function.
    var isIgnoring: Bool {
        withUnsafeBytes(of: self) { $0.load(as: Int.self) } == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

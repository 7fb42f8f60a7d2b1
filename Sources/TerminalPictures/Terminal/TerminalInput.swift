import Basics
import Foundation
import Synchronization

package enum TerminalEvent: Hashable, Sendable {
    case keys([Key])
    /// The window was resized, or the program was suspended: everything has to be drawn again.
    case redraw
    /// The terminal's last answer has come, late: all of them.
    case answered(TerminalAnswers)
    /// Ctrl-C, SIGTERM, or the terminal is gone.
    case interrupted
}

/// A thread that reads keys, and signals through a pipe: all that their handler does is write one byte.
package struct TerminalInput {
    private let emit: @Sendable (TerminalEvent) -> Void
    private let alone: Alone
    private var isInterrupted = false

    private static let numbers = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
    private static let writeEnd = Atomic<Int32>(-1)

    /// Calls what changes the terminal while nothing else writes to it.
    package typealias Alone = @Sendable (() -> Void) -> Void

    /// Queues signals for ``start(_:after:alone:emit:)``, so that none ends the process while it owns the terminal, and
    /// returns the descriptor that they are read from; -1 if there is none left.
    package static func catchSignals() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd.store(ends[1], ordering: .releasing)
        numbers.forEach(catchSignal)
        return ends[0]
    }

    /// Starts reading, for the rest of the process's life, after what `parser` has read; `alone` is called on the
    /// reading thread, which may stop in it.
    package static func start(
        _ signals: Int32, after parser: TerminalParser, alone: @escaping Alone,
        emit: @escaping @Sendable (TerminalEvent) -> Void
    ) {
        Thread.detachNewThread {
            var input = TerminalInput(emit: emit, alone: alone)
            input.read(signals, parser)
        }
    }

    static func catchSignal(_ number: Int32) {
        let handler: @convention(c) (Int32) -> Void = { number in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = Foundation.write(TerminalInput.writeEnd.load(ordering: .acquiring), &byte, 1)
            errno = saved
        }
        var action = sigaction(handler, flags: SA_RESTART)
        sigaction(number, &action, nil)
    }

    private mutating func read(_ signals: Int32, _ former: TerminalParser) {
        var parser = former
        take(former.typed)
        var isSettled = true
        var waits = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // The bytes of one key come together; an Escape alone for this long is the Escape key.
            let count = poll(&waits, nfds_t(waits.count), isSettled ? -1 : 50)
            if count == 0 {
                take(parser.flush())
                isSettled = true
            }
            guard count > 0 else { continue }
            if waits[1].revents != 0 { for number in Self.bytes(of: signals) { take(signal: number) } }
            guard waits[0].revents != 0 else { continue }
            let bytes = Self.bytes(of: STDIN_FILENO)
            guard !bytes.isEmpty else { return emit(.interrupted) }
            let wasComplete = parser.answers.isComplete
            take(parser.keys(in: bytes))
            if parser.answers.isComplete, !wasComplete { emit(.answered(parser.answers)) }
            isSettled = false
        }
    }

    private mutating func take(_ keys: [Key]) {
        var rest = keys[...]
        while let index = rest.firstIndex(where: { $0 == .control("c") || $0 == .control("z") }) {
            send(rest[..<index])
            if rest[index] == .control("c") { interrupt() } else { change(RawMode.stop) }
            rest = rest[(index + 1)...]
        }
        send(rest)
    }

    private func send(_ keys: ArraySlice<Key>) { if !keys.isEmpty { emit(.keys(Array(keys))) } }

    private mutating func take(signal number: UInt8) {
        switch Int32(number) {
        case SIGTSTP: change(RawMode.stop)
        // After an unannounced stop the terminal has the shell's settings.
        case SIGCONT: change(RawMode.renew)
        case SIGWINCH: emit(.redraw)
        case SIGQUIT: quit()
        default: interrupt()
        }
    }

    private func change(_ terminal: () -> Void) {
        alone(terminal)
        emit(.redraw)
    }

    /// The first interrupt ends the program properly, the second at once.
    private mutating func interrupt() {
        if isInterrupted {
            RawMode.leave()
            ChildProcess.killAll()
            _exit(Interrupt.status)
        }
        isInterrupted = true
        emit(.interrupted)
    }

    /// Ends the program as the signal does, but for what it would leave behind.
    private func quit() -> Never {
        RawMode.leave()
        ChildProcess.killAll()
        signal(SIGQUIT, SIG_DFL)
        kill(getpid(), SIGQUIT)
        while true { pause() }
    }

    private static func bytes(of descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = SystemCall.retrying { Foundation.read(descriptor, &buffer, buffer.count) }
        return Array(buffer.prefix(max(0, count)))
    }
}

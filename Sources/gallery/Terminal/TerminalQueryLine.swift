import Foundation
import Synchronization

/// The line to the user's terminal, opened anew, so that not to wait on it is ours alone.
///
/// While it is ``hush()``ed, what the terminal answers is not echoed and needs no Return to be read.
final class TerminalQueryLine: Sendable {
    private let descriptor: Int32
    /// How the terminal was before; `nil` while it is as it was.
    private let before = Mutex<termios?>(nil)

    /// The terminal of standard output; `nil` where there is none, or where we are in its background:
    /// whoever changes it there is stopped.
    init?(_ output: Int32 = STDOUT_FILENO) {
        guard isatty(output) == 1 else { return nil }
        // By its own name first: macOS cannot poll /dev/tty.
        let found = [Self.name(of: output), "/dev/tty"].compactMap(\.self).lazy
            .map { open($0, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
            .first { $0 >= 0 }
        guard let found else { return nil }
        guard tcgetpgrp(found) == getpgrp() else {
            _ = Foundation.close(found)
            return nil
        }
        descriptor = found
    }

    deinit {
        restore(flushing: false)
        _ = Foundation.close(descriptor)
    }

    static func name(of descriptor: Int32) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// No echo, no waiting for Return. Keys like Ctrl-C keep their meaning.
    func hush() {
        before.withLock { before in
            var state = termios()
            guard before == nil, tcgetattr(descriptor, &state) == 0 else { return }
            let old = state
            state.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &state.c_cc) { keys in
                keys[Int(VMIN)] = 1
                keys[Int(VTIME)] = 0
            }
            // At once, and without dropping what was typed ahead.
            if tcsetattr(descriptor, TCSANOW, &state) == 0 { before = old }
        }
    }

    /// As it was before ``hush()``; with `flushing`, what came meanwhile and was not read is dropped.
    func restore(flushing: Bool) {
        before.withLock { before in
            guard var state = before else { return }
            // Before the echo is back, so that nothing is seen of it.
            if flushing { tcflush(descriptor, TCIFLUSH) }
            tcsetattr(descriptor, TCSANOW, &state)
            before = nil
        }
    }

    /// Writes at once what fits. A stopped terminal (Ctrl-S) takes nothing, and nobody waits for it.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// What has come, waiting for it until `deadline`; `nil` when none has come by then, or ever will.
    func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = Foundation.read(descriptor, &buffer, buffer.count)
            if length > 0 { return Array(buffer.prefix(length)) }
            guard length < 0, errno == EINTR || errno == EAGAIN else { return nil }
        }
    }
}

import Foundation
import Synchronization

/// A pipe that closes with its last reference; also a one-time signal that a waiting thread hears.
final class ProcessPipe: Sendable {
    private let ends: Mutex<(read: Int32, write: Int32)>

    /// A pipe, both ends close-on-exec; `nil` where the system has no more descriptors.
    init?() {
        var numbers: [Int32] = [-1, -1]
        guard pipe(&numbers) == 0 else { return nil }
        for number in numbers {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        }
        // The writing end is the child's standard output, which expects one that waits.
        _ = fcntl(numbers[1], F_SETFL, fcntl(numbers[1], F_GETFL) & ~O_NONBLOCK)
        ends = Mutex((numbers[0], numbers[1]))
    }

    deinit {
        ends.withLock { ends in
            close(ends.read)
            if ends.write >= 0 { close(ends.write) }
        }
    }

    var write: Int32 { ends.withLock { $0.write } }
    private var reading: Int32 { ends.withLock { $0.read } }

    /// Closes our copy of the writing end, so that its last other holder ends the output.
    func closeWrite() {
        ends.withLock { ends in
            if ends.write >= 0 { close(ends.write) }
            ends.write = -1
        }
    }

    /// Makes it readable for ever.
    func signal() {
        ends.withLock { ends in
            if ends.write >= 0 { _ = Foundation.write(ends.write, [1], 1) }
        }
    }

    /// Adds what is there, at most 64 KiB. False at the end of the output.
    func read(into bytes: inout [UInt8]) -> Bool {
        let number = reading
        return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = Foundation.read(number, buffer.baseAddress, buffer.count)
            let isPassing = count < 0 && (errno == EINTR || errno == EAGAIN)
            bytes += buffer.prefix(max(0, count))
            return count > 0 || isPassing
        }
    }

    /// Waits until one of the pipes can be read, or for `time`; `nil` for any time.
    static func wait(
        _ first: ProcessPipe?, _ second: ProcessPipe?, _ third: ProcessPipe, for time: Duration?
    ) -> (Bool, Bool, Bool) {
        var entries = [first, second, third].map {
            pollfd(fd: $0?.reading ?? -1, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = time.map { Int32(clamping: Int64(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return (false, false, false) }
        return (entries[0].revents != 0, entries[1].revents != 0, entries[2].revents != 0)
    }
}

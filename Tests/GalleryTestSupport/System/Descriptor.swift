import Foundation

/// A file descriptor that is closed with its last reference, or earlier on demand.
///
/// All are close-on-exec, so that the children of concurrent tests
/// do not hold each other's pipes open.
final class Descriptor: Sendable {
    private let number: Locked<Int32?>

    init(_ number: Int32) {
        self.number = Locked(number)
    }

    deinit { close() }

    /// Closes the descriptor; later calls do nothing.
    func close() {
        number.withLock { number in
            if let open = number { _ = systemClose(open) }
            number = nil
        }
    }

    /// Calls `body` with the number while it is certain to refer to this file; returns `nil` once closed.
    ///
    /// For calls that do not block: other threads wait meanwhile.
    func withNumber<Result: Sendable>(_ body: (Int32) -> Result) -> Result? {
        number.withLock { $0.map(body) }
    }

    /// The number for blocking calls, by the thread that also closes it; -1 once closed.
    var raw: Int32 { number.withLock { $0 ?? -1 } }

    func makeNonblocking() {
        _ = withNumber { fcntl($0, F_SETFL, fcntl($0, F_GETFL) | O_NONBLOCK) }
    }
}

/// Creates a pipe with both ends close-on-exec.
func makePipe() throws -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
        guard GNU.pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2") }
    #else
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (Descriptor(ends[0]), Descriptor(ends[1]))
}

/// A one-time signal that a thread can receive while it waits for descriptors.
///
/// A pipe with one byte that no one reads: readable forever, for everyone.
final class Latch: Sendable {
    private let ends: (read: Descriptor, write: Descriptor)

    init() throws {
        ends = try makePipe()
    }

    func open() {
        _ = ends.write.withNumber { write($0, [1], 1) }
    }

    var raw: Int32 { ends.read.raw }
}

/// A failed system call, with its reason as text.
public struct SystemError: Error, CustomStringConvertible {
    /// The call and its `strerror` message.
    public let description: String

    init(_ call: String, code: Int32 = errno) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}

/// Waits until one of the descriptors is ready and returns their `revents`.
///
/// - Parameter timeout: `nil` waits indefinitely. After a timeout, all results are zero.
func ready(_ wishes: [(descriptor: Int32, events: Int32)], timeout: Duration? = nil) -> [Int32] {
    var entries = wishes.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        let result = poll(&entries, nfds_t(entries.count), left.map(milliseconds) ?? -1)
        if result > 0 { return entries.map { Int32($0.revents) } }
        if result == 0, left == .zero || timeout == .zero { return entries.map { _ in 0 } }
        if result < 0, errno != EINTR, errno != EAGAIN { return entries.map { _ in POLLERR } }
    }
}

/// Rounds up, so that a short wait does not become a busy loop.
private func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
}

private func systemClose(_ number: Int32) -> Int32 {
    close(number)
}

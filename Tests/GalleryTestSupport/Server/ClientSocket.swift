import Foundation

/// An accepted connection: blocking calls for its own thread, all of which end when the server stops.
struct ClientSocket {
    let descriptor: Descriptor
    let stop: Latch

    /// The available bytes, at least one; `nil` once the client is gone or the server stops.
    func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while waits(for: POLLIN) {
            let count = recv(descriptor.raw, &buffer, buffer.count, 0)
            if count > 0 { return Data(buffer[..<count]) }
            if count == 0 || !isPassing(errno) { return nil }
        }
        return nil
    }

    /// Sends all bytes; returns `false` if the client goes or the server stops first.
    func write(_ bytes: Data) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor.raw, $0.baseAddress, $0.count, noSignal) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0, !isPassing(errno) || !waits(for: POLLOUT) { return false }
        }
        return true
    }

    /// Waits for a duration or until the latch opens; returns `false` if the client goes or the server
    /// stops first.
    func pause(for duration: Duration? = nil, until latch: Latch? = nil) -> Bool {
        let deadline = duration.map { ContinuousClock.now + $0 }
        // A pipelined request would keep the connection readable all along; then only
        // the hang-up events remain, which need not be requested.
        var watched = POLLIN
        while true {
            let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
            var limit = left
            #if !os(Linux)
                // Its poll tells of a hang-up only beside an event that was asked for.
                if watched == 0 {
                    if ready([(descriptor.raw, POLLIN)], timeout: .zero)[0] & POLLHUP != 0 { return false }
                    limit = min(left ?? .milliseconds(20), .milliseconds(20))
                }
            #endif
            let events = ready(
                [(descriptor.raw, watched), (stop.raw, POLLIN), (latch?.raw ?? -1, POLLIN)], timeout: limit)
            if events[1] != 0 { return false }
            if events[2] != 0 || left == .zero { return true }
            if events[0] == 0 { continue }
            if descriptor.isHungUp { return false }
            watched = 0
        }
    }

    /// Closes in order: bytes already sent still arrive.
    func close() {
        _ = shutdown(descriptor.raw, Int32(SHUT_WR))
        descriptor.close()
    }

    /// Closes with an RST, once the client's system has all bytes sent so far.
    ///
    /// A reset discards unsent bytes: without the wait, "reset at byte N" would arrive as "reset at some
    /// byte up to N". Polled every millisecond, since no system reports when they are all gone; the limit of
    /// two seconds is for a client that has stopped reading and will never receive them.
    func reset() {
        for _ in 0..<2000 where unsentBytes > 0 {
            if ready([(stop.raw, POLLIN)], timeout: .milliseconds(1))[0] != 0 { break }
        }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor.raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        descriptor.close()
    }

    private var unsentBytes: Int32 {
        var count: Int32 = 0
        #if canImport(Glibc)
            _ = ioctl(descriptor.raw, UInt(TIOCOUTQ), &count)
        #else
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor.raw, SOL_SOCKET, SO_NWRITE, &count, &size)
        #endif
        return count
    }

    private func waits(for event: Int32) -> Bool {
        let events = ready([(descriptor.raw, event), (stop.raw, POLLIN)])
        return events[1] == 0
    }

    private func isPassing(_ code: Int32) -> Bool {
        code == EAGAIN || code == EWOULDBLOCK || code == EINTR
    }

    private var noSignal: Int32 {
        #if canImport(Glibc)
            Int32(MSG_NOSIGNAL)
        #else
            0  // SO_NOSIGPIPE is set on the socket instead.
        #endif
    }
}

extension Descriptor {
    /// Whether the client has closed or reset this connection.
    var isHungUp: Bool {
        let state = withNumber { number in
            var byte: UInt8 = 0
            let count = recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        }
        return state ?? true
    }
}

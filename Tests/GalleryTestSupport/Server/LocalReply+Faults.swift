import Foundation

/// How a connection ends.
public enum LocalEnding: Sendable, Hashable, CaseIterable {
    /// In order: with a FIN, after all bytes sent so far.
    case close
    /// With an RST, as from a crashed server or a hostile middlebox.
    case reset
}

/// A position in a body, counted in bytes as sent (in a 206, from the start of the part).
public enum BodyPoint: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// After this many bytes.
    case byte(Int)
    /// After half of the bytes, rounded down.
    case half
    /// Before the last byte.
    case last
    /// After the last byte; in a chunked body, before the terminating chunk.
    case end

    /// After this many bytes.
    public init(integerLiteral count: Int) {
        self = .byte(count)
    }

    func offset(in count: Int) -> Int {
        switch self {
        case .byte(let offset): min(offset, count)
        case .half: count / 2
        case .last: max(0, count - 1)
        case .end: count
        }
    }
}

struct Interruption: Sendable {
    let point: BodyPoint
    let step: ReplyStep
}

struct Drip: Sendable {
    let bytes: Int
    let interval: Duration
}

extension LocalReply {
    /// Ends the connection at this point of the body, leaving the announced length as is.
    public func cut(at point: BodyPoint, by ending: LocalEnding = .close) -> LocalReply {
        with { $0.interruptions.append(Interruption(point: point, step: .end(ending))) }
    }

    /// Stalls at this point until the gate opens or, without a gate, until the server stops.
    public func stalled(at point: BodyPoint, until gate: Gate? = nil) -> LocalReply {
        with { $0.interruptions.append(Interruption(point: point, step: .hold(gate))) }
    }

    /// Sends the body in pieces of `bytes` bytes, with a pause between them.
    ///
    /// Uses real time, since the pieces have to travel separately: a millisecond is enough, and no test's
    /// result may depend on how long it takes.
    public func dripping(bytes: Int, every interval: Duration) -> LocalReply {
        with { $0.drip = Drip(bytes: bytes, interval: interval) }
    }

    /// Waits before the first byte of the reply, in real time: for measurements. Tests hold a reply back
    /// with ``delayed(until:)``.
    public func delayed(by duration: Duration) -> LocalReply {
        with { $0.latency.append(.wait(duration)) }
    }

    /// Holds the whole reply back until the gate opens.
    public func delayed(until gate: Gate) -> LocalReply {
        with { $0.latency.append(.hold(gate)) }
    }

    /// Sends the body in chunks of `size` bytes instead of announcing its length.
    public func chunked(size: Int = 8192) -> LocalReply {
        with { $0.framing = .chunked(size: size) }
    }

    /// Announces no length; the end of the connection ends the body.
    public func withoutLength() -> LocalReply {
        with { $0.framing = .untilClose }
    }

    /// Announces this `Content-Length`, whatever the body's length, then closes.
    public func announcing(length: Int) -> LocalReply {
        with { $0.framing = .announced(length) }
    }

    /// Closes the connection after a complete reply, and announces it.
    public func closing() -> LocalReply {
        with {
            $0.closes = true
            $0.edits.append { $0.set("Connection", "close") }
        }
    }

    /// Replaces a header, including those of the file or the framing; `nil` removes it.
    public func header(_ name: String, _ value: String?) -> LocalReply {
        with { $0.edits.append { $0.set(name, value) } }
    }

    /// Replaces a header with a value of arbitrary bytes.
    public func header(_ name: String, bytes: some Sequence<UInt8>) -> LocalReply {
        let value = Data(bytes)
        return with { $0.edits.append { $0.set(name, value) } }
    }

    /// A compressed reply, announced as such.
    ///
    /// - Parameter cut: The number of bytes to drop from the end of the compressed
    /// body. The announced length is the shorter one, so that only gzip can tell.
    public static func gzip(
        _ body: Data, contentType: String = "application/json", cut: Int = 0
    ) -> LocalReply {
        let headers: LocalHeaders = ["Content-Type": contentType, "Content-Encoding": "gzip"]
        return .status(200, headers: headers, body: LocalBody(Checksums.gzip(body).dropLast(cut)))
    }

    private func with(_ change: (inout LocalReply) -> Void) -> LocalReply {
        var copy = self
        change(&copy)
        return copy
    }
}

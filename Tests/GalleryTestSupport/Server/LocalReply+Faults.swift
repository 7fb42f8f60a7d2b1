import Foundation

/// How a connection ends.
public enum LocalEnding: Sendable, Hashable, CaseIterable {
    /// In order: a FIN, after all bytes sent so far.
    case close
    /// With a RST, as a crashed server or an angry middlebox does it.
    case reset
}

/// A place in a body, counted in its bytes as sent (of a 206, from the part's start).
public enum BodyPoint: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// After this many bytes.
    case byte(Int)
    /// After half of them, rounded down.
    case half
    /// Before the last byte.
    case last
    /// After the last byte; of a chunked body, before the chunk that says so.
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
    /// Ends the connection at this point of the body; what was announced stays announced.
    public func cut(at point: BodyPoint, by ending: LocalEnding = .close) -> LocalReply {
        with { $0.interruptions.append(Interruption(point: point, step: .end(ending))) }
    }

    /// Falls silent at this point until the gate opens; without one, until the server stops.
    public func stalled(at point: BodyPoint, until gate: Gate? = nil) -> LocalReply {
        with { $0.interruptions.append(Interruption(point: point, step: .hold(gate))) }
    }

    /// Sends so many bytes of the body at a time, with a pause between.
    ///
    /// Real time, since the pieces shall travel apart: a millisecond is enough, and no test's outcome may
    /// hang on how long it takes.
    public func dripping(bytes: Int, every interval: Duration) -> LocalReply {
        with { $0.drip = Drip(bytes: bytes, interval: interval) }
    }

    /// Waits before the first byte of the answer, in real time: for measuring. Tests hold an answer back
    /// by ``delayed(until:)``.
    public func delayed(by duration: Duration) -> LocalReply {
        with { $0.latency.append(.wait(duration)) }
    }

    /// Holds the whole answer back until the gate opens.
    public func delayed(until gate: Gate) -> LocalReply {
        with { $0.latency.append(.hold(gate)) }
    }

    /// Sends the body in chunks of this many bytes instead of announcing its length.
    public func chunked(size: Int = 8192) -> LocalReply {
        with { $0.framing = .chunked(size: size) }
    }

    /// Announces no length; the body ends with the connection.
    public func withoutLength() -> LocalReply {
        with { $0.framing = .untilClose }
    }

    /// Announces this `Content-Length`, whatever the body has, then closes.
    public func announcing(length: Int) -> LocalReply {
        with { $0.framing = .announced(length) }
    }

    /// Ends the connection after a whole answer, and says so.
    public func closing() -> LocalReply {
        with {
            $0.closes = true
            $0.edits.append { $0.set("Connection", "close") }
        }
    }

    /// Replaces a header line, also one that the file or the framing makes; `nil` leaves it out.
    public func header(_ name: String, _ value: String?) -> LocalReply {
        with { $0.edits.append { $0.set(name, value) } }
    }

    /// The same with a value of any bytes.
    public func header(_ name: String, bytes: some Sequence<UInt8>) -> LocalReply {
        let value = Data(bytes)
        return with { $0.edits.append { $0.set(name, value) } }
    }

    /// Replaces the reason phrase by any bytes.
    public func reason(_ bytes: some Sequence<UInt8>) -> LocalReply {
        let reason = Data(bytes)
        return with { $0.reason = reason }
    }

    /// Sends this body compressed, and says so.
    ///
    /// - Parameter cut: Leaves off so many bytes at the end of the compressed
    ///   form but announces the shorter length, so that only gzip can tell.
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

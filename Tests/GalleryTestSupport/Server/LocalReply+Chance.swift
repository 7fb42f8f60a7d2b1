/// A way in which a host fails some requests.
public enum LocalFault: String, CaseIterable, Sendable {
    /// Closed in the middle of the body.
    case cut
    /// Reset in the middle of the body.
    case reset
    /// Closed before the first byte.
    case refusal
    case unavailable
}

extension LocalReply {
    /// This reply with a fault; if that is in the body, the first half still arrives.
    public func spoiled(by fault: LocalFault) -> LocalReply {
        switch fault {
        case .cut: cut(at: .half)
        case .reset: cut(at: .half, by: .reset)
        case .refusal: .noAnswer()
        case .unavailable: .status(503)
        }
    }
}

extension LocalRequest {
    /// Whether this is one of the quarter of all requests that fail: chosen at random, but the same on every
    /// run whatever the order of requests, and never five attempts in a row.
    public var isUnlucky: Bool {
        let seed = path.utf8.reduce(UInt64(attempt)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var generator = SeededGenerator(seed: seed)
        return attempt % 5 != 0 && generator.next() % 4 == 0
    }
}

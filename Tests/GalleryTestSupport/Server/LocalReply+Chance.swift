/// One way in which a host fails some of its requests.
public enum LocalFault: String, CaseIterable, Sendable {
    /// Closed in the middle of the body.
    case cut
    /// Reset in the middle of the body.
    case reset
    /// Closed before any byte.
    case refusal
    /// Status 503.
    case unavailable
}

extension LocalReply {
    /// The same reply spoiled; of a body the first half arrives.
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
    /// Whether this is one of the quarter of all requests that fail: by chance, the same on every run in
    /// whatever order requests arrive, and never five tries in a row.
    public var isUnlucky: Bool {
        let seed = path.utf8.reduce(UInt64(attempt)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var generator = SeededGenerator(seed: seed)
        return attempt % 5 != 0 && generator.next() % 4 == 0
    }
}

import Foundation

/// The reason why a reply did not arrive whole.
public enum TransportError: ActionableError {
    /// No connection: nothing listens there, or the name has no address. `reason` is plain text.
    case unreachable(host: String, reason: String)
    /// The connection ended before the reply did. In bytes; `expected` is `nil` where no length was announced.
    case cutShort(host: String, received: Int64, expected: Int64?)
    /// Nothing arrived for this many seconds.
    case timedOut(host: String, seconds: Int)
    /// A redirect that is not followed: its target is not a web address, it leads from https to http with
    /// a credential, or there were more than ten.
    case redirect(host: String, reason: String)
    /// What arrived is not HTTP, or its encryption cannot be trusted.
    case malformed(host: String, reason: String)
    /// The sink refused the reply; the sink's own error.
    case rejected(any Error)
    /// The task was cancelled.
    case cancelled

    /// Whether the same request may succeed later.
    public var isPassing: Bool {
        switch self {
        case .unreachable, .cutShort, .timedOut: true
        case .redirect, .malformed, .rejected, .cancelled: false
        }
    }

    /// One sentence that names the host.
    public var description: String {
        switch self {
        case .unreachable(let host, let reason): "'\(host)' could not be reached: \(reason)."
        case .cutShort(let host, let received, let expected?):
            "'\(host)' closed the connection after \(received) of \(expected) bytes."
        case .cutShort(let host, let received, nil):
            "'\(host)' closed the connection after \(received) bytes, before the end."
        case .timedOut(let host, let seconds):
            "'\(host)' sent nothing for \(seconds) \(seconds == 1 ? "second" : "seconds")."
        case .redirect(let host, let reason): "A redirect by '\(host)' was not followed: \(reason)."
        case .malformed(let host, let reason): "'\(host)' did not answer properly: \(reason)."
        case .rejected(let error): "\(error)"
        case .cancelled: "The transfer was cancelled."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .unreachable: "Check the address and the network connection."
        case .cutShort, .timedOut: "Run the same command again; it goes on where it stopped."
        case .rejected(let error): (error as? any ActionableError)?.hint
        case .redirect, .malformed, .cancelled: nil
        }
    }
}

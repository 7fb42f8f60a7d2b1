import Foundation

/// The reason why a reply did not arrive whole.
public enum TransportError: ActionableError {
    /// No connection: nothing listens there, or the name has no address. `reason` is plain text.
    case unreachable(host: String, reason: String)
    /// The proxy that the environment names is down, or refuses. `host` is the proxy's, and may be empty;
    /// `reason` is plain text that follows its name. Passing where it may be up later.
    case proxy(host: String, reason: String, isPassing: Bool)
    /// The connection ended before the reply did. In bytes; `expected` is `nil` where no length was announced.
    case cutShort(host: String, received: Int64, expected: Int64?)
    /// Nothing arrived for this many seconds.
    case timedOut(host: String, seconds: Int)
    /// A redirect that is not followed: to no web address, from https to http with a credential, or after ten others.
    case redirect(host: String, reason: String)
    /// What arrived is not HTTP, or its encryption cannot be trusted.
    case malformed(host: String, reason: String)
    /// The library does not take the reply's header fields.
    case badHeader(host: String)
    /// The host lets only browsers in, which prove that they are some.
    case browsersOnly(host: String)
    /// The reply ended the process that read it, even with nothing else to do. Passing where it happened
    /// before a whole head arrived, since the host may have been cut off.
    case unreadable(host: String, isPassing: Bool)
    /// The process that carried the request ended, perhaps by another one's fault, not the host's. Send it again.
    case interrupted(host: String)
    /// The sink refused the reply; the sink's own error.
    case rejected(any Error)
    /// The task was cancelled.
    case cancelled

    /// Whether the same request may succeed later.
    public var isPassing: Bool {
        switch self {
        case .unreachable(_, let reason): reason != Self.noSuchHost
        case .cutShort, .timedOut, .interrupted: true
        case .unreadable(_, let isPassing), .proxy(_, _, let isPassing): isPassing
        case .redirect, .malformed, .badHeader, .browsersOnly, .rejected, .cancelled: false
        }
    }

    /// Why a body that is not encoded as its head says is malformed.
    static let damagedEncoding = "its compressed answer is damaged"
    /// Why a host whose name has no address is unreachable, now and later.
    static let noSuchHost = "there is no such host"

    /// One sentence that names the host.
    public var description: String {
        switch self {
        case .unreachable(let host, let reason): "'\(host)' could not be reached: \(reason)."
        case .proxy(let host, let reason, _): "The proxy \(host.isEmpty ? "" : "'\(host)' ")\(reason)."
        case .cutShort(let host, let received, let expected?):
            "'\(host)' closed the connection after \(received) of \(expected) bytes."
        case .cutShort(let host, let received, nil):
            "'\(host)' closed the connection after \(received) bytes, before the end."
        case .timedOut(let host, let seconds):
            "'\(host)' sent nothing for \(seconds) \(seconds == 1 ? "second" : "seconds")."
        case .redirect(let host, let reason): "A redirect by '\(host)' was not followed: \(reason)."
        case .malformed(let host, let reason): "'\(host)' did not answer properly: \(reason)."
        case .badHeader(let host): "'\(host)' sent a header that cannot be read."
        case .browsersOnly(let host): "'\(host)' lets only browsers in."
        case .unreadable(let host, _):
            "'\(host)' sent an answer that Swift's HTTP library cannot read (a trailer, or a broken head)."
        case .interrupted(let host): "The transfer from '\(host)' was interrupted."
        case .rejected(let error): "\(error)"
        case .cancelled: "The transfer was canceled."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .unreachable: "Check the address and the network connection."
        case .proxy: "Check http_proxy, https_proxy, all_proxy, and no_proxy in the environment."
        case .cutShort, .timedOut, .interrupted: "Try again."
        case .browsersOnly: "Open its pages in a browser; no setting here gets past that."
        case .rejected(let error): (error as? any ActionableError)?.hint
        case .redirect, .malformed, .badHeader, .unreadable, .cancelled: nil
        }
    }
}

import Foundation

/// Why a file did not arrive.
public enum DownloadError: ActionableError {
    /// The reply did not arrive whole, after all retries.
    case transport(TransportError)
    /// The host answered with a status that is no success, 300 to 599; `seconds` is its `Retry-After`.
    case refused(host: String, status: Int, seconds: Int?)
    /// The bytes are no picture of a kind we know; `found` says what they look like.
    case notAPicture(host: String, found: String)
    /// The body was empty.
    case empty(host: String)
    /// The file is a torso: its length or its format's end is wrong.
    case incomplete(host: String, reason: String)
    /// A file or folder could not be created; `path` and the system's reason.
    case cannotCreate(path: String, reason: String)
    /// Writing failed, such as on a full disk; `path` and the system's reason.
    case cannotWrite(path: String, reason: String)
    /// Another process is fetching the same file right now.
    case busy(path: String)
    /// The task was cancelled; parts are kept.
    case cancelled

    /// One sentence that names the host or the path.
    public var description: String {
        switch self {
        case .transport(let error): error.description
        case .refused(let host, let status, _): "'\(host)' answered with status \(status)."
        case .notAPicture(let host, let found): "'\(host)' sent no picture but \(found)."
        case .empty(let host): "'\(host)' sent an empty file."
        case .incomplete(let host, let reason): "'\(host)' sent a broken picture: \(reason)."
        case .cannotCreate(let path, let reason): "'\(path)' could not be created: \(reason)."
        case .cannotWrite(let path, let reason): "'\(path)' could not be written: \(reason)."
        case .busy(let path): "'\(path)' is being fetched by another process."
        case .cancelled: "The fetch was cancelled."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .transport(let error): error.hint
        case .refused(_, 429, _), .refused(_, 503, _): "Wait a while, then run the same command again."
        case .cannotWrite(_, let reason) where SystemCall.Failure.lackOfRoom.contains(reason):
            "Make room, then run the same command again; it goes on where it stopped."
        case .cannotCreate, .cannotWrite: "Check the path and its permissions."
        case .busy, .cancelled: "Run the same command again; it goes on where it stopped."
        case .refused, .notAPicture, .empty, .incomplete: nil
        }
    }
}

import Foundation

/// Why a service gave no photos.
public enum ServiceError: ActionableError {
    /// The reply could not be understood.
    case unreadable(ImportError)
    /// No reply came.
    case transport(TransportError)
    /// The service wants a key, and none is set; `variable` is the environment variable that holds it.
    case keyMissing(service: String, variable: String)
    /// The service did not accept the key, or shows this to others only; `reason` in its words.
    case refused(service: String, reason: String, variable: String?)
    /// No such photo, user or page: `what` names it, such as `photo 123`.
    case missing(service: String, what: String)
    /// The folder to look into, `path` as plain text, is not there or, where it is locked, may not be read.
    case noFolder(path: String, isLocked: Bool)
    /// The service asks to wait, this many seconds where it says.
    case rateLimited(service: String, seconds: Int?)
    /// The service failed with an HTTP status, 400 to 599.
    case failed(service: String, status: Int, reason: String?)
    /// The service has no such feed, ranking or date; `known` is what it has instead.
    case unsupported(service: String, what: String, known: [String])

    /// One sentence that names the service and the culprit.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .transport(let error): error.description
        case .keyMissing(let service, _): "\(service) needs a key, but none is set."
        case .refused(let service, let reason, _): "\(service) refused the request: \(reason)."
        case .missing(let service, let what): "\(service) has no \(what)."
        case .noFolder(let path, false): "There is no folder '\(path)'."
        case .noFolder(let path, true): "The folder '\(path)' is not readable."
        case .rateLimited(let service, let seconds?):
            "\(service) asks to wait \(seconds) \(seconds == 1 ? "second" : "seconds")."
        case .rateLimited(let service, nil): "\(service) asks to wait."
        case .failed(let service, let status, let reason?):
            "\(service) failed with status \(status): \(reason)."
        case .failed(let service, let status, nil): "\(service) failed with status \(status)."
        case .unsupported(let service, let what, _): "\(service) has no \(what)."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .unreadable(let error): error.hint
        case .transport(let error): error.hint
        case .keyMissing(_, let variable): "Set \(variable), or put the key into the configuration file."
        case .refused(_, _, let variable?): "Check the key in \(variable)."
        case .noFolder: "Choose a folder with pictures."
        case .rateLimited: "Wait a while, then run the same command again."
        case .failed: "Try again later."
        case .unsupported(_, _, let known) where !known.isEmpty:
            "Known: \(known.joined(separator: ", "))."
        case .refused, .missing, .unsupported: nil
        }
    }
}

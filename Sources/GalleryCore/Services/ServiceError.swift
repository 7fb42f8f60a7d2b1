import Foundation

/// Why a service returned no photos.
public enum ServiceError: ActionableError {
    /// The reply could not be understood.
    case unreadable(ImportError)
    /// The server at `host`, which is not the service's official one, answers as something else would.
    case foreign(ImportError, host: String)
    /// There was no reply.
    case transport(TransportError)
    /// The service needs a key, and none is set; `variable` is the environment variable for it, if there is one.
    case keyMissing(service: String, variable: String?)
    /// The service refused the key or the request; `reason` is in its own words.
    case refused(service: String, reason: String, variable: String?)
    /// There is no such photo, user, or page: `what` names it, such as `photo 123`.
    case missing(service: String, what: String)
    /// The folder to list, `path` as plain text, is missing or, if `isLocked`, not readable.
    case noFolder(path: String, isLocked: Bool)
    /// The service asks to wait; `seconds` is how long, if it says so.
    case rateLimited(service: String, seconds: Int?)
    /// The service failed with an HTTP status, 400 to 599.
    case failed(service: String, status: Int, reason: String?)
    /// The service has no such feed, ranking, or date; `known` lists what it has instead.
    case unsupported(service: String, what: String, known: [String])
    /// The service is wherever a document is, such as a `feed`, and no address was given.
    case noAddress(service: String, document: String)
    /// A feed of one user needs a user that the service knows: `name` does not name one; `nil` where none was given.
    case unknownUser(service: String, name: String?)
    /// The service sent no details for a photo that it was asked about.
    case noDetails(service: String)
    case noFile(service: String, size: PhotoFileSize)

    /// One sentence that names the service and the cause.
    public var description: String {
        switch self {
        case .unreadable(let error), .foreign(let error, _): error.description
        case .transport(let error): error.description
        case .keyMissing(let service, _): "\(service) needs a key, but none is set."
        case .refused(let service, let reason, _): "\(service) refused the request: \(reason)."
        case .missing(Folder.word, let what): "There is no \(what)."
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
        case .noAddress(let service, let document): "\(service) needs the address of a \(document)."
        case .unknownUser(let service, let name?): "\(service) identifies users by number, not '\(name)'."
        case .unknownUser(let service, nil): "\(service) lists favorites only of a named user."
        case .noDetails(let service): "\(service) returned no details for the photo."
        case .noFile(let service, let size): "\(service) has no \(size.rawValue) file for this photo."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .unreadable(let error): error.hint
        case .foreign(let error, let host):
            "'\(host)' does not answer as \(error.service) does; check the base URL."
        case .transport(let error): error.hint
        case .keyMissing: "Pass the service's key."
        case .refused(_, _, .some): "Check the key."
        case .noFolder(_, true): "Change its permissions, or choose another folder."
        case .rateLimited: "Wait a while, then try again."
        case .failed: "Try again later."
        case .unsupported(_, _, let known) where !known.isEmpty: "Known: \(known.joined(separator: ", "))."
        case .noAddress: "Pass it as the base URL."
        case .unknownUser(_, .some): "Use the number in the address of the user's page."
        case .unknownUser(_, nil): "Name a user."
        case .refused, .missing, .noFolder, .unsupported, .noDetails, .noFile: nil
        }
    }
}

extension ServiceError {
    static func status(
        _ status: Int, of reply: HTTPReply, service: String, what: String, variable: String?
    ) -> ServiceError {
        switch status {
        case 401, 403:
            .refused(
                service: service, reason: reason(in: reply.body) ?? "status \(status)", variable: variable)
        case 404, 410: .missing(service: service, what: what)
        case 429: .rateLimited(service: service, seconds: wait(in: reply.head))
        case 503 where reply.head["Retry-After"] != nil:
            .rateLimited(service: service, seconds: wait(in: reply.head))
        default: .failed(service: service, status: status, reason: reason(in: reply.body))
        }
    }

    /// The number of seconds the service asks to wait; `nil` if it gives none, or none are left.
    private static func wait(in head: HTTPHead) -> Int? {
        head.secondsAsked(now: Date()).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func reason(in body: Data) -> String? {
        let said = try? Reply("", body).read {
            $0.string("detail") ?? $0.string("error") ?? $0.string("message")
        }
        return said.flatMap(reason(from:))
    }

    /// What a service said as a part of a sentence: short, plain, and without a period; `nil` if it is nothing.
    static func reason(from sent: String) -> String? {
        let text = PlainText.excerpt(sent, limit: 120)
        return text.isEmpty ? nil : text.withoutPeriod
    }
}

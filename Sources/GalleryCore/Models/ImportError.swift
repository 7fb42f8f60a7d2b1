import Foundation

/// Why a reply could not be read. Quoted texts are plain and short.
public enum ImportError: ActionableError, Hashable {
    /// The body is not JSON; `beginning` is how it starts.
    case notJSON(service: String, beginning: String)
    /// A field has a wrong value: `value` is what was sent, `expected` what belongs there.
    case unexpected(service: String, field: String, value: String, expected: String?)
    /// A required field is missing.
    case absent(service: String, field: String)
    /// The service reported a failure in JSON.
    case message(service: String, text: String)
    /// The file at `path` is not the picture that its name says.
    case file(service: String, path: String, reason: String)
    /// Files that are no pictures and do not say so, `counts` of each kind; `paths` is untrusted text.
    case otherFiles(service: String, counts: String, paths: [String])
    /// What follows in the list does not come; `isFault` where it should.
    case endsEarly(service: String, reason: String, isFault: Bool)

    /// Whose reply it was.
    public var service: String {
        switch self {
        case .notJSON(let service, _), .unexpected(let service, _, _, _), .absent(let service, _),
            .message(let service, _), .file(let service, _, _), .otherFiles(let service, _, _),
            .endsEarly(let service, _, _):
            service
        }
    }

    /// One sentence that names the service, the field, and the value.
    public var description: String {
        switch self {
        case .notJSON(let service, ""): "\(service) sent an empty answer."
        case .notJSON(let service, let beginning):
            "\(service) sent something other than JSON, beginning '\(beginning)'."
        case .unexpected(let service, let field, let value, let expected?):
            "\(service) sent '\(field)' as \(value) instead of \(expected)."
        case .unexpected(let service, let field, let value, nil): "\(service) sent '\(field)' as \(value)."
        case .absent(let service, let field): "\(service) sent no '\(field)'."
        case .message(let service, let text): "\(service) answered: \(text)"
        case .file(_, let path, let reason): "'\(path)' cannot be shown: \(reason)."
        case .otherFiles(let service, let counts, _): "\(service) has \(counts)."
        case .endsEarly(let service, let reason, _): "\(service)'s list ends early: \(reason)."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .file, .otherFiles: nil
        default: "The service may have changed, or the address may belong to another service."
        }
    }
}

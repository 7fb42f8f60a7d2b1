import Foundation

/// Why a reply is no photos. Texts of the reply in here are plain and short.
public enum ImportError: ActionableError, Hashable {
    /// The body is no JSON; `beginning` are its first characters.
    case notJSON(service: String, beginning: String)
    /// A field holds what it cannot hold: `value` is what was sent, `expected` what belongs there.
    case unexpected(service: String, field: String, value: String, expected: String?)
    /// A field that must be there is not.
    case absent(service: String, field: String)
    /// The service said in JSON that it failed, in a shape of no list or photo.
    case message(service: String, text: String)

    /// One sentence that names the service, the field and the value.
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
        }
    }

    /// What to do about it.
    public var hint: String? {
        "The service may have changed, or the address may belong to another service."
    }
}

import Foundation

/// An error that says what happened and, where something can be done, what.
///
/// `description` is one sentence that quotes the culprit; `hint` is one imperative
/// sentence that names no option, so that a library user can show it too. Every
/// text that came from a server has passed ``PlainText`` before it stands in either.
public protocol ActionableError: LocalizedError, CustomStringConvertible, Sendable {
    /// What to do about it; `nil` where nothing can be done.
    var hint: String? { get }
}

extension ActionableError {
    // Optional on purpose: a plain `String` does not witness the requirement,
    // and Foundation's generic sentence is printed instead.
    /// The description, for Foundation's callers.
    public var errorDescription: String? { description }

    /// The hint, for Foundation's callers.
    public var recoverySuggestion: String? { hint }
}

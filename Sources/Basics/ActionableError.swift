import Foundation

/// An error that says what happened and what to do about it: `description` is one sentence that names the cause, `hint`
/// one imperative sentence without a command-line option. Text from a server has passed through ``PlainText`` in both.
public protocol ActionableError: LocalizedError, CustomStringConvertible, Sendable {
    /// What to do about it; `nil` if nothing can be done.
    var hint: String? { get }
}

extension ActionableError {
    // Deliberately optional: `String` does not satisfy the requirement, and Foundation would print a generic sentence.
    /// The description, for Foundation.
    public var errorDescription: String? { description }

    /// The hint, for Foundation.
    public var recoverySuggestion: String? { hint }
}

extension String {
    /// The word that this one was probably meant to be; `nil` if none is close.
    package func nearest(among words: [String]) -> String? {
        let nearest = words.map { (word: $0, changes: difference(from: $0).count) }
            .min { $0.changes < $1.changes }
        // Two letters in each other's place, or one in another's, are two changes.
        return nearest.flatMap { $0.changes <= 2 ? $0.word : nil }
    }
}

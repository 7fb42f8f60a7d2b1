/// What a shell offers when the user asks to complete a value.
public struct CompletionKind: Sendable {
    enum Choice: Sendable {
        case `default`
        case list([String])
        case file(extensions: [String])
        case directory
    }

    let choice: Choice

    /// Nothing: the value is the user's own.
    public static var `default`: CompletionKind { CompletionKind(choice: .default) }
    /// These words.
    public static func list(_ words: [String]) -> CompletionKind { CompletionKind(choice: .list(words)) }
    /// Files, those with one of the given extensions; all where none is given.
    public static func file(extensions: [String] = []) -> CompletionKind {
        CompletionKind(choice: .file(extensions: extensions))
    }
    /// Folders.
    public static var directory: CompletionKind { CompletionKind(choice: .directory) }
}

/// A shell that a completion script can be written for, named as its program is.
public enum CompletionShell: String, CaseIterable, Sendable {
    /// In the order in which messages list them; bash from 3.2, which macOS still has.
    case zsh, bash, fish
}

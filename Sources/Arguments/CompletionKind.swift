/// What a shell offers when the user asks to complete a value.
public enum CompletionKind: Sendable {
    /// Nothing: the value is the user's own.
    case `default`
    /// These words.
    case list([String])
    /// Files, those with one of the given extensions; all where none is given.
    case file(extensions: [String] = [])
    /// Folders.
    case directory
}

/// A shell that a completion script can be written for, named as its program is.
public enum CompletionShell: String, CaseIterable, Sendable {
    /// In the order in which messages list them; bash from 3.2, which macOS still has.
    case zsh, bash, fish
}

/// What a shell offers to complete a value with.
package enum CompletionKind: Hashable, Sendable {
    /// Nothing: the value is free text.
    case `default`
    case list([String])
    /// Files with one of the given extensions; all files if there are none.
    case file(extensions: [String] = [])
    case directory
}

/// What a shell offers; `nil` for what the value's type does.
package typealias Completion = @Sendable () -> CompletionKind?

/// A shell with a completion script, named like its executable.
package enum CompletionShell: String, CaseIterable, Sendable {
    /// In the order that messages list them. Supports bash 3.2, which macOS still ships.
    case zsh, bash, fish
}

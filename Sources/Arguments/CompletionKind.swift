/// What a shell offers to complete a value with.
package enum CompletionKind: Sendable {
    /// Nothing: the value is free text.
    case `default`
    case list([String])
    /// Files with one of the given extensions; all files if there are none.
    case file(extensions: [String] = [])
    case directory
    /// What the program answers at that moment: given the words of the line, which of them is completed, counted from
    /// the program's name as 0, and what of it precedes the cursor.
    case custom(@Sendable ([String], Int, String) -> [String])

    var isNothing: Bool { if case .default = self { true } else { false } }
}

/// What a shell offers; `nil` for what the value's type does.
package typealias Completion = @Sendable () -> CompletionKind?

/// A shell with a completion script, named like its executable.
package enum CompletionShell: String, CaseIterable, Sendable {
    /// In the order that messages list them. Supports bash 3.2, which macOS still ships.
    case zsh, bash, fish
}

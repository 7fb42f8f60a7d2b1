/// The reason a command line was not accepted; `ErrorMessage` words it.
enum ParserError: Error {
    // Requests for output, not errors.
    case helpRequested
    case versionRequested
    /// `nil` for the user's shell.
    case completionScriptRequested(shell: String?)

    case unsupportedShell(String?)
    case unknownOption(Name)
    /// Neither a name nor a value: `---x`.
    case malformedOption(String)
    /// `in`: the cluster that contains the letter.
    case missingValue(Name, in: Name?)
    case unexpectedValue(Name, String)
    case unexpectedWords([String])
    case missing(PropertyKey)
    case unreadable(String, Name?, PropertyKey, reason: (any Error)?)
    /// `validate()` threw.
    case refused(any Error)
}

/// An error with the commands recognized up to that point, root first.
struct CommandError: Error {
    let stack: [any ParsableCommand.Type]
    let fault: ParserError
}

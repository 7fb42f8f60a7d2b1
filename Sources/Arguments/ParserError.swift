/// Why a line did not become a command; `ErrorMessage` puts it into words.
enum ParserError: Error {
    // Requests rather than faults: the line asks for something to read.
    case helpRequested(ArgumentVisibility)
    case versionRequested
    /// `nil`: the shell the user has.
    case completionScriptRequested(shell: String?)

    case unsupportedShell(String?)
    /// A declaration that cannot be parsed; a fault of the program.
    case invalidState
    case unknownOption(Name)
    /// Neither a name nor a value: `---x`.
    case malformedOption(String)
    /// `in`: the cluster the name is a letter of.
    case missingValue(Name, in: Name?)
    case unexpectedValue(Name, String)
    case unexpectedWords([String])
    case contradiction(String, earlier: String)
    case missing(PropertyKey)
    case unreadable(String, Name?, PropertyKey, reason: (any Error)?)
    /// `validate()` threw.
    case refused(any Error)
    /// Any of these where nothing was typed at all.
    indirect case emptyLine(ParserError)
}

/// A fault together with the commands that were recognised until then, root first.
struct CommandError: Error {
    let stack: [any ParsableCommand.Type]
    let fault: ParserError
}

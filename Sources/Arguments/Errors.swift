/// An error in the combination of arguments, thrown from `validate()`: printed with the usage; exit status 64.
package struct ValidationError: Error, CustomStringConvertible {
    /// The message for the user, as a sentence.
    package let description: String

    package init(_ message: String) { description = message }
}

/// Exits with a status and no message.
package struct ExitCode: Error, Hashable, Sendable {
    /// The status, from 0 to 255.
    package let rawValue: Int32

    package init(_ code: Int32) { rawValue = code }

    package static let success = ExitCode(0)
    package static let failure = ExitCode(1)
    /// 64, `EX_USAGE` in sysexits.h: invalid command line.
    package static let validationFailure = ExitCode(64)
}

/// Exits early with status 0, printing to standard output.
package enum CleanExit: Error {
    /// Prints the help page of a command, or of the root if `nil`.
    case helpRequest((any ParsableCommand.Type)? = nil)
    case message(String)
}

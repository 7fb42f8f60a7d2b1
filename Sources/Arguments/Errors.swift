/// An error in the combination of arguments, thrown from `validate()`.
///
/// Printed as `Error: message` with the command's usage; exits with status 64.
public struct ValidationError: Error, CustomStringConvertible {
    /// The message for the user, as a sentence.
    public let message: String

    /// Creates an error with a message.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}

/// Exits with a status and no message.
public struct ExitCode: Error, Hashable, Sendable {
    /// The status, from 0 to 255.
    public let rawValue: Int32

    /// Creates an exit code.
    public init(_ code: Int32) { rawValue = code }

    /// 0
    public static let success = ExitCode(0)
    /// 1
    public static let failure = ExitCode(1)
    /// 64, `EX_USAGE` in sysexits.h: invalid command line.
    public static let validationFailure = ExitCode(64)
}

/// Exits early with status 0, printing to standard output.
public enum CleanExit: Error {
    /// Prints the help page of a command, or of the root if `nil`.
    case helpRequest((any ParsableCommand.Type)? = nil)
    /// Prints a text.
    case message(String)

    /// Prints the help page of a command.
    public static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
        .helpRequest(type(of: command))
    }
}

/// A line that was read but makes no sense; thrown from `validate()`.
///
/// Printed as `Error: message` with the usage of the command, status 64.
public struct ValidationError: Error, CustomStringConvertible {
    /// A sentence for the user.
    public let message: String

    /// Refuses the line with this sentence.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}

/// Ends the program with a status and without a message.
public struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    /// The status, from 0 to 255.
    public let rawValue: Int32

    /// A status of one's own.
    public init(_ code: Int32) { rawValue = code }
    /// A status of one's own.
    public init(rawValue: Int32) { self.init(rawValue) }

    /// 0
    public static let success = ExitCode(0)
    /// 1
    public static let failure = ExitCode(1)
    /// 64, `EX_USAGE` in sysexits.h: the line could not be understood.
    public static let validationFailure = ExitCode(64)
}

/// Ends the program early and well, with something to read on standard output.
public enum CleanExit: Error, CustomStringConvertible {
    /// Prints the help page of a command; of the root where none is given.
    case helpRequest((any ParsableCommand.Type)? = nil)
    /// Prints a text.
    case message(String)

    /// Prints the help page of this command.
    public static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
        .helpRequest(type(of: command))
    }

    /// The message, or the flag that would have asked for the same.
    public var description: String {
        switch self {
        case .helpRequest: "--help"
        case .message(let text): text
        }
    }
}

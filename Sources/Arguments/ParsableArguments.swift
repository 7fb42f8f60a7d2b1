import Foundation

/// Properties parsed from command-line arguments.
///
/// Conforming types declare them with `@Option`, `@Flag`, `@Argument`, and
/// `@OptionGroup`; commands share them as option groups.
public protocol ParsableArguments: Decodable, SendableMetatype {
    /// Creates a value that only holds declarations; reading its properties is an error.
    init()
    /// Checks the combination of arguments after all of them have been parsed.
    ///
    /// - Throws: `ValidationError` with a message for the user.
    mutating func validate() throws
}

extension ParsableArguments {
    /// Accepts everything.
    public mutating func validate() throws {}

    /// Parses the arguments; by default, those of the process.
    ///
    /// - Throws: An error for `exit(withError:)` to print.
    public static func parse(_ arguments: [String]? = nil) throws -> Self {
        switch try asCommand.parseAsRoot(arguments) {
        case let help as HelpCommand:
            try help.run()
            throw ParserError.invalidState
        case let wrapper as ArgumentsCommand<Self>: return wrapper.arguments
        case let command as Self: return command
        default: throw ParserError.invalidState
        }
    }

    /// The message for an error, without usage.
    public static func message(for error: any Error) -> String {
        Outcome(of: error, root: asCommand).message
    }

    /// The whole output of `exit(withError:)` for an error, without the final newline.
    public static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
        Outcome(of: error, root: asCommand, columns: columns).text
    }

    /// The exit status of `exit(withError:)` for an error.
    public static func exitCode(for error: any Error) -> ExitCode {
        Outcome(of: error, root: asCommand).exitCode
    }

    /// Prints the message for an error and exits.
    ///
    /// Help and versions go to standard output with status 0, errors to
    /// standard error. Without an error, exits silently with status 0.
    public static func exit(withError error: (any Error)? = nil) -> Never {
        guard let error else { Foundation.exit(0) }
        let outcome = Outcome(of: error, root: asCommand)
        let text = outcome.text
        if !text.isEmpty { Terminal.print(text, isError: !outcome.isClean) }
        Foundation.exit(outcome.exitCode.rawValue)
    }

    static var asCommand: any ParsableCommand.Type {
        self as? any ParsableCommand.Type ?? ArgumentsCommand<Self>.self
    }
}

/// Parses arguments that are not a command as if they were one.
struct ArgumentsCommand<Arguments: ParsableArguments>: ParsableCommand {
    @OptionGroup var arguments: Arguments

    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: String(describing: Arguments.self).hyphenated)
    }
}

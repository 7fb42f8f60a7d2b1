import Foundation

/// Properties read from the words of a command line.
///
/// Conforming types declare them with `@Option`, `@Flag`, `@Argument` and
/// `@OptionGroup`; commands share them as option groups.
public protocol ParsableArguments: Decodable, SendableMetatype {
    /// Makes a value that only declares; reading its properties is an error.
    init()
    /// Checks what no single property can check, after all have been read.
    ///
    /// - Throws: `ValidationError` with a sentence for the user.
    mutating func validate() throws
}

extension ParsableArguments {
    /// Accepts every line that could be read.
    public mutating func validate() throws {}

    /// Reads the words, by default those the program was started with.
    ///
    /// - Throws: What `exit(withError:)` prints.
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

    /// The sentence for an error, without usage.
    public static func message(for error: any Error) -> String {
        Outcome(of: error, root: asCommand).message
    }

    /// Everything `exit(withError:)` prints for an error, without the last newline.
    public static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
        Outcome(of: error, root: asCommand, columns: columns).text
    }

    /// The status `exit(withError:)` ends the program with.
    public static func exitCode(for error: any Error) -> ExitCode {
        Outcome(of: error, root: asCommand).exitCode
    }

    /// Prints what there is to say about an error and ends the program.
    ///
    /// Help and versions go to standard output with status 0, errors to
    /// standard error; no error at all ends silently with status 0.
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

/// Lets arguments that are no command be parsed as one.
struct ArgumentsCommand<Arguments: ParsableArguments>: ParsableCommand {
    @OptionGroup var arguments: Arguments

    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: String(describing: Arguments.self).hyphenated)
    }
}

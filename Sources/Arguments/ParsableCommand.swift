/// A command, or the root of a command tree.
///
///     struct Greet: ParsableCommand {
///         @Argument var name: String
///         func run() { print("Hello, \(name)!") }
///     }
package protocol ParsableCommand: ParsableArguments {
    /// The name, help text, and subcommands.
    static var configuration: CommandConfiguration { get }
    /// Runs the command. The default implementation shows its help.
    mutating func run() throws
}

extension ParsableCommand {
    /// The default configuration: the command is named after its type.
    package static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the help page, for commands that only have subcommands.
    package mutating func run() throws { throw CleanExit.helpRequest(Self.self) }

    /// Parses the arguments, by default those of the process, as this command or one of its subcommands.
    /// What it throws, for a request for help too, is to be printed by ``fullMessage(for:)``.
    package static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        var parser = CommandParser(self)
        return try parser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
    }

    package static func exitCode(for error: any Error) -> ExitCode { Outcome(of: error, root: self).exitCode }

    /// What is to be printed for an error, without the final newline; empty for a status alone.
    package static func fullMessage(for error: any Error) -> String { Outcome(of: error, root: self).text }

    static var typedName: String {
        // What `String(describing:)` says too, after a search for conformances that takes longer than all else here.
        configuration.commandName ?? _typeName(Self.self, qualified: false).hyphenated
    }
}

/// A command that runs asynchronously. The root of a tree must be one if any of its subcommands is.
package protocol AsyncParsableCommand: ParsableCommand {
    /// Runs the command. The default implementation shows its help.
    mutating func run() async throws
}

/// A command, or the root of a command tree.
///
///     @main struct Greet: ParsableCommand {
///         @Argument var name: String
///         func run() { print("Hello, \(name)!") }
///     }
public protocol ParsableCommand: ParsableArguments {
    /// The name, help text, and subcommands.
    static var configuration: CommandConfiguration { get }
    /// Runs the command. The default implementation shows its help.
    mutating func run() throws
}

extension ParsableCommand {
    /// The default configuration: the command is named after its type.
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the help page, for commands that only have subcommands.
    public mutating func run() throws { throw CleanExit.helpRequest(self) }

    /// Parses the arguments, by default those of the process, as this command or one of its
    /// subcommands.
    ///
    /// A request for help returns a command whose `run()` throws the help page.
    /// - Throws: An error for `exit(withError:)` to print.
    public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        var parser = CommandParser(self)
        return try parser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
    }

    /// Parses and runs the command; prints any error and exits.
    public static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            exit(withError: error)
        }
    }

    /// The command's name as typed.
    static var typedName: String {
        configuration.commandName ?? String(describing: Self.self).hyphenated
    }
}

/// A command that runs asynchronously.
///
/// The root of a tree must be asynchronous if any of its subcommands is.
public protocol AsyncParsableCommand: ParsableCommand {
    /// Runs the command. The default implementation shows its help.
    mutating func run() async throws
}

extension AsyncParsableCommand {
    /// Parses and runs the command; prints any error and exits.
    public static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}

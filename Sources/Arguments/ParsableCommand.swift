/// Arguments that can be run: a command, or the root of a tree of them.
///
///     @main struct Greet: ParsableCommand {
///         @Argument var name: String
///         func run() { print("Hello, \(name)!") }
///     }
public protocol ParsableCommand: ParsableArguments {
    /// Name, abstract, subcommands.
    static var configuration: CommandConfiguration { get }
    /// Does what the command is for; by default shows its help.
    mutating func run() throws
}

extension ParsableCommand {
    /// A command named like its type.
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the help page: right for commands that only hold others.
    public mutating func run() throws { throw CleanExit.helpRequest(self) }

    /// Reads the words, by default those the program was started with, and
    /// finds the subcommand they name.
    ///
    /// A request for help is a command too, whose `run()` throws the page.
    /// - Throws: What `exit(withError:)` prints.
    public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        var parser = CommandParser(self)
        return try parser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
    }

    /// Runs the command that the program was started with; prints what it throws, and ends there.
    public static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            exit(withError: error)
        }
    }

    /// The word that names this command.
    static var typedName: String {
        configuration.commandName ?? String(describing: Self.self).hyphenated
    }
}

/// A command that waits for something while it runs.
///
/// The root of a tree must be one if any of its subcommands is.
public protocol AsyncParsableCommand: ParsableCommand {
    /// Does what the command is for; by default shows its help.
    mutating func run() async throws
}

extension AsyncParsableCommand {
    /// Runs the command that the program was started with; prints what it throws, and ends there.
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

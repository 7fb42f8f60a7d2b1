extension ParsableCommand {
    /// A command's subcommands as the parser sees them: the root also has `help`.
    static func children(in root: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let subcommands = configuration.subcommands
        return self == root && !subcommands.isEmpty ? subcommands + [HelpCommand.self] : subcommands
    }

    static func child(named name: String, of root: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
        children(in: root).first { $0.typedName == name || $0.configuration.aliases.contains(name) }
    }

    /// The commands that `names` lead to, starting with this one, as far as they match.
    static func stack(named names: [String]) -> [any ParsableCommand.Type] {
        var stack: [any ParsableCommand.Type] = [self]
        for name in names {
            guard let next = stack[stack.count - 1].child(named: name, of: self) else { break }
            stack.append(next)
        }
        return stack
    }

    /// The path from this command, which is `root` or below it, down to another; `nil` if that is not below it.
    static func path(
        to command: any ParsableCommand.Type, in root: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type]? {
        if self == command { return [self] }
        return children(in: root).lazy.compactMap { $0.path(to: command, in: root) }.first.map { [self] + $0 }
    }
}

extension [any ParsableCommand.Type] {
    /// The words that the user types to get here.
    var typedPath: String { map { $0.typedName }.joined(separator: " ") }

    /// The version in effect: the innermost one.
    var version: String? { map { $0.configuration.version }.last { !$0.isEmpty } }

    /// The names of the help flag; `help` has none, as there is nothing more to explain.
    var helpNames: [Name] { last == HelpCommand.self ? [] : [.short("h"), .long("help")] }

    /// The flags that the parser itself answers, and what they do.
    var builtIns: [(names: [Name], about: String)] {
        let version = (names: [Name.long("version")], about: "Show the version.")
        let help = (names: helpNames, about: "Show help information.")
        return (self.version == nil ? [] : [version]) + (helpNames.isEmpty ? [] : [help])
    }
}

/// `gallery help fetch`; every command tree has it below its root.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show subcommand help information.")

    @Argument var subcommands: [String] = []
    // `help --help` shows the root's help.
    @Flag(name: [.short, .long, .customLong("help", withSingleDash: true)], help: .private)
    var help = false
}

extension ParsableCommand {
    static func child(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.typedName == name || $0.configuration.aliases.contains(name) }
    }

    /// The path from this command down to another; `nil` if that is not below it.
    static func path(to command: any ParsableCommand.Type) -> [any ParsableCommand.Type]? {
        if self == command { return [self] }
        return configuration.subcommands.lazy.compactMap { $0.path(to: command) }.first.map { [self] + $0 }
    }
}

extension [any ParsableCommand.Type] {
    var typedPath: String { map { $0.typedName }.joined(separator: " ") }

    /// The version in effect: the innermost one.
    var version: String? { map { $0.configuration.version }.last { !$0.isEmpty } }

    var builtIns: [(names: [Name], about: String)] {
        let version = (names: [Name.long("version")], about: "Show the version.")
        let help = (names: [Name.short("h"), .long("help")], about: "Show help information.")
        return (self.version == nil ? [] : [version]) + [help]
    }
}

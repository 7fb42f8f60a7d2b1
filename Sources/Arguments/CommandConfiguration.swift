/// A command's name, help text, and subcommands.
package struct CommandConfiguration: Sendable {
    /// The command's name; `nil` for the hyphenated name of the type.
    package let commandName: String?
    /// One sentence, shown in lists of commands and at the top of the help page.
    package let abstract: String
    /// Paragraphs shown below the abstract.
    package var discussion: String { makeDiscussion() }
    /// The output of `--version`; empty to inherit the parent's version.
    package let version: String
    /// The subcommands, in the order help lists them.
    package let subcommands: [any ParsableCommand.Type]
    /// The subcommand to run if none is named.
    package let defaultSubcommand: (any ParsableCommand.Type)?
    /// Alternative names for the command.
    package let aliases: [String]
    /// Made where it is shown alone: it may be read from a file.
    private let makeDiscussion: @Sendable () -> String

    package init(
        commandName: String? = nil, abstract: String = "",
        discussion: @autoclosure @escaping @Sendable () -> String = "", version: String = "",
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil,
        aliases: [String] = []
    ) {
        (self.commandName, self.abstract) = (commandName, abstract)
        makeDiscussion = discussion
        self.version = version
        self.subcommands = subcommands
        (self.defaultSubcommand, self.aliases) = (defaultSubcommand, aliases)
    }
}

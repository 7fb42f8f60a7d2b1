/// A command's name, help text, and subcommands.
public struct CommandConfiguration: Sendable {
    /// The command's name; `nil` for the hyphenated name of the type.
    public let commandName: String?
    /// One sentence, shown in lists of commands and at the top of the help page.
    public let abstract: String
    /// Paragraphs shown below the abstract.
    public var discussion: String { makeDiscussion() }
    /// The output of `--version`; empty to inherit the parent's version.
    public let version: String
    /// The subcommands, in the order help lists them.
    public let subcommands: [any ParsableCommand.Type]
    /// The subcommand to run if none is named.
    public let defaultSubcommand: (any ParsableCommand.Type)?
    /// Alternative names for the command.
    public let aliases: [String]
    /// Made where it is shown alone: it may be read from a file.
    private let makeDiscussion: @Sendable () -> String

    /// Creates a configuration. All parameters are optional.
    public init(
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

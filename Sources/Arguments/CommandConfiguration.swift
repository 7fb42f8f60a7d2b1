/// A command's name, help text, and subcommands.
public struct CommandConfiguration: Sendable {
    /// The command's name; `nil` for the hyphenated name of the type.
    public var commandName: String?
    /// One sentence, shown in lists of commands and at the top of the help page.
    public var abstract: String
    /// A usage line that replaces the generated one; empty for none.
    public var usage: String?
    /// Paragraphs shown below the abstract.
    public var discussion: String
    /// The output of `--version`; empty to inherit the parent's version.
    public var version: String
    /// Whether lists of commands include it.
    public var shouldDisplay: Bool
    /// The subcommands, in the order help lists them.
    public var subcommands: [any ParsableCommand.Type]
    /// The subcommand to run if none is named.
    public var defaultSubcommand: (any ParsableCommand.Type)?
    /// The names of the help flag; `nil` for `-h` and `--help`.
    public var helpNames: NameSpecification?
    /// Alternative names for the command.
    public var aliases: [String]

    /// Creates a configuration. All parameters are optional.
    public init(
        commandName: String? = nil, abstract: String = "", usage: String? = nil, discussion: String = "",
        version: String = "", shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil, helpNames: NameSpecification? = nil,
        aliases: [String] = []
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.version = version
        self.shouldDisplay = shouldDisplay
        self.subcommands = subcommands
        self.defaultSubcommand = defaultSubcommand
        self.helpNames = helpNames
        self.aliases = aliases
    }
}

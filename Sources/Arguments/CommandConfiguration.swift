/// What a command says about itself, apart from its options.
public struct CommandConfiguration: Sendable {
    /// The word that names the command; `nil` takes the type's name, hyphenated.
    public var commandName: String?
    /// One sentence, shown in lists of commands and on top of the help page.
    public var abstract: String
    /// A usage line to replace the generated one; empty for none.
    public var usage: String?
    /// Paragraphs shown below the abstract.
    public var discussion: String
    /// What `--version` prints; empty where a parent's version applies.
    public var version: String
    /// Whether lists of commands show it.
    public var shouldDisplay: Bool
    /// The commands below this one, in the order in which help lists them.
    public var subcommands: [any ParsableCommand.Type]
    /// The subcommand that runs where none is named.
    public var defaultSubcommand: (any ParsableCommand.Type)?
    /// The names that ask for help; `nil` for `-h` and `--help`.
    public var helpNames: NameSpecification?
    /// Further words that name the command.
    public var aliases: [String]

    /// Describes a command; every part may be left out.
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

import Arguments

struct Gallery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Browse photo services from the terminal.",
        discussion: """
            Photos come from 500px, Flickr, Pixiv, Wikimedia Commons, a folder, or the twelve that are built in.

            Indexes such as 7 or 3-9 refer to the feed that was listed last.
            """,
        version: "0.1.0",
        subcommands: [
            Popular.self, Search.self, User.self, Favorites.self, Show.self, Fetch.self, Browse.self,
            Web.self,
            Collage.self, Mark.self, Unmark.self, Verify.self, Services.self, Cache.self, Lab.self,
        ],
        defaultSubcommand: Popular.self)
}

struct Popular: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List popular photos.")
    @OptionGroup var ranking: RankingOptions
    @OptionGroup(title: "List options") var list: ListOptions
    @OptionGroup(title: "Filters") var filter: FilterOptions
    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() async throws {
        try say(
            ranking.ranking ?? "-", ranking.date ?? "-", list.page ?? 0, list.perPage, list.format,
            list.range?.defaultValueDescription ?? "-", filter.orientation?.rawValue ?? "-",
            filter.minWidth ?? 0, filter.minHeight ?? 0, filter.tag, filter.author ?? "-", filter.limit ?? 0,
            filter.unique, filter.adult, service.service?.rawValue ?? "-", service.baseURL ?? "-",
            service.folder ?? "-", service.timeout, service.retries, service.refresh, service.quiet,
            service.verbose)
    }
}

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List photos that match.")
    @Argument(help: "Words, as the service understands them.") var text: String
    @OptionGroup(title: "List options") var list: ListOptions
    @OptionGroup(title: "Filters") var filter: FilterOptions
    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() async throws { try say(text, list.perPage, filter.tag) }
}

struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List one author's photos.")
    @Argument(help: "The author, as the service calls them.") var name: String
    @OptionGroup(title: "List options") var list: ListOptions

    func run() async throws { try say(name, list.format) }
}

struct Favorites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what a user has marked.", aliases: ["bookmarks"])
    @Argument(help: "The user; your own favorites where none is named.") var name: String?
    @OptionGroup(title: "List options") var list: ListOptions

    func run() async throws { try say(name ?? "-", list.format) }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show one photo's details.")
    @Argument(help: "Photos: 7, 3-9, 90-, an address, or - for JSON lines.") var selections: [String]
    @Option(help: "How details are printed.") var format = ListFormat.table
    @OptionGroup(title: "Feed options") var feed: FeedOptions
    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() async throws {
        try say(selections, format, feed.feed?.rawValue ?? "-", feed.popular.ranking ?? "-")
    }
}

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch photos to disk.",
        discussion:
            "A file appears under its name only when it is whole; an interrupted fetch goes on where it stopped."
    )
    @Argument(
        help: ArgumentHelp("Photos: 7, 3-9, 90-, an address, or - for JSON lines.", valueName: "selection"))
    var selections: [String]
    @Option(help: "Which file of each photo.") var size = PhotoSize.full
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where files go; created if missing.", valueName: "path"),
        completion: .directory)
    var directory = "."
    @Option(
        help: ArgumentHelp(
            """
            How files are named. Fields: {index} {service} {id} {title} {author} {date} {width} {height} {page}. \
            A '/' makes folders.
            """, valueName: "template"))
    var name = "{id}_{title}"
    @Option(name: .shortAndLong, help: ArgumentHelp("Files at once.", valueName: "n"))
    var jobs = 6
    @Flag(help: "Fetch anew a file that is there.") var overwrite = false
    @Flag(help: "Write each photo's details beside its file.") var metadata = false
    @Flag(name: .shortAndLong, help: "Print what would be fetched, ask for no image.")
    var pretend = false
    @OptionGroup(title: "Feed options") var feed: FeedOptions
    @OptionGroup(title: "Filters") var filter: FilterOptions
    @OptionGroup(title: "Service options") var service: ServiceOptions

    func validate() throws {
        guard 1...64 ~= jobs else { throw ValidationError("'--jobs \(jobs)' must be between 1 and 64.") }
    }

    func run() async throws {
        try say(
            selections, size, directory, name, jobs, overwrite, metadata, pretend, filter.limit ?? 0,
            service.quiet)
    }
}

struct Browse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Look through a feed, photo by photo.")
    @Argument(help: "Where to begin; where you left off unless given.") var index: Int?
    @Option(help: ArgumentHelp("Columns of the grid.", valueName: "n")) var columns: Int?

    func run() async throws { try say(index ?? 0, columns ?? 0) }
}

struct Web: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a folder with a web page of photos.")
    @Argument(help: "Photos; the whole page last listed unless given.") var selection: [String] = []
    @Option(name: .shortAndLong, help: ArgumentHelp("The folder.", valueName: "path"), completion: .directory)
    var output: String
    @Option(help: "The page's title, 写真 or Fotografía or 📷.") var title = "Gallery"
    @Option(help: ArgumentHelp("Columns; as many as fit unless given.", valueName: "n")) var columns: Int?
    @Option(help: "The page's colours.") var theme = Theme.auto

    func run() async throws { try say(selection, output, title, columns ?? 0, theme) }
}

struct Collage: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make one picture of several photos.")
    @Argument(help: "Photos; the first six last listed unless given.") var selection: [String] = ["1-6"]
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file.", valueName: "file.svg"),
        completion: .file(extensions: ["svg"]))
    var output: String
    @Option(help: ArgumentHelp("Columns.", valueName: "n")) var columns = 3
    @Option(help: ArgumentHelp("Pixels from edge to edge.", valueName: "px")) var width = 1200
    @Option(help: ArgumentHelp("Pixels between photos.", valueName: "px")) var gap = 8

    func run() throws { try say(selection, output, columns, width, gap) }
}

struct Mark: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remember photos.")
    @Argument(help: "Photos: 7, 3-9, 90-, an address, or -.") var selections: [String]

    func run() throws { try say(selections) }
}

struct Unmark: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Forget photos.")
    @Argument(help: "Photos: 7, 3-9, 90-, an address, or -.") var selections: [String]

    func run() throws { throw ExitCode(66) }
}

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Check that fetched files are whole.")
    @Argument(help: "The folder.", completion: .directory) var folder = "."
    @Flag(help: "Fetch again those that are not.") var repair = false

    func run() throws {
        if repair { throw CleanExit.message("nothing to repair in \(folder)") }
        throw NotADay(description: "'\(folder)' is not whole.")
    }
}

struct Services: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the services and what they need.")

    func run() throws {}
}

struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The cache on disk.", subcommands: [Info.self, Clear.self])

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show where it is and how full.")
        @OptionGroup var service: ServiceOptions

        func run() throws { try say(service.retries) }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Empty it.", version: "0.1.0 (cache 3)")
        @Flag(inversion: .prefixedNo, help: "Ask first.") var ask = true

        func run() throws { try say(ask) }
    }
}

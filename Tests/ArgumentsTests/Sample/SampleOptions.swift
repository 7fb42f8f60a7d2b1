import Arguments

// The options of `gallery` as its contract spells them, so that the parser is
// tested on the lines its users type. The bodies say what was understood.

/// Ends a command with its properties as the text to print, so that a test reads
/// them where it reads everything else.
func say(_ properties: Any...) throws {
    throw CleanExit.message(properties.map { "\($0)" }.joined(separator: " "))
}

enum ServiceName: String, ExpressibleByArgument, CaseIterable {
    case sample, fiveHundredPixels = "500px", flickr, pixiv, commons, folder
}

enum FeedName: String, ExpressibleByArgument, CaseIterable {
    case popular, search, user, favorites, marked
}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, jsonl, csv, url
}

enum Orientation: String, ExpressibleByArgument, CaseIterable {
    case landscape, portrait, square
}

enum PhotoSize: String, ExpressibleByArgument, CaseIterable {
    case full, thumbnail
}

enum Theme: String, ExpressibleByArgument, CaseIterable {
    case auto, light, dark
}

/// `3-9`; the error for anything else is a sentence of its own.
struct IndexSpan: ExpressibleByArgument {
    let bounds: ClosedRange<Int>

    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, first <= last else {
            return nil
        }
        bounds = first...last
    }

    var defaultValueDescription: String { "\(bounds.lowerBound)-\(bounds.upperBound)" }
}

struct NotADay: Error, CustomStringConvertible {
    let description: String
}

@Sendable func day(_ word: String) throws -> String {
    let parts = word.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, word.count == 10 else {
        throw NotADay(description: "A day is written YYYY-MM-DD.")
    }
    return word
}

struct ServiceOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The service photos come from.")
    var service: ServiceName?
    @Option(help: ArgumentHelp("Where the service's API lives, if elsewhere.", valueName: "url"))
    var baseURL: String?
    @Option(
        help: ArgumentHelp("The folder of the service 'folder'.", valueName: "path"), completion: .directory)
    var folder: String?
    @Option(help: ArgumentHelp("Give up when nothing arrives for this long.", valueName: "seconds"))
    var timeout = 30.0
    @Option(help: ArgumentHelp("Further tries after a passing fault.", valueName: "count"))
    var retries = 4
    @Flag(help: "Ask the service again, whatever the cache holds.")
    var refresh = false
    @Flag(name: .shortAndLong, help: "Errors only.")
    var quiet = false
    @Flag(name: .shortAndLong, help: "Each request on standard error, secrets blanked.")
    var verbose = false

    func validate() throws {
        guard timeout > 0 else { throw ValidationError("'--timeout \(timeout)' waits for nothing.") }
        guard !(quiet && verbose) else {
            throw ValidationError("'--quiet' and '--verbose' contradict each other.")
        }
    }
}

struct RankingOptions: ParsableArguments {
    @Option(help: "The service's ranking, such as popular or daily.")
    var ranking: String?
    @Option(help: ArgumentHelp("A past day's ranking.", valueName: "YYYY-MM-DD"), transform: day)
    var date: String?
}

struct FeedOptions: ParsableArguments {
    @Option(help: "The feed that indexes refer to.")
    var feed: FeedName?
    @Option(help: ArgumentHelp("What the feed 'search' looks for.", valueName: "text"))
    var query: String?
    @Option(help: ArgumentHelp("Whose photos the feed 'user' lists.", valueName: "name"))
    var user: String?
    @OptionGroup var popular: RankingOptions
}

struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The page, from 1.", valueName: "n"))
    var page: Int?
    @Option(help: ArgumentHelp("Photos on a page.", valueName: "n"))
    var perPage = 20
    @Option(help: ArgumentHelp("Photos by index, instead of a page.", valueName: "A-B"))
    var range: IndexSpan?
    @Option(help: "How photos are printed.")
    var format = ListFormat.table

    func validate() throws {
        guard perPage > 0 else {
            throw ValidationError("'--per-page \(perPage)' lists nothing. Use a number above 0.")
        }
        guard page == nil || range == nil else {
            throw ValidationError("Use '--page' or '--range', not both.")
        }
    }
}

struct FilterOptions: ParsableArguments {
    @Option(help: "Only photos of this shape.")
    var orientation: Orientation?
    @Option(help: ArgumentHelp("Only originals at least this wide.", valueName: "pixels"))
    var minWidth: Int?
    @Option(help: ArgumentHelp("Only originals at least this high.", valueName: "pixels"))
    var minHeight: Int?
    @Option(help: "Only photos with this tag; may be repeated.")
    var tag: [String] = []
    @Option(help: ArgumentHelp("Only photos of this author.", valueName: "name"))
    var author: String?
    @Option(name: .shortAndLong, help: ArgumentHelp("Stop at the first so many that pass.", valueName: "n"))
    var limit: Int?
    @Flag(help: "Leave out photos whose file is the same as one already taken.")
    var unique = false
    @Flag(help: "Also photos marked adult.")
    var adult = false
}

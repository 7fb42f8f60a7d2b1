import Arguments
import Curation
import Foundation
import GalleryCore

/// A feed named on the line of a command that takes selections.
struct FeedOptions: ParsableArguments {
    @Option(help: "The feed that indexes refer to.")
    var feed: FeedName?

    @Option(help: ArgumentHelp("Search text for the feed 'search'.", valueName: "text"))
    var query: String?

    @Option(help: ArgumentHelp("User name for the feeds 'user' and 'favorites'.", valueName: "name"))
    var user: String?

    @OptionGroup var marks: MarkListOption
    @OptionGroup var ranking: RankingOptions

    func validate() throws {
        switch feed {
        case .search where query == nil:
            throw ValidationError("'--feed search' needs a search text. Add '--query <text>'.")
        case .user where user == nil:
            throw ValidationError("'--feed user' needs a name. Add '--user <name>'.")
        default: break
        }
        if query != nil, user != nil {
            throw ValidationError("'--query' and '--user' name different feeds. Use one of them.")
        }
        if query != nil, let feed, feed != .search {
            throw ValidationError("'--query' goes with '--feed search', not '--feed \(feed.rawValue)'.")
        }
        if user != nil, let feed, ![.user, .favorites].contains(feed) {
            throw ValidationError(
                "'--user' goes with '--feed user' or '--feed favorites', not '--feed \(feed.rawValue)'.")
        }
        let isPopular = feed.map { $0 == .popular } ?? (query == nil && user == nil)
        if !isPopular, let option = ranking.given {
            throw ValidationError("'\(option)' goes with '--feed popular' only.")
        }
    }

    /// The list that is meant of a service where nothing was listed.
    var list: FeedReference { named ?? .feed(.popular()) }

    /// The list that the command line names; `nil` where it names none.
    var named: FeedReference? {
        switch feed {
        case .search: .feed(.search(query ?? ""))
        case .user: .feed(.user(user ?? ""))
        case .favorites: .feed(.favorites(of: user))
        case .popular: .feed(ranking.feed)
        case .marked: .marked(marks.list)
        case nil:
            (query.map { .search($0) } ?? user.map { .user($0) } ?? ranking.named).map { .feed($0) }
                ?? marks.list.map { .marked($0) }
        }
    }
}

struct MarkListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Named list of marked photos. (default: the one without a name)", valueName: "name"),
        completion: .custom(MarkListOption.known), transform: MarkListOption.name)
    var list: MarkListName?

    mutating func takeList() -> MarkListName? {
        defer { list = nil }
        return list
    }

    @Sendable private static func known(_: [String], _: Int, _: String) -> [String] {
        Folders(ProcessInfo.processInfo.environment).markLists.names.map(\.description)
    }

    private static func name(_ text: String) throws -> MarkListName {
        guard let name = MarkListName(text) else { throw ValidationError(MarkListName.rule) }
        return name
    }
}

struct RankingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("One of the service's rankings, such as 'editors'.", valueName: "name"),
        completion: .custom { words, _, _ in ServiceName.rankings(on: words) })
    var ranking: String?

    @Option(help: ArgumentHelp("Use a past day's ranking, if the service keeps it.", valueName: "YYYY-MM-DD"))
    var date: CalendarDay?

    var feed: Feed { .popular(ranking: ranking, date: date) }

    /// The first of these options on the command line; `nil` for none.
    var given: String? { ranking != nil ? "--ranking" : date != nil ? "--date" : nil }

    /// The feed, where the line says something about it.
    var named: Feed? { given == nil ? nil : feed }
}

enum FeedName: String, ExpressibleByArgument, CaseIterable { case popular, search, user, favorites, marked }

extension CalendarDay: ExpressibleByArgument {
    /// The day the argument spells, if it is one.
    public init?(argument: String) { self.init(argument) }
}

extension Orientation: ExpressibleByArgument {}

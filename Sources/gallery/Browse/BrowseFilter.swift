import Curation
import Foundation
import GalleryCore
import TerminalPictures

/// Which photos of a feed are browsed, as typed after `&`: `landscape marked 4- sea`.
struct BrowseFilter: Hashable, Sendable {
    /// As it was typed.
    let text: String
    private var filter = PhotoFilter()
    /// Whether photos must have a mark, or have none; `nil` for either.
    private var isMarked: Bool?
    /// Texts that are all in a photo's title, author, or tags.
    private var searches: [PhotoSearch] = []

    /// `nil` for a text without words.
    init?(_ text: String) {
        self.text = text.trimmingCharacters(in: .whitespaces)
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { return nil }
        for word in words {
            if let orientation = Orientation(rawValue: word) {
                filter.orientation = orientation
            } else if word == "marked" || word == "unmarked" {
                isMarked = word == "marked"
            } else if word.count <= 3, let stars = try? FilterOptions.stars(word) {
                filter.stars = stars
            } else {
                searches.append(PhotoSearch(text: word))
            }
        }
        // Whether those for adults are among them was decided before.
        filter.includesAdult = true
    }

    func accepts(_ photo: Photo, marks: Set<PhotoID>, ratings: Ratings) -> Bool {
        if let isMarked, marks.contains(photo.lastingID) != isMarked { return false }
        guard filter.rule(against: ratings.applied(to: photo)) == nil else { return false }
        return searches.allSatisfy { search in
            search.matches(photo) || photo.tags.contains { search.matches(text: $0) }
        }
    }
}

/// Another feed, as typed after `F`: a service, a feed, and what it is of, each of which may be left out.
struct FeedWish: Hashable, Sendable {
    /// `nil` for the service at hand.
    var service: String?
    let feed: FeedReference

    static let rule = "Type a service, a feed, and its text: 'flickr search sea', 'user grace', 'marked'."

    /// Reads `commons`, `flickr search sea`, `user grace`, `marked trip`, or a text to search for; `nil` for a text
    /// without words, and where a feed's text or name is missing.
    init?(_ text: String, isService: (String) -> Bool) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        if isService(first) {
            service = first
            words.removeFirst()
        }
        let name = words.first.flatMap(FeedName.init)
        if name != nil { words.removeFirst() }
        let rest = words.joined(separator: " ")
        switch name {
        case .popular: feed = .feed(.popular(ranking: rest.isEmpty ? nil : rest))
        case .favorites: feed = .feed(.favorites(of: rest.isEmpty ? nil : rest))
        case .marked:
            let list = MarkListName(rest)
            if list == nil, !rest.isEmpty { return nil }
            feed = .marked(list)
        case .user where !rest.isEmpty: feed = .feed(.user(rest))
        case .search where !rest.isEmpty: feed = .feed(.search(rest))
        case nil: feed = .feed(rest.isEmpty ? .popular() : .search(rest))
        case .user, .search: return nil
        }
    }
}

extension BrowseLevel {
    /// The same folder in its next order; `nil` for what is no folder, or a search in one.
    static func nextOrder(of feed: FeedReference, at source: ServiceAddress) -> FeedReference? {
        guard source.service == Folder.word, case .feed(.popular(let ranking, _)) = feed else { return nil }
        let orders = Folder.rankings
        let place = ranking.flatMap { orders.firstIndex(of: $0) } ?? 0
        return .feed(.popular(ranking: orders[(place + 1) % orders.count]))
    }
}

extension BrowseModel {
    /// Goes to the first photo of the days that `text` begins with; `n` and `N` go on from there.
    mutating func go(toDate text: String) -> [BrowseAction] {
        guard PhotoSearch.isDate(text) else {
            return say("Type a year, a month, or a day: 2024, 2024-05, 2024-05-17.", isError: true)
        }
        let search = PhotoSearch(text: text, isDate: true)
        self.search = search
        guard let index = cursor.run.first(where: { search.matches($0.photo) })?.index else {
            return find(.forward)
        }
        return mode == .grid ? select(index: index) : [.go(index)]
    }

    /// Shows a feed from its beginning: what was selected is another one's.
    mutating func enterFeed() {
        grid = GridCell(columns: grid.columns)
        viewport = Viewport()
        sidePanel.top = 0
        if mode == .grid { mode = .photo }
    }
}

extension BrowseSession {
    /// Shows the feed in another way, in the place of such a view, or above it.
    func vary(_ feed: FeedReference, _ filter: BrowseFilter?, at index: Int, photo: PhotoID?) async {
        guard let former = levels.last else { return }
        let mode = model.mode
        do {
            try await push(former.source, feed, at: index, photo: photo, filter: filter)
        } catch { return tell(error) }
        levels[levels.count - 1].isVariant = true
        if former.isVariant {
            await levels.remove(at: levels.count - 2).cursor.close()
        } else {
            await former.cursor.rest()
        }
        await show(mode)
    }

    func filter(_ filter: BrowseFilter?) async {
        guard let level = levels.last else { return }
        if filter == nil, level.isVariant, level.feed == levels.dropLast().last?.feed {
            return await goBack()
        }
        guard filter != level.filter else { return }
        let here = model.cursor.current
        await vary(level.feed, filter, at: here?.index ?? 1, photo: here?.photo.id)
    }

    func sort() async {
        guard let level = levels.last else { return }
        guard let feed = BrowseLevel.nextOrder(of: level.feed, at: level.source) else {
            return say(BrowseWords.noOrder, isError: true)
        }
        await vary(feed, level.filter, at: 1, photo: nil)
    }

    func enter(_ feed: FeedReference, at source: ServiceAddress? = nil, isGrid: Bool = false) async {
        guard let level = levels.last else { return }
        guard feed != level.feed || source.map({ $0 != level.source }) ?? false else {
            return say("These photos are already shown.")
        }
        do {
            try await push(source ?? level.source, feed, at: nil)
            await level.cursor.rest()
            if isGrid { await show(.grid) }
        } catch { tell(error) }
    }

    func enter(_ text: String) async {
        guard let level = levels.last else { return }
        let catalog = setup.sources.loaders.catalog
        let wish = FeedWish(text) { (try? catalog.service(named: $0, base: nil)) != nil }
        guard let wish else { return say(FeedWish.rule, isError: true) }
        let source = wish.service.map { ServiceAddress(service: $0, base: nil) }
        await enter(wish.feed, at: source?.service == level.source.service ? nil : source)
    }

    func show(_ mode: BrowseModel.Mode) async {
        model.mode = mode
        if mode == .grid { await levels.last?.cursor.rest() }
    }
}

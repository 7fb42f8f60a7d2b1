import Arguments
import Curation
import Foundation
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Popular: ContextCommand {
        static let configuration = CommandConfiguration("popular", "List popular photos.")

        @Argument(
            help: ArgumentHelp("A folder to list, or files.", valueName: "path"), completion: .file(),
            transform: Self.path)
        var paths: [Selection] = []

        @OptionGroup(title: "Ranking options") var ranking: RankingOptions
        @OptionGroup var listing: Listing

        func run(in context: Context) async throws {
            var (listing, feed) = (listing, FeedReference.feed(ranking.feed))
            if let paths = paths.paths(context) { feed = try listing.service.take(paths, feed) }
            if case .paths = feed, let option = ranking.given {
                throw CommandFault(.usage, "'\(option)' orders a folder, not files.", hint: "Use '--sort'.")
            }
            try await listing.run(feed, in: context)
        }

        /// A number is a path where there is something, since there are no indexes.
        private static func path(_ word: String) throws -> Selection {
            let selection = access(word, F_OK) == 0 ? Selection.path(word) : try? Selection(word)
            guard let selection, case .path = selection else {
                throw ValidationError("there is no such file or folder.")
            }
            return selection
        }
    }

    struct Search: ContextCommand {
        static let configuration = CommandConfiguration("search", "List photos that match a text.")

        @Argument(help: "Text to search for.")
        var text: [String]

        @OptionGroup var listing: Listing

        func run(in context: Context) async throws {
            try await listing.run(.feed(.search(text.joined(separator: " "))), in: context)
        }
    }

    struct User: ContextCommand {
        static let configuration = CommandConfiguration("user", "List one author's photos.")

        @Argument(help: "Author's username.")
        var name: String

        @OptionGroup var listing: Listing

        func run(in context: Context) async throws { try await listing.run(.feed(.user(name)), in: context) }
    }

    struct Favorites: ContextCommand {
        static let configuration = CommandConfiguration(
            "favorites", "List a user's favorites.", aliases: ["bookmarks"])

        @Argument(help: "User name. (default: you)")
        var name: String?

        @OptionGroup var listing: Listing

        func run(in context: Context) async throws {
            try await listing.run(.feed(.favorites(of: name)), in: context)
        }
    }
}

struct FilteredList: ParsableArguments {
    @OptionGroup(title: "List options") var list: ListOptions
    @OptionGroup(title: "Filter options") var filters: FilterOptions
}

/// What the list commands share: load, filter, print, and remember a list.
struct Listing: ParsableArguments {
    @OptionGroup var filtered: FilteredList
    @OptionGroup var service: ServiceOptions

    private var list: ListOptions { filtered.list }
    private var filters: FilterOptions { filtered.filters }

    init() {}

    init(_ list: FilteredList, _ service: ServiceOptions) { (filtered, self.service) = (list, service) }

    func run(_ feed: FeedReference, in context: Context) async throws {
        let address = try service.source(context, of: feed)
        let loaders = context.loaders(service, at: address)
        let photos = try await context.list(feed, loaders, includesAdult: filters.adult)
        if !feed.isMarked { service.tellOfFirstRun(context) }
        var filter = try await filters.run(context)
        if let obstacle = filter.obstacle(in: photos, loaders.catalog) { throw obstacle }
        filter.isInDateOrder = photos.isInDateOrder
        let search = SearchProgress()
        filter.report = search.take
        let canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let display = ProgressDisplay(
            canvas,
            isShown: context.abilities.showsProgress && !service.quiet && filter.isSelective
                && list.format != .grid
        ) { size in search.text.map { [DisplayWidth.usual.truncated($0, to: size.columns)] } ?? [] }
        defer { display.stop() }
        var shown = RememberedFeed(service: address.service, base: address.base, feed: feed, photos: [])
        let total: Int?
        let markers = await markers(of: feed, at: address, context)
        var sheet = list.format == .grid ? await ContactSheet(context, service, loaders, markers) : nil
        var rows = list.format.rows(
            columns: context.abilities.columns, style: Style(isOn: context.abilities.colorsResults), markers)
        do {
            total = try await forEachPage(of: photos, &filter, loaders, context) { photos, details in
                if sheet != nil {
                    shown.add(photos)
                    try await sheet?.show(photos)
                } else {
                    let lines = rows.lines(for: photos, details)
                    shown.add(photos, texts: rows is JSONLineRows ? lines : nil)
                    try canvas.above { try context.terminal.results(lines) }
                }
            }
            display.stop()
            try await sheet?.end()
            try context.terminal.results(rows.end())
        } catch {
            // The photos of a row that is not full were shown as well.
            if list.format == .grid { try? context.terminal.results(rows.end()) }
            try? await sheet?.end()
            // Photos that were printed can be selected whatever ended the list.
            if !shown.isEmpty { context.remember(shown) }
            throw error
        }
        context.remember(shown)
        guard !service.quiet else { return }
        context.leftOut.tell(context.terminal)
        filter.tell(context.terminal)
        if shown.isEmpty { context.terminal.message(emptyMessage(feed, total, filter)) }
        if let failures = sheet?.failures, failures > 0 {
            context.terminal.message(
                failures == 1 ? "1 thumbnail is missing." : "\(failures) thumbnails are missing.")
        }
    }

    /// Calls `body` with the photos of each page that pass the filter, and details where the format shows them. Returns
    /// how many the whole list has; `nil` where the service does not say.
    private func forEachPage(
        of photos: PhotoList, _ filter: inout FilterRun, _ loaders: ServiceLoaders, _ context: Context,
        _ body: ([IndexedPhoto], [PhotoID: PhotoDetail]) async throws -> Void
    ) async throws -> Int? {
        let duplicates = filters.unique ? try await ListDuplicates(context, service, loaders) : nil
        let isClosed = list.page != nil || list.range.map { $0.upperBound < .max } ?? false
        filter.orderBeforeLimit(mayBeEndless: !isClosed && !photos.isAtHand)
        var (pages, isOpen) = list.pages(of: photos, filter)
        func show(_ photos: [IndexedPhoto]) async throws {
            guard list.format == .url else { return try await body(photos, [:]) }
            let details = await details(of: photos, loaders)
            try await body(
                photos.map { IndexedPhoto(index: $0.index, photo: details[$0.photo.id]?.photo ?? $0.photo) },
                details)
        }
        var waiting: [IndexedPhoto] = []
        while !filter.isFull, !isOpen || filter.goesOn(), let page = try await pages.next() {
            var rest = page[...]
            while !filter.isFull, !rest.isEmpty {
                var passed = filter.passing(&rest)
                if let duplicates {
                    let originals = try await duplicates.originals(of: passed)
                    filter.leaveOut(duplicates: passed.count - originals.count)
                    passed = originals
                }
                if filter.order == nil { try await show(passed) } else { waiting += passed }
            }
        }
        if filter.order != nil {
            // A list of which nothing more is said is a page of it.
            try await show(
                filter.ordered(waiting, limit: list.page == nil && list.range == nil ? list.perPage : nil))
        }
        return pages.total
    }

    private func markers(
        of feed: FeedReference, at address: ServiceAddress, _ context: Context
    ) async -> ListMarkers {
        var markers = ListMarkers()
        if [.table, .grid].contains(list.format) {
            // A state file that cannot be read costs the markers, not the list.
            markers.marked = await context.folders.markLists.marked()
            let key = BrowsePositions.FeedKey(address, feed)
            let positions = BrowsePositions(file: context.folders.browsePositions)
            markers.lastSeen = await positions.lastPosition(in: key)?.photo
        }
        return markers
    }

    /// The details of photos whose files the list does not tell. Photos without details keep what it told.
    private func details(
        of photos: [IndexedPhoto], _ loaders: ServiceLoaders
    ) async -> [PhotoID: PhotoDetail] {
        await loaders.details(of: loaders.lacking(.full, photos.map(\.photo)))
            .compactMapValues { try? $0.get() }
    }

    private func emptyMessage(_ feed: FeedReference, _ total: Int?, _ filter: FilterRun) -> String {
        if filter.dropped > 0 { return "No photo matched the filters." }
        guard let total, total > 0 else {
            guard case .feed(.search(let text)) = feed else { return "No photos." }
            return "No photos match '\(PlainText.excerpt(text))'."
        }
        return "No photos there; the feed has \(total)."
    }
}

extension ListOptions {
    /// What is shown, a page at a time, and whether it goes on to the end of the list: a page, a range, or, with a
    /// limit or an order, pages as large as possible where a filter may leave out most.
    fileprivate func pages(of photos: PhotoList, _ filter: FilterRun) -> (pages: FeedPages, isOpen: Bool) {
        func size(near size: Int) -> Int { filter.isSelective ? .max : size }
        if let range {
            let isShort = range.count <= photos.pageSizes.size(near: PhotoLoader.largePageSize)
            let size = isShort ? PhotoLoader.largePageSize : size(near: PhotoLoader.largePageSize)
            return (photos.pages(range, pageSize: size), range.upperBound == .max)
        }
        guard let number = page ?? (filter.isUnlimited && filter.order == nil ? 1 : nil) else {
            let near = filter.order == nil ? perPage : PhotoLoader.largePageSize
            return (photos.pages(1...Int.max, pageSize: size(near: near)), true)
        }
        let slice = PageSlice(number: number, size: perPage)
        let pages = FeedPages(slice.indexes, pageSize: perPage) { (slice) throws(ServiceError) in
            try await photos.page(slice)
        }
        return (pages, false)
    }
}

import Arguments
import GalleryCore

/// Lists a feed: page, filter, remember, print. What the list commands share.
struct Listing: ParsableArguments {
    @OptionGroup(title: "List options")
    var list: ListOptions

    @OptionGroup(title: "Filter options")
    var filters: FilterOptions

    @OptionGroup(title: "Service options")
    var service: ServiceOptions

    func run(_ feed: Feed, in context: Context) async throws {
        let source = try service.source(context)
        try context.catalog().require(feed, of: source.service)
        let loaders = try ServiceLoaders(context, service, at: source)
        let loader = try await loaders.list(feed, includingAdult: filters.adult)
        var markers = ListMarkers()
        if list.format == .table {
            markers = await ListMarkers(
                of: .init(service: source.service, base: source.base, feed: feed),
                positions: BrowsePositions(file: context.folders.browsePositions),
                marks: MarkStore(file: context.folders.marks))
        }
        var rows = list.format.rows(
            columns: context.abilities.columns, style: Style(isOn: context.abilities.colorsResults), markers)
        var sieve = filters.sieve
        let copies = filters.unique ? try await ListCopies(context, service, loaders) : nil
        var pages = ListPages(list, of: feed, loader, hasLimit: !sieve.isUnlimited)
        var shown = RememberedFeed(service: source.service, base: source.base, feed: feed, photos: [])
        do {
            while !sieve.isFull, let photos = try await pages.next() {
                var passed = try await sieve.passing(photos, without: copies)
                if list.format == .url { passed = try await withFullSizes(passed, loader) }
                shown.add(passed)
                try context.terminal.results(rows.lines(for: passed))
            }
            try context.terminal.results(rows.end())
        } catch {
            // Whatever ended it, what was shown was shown.
            if !shown.isEmpty { context.remember(shown) }
            throw error
        }
        context.remember(shown)
        guard !service.quiet else { return }
        if let line = sieve.summary() { context.terminal.message(line) }
        if shown.isEmpty { context.terminal.message(emptyMessage(pages.total, sieve)) }
    }

    private func withFullSizes(_ photos: [IndexedPhoto], _ loader: PhotoLoader) async throws -> [IndexedPhoto]
    {
        let details = try await loader.details(of: photos.map(\.photo).filter { $0.full == nil })
        return photos.map { entry in
            guard case .success(let detail)? = details[entry.photo.id] else { return entry }
            return IndexedPhoto(index: entry.index, photo: detail.photo)
        }
    }

    private func emptyMessage(_ total: Int?, _ sieve: FilterRun) -> String {
        if sieve.dropped > 0 { return "No photo matched the filters." }
        guard let total, total > 0 else { return "No photos." }
        return "No photos there; the feed has \(total)."
    }
}

/// What a list shows of a feed, a page at a time.
private struct ListPages {
    /// Photos in the whole feed, as far as the service has said.
    private(set) var total: Int?

    private enum Way {
        /// All of it at once, in as few requests as possible.
        case range(ClosedRange<Int>)
        case page(PageSlice)
        case walk(FeedWalk)
        case over
    }

    private let feed: Feed
    private let loader: PhotoLoader
    private var way: Way

    /// A page, a range, or, where a limit says how many are wanted, pages until that many have passed.
    init(_ list: ListOptions, of feed: Feed, _ loader: PhotoLoader, hasLimit: Bool) {
        self.feed = feed
        self.loader = loader
        func pageSize(near size: Int) -> Int { loader.service.pageSizes(of: feed).size(near: size) }
        func walk(_ range: ClosedRange<Int>, _ size: Int) -> Way {
            .walk(FeedWalk(range, pageSize: pageSize(near: size)))
        }
        if let range = list.range?.indexes {
            let isShort = range.count <= pageSize(near: PhotoLoader.largePageSize)
            way = isShort ? .range(range) : walk(range, PhotoLoader.largePageSize)
        } else if let number = list.page ?? (hasLimit ? nil : 1) {
            way = .page(PageSlice(number: number, size: list.perPage))
        } else {
            way = walk(1...Int.max, list.perPage)
        }
    }

    /// The next photos; `nil` at the end.
    mutating func next() async throws -> [IndexedPhoto]? {
        switch way {
        case .over: return nil
        case .range(let range):
            way = .over
            return take(try await loader.photos(range, of: feed)).photos
        case .page(let slice):
            way = .over
            return take(try await loader.page(slice, of: feed)).photos
        case .walk(var walk):
            // Taken out, so that what it has seen is not copied.
            way = .over
            guard let slice = walk.next else { return nil }
            let photos = walk.take(take(try await loader.page(slice, of: feed)))
            way = .walk(walk)
            return photos
        }
    }

    private mutating func take(_ page: Page) -> Page {
        total = page.total ?? total
        return page
    }
}

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
        let loader = try await Loaders(context, service, at: source)
            .list(feed, of: source.service, includingAdult: filters.adult)
        var sieve = Sieve(filters.filter, limit: filters.limit)
        let page = try await photos(feed, loader, &sieve)
        var shown = page.photos
        if list.format == .url { shown = try await withFullSizes(shown, loader) }
        context.remember(
            RememberedFeed(service: source.service, base: source.base, feed: feed, photos: shown))
        let markers = list.format == .table ? await context.markers(of: feed, source) : ListMarkers()
        for line in list.format.rows(context, markers).lines(for: shown) { try context.terminal.result(line) }
        try context.terminal.flush()
        guard !service.quiet else { return }
        if let line = sieve.summary { context.terminal.message(line) }
        if shown.isEmpty { context.terminal.message(emptyMessage(page, sieve)) }
    }

    /// One page, or, where `--limit` says how many are wanted, pages until that many have passed.
    private func photos(_ feed: Feed, _ loader: PhotoLoader, _ sieve: inout Sieve) async throws -> Page {
        if let range = list.range {
            let page = try await loader.photos(range.indexes, of: feed)
            return page.replacing(sieve.passing(page.photos))
        }
        if let number = list.page ?? (sieve.isUnlimited ? 1 : nil) {
            let page = try await loader.page(PageSlice(number: number, size: list.perPage), of: feed)
            return page.replacing(sieve.passing(page.photos))
        }
        let size = loader.service.pageSizes(of: feed).size(near: list.perPage)
        var walk = FeedWalk(1...Int.max, pageSize: size)
        var page = Page(photos: [], hasMore: true)
        var passed: [IndexedPhoto] = []
        while !sieve.isFull, let slice = walk.next {
            page = try await loader.page(slice, of: feed)
            passed += sieve.passing(walk.take(page))
        }
        return page.replacing(passed)
    }

    private func withFullSizes(_ photos: [IndexedPhoto], _ loader: PhotoLoader) async throws -> [IndexedPhoto]
    {
        let details = try await loader.details(of: photos.map(\.photo).filter { $0.full == nil })
        return photos.map { entry in
            guard case .success(let detail)? = details[entry.photo.id] else { return entry }
            return IndexedPhoto(index: entry.index, photo: detail.photo)
        }
    }

    private func emptyMessage(_ page: Page, _ sieve: Sieve) -> String {
        if sieve.dropped > 0 { return "No photo passed." }
        guard let total = page.total, total > 0 else { return "No photos." }
        return "No photos there: the feed has \(total)."
    }
}

extension Page {
    func replacing(_ photos: [IndexedPhoto]) -> Page {
        Page(photos: photos, total: total, hasMore: hasMore, next: next)
    }
}

/// A filter at work: lets photos through up to the limit, and counts what it kept back and why.
struct Sieve {
    private let filter: PhotoFilter
    private let limit: Int?
    private var passed = 0
    private var counts: [PhotoFilter.Rule: Int] = [:]

    /// A sieve; without a limit everything that passes the filter is let through.
    init(_ filter: PhotoFilter, limit: Int?) {
        self.filter = filter
        self.limit = limit
    }

    /// Whether a limit was given and is not reached.
    var wantsMore: Bool { limit.map { passed < $0 } ?? false }

    /// Whether no further photo can pass.
    var isFull: Bool { limit.map { passed >= $0 } ?? false }

    /// Whether no limit was given, so that everything named is needed.
    var isUnlimited: Bool { limit == nil }

    /// Photos kept back so far.
    var dropped: Int { counts.values.reduce(0, +) }

    /// Those of `photos` that pass, up to the limit.
    mutating func passing(_ photos: [IndexedPhoto]) -> [IndexedPhoto] {
        var result: [IndexedPhoto] = []
        for photo in photos where !isFull {
            if let rule = filter.rule(against: photo.photo) {
                counts[rule, default: 0] += 1
            } else {
                passed += 1
                result.append(photo)
            }
        }
        return result
    }

    /// `Left out 3 photos: 2 by --orientation, 1 by --tag.`; `nil` where nothing was.
    var summary: String? {
        guard dropped > 0 else { return nil }
        let parts = PhotoFilter.Rule.allCases.compactMap { rule in
            counts[rule].map {
                rule == .adult ? "\($0) marked adult (see --adult)" : "\($0) by --\(rule.rawValue)"
            }
        }
        return "Left out \(dropped) \(dropped == 1 ? "photo" : "photos"): \(parts.joined(separator: ", "))."
    }
}

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
        let loader = try Loaders(context, service, at: source).loader(source.service)
        var sieve = filters.sieve
        let copies = filters.unique ? try await ListCopies(context, service, at: source) : nil
        let page = try await photos(feed, loader, &sieve, copies)
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
    private func photos(
        _ feed: Feed, _ loader: PhotoLoader, _ sieve: inout Sieve, _ copies: ListCopies?
    ) async throws -> Page {
        if let range = list.range {
            let page = try await loader.photos(range.indexes, of: feed)
            return page.replacing(try await sieve.passing(page.photos, without: copies))
        }
        var number = list.page ?? 1
        var page = try await loader.page(PageSlice(number: number, size: list.perPage), of: feed)
        var passed = try await sieve.passing(page.photos, without: copies)
        while list.page == nil, sieve.wantsMore, page.hasMore {
            number += 1
            page = try await loader.page(PageSlice(number: number, size: list.perPage), of: feed)
            passed += try await sieve.passing(page.photos, without: copies)
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

/// Photos to page through: a feed, or photos that are already at hand.
package enum PhotoList: Sendable {
    case feed(Feed, PhotoLoader)
    /// Feeds of several services, taken in turns.
    case several(SeveralFeeds)
    /// These photos, with indexes from 1.
    case photos([Photo])

    /// How many photos in a row a search may pass over where each page takes a request: some minutes of them.
    package static let patience = 2000

    /// Whether photos come from this machine, and not from a service that is asked for each page.
    package var isAtHand: Bool {
        switch self {
        case .photos: true
        case .feed(_, let loader): loader.service.name == Folder.word
        case .several: false
        }
    }

    package var pageSizes: PageSizes {
        one.map { $1.service.pageSizes(of: $0) } ?? .upTo(PhotoLoader.largePageSize)
    }

    package var isAdult: Bool { !feeds.isEmpty && feeds.allSatisfy { $1.service.isAdult($0) } }

    /// Whether it begins with what was added to it last, which is not known of several feeds.
    package var isNewestFirst: Bool { one.map { $1.service.isNewestFirst($0) } ?? false }

    /// Whether photos come in the order in which they were published, latest first; favorites come as marked.
    package var isInDateOrder: Bool {
        one.map { feed, _ in if case .favorites = feed { false } else { isNewestFirst } } ?? false
    }

    /// The feeds that it is made of; none for photos at hand.
    package var feeds: [(feed: Feed, loader: PhotoLoader)] {
        switch self {
        case .feed(let feed, let loader): [(feed, loader)]
        case .several(let several): several.sources
        case .photos: []
        }
    }

    private var one: (feed: Feed, loader: PhotoLoader)? {
        if case .feed(let feed, let loader) = self { (feed, loader) } else { nil }
    }

    /// Checks that it can be asked for, such as that a key is set, without a request. Of several feeds, one is enough.
    package func check() throws(ServiceError) {
        var fault: ServiceError?
        for (feed, loader) in feeds {
            do throws(ServiceError) {
                _ = try loader.service.page(PageSlice(number: 1, size: 1), of: feed, cursor: nil)
                return
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    /// The photos at `range`: those of a short one in as few requests as possible, a longer one page by page, of
    /// `pageSize` as far as the service allows it.
    package func pages(_ range: ClosedRange<Int>, pageSize: Int) -> FeedPages {
        let size = pageSizes.size(near: pageSize)
        guard range.count > size else {
            return FeedPages(range, pageSize: range.upperBound) { (_) throws(ServiceError) in
                try await photos(range)
            }
        }
        return FeedPages(range, pageSize: size) { (slice) throws(ServiceError) in try await page(slice) }
    }

    package func page(_ slice: PageSlice) async throws(ServiceError) -> Page {
        if case .feed(let feed, let loader) = self { return try await loader.page(slice, of: feed) }
        return try await photos(slice.indexes)
    }

    /// The photo at `index`, whatever the cache holds.
    package func current(_ index: Int) async throws(ServiceError) -> Page {
        if case .feed(let feed, let loader) = self {
            return try await loader.refreshing.page(PageSlice(number: index, size: 1), of: feed)
        }
        return try await photos(index...index)
    }

    /// The photos at these indexes, from 1; fewer where the list ends before.
    package func photos(_ range: ClosedRange<Int>) async throws(ServiceError) -> Page {
        switch self {
        case .feed(let feed, let loader): try await loader.photos(range, of: feed)
        case .several(let several): try await several.photos(range)
        case .photos(let photos): Page(range, of: photos)
        }
    }
}

extension ServiceLoaders {
    /// The list of a feed at `address`, of one service or of several; those that lack the feed are told and left out.
    ///
    /// - Throws: ``ServiceError/unsupported(service:what:known:)`` where none has it, or there is no such service.
    package func list(_ feed: Feed, at address: ServiceAddress) throws(ServiceError) -> PhotoList {
        var feeds: [(feed: Feed, loader: PhotoLoader)] = []
        var lacking: [(name: String, error: ServiceError)] = []
        for name in address.services {
            do throws(ServiceError) {
                try catalog.require(feed, of: name)
                feeds.append((feed, try loader(name)))
            } catch {
                lacking.append((name, error))
            }
        }
        if feeds.isEmpty, let first = lacking.first { throw first.error }
        for (name, error) in lacking { client.report(.passedOver(service: name, error)) }
        guard address.services.count == 1, let one = feeds.first else {
            return .several(SeveralFeeds(feeds, catalog, report: client.report))
        }
        return .feed(one.feed, one.loader)
    }
}

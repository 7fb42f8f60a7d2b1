import Foundation

/// The list that indexes refer to: a service's feed, or the photos marked on this machine.
package enum FeedReference: Hashable, Sendable {
    /// A feed of a service.
    case feed(Feed)
    /// The marked photos of every service, newest first: those of a list, or of the one without a name.
    case marked(MarkListName?)

    /// The service's feed; `nil` for the marked photos.
    package var feed: Feed? { if case .feed(let feed) = self { feed } else { nil } }

    /// Whether it is a list of marked photos.
    package var isMarked: Bool { feed == nil }

    /// The name of the list of marked photos; `nil` where it has none.
    package var list: MarkListName? { if case .marked(let name) = self { name } else { nil } }

    /// One word for the list, such as `popular`.
    package var word: String { feed?.word ?? Self.wordForMarks }

    /// The word for marked photos.
    package static let wordForMarks = "marked"
}

/// Encoded as a ``Feed``, with the marked photos as one more case: state files on disk have that form.
extension FeedReference: Codable {
    private enum Key: String, CodingKey { case marked }
    private enum ListKey: String, CodingKey { case list }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.marked) else {
            self = .feed(try Feed(from: decoder))
            return
        }
        let list = try container.nestedContainer(keyedBy: ListKey.self, forKey: .marked)
        self = .marked(try list.decodeIfPresent(MarkListName.self, forKey: .list))
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .feed(let feed): try feed.encode(to: encoder)
        case .marked(let list):
            var container = encoder.container(keyedBy: Key.self)
            var marked = container.nestedContainer(keyedBy: ListKey.self, forKey: .marked)
            try marked.encodeIfPresent(list, forKey: .list)
        }
    }
}

/// Photos to page through: a feed, or photos that are already at hand.
package enum PhotoList: Sendable {
    /// A feed that a loader requests page by page.
    case feed(Feed, PhotoLoader)
    /// Feeds of several services, taken in turns.
    case several(SeveralFeeds)
    /// These photos, with indexes from 1.
    case photos([Photo])

    /// How many photos in a row may be passed over in search of one, where a service is asked for each page: some
    /// minutes of requests that it may limit.
    package static let patience = 2000

    /// Whether photos come from this machine, and not from a service that is asked for each page.
    package var isAtHand: Bool {
        switch self {
        case .photos: true
        case .feed(_, let loader): loader.service.name == Folder.word
        case .several: false
        }
    }

    /// How many photos one page may hold.
    package var pageSizes: PageSizes {
        one.map { $1.service.pageSizes(of: $0) } ?? .upTo(PhotoLoader.largePageSize)
    }

    /// Whether every photo of the list is for adults.
    package var isAdult: Bool { !feeds.isEmpty && feeds.allSatisfy { $1.service.isAdult($0) } }

    /// Whether it begins with what was added to it last, which is not known of several feeds.
    var isNewestFirst: Bool { one.map { $1.service.isNewestFirst($0) } ?? false }

    /// Whether photos come in the order in which they were published, the latest first: favorites come in the order
    /// in which they were marked.
    package var isInDateOrder: Bool {
        one.map { feed, _ in if case .favorites = feed { false } else { isNewestFirst } } ?? false
    }

    /// The feeds that it is made of; none for photos at hand.
    var feeds: [(feed: Feed, loader: PhotoLoader)] {
        switch self {
        case .feed(let feed, let loader): [(feed, loader)]
        case .several(let several): several.sources
        case .photos: []
        }
    }

    private var one: (feed: Feed, loader: PhotoLoader)? {
        if case .feed(let feed, let loader) = self { (feed, loader) } else { nil }
    }

    /// Checks that it can be asked for, such as that a key is set, without sending anything. Of several feeds, one
    /// is enough.
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

    /// The photos at `range`: those of a short one in as few requests as possible, a longer one page by page.
    ///
    /// - Parameter pageSize: The size of pages, as far as the service allows it.
    package func pages(_ range: ClosedRange<Int>, pageSize: Int) -> FeedPages {
        let size = pageSizes.size(near: pageSize)
        guard range.count > size else {
            return FeedPages(range, pageSize: range.upperBound) { (_) throws(ServiceError) in
                try await photos(range)
            }
        }
        return FeedPages(range, pageSize: size) { (slice) throws(ServiceError) in try await page(slice) }
    }

    /// One page of any size.
    package func page(_ slice: PageSlice) async throws(ServiceError) -> Page {
        switch self {
        case .feed(let feed, let loader): try await loader.page(slice, of: feed)
        case .several(let several): try await several.photos(slice.indexes)
        case .photos(let photos): Page(slice.indexes, of: photos)
        }
    }

    /// The photo at `index`, whatever the cache holds.
    func current(_ index: Int) async throws(ServiceError) -> Page {
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
    /// The list of a feed at `address`: of one service, or of several, of which those that lack the feed are told and
    /// left out.
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
        for (name, error) in lacking { report(.passedOver(service: name, error)) }
        guard address.services.count == 1, let one = feeds.first else {
            return .several(SeveralFeeds(feeds, catalog, report: report))
        }
        return .feed(one.feed, one.loader)
    }
}

/// The list that a command line is about, and where its service is.
package struct RequestedFeed: Sendable {
    /// The service, and where its API is.
    package let address: ServiceAddress
    /// The list.
    package let feed: FeedReference
    /// The photos that were shown of it; `nil` where the list was named anew, or nothing was shown.
    package let shown: RememberedFeed?

    /// A list named anew, or the one that was shown last.
    package init(address: ServiceAddress, feed: FeedReference, shown: RememberedFeed?) {
        (self.address, self.feed, self.shown) = (address, feed, shown)
    }
}

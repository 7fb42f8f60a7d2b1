/// Feeds of several services as one list, taken in turns, each work once.
///
/// Nothing is requested before it is needed, and of each service by its own loader: at its pace, with its cache. The
/// list is made from its beginning, in pages of a size of their own, so that a range asked for by another process
/// finds in the cache what was asked for here. A service that fails is told and passed over from then on, so that the
/// indexes that were given stay.
package actor SeveralFeeds {
    /// One page of one list, or why there is none.
    private struct Loaded: Sendable {
        let list: Int
        let pages: FeedPages
        let photos: Result<[IndexedPhoto]?, ServiceError>
    }

    nonisolated let sources: [(feed: Feed, loader: PhotoLoader)]
    private let report: @Sendable (APIEvent) -> Void
    /// Only one range is made at a time.
    private let entrance = AsyncSemaphore(1)
    private var pages: [FeedPages]
    private var turns: Turns
    private var known: KnownWorks
    private var photos: [Photo] = []
    /// The services that failed, and those of them that have not been told.
    private var failures: [Int: ServiceError] = [:]
    private var untold: Set<Int> = []

    /// A list of `sources`, at least one.
    init(
        _ sources: [(feed: Feed, loader: PhotoLoader)], _ catalog: ServiceCatalog,
        report: @escaping @Sendable (APIEvent) -> Void
    ) {
        (self.sources, self.report) = (sources, report)
        pages = sources.map { feed, loader in
            let size = loader.service.pageSizes(of: feed).size(near: PhotoLoader.usualPageSize)
            return FeedPages(1...Int.max, pageSize: size) { (slice) throws(ServiceError) in
                try await loader.page(slice, of: feed)
            }
        }
        turns = Turns(sources.count)
        known = KnownWorks(catalog)
    }

    /// The photos at these indexes, from 1; fewer where all lists end before.
    ///
    /// - Throws: The first service's error if all have failed and none gave a photo.
    func photos(_ range: ClosedRange<Int>) async throws(ServiceError) -> Page {
        guard await entrance.enter() else { throw .transport(.cancelled) }
        defer { entrance.leave() }
        while photos.count < range.upperBound {
            if let photo = turns.take(where: { known.isNew($0, of: $1) }) {
                photos.append(photo)
            } else {
                let missing = turns.missing(for: range.upperBound - photos.count)
                guard !missing.isEmpty else { break }
                try await load(missing)
            }
        }
        try tellFailures()
        let shown = photos.prefix(range.upperBound).dropFirst(range.lowerBound - 1)
        let isWhole = turns.areOver
        return Page(
            photos: shown.indices.map { IndexedPhoto(index: $0 + 1, photo: shown[$0]) },
            total: isWhole ? photos.count : nil, hasMore: !isWhole || photos.count > range.upperBound)
    }

    /// Loads the next page of each of these lists, at once.
    private func load(_ lists: [Int]) async throws(ServiceError) {
        let loaded = await lists.concurrentMap { [pages] in await Self.next(pages[$0], of: $0) }
        var isCancelled = false
        for next in loaded {
            switch next.photos {
            case .success(let photos?): turns.add(photos.map(\.photo), to: next.list)
            case .success(nil): turns.end(next.list)
            case .failure(.transport(.cancelled)):
                // Whoever waited has left; the page is to be asked for again.
                isCancelled = true
                continue
            case .failure(let error):
                turns.end(next.list)
                failures[next.list] = error
                untold.insert(next.list)
            }
            pages[next.list] = next.pages
        }
        if isCancelled { throw .transport(.cancelled) }
    }

    private static func next(_ pages: FeedPages, of list: Int) async -> Loaded {
        var pages = pages
        do throws(ServiceError) {
            let photos = try await pages.next()
            return Loaded(list: list, pages: pages, photos: .success(photos))
        } catch {
            return Loaded(list: list, pages: pages, photos: .failure(error))
        }
    }

    private func tellFailures() throws(ServiceError) {
        let hasNone = photos.isEmpty && failures.count == sources.count
        for list in untold.sorted() where !(hasNone && list == 0) {
            guard let error = failures[list] else { continue }
            report(.passedOver(service: sources[list].loader.service.name, error))
        }
        untold = []
        if hasNone, let first = failures[0] { throw first }
    }
}

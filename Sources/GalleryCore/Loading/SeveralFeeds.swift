/// Feeds of several services as one list, taken in turns, each work once.
///
/// Nothing is requested before it is needed, and of each service by its own loader: at its pace, with its cache. The
/// list is made from its beginning, in pages of a size of their own, so that another process finds in the cache what
/// was asked for here. A service that fails is told and passed over from then on, so that indexes stay.
package actor SeveralFeeds {
    nonisolated let sources: [(feed: Feed, loader: PhotoLoader)]
    private let report: @Sendable (APIEvent) -> Void
    /// Only one range is made at a time.
    private let entrance = AsyncSemaphore(1)
    private var pages: [FeedPages]
    private var turns: Turns
    private var known: KnownWorks
    private var photos: [Photo] = []
    private var failures: [Int: ServiceError] = [:]
    private var untold: Set<Int> = []

    /// A list of `sources`, at least one.
    init(
        _ sources: [(feed: Feed, loader: PhotoLoader)], _ catalog: ServiceCatalog,
        report: @escaping @Sendable (APIEvent) -> Void
    ) {
        (self.sources, self.report) = (sources, report)
        pages = sources.map { feed, loader in
            PhotoList.feed(feed, loader).pages(1...Int.max, pageSize: PhotoLoader.usualPageSize)
        }
        turns = Turns(sources.count)
        known = KnownWorks(catalog)
    }

    /// The photos at these indexes, from 1; fewer where all lists end before. Throws the first service's error if all
    /// have failed and none gave a photo.
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
        let page = Page(range, of: photos)
        return turns.areOver ? page : Page(photos: page.photos, hasMore: true)
    }

    private func load(_ lists: [Int]) async throws(ServiceError) {
        let loaded = await lists.concurrentMap { [pages] in await Self.next(pages[$0]) }
        var isCancelled = false
        for (list, next) in zip(lists, loaded) {
            switch next.photos {
            case .success(let photos?): turns.add(photos.map(\.photo), to: list)
            case .success(nil): turns.end(list)
            case .failure(.transport(.cancelled)):
                // Whoever waited has left; the page is to be asked for again.
                isCancelled = true
                continue
            case .failure(let error):
                turns.end(list)
                failures[list] = error
                untold.insert(list)
            }
            pages[list] = next.pages
        }
        if isCancelled { throw .transport(.cancelled) }
    }

    /// One page of one list, or why there is none, and those that follow.
    private static func next(
        _ pages: FeedPages
    ) async -> (photos: Result<[IndexedPhoto]?, ServiceError>, pages: FeedPages) {
        var pages = pages
        do throws(ServiceError) {
            let photos = try await pages.next()
            return (.success(photos), pages)
        } catch {
            return (.failure(error), pages)
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

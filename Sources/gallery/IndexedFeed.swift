import GalleryCore

/// The feed that indexes are about: what was shown of it as it was shown, the rest as it is now.
struct IndexedFeed: Sendable {
    /// Photos in the whole feed, once the service has said so.
    private(set) var total: Int?

    private let requested: RequestedFeed
    private let loader: PhotoLoader
    /// What one request brought for several selections.
    private var loaded: [Int: Photo] = [:]
    /// What could not be had.
    private var faults: [(range: ClosedRange<Int>, error: any ActionableError)] = []

    private var shown: RememberedFeed? { requested.shown }
    private var feed: Feed { requested.feed }

    /// A feed of which `loader` has what was not shown.
    init(_ requested: RequestedFeed, _ loader: PhotoLoader) {
        self.requested = requested
        self.loader = loader
    }

    /// The photo at an index, as far as it is known.
    func photo(at index: Int) -> IndexedPhoto? {
        (shown?.photo(at: index) ?? loaded[index]).map { IndexedPhoto(index: index, photo: $0) }
    }

    /// Asks for photos at once, unless all of them were shown.
    mutating func load(_ range: ClosedRange<Int>) async throws {
        guard !range.allSatisfy({ shown?.photo(at: $0) != nil }) else { return }
        let page = try await loader.photos(range, of: feed)
        for entry in page.photos {
            if let index = entry.index { loaded[index] = entry.photo }
        }
        total = page.total ?? total
    }

    /// Asks for several ranges; one that cannot be had does not keep the others back.
    ///
    /// - Throws: where none could be had, the first one's error.
    mutating func load(_ ranges: [ClosedRange<Int>]) async throws {
        for range in ranges {
            do {
                try await load(range)
            } catch let error as any ActionableError {
                faults.append((range, error))
            }
        }
        if faults.count == ranges.count, let first = faults.first { throw first.error }
    }

    /// The part of a page that lies in a range. Where all of it was shown, nobody is asked.
    mutating func page(_ slice: PageSlice, within range: ClosedRange<Int>) async throws -> Page {
        let places = slice.indexes.clamped(to: range)
        let known = places.compactMap { index in
            shown?.photo(at: index).map { IndexedPhoto(index: index, photo: $0) }
        }
        guard known.count < places.count else { return Page(photos: known, hasMore: true) }
        let page = try await loader.page(slice, of: feed)
        total = page.total ?? total
        let taken = Set(known.map(\.index))
        let photos = known + page.photos.filter { !taken.contains($0.index) }
        return Page(
            photos: photos.sorted { ($0.index ?? 0) < ($1.index ?? 0) }, total: page.total,
            hasMore: page.hasMore, next: page.next)
    }

    /// The photos a request that the service gives, near to `size`.
    func pageSize(near size: Int) -> Int { loader.service.pageSizes(of: feed).size(near: size) }

    /// Photos from an index on, `count` at most; `nil` while nobody knows.
    func count(from index: Int, atMost count: Int? = nil) -> Int? {
        let left = total.map { max(0, $0 - index + 1) }
        return [left, count].compactMap(\.self).min()
    }

    /// Why there is no photo at `index`: it could not be had, or the feed ends before it.
    func reason(missing index: Int, named name: String) -> any ActionableError {
        faults.first { $0.range.contains(index) }?.error
            ?? NoSuchIndex(name: name, service: requested.source.service, feed: feed.word, total: total)
    }
}

import GalleryCore

/// A list by index: photos that were shown as they were shown, the others as the list has them now.
package struct IndexedFeed: Sendable {
    /// Photos in the whole list; `nil` until the service has said.
    package internal(set) var total: Int?

    package let requested: RequestedFeed
    package let list: PhotoList
    private var loaded: [Int: Photo] = [:]
    private var faults: [(range: ClosedRange<Int>, error: any ActionableError)] = []

    private var shown: RememberedFeed? { requested.shown }

    /// A feed that loads from `list` what was not shown before.
    package init(_ requested: RequestedFeed, _ list: PhotoList) {
        (self.requested, self.list) = (requested, list)
    }

    /// The photo at `index`, where it was shown or loaded.
    package func photo(at index: Int) -> IndexedPhoto? {
        (shown?.photo(at: index) ?? loaded[index]).map { IndexedPhoto(index: index, photo: $0) }
    }

    /// Whether the photo at `index` is as it was shown, or marked, before this process started.
    func isRemembered(_ index: Int) -> Bool {
        if case .photos = list { return true }
        return shown?.photo(at: index) != nil
    }

    /// Loads the photos at `range`, unless all of them were shown.
    package mutating func load(_ range: ClosedRange<Int>) async throws {
        guard !range.allSatisfy({ shown?.photo(at: $0) != nil }) else { return }
        let page = try await list.photos(range)
        for entry in page.photos {
            if let index = entry.index { loaded[index] = entry.photo }
        }
        total = page.total ?? total
    }

    /// Loads several ranges; throws the first error where every range failed.
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

    /// The photos at `range`, by pages of a size that the list allows; without a request where all of one was shown.
    func pages(_ range: ClosedRange<Int>, pageSize: Int) -> FeedPages {
        FeedPages(range, pageSize: pageSize) { [list, shown] (slice) throws(ServiceError) in
            let indexes = slice.indexes.clamped(to: range)
            let known = indexes.compactMap { index in
                shown?.photo(at: index).map { IndexedPhoto(index: index, photo: $0) }
            }
            guard known.count < indexes.count else { return Page(photos: known, hasMore: true) }
            let page = try await list.page(slice)
            let taken = Set(known.map(\.index))
            let photos = known + page.photos.filter { !taken.contains($0.index) }
            return Page(
                photos: photos.sorted { ($0.index ?? 0) < ($1.index ?? 0) }, total: page.total,
                hasMore: page.hasMore, next: page.next, leftOut: page.leftOut)
        }
    }

    /// Photos from `index` on, at most `count`; `nil` while the total is unknown.
    func count(from index: Int, atMost count: Int? = nil) -> Int? {
        let left = total.map { max(0, $0 - index + 1) }
        return [left, count].compactMap(\.self).min()
    }

    /// Why there is no photo at `index`: its range could not be loaded, or the list ends before it.
    func reason(missing index: Int, named name: String) -> any ActionableError {
        faults.first { $0.range.contains(index) }?.error
            ?? SelectionError.beyondEnd(
                name: name, service: requested.place, feed: requested.feed.word, total: total)
    }
}

/// The pages of a list that hold a range of its photos, in order, each requested when it is asked for: how list
/// commands, selections, and the library's ``FeedPhotos`` go through every list.
package struct FeedPages: Sendable {
    package typealias Request = @Sendable (PageSlice) async throws(ServiceError) -> Page

    /// Photos in the whole list; `nil` until the service has said.
    package private(set) var total: Int?
    /// Whether all of the list has come.
    package private(set) var walk = FeedWalk()
    /// The next page to ask for; `nil` at the end.
    private(set) var slice: PageSlice?

    private let range: ClosedRange<Int>
    private let request: Request
    private var seen = SeenPhotos()
    private var emptyPages = 0

    /// The photos at `range`, from 1; the list may end before. `pageSize` has to be one that the service allows.
    package init(_ range: ClosedRange<Int>, pageSize: Int, request: @escaping Request) {
        (self.range, self.request) = (range, request)
        slice = PageSlice(number: (range.lowerBound - 1) / pageSize + 1, size: pageSize)
    }

    /// The next page's photos in the range, without those of earlier pages; `nil` at the end.
    package mutating func next() async throws(ServiceError) -> [IndexedPhoto]? {
        guard let slice else { return nil }
        let page = try await request(slice)
        total = page.total ?? total
        let new = page.photos.count { !seen.contains($0.photo.id) }
        walk.take(page, slice, new: new)
        emptyPages = new == 0 ? emptyPages + 1 : 0
        let isOver =
            !page.hasMore || emptyPages == Page.patience || slice.indexes.upperBound >= range.upperBound
        self.slice = isOver ? nil : PageSlice(number: slice.number + 1, size: slice.size)
        // Rankings change during the walk.
        return page.photos.filter { range.contains($0.index ?? 0) && seen.isNew($0.photo.id) }
    }
}

/// Maps indexes to a service's pages, so that any index costs one list request.
enum IndexRange {
    /// Consecutive pages, computed lazily: a range may be longer than any feed.
    typealias Slices = LazyMapSequence<ClosedRange<Int>, PageSlice>

    /// The fewest pages that together hold `range`, of indexes from 1. One of the `preferred` size, that of lists, is
    /// used where it holds the range: it may be listed already. One at `entries`, the positions of a forward-only feed
    /// with known cursors, can be requested directly.
    static func slices(
        for range: ClosedRange<Int>, sizes: PageSizes, preferred: Int, entries: Set<Int> = []
    ) -> Slices {
        switch sizes {
        case .exactly(let size): return pages(of: size, holding: range)
        case .upTo(let limit):
            let candidates = ([preferred] + (min(range.count, limit)...limit).reversed()).filter {
                $0 <= limit
                    && page(of: $0, holding: range.lowerBound) == page(of: $0, holding: range.upperBound)
            }
            let entered = candidates.first { size in
                let offset = (page(of: size, holding: range.lowerBound) - 1) * size
                return offset == 0 ? !entries.isEmpty : entries.contains(offset)
            }
            let usual = candidates.first == preferred ? preferred : candidates.last
            return pages(of: entered ?? usual ?? limit, holding: range)
        }
    }

    private static func page(of size: Int, holding index: Int) -> Int { (index - 1) / size + 1 }

    private static func pages(of size: Int, holding range: ClosedRange<Int>) -> Slices {
        (page(of: size, holding: range.lowerBound)...page(of: size, holding: range.upperBound)).lazy
            .map { PageSlice(number: $0, size: size) }
    }
}

/// A feed gone through page by page: which page is next, and what of a page is new. Pure.
package struct FeedWalk: Sendable {
    /// Pages without a new photo, one after the other, after which a feed is taken to end although
    /// the service says that there is more: it may withhold a page, hardly several, and a page past the
    /// end that repeats the last one says so for ever.
    package static let patience = 5

    /// The next page to ask for; `nil` at the end.
    package private(set) var next: PageSlice?

    private let range: ClosedRange<Int>
    private var seen = SeenPhotos()
    private var emptyPages = 0

    /// A walk through the photos at `range`, from 1, whose end need not exist.
    ///
    /// - Parameter pageSize: a size that the service allows, so that no photo is asked for twice.
    package init(_ range: ClosedRange<Int>, pageSize: Int) {
        self.range = range
        next = PageSlice(number: (range.lowerBound - 1) / pageSize + 1, size: pageSize)
    }

    /// Takes the page in that was ``next``.
    ///
    /// - Returns: its photos in the range, without those that an earlier page had: a ranking moves
    ///   while one goes through it.
    package mutating func take(_ page: Page) -> [IndexedPhoto] {
        guard let slice = next else { return [] }
        emptyPages = page.photos.allSatisfy { seen.contains($0.photo.id) } ? emptyPages + 1 : 0
        let isOver =
            !page.hasMore || emptyPages == Self.patience || slice.indexes.upperBound >= range.upperBound
        next = isOver ? nil : PageSlice(number: slice.number + 1, size: slice.size)
        return page.photos.filter {
            range.contains($0.index ?? 0) && seen.isNew($0.photo.id)
        }
    }
}

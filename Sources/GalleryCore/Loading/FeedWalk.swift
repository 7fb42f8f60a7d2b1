/// What the pages of a feed say of each other: whether any photo can have slipped past between two of them.
///
/// Where a photo is removed after a page was sent, the next one's first photo moves to it and comes with neither. A
/// total told with every page shows that nothing was removed; for other services each boundary is asked about.
package struct FeedWalk: Hashable, Sendable {
    /// The last photo of a page, at its index: where it still is, nothing before it was removed.
    package struct Boundary: Hashable, Sendable {
        package let index: Int
        package let photo: PhotoID
    }

    /// Whether the pages contradict each other, or photos that were told of did not come.
    package private(set) var isInDoubt = false
    /// Whether the feed's end has been reached, as far as the service says how many photos there are.
    package private(set) var hasReachedEnd = false
    /// What has to be asked; see ``Boundary``.
    package var boundaries: [Boundary] { showsTotals ? [] : unproven }

    private var first: Int?
    private var total: Int?
    private var showsTotals = true
    private var isPromised = false
    private var came = 0
    private var unproven: [Boundary] = []

    package init() {}

    /// Takes the next page, of which `new` photos were on none before.
    package mutating func take(_ page: Page, _ slice: PageSlice, new: Int) {
        let isFirst = first == nil
        first = first ?? slice.firstIndex
        came += new + page.leftOut.count
        let hasMoved = !isFirst && page.total != total
        let isMissing = isPromised && page.photos.isEmpty
        isInDoubt = isInDoubt || hasMoved || isMissing || new < page.photos.count || !page.leftOut.isEmpty
        showsTotals = showsTotals && page.total != nil
        total = page.total
        isPromised = page.hasMore
        hasReachedEnd = !page.hasMore && total ?? 0 <= slice.indexes.upperBound
        // Whatever a service tells, no total is less than none.
        if hasReachedEnd, came < max(0, total ?? 0) - ((first ?? 1) - 1) { isInDoubt = true }
        // A cursor is a place in the feed, wherever that has moved to.
        if page.hasMore, page.next == nil, let last = page.photos.last, let index = last.index {
            unproven.append(Boundary(index: index, photo: last.photo.id))
        }
    }
}

/// A photo at its index in a feed.
public struct IndexedPhoto: Hashable, Sendable {
    /// The index in the feed, from 1, before any filter; `nil` for a photo given by address.
    public let index: Int?
    /// The photo at that index when it was listed.
    public let photo: Photo

    /// `photo` at `index`.
    public init(index: Int?, photo: Photo) { (self.index, self.photo) = (index, photo) }
}

/// The result of one list request.
public struct Page: Hashable, Sendable {
    /// The consecutive pages without a new photo after which a feed ends although the service says that more follows.
    /// It may withhold one page, hardly several, and one that repeats its last page would never end.
    static let patience = 5

    /// The photos in the service's order. Those that it withholds are left out without renumbering the rest.
    public let photos: [IndexedPhoto]
    /// The number of photos in the whole feed, from 0; `nil` if the service does not say.
    public let total: Int?
    /// Whether more photos follow, as far as the service says or implies.
    public let hasMore: Bool
    /// Why each photo that could not be read could not; it is missing among ``photos``.
    public internal(set) var leftOut: [ImportError]
    /// For feeds that only go forward, the text of the ``PageCursor`` for the next page; otherwise `nil`.
    public let next: String?

    /// A page of a feed.
    public init(
        photos: [IndexedPhoto], total: Int? = nil, hasMore: Bool, next: String? = nil,
        leftOut: [ImportError] = []
    ) {
        self.photos = photos
        self.leftOut = leftOut
        (self.total, self.hasMore, self.next) = (total, hasMore, next)
    }
}

extension Page {
    /// The photos at these indexes of a list that is at hand.
    init(_ range: ClosedRange<Int>, of photos: [Photo], leftOut: [ImportError] = []) {
        let shown = photos.dropFirst(range.lowerBound - 1).prefix(range.count).enumerated()
        self.init(
            photos: shown.map { IndexedPhoto(index: range.lowerBound + $0, photo: $1) }, total: photos.count,
            hasMore: range.upperBound < photos.count, leftOut: leftOut)
    }
}

/// A position in a feed that only goes forward.
public struct PageCursor: Hashable, Sendable {
    /// The number of photos before it, from 1.
    public let offset: Int
    /// The service's own token for it. Untrusted text.
    public let text: String

    /// The cursor `text` after the first `offset` photos.
    public init(offset: Int, text: String) { (self.offset, self.text) = (offset, text) }
}

/// A page of a feed: its number and its size.
public struct PageSlice: Hashable, Sendable, Codable {
    /// The page's number, from 1.
    public let number: Int
    /// Photos per page, from 1 to what the service allows.
    public let size: Int

    /// Page `number` of `size` photos per page.
    public init(number: Int, size: Int) { (self.number, self.size) = (number, size) }

    /// The index of the page's first photo, from 1.
    public var firstIndex: Int { (number - 1) * size + 1 }

    /// The indexes the page covers.
    public var indexes: ClosedRange<Int> { firstIndex...(firstIndex + size - 1) }
}

extension Array {
    /// The elements in groups of `size`, the last of which may be smaller.
    package func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

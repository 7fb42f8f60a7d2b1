/// A photo at its place in a feed.
public struct IndexedPhoto: Hashable, Sendable {
    /// The place in the feed, from 1, before any filter; `nil` for a photo named by
    /// its address, which has none.
    public let index: Int?
    /// The photo that stood there when it was listed.
    public let photo: Photo

    /// `photo` at `index`.
    public init(index: Int?, photo: Photo) {
        self.index = index
        self.photo = photo
    }
}

/// What one list request brought.
public struct Page: Hashable, Sendable {
    /// The photos in the service's order. Slots the service withholds are left out
    /// without renumbering the rest.
    public let photos: [IndexedPhoto]
    /// Photos in the whole feed as far as the service says, from 0; `nil` where it does not.
    public let total: Int?
    /// Whether the service says or implies that photos follow.
    public let hasMore: Bool
    /// What a service that only goes forward wants to hear for the next page, the text of a
    /// ``PageCursor``; `nil` elsewhere.
    public let next: String?

    /// A page of a feed.
    public init(photos: [IndexedPhoto], total: Int? = nil, hasMore: Bool, next: String? = nil) {
        self.photos = photos
        self.total = total
        self.hasMore = hasMore
        self.next = next
    }
}

/// Where one can go on in a feed that only goes forward, without the way there.
public struct PageCursor: Hashable, Sendable {
    /// Places before it, from 1.
    public let place: Int
    /// The service's own words for it. Untrusted text.
    public let text: String

    /// The cursor `text` behind the first `place` places.
    public init(place: Int, text: String) {
        self.place = place
        self.text = text
    }
}

/// Which page of a feed, at which size: the unit services count in.
public struct PageSlice: Hashable, Sendable, Codable {
    /// The page's number, from 1.
    public let number: Int
    /// Photos a page, from 1 to what the service allows.
    public let size: Int

    /// Page `number` at `size` photos a page.
    public init(number: Int, size: Int) {
        self.number = number
        self.size = size
    }

    /// The index of the page's first photo, from 1.
    public var firstIndex: Int { (number - 1) * size + 1 }

    /// The indexes the page covers.
    public var indexes: ClosedRange<Int> { firstIndex...(firstIndex + size - 1) }
}

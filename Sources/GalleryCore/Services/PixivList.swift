/// Consecutive places of a feed as the site fills them.
struct PixivList: Sendable {
    /// The photos in the site's order; `nil` where one is withheld or an advertisement stands.
    private(set) var slots: [Photo?]
    /// Places in the whole feed; `nil` where the site does not say.
    private(set) var total: Int?
    /// Whether places follow.
    private(set) var hasMore: Bool

    init(slots: [Photo?], total: Int?, hasMore: Bool) {
        self.slots = slots
        self.total = total.map { max(0, $0) }
        self.hasMore = hasMore
    }

    /// No place, and none after it.
    static let end = PixivList(slots: [], total: nil, hasMore: false)

    /// Adds the list that begins at `place` from 0, up to `limit` places of it: a page that
    /// brought too few or too many does not shift the indexes of the next one.
    mutating func append(_ next: PixivList, at place: Int, limit: Int) {
        slots += Array(repeating: nil, count: max(0, place - slots.count)) + next.slots.prefix(limit)
        total = next.total ?? total
        hasMore = next.hasMore
    }

    /// The places of `slice`, of which the first is at `place` from 0.
    func page(_ slice: PageSlice, from place: Int = 0) -> Page {
        let shown = slots.dropFirst(place)
        let photos = shown.prefix(slice.size).enumerated().compactMap { offset, photo in
            photo.map { IndexedPhoto(index: slice.firstIndex + offset, photo: $0) }
        }
        return Page(photos: photos, total: total, hasMore: hasMore || shown.count > slice.size)
    }
}

extension Author {
    /// The author of a work, with no name to type: users are numbers on this site.
    init?(_ id: WireID?, _ name: WireText?) {
        guard id != nil || name?.filled != nil else { return nil }
        self.init(id: id?.value, name: name?.value ?? "")
    }
}

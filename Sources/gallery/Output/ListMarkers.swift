import GalleryCore

/// The signs a table puts before photos: `›` the one viewed last, `*` those marked.
struct ListMarkers: Sendable {
    var lastSeen: PhotoID?
    var marked: Set<PhotoID> = []

    /// `›`, `*`, both, or nothing.
    func text(for photo: PhotoID) -> String {
        (photo == lastSeen ? "›" : "") + (marked.contains(photo) ? "*" : "")
    }
}

extension ListMarkers {
    /// The markers of a feed. A state file that cannot be read costs the markers, not the list.
    init(of feed: BrowsePositions.FeedKey, positions: BrowsePositions, marks: MarkStore) async {
        lastSeen = await positions.lastPosition(in: feed)?.photo
        marked = Set((try? await marks.marks())?.photos.map(\.id) ?? [])
    }
}

import GalleryCore

/// What a table says of photos beside what the service says: `›` was looked at last, `*` is marked.
struct ListMarkers: Sendable {
    var lastSeen: PhotoID?
    var marked: Set<PhotoID> = []

    /// `›`, `*`, both or nothing.
    func text(for photo: PhotoID) -> String {
        (photo == lastSeen ? "›" : "") + (marked.contains(photo) ? "*" : "")
    }
}

extension Context {
    /// The markers of a feed's photos. A state file that cannot be read loses them, not the list.
    func markers(of feed: Feed, _ source: ServiceAddress) async -> ListMarkers {
        let place = BrowsePositions.FeedKey(service: source.service, base: source.base, feed: feed)
        let marks = try? await MarkStore(file: folders.marks).marks()
        return ListMarkers(
            lastSeen: await BrowsePositions(file: folders.browsePositions).lastPosition(in: place)?.photo,
            marked: Set(marks?.photos.map(\.id) ?? []))
    }
}

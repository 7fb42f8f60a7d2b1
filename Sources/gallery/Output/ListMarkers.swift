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

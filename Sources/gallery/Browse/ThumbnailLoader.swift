import Foundation
import GalleryCore

/// Loads the grid's thumbnails, a few at a time: those in view first, then those about to scroll in.
actor ThumbnailLoader {
    private let sources: BrowseSources
    private let report: @Sendable (PhotoID, URL) -> Void
    private var wanted: [IndexedPhoto] = []
    private var tasks: [PhotoID: Task<Void, Never>] = [:]
    private var done: Set<PhotoID> = []
    private var failed: Set<PhotoID> = []

    private static let atOnce = 6

    init(_ sources: BrowseSources, report: @escaping @Sendable (PhotoID, URL) -> Void) {
        self.sources = sources
        self.report = report
    }

    /// Sets the photos whose thumbnails are wanted, in order; loading of others is cancelled.
    func want(_ photos: [IndexedPhoto]) {
        wanted = photos
        let ids = Set(photos.map(\.photo.id))
        for (id, task) in tasks where !ids.contains(id) {
            task.cancel()
            tasks[id] = nil
        }
        fill()
    }

    /// Retries thumbnails that failed.
    func retry() {
        failed = []
        fill()
    }

    private func fill() {
        for entry in wanted where tasks.count < Self.atOnce {
            let photo = entry.photo
            guard tasks[photo.id] == nil, !done.contains(photo.id), !failed.contains(photo.id),
                let thumbnail = photo.thumbnail
            else { continue }
            tasks[photo.id] = Task { await load(photo, thumbnail) }
        }
    }

    private func load(_ photo: Photo, _ thumbnail: Rendition) async {
        let file = try? await sources.pictures.file(
            of: photo.id, sources.loaders.imageRequest(thumbnail, of: photo)
        ) { _, _ in }
        guard !Task.isCancelled else { return }
        tasks[photo.id] = nil
        if let file {
            done.insert(photo.id)
            report(photo.id, file.url)
        } else {
            failed.insert(photo.id)
        }
        fill()
    }
}

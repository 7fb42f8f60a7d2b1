import Foundation
import GalleryCore

/// Loads thumbnails, a few at a time: those in view first, then those about to scroll in.
///
/// Outside the grid, none is made of a file on this machine: that takes as long as the picture itself.
actor ThumbnailLoader {
    private let sources: BrowseSources
    private let store: ThumbnailStore
    private let report: @Sendable (PhotoID, URL) -> Void
    private var wish = Wish(photos: [], makes: false)
    private var tasks: [PhotoID: Task<Void, Never>] = [:]
    private var outcomes: [PhotoID: Outcome] = [:]

    private enum Outcome {
        case done, failed
        /// It would have to be made.
        case unmade
    }

    /// Photos whose thumbnails are wanted.
    struct Wish: Hashable, Sendable {
        /// In order.
        let photos: [IndexedPhoto]
        /// Whether thumbnails are also made.
        let makes: Bool
    }

    private static let atOnce = 6

    init(_ sources: BrowseSources, report: @escaping @Sendable (PhotoID, URL) -> Void) {
        self.sources = sources
        store = ThumbnailStore(sources.context.environment)
        self.report = report
    }

    /// Sets what is wanted; loading of others is canceled.
    func want(_ wish: Wish) {
        guard wish != self.wish else { return }
        self.wish = wish
        if wish.makes { forget(.unmade) }
        let ids = Set(wish.photos.map(\.photo.id))
        for (id, task) in tasks where !ids.contains(id) {
            task.cancel()
            tasks[id] = nil
        }
        fill()
    }

    /// Retries thumbnails that failed.
    func retry() {
        forget(.failed)
        fill()
    }

    private func forget(_ outcome: Outcome) { outcomes = outcomes.filter { $0.value != outcome } }

    /// Stops loading.
    func close() { want(Wish(photos: [], makes: false)) }

    private func fill() {
        for entry in wish.photos where tasks.count < Self.atOnce {
            let photo = entry.photo
            guard tasks[photo.id] == nil, outcomes[photo.id] == nil, let thumbnail = photo.thumbnail
            else { continue }
            tasks[photo.id] = Task { await load(photo, thumbnail) }
        }
    }

    private func load(_ photo: Photo, _ thumbnail: Rendition) async {
        let makes = wish.makes
        let file = await file(of: photo, thumbnail, makes: makes)
        guard !Task.isCancelled else { return }
        tasks[photo.id] = nil
        if let file {
            outcomes[photo.id] = .done
            report(photo.id, file)
        } else if makes || photo.ownFile == nil {
            outcomes[photo.id] = .failed
        } else if !wish.makes {
            outcomes[photo.id] = .unmade
        }
        fill()
    }

    private func file(of photo: Photo, _ thumbnail: Rendition, makes: Bool) async -> URL? {
        // A folder's photos have no thumbnails of their own; those of the desktop are small and shared.
        if let own = photo.ownFile {
            let file = await store.thumbnail(of: own, makes: makes)
            if file != nil || !makes { return file }
        }
        let request = try? sources.loaders.imageRequest(thumbnail, of: photo)
        guard let request else { return nil }
        return try? await sources.pictures.file(of: photo.id, request).url
    }
}

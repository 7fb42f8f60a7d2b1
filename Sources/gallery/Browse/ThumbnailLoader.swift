import Foundation
import GalleryCore

/// Loads thumbnails, a few at a time: those in view first, then those about to scroll in.
actor ThumbnailLoader {
    private let sources: BrowseSources
    private let store: ThumbnailStore
    private let report: @Sendable (PhotoID, URL) -> Void
    private var wish = Wish(photos: [], edge: 0)
    private var tasks: [PhotoID: Task<Void, Never>] = [:]
    private var outcomes: [PhotoID: Outcome] = [:]

    private enum Outcome {
        case done, failed
    }

    /// Photos whose thumbnails are wanted.
    struct Wish: Hashable, Sendable {
        /// In order.
        let photos: [IndexedPhoto]
        /// The pixels of the longer edge that can be seen.
        let edge: Int
        /// How many are loaded at once.
        var atOnce = 6
    }

    init(_ sources: BrowseSources, report: @escaping @Sendable (PhotoID, URL) -> Void) {
        self.sources = sources
        store = ThumbnailStore(sources.context.environment)
        self.report = report
    }

    /// Sets what is wanted; loading of others is canceled.
    func want(_ wish: Wish) {
        guard wish != self.wish else { return }
        if wish.edge > self.wish.edge { forget(.done) }
        self.wish = wish
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
    func close() { want(Wish(photos: [], edge: 0)) }

    private func fill() {
        for entry in wish.photos where tasks.count < wish.atOnce {
            let photo = entry.photo
            guard tasks[photo.id] == nil, outcomes[photo.id] == nil, let thumbnail = photo.thumbnail
            else { continue }
            tasks[photo.id] = Task { await load(photo, thumbnail) }
        }
    }

    private func load(_ photo: Photo, _ thumbnail: Rendition) async {
        let edge = wish.edge
        let found = await file(of: photo, thumbnail, edge)
        guard !Task.isCancelled else { return }
        tasks[photo.id] = nil
        if let found { report(photo.id, found.file) }
        // One that was wanted larger meanwhile is loaded once more.
        if found?.isSharp != true {
            outcomes[photo.id] = .failed
        } else if wish.edge <= edge {
            outcomes[photo.id] = .done
        }
        fill()
    }

    private func file(
        of photo: Photo, _ thumbnail: Rendition, _ edge: Int
    ) async -> (file: URL, isSharp: Bool)? {
        func loaded(isSharp: Bool) async -> (file: URL, isSharp: Bool)? {
            let request = try? sources.loaders.imageRequest(thumbnail, of: photo)
            guard let request, let file = try? await sources.pictures.file(of: photo.id, request) else {
                return nil
            }
            return (file.url, isSharp)
        }
        guard let own = photo.ownFile else { return await loaded(isSharp: true) }
        // A camera's own one that nearly fills its cell will do.
        if thumbnail.url != photo.full?.url, let size = thumbnail.size, size.longestEdge * 5 >= edge * 4 {
            return await loaded(isSharp: true)
        }
        // Those of the desktop are shared.
        if let kept = await store.thumbnail(of: own, edge: edge) { return kept }
        return await loaded(isSharp: false)
    }
}

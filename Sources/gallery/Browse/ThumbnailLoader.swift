import Foundation
import GalleryCore

/// Loads thumbnails, a few at a time: those in view first, then those about to scroll in.
actor ThumbnailLoader {
    private let files: ThumbnailFiles
    /// Takes a photo's thumbnail; `nil` where it has none that can be loaded.
    private let report: @Sendable (PhotoID, URL?) -> Void
    private var wish = Wish(photos: [], edge: 0)
    private var tasks: [PhotoID: Task<Void, Never>] = [:]
    private var outcomes: [PhotoID: Outcome] = [:]

    private enum Outcome {
        case done, failed
        /// It is not there, and was not to be made.
        case unmade
    }

    struct Wish: Hashable, Sendable {
        let photos: [IndexedPhoto]
        /// The pixels of the longer edge that can be seen.
        let edge: Int
        var atOnce = 6
        /// How many are loaded together, which costs less where they are made.
        var together = 1
        /// Whether those of this machine's files are made where there are none.
        var makes = true
    }

    init(_ sources: BrowseSources, report: @escaping @Sendable (PhotoID, URL?) -> Void) {
        files = ThumbnailFiles(sources.context, sources.loaders, sources.pictures)
        self.report = report
    }

    /// Sets what is wanted; loading of others is canceled.
    func want(_ wish: Wish) {
        guard wish != self.wish else { return }
        if wish.edge > self.wish.edge { forget(.done) }
        if wish.makes { forget(.unmade) }
        self.wish = wish
        let ids = Set(wish.photos.map(\.photo.id))
        let kept = Set(tasks.filter { ids.contains($0.key) }.values)
        for (id, task) in tasks where !kept.contains(task) {
            task.cancel()
            tasks[id] = nil
        }
        fill()
    }

    func retry() {
        forget(.failed)
        for task in tasks.values { task.cancel() }
        tasks = [:]
        fill()
    }

    private func forget(_ outcome: Outcome) { outcomes = outcomes.filter { $0.value != outcome } }

    func close() { want(Wish(photos: [], edge: 0)) }

    private func fill() {
        while tasks.count < wish.atOnce {
            let next = wish.photos.lazy.map(\.photo).filter { [tasks, outcomes] photo in
                tasks[photo.id] == nil && outcomes[photo.id] == nil && photo.thumbnail != nil
            }
            let photos = Array(next.prefix(wish.together))
            guard !photos.isEmpty else { return }
            let task = Task { await load(photos) }
            for photo in photos { tasks[photo.id] = task }
        }
    }

    private func load(_ photos: [Photo]) async {
        let (edge, makes) = (wish.edge, wish.makes)
        let found = await files.files(of: photos, edge, makes: makes)
        guard !Task.isCancelled else { return }
        for photo in photos {
            tasks[photo.id] = nil
            let found = found[photo.id]
            if found != nil || makes { report(photo.id, found?.file) }
            // One that was wanted larger meanwhile is loaded once more.
            if found?.isSharp != true {
                outcomes[photo.id] = makes || photo.ownFile == nil ? .failed : .unmade
            } else if wish.edge <= edge {
                outcomes[photo.id] = .done
            }
        }
        fill()
    }
}

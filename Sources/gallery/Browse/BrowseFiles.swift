import Foundation
import GalleryCore
import Synchronization

/// What browsing keeps on this machine: places, marks, the theme. Writes off the threads that tasks share.
final class BrowseFiles: Sendable {
    let positions: BrowsePositions
    let marks: MarkStore
    private let settings: URL
    private let queue = DispatchQueue(label: "gallery.browse.files")
    /// Places that are not written yet: of a fast run through a feed only the last one counts.
    private let places = Mutex<[BrowsePositions.FeedKey: BrowsePositions.Position]>([:])

    private struct Settings: Codable {
        var theme: Theme
    }

    init(_ folders: Folders) {
        positions = BrowsePositions(file: folders.browsePositions)
        marks = MarkStore(file: folders.marks)
        settings = folders.browseSettings
    }

    /// The theme that was chosen last.
    func theme() async -> Theme {
        let data = await withCheckedContinuation { waiter in
            queue.async { [settings] in waiter.resume(returning: try? Data(contentsOf: settings)) }
        }
        return data.flatMap { try? JSONDecoder().decode(Settings.self, from: $0) }?.theme ?? .night
    }

    func keep(_ theme: Theme) {
        queue.async { [settings] in
            // A theme that cannot be kept is no reason to stop.
            guard let data = try? JSONEncoder().encode(Settings(theme: theme)) else { return }
            try? PrivateFile.replace(settings, with: data)
        }
    }

    func keep(_ position: BrowsePositions.Position, in place: BrowsePositions.FeedKey) {
        places.withLock { $0[place] = position }
        queue.async { [self] in
            guard let position = places.withLock({ $0.removeValue(forKey: place) }) else { return }
            try? positions.keep(position, in: place)
        }
    }

    /// Returns once everything is written.
    func flush() async {
        await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    }
}

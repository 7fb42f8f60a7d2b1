import Curation
import Foundation
import GalleryCore
import Synchronization
import TerminalPictures

/// What browsing saves on this machine: positions, marks, and the theme. Writes on its own queue.
final class BrowseFiles: Sendable {
    let positions: BrowsePositions
    let tournaments: TournamentStore
    /// The list that keys change.
    var marks: MarkStore { list.withLock(\.store) }
    var listName: MarkListName? { list.withLock(\.name) }
    private let list: Mutex<(name: MarkListName?, store: MarkStore)>
    private let settings: URL
    private let queue = DispatchQueue(label: "gallery.browse.files")
    /// Positions still to be written: of a fast run through a feed only the last one is.
    private let pending = Mutex<[BrowsePositions.FeedKey: BrowsePositions.Position]>([:])

    init(_ folders: Folders, _ list: MarkListName?) {
        positions = BrowsePositions(file: folders.browsePositions)
        tournaments = TournamentStore(file: folders.tournaments)
        self.list = Mutex((list, folders.markLists.store(list)))
        settings = folders.browseSettings
    }

    /// Marks go into another list from now on, which need not be there; returns its photos.
    func choose(list name: MarkListName?, _ folders: Folders) async throws(PrivateFileError) -> [Photo] {
        let store = folders.markLists.store(name)
        let photos = try await store.marks().photos
        list.withLock { $0 = (name, store) }
        return photos
    }

    func theme() async -> Theme {
        let data = await onThread { [settings] in try? Data(contentsOf: settings) }
        return data.flatMap { try? JSONDecoder().decode([String: Theme].self, from: $0) }?["theme"] ?? .night
    }

    func keep(_ theme: Theme) {
        queue.async { [settings] in
            // A theme that cannot be saved is no reason to stop.
            guard let data = try? JSONEncoder().encode(["theme": theme]) else { return }
            try? PrivateFile.replace(settings, with: data)
        }
    }

    func keep(_ position: BrowsePositions.Position, in feed: BrowsePositions.FeedKey) {
        pending.withLock { $0[feed] = position }
        queue.async { [self] in
            guard let position = pending.withLock({ $0.removeValue(forKey: feed) }) else { return }
            try? positions.keep(position, in: feed)
        }
    }

    /// Saves a tournament as it is now; one that cannot be taken up is told.
    func keep(
        _ tournament: Tournament, _ key: TournamentStore.Key,
        onFailure: @escaping @Sendable (PrivateFileError) -> Void
    ) {
        queue.async { [tournaments] in
            do throws(PrivateFileError) { try tournaments.keep(tournament, key) } catch { onFailure(error) }
        }
    }

    func drop(_ tournament: Tournament, _ key: TournamentStore.Key) {
        queue.async { [tournaments] in try? tournaments.drop(tournament, key) }
    }

    func flush() async { await withCheckedContinuation { waiter in queue.async { waiter.resume() } } }
}

import Foundation

/// The last position in each feed, kept in a file of JSON lines, newest last.
package struct BrowsePositions: Sendable {
    /// A feed of a service, and where its API is.
    package struct FeedKey: Hashable, Sendable, Codable {
        let service: String
        let base: URL?
        let feed: FeedReference

        /// `feed` of `service`, with its API at `base` if that is not the official address.
        package init(service: String, base: URL?, feed: FeedReference) {
            self.service = service
            self.base = base
            self.feed = feed
        }
    }

    /// A photo and its index.
    package struct Position: Hashable, Sendable, Codable {
        /// The photo's index at that time, from 1.
        package let index: Int
        /// The photo, since rankings change.
        package let photo: PhotoID

        /// `photo` at `index`.
        package init(index: Int, photo: PhotoID) {
            self.index = index
            self.photo = photo
        }
    }

    private struct Line: Codable {
        let place: FeedKey
        let position: Position
    }

    /// The most feeds kept; those not browsed for longest are dropped first.
    private static let limit = 200

    private let lines: StateLines

    /// The positions in `file`, which need not exist.
    package init(file: URL) {
        lines = StateLines(file: file)
    }

    /// The last position in a feed; `nil` for none, and if the file cannot be read. Blocks.
    package func position(in place: FeedKey) -> Position? {
        ((try? lines.read()) ?? []).lazy.reversed()
            .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
            .first { $0.place == place }?.position
    }

    /// The same, without blocking.
    package func lastPosition(in place: FeedKey) async -> Position? {
        await Disk.run { position(in: place) }
    }

    /// Saves a position. Blocks.
    package func keep(_ position: Position, in place: FeedKey) throws(StateFileError) {
        guard let new = try? JSONEncoder().encode(Line(place: place, position: position)) else { return }
        try lines.change { lines in
            lines.removeAll { (try? JSONDecoder().decode(Line.self, from: $0))?.place == place }
            lines.append(new)
            lines.removeFirst(max(0, lines.count - Self.limit))
        }
    }
}

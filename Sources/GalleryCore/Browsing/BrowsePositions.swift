import Foundation

/// Which photo of each feed was looked at last, kept in a file of JSON lines, the newest last.
package struct BrowsePositions: Sendable {
    /// A feed, wherever it lives.
    package struct FeedKey: Hashable, Sendable, Codable {
        let service: String
        let base: URL?
        let feed: FeedReference

        /// `feed` of `service`, whose API is at `base` where that is not the official one.
        package init(service: String, base: URL?, feed: FeedReference) {
            self.service = service
            self.base = base
            self.feed = feed
        }
    }

    /// A photo and where it stood.
    package struct Position: Hashable, Sendable, Codable {
        /// Its index then, from 1.
        package let index: Int
        /// The photo, for rankings move.
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

    /// Feeds kept; those not looked at longest go first.
    private static let limit = 200

    private let lines: StateLines

    /// The positions kept in `file`, which need not be there.
    package init(file: URL) {
        lines = StateLines(file: file)
    }

    /// The photo last looked at in a feed; `nil` for none, and where the file cannot be read. Blocks on the disk.
    package func position(in place: FeedKey) -> Position? {
        ((try? lines.read()) ?? []).lazy.reversed()
            .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
            .first { $0.place == place }?.position
    }

    /// The same, without blocking.
    package func lastPosition(in place: FeedKey) async -> Position? {
        await Disk.run { position(in: place) }
    }

    /// Remembers a position. Blocks on the disk.
    package func keep(_ position: Position, in place: FeedKey) throws(StateFileError) {
        guard let new = try? JSONEncoder().encode(Line(place: place, position: position)) else { return }
        try lines.change { lines in
            lines.removeAll { (try? JSONDecoder().decode(Line.self, from: $0))?.place == place }
            lines.append(new)
            lines.removeFirst(max(0, lines.count - Self.limit))
        }
    }
}

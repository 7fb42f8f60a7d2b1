import Foundation
import GalleryCore

/// The last position in each feed, kept in a file of JSON lines, newest last.
package struct BrowsePositions: Sendable {
    /// A feed of a service, and where its API is.
    package struct FeedKey: Hashable, Sendable, Codable {
        let service: String
        let base: URL?
        let feed: FeedReference

        package init(service: String, base: URL?, feed: FeedReference) {
            self.service = service
            // As it is read again: a relative one is not equal to that.
            self.base = base?.absoluteURL
            self.feed = feed
        }
    }

    package struct Position: Hashable, Sendable, Codable {
        /// The photo's index at that time, from 1.
        package let index: Int
        /// The photo, since rankings change.
        package let photo: PhotoID

        package init(index: Int, photo: PhotoID) { (self.index, self.photo) = (index, photo) }
    }

    private struct Line: Codable {
        let feed: FeedKey
        let position: Position

        private enum CodingKeys: String, CodingKey {
            case feed = "place"
            case position
        }
    }

    /// The most feeds kept; those not browsed for longest are dropped first.
    private static let limit = 200

    private let lines: StateLines

    /// The positions in `file`, which need not exist.
    package init(file: URL) { lines = StateLines(file: file) }

    /// The last position in a feed; `nil` for none, and if the file cannot be read. Blocks.
    package func position(in feed: FeedKey) -> Position? {
        ((try? lines.read()) ?? []).lazy.reversed()
            .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
            .first { $0.feed == feed && (1...Int.outside.upperBound).contains($0.position.index) }?.position
    }

    /// The same, without blocking.
    package func lastPosition(in feed: FeedKey) async -> Position? { await Disk.run { position(in: feed) } }

    /// Saves a position. Blocks.
    package func keep(_ position: Position, in feed: FeedKey) throws(PrivateFileError) {
        guard let new = try? JSONEncoder().encode(Line(feed: feed, position: position)) else { return }
        try lines.change { lines in
            lines.removeAll { (try? JSONDecoder().decode(Line.self, from: $0))?.feed == feed }
            lines.append(new)
            lines.removeFirst(max(0, lines.count - Self.limit))
        }
    }
}

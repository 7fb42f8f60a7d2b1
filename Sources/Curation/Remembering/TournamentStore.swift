import Foundation
import GalleryCore

/// The tournaments that were begun, kept in a file of JSON lines, newest last, so that they can be taken up.
package struct TournamentStore: Sendable {
    package struct Key: Hashable, Sendable, Codable {
        let feed: BrowsePositions.FeedKey
        /// The conditions on the feed's photos, as they were typed; empty for none.
        let filter: String
        /// Whether it is over some of the photos, and not over all.
        let isSelection: Bool

        package init(feed: BrowsePositions.FeedKey, filter: String, isSelection: Bool) {
            (self.feed, self.filter, self.isSelection) = (feed, filter, isSelection)
        }
    }

    private struct Line: Codable {
        let key: Key
        let tournament: Tournament

        func isSame(as other: Line) -> Bool {
            key == other.key && tournament.photos == other.tournament.photos
        }
    }

    /// The most tournaments kept; those that were left longest ago are dropped first.
    private static let limit = 20

    private let lines: StateLines

    /// The tournaments in `file`, which need not exist.
    package init(file: URL) { lines = StateLines(file: file) }

    /// The tournament over `photos` that was left last; `nil` for none, and if the file cannot be read. A selection
    /// must be the very same; of a feed, more than half of the photos must be there still.
    package func tournament(_ key: Key, over photos: [PhotoID]) async -> Tournament? {
        let asked = Set(photos)
        return await Disk.run { [lines] () -> Tournament? in
            let kept = ((try? lines.read()) ?? []).reversed().lazy.compactMap(Self.line)
            return kept.first { line in
                guard line.key == key else { return false }
                let known = Set(line.tournament.photos)
                return key.isSelection ? known == asked : known.intersection(asked).count * 2 > known.count
            }?.tournament
        }
    }

    /// Saves a tournament in the place of its former state. Blocks.
    package func keep(_ tournament: Tournament, _ key: Key) throws(PrivateFileError) {
        let line = Line(key: key, tournament: tournament)
        guard let new = try? JSONEncoder().encode(line) else { return }
        try lines.change { lines in
            lines.removeAll { Self.line($0)?.isSame(as: line) ?? false }
            lines.append(new)
            lines.removeFirst(max(0, lines.count - Self.limit))
        }
    }

    /// Forgets a tournament. Blocks.
    package func drop(_ tournament: Tournament, _ key: Key) throws(PrivateFileError) {
        let line = Line(key: key, tournament: tournament)
        try lines.change { lines in lines.removeAll { Self.line($0)?.isSame(as: line) ?? false } }
    }

    private static func line(_ data: Data) -> Line? { try? JSONDecoder().decode(Line.self, from: data) }
}

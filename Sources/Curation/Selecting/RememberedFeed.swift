import Foundation
import GalleryCore

/// The list shown last with its photos, so that an index typed later means the photo that was on the screen.
package struct RememberedFeed: Sendable, Equatable, Codable {
    package let service: String
    /// Where its API was; `nil` for the official address.
    package let base: URL?
    package let feed: FeedReference
    /// The service that the environment named when it was listed; `nil` for none.
    package var variable: String?
    /// One line of JSON for each photo shown, by index. Decoded on demand: of thousands, few are asked for.
    private var lines: [Int: [UInt8]] = [:]

    /// The most photos kept; those with the lowest indexes are dropped first.
    static let limit = 10_000

    package init(service: String, base: URL?, feed: FeedReference, photos: [IndexedPhoto]) {
        (self.service, self.base, self.feed) = (service, base, feed)
        add(photos)
    }

    package var isEmpty: Bool { lines.isEmpty }

    /// The photo shown at `index`; `nil` where none was, or its line is damaged.
    package func photo(at index: Int) -> Photo? {
        guard let line = lines[index], let entry = IndexedPhoto(json: Data(line)), entry.index == index
        else { return nil }
        return entry.photo
    }

    /// Whether both are the same list of the same service, whatever was shown of it.
    package func isSameFeed(as other: RememberedFeed) -> Bool {
        other.service == service && other.base == base && other.feed == feed
    }

    /// Adds the photos that the file at `url` has of the same list; those shown since then win.
    package mutating func addEarlier(from url: URL) {
        guard let (earlier, rest) = Self.head(of: url), isSameFeed(as: earlier) else { return }
        addLines(rest)
    }

    /// Adds photos that were shown; `texts` is their JSON, where somebody has made it already.
    package mutating func add(_ shown: [IndexedPhoto], texts: [String]? = nil) {
        for (place, entry) in shown.enumerated() {
            if let index = entry.index { lines[index] = Array((texts?[place] ?? entry.json.text).utf8) }
        }
        // Not for each photo beyond the limit: finding the lowest index takes time.
        guard lines.count > Self.limit * 5 / 4 else { return }
        let lowest = lines.keys.sorted()[lines.count - Self.limit]
        lines = lines.filter { $0.key >= lowest }
    }

    // MARK: - File

    private enum CodingKeys: CodingKey { case service, base, feed, variable }

    /// The list in a file; `nil` if there is none or its first line is damaged. Other damaged lines are left out.
    package init?(contentsOf url: URL) {
        guard let (feed, rest) = Self.head(of: url) else { return nil }
        self = feed
        addLines(rest)
    }

    private static func head(of url: URL) -> (RememberedFeed, rest: FileLines)? {
        guard let file = try? SystemCall.open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK)
        else { return nil }
        var lines = FileLines(of: file)
        guard let head = try? lines.next(), let feed = try? JSONDecoder().decode(Self.self, from: Data(head))
        else { return nil }
        return (feed, lines)
    }

    private mutating func addLines(_ rest: FileLines) {
        var rest = rest
        while let line = try? rest.next() {
            if let index = Self.index(ofLine: line), lines[index] == nil { lines[index] = Array(line) }
        }
    }

    private static func index(ofLine line: ArraySlice<UInt8>) -> Int? {
        guard line.starts(with: key) else { return nil }
        return Int(
            String(decoding: line.dropFirst(key.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
    }

    private static let key = Array(#"{"index":"#.utf8)

    /// Writes the list to a file that only the user can read.
    package func write(to url: URL) throws {
        var piece = try [UInt8](JSONEncoder().encode(self))
        let last = lines.sorted { $0.key < $1.key }.suffix(Self.limit)
        // What a power failure takes is a list that nobody looks at any more.
        try PrivateFile.replace(url, isDurable: false) { file throws(SystemCall.Failure) in
            for (_, line) in last {
                piece.append(UInt8(ascii: "\n"))
                piece += line
                guard piece.count > 65_536 else { continue }
                try SystemCall.write(piece, to: file)
                piece.removeAll(keepingCapacity: true)
            }
            piece.append(UInt8(ascii: "\n"))
            try SystemCall.write(piece, to: file)
        }
    }
}

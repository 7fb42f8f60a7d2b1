import Foundation

/// The list shown last, with the photos that were shown, so that an index typed later
/// means the photo that was on the screen.
package struct RememberedFeed: Sendable, Equatable, Codable {
    /// The service's name.
    package let service: String
    /// Where its API was; `nil` for the official address.
    package let base: URL?
    /// The list.
    package let feed: FeedReference
    /// The service that the environment named when it was listed; `nil` for none.
    package var variable: String?
    /// One line of JSON for each photo shown, by index. Decoded on demand: of thousands, few are asked for.
    private var lines: [Int: Data] = [:]

    /// The most photos kept; those with the lowest indexes are dropped first.
    static let limit = 10_000

    /// A list of which `photos` were shown.
    package init(service: String, base: URL?, feed: FeedReference, photos: [IndexedPhoto]) {
        self.service = service
        self.base = base
        self.feed = feed
        add(photos)
    }

    /// Whether no photo was shown.
    package var isEmpty: Bool { lines.isEmpty }

    /// The photo shown at `index`; `nil` where none was, or its line is damaged.
    package func photo(at index: Int) -> Photo? {
        guard let line = lines[index],
            let entry = try? JSONDecoder().decode(IndexedPhoto.self, from: line), entry.index == index
        else { return nil }
        return entry.photo
    }

    /// Whether both are the same list of the same service, whatever was shown of it.
    package func isSameFeed(as other: RememberedFeed) -> Bool {
        other.service == service && other.base == base && other.feed == feed
    }

    /// This list with the photos that `earlier` has of the same list; photos shown later win.
    package func merged(with earlier: RememberedFeed?) -> RememberedFeed {
        guard let earlier, isSameFeed(as: earlier) else { return self }
        var merged = self
        merged.lines = earlier.lines.merging(lines) { _, later in later }
        return merged
    }

    /// Adds photos that were shown.
    ///
    /// - Parameter texts: Their JSON, where somebody has made it already.
    package mutating func add(_ shown: [IndexedPhoto], texts: [String]? = nil) {
        for (place, entry) in shown.enumerated() {
            if let index = entry.index { lines[index] = Data((texts?[place] ?? entry.json.text).utf8) }
        }
        // Not for each photo beyond the limit: finding the lowest index takes time.
        guard lines.count > Self.limit * 5 / 4 else { return }
        let lowest = lines.keys.sorted()[lines.count - Self.limit]
        lines = lines.filter { $0.key >= lowest }
    }

    // MARK: - File

    /// What the first line holds.
    private enum CodingKeys: CodingKey {
        case service, base, feed, variable
    }

    /// Reads the list from a file; `nil` where there is none or its first line is damaged. Other damaged lines
    /// are left out.
    package init?(contentsOf url: URL) {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"))
        guard let head = lines.first, let feed = try? JSONDecoder().decode(Self.self, from: head) else {
            return nil
        }
        self = feed
        for line in lines.dropFirst() {
            if let index = Self.index(ofLine: line) { self.lines[index] = line }
        }
    }

    /// The index at the start of a line.
    private static func index(ofLine line: Data) -> Int? {
        guard line.starts(with: key) else { return nil }
        return Int(
            String(decoding: line.dropFirst(key.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
    }

    private static let key = Data(#"{"index":"#.utf8)

    /// Writes the list to a file that only the user can read.
    package func write(to url: URL) throws {
        var data = try JSONEncoder().encode(self)
        for (_, line) in lines.sorted(by: { $0.key < $1.key }).suffix(Self.limit) {
            data.append(UInt8(ascii: "\n"))
            data.append(line)
        }
        data.append(UInt8(ascii: "\n"))
        // What a power failure takes is a list that nobody looks at any more.
        try PrivateFile.replace(url, with: data, isDurable: false)
    }
}

import Foundation

/// The feed that was listed last, and the very photos that were shown, so that an
/// index typed later means what it meant on the screen.
public struct RememberedFeed: Sendable, Equatable {
    /// The service's name.
    public let service: String
    /// Where its API was, if not at the official address.
    public let base: URL?
    /// The feed.
    public let feed: Feed
    /// A line for each photo shown, by its index, as the file has it: read when the photo is asked for, since
    /// of thousands hardly more than a few are.
    private var lines: [Int: Data] = [:]

    /// Photos kept at most; those with the lowest indexes go first.
    static let limit = 10_000

    /// A feed of which `photos` were shown.
    public init(service: String, base: URL?, feed: Feed, photos: [IndexedPhoto]) {
        self.service = service
        self.base = base
        self.feed = feed
        add(photos)
    }

    /// Whether no photo was shown.
    public var isEmpty: Bool { lines.isEmpty }

    /// The photo that was shown at an index; `nil` where none was, or its line is damaged.
    public func photo(at index: Int) -> Photo? {
        guard let line = lines[index],
            let entry = try? JSONDecoder().decode(IndexedPhoto.self, from: line), entry.index == index
        else { return nil }
        return entry.photo
    }

    /// Whether both are the same feed of the same service, whatever was shown of it.
    public func isSameFeed(as other: RememberedFeed) -> Bool {
        other.service == service && other.base == base && other.feed == feed
    }

    /// This feed with what `earlier` remembers of the same one; what was shown later wins.
    public func merged(with earlier: RememberedFeed?) -> RememberedFeed {
        guard let earlier, isSameFeed(as: earlier) else { return self }
        var merged = self
        merged.lines = earlier.lines.merging(lines) { _, later in later }
        return merged
    }

    /// Adds photos that were shown too.
    public mutating func add(_ shown: [IndexedPhoto]) {
        for entry in shown {
            if let index = entry.index { lines[index] = Data(entry.storedJSON.text.utf8) }
        }
        // Not at every step past the limit: looking for the lowest takes its time.
        guard lines.count > Self.limit * 5 / 4 else { return }
        let lowest = lines.keys.sorted()[lines.count - Self.limit]
        lines = lines.filter { $0.key >= lowest }
    }

    // MARK: - File

    private struct Header: Codable {
        let service: String
        let base: URL?
        let feed: Feed
    }

    /// The feed a file holds, or `nil` where there is none: a damaged line is left out, a damaged head loses the feed.
    public init?(contentsOf url: URL) {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"))
        guard let head = lines.first, let header = try? JSONDecoder().decode(Header.self, from: head) else {
            return nil
        }
        self.init(service: header.service, base: header.base, feed: header.feed, photos: [])
        for line in lines.dropFirst() {
            if let index = Self.index(ofLine: line) { self.lines[index] = line }
        }
    }

    /// The index that a line begins with.
    private static func index(ofLine line: Data) -> Int? {
        guard line.starts(with: key) else { return nil }
        return Int(
            String(decoding: line.dropFirst(key.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
    }

    private static let key = Data(#"{"index":"#.utf8)

    /// Writes the feed to a file that only the user can read.
    public func write(to url: URL) throws {
        var data = try JSONEncoder().encode(Header(service: service, base: base, feed: feed))
        for (_, line) in lines.sorted(by: { $0.key < $1.key }).suffix(Self.limit) {
            data.append(UInt8(ascii: "\n"))
            data.append(line)
        }
        data.append(UInt8(ascii: "\n"))
        try PrivateFile.replace(url, with: data)
    }
}

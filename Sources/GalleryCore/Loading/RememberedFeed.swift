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
    /// The photos shown, by index.
    public private(set) var photos: [Int: Photo]

    /// Photos kept at most; those with the lowest indexes go first.
    static let limit = 10_000

    /// A feed of which `photos` were shown.
    public init(service: String, base: URL?, feed: Feed, photos: [IndexedPhoto]) {
        self.service = service
        self.base = base
        self.feed = feed
        self.photos = [:]
        add(photos)
    }

    /// Whether both are the same feed of the same service, whatever was shown of it.
    public func isSameFeed(as other: RememberedFeed) -> Bool {
        other.service == service && other.base == base && other.feed == feed
    }

    /// This feed with what `earlier` remembers of the same one; what was shown later wins.
    public func merged(with earlier: RememberedFeed?) -> RememberedFeed {
        guard let earlier, isSameFeed(as: earlier) else { return self }
        var merged = self
        merged.photos = earlier.photos.merging(photos) { _, later in later }
        return merged
    }

    /// Adds photos that were shown too.
    public mutating func add(_ shown: [IndexedPhoto]) {
        for entry in shown {
            if let index = entry.index { photos[index] = entry.photo }
        }
        // Not at every step past the limit: looking for the lowest takes its time.
        guard photos.count > Self.limit * 5 / 4 else { return }
        let kept = photos.keys.sorted().suffix(Self.limit)
        photos = photos.filter { $0.key >= kept.first ?? 0 }
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
        let decoder = JSONDecoder()
        self.init(
            service: header.service, base: header.base, feed: header.feed,
            photos: lines.dropFirst().compactMap { try? decoder.decode(IndexedPhoto.self, from: $0) })
    }

    /// Writes the feed to a file that only the user can read.
    public func write(to url: URL) throws {
        var data = try JSONEncoder().encode(Header(service: service, base: base, feed: feed))
        for (index, photo) in photos.sorted(by: { $0.key < $1.key }).suffix(Self.limit) {
            data.append(UInt8(ascii: "\n"))
            data.append(contentsOf: IndexedPhoto(index: index, photo: photo).json.text.utf8)
        }
        data.append(UInt8(ascii: "\n"))
        try PrivateFile.replace(url, with: data)
    }
}

import Basics

/// The photos of a site, in order: packed, since a page needs few of a long list at a time.
package struct PhotoShelf: RandomAccessCollection, Sendable {
    private var packed: [[UInt8]] = []

    package init(_ photos: [PublishedPhoto] = []) { append(photos) }

    package mutating func append(_ photos: [PublishedPhoto]) {
        packed += photos.map { photo in
            var packed = PackedBytes()
            packed.add(photo)
            // As long as they are, without room for more.
            return Array(packed.bytes[...])
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { packed.count }

    package subscript(position: Int) -> PublishedPhoto {
        var photo = PackedBytes(bytes: packed[position])
        return photo.next()
    }

    /// The same photos in another order: that of their offsets.
    func ordered(_ offsets: [Int]) -> PhotoShelf {
        var shelf = self
        shelf.packed = offsets.map { packed[$0] }
        return shelf
    }

    // MARK: - What all have

    /// The middle one of the heights of the grid's largest pictures; `nil` without photos.
    var middleHeight: Int? {
        let heights = map { $0.small.last?.size.height ?? 0 }.sorted()
        return heights.isEmpty ? nil : heights[heights.count / 2]
    }

    /// What the pictures of all pages of the grid weigh on a screen of one pixel per pixel.
    package var gridBytes: Int64 {
        reduce(0) { sum, photo in
            let small = photo.small.first { $0.size.width >= 360 } ?? photo.small.last
            return sum + (small ?? photo.thumbnail).bytes
        }
    }

    /// The names of those who made the photos, each once, in the order of these; so many at most.
    func authors(most: Int) -> [String] {
        var authors: [String] = []
        for case let author? in lazy.map(\.author) where !authors.contains(author) {
            authors.append(author)
            if authors.count == most { break }
        }
        return authors
    }
}

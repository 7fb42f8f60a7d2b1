import Basics

/// The photos of a site, in order: packed, since a page needs few of a long list at a time.
package struct PhotoShelf: RandomAccessCollection, Sendable {
    /// Where a photo is, and who made it: twelve bytes.
    private struct Place {
        /// Which of the pieces has it, and where that does.
        let piece: Int32
        let offset: Int32
        /// The hash of the author's name; 0 for none.
        let author: UInt32
    }

    private var places: [Place] = []
    private var pieces: [PackedBytes] = []
    private var heights: [Int: Int] = [:]
    private var thousandths: Set<Int> = []
    /// What the pictures of all pages of the grid weigh on a screen of one pixel per pixel.
    package private(set) var gridBytes: Int64 = 0
    private var paths: Set<Int> = []

    package init(_ photos: [PublishedPhoto] = []) { append(photos) }

    package mutating func append(_ photos: [PublishedPhoto]) {
        var piece = PackedBytes()
        for photo in photos {
            places.append(
                Place(
                    piece: Int32(clamping: pieces.count), offset: Int32(clamping: piece.bytes.count),
                    author: photo.author.map { UInt32(truncatingIfNeeded: $0.hashValue) | 1 } ?? 0))
            piece.add(photo)
            heights[photo.small.last?.size.height ?? 0, default: 0] += 1
            thousandths.insert(SiteStyle.thousandths(of: photo.thumbnail.size))
            let small = photo.small.first { $0.size.width >= 360 } ?? photo.small.last
            gridBytes += (small ?? photo.thumbnail).bytes
            for picture in photo.files { paths.insert(picture.path.hashValue) }
        }
        pieces.append(piece)
    }

    // MARK: - Photos

    package var startIndex: Int { 0 }
    package var endIndex: Int { places.count }

    package subscript(position: Int) -> PublishedPhoto {
        var piece = pieces[Int(places[position].piece)]
        piece.position = Int(places[position].offset)
        guard let photo = try? piece.next(PublishedPhoto.self) else {
            preconditionFailure("What was packed can be unpacked.")
        }
        return photo
    }

    /// The same photos in another order: that of their offsets.
    func ordered(_ offsets: [Int]) -> PhotoShelf {
        var shelf = self
        shelf.places = offsets.map { places[$0] }
        return shelf
    }

    // MARK: - What all have

    /// The middle one of the heights of the grid's largest pictures; `nil` without photos.
    var middleHeight: Int? {
        var left = places.count / 2
        return heights.sorted { $0.key < $1.key }.first { _, count in
            left -= count
            return left < 0
        }?.key
    }

    /// The proportions that there are, ascending, as thousandths.
    var ratios: [Int] { thousandths.sorted() }

    /// The names of those who made the photos, each once, in the order of these; so many at most.
    func authors(most: Int) -> [String] {
        var (authors, hashes) = ([String](), Set<UInt32>())
        for (position, place) in places.enumerated() where place.author != 0 && authors.count < most {
            guard hashes.insert(place.author).inserted, let author = self[position].author else { continue }
            authors.append(author)
        }
        return authors
    }

    /// Whether the file at `path`, below the site's folder, is one of the photos'.
    func hasPicture(at path: String) -> Bool { paths.contains(path.hashValue) }
}

extension PublishedPhoto {
    var files: [PublishedPicture] {
        small + pictures + larger.values + [original].compactMap(\.self)
    }
}

import Basics
import Foundation
import Synchronization

/// The photos of a site, in order; those of a long list in a file, since a page needs few of them at a time.
package struct PhotoShelf: RandomAccessCollection, Sendable {
    /// Where a photo is, and who made it: sixteen bytes.
    private struct Place {
        /// The offset in the file, or in `photos`.
        let offset: Int
        /// Bytes in the file.
        let length: Int32
        /// The hash of the author's name; 0 for none.
        let author: UInt32
    }

    private var places: [Place] = []
    /// All photos; of those in a file the first.
    private var photos: [PublishedPhoto] = []
    /// How many photos have each height of the grid's largest picture.
    private var heights: [Int: Int] = [:]
    private var thousandths: Set<Int> = []
    private let file: PhotoFile?
    /// The folder of that, for messages.
    private var url: URL?
    /// What the pictures of all pages of the grid weigh on a screen of one pixel per pixel.
    package private(set) var gridBytes: Int64 = 0
    /// Hashes of the paths of all pictures.
    private var paths = HashIndex<Void>()

    /// `photos`, which stay in memory.
    init(_ photos: [PublishedPhoto]) {
        file = nil
        for photo in photos { add(photo, at: self.photos.count, length: 0) }
    }

    /// No photos yet, to be kept in a file that has no name in the open folder at `url`, and thus goes with the process.
    init(in folder: Descriptor, at url: URL) throws(PublishError) {
        file = try PublishError.naming(url, PublishError.cannotWrite) { () throws(SystemCall.Failure) in
            try PhotoFile(in: folder)
        }
        self.url = url
    }

    /// Adds photos at the end.
    ///
    /// - Throws: ``PublishError/cannotWrite(path:_:)``, such as for a full disk.
    package mutating func append(_ photos: [PublishedPhoto]) async throws(PublishError) {
        var ranges: [Range<Int>]?
        if let file, let url {
            ranges = try await Disk.run { () throws(PublishError) in
                try PublishError.naming(url, PublishError.cannotWrite) { () throws(SystemCall.Failure) in
                    try file.append(photos)
                }
            }
        }
        for (number, photo) in photos.enumerated() {
            let range = ranges?[number] ?? self.photos.count..<self.photos.count
            add(photo, at: range.lowerBound, length: range.count)
        }
    }

    private mutating func add(_ photo: PublishedPhoto, at offset: Int, length: Int) {
        places.append(
            Place(
                offset: offset, length: Int32(clamping: length),
                author: photo.author.map { UInt32(truncatingIfNeeded: $0.hashValue) | 1 } ?? 0))
        heights[photo.small.last?.size.height ?? 0, default: 0] += 1
        thousandths.insert(SiteStyle.thousandths(of: photo.thumbnail.size))
        if file == nil || photos.isEmpty { photos.append(photo) }
        gridBytes += (photo.small.first { $0.size.width >= 360 } ?? photo.small.last ?? photo.thumbnail).bytes
        for picture in photo.files { paths.put((), at: picture.path.hashValue) }
    }

    // MARK: - Photos

    package var startIndex: Int { 0 }
    package var endIndex: Int { places.count }

    package subscript(position: Int) -> PublishedPhoto {
        let place = places[position]
        guard let file, place.offset > 0 else { return photos[place.offset] }
        // Nothing is published that the file did not give; see ``fault``.
        return file.photo(at: place.offset, length: Int(place.length)) ?? photos[0]
    }

    /// The same photos in another order: that of their offsets.
    func ordered(_ offsets: [Int]) -> PhotoShelf {
        var shelf = self
        shelf.places = offsets.map { places[$0] }
        return shelf
    }

    /// Why a photo could not be read; another one was given in its place.
    var fault: SystemCall.Failure? { file?.fault }

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

    /// Whether the file at `path`, below the site's folder, is one of theirs.
    func hasPicture(at path: String) -> Bool { paths.contains(path.hashValue) }
}

extension PublishedPhoto {
    /// All its files.
    var files: [PublishedPicture] {
        small + pictures + larger.values + [original].compactMap(\.self)
    }
}

/// Photos in a file without a name.
private final class PhotoFile: Sendable {
    private struct State {
        var length = 0
        var fault: SystemCall.Failure?
        /// Those that were read last, by their offsets: a page asks for its photo more than once, and for the two
        /// beside it.
        var recent: [(offset: Int, photo: PublishedPhoto)] = []
    }

    private static let mostRecent = 4

    private let file: Descriptor
    private let state = Mutex(State())

    init(in folder: Descriptor) throws(SystemCall.Failure) {
        file = try SystemCall.unnamedFile(in: folder)
    }

    var fault: SystemCall.Failure? { state.withLock(\.fault) }

    /// Adds photos. Returns where each is in the file.
    func append(_ photos: [PublishedPhoto]) throws(SystemCall.Failure) -> [Range<Int>] {
        var packed = PackedBytes()
        var ends = [0]
        for photo in photos {
            packed.add(photo)
            ends.append(packed.bytes.count)
        }
        try SystemCall.write(packed.bytes, to: file)
        let start = state.withLock { state in
            defer { state.length += packed.bytes.count }
            return state.length
        }
        return zip(ends, ends.dropFirst()).map { start + $0..<start + $1 }
    }

    /// The photo at an offset; `nil` if it cannot be read.
    func photo(at offset: Int, length: Int) -> PublishedPhoto? {
        state.withLock { state in
            if let known = state.recent.first(where: { $0.offset == offset }) { return known.photo }
            do {
                var packed = PackedBytes(try SystemCall.read(file, at: Int64(offset), count: length))
                let photo = try packed.next(PublishedPhoto.self)
                if state.recent.count == Self.mostRecent { state.recent.removeFirst() }
                state.recent.append((offset, photo))
                return photo
            } catch {
                state.fault = error as? SystemCall.Failure ?? SystemCall.Failure(code: EIO)
                return nil
            }
        }
    }
}

import Foundation
import GalleryCore
import PictureFiles

/// Values as few bytes, one after the other: nothing says what they are.
struct PackedBytes {
    fileprivate(set) var bytes: [UInt8] = []
    /// The offset of the next value that is read.
    fileprivate var position = 0

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    mutating func add<each Value: Packable>(_ values: repeat each Value) {
        repeat (each values).pack(into: &self)
    }

    /// The next value, which has to be of the kind that was added.
    mutating func next<Value: Packable>(_ kind: Value.Type = Value.self) -> Value { Value(unpacking: &self) }
}

protocol Packable {
    func pack(into packed: inout PackedBytes)

    /// Takes the value that ``pack(into:)`` wrote from `packed`.
    init(unpacking packed: inout PackedBytes)
}

extension Int: Packable {
    /// Seven bits a byte, the lowest first; before all, the sign.
    func pack(into packed: inout PackedBytes) {
        var rest = UInt(bitPattern: self << 1 ^ self >> (Int.bitWidth - 1))
        while rest > 0x7F {
            packed.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        packed.bytes.append(UInt8(rest))
    }

    init(unpacking packed: inout PackedBytes) {
        var (value, shift, isLast) = (UInt(0), 0, false)
        while !isLast {
            let byte = packed.bytes[packed.position]
            packed.position += 1
            value |= UInt(byte & 0x7F) << shift
            shift += 7
            isLast = byte & 0x80 == 0
        }
        self = Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
    }
}

extension Bool: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(self ? 1 : 0) }

    init(unpacking packed: inout PackedBytes) { self = packed.next(Int.self) != 0 }
}

extension Double: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(Int(truncatingIfNeeded: bitPattern)) }

    init(unpacking packed: inout PackedBytes) {
        self.init(bitPattern: UInt64(truncatingIfNeeded: packed.next(Int.self)))
    }
}

extension Date: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(timeIntervalSinceReferenceDate) }

    init(unpacking packed: inout PackedBytes) { self.init(timeIntervalSinceReferenceDate: packed.next()) }
}

extension WrittenDate: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(date, precision.rawValue, offset) }

    init(unpacking packed: inout PackedBytes) {
        self.init(packed.next(), Precision(rawValue: packed.next()).unpacked, offset: packed.next())
    }
}

extension String: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(utf8.count)
        packed.bytes += utf8
    }

    init(unpacking packed: inout PackedBytes) {
        let count = packed.next(Int.self)
        self.init(decoding: packed.bytes[packed.position..<packed.position + count], as: UTF8.self)
        packed.position += count
    }
}

extension Optional: Packable where Wrapped: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(self != nil)
        if let self { packed.add(self) }
    }

    init(unpacking packed: inout PackedBytes) {
        self = packed.next(Bool.self) ? packed.next(Wrapped.self) : nil
    }
}

extension Array: Packable where Element: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(count)
        for element in self { packed.add(element) }
    }

    init(unpacking packed: inout PackedBytes) {
        self = (0..<packed.next(Int.self)).map { _ in packed.next() }
    }
}

// MARK: - Photos

extension PublishedPhoto: Packable {
    /// All that a site tells of it. The files that its service has are none of that.
    func pack(into packed: inout PackedBytes) {
        let keys = larger.keys.sorted()
        packed.add(
            entry.index, photo, detail, detail.flatMap { $0.photo == photo ? nil : $0.photo }, name,
            thumbnail, others, pictures)
        packed.add(keys, keys.compactMap { larger[$0] }, original, address?.absoluteString)
    }

    init(unpacking packed: inout PackedBytes) {
        let entry = IndexedPhoto(index: packed.next(), photo: packed.next())
        var detail = packed.next(PhotoDetail?.self)
        let other = packed.next(Photo?.self)
        detail?.photo = other ?? entry.photo
        self.init(
            entry: entry, detail: detail, name: packed.next(), thumbnail: packed.next(),
            others: packed.next(), pictures: packed.next(),
            larger: Dictionary(
                zip(packed.next([Int].self), packed.next([PublishedPicture].self))
            ) { first, _ in first },
            original: packed.next(), address: URL(text: packed.next()))
    }
}

extension Optional {
    fileprivate var unpacked: Wrapped {
        guard let self else { preconditionFailure("What was packed can be unpacked.") }
        return self
    }
}

extension URL {
    fileprivate init?(text: String?) {
        guard let text else { return nil }
        self.init(string: text)
    }
}

extension PublishedPicture: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(place, type.rawValue, size, orientation, Int(bytes), modified)
    }

    init(unpacking packed: inout PackedBytes) {
        let place = packed.next(String.self)
        let type = PictureType(rawValue: packed.next())
        self.init(
            place: place, type: type.unpacked, size: packed.next(), orientation: packed.next(),
            bytes: Int64(packed.next(Int.self)), modified: packed.next())
    }
}

extension PixelSize: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(width, height) }

    init(unpacking packed: inout PackedBytes) {
        self = PixelSize(width: packed.next(Int.self), height: packed.next(Int.self)).unpacked
    }
}

extension Author: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(id, name, username) }

    init(unpacking packed: inout PackedBytes) {
        self.init(id: packed.next(), name: packed.next(), username: packed.next())
    }
}

extension Photo: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(
            id.service, id.value, title, author, page?.absoluteString, size, likes, views, rating, stars,
            tags, category, license)
        packed.add(
            licenseURL?.absoluteString, attribution, description, alt, isGenerated, isAdult, pageCount,
            publishedDate, takenDate)
    }

    init(unpacking packed: inout PackedBytes) {
        self.init(
            id: PhotoID(service: packed.next(), value: packed.next()), title: packed.next(),
            author: packed.next(), page: URL(text: packed.next()), size: packed.next(),
            likes: packed.next(), views: packed.next(), rating: packed.next(),
            stars: packed.next(), tags: packed.next(), category: packed.next(), license: packed.next(),
            licenseURL: URL(text: packed.next()), attribution: packed.next(),
            description: packed.next(), alt: packed.next(), isGenerated: packed.next(),
            isAdult: packed.next(), pageCount: packed.next())
        (publishedDate, takenDate) = (packed.next(), packed.next())
    }
}

/// Details without the photo that they are of, and without its files.
extension PhotoDetail: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(
            camera, lens, focalLength, iso, shutterSpeed, aperture, colorProfile, latitude, longitude,
            comments, incomplete)
    }

    init(unpacking packed: inout PackedBytes) {
        self.init(photo: Photo(id: .none, title: ""))
        (camera, lens, focalLength) = (packed.next(), packed.next(), packed.next())
        (iso, shutterSpeed) = (packed.next(), packed.next())
        (aperture, colorProfile) = (packed.next(), packed.next())
        (latitude, longitude) = (packed.next(), packed.next())
        (comments, incomplete) = (packed.next(), packed.next())
    }
}

import Foundation
import GalleryCore
import PictureFiles

/// Values as few bytes, one after the other: nothing says what they are.
struct PackedBytes {
    fileprivate(set) var bytes: [UInt8] = []
    /// The offset of the next value that is read.
    var position = 0

    mutating func add<each Value: Packable>(_ values: repeat each Value) {
        repeat (each values).pack(into: &self)
    }

    mutating func next<Value: Packable>(_ kind: Value.Type = Value.self) throws(PackingFault) -> Value {
        try Value(unpacking: &self)
    }

    fileprivate mutating func byte() throws(PackingFault) -> UInt8 {
        guard position < bytes.count else { throw PackingFault() }
        position += 1
        return bytes[position - 1]
    }
}

protocol Packable {
    func pack(into packed: inout PackedBytes)

    /// Takes the value from `packed`.
    ///
    /// - Throws: ``PackingFault`` for bytes that ``pack(into:)`` did not write.
    init(unpacking packed: inout PackedBytes) throws(PackingFault)
}

struct PackingFault: Error {}

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

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        var (value, shift, isLast) = (UInt(0), 0, false)
        while !isLast {
            let byte = try packed.byte()
            value |= UInt(byte & 0x7F) << shift
            shift += 7
            isLast = byte & 0x80 == 0
        }
        self = Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
    }
}

extension Bool: Packable {
    func pack(into packed: inout PackedBytes) { packed.bytes.append(self ? 1 : 0) }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) { self = try packed.byte() != 0 }
}

extension Double: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(Int(truncatingIfNeeded: bitPattern)) }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self.init(bitPattern: UInt64(truncatingIfNeeded: try packed.next(Int.self)))
    }
}

extension Date: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(timeIntervalSinceReferenceDate) }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self.init(timeIntervalSinceReferenceDate: try packed.next())
    }
}

extension String: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(utf8.count)
        packed.bytes += utf8
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        let count = try packed.next(Int.self)
        let rest = packed.bytes[packed.position...]
        guard (0...rest.count).contains(count) else { throw PackingFault() }
        self.init(decoding: rest.prefix(count), as: UTF8.self)
        packed.position += count
    }
}

extension Optional: Packable where Wrapped: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(self != nil)
        if let self { packed.add(self) }
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self = try packed.next(Bool.self) ? try packed.next(Wrapped.self) : nil
    }
}

extension Array: Packable where Element: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(count)
        for element in self { packed.add(element) }
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self = []
        for _ in 0..<Swift.max(0, try packed.next(Int.self)) { append(try packed.next()) }
    }
}

// MARK: - Photos

extension PublishedPhoto: Packable {
    /// All that a site tells of it. The files that its service has are none of that.
    func pack(into packed: inout PackedBytes) {
        let keys = larger.keys.sorted()
        packed.add(
            entry.index, photo, detail,
            detail.flatMap { $0.photo == photo ? nil : $0.photo },
            name, thumbnail, others, pictures)
        packed.add(keys, keys.compactMap { larger[$0] }, original, address?.absoluteString)
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        let entry = IndexedPhoto(index: try packed.next(), photo: try packed.next())
        var detail = try packed.next(PhotoDetail?.self)
        let other = try packed.next(Photo?.self)
        detail?.photo = other ?? entry.photo
        self.init(
            entry: entry, detail: detail, name: try packed.next(), thumbnail: try packed.next(),
            others: try packed.next(), pictures: try packed.next(),
            larger: Dictionary(
                zip(try packed.next([Int].self), try packed.next([PublishedPicture].self))
            ) { first, _ in first },
            original: try packed.next(), address: URL(text: try packed.next()))
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

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        let place = try packed.next(String.self)
        guard let type = PictureType(rawValue: try packed.next()) else { throw PackingFault() }
        self.init(
            place: place, type: type, size: try packed.next(), orientation: try packed.next(),
            bytes: Int64(try packed.next(Int.self)), modified: try packed.next())
    }
}

extension PixelSize: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(width, height) }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        let (width, height) = (try packed.next(Int.self), try packed.next(Int.self))
        guard let size = PixelSize(width: width, height: height) else { throw PackingFault() }
        self = size
    }
}

extension Author: Packable {
    func pack(into packed: inout PackedBytes) { packed.add(id, name, username) }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self.init(id: try packed.next(), name: try packed.next(), username: try packed.next())
    }
}

extension Photo: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(
            id.service, id.value, title, author, page?.absoluteString, size, likes, views, rating, stars,
            published, taken, tags, category, license)
        packed.add(
            licenseURL?.absoluteString, attribution, description, isAdult, pageCount, isTakenInLocalTime,
            takenOffset)
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self.init(
            id: PhotoID(service: try packed.next(), value: try packed.next()), title: try packed.next(),
            author: try packed.next(), page: URL(text: try packed.next()), size: try packed.next(),
            likes: try packed.next(), views: try packed.next(), rating: try packed.next(),
            stars: try packed.next(), published: try packed.next(), taken: try packed.next(),
            tags: try packed.next(), category: try packed.next(), license: try packed.next(),
            licenseURL: URL(text: try packed.next()), attribution: try packed.next(),
            description: try packed.next(), isAdult: try packed.next(), pageCount: try packed.next(),
            isTakenInLocalTime: try packed.next())
        takenOffset = try packed.next()
    }
}

/// Details without the photo that they are of, and without its files.
extension PhotoDetail: Packable {
    func pack(into packed: inout PackedBytes) {
        packed.add(
            camera, lens, focalLength, iso, shutterSpeed, aperture, colorProfile, latitude, longitude,
            comments)
    }

    init(unpacking packed: inout PackedBytes) throws(PackingFault) {
        self.init(photo: Photo(id: .none, title: ""))
        (camera, lens, focalLength) = (try packed.next(), try packed.next(), try packed.next())
        (iso, shutterSpeed) = (try packed.next(), try packed.next())
        (aperture, colorProfile) = (try packed.next(), try packed.next())
        (latitude, longitude) = (try packed.next(), try packed.next())
        comments = try packed.next()
    }
}

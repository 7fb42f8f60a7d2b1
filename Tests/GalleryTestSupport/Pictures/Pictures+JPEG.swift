import Foundation

extension Pictures {
    /// A gray JPEG of at most 65535 pixels per side.
    public static func jpeg(width: Int, height: Int) -> Data {
        jpegHead + jpegPicture(width: width, height: height)
    }

    /// A JPEG of exactly `count` bytes, at least 400: for downloads of any length.
    ///
    /// Decoders accept it like any other; comments with random bytes fill up the
    /// length. Equal seeds give equal bytes, different seeds different ones.
    public static func jpeg(bytes count: Int, seed: UInt64 = 0, width: Int = 16, height: Int = 16) -> Data {
        let picture = jpegPicture(width: width, height: height)
        let padding = count - jpegHead.count - picture.count
        precondition(padding >= 0, "A JPEG of \(width) by \(height) pixels needs more than \(count) bytes.")
        return jpegHead + comments(bytes: padding, seed: seed) + picture
    }

    private static let jpegHead = Data([0xFF, 0xD8])

    /// Everything after the start: one gray component, and a code table whose only codes
    /// are "same brightness as before" and "no detail", a zero bit each.
    private static func jpegPicture(width: Int, height: Int) -> Data {
        let size = UInt16(height).bigEndianBytes + UInt16(width).bigEndianBytes
        let oneWord = Data([1]) + Data(count: 15) + [0]
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        // Unused bits of the last byte are ones.
        let coded = Data(count: blocks / 4) + (blocks % 4 == 0 ? [] : [UInt8(0xFF >> (blocks % 4 * 2))])
        return segment(0xDB, Data([0]) + Data(repeating: 1, count: 64))
            + segment(0xC0, Data([8]) + size + [1, 1, 0x11, 0])
            + segment(0xC4, Data([0x00]) + oneWord) + segment(0xC4, Data([0x10]) + oneWord)
            + segment(0xDA, Data([1, 1, 0, 0, 63, 0])) + coded + [0xFF, 0xD9]
    }

    private static func segment(_ marker: UInt8, _ content: Data) -> Data {
        Data([0xFF, marker]) + UInt16(content.count + 2).bigEndianBytes + content
    }

    /// Comment segments with a total length of exactly `count` bytes.
    private static func comments(bytes count: Int, seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        var comments = Data(capacity: count)
        while count - comments.count >= 4 {
            let length = min(count - comments.count - 4, 65533)
            comments += segment(0xFE, randomBytes(length, from: &generator))
        }
        // A marker may be preceded by any number of FF bytes, which can fill one to three bytes.
        return comments + Data(repeating: 0xFF, count: count - comments.count)
    }

    private static func randomBytes(_ count: Int, from generator: inout SeededGenerator) -> Data {
        var bytes = Data(capacity: count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next().littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes.prefix(count)
    }
}

/// GIF: a screen, then extensions and frames, each a row of short blocks, up to a trailer.
///
/// Source: GIF89a specification, 18 to 27.
package enum GIF {
    /// What follows the screen's color table, one block after the other.
    private struct Walk {
        enum Block: Equatable {
            case frame(right: Int, bottom: Int)
            case `extension`
            /// An extension that says how long the next frame is shown, in hundredths of a second.
            case delay(Int)
            case trailer
            case damage
        }

        private var offset: Int
        private var strayBytesLeft = 4096
        private let limit: Int

        /// - Parameter limit: where to stop looking for blocks.
        init<Bytes: PictureBytes>(_ bytes: inout Bytes, limit: Int = .max) throws(Bytes.Failure) {
            offset = 13 + Self.colorBytes(try bytes.byte(at: 10))
            self.limit = limit
        }

        /// The next block; `nil` where the bytes end before its kind or within a frame's position.
        mutating func next<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> Block? {
            while offset < limit, let kind = try bytes.byte(at: offset) {
                switch kind {
                case 0x3B: return .trailer
                case 0x2C:
                    guard let left = try bytes.littleEndian(at: offset + 1, bytes: 2),
                        let top = try bytes.littleEndian(at: offset + 3, bytes: 2),
                        let width = try bytes.littleEndian(at: offset + 5, bytes: 2),
                        let height = try bytes.littleEndian(at: offset + 7, bytes: 2)
                    else { return nil }
                    offset += 11 + Self.colorBytes(try bytes.byte(at: offset + 9))
                    try skipRow(&bytes)
                    return .frame(right: left + width, bottom: top + height)
                case 0x21:
                    let delay =
                        try bytes.byte(at: offset + 1) == 0xF9
                        ? try bytes.littleEndian(at: offset + 4, bytes: 2) : nil
                    offset += 2
                    try skipRow(&bytes)
                    return delay.map { .delay($0) } ?? .extension
                case 0x00 where strayBytesLeft > 0:
                    // Some encoders end a row of blocks twice.
                    offset += 1
                    strayBytesLeft -= 1
                default: return .damage
                }
            }
            return nil
        }

        /// Goes behind a row of blocks, each with its length before it, and the empty one that ends it.
        private mutating func skipRow<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) {
            while offset < limit, let length = try bytes.byte(at: offset), length > 0 {
                offset += 1 + Int(length)
            }
            offset += 1
        }

        /// The bytes of the color table that `flags` announce.
        private static func colorBytes(_ flags: UInt8?) -> Int {
            guard let flags, flags & 0x80 != 0 else { return 0 }
            return 3 << (Int(flags & 7) + 1)
        }
    }

    /// The screen, or the first frame where that exceeds it: browsers make room for that frame.
    static func size<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        let width = try bytes.littleEndian(at: 6, bytes: 2)
        let height = try bytes.littleEndian(at: 8, bytes: 2)
        guard let width, let height else { return nil }
        var walk = try Walk(&bytes, limit: ImageHeader.bytesNeeded)
        while let block = try walk.next(&bytes), block != .trailer, block != .damage {
            if case .frame(let right, let bottom) = block {
                return PixelSize(width: max(width, right), height: max(height, bottom))
            }
        }
        return PixelSize(width: width, height: height)
    }

    /// What is missing, or `nil`.
    ///
    /// That the last byte is a trailer's would not do: one cut file in 256 ends so by chance.
    static func fault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        var (walk, hasPixels) = (try Walk(&bytes), false)
        while let block = try walk.next(&bytes) {
            switch block {
            case .frame: hasPixels = true
            case .extension, .delay: continue
            case .trailer: return hasPixels ? nil : "it has no pixels"
            case .damage: return "it is damaged between two blocks"
            }
        }
        return "its trailer is missing"
    }

    /// The smallest size that holds the screen and all frames of an open file; `nil` where it ends before
    /// its first frame. This blocks.
    ///
    /// Decoders make room for every frame: a GIF of 1×1 can cost hundreds of megabytes. Measured with
    /// chafa 1.12.
    package static func extent(descriptor: Int32, length: Int64) -> PixelSize? {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        return try? extent(&bytes)
    }

    static func extent<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        guard var width = try bytes.littleEndian(at: 6, bytes: 2),
            var height = try bytes.littleEndian(at: 8, bytes: 2)
        else { return nil }
        var (walk, hasFrames) = (try Walk(&bytes), false)
        while let block = try walk.next(&bytes), block != .trailer, block != .damage {
            guard case .frame(let right, let bottom) = block else { continue }
            (width, height, hasFrames) = (max(width, right), max(height, bottom), true)
        }
        return hasFrames ? PixelSize(width: width, height: height) : nil
    }

    /// How long each of the first `most` frames is shown, in milliseconds.
    static func delays<Bytes: PictureBytes>(
        _ bytes: inout Bytes, most: Int
    ) throws(Bytes.Failure) -> [Int] {
        var (walk, delays, next) = (try Walk(&bytes), [Int](), 0)
        while delays.count < most, let block = try walk.next(&bytes) {
            switch block {
            case .delay(let hundredths): next = hundredths * 10
            case .frame:
                delays.append(next)
                next = 0
            case .extension: continue
            case .trailer, .damage: return delays
            }
        }
        return delays
    }
}

import Basics

/// GIF: a screen, then extensions and frames, each a row of short blocks, up to a trailer.
///
/// Source: GIF89a specification, 18 to 27.
package enum GIF: FormatReader {
    /// What follows the screen's color table, one block after the other.
    private struct Walk {
        enum Block: Equatable {
            case frame(right: Int, bottom: Int)
            case `extension`
            /// An extension that says how long the next frame is shown, in hundredths of a second, and whether it has
            /// pixels that are not.
            case control(delay: Int, isTransparent: Bool)
            case trailer
            case damage
        }

        private(set) var offset: Int
        private var strayBytesLeft = 4096
        private let limit: Int

        /// - Parameter limit: where to stop looking for blocks.
        init(_ bytes: PictureBytes, limit: Int = .max) {
            offset = 13 + Self.colorBytes(bytes.byte(at: 10))
            self.limit = limit
        }

        /// The next block; `nil` where the bytes end before its kind or within a frame's position.
        mutating func next(_ bytes: PictureBytes) -> Block? {
            while offset < limit, let kind = bytes.byte(at: offset) {
                switch kind {
                case 0x3B: return .trailer
                case 0x2C:
                    guard let left = bytes.littleEndian(at: offset + 1, bytes: 2),
                        let top = bytes.littleEndian(at: offset + 3, bytes: 2),
                        let width = bytes.littleEndian(at: offset + 5, bytes: 2),
                        let height = bytes.littleEndian(at: offset + 7, bytes: 2)
                    else { return nil }
                    offset += 11 + Self.colorBytes(bytes.byte(at: offset + 9))
                    skipRow(bytes)
                    return .frame(right: left + width, bottom: top + height)
                case 0x21:
                    let isControl = bytes.byte(at: offset + 1) == 0xF9
                    let delay = isControl ? bytes.littleEndian(at: offset + 4, bytes: 2) : nil
                    let isTransparent = (bytes.byte(at: offset + 3) ?? 0) & 1 == 1
                    offset += 2
                    skipRow(bytes)
                    return delay.map { .control(delay: $0, isTransparent: isTransparent) } ?? .extension
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
        private mutating func skipRow(_ bytes: PictureBytes) {
            while offset < limit, let length = bytes.byte(at: offset), length > 0 {
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

    /// Where the first frame is looked for: room for the comments that may come before it.
    private static let headerBytes = 256 * 1024

    /// The screen, or the first frame where that exceeds it: browsers make room for that frame.
    package static func size(_ bytes: PictureBytes) -> PixelSize? {
        extent(bytes, of: 1, limit: headerBytes).size
    }

    /// The smallest size that holds the screen and all frames; `nil` where the file ends before its first
    /// frame.
    ///
    /// Decoders make room for every frame: a GIF of 1×1 can cost hundreds of megabytes. Measured with
    /// chafa 1.12.
    package static func extent(_ bytes: PictureBytes) -> PixelSize? {
        let (size, frames) = extent(bytes, of: .max, limit: .max)
        return frames > 0 && bytes.failure == nil ? size : nil
    }

    /// The smallest size that holds the screen and the first `most` frames, and how many these are.
    private static func extent(
        _ bytes: PictureBytes, of most: Int, limit: Int
    ) -> (size: PixelSize?, frames: Int) {
        guard var width = bytes.littleEndian(at: 6, bytes: 2),
            var height = bytes.littleEndian(at: 8, bytes: 2)
        else { return (nil, 0) }
        var (walk, frames) = (Walk(bytes, limit: limit), 0)
        while frames < most, let block = walk.next(bytes), block != .trailer, block != .damage {
            guard case .frame(let right, let bottom) = block else { continue }
            (width, height, frames) = (max(width, right), max(height, bottom), frames + 1)
        }
        return (PixelSize(width: width, height: height), frames)
    }

    /// That the last byte is a trailer's would not do: one cut file in 256 ends so by chance.
    package static func fault(_ bytes: PictureBytes) -> String? {
        var (walk, hasPixels) = (Walk(bytes), false)
        while let block = walk.next(bytes) {
            switch block {
            case .frame: hasPixels = true
            case .extension, .control: continue
            case .trailer: return hasPixels ? nil : "it has no pixels"
            case .damage: return "it is damaged between two blocks"
            }
        }
        return "its trailer is missing"
    }

    /// Whether the first frame has transparent pixels.
    static func hasTransparency(_ bytes: PictureBytes) -> Bool {
        var walk = Walk(bytes, limit: headerBytes)
        while let block = walk.next(bytes) {
            switch block {
            case .control(_, true): return true
            case .frame, .trailer, .damage: return false
            case .control, .extension: continue
            }
        }
        return false
    }

    /// A whole GIF without comments and metadata, and without what follows its end.
    static func cleaned(_ gif: [UInt8]) -> [UInt8] {
        let bytes = PictureBytes(gif)
        var walk = Walk(bytes)
        var cleaned = Array(gif.prefix(walk.offset))
        var start = walk.offset
        while let block = walk.next(bytes) {
            if block == .trailer { return cleaned + [0x3B] }
            guard block != .damage else { break }
            let range = start..<min(walk.offset, gif.count)
            start = range.upperBound
            // How often it repeats, and its colors.
            let content = range.lowerBound + 3
            let isNeeded = bytes.matches("NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012", at: content)
            if block != .extension || isNeeded { cleaned += gif[range] }
        }
        return gif
    }

    /// The beginning of a color profile before the first frame, all that comes in one piece.
    package static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var (walk, blocks) = (Walk(bytes, limit: headerBytes), MetadataBlocks())
        var start = walk.offset
        while let block = walk.next(bytes) {
            switch block {
            case .extension where bytes.matches("ICCRGBG1012", at: start + 3):
                let content = start + 15
                blocks.profile = content..<content + Int(bytes.byte(at: content - 1) ?? 0)
                return blocks
            case .extension, .control: start = walk.offset
            case .frame, .trailer, .damage: return blocks
            }
        }
        return blocks
    }

    /// How long each of the first `most` frames is shown, in milliseconds.
    static func delays(_ bytes: PictureBytes, most: Int) -> [Int] {
        var (walk, delays, next) = (Walk(bytes), [Int](), 0)
        while delays.count < most, let block = walk.next(bytes) {
            switch block {
            case .control(let hundredths, _): next = hundredths * 10
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

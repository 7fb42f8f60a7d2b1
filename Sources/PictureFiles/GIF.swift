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
            /// Says how long the next frame is shown, in hundredths of a second, and whether pixels are transparent.
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
        static func colorBytes(_ flags: UInt8?) -> Int {
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

    /// The smallest size that holds the screen and all frames; `nil` where the file ends before a frame.
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
            let range = min(start, gif.count)..<min(walk.offset, gif.count)
            start = range.upperBound
            // Zeros may stand between blocks.
            let content = Array(gif[range].drop { $0 == 0 })
            switch block {
            case .frame: cleaned += frame(content)
            case .control: cleaned += [0x21, 0xF9, 4] + content.dropFirst(3).prefix(4) + [0]
            default: cleaned += needed(content)
            }
        }
        return cleaned + [0x3B]
    }

    /// The bytes of the short blocks that follow each other from `start` on.
    private static func row(_ block: [UInt8], from start: Int) -> [UInt8] {
        var (bytes, offset) = ([UInt8](), start)
        while offset < block.count, block[offset] > 0 {
            bytes += block[(offset + 1)..<min(block.count, offset + 1 + Int(block[offset]))]
            offset += 1 + Int(block[offset])
        }
        return bytes
    }

    /// Bytes as short blocks, with the empty one that ends them.
    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let block = bytes[start..<min(bytes.count, start + 255)]
            blocks += [UInt8(block.count)] + block
        }
        return blocks + [0]
    }

    /// What of an extension is needed: how often the pictures repeat, and their colors.
    private static func needed(_ block: [UInt8]) -> [UInt8] {
        let (bytes, content) = (PictureBytes(block), row(block, from: 14))
        if bytes.matches("NETSCAPE2.0", "ANIMEXTS1.0", at: 3), content.count >= 3, content[0] & 7 == 1 {
            return block.prefix(14) + blocks(Array(content.prefix(3)))
        }
        let isProfile = bytes.matches("ICCRGBG1012", at: 3)
        return isProfile ? ColorProfile.cleaned(content).map { block.prefix(14) + blocks($0) } ?? [] : []
    }

    /// A frame without what follows the code that ends its pixels.
    ///
    /// Source: GIF89a specification, appendix F.
    private static func frame(_ block: [UInt8]) -> [UInt8] {
        let head = 11 + Walk.colorBytes(block.count > 9 ? block[9] : nil)
        guard head < block.count, case let least = Int(block[head - 1]), (1...11).contains(least) else {
            return block
        }
        let row = row(block, from: head)
        // A code is read once the bits of its bytes are there.
        var (width, next, bits, count, isFirst) = (least + 1, (1 << least) + 2, 0, 0, true)
        for (place, byte) in row.enumerated() {
            bits |= Int(byte) << count
            count += 8
            while count >= width {
                let code = bits & (1 << width - 1)
                (bits, count) = (bits >> width, count - width)
                if code == (1 << least) + 1 {
                    return place + 1 == row.count
                        ? block : block.prefix(head) + blocks(Array(row.prefix(place + 1)))
                } else if code == 1 << least {
                    (width, next, isFirst) = (least + 1, (1 << least) + 2, true)
                } else if isFirst {
                    isFirst = false
                } else if next < 4096 {
                    next += 1
                    if next == 1 << width, width < 12 { width += 1 }
                }
            }
        }
        return block
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

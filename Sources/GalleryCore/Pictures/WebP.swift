/// WebP: a RIFF file of chunks, each a name of four letters, a length, and content.
///
/// Source: RFC 9649, 2.3 to 2.7 and 3.4; RFC 6386, 9.1.
enum WebP: PictureReader {
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        if bytes.matches("VP8X", at: 12) {
            let width = bytes.littleEndian(at: 24, bytes: 3)
            let height = bytes.littleEndian(at: 27, bytes: 3)
            return PixelSize(width: width.map { $0 + 1 }, height: height.map { $0 + 1 })
        }
        if bytes.matches("VP8L", at: 12), bytes.byte(at: 20) == 0x2F {
            let bits = bytes.littleEndian(at: 21, bytes: 4)
            return PixelSize(
                width: bits.map { $0 & 0x3FFF + 1 }, height: bits.map { $0 >> 14 & 0x3FFF + 1 })
        }
        if bytes.matches("VP8 ", at: 12), bytes.bigEndian(at: 23, bytes: 3) == 0x9D_012A {
            // The two highest bits ask for enlargement, which no decoder does.
            let width = bytes.littleEndian(at: 26, bytes: 2)
            let height = bytes.littleEndian(at: 28, bytes: 2)
            return PixelSize(width: width.map { $0 & 0x3FFF }, height: height.map { $0 & 0x3FFF })
        }
        return nil
    }

    /// The chunks within the RIFF length; at most a hundred thousand, so that the work is bounded.
    private struct Walk {
        private var offset = 12
        private var chunksLeft = 100_000
        let end: Int

        init(_ bytes: PictureBytes) {
            end = 8 + (bytes.littleEndian(at: 4, bytes: 4) ?? 0)
        }

        /// The next chunk's name and content, which may end past the RIFF length.
        mutating func next(_ bytes: PictureBytes) -> (name: Int, content: Range<Int>)? {
            guard offset < end, chunksLeft > 0, let name = bytes.bigEndian(at: offset, bytes: 4),
                let length = bytes.littleEndian(at: offset + 4, bytes: 4)
            else { return nil }
            chunksLeft -= 1
            let content = offset + 8..<offset + 8 + length
            // Chunks begin at even offsets.
            offset = content.upperBound + length % 2
            return (name, content)
        }
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        var walk = Walk(bytes)
        guard walk.end <= bytes.count else { return "it has \(bytes.count) of \(walk.end) bytes" }
        let pixels = [ISOMedia.name("VP8 "), ISOMedia.name("VP8L"), ISOMedia.name("ANMF")]
        var hasPixels = false
        while let chunk = walk.next(bytes) {
            guard chunk.content.upperBound <= walk.end else { return "it ends within a chunk" }
            if pixels.contains(chunk.name) { hasPixels = true }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    /// How long each of the first `most` frames is shown, in milliseconds.
    static func delays(_ bytes: PictureBytes, most: Int) -> [Int] {
        var (walk, delays) = (Walk(bytes), [Int]())
        while delays.count < most, let chunk = walk.next(bytes) {
            guard chunk.name == ISOMedia.name("ANMF") else { continue }
            delays.append(bytes.littleEndian(at: chunk.content.lowerBound + 12, bytes: 3) ?? 0)
        }
        return delays
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var walk = Walk(bytes)
        var blocks = MetadataBlocks()
        while let chunk = walk.next(bytes) {
            let content = chunk.content.clamped(to: 0..<bytes.count)
            if chunk.name == ISOMedia.name("EXIF"), blocks.exif == nil {
                // Some writers keep the mark that a JPEG needs.
                let isMarked = bytes.matches("Exif\0\0", at: content.lowerBound)
                blocks.exif = isMarked ? content.dropFirst(6) : content
            } else if chunk.name == ISOMedia.name("XMP "), blocks.xmp == nil {
                blocks.xmp = content
            }
        }
        return blocks
    }
}

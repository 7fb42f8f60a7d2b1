/// PNG: a signature, then chunks, each a length, a name of four letters, content, and a checksum.
///
/// Source: W3C PNG, third edition, 5.3, 5.6, 11.2 and 11.3.
enum PNG: PictureReader {
    /// A chunk's name and content.
    private struct Chunk {
        let name: Int
        let content: Range<Int>
    }

    /// The chunks from the first on; at most 250,000, so that the work is bounded.
    private struct Walk {
        var offset = 8
        private var chunksLeft = 250_000
        private(set) var isDamaged = false

        /// The next chunk, which may end past the file; `nil` at the end.
        mutating func next(_ bytes: PictureBytes) -> Chunk? {
            guard let length = bytes.bigEndian(at: offset, bytes: 4),
                let name = bytes.bigEndian(at: offset + 4, bytes: 4)
            else { return nil }
            chunksLeft -= 1
            // A name is four letters: through zeros there is no going on.
            isDamaged = chunksLeft < 0 || !Self.isName(name)
            if isDamaged { return nil }
            let content = offset + 8..<offset + 8 + length
            offset = content.upperBound + 4
            return Chunk(name: name, content: content)
        }

        private static func isName(_ name: Int) -> Bool {
            [24, 16, 8, 0].allSatisfy { shift in
                let letter = UInt8(truncatingIfNeeded: name >> shift) | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            }
        }
    }

    static func size(_ bytes: PictureBytes) -> PixelSize? {
        guard bytes.matches("IHDR", at: 12),
            let size = PixelSize(
                width: bytes.bigEndian(at: 16, bytes: 4), height: bytes.bigEndian(at: 20, bytes: 4))
        else { return nil }
        var walk = Walk()
        // Browsers heed an orientation that comes before the pixels.
        while let chunk = walk.next(bytes), chunk.name != ISOMedia.name("IDAT") {
            if chunk.name == ISOMedia.name("eXIf") {
                return size.upright(TIFF.orientation(bytes, in: chunk.content))
            }
        }
        return size
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        var (walk, hasPixels) = (Walk(), false)
        while let chunk = walk.next(bytes) {
            guard walk.offset <= bytes.count else { return "it ends within a chunk" }
            if chunk.name == ISOMedia.name("IDAT") { hasPixels = true }
            if chunk.name == ISOMedia.name("IEND") { return hasPixels ? nil : "it has no pixels" }
        }
        return walk.isDamaged ? "it is damaged between two chunks" : "its last chunk, IEND, is missing"
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var walk = Walk()
        var blocks = MetadataBlocks()
        while let chunk = walk.next(bytes), chunk.name != ISOMedia.name("IEND") {
            let content = chunk.content.clamped(to: 0..<bytes.count)
            if chunk.name == ISOMedia.name("eXIf"), blocks.exif == nil { blocks.exif = content }
            // The keyword, not compressed, without language and translation.
            if chunk.name == ISOMedia.name("iTXt"), blocks.xmp == nil,
                bytes.matches("XML:com.adobe.xmp\0\0\0\0\0", at: content.lowerBound)
            {
                blocks.xmp = content.dropFirst(22)
            }
        }
        return blocks
    }
}

import Basics

/// WebP: a RIFF file of chunks, each a name of four letters, a length, and content.
///
/// Source: RFC 9649, 2.3 to 2.7 and 3.4; RFC 6386, 9.1.
enum WebP: FormatReader {
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        if bytes.matches("VP8X", at: 12) {
            let width = bytes.littleEndian(at: 24, bytes: 3)
            let height = bytes.littleEndian(at: 27, bytes: 3)
            return PixelSize(width: width.map { $0 + 1 }, height: height.map { $0 + 1 })
        }
        if bytes.matches("VP8L", at: 12), bytes.byte(at: 20) == 0x2F {
            let bits = bytes.littleEndian(at: 21, bytes: 4)
            return PixelSize(width: bits.map { $0 & 0x3FFF + 1 }, height: bits.map { $0 >> 14 & 0x3FFF + 1 })
        }
        if bytes.matches("VP8 ", at: 12), bytes.bigEndian(at: 23, bytes: 3) == 0x9D_012A {
            // The two highest bits ask for enlargement, which no decoder does.
            let width = bytes.littleEndian(at: 26, bytes: 2)
            let height = bytes.littleEndian(at: 28, bytes: 2)
            return PixelSize(width: width.map { $0 & 0x3FFF }, height: height.map { $0 & 0x3FFF })
        }
        return nil
    }

    private static func end(_ bytes: PictureBytes) -> Int { 8 + (bytes.littleEndian(at: 4, bytes: 4) ?? 0) }

    /// The chunks within the RIFF length, the last of which may end past it; at most a hundred thousand, so that the
    /// work is bounded.
    private static func chunks(_ bytes: PictureBytes) -> some Sequence<ISOMedia.Box> {
        chunks(bytes, in: 12..<max(12, end(bytes)))
    }

    private static func chunks(_ bytes: PictureBytes, in range: Range<Int>) -> some Sequence<ISOMedia.Box> {
        sequence(state: range.lowerBound) { offset -> ISOMedia.Box? in
            guard offset < range.upperBound, let name = bytes.bigEndian(at: offset, bytes: 4),
                let length = bytes.littleEndian(at: offset + 4, bytes: 4)
            else { return nil }
            let content = offset + 8..<offset + 8 + length
            // Chunks begin at even offsets.
            offset = content.upperBound + length % 2
            return ISOMedia.Box(name: name, content: content)
        }
        .prefix(100_000)
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        let end = end(bytes)
        guard end <= bytes.count else { return "it has \(bytes.count) of \(end) bytes" }
        let pixels = [ISOMedia.name("VP8 "), ISOMedia.name("VP8L"), ISOMedia.name("ANMF")]
        var hasPixels = false
        for chunk in chunks(bytes) {
            guard chunk.content.upperBound <= end else { return "it ends within a chunk" }
            if pixels.contains(chunk.name) { hasPixels = true }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    static func hasTransparency(_ bytes: PictureBytes) -> Bool {
        let isExtended = bytes.matches("VP8X", at: 12)
        return isExtended && (bytes.byte(at: 20) ?? 0) & 0x10 != 0
            || bytes.matches("VP8L", at: 12) && (bytes.byte(at: 24) ?? 0) & 0x10 != 0
    }

    /// A whole WebP without its metadata but for a color profile, and without what follows its end; with the EXIF
    /// block `exif` and the packet `xmp` if there are any.
    static func cleaned(_ webp: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]? = nil) -> [UInt8] {
        let bytes = PictureBytes(webp)
        var body: [UInt8] = []
        for chunk in chunks(bytes) {
            switch chunk.name {
            case ISOMedia.name("ANMF"): body += frame(webp, chunk.content, bytes)
            case ISOMedia.name("VP8X"), ISOMedia.name("ICCP"), ISOMedia.name("ANIM"), ISOMedia.name("ALPH"),
                ISOMedia.name("VP8 "), ISOMedia.name("VP8L"):
                body += copied(chunk, of: webp, before: webp.count)
            default: break
            }
        }
        guard let size = size(bytes), body.count > 8 else { return webp }
        let added = [("EXIF", 0x08 as UInt8, exif), ("XMP ", 0x04, xmp)]
        if bytes.matches("VP8X", at: 12) {
            // The extended header's flags for both.
            body[8] &= ~0x0C
        } else if added.contains(where: { $0.2 != nil }) {
            let flags: UInt8 = hasTransparency(bytes) ? 0x10 : 0
            body =
                Array("VP8X".utf8) + number(10, 4) + [flags, 0, 0, 0] + number(size.width - 1, 3)
                + number(size.height - 1, 3) + body
        }
        for (name, flag, content) in added {
            guard let content else { continue }
            body[8] |= flag
            body += Array(name.utf8) + number(content.count, 4) + content
            if content.count % 2 != 0 { body.append(0) }
        }
        return Array("RIFF".utf8) + number(body.count + 4, 4) + Array("WEBP".utf8) + body
    }

    /// A frame of an animation with nothing but its pixels.
    private static func frame(_ webp: [UInt8], _ content: Range<Int>, _ bytes: PictureBytes) -> [UInt8] {
        // Place, size, and duration.
        let header = 16
        let end = min(webp.count, content.upperBound)
        guard content.lowerBound + header <= end else { return [] }
        let pixels = [ISOMedia.name("ALPH"), ISOMedia.name("VP8 "), ISOMedia.name("VP8L")]
        var body = Array(webp[content.lowerBound..<content.lowerBound + header])
        for chunk in chunks(bytes, in: content.lowerBound + header..<end) where pixels.contains(chunk.name) {
            body += copied(chunk, of: webp, before: end)
        }
        return Array("ANMF".utf8) + number(body.count, 4) + body
    }

    /// A chunk with what fills it up to an even length; of one that ends past `end`, what comes before.
    private static func copied(_ chunk: ISOMedia.Box, of webp: [UInt8], before end: Int) -> [UInt8] {
        let content = chunk.content.clamped(to: 0..<max(0, end))
        let name = webp[(chunk.content.lowerBound - 8)..<(chunk.content.lowerBound - 4)]
        return name + number(content.count, 4) + webp[content] + (content.count % 2 == 0 ? [] : [0])
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    /// How long each of the first `most` frames is shown, in milliseconds.
    static func delays(_ bytes: PictureBytes, most: Int) -> [Int] {
        var delays: [Int] = []
        for chunk in chunks(bytes) where chunk.name == ISOMedia.name("ANMF") && delays.count < most {
            delays.append(bytes.littleEndian(at: chunk.content.lowerBound + 12, bytes: 3) ?? 0)
        }
        return delays
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var blocks = MetadataBlocks()
        for chunk in chunks(bytes) {
            let content = chunk.content.clamped(to: 0..<bytes.count)
            if chunk.name == ISOMedia.name("EXIF"), blocks.exif == nil {
                // Some writers keep the mark that a JPEG needs.
                let isMarked = bytes.matches("Exif\0\0", at: content.lowerBound)
                blocks.exif = isMarked ? content.dropFirst(6) : content
            } else if chunk.name == ISOMedia.name("XMP "), blocks.xmp == nil {
                blocks.xmp = content
            } else if chunk.name == ISOMedia.name("ICCP"), blocks.profile == nil {
                blocks.profile = content
            }
        }
        return blocks
    }
}

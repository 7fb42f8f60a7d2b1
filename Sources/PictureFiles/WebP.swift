import Basics

/// WebP: a RIFF file of chunks, each a name of four letters, a length, and content.
///
/// Source: RFC 9649, 2.3 to 2.7 and 3.4; RFC 6386, 9.1.
package enum WebP: FormatReader {
    package static func size(_ bytes: PictureBytes) -> PixelSize? {
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

    /// The chunks within the RIFF length, the last of which may end past it; at most 100,000, to bound the work.
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
        }.prefix(100_000)
    }

    /// The name of a chunk that holds pixels.
    private static let pixels = ["VP8 ", "VP8L", "ANMF"].map { ISOMedia.name($0) }

    package static func fault(_ bytes: PictureBytes) -> String? {
        let end = end(bytes)
        guard end <= bytes.count else { return "it has \(bytes.count) of \(end) bytes" }
        var hasPixels = false
        for chunk in chunks(bytes) {
            guard chunk.content.upperBound <= end else { return "it ends within a chunk" }
            if pixels.contains(chunk.name) { hasPixels = true }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    /// Whether all chunks are whole, though the RIFF length may be wrong by a few bytes, as some encoders count.
    package static func hasWholeChunks(_ bytes: PictureBytes) -> Bool {
        let found = Array(chunks(bytes, in: 12..<max(12, bytes.count)))
        guard let last = found.last?.content.upperBound, last <= bytes.count else { return false }
        return abs(end(bytes) - last) <= 8 && found.contains { pixels.contains($0.name) }
    }

    /// Whether it has content credentials: a chunk of C2PA.
    static func hasCredentials(_ bytes: PictureBytes) -> Bool {
        chunks(bytes).contains { $0.name == ISOMedia.name("C2PA") }
    }

    static func hasTransparency(_ bytes: PictureBytes) -> Bool {
        bytes.matches("VP8X", at: 12) && (bytes.byte(at: 20) ?? 0) & 0x10 != 0
            || bytes.matches("VP8L", at: 12) && (bytes.byte(at: 24) ?? 0) & 0x10 != 0
    }

    /// A whole WebP without its metadata but for a color profile, and without what follows its end; with the EXIF
    /// block `exif` and the packet `xmp` if there are any.
    static func cleaned(_ webp: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]? = nil) -> [UInt8] {
        let bytes = PictureBytes(webp)
        var (body, known, hasProfile) = ([UInt8](), Set<Int>(), false)
        for chunk in chunks(bytes) {
            let isFirst = known.insert(chunk.name).inserted
            switch chunk.name {
            case ISOMedia.name("ANMF"): body += frame(webp, chunk.content, bytes)
            case ISOMedia.name("VP8X") where isFirst:
                body += copied(chunk, of: webp, before: chunk.content.lowerBound + 10)
            case ISOMedia.name("ANIM") where isFirst:
                body += copied(chunk, of: webp, before: chunk.content.lowerBound + 6)
            case ISOMedia.name("ICCP") where isFirst:
                let content = webp[chunk.content.clamped(to: 0..<webp.count)]
                let profile = ColorProfile.cleaned(Array(content)) ?? []
                hasProfile = !profile.isEmpty
                if hasProfile { body += self.chunk("ICCP", profile) }
            case ISOMedia.name("ALPH") where isFirst, ISOMedia.name("VP8 ") where isFirst,
                ISOMedia.name("VP8L") where isFirst:
                body += copied(chunk, of: webp, before: webp.count)
            default: break
            }
        }
        let added = [("EXIF", 0x08 as UInt8, exif), ("XMP ", 0x04, xmp)]
        if bytes.matches("VP8X", at: 12), body.count >= 18 {
            // Of the extended header's flags, those for transparency, movement, and a profile; none of EXIF and XMP.
            body[8] &= hasProfile ? 0x32 : 0x12
            body.replaceSubrange(9..<12, with: [0, 0, 0])
        } else if added.contains(where: { $0.2 != nil }), let size = size(bytes) {
            let flags: UInt8 = hasTransparency(bytes) ? 0x10 : 0
            let edges = [UInt8](little: size.width - 1, 3) + [UInt8](little: size.height - 1, 3)
            body = self.chunk("VP8X", [flags, 0, 0, 0] + edges) + body
        }
        for (name, flag, content) in added {
            guard let content, body.count >= 18 else { continue }
            body[8] |= flag
            body += chunk(name, content)
        }
        return chunk("RIFF", "WEBP".utf8 + body)
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
        return chunk("ANMF", body)
    }

    /// A chunk with what fills it up to an even length; of one that ends past `end`, what comes before.
    private static func copied(_ chunk: ISOMedia.Box, of webp: [UInt8], before end: Int) -> [UInt8] {
        let content = chunk.content.clamped(to: 0..<max(0, min(end, webp.count)))
        return self.chunk(ISOMedia.text(of: chunk.name), Array(webp[content]))
    }

    /// A chunk, filled up to an even length.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [UInt8](little: content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
    }

    /// How long each of the first `most` frames is shown, in milliseconds.
    static func delays(_ bytes: PictureBytes, most: Int) -> [Int] {
        var delays: [Int] = []
        for chunk in chunks(bytes) where chunk.name == ISOMedia.name("ANMF") && delays.count < most {
            delays.append(bytes.littleEndian(at: chunk.content.lowerBound + 12, bytes: 3) ?? 0)
        }
        return delays
    }

    package static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
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

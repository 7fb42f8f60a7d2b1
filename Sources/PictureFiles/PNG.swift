import Basics

/// PNG: a signature, then chunks, each a length, a name of four letters, content, and a checksum.
///
/// Source: W3C PNG, third edition, 5.3, 5.6, 11.2 and 11.3.
package enum PNG: FormatReader {
    /// The chunks from the first on, the last of which may end past the file; at most 250,000, so that the work is
    /// bounded. Reading cannot go on after a chunk without a valid name.
    private static func chunks(_ bytes: PictureBytes) -> some Sequence<ISOMedia.Box> {
        sequence(state: 8) { offset -> ISOMedia.Box? in
            guard let length = bytes.bigEndian(at: offset, bytes: 4),
                let name = bytes.bigEndian(at: offset + 4, bytes: 4)
            else { return nil }
            let content = offset + 8..<offset + 8 + length
            // The checksum follows.
            offset = isName(name) ? content.upperBound + 4 : bytes.count
            return ISOMedia.Box(name: name, content: content)
        }.prefix(250_000)
    }

    /// Whether a name is four letters.
    private static func isName(_ name: Int) -> Bool {
        [24, 16, 8, 0].allSatisfy { shift in
            let letter = UInt8(truncatingIfNeeded: name >> shift) | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
        }
    }

    package static func size(_ bytes: PictureBytes) -> PixelSize? {
        guard bytes.matches("IHDR", at: 12),
            let size = PixelSize(
                width: bytes.bigEndian(at: 16, bytes: 4), height: bytes.bigEndian(at: 20, bytes: 4))
        else { return nil }
        // Browsers heed an orientation that comes before the pixels.
        for chunk in chunks(bytes) {
            if chunk.name == ISOMedia.name("IDAT") { break }
            if chunk.name == ISOMedia.name("eXIf") {
                return size.upright(TIFF.orientation(bytes, in: chunk.content))
            }
        }
        return size
    }

    package static func fault(_ bytes: PictureBytes) -> String? {
        var hasPixels = false
        for chunk in chunks(bytes) {
            guard isName(chunk.name) else { return "it is damaged between two chunks" }
            guard chunk.content.upperBound + 4 <= bytes.count else { return "it ends within a chunk" }
            if chunk.name == ISOMedia.name("IDAT") { hasPixels = true }
            if chunk.name == ISOMedia.name("IEND") { return hasPixels ? nil : "it has no pixels" }
        }
        return "its last chunk, IEND, is missing"
    }

    /// Whether pixels may be transparent: by their format, or by a chunk that says which color is.
    static func hasTransparency(_ bytes: PictureBytes) -> Bool {
        [4, 6].contains(bytes.byte(at: 25))
            || chunks(bytes).prefix { $0.name != ISOMedia.name("IDAT") }.contains {
                $0.name == ISOMedia.name("tRNS")
            }
    }

    /// Whether it has content credentials: a chunk of C2PA.
    static func hasCredentials(_ bytes: PictureBytes) -> Bool {
        chunks(bytes).contains { $0.name == ISOMedia.name("caBX") }
    }

    /// The chunks that show the picture, or move it, and how long they may be: decoders pass over others.
    private static let shown: [Int: ClosedRange<Int>] = [
        ISOMedia.name("IHDR"): 13...13, ISOMedia.name("PLTE"): 3...768, ISOMedia.name("IDAT"): 0...(.max),
        ISOMedia.name("tRNS"): 1...256, ISOMedia.name("cHRM"): 32...32, ISOMedia.name("gAMA"): 4...4,
        ISOMedia.name("sBIT"): 1...4, ISOMedia.name("sRGB"): 1...1, ISOMedia.name("cICP"): 4...4,
        ISOMedia.name("mDCV"): 24...24, ISOMedia.name("cLLI"): 8...8, ISOMedia.name("bKGD"): 1...6,
        ISOMedia.name("pHYs"): 9...9, ISOMedia.name("acTL"): 8...8, ISOMedia.name("fcTL"): 26...26,
        ISOMedia.name("fdAT"): 4...(.max),
    ]

    /// A whole PNG without its metadata but for a color profile, and without what follows its end.
    package static func cleaned(_ png: [UInt8]) -> [UInt8] {
        let bytes = PictureBytes(png)
        var cleaned = Array(png.prefix(8))
        for chunk in chunks(bytes) {
            let content = chunk.content.clamped(to: 0..<png.count)
            if chunk.name == ISOMedia.name("IEND") { return cleaned + self.chunk("IEND", []) }
            if chunk.name == ISOMedia.name("iCCP") {
                cleaned +=
                    profile(bytes, content).flatMap(ColorProfile.cleaned).map { profile in
                        let name = ColorProfile.name(PictureBytes(profile), in: 0..<profile.count) ?? ""
                        return self.chunk("iCCP", Array("\(name)\0\0".utf8) + zlib(profile))
                    } ?? []
            } else if shown[chunk.name]?.contains(content.count) == true {
                cleaned += png[(content.lowerBound - 8)..<min(png.count, content.upperBound + 4)]
            }
        }
        return cleaned
    }

    /// The color profile in a chunk, whose name and kind of compression come first.
    private static func profile(_ bytes: PictureBytes, _ content: Range<Int>) -> [UInt8]? {
        let most = 8 << 20
        guard let end = bytes.offset(of: 0, from: content.lowerBound, before: content.upperBound) else {
            return nil
        }
        let stream = content.dropFirst(end + 2 - content.lowerBound)
        return Inflation.unpacked(bytes.array(stream, limit: most), limit: most)
    }

    /// A whole PNG with these chunks before its pixels.
    package static func adding(_ chunks: [(name: String, content: [UInt8])], to png: [UInt8]) -> [UInt8] {
        // The signature and the header take so many bytes in every PNG.
        png.prefix(33) + chunks.flatMap(chunk) + png.dropFirst(33)
    }

    /// A PNG of these pixels, row by row, with 3 or 4 bytes each; it is not compressed.
    ///
    /// Source: PNG, sections 9 and 11.2.2; RFC 1950 and 1951, 3.2.4.
    package static func stored(width: Int, height: Int, bytesPerPixel: Int, _ pixels: [UInt8]) -> [UInt8] {
        let row = width * bytesPerPixel
        var lines: [UInt8] = []
        lines.reserveCapacity((row + 1) * height)
        // Each row is filtered by nothing.
        for start in stride(from: 0, to: row * height, by: row) { lines += [0] + pixels[start..<start + row] }
        let head = number(UInt32(width)) + number(UInt32(height)) + [8, bytesPerPixel == 4 ? 6 : 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
            + chunk("IDAT", zlib(lines)) + chunk("IEND", [])
    }

    /// A zlib stream of bytes that are not compressed.
    private static func zlib(_ lines: [UInt8]) -> [UInt8] {
        var (stream, low, high) = ([0x78, 1] as [UInt8], 1 as UInt32, 0 as UInt32)
        for byte in lines {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        stream.reserveCapacity(lines.count + lines.count / 10_000 + 64)
        for start in stride(from: 0, to: lines.count, by: 65535) {
            let end = min(lines.count, start + 65535)
            let length = UInt16(end - start)
            stream += [
                end == lines.count ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF),
                UInt8(~length >> 8),
            ]
            stream += lines[start..<end]
        }
        return stream + number(high << 16 | low)
    }

    /// A chunk with its checksum.
    package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(UInt32(content.count)) + body + number(checksum(body))
    }

    private static func number(_ value: UInt32) -> [UInt8] { [UInt8](big: Int(value), 4) }

    /// Source: ISO 3309, as in PNG's annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            sum >> 8 ^ remainders[Int(truncatingIfNeeded: sum & 0xFF) ^ Int(byte)]
        }
    }

    private static let remainders = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    package static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var blocks = MetadataBlocks()
        for chunk in chunks(bytes) {
            if chunk.name == ISOMedia.name("IEND") { break }
            let content = chunk.content.clamped(to: 0..<bytes.count)
            if chunk.name == ISOMedia.name("eXIf"), blocks.exif == nil { blocks.exif = content }
            if chunk.name == ISOMedia.name("iCCP"), blocks.profileName == nil { blocks.profileName = content }
            // The keyword, not compressed, without language and translation.
            if chunk.name == ISOMedia.name("iTXt"), blocks.xmp == nil,
                bytes.matches("XML:com.adobe.xmp\0\0\0\0\0", at: content.lowerBound)
            {
                blocks.xmp = content.dropFirst(22)
            }
            guard let (keyword, text) = text(of: chunk.name, bytes, content) else { continue }
            switch keyword {
            case "Title": blocks.texts.title = blocks.texts.title ?? text
            case "Author": blocks.texts.artist = blocks.texts.artist ?? text
            case "Description": blocks.texts.description = blocks.texts.description ?? text
            case "Copyright": blocks.texts.copyright = blocks.texts.copyright ?? text
            default: blocks.texts.made = blocks.texts.made ?? WrittenDate(text)
            }
        }
        return blocks
    }

    /// The keywords of texts that are shown.
    private static let keywords: Set = ["Title", "Author", "Description", "Copyright", "Creation Time"]

    /// A text, unpacked, and its keyword, if that is one of ``keywords``.
    private static func text(
        of chunk: Int, _ bytes: PictureBytes, _ content: Range<Int>
    ) -> (keyword: String, text: String)? {
        let isInternational = chunk == ISOMedia.name("iTXt")
        guard isInternational || chunk == ISOMedia.name("tEXt") || chunk == ISOMedia.name("zTXt") else {
            return nil
        }
        // A keyword has at most 79 bytes, and a zero follows.
        let keyword = bytes.array(content, limit: 80).prefix { $0 != 0 }
        let name = String(decoding: keyword, as: UTF8.self)
        guard keywords.contains(name) else { return nil }
        let most = 1 << 16
        var rest = bytes.array(content.dropFirst(keyword.count + 1), limit: most)[...]
        // Whether it is compressed stands in an international text alone; how, in both that may be.
        let isPacked = isInternational ? rest.popFirst() == 1 : chunk == ISOMedia.name("zTXt")
        if isPacked || isInternational { rest = rest.dropFirst() }
        // Then a language, and the keyword in that, each with its zero.
        for _ in 0..<(isInternational ? 2 : 0) { rest = rest.drop { $0 != 0 }.dropFirst() }
        let text = isPacked ? Inflation.unpacked(rest, limit: most) ?? [] : Array(rest)
        return PictureMetadata.text(text).map { (name, $0) }
    }
}

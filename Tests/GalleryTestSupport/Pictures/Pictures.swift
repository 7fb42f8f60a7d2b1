import Foundation

/// Small valid pictures of any size in pixels, built by hand; every decoder accepts them. Each has one color.
///
/// JPEG, which also comes in exact byte lengths, has its own file.
public enum Pictures {
    /// A gray PNG.
    public static func png(width: Int, height: Int) -> Data {
        let header = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [8, 0, 0, 0, 0]
        // A row is its filter byte (none) and a byte per pixel.
        let lines = Data(count: (width + 1) * height)
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + pngChunk("IHDR", header) + pngChunk("IDAT", Checksums.zlib(lines)) + pngChunk("IEND", Data())
    }

    private static func pngChunk(_ name: String, _ content: Data) -> Data {
        let named = Data(name.utf8) + content
        return UInt32(content.count).bigEndianBytes + named + Checksums.crc32(named).bigEndianBytes
    }

    /// A black GIF.
    public static func gif(width: Int, height: Int) -> Data {
        let size = UInt16(width).littleEndianBytes + UInt16(height).littleEndianBytes
        let colours = Data(count: 128 * 3)
        var file = Data("GIF89a".utf8) + size + [0xF6, 0, 0] + colours
        file += Data([0x2C, 0, 0, 0, 0]) + size + [0, 7]
        // LZW that never grows its table: with 8-bit codes, a "clear" (128) before
        // the table would need a ninth bit, and 129 at the end.
        var codes = Data()
        for pixel in 0..<width * height {
            if pixel % 100 == 0 { codes.append(128) }
            codes.append(0)
        }
        codes.append(129)
        for start in stride(from: 0, to: codes.count, by: 255) {
            let block = codes[start..<min(start + 255, codes.count)]
            file += [UInt8(block.count)] + block
        }
        return file + [0, 0x3B]
    }

    /// A black GIF with a frame for each delay, in hundredths of a second.
    public static func animatedGIF(width: Int, height: Int, delays: [Int]) -> Data {
        let still = gif(width: width, height: height)
        let (screen, frame) = (still.prefix(13 + 128 * 3), still.dropFirst(13 + 128 * 3).dropLast())
        let frames = delays.map { delay in
            Data([0x21, 0xF9, 4, 0]) + UInt16(delay).littleEndianBytes + [0, 0] + frame
        }
        return screen + frames.reduce(Data(), +) + [0x3B]
    }

    /// A transparent lossless WebP with a frame for each delay, in milliseconds.
    public static func animatedWebP(width: Int, height: Int, delays: [Int]) -> Data {
        func three(_ number: Int) -> Data { UInt32(number).littleEndianBytes.prefix(3) }
        func chunk(_ name: String, _ content: Data) -> Data {
            Data(name.utf8) + UInt32(content.count).littleEndianBytes + content
        }
        let size = three(width - 1) + three(height - 1)
        let frames = delays.map { delay in
            chunk(
                "ANMF",
                Data(count: 6) + size + three(delay) + [0] + webp(width: width, height: height).dropFirst(12))
        }
        let chunks = [chunk("VP8X", Data([2, 0, 0, 0]) + size), chunk("ANIM", Data(count: 6))] + frames
        let content = Data("WEBP".utf8) + chunks.reduce(Data(), +)
        return Data("RIFF".utf8) + UInt32(content.count).littleEndianBytes + content
    }

    /// A transparent lossless WebP of at most 16384 pixels per side.
    public static func webp(width: Int, height: Int) -> Data {
        // VP8L packs from the lowest bit. Five prefix codes of one symbol each
        // follow the flags, so that a pixel takes no bits at all.
        var bits = UInt64(0x2F) | UInt64(width - 1) << 8 | UInt64(height - 1) << 22 | 1 << 36
        for code in 0..<5 { bits |= 1 << UInt64(43 + 4 * code) }
        return riff(chunk: "VP8L", bits.littleEndianBytes)
    }

    private static func riff(chunk name: String, _ content: Data) -> Data {
        let chunk = Data(name.utf8) + UInt32(content.count).littleEndianBytes + content
        return Data("RIFF".utf8) + UInt32(chunk.count + 4).littleEndianBytes + Data("WEBP".utf8) + chunk
    }

    /// An AVIF that gives its size where header readers look for it, but contains no coded picture.
    public static func avif(width: Int, height: Int) -> Data {
        let size = box("ispe", Data(count: 4) + UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes)
        let owners = box("ipma", Data(count: 4) + [0, 0, 0, 1, 0, 1, 1, 0x81])
        let kind = box("hdlr", Data(count: 8) + Data("pict".utf8) + Data(count: 13))
        let primary = box("pitm", Data(count: 4) + [0, 1])
        let properties = box("iprp", box("ipco", size) + owners)
        func head(pixelsAt offset: Int) -> Data {
            // Item 1, in this file, with one extent of 16 bytes.
            let extent = UInt32(offset).bigEndianBytes + [0, 0, 0, 16]
            let location = box("iloc", Data(count: 4) + [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1] + extent)
            return box("ftyp", Data("avif".utf8) + Data(count: 4) + Data("avifmif1miaf".utf8))
                + box("meta", Data(count: 4) + kind + primary + location + properties)
        }
        return head(pixelsAt: head(pixelsAt: 0).count + 8) + box("mdat", Data(count: 16))
    }

    private static func box(_ name: String, _ content: Data) -> Data {
        UInt32(content.count + 8).bigEndianBytes + Data(name.utf8) + content
    }
}

// The formats that are walked from one length to the next.

extension PictureFile {
    /// What is missing of a PNG, or `nil`.
    ///
    /// Source: W3C PNG, third edition, 5.3 and 5.6.
    static func pngFault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        var (place, hasPixels) = (8, false)
        while let length = try bytes.bigEndian(at: place, bytes: 4) {
            // A checksum follows what is in the chunk.
            let end = place + 12 + length
            guard end <= bytes.count else { return "it ends within a chunk" }
            if try bytes.matches("IDAT", at: place + 4) { hasPixels = true }
            if try bytes.matches("IEND", at: place + 4) { return hasPixels ? nil : "it has no pixels" }
            place = end
        }
        return "its last chunk, IEND, is missing"
    }

    /// What is missing of a GIF, or `nil`.
    ///
    /// That the last byte is a trailer's would not do: one torso of 256 ends so by chance.
    ///
    /// Source: GIF89a specification, 18 to 27.
    static func gifFault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        var (place, hasPixels) = (13 + colors(try bytes.byte(at: 10)), false)
        while let kind = try bytes.byte(at: place) {
            switch kind {
            case 0x3B:
                return hasPixels ? nil : "it has no pixels"
            case 0x2C:
                hasPixels = true
                place += 11 + colors(try bytes.byte(at: place + 9))
            case 0x21:
                place += 2
            case 0x00:
                // Some encoders end a row of blocks twice.
                place += 1
                continue
            default:
                return "it is damaged between two blocks"
            }
            while let length = try bytes.byte(at: place), length > 0 { place += 1 + Int(length) }
            // The empty block that ends a row of them.
            place += 1
        }
        return "its trailer is missing"
    }

    /// The bytes of the colour table that `flags` announce.
    private static func colors(_ flags: UInt8?) -> Int {
        guard let flags, flags & 0x80 != 0 else { return 0 }
        return 3 << (Int(flags & 7) + 1)
    }

    /// What is missing of a WebP, or `nil`.
    ///
    /// Source: RFC 9649, 2.3 to 2.7.
    static func webpFault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        let end = 8 + (try bytes.littleEndian(at: 4, bytes: 4) ?? 0)
        guard end <= bytes.count else { return "it has \(bytes.count) of \(end) bytes" }
        var (place, hasPixels) = (12, false)
        while place < end, let length = try bytes.littleEndian(at: place + 4, bytes: 4) {
            guard place + 8 + length <= end else { return "it ends within a chunk" }
            if try bytes.matches("VP8 ", "VP8L", "ANMF", at: place) { hasPixels = true }
            // Chunks begin at even places.
            place += 8 + length + length % 2
        }
        return hasPixels ? nil : "it has no pixels"
    }

    /// What is missing of an AVIF, or `nil`.
    ///
    /// Source: ISO/IEC 14496-12, 4.2 and 8.11.11.
    static func avifFault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        var (place, hasItems, hasPixels) = (0, false, false)
        while place < bytes.count {
            guard let box = try AVIFBox.at(place, before: bytes.count, in: &bytes) else {
                return "it ends within a box"
            }
            switch box.name {
            case AVIFBox.name("meta"):
                hasItems = true
                // Small pictures keep their pixels here, behind version and flags.
                let inner = box.content.dropFirst(4)
                if try AVIFBox.first("idat", within: inner, in: &bytes) != nil { hasPixels = true }
            case AVIFBox.name("moov"): hasItems = true
            case AVIFBox.name("mdat"): hasPixels = true
            default: break
            }
            place = box.content.upperBound
        }
        return hasItems && hasPixels ? nil : "it has no pixels"
    }
}

import Basics

/// JPEG XL: a bare codestream, or one in the boxes of a container.
///
/// Source: ISO/IEC 18181-1, annex D; ISO/IEC 18181-2.
enum JPEGXL: FormatReader {
    private static func isContainer(_ bytes: PictureBytes) -> Bool { bytes.matches("JXL ", at: 4) }

    static func size(_ bytes: PictureBytes) -> PixelSize? {
        var start = 0
        if isContainer(bytes) {
            // The box itself may be longer than what there is of the file.
            guard let offset = codestream(bytes) else { return nil }
            start = offset
        }
        guard bytes.bigEndian(at: start, bytes: 2) == 0xFF0A else { return nil }
        var bits = Bits(position: (start + 2) * 8)
        return size(&bits, bytes)
    }

    private static func codestream(_ bytes: PictureBytes) -> Int? {
        var offset = 0
        for _ in 0..<1000 {
            let isLong = bytes.bigEndian(at: offset, bytes: 4) == 1
            if bytes.matches("jxlc", at: offset + 4) { return offset + (isLong ? 16 : 8) }
            // Its part's number precedes it.
            if bytes.matches("jxlp", at: offset + 4) { return offset + (isLong ? 20 : 12) }
            guard let box = ISOMedia.box(at: offset, before: bytes.count, in: bytes) else { return nil }
            offset = box.content.upperBound
        }
        return nil
    }

    /// Size, then the first fields of the image's metadata, up to its orientation.
    private static func size(_ bits: inout Bits, _ bytes: PictureBytes) -> PixelSize? {
        guard let isSmall = bits.next(1, bytes) else { return nil }
        func side() -> Int? {
            isSmall == 1 ? bits.next(5, bytes).map { ($0 + 1) * 8 } : dimension(&bits, bytes)
        }
        guard let height = side(), let ratio = bits.next(3, bytes) else { return nil }
        let width: Int?
        if ratio == 0 {
            width = side()
        } else {
            let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
            width = height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        }
        guard let size = PixelSize(width: width, height: height) else { return nil }
        // All default; extra fields; then the orientation less one.
        guard bits.next(1, bytes) == 0, bits.next(1, bytes) == 1 else { return size }
        return size.upright(bits.next(3, bytes).map { $0 + 1 })
    }

    private static func dimension(_ bits: inout Bits, _ bytes: PictureBytes) -> Int? {
        guard let selector = bits.next(2, bytes) else { return nil }
        return bits.next([9, 13, 18, 30][selector], bytes).map { $0 + 1 }
    }

    /// Bits from the least significant of each byte on.
    private struct Bits {
        var position: Int

        mutating func next(_ count: Int, _ bytes: PictureBytes) -> Int? {
            var number = 0
            for index in 0..<count {
                guard let byte = bytes.byte(at: position / 8) else { return nil }
                number |= Int(byte >> UInt8(position % 8) & 1) << index
                position += 1
            }
            return number
        }
    }

    /// A bare codestream has no end that shows without decoding it.
    static func fault(_ bytes: PictureBytes) -> String? {
        guard isContainer(bytes) else { return size(bytes) == nil ? "it ends within its header" : nil }
        let boxes = ISOMedia.boxes(in: 0..<bytes.count, bytes)
        if boxes["jxlc"] != nil { return nil }
        // The highest bit of a part's number marks the last one.
        for box in boxes where box.name == ISOMedia.name("jxlp") {
            if let first = bytes.byte(at: box.content.lowerBound), first & 0x80 != 0 { return nil }
        }
        return "it ends within its codestream"
    }

    /// A whole JPEG XL without its metadata, what a JPEG said that it was made of, and what follows its end; with the
    /// EXIF block `exif` and the packet `xmp` if there are any. A bare codestream has room for none of these.
    static func cleaned(_ jxl: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]? = nil) -> [UInt8] {
        let bytes = PictureBytes(jxl)
        guard isContainer(bytes) else { return jxl }
        // EXIF begins so many bytes after these four.
        let added =
            (exif.map { ISOMedia.box("Exif", [0, 0, 0, 0] + $0) } ?? [])
            + (xmp.map { ISOMedia.box("xml ", $0) } ?? [])
        let start =
            ISOMedia.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
            + ISOMedia.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        var (pixels, level, offset, isOver) = ([UInt8](), [UInt8](), 0, false)
        for part in ISOMedia.boxes(in: 0..<bytes.count, bytes) where !isOver {
            let whole = jxl[offset..<part.content.upperBound]
            offset = part.content.upperBound
            switch part.name {
            case ISOMedia.name("jxll"): level = ISOMedia.box("jxll", Array(jxl[part.content.prefix(1)]))
            case ISOMedia.name("jxlc") where pixels.isEmpty:
                pixels += whole
                isOver = true
            case ISOMedia.name("jxlp"):
                pixels += whole
                // The highest bit of a part's number marks the last one.
                isOver = (bytes.byte(at: part.content.lowerBound) ?? 0) & 0x80 != 0
            default: break
            }
        }
        return start + level + added + pixels
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var blocks = MetadataBlocks()
        guard isContainer(bytes) else { return blocks }
        let boxes = ISOMedia.boxes(in: 0..<bytes.count, bytes)
        blocks.exif = boxes["Exif"].map { ISOMedia.exif(in: $0, bytes) }
        blocks.xmp = boxes["xml "]
        return blocks
    }
}

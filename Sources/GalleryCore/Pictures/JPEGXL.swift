/// JPEG XL: a bare codestream, or one in the boxes of a container.
///
/// Source: ISO/IEC 18181-1, annex D; ISO/IEC 18181-2.
enum JPEGXL {
    private static func isContainer<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> Bool {
        try bytes.matches("JXL ", at: 4)
    }

    static func size<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        var start = 0
        if try isContainer(&bytes) {
            // The box itself may be longer than what there is of the file.
            guard let offset = try codestream(&bytes) else { return nil }
            start = offset
        }
        guard try bytes.bigEndian(at: start, bytes: 2) == 0xFF0A else { return nil }
        var bits = Bits(at: start + 2)
        return try size(&bits, &bytes)
    }

    /// Where the codestream of a container begins.
    private static func codestream<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> Int? {
        var offset = 0
        for _ in 0..<1000 {
            let isLong = try bytes.bigEndian(at: offset, bytes: 4) == 1
            if try bytes.matches("jxlc", at: offset + 4) { return offset + (isLong ? 16 : 8) }
            // Its part's number precedes it.
            if try bytes.matches("jxlp", at: offset + 4) { return offset + (isLong ? 20 : 12) }
            guard let box = try ISOMedia.box(at: offset, before: bytes.count, in: &bytes) else { return nil }
            offset = box.content.upperBound
        }
        return nil
    }

    /// Size, then the first fields of the image's metadata, up to its orientation.
    private static func size<Bytes: PictureBytes>(
        _ bits: inout Bits, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        guard let isSmall = try bits.next(1, &bytes) else { return nil }
        let height =
            isSmall == 1 ? try bits.next(5, &bytes).map { ($0 + 1) * 8 } : try dimension(&bits, &bytes)
        guard let height, let ratio = try bits.next(3, &bytes) else { return nil }
        let width: Int?
        if ratio == 0 {
            width =
                isSmall == 1 ? try bits.next(5, &bytes).map { ($0 + 1) * 8 } : try dimension(&bits, &bytes)
        } else {
            let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
            width = height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        }
        guard let size = PixelSize(width: width, height: height) else { return nil }
        // All default; extra fields; then the orientation less one.
        guard try bits.next(1, &bytes) == 0, try bits.next(1, &bytes) == 1 else { return size }
        return size.upright(try bits.next(3, &bytes).map { $0 + 1 })
    }

    private static func dimension<Bytes: PictureBytes>(
        _ bits: inout Bits, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        guard let selector = try bits.next(2, &bytes) else { return nil }
        return try bits.next([9, 13, 18, 30][selector], &bytes).map { $0 + 1 }
    }

    /// Bits from the least significant of each byte on.
    private struct Bits {
        private var position: Int

        init(at offset: Int) {
            position = offset * 8
        }

        mutating func next<Bytes: PictureBytes>(
            _ count: Int, _ bytes: inout Bytes
        ) throws(Bytes.Failure) -> Int? {
            var number = 0
            for index in 0..<count {
                guard let byte = try bytes.byte(at: position / 8) else { return nil }
                number |= Int(byte >> UInt8(position % 8) & 1) << index
                position += 1
            }
            return number
        }
    }

    /// What is missing, or `nil`. A bare codestream has no end that shows without decoding it.
    static func fault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        guard try isContainer(&bytes) else {
            return try size(&bytes) == nil ? "it ends within its header" : nil
        }
        let boxes = try ISOMedia.boxes(in: 0..<bytes.count, &bytes)
        if boxes.contains(where: { $0.name == ISOMedia.name("jxlc") }) { return nil }
        // The highest bit of a part's number marks the last one.
        for box in boxes where box.name == ISOMedia.name("jxlp") {
            if let first = try bytes.byte(at: box.content.lowerBound), first & 0x80 != 0 { return nil }
        }
        return "it ends within its codestream"
    }

    static func metadata<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> MetadataBlocks {
        var blocks = MetadataBlocks()
        guard try isContainer(&bytes) else { return blocks }
        for box in try ISOMedia.boxes(in: 0..<bytes.count, &bytes) {
            if box.name == ISOMedia.name("Exif"), blocks.exif == nil {
                // The directory's offset within the box comes first.
                let skipped = try bytes.bigEndian(at: box.content.lowerBound, bytes: 4) ?? 0
                blocks.exif = box.content.dropFirst(4).dropFirst(skipped)
            } else if box.name == ISOMedia.name("xml "), blocks.xmp == nil {
                blocks.xmp = box.content
            }
        }
        return blocks
    }
}

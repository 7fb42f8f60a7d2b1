import Basics

/// Windows bitmaps.
///
/// Source: Microsoft's documentation of BITMAPFILEHEADER and BITMAPINFOHEADER.
enum BMP: FormatReader {
    /// The header, where it makes sense: the format's two letters alone might begin any text.
    struct Header: Hashable {
        let size: PixelSize
        /// Where the pixels begin and end.
        let (offset, end): (Int, Int)
        /// Bits of a pixel, and how it is packed.
        let (bits, compression): (Int, Int)

        init?(_ bytes: PictureBytes) {
            guard bytes.matches("BM", at: 0), let offset = bytes.littleEndian(at: 10, bytes: 4),
                let length = bytes.littleEndian(at: 14, bytes: 4),
                [12, 16, 40, 52, 56, 64, 108, 124].contains(length)
            else { return nil }
            let isOld = length == 12
            let number = isOld ? 2 : 4
            guard let width = bytes.littleEndian(at: 18, bytes: number),
                let height = bytes.littleEndian(at: 18 + number, bytes: number),
                bytes.littleEndian(at: 18 + 2 * number, bytes: 2) == 1,
                let bits = bytes.littleEndian(at: 20 + 2 * number, bytes: 2),
                [1, 2, 4, 8, 16, 24, 32].contains(bits) || bits == 0,
                // Rows from top to bottom have a negative height.
                let size = PixelSize(
                    width: width, height: isOld ? height : abs(Int(Int32(truncatingIfNeeded: height))))
            else { return nil }
            let compression = length >= 40 ? bytes.littleEndian(at: 30, bytes: 4) ?? 0 : 0
            let stated = length >= 40 ? bytes.littleEndian(at: 34, bytes: 4) ?? 0 : 0
            // Rows are filled up to four bytes; compressed ones (RLE, JPEG, PNG) have their length stated.
            let row = (width * bits + 31) / 32 * 4
            let (pixels, isTooMuch) = row.multipliedReportingOverflow(by: size.height)
            guard !isTooMuch, pixels < 1 << 48 else { return nil }
            (self.size, self.offset, self.bits, self.compression) = (size, offset, bits, compression)
            end = offset + ([1, 2, 4, 5].contains(compression) ? max(1, stated) : pixels)
        }
    }

    static func size(_ bytes: PictureBytes) -> PixelSize? { Header(bytes)?.size }

    /// A whole bitmap in which all is zeros but its headers, its colors, and its pixels.
    ///
    /// - Returns: `nil` for one that holds a color profile or a file of another format.
    static func cleaned(_ bmp: [UInt8]) -> [UInt8]? {
        let bytes = PictureBytes(bmp)
        guard let header = Header(bytes), ![4, 5].contains(header.compression), header.end <= bmp.count,
            let length = bytes.littleEndian(at: 14, bytes: 4), 14 + length <= header.offset,
            length < 124 || !bytes.matches("DEBM", at: 70)
        else { return nil }
        let used = length >= 40 ? bytes.littleEndian(at: 46, bytes: 4) ?? 0 : 0
        let most = header.bits > 8 ? 0 : 1 << header.bits
        // Masks follow a short header.
        let masks = length > 40 ? 0 : header.compression == 3 ? 12 : header.compression == 6 ? 16 : 0
        let colors = (used == 0 ? most : min(used, most)) * (length == 12 ? 3 : 4)
        var cleaned = [UInt8](repeating: 0, count: header.end)
        for range in [
            0..<2, 10..<min(header.offset, 14 + length + masks + colors), header.offset..<header.end,
        ] { cleaned.replaceSubrange(range, with: bmp[range]) }
        cleaned.replaceSubrange(2..<6, with: [UInt8](little: header.end, 4))
        // Colors that are not there; OS/2's own fields; the path of a profile elsewhere.
        if length >= 40, most == 0 { cleaned.replaceSubrange(46..<54, with: [UInt8](repeating: 0, count: 8)) }
        if length == 64 { cleaned.replaceSubrange(54..<78, with: [UInt8](repeating: 0, count: 24)) }
        if length == 124 {
            if bytes.matches("KNIL", at: 70) { cleaned.replaceSubrange(70..<74, with: "BGRs".utf8) }
            cleaned.replaceSubrange(126..<138, with: [UInt8](repeating: 0, count: 12))
        }
        return cleaned
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        guard let header = Header(bytes) else { return "its header is damaged" }
        return header.end <= bytes.count ? nil : "it has \(bytes.count) of \(header.end) bytes"
    }
}

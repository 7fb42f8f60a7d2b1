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

    /// A whole bitmap of its headers, its colors, and its pixels, without what lies between and behind them.
    ///
    /// - Returns: `nil` for one that holds a file of another format, or is damaged.
    static func cleaned(_ bmp: [UInt8]) -> [UInt8]? {
        let bytes = PictureBytes(bmp)
        guard let header = Header(bytes), ![4, 5].contains(header.compression), header.end <= bmp.count,
            let length = bytes.littleEndian(at: 14, bytes: 4), 14 + length <= header.offset
        else { return nil }
        var head = Array(bmp[14..<14 + length])
        // OS/2's own fields, and what is reserved.
        if length == 64 { head.replaceSubrange(40..<64, with: [UInt8](repeating: 0, count: 24)) }
        let used = length >= 40 ? bytes.littleEndian(at: 46, bytes: 4) ?? 0 : 0
        let colors = header.bits > 8 ? 0 : used == 0 ? 1 << header.bits : min(used, 1 << header.bits)
        if length >= 40, header.bits > 8 { head.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8)) }
        // Masks follow a short header.
        let masks = length > 40 ? 0 : header.compression == 3 ? 12 : header.compression == 6 ? 16 : 0
        let table = bmp[(14 + length)..<min(header.offset, 14 + length + masks + colors * (length == 12 ? 3 : 4))]
        var profile: [UInt8] = []
        if length == 124 {
            let (place, size) = (bytes.littleEndian(at: 126, bytes: 4) ?? 0, bytes.littleEndian(at: 130, bytes: 4) ?? 0)
            // One in the file itself; the path of another is nobody's business.
            if bytes.matches("DEBM", at: 70), 14 + place <= bmp.count, size <= bmp.count - 14 - place {
                profile = ColorProfile.cleaned(Array(bmp[14 + place..<14 + place + size])) ?? []
            }
            if bytes.matches("DEBM", "KNIL", at: 70) {
                head.replaceSubrange(56..<60, with: profile.isEmpty ? "BGRs".utf8 : "DEBM".utf8)
            }
            let end = length + table.count + header.end - header.offset
            head.replaceSubrange(112..<124, with: [UInt8](little: profile.isEmpty ? 0 : end, 4) + [UInt8](little: profile.count, 4) + [0, 0, 0, 0])
        }
        let offset = 14 + length + table.count
        let whole = offset + header.end - header.offset + profile.count
        return Array("BM".utf8) + [UInt8](little: whole, 4) + [0, 0, 0, 0] + [UInt8](little: offset, 4) + head + table
            + bmp[header.offset..<header.end] + profile
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        guard let header = Header(bytes) else { return "its header is damaged" }
        return header.end <= bytes.count ? nil : "it has \(bytes.count) of \(header.end) bytes"
    }
}

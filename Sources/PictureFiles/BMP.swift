import Basics

/// Windows bitmaps.
///
/// Source: Microsoft's documentation of BITMAPFILEHEADER and BITMAPINFOHEADER.
enum BMP: FormatReader {
    /// The header, where it makes sense: the format's two letters alone might begin any text.
    struct Header: Hashable {
        let size: PixelSize
        let end: Int

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
            self.size = size
            end = offset + ([1, 2, 4, 5].contains(compression) ? max(1, stated) : pixels)
        }
    }

    static func size(_ bytes: PictureBytes) -> PixelSize? { Header(bytes)?.size }

    static func fault(_ bytes: PictureBytes) -> String? {
        guard let header = Header(bytes) else { return "its header is damaged" }
        return header.end <= bytes.count ? nil : "it has \(bytes.count) of \(header.end) bytes"
    }
}

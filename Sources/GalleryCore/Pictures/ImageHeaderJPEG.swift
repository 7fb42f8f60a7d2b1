/// One marker of a JPEG and what belongs to it.
struct JPEGSegment: Hashable {
    /// The marker's second byte, such as `0xDA` where pixels begin.
    let marker: UInt8
    /// Where the marker's first byte stands.
    let place: Int
    /// Where what belongs to it stands, without the two bytes of its length; it may
    /// end past the file. Empty for an end marker, which stands alone.
    let content: Range<Int>

    /// Start of frame: the size follows.
    var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
    /// Start of scan: pixels follow.
    var isScan: Bool { marker == 0xDA }
    /// The picture's end.
    var isEnd: Bool { marker == 0xD9 }

    /// The first marker at `start` or after it; `nil` where the bytes end before its length.
    ///
    /// Bytes that are no marker are skipped, and markers that only say where they are:
    /// start, restart. Thus this walks from segment to segment, and through pixels too,
    /// where a mere `FF` is followed by `00`.
    ///
    /// Source: ITU-T T.81, B.1.
    static func next<Bytes: PictureBytes>(
        in bytes: inout Bytes, from start: Int
    ) throws(Bytes.Failure) -> JPEGSegment? {
        var place = start
        while let first = try bytes.byte(at: place) {
            guard first == 0xFF, let marker = try bytes.byte(at: place + 1) else {
                place += 1
                continue
            }
            switch marker {
            case 0xD9:
                return JPEGSegment(marker: marker, place: place, content: place + 2..<place + 2)
            case 0xC0...0xCF, 0xDA...0xFE:
                guard let length = try bytes.bigEndian(at: place + 2, bytes: 2) else { return nil }
                // A length includes its own two bytes; one below is damage, taken for nothing.
                return JPEGSegment(
                    marker: marker, place: place, content: place + 4..<place + 2 + max(2, length))
            default:
                // 0xFF again is filling, of which the next may begin a marker.
                place += marker == 0xFF ? 1 : 2
            }
        }
        return nil
    }
}

extension ImageHeader {
    static func jpegSize<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        var isTurned = false
        var place = 2
        while let segment = try JPEGSegment.next(in: &bytes, from: place) {
            if segment.isFrame {
                let height = try bytes.bigEndian(at: segment.content.lowerBound + 1, bytes: 2)
                let width = try bytes.bigEndian(at: segment.content.lowerBound + 3, bytes: 2)
                return isTurned
                    ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
            }
            if segment.isScan || segment.isEnd { return nil }
            if segment.marker == 0xE1, let value = try orientation(&bytes, in: segment.content) {
                isTurned = (5...8).contains(value)
            }
            place = segment.content.upperBound
        }
        return nil
    }

    /// Orientation 1 to 8 as the camera noted it in `content`, or `nil` where it did not.
    ///
    /// Source: Exif 2.32, 4.5.2 and 4.6.4; only the first directory is read, so a
    /// directory that names itself as the next is no loop.
    private static func orientation<Bytes: PictureBytes>(
        _ bytes: inout Bytes, in content: Range<Int>
    ) throws(Bytes.Failure) -> Int? {
        guard try bytes.matches("Exif\0\0", at: content.lowerBound) else { return nil }
        let start = content.lowerBound + 6
        let isLittle = try bytes.matches("II*\0", at: start)
        let isBig = try bytes.matches("MM\0*", at: start)
        guard isLittle || isBig else { return nil }
        func number(at place: Int, bytes length: Int) throws(Bytes.Failure) -> Int? {
            guard place + length <= content.upperBound else { return nil }
            return isLittle
                ? try bytes.littleEndian(at: place, bytes: length)
                : try bytes.bigEndian(at: place, bytes: length)
        }
        guard let offset = try number(at: start + 4, bytes: 4) else { return nil }
        let directory = start + offset
        guard let entries = try number(at: directory, bytes: 2) else { return nil }
        for entry in 0..<entries {
            let place = directory + 2 + 12 * entry
            guard let tag = try number(at: place, bytes: 2) else { return nil }
            if tag == 0x0112 { return try number(at: place + 8, bytes: 2) }
        }
        return nil
    }
}

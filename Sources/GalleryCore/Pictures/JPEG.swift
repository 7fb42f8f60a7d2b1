/// JPEG: a chain of segments, each a marker with a length, then pixels up to an end marker.
///
/// Source: ITU-T T.81, annex B.
enum JPEG {
    /// One marker and what belongs to it.
    struct Segment: Hashable {
        /// The marker's second byte, such as `0xDA` where pixels begin.
        let marker: UInt8
        /// Its content without the two bytes of its length; it may end past the file. Empty for an end
        /// marker, which stands alone.
        let content: Range<Int>

        /// Start of frame: the size follows.
        var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
        /// Start of scan: pixels follow.
        var isScan: Bool { marker == 0xDA }
        /// The picture's end.
        var isEnd: Bool { marker == 0xD9 }

        /// The first marker at `start` or later; `nil` where the bytes end before its length.
        ///
        /// Skips bytes that are no marker, filler, and markers that stand alone (start, restart). Thus it
        /// walks from segment to segment, and through pixels too, where a mere `FF` is followed by `00`.
        ///
        /// - Parameter end: where to stop looking.
        static func next<Bytes: PictureBytes>(
            in bytes: inout Bytes, from start: Int, before end: Int = .max
        ) throws(Bytes.Failure) -> Segment? {
            var start = start
            while let offset = try bytes.offset(of: 0xFF, from: start, before: end),
                let marker = try bytes.byte(at: offset + 1)
            {
                switch marker {
                case 0xD9: return Segment(marker: marker, content: offset + 2..<offset + 2)
                case 0xC0...0xCF, 0xDA...0xFE:
                    guard let length = try bytes.bigEndian(at: offset + 2, bytes: 2) else { return nil }
                    // The length counts its own two bytes; anything less is damage and taken as nothing.
                    return Segment(marker: marker, content: offset + 4..<offset + 2 + max(2, length))
                default:
                    // Another 0xFF is filler, and the next byte may begin a marker.
                    start = offset + (marker == 0xFF ? 1 : 2)
                }
            }
            return nil
        }
    }

    /// The segments before the pixels: every one up to the first scan, which comes last, or the end.
    ///
    /// Bounded, whatever the bytes: so many segments, and so many bytes between them that belong to none.
    struct HeaderWalk {
        private var offset = 2
        private var segmentsLeft = 10_000
        private var strayBytesLeft = 1 << 20

        /// The next segment; `nil` at the end or where a bound is reached.
        mutating func next<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> Segment? {
            guard segmentsLeft > 0, strayBytesLeft > 0,
                let segment = try Segment.next(in: &bytes, from: offset, before: offset + strayBytesLeft)
            else { return nil }
            segmentsLeft -= 1
            strayBytesLeft -= segment.content.lowerBound - offset
            offset = segment.isScan ? bytes.count : segment.content.upperBound
            return segment.isEnd ? nil : segment
        }
    }

    // MARK: - Size

    static func size<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        var walk = HeaderWalk()
        var orientation: Int?
        while let segment = try walk.next(&bytes), !segment.isScan {
            if segment.isFrame {
                let height = try bytes.bigEndian(at: segment.content.lowerBound + 1, bytes: 2)
                let width = try bytes.bigEndian(at: segment.content.lowerBound + 3, bytes: 2)
                return PixelSize(width: width, height: height)?.upright(orientation)
            }
            if orientation == nil, segment.marker == 0xE1,
                try bytes.matches("Exif\0\0", at: segment.content.lowerBound)
            {
                orientation = try TIFF.orientation(&bytes, in: segment.content.dropFirst(6))
            }
        }
        return nil
    }

    // MARK: - End

    private static let withoutEnd = "its end marker is missing"

    /// What is missing, or `nil`.
    static func fault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        guard let pixels = try firstPixels(&bytes) else { return "it ends before its pixels" }
        // Among pixels an end marker cannot occur, so one at the very end is the picture's own: what lies
        // between need not be read.
        if try endsInMarker(&bytes, after: pixels) { return nil }
        return try end(after: pixels, &bytes) == nil ? withoutEnd : nil
    }

    /// Where pixels begin. The end marker of a preview in the camera's notes comes before and means nothing.
    private static func firstPixels<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        var walk = HeaderWalk()
        var hasFrame = false
        while let segment = try walk.next(&bytes) {
            if segment.isScan { return hasFrame ? segment.content.upperBound : nil }
            hasFrame = hasFrame || segment.isFrame
        }
        return nil
    }

    /// Whether the file ends in an end marker, but for up to 4 KiB of zeros with which cameras fill blocks.
    private static func endsInMarker<Bytes: PictureBytes>(
        _ bytes: inout Bytes, after pixels: Int
    ) throws(Bytes.Failure) -> Bool {
        let earliest = max(pixels, bytes.count - 4 * 1024)
        // Read first, so that the bytes up to the end come in one read.
        _ = try bytes.byte(at: earliest)
        var offset = bytes.count - 1
        while offset > earliest, let byte = try bytes.byte(at: offset) {
            if byte == 0xD9 { return try bytes.byte(at: offset - 1) == 0xFF }
            guard byte == 0 else { return false }
            offset -= 1
        }
        return false
    }

    /// The offset behind the end marker that follows the pixels at `start`.
    private static func end<Bytes: PictureBytes>(
        after start: Int, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        var offset = start
        while let segment = try Segment.next(in: &bytes, from: offset) {
            offset = segment.content.upperBound
            if segment.isEnd { return offset }
        }
        return nil
    }

    /// Whether a picture right behind the main one, such as a preview or a gain map, lacks its end.
    ///
    /// Cameras and encoders put such pictures there, at times behind filler of one repeated byte. Anything
    /// else behind an end, such as a phone's film, is not looked into.
    static func hasCutCompanion<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> Bool {
        guard let pixels = try firstPixels(&bytes), try !endsInMarker(&bytes, after: pixels),
            var offset = try end(after: pixels, &bytes)
        else { return false }
        // The main picture is not counted; sixteen companions are more than any encoder writes.
        for _ in 0..<16 {
            offset = try behindFiller(at: offset, &bytes)
            guard try bytes.bigEndian(at: offset, bytes: 3) == 0xFF_D8FF else { return false }
            guard let next = try end(after: offset + 2, &bytes) else { return true }
            offset = next
        }
        return false
    }

    /// The offset behind a run of one repeated byte, at most 1 MiB of it.
    private static func behindFiller<Bytes: PictureBytes>(
        at start: Int, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int {
        guard let filler = try bytes.byte(at: start) else { return start }
        var offset = start
        while offset - start < 1 << 20, try bytes.byte(at: offset) == filler { offset += 1 }
        // The start marker's own FF may end a run of FF, or be all of it.
        return filler == 0xFF ? offset - 1 : offset
    }

    // MARK: - Metadata

    static func metadata<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> MetadataBlocks {
        var walk = HeaderWalk()
        var blocks = MetadataBlocks()
        while let segment = try walk.next(&bytes), !segment.isScan {
            let content = segment.content.clamped(to: 0..<bytes.count)
            if segment.marker == 0xE1, try bytes.matches("Exif\0\0", at: content.lowerBound) {
                if blocks.exif == nil { blocks.exif = content.dropFirst(6) }
            } else if segment.marker == 0xE1,
                try bytes.matches("http://ns.adobe.com/xap/1.0/\0", at: content.lowerBound)
            {
                if blocks.xmp == nil { blocks.xmp = content.dropFirst(29) }
            } else if segment.marker == 0xED, try bytes.matches("Photoshop 3.0\0", at: content.lowerBound) {
                if blocks.photoshop == nil { blocks.photoshop = content.dropFirst(14) }
            }
        }
        return blocks
    }
}

extension PixelSize {
    /// This size turned as an EXIF orientation says: 5 to 8 swap width and height.
    func upright(_ orientation: Int?) -> PixelSize {
        guard let orientation, (5...8).contains(orientation) else { return self }
        return PixelSize(width: height, height: width) ?? self
    }
}

import Basics

/// JPEG: a chain of segments, each a marker with a length, then pixels up to an end marker.
///
/// Source: ITU-T T.81, annex B.
package enum JPEG: FormatReader {
    /// One marker and what belongs to it.
    struct Segment: Hashable {
        /// The marker's second byte, such as `0xDA` where pixels begin.
        let marker: UInt8
        /// Its content without the two bytes of its length; may end past the file. Empty for an end marker.
        let content: Range<Int>

        /// Start of frame: the size follows.
        var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
        /// Start of scan: pixels follow.
        var isScan: Bool { marker == 0xDA }
        var isEnd: Bool { marker == 0xD9 }

        /// The first marker at `start` or later; `nil` where the bytes end before its length.
        ///
        /// Skips bytes that are no marker, filler, and markers that stand alone (start, restart). Thus it
        /// walks from segment to segment, and through pixels too, where a mere `FF` is followed by `00`.
        ///
        /// - Parameter end: where to stop looking.
        static func next(in bytes: PictureBytes, from start: Int, before end: Int = .max) -> Segment? {
            var start = start
            while let offset = bytes.offset(of: 0xFF, from: start, before: end),
                let marker = bytes.byte(at: offset + 1)
            {
                switch marker {
                case 0xD9: return Segment(marker: marker, content: offset + 2..<offset + 2)
                case 0xC0...0xCF, 0xDA...0xFE:
                    guard let length = bytes.bigEndian(at: offset + 2, bytes: 2) else { return nil }
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
        mutating func next(_ bytes: PictureBytes) -> Segment? {
            guard segmentsLeft > 0, strayBytesLeft > 0,
                let segment = Segment.next(in: bytes, from: offset, before: offset + strayBytesLeft)
            else { return nil }
            segmentsLeft -= 1
            strayBytesLeft -= segment.content.lowerBound - offset
            offset = segment.isScan ? bytes.count : segment.content.upperBound
            return segment.isEnd ? nil : segment
        }
    }

    // MARK: - Size

    package static func size(_ bytes: PictureBytes) -> PixelSize? {
        var walk = HeaderWalk()
        var orientation: Int?
        while let segment = walk.next(bytes), !segment.isScan {
            if segment.isFrame {
                let height = bytes.bigEndian(at: segment.content.lowerBound + 1, bytes: 2)
                let width = bytes.bigEndian(at: segment.content.lowerBound + 3, bytes: 2)
                return PixelSize(width: width, height: height)?.upright(orientation)
            }
            if orientation == nil, segment.marker == 0xE1,
                bytes.matches("Exif\0\0", at: segment.content.lowerBound)
            {
                orientation = TIFF.orientation(bytes, in: segment.content.dropFirst(6))
            }
        }
        return nil
    }

    /// Whether its numbers may mean other colors than sRGB's: it has a color profile, or inks.
    static func hasOwnColors(_ bytes: PictureBytes) -> Bool {
        var walk = HeaderWalk()
        while let segment = walk.next(bytes), !segment.isScan {
            let content = segment.content.lowerBound
            if segment.marker == 0xE2, bytes.matches("ICC_PROFILE", at: content) { return true }
            if segment.isFrame, bytes.byte(at: content + 5).map({ $0 > 3 }) ?? true { return true }
        }
        return false
    }

    // MARK: - End

    package static func fault(_ bytes: PictureBytes) -> String? {
        guard let pixels = firstPixels(bytes) else { return "it ends before its pixels" }
        // Pixels contain no end marker, so one at the very end is the picture's own: the rest need not be read.
        if endsInMarker(bytes, after: pixels) { return nil }
        return end(after: pixels, bytes) == nil ? "its end marker is missing" : nil
    }

    /// Where pixels begin. The end marker of a preview in the camera's notes comes before and means nothing.
    private static func firstPixels(_ bytes: PictureBytes) -> Int? {
        var walk = HeaderWalk()
        var hasFrame = false
        while let segment = walk.next(bytes) {
            if segment.isScan { return hasFrame ? segment.content.upperBound : nil }
            hasFrame = hasFrame || segment.isFrame
        }
        return nil
    }

    /// Whether the file ends in an end marker, but for up to 4 KiB of zeros with which cameras fill blocks.
    private static func endsInMarker(_ bytes: PictureBytes, after pixels: Int) -> Bool {
        let earliest = max(pixels, bytes.count - 4 * 1024)
        // Read first, so that the bytes up to the end come in one read.
        _ = bytes.byte(at: earliest)
        var offset = bytes.count - 1
        while offset > earliest, let byte = bytes.byte(at: offset) {
            if byte == 0xD9 { return bytes.byte(at: offset - 1) == 0xFF }
            guard byte == 0 else { return false }
            offset -= 1
        }
        return false
    }

    /// The offset behind the end marker that follows the pixels at `start`.
    private static func end(after start: Int, _ bytes: PictureBytes) -> Int? {
        var offset = start
        while let segment = Segment.next(in: bytes, from: offset) {
            offset = segment.content.upperBound
            if segment.isEnd { return offset }
        }
        return nil
    }

    /// Whether a picture right behind the main one, such as a preview or a gain map, lacks its end.
    package static func hasCutCompanion(_ bytes: PictureBytes) -> Bool {
        firstPixels(bytes).map { !endsInMarker(bytes, after: $0) } == true && companions(bytes).isCut
    }

    /// The pictures right behind the main one, and whether one more of them lacks its end.
    ///
    /// Cameras and encoders put such pictures there, at times behind filler of one repeated byte. Anything
    /// else behind an end, such as a phone's film, is not looked into.
    static func companions(_ bytes: PictureBytes) -> (whole: [Range<Int>], isCut: Bool) {
        guard var offset = firstPixels(bytes).flatMap({ end(after: $0, bytes) }) else { return ([], false) }
        var whole: [Range<Int>] = []
        // Sixteen are more than any encoder writes.
        while whole.count < 16, case let start = behindFiller(at: offset, bytes),
            bytes.bigEndian(at: start, bytes: 3) == 0xFF_D8FF
        {
            guard let next = end(after: start + 2, bytes) else { return (whole, true) }
            whole.append(start..<next)
            offset = next
        }
        return (whole, false)
    }

    /// The offset behind a run of one repeated byte, at most 1 MiB of it.
    private static func behindFiller(at start: Int, _ bytes: PictureBytes) -> Int {
        guard let filler = bytes.byte(at: start) else { return start }
        var offset = start
        while offset - start < 1 << 20, bytes.byte(at: offset) == filler { offset += 1 }
        // The start marker's own FF may end a run of FF, or be all of it.
        return filler == 0xFF ? offset - 1 : offset
    }

    // MARK: - Metadata

    package static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var walk = HeaderWalk()
        var blocks = MetadataBlocks()
        while let segment = walk.next(bytes), !segment.isScan {
            let content = segment.content.clamped(to: 0..<bytes.count)
            func take(_ block: inout Range<Int>?, _ marker: UInt8, _ mark: StaticString, _ length: Int) {
                guard block == nil, segment.marker == marker, bytes.matches(mark, at: content.lowerBound)
                else { return }
                block = content.dropFirst(length)
            }
            take(&blocks.exif, 0xE1, "Exif\0\0", 6)
            take(&blocks.xmp, 0xE1, "http://ns.adobe.com/xap/1.0/\0", 29)
            take(&blocks.photoshop, 0xED, "Photoshop 3.0\0", 14)
            // The first piece; its number and their count follow the name.
            take(&blocks.profile, 0xE2, "ICC_PROFILE\0\u{1}", 14)
        }
        return blocks
    }

    /// Whether it has content credentials: boxes of C2PA in segments of their own.
    static func hasCredentials(_ bytes: PictureBytes) -> Bool {
        var walk = HeaderWalk()
        while let segment = walk.next(bytes), !segment.isScan {
            let content = segment.content.clamped(to: 0..<bytes.count)
            if segment.marker == 0xEB, bytes.matches("JP", at: content.lowerBound),
                bytes.array(content, limit: 1 << 16).firstRange(of: Array("c2pa".utf8)) != nil
            {
                return true
            }
        }
        return false
    }

    /// A whole JPEG of the segments that show it, without what follows its end; with the EXIF block `exif`, the packet
    /// `xmp`, and what ISO 21496-1 has of a gain map, if there are any.
    static func cleaned(
        _ jpeg: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]? = nil, _ gain: [UInt8]? = nil
    ) -> [UInt8] {
        let bytes = PictureBytes(jpeg)
        var cleaned = Array(jpeg.prefix(2))
        let blocks: [(UInt8, StaticString, [UInt8]?)] = [
            (0xE1, "Exif\0\0", exif), (0xE1, "http://ns.adobe.com/xap/1.0/\0", xmp),
            (0xE2, GainMap.mark, gain),
        ]
        for (marker, mark, block) in blocks {
            guard let content = block.map({ Array(mark.description.utf8) + $0 }), content.count < 0xFFFE
            else { continue }
            cleaned += self.segment(marker, content)
        }
        var (offset, hasPixels, known) = (2, false, Set<UInt8>())
        let profile = profile(bytes).map(profileSegments)
        while let segment = Segment.next(in: bytes, from: offset) {
            let start = segment.content.lowerBound - (segment.isEnd ? 2 : 4)
            // Behind a scan these are pixels; elsewhere bytes that belong to nothing.
            if hasPixels { cleaned += jpeg[offset..<start] }
            offset = min(segment.content.upperBound, jpeg.count)
            if segment.isEnd { return cleaned + [0xFF, 0xD9] }
            if !known.contains(segment.marker) {
                let isProfile =
                    segment.marker == 0xE2 && bytes.matches("ICC_PROFILE\0", at: segment.content.lowerBound)
                let needed = isProfile ? profile ?? [] : needed(segment, jpeg, bytes)
                cleaned += needed
                if segment.marker >= 0xE0, !needed.isEmpty { known.insert(segment.marker) }
            }
            hasPixels = hasPixels || segment.isScan
        }
        return hasPixels ? cleaned + jpeg[offset...] : cleaned
    }

    /// What of a segment is needed to show the picture. JFIF's and Adobe's say what the numbers mean.
    private static func needed(_ segment: Segment, _ jpeg: [UInt8], _ bytes: PictureBytes) -> [UInt8] {
        let content = segment.content.clamped(to: 0..<jpeg.count)
        func byte(_ place: Int) -> Int { Int(bytes.byte(at: content.lowerBound + place) ?? 0) }
        let length: Int
        switch segment.marker {
        // Without the preview that it has room for.
        case 0xE0 where bytes.matches("JFIF\0", at: content.lowerBound):
            return self.segment(0xE0, jpeg[content].prefix(12) + [0, 0])
        case 0xEE where bytes.matches("Adobe", at: content.lowerBound): length = 12
        case 0xDC, 0xDD: length = 2
        case 0xDA: length = 4 + 2 * byte(0)
        case 0xC4, 0xCC, 0xDB: length = content.count
        default:
            guard segment.isFrame else { return [] }
            length = 6 + 3 * byte(5)
        }
        return self.segment(segment.marker, Array(jpeg[content.prefix(length)]))
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + [UInt8](big: content.count + 2, 2) + content
    }

    /// The color profile, whose pieces may stand anywhere before the pixels; `nil` where one is missing.
    private static func profile(_ bytes: PictureBytes) -> [UInt8]? {
        var (walk, pieces, count) = (HeaderWalk(), [Int: Range<Int>](), 0)
        while let segment = walk.next(bytes), !segment.isScan {
            let content = segment.content.clamped(to: 0..<bytes.count)
            guard segment.marker == 0xE2, bytes.matches("ICC_PROFILE\0", at: content.lowerBound),
                let number = bytes.byte(at: content.lowerBound + 12),
                let all = bytes.byte(at: content.lowerBound + 13)
            else { continue }
            if pieces.isEmpty { count = Int(all) }
            if pieces[Int(number)] == nil { pieces[Int(number)] = content.dropFirst(14) }
        }
        var profile: [UInt8] = []
        for number in 0..<count {
            guard let piece = pieces[number + 1] else { return nil }
            profile += bytes.array(piece, limit: 1 << 16)
        }
        return ColorProfile.cleaned(profile)
    }

    private static func profileSegments(_ profile: [UInt8]) -> [UInt8] {
        let most = 65_519
        let starts = Array(stride(from: 0, to: profile.count, by: most))
        return starts.enumerated().flatMap { number, start in
            let mark =
                Array("ICC_PROFILE\0".utf8) + [UInt8(clamping: number + 1), UInt8(clamping: starts.count)]
            return segment(0xE2, mark + profile[start..<min(profile.count, start + most)])
        }
    }
}

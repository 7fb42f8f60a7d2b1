extension PictureFile {
    private static let withoutEnd = "its end marker is missing"

    /// What is missing of a JPEG, or `nil`.
    static func jpegFault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        guard let pixels = try firstPixels(&bytes) else { return "it ends before its pixels" }
        // Among pixels an end marker cannot occur, so one that stands last is the
        // picture's own: no need to read what lies between.
        if try endsInMarker(&bytes, after: pixels) { return nil }
        return try hasEveryEnd(&bytes, from: pixels) ? nil : withoutEnd
    }

    /// Where pixels begin. The end marker of the preview in a camera's notes stands
    /// before, and tells nothing.
    private static func firstPixels<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        var (place, hasFrame) = (2, false)
        while let segment = try JPEGSegment.next(in: &bytes, from: place), !segment.isEnd {
            if segment.isScan { return hasFrame ? segment.content.upperBound : nil }
            hasFrame = hasFrame || segment.isFrame
            place = segment.content.upperBound
        }
        return nil
    }

    /// Whether the file ends in an end marker, but for zeros with which cameras fill
    /// up their blocks, 4 KiB at most.
    private static func endsInMarker<Bytes: PictureBytes>(
        _ bytes: inout Bytes, after pixels: Int
    ) throws(Bytes.Failure) -> Bool {
        let earliest = max(pixels, bytes.count - 4 * 1024)
        // Asked for first, so that the bytes up to the end come in one read.
        _ = try bytes.byte(at: earliest)
        var place = bytes.count - 1
        while place > earliest, let byte = try bytes.byte(at: place) {
            if byte == 0xD9 { return try bytes.byte(at: place - 1) == 0xFF }
            guard byte == 0 else { return false }
            place -= 1
        }
        return false
    }

    /// Whether an end marker follows the pixels at `place`, and those of every picture
    /// that comes right after: previews and gain maps are whole pictures in a row.
    /// Anything else behind an end, such as a phone's film, is not asked for its own.
    private static func hasEveryEnd<Bytes: PictureBytes>(
        _ bytes: inout Bytes, from pixels: Int
    ) throws(Bytes.Failure) -> Bool {
        var (place, isWithin) = (pixels, true)
        while let segment = try JPEGSegment.next(in: &bytes, from: place) {
            place = segment.content.upperBound
            guard segment.isEnd else { continue }
            while try bytes.byte(at: place) == 0 { place += 1 }
            isWithin = try bytes.bigEndian(at: place, bytes: 3) == 0xFF_D8FF
            if !isWithin { return true }
        }
        return false
    }
}

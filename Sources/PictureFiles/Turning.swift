import Basics

// Pictures turned by quarters, clockwise: by the orientation that a JPEG's EXIF says, which every viewer heeds.

extension PixelSize {
    /// This size turned as an EXIF orientation says: 5 to 8 swap width and height.
    package func upright(_ orientation: Int?) -> PixelSize {
        guard let orientation, (5...8).contains(orientation) else { return self }
        return PixelSize(width: height, height: width) ?? self
    }

    /// This size turned by so many quarters.
    package func turned(by quarters: Int) -> PixelSize {
        upright(PictureContent.orientation(1, turnedBy: quarters))
    }
}

extension JPEG {
    /// The tag in the EXIF block at `range` that says the orientation: the offset of its two bytes, whether the lower
    /// one comes first, and what they say; `nil` where there is none that viewers heed.
    fileprivate static func orientationTag(
        _ bytes: PictureBytes, in range: Range<Int>?
    ) -> (offset: Int, isLittleEndian: Bool, value: Int)? {
        guard let tiff = range.flatMap({ TIFF(bytes, in: $0) }) else { return nil }
        let directory = tiff.directory(at: tiff.first)
        guard let value = tiff.orientation(directory), let entry = directory[TIFF.Tag.orientation] else {
            return nil
        }
        return (entry.offset, tiff.isLittleEndian, value)
    }

    /// A JPEG with a block of EXIF before all others, which says nothing but its orientation.
    package static func adding(orientation: Int, to jpeg: [UInt8]) -> [UInt8] {
        let directory: [UInt8] = [
            0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
        ]
        let content = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg.dropFirst(2)
    }
}

extension PictureContent {
    /// The orientation, 1 to 8, that shows a picture of this one turned clockwise by so many quarters.
    package static func orientation(_ orientation: Int, turnedBy quarters: Int) -> Int {
        // Upright and mirrored ones, each turned by a quarter more than the one before.
        for ring in [[1, 6, 3, 8], [2, 7, 4, 5]] {
            guard let start = ring.firstIndex(of: orientation) else { continue }
            return ring[((start + quarters) % 4 + 4) % 4]
        }
        return orientation
    }

    /// The orientation that a JPEG's EXIF says, 1 to 8; `nil` where it says none.
    package static func orientation(ofJPEG file: [UInt8]) -> Int? {
        let bytes = PictureBytes(file)
        return JPEG.orientationTag(bytes, in: JPEG.metadata(bytes).exif)?.value
    }

    /// A whole JPEG turned clockwise by so many quarters, in which nothing but two bytes of its EXIF differ; `nil` for
    /// any other file, and one that says no orientation.
    package static func turned(_ file: [UInt8], by quarters: Int) -> [UInt8]? {
        let bytes = PictureBytes(file)
        guard provableType(of: file) == .jpeg,
            let tag = JPEG.orientationTag(bytes, in: JPEG.metadata(bytes).exif)
        else { return nil }
        var turned = file
        turned[tag.offset + (tag.isLittleEndian ? 0 : 1)] = UInt8(
            orientation(tag.value, turnedBy: quarters))
        return turned
    }

    /// A JPEG turned by so many quarters to be shown: one that says no orientation gets a block that does.
    package static func turnedToShow(_ jpeg: [UInt8], by quarters: Int) -> [UInt8] {
        turned(jpeg, by: quarters)
            ?? JPEG.adding(
                orientation: orientation(orientation(ofJPEG: jpeg) ?? 1, turnedBy: quarters), to: jpeg)
    }
}

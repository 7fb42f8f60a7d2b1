import Basics

/// Turns pictures by quarters, clockwise: by the orientation that a JPEG's EXIF says, which every viewer heeds.
package enum Turning {
    /// The orientation, 1 to 8, that shows a picture of this one turned clockwise by so many quarters.
    static func orientation(_ orientation: Int, turnedBy quarters: Int) -> Int {
        // Upright and mirrored ones, each turned by a quarter more than the one before.
        for ring in [[1, 6, 3, 8], [2, 7, 4, 5]] {
            guard let start = ring.firstIndex(of: orientation) else { continue }
            return ring[((start + quarters) % 4 + 4) % 4]
        }
        return orientation
    }

    /// A copy of a JPEG that shows it turned by so many quarters: its EXIF says another orientation, in a block of its
    /// own where it said none.
    package static func jpeg(_ jpeg: [UInt8], turnedBy quarters: Int) -> [UInt8] {
        let bytes = PictureBytes(jpeg)
        guard let tiff = JPEG.metadata(bytes).exif.flatMap({ TIFF(bytes, in: $0) }),
            case let directory = tiff.directory(at: tiff.first), let said = tiff.orientation(directory),
            let entry = directory[TIFF.Tag.orientation]
        else { return adding(orientation(1, turnedBy: quarters), to: jpeg) }
        var turned = jpeg
        // The other byte of the number is zero.
        turned[entry.offset + (tiff.isLittleEndian ? 0 : 1)] = UInt8(orientation(said, turnedBy: quarters))
        return turned
    }

    /// A JPEG with a block of EXIF before all others, which says nothing but its orientation.
    package static func adding(_ orientation: Int, to jpeg: [UInt8]) -> [UInt8] {
        let directory: [UInt8] = [
            0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
        ]
        let content = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg.dropFirst(2)
    }
}

extension PixelSize {
    /// This size turned as an EXIF orientation says: 5 to 8 swap width and height.
    package func upright(_ orientation: Int?) -> PixelSize {
        guard let orientation, (5...8).contains(orientation) else { return self }
        return PixelSize(width: height, height: width) ?? self
    }

    package func turned(by quarters: Int) -> PixelSize { upright(Turning.orientation(1, turnedBy: quarters)) }
}

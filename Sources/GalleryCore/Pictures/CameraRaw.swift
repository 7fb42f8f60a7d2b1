/// Cameras' raw files: TIFF in all but name, ISO media (CR3), or a form of their own (RAF).
///
/// Source: the formats as ExifTool's tag tables and libopenraw's notes describe them.
enum CameraRaw {
    /// Which raw file begins like any TIFF; `nil` for a TIFF.
    static func type<Bytes: PictureBytes>(ofTIFF bytes: inout Bytes) throws(Bytes.Failure) -> PictureType? {
        guard var tiff = try TIFF(&bytes, in: 0..<bytes.count) else { return nil }
        let first = try tiff.directory(at: tiff.first, &bytes)
        if first[TIFF.Tag.dngVersion] != nil { return .dng }
        guard let make = first[TIFF.Tag.make] else { return nil }
        let isNikon = try bytes.matches("NIKON", at: make.offset)
        let isSony = try bytes.matches("SONY", at: make.offset)
        guard isNikon || isSony else { return nil }
        // The cameras' makers write plain TIFF too: only a sensor's pixels make a raw file.
        for directory in try tiff.directories(&bytes) {
            let photometric = try tiff.numbers(directory[TIFF.Tag.photometric], &bytes).first
            let compression = try tiff.numbers(directory[TIFF.Tag.compression], &bytes).first
            if photometric == 32803 || compression == 34713 || compression == 32767 {
                return isNikon ? .nef : .arw
            }
        }
        return nil
    }

    /// Which raw file a TIFF is by its name; `nil` for a name that any TIFF may have.
    static func type(ofTIFFNamed name: String) -> PictureType? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let type = PictureType(fileExtension: String(name[dot...].dropFirst()))
        return type.flatMap { [.nef, .arw, .dng].contains($0) ? $0 : nil }
    }

    /// The size of the full picture, where a directory has it.
    static func size<Bytes: PictureBytes>(
        _ bytes: inout Bytes, _ type: PictureType
    ) throws(Bytes.Failure) -> PixelSize? {
        if type == .raf { return try fujifilmSize(&bytes) }
        guard let range = try directories(&bytes, type),
            var tiff = try TIFF(&bytes, in: range)
        else { return nil }
        let first = try tiff.directory(at: tiff.first, &bytes)
        let orientation = try tiff.orientation(first, &bytes)
        if type == .rw2 { return try panasonicSize(tiff, first, &bytes)?.upright(orientation) }
        return try tiff.largestSize(&bytes)?.upright(orientation)
    }

    /// Panasonic gives the borders of the picture on the sensor.
    private static func panasonicSize<Bytes: PictureBytes>(
        _ tiff: TIFF, _ directory: TIFF.Directory, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        func number(_ tag: Int) throws(Bytes.Failure) -> Int? {
            try tiff.numbers(directory[tag], &bytes).first
        }
        if let top = try number(4), let left = try number(5), let bottom = try number(6),
            let right = try number(7)
        {
            return PixelSize(width: right - left, height: bottom - top)
        }
        return PixelSize(width: try number(2), height: try number(3))
    }

    /// Fujifilm gives the picture's height and width in a directory of its own, whose place the header tells.
    private static func fujifilmSize<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        guard let start = try bytes.bigEndian(at: 92, bytes: 4),
            let count = try bytes.bigEndian(at: start, bytes: 4)
        else { return nil }
        var (sizes, offset) = ([Int: PixelSize](), start + 4)
        for _ in 0..<min(count, 256) {
            guard let tag = try bytes.bigEndian(at: offset, bytes: 2),
                let length = try bytes.bigEndian(at: offset + 2, bytes: 2)
            else { break }
            if length == 4, let height = try bytes.bigEndian(at: offset + 4, bytes: 2),
                let width = try bytes.bigEndian(at: offset + 6, bytes: 2)
            {
                sizes[tag] = PixelSize(width: width, height: height)
            }
            offset += 4 + length
        }
        // The picture without the sensor's border, else the sensor.
        guard let size = sizes[0x111] ?? sizes[0x100] else { return nil }
        let exif = try fujifilmEXIF(&bytes)
        return size.upright(
            try exif.flatMap { range throws(Bytes.Failure) in
                try TIFF.orientation(&bytes, in: range)
            })
    }

    /// The EXIF of the preview, a JPEG with everything the camera noted.
    private static func fujifilmEXIF<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Range<Int>? {
        guard let start = try bytes.bigEndian(at: 84, bytes: 4),
            try bytes.matches("Exif\0\0", at: start + 6)
        else { return nil }
        let length = try bytes.bigEndian(at: start + 4, bytes: 2) ?? 0
        return (start + 12..<start + 12 + max(0, length - 8)).clamped(to: 0..<bytes.count)
    }

    /// Where the file's TIFF directories are: all of it, or a box of it.
    private static func directories<Bytes: PictureBytes>(
        _ bytes: inout Bytes, _ type: PictureType
    ) throws(Bytes.Failure) -> Range<Int>? {
        type == .cr3 ? try canonBox("CMT1", &bytes) : 0..<bytes.count
    }

    /// A box of Canon's own box in CR3.
    private static func canonBox<Bytes: PictureBytes>(
        _ name: StaticString, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Range<Int>? {
        guard let canon = try ISOMedia.descend(["moov", "uuid"], from: 0..<bytes.count, &bytes)?.content
        else {
            return nil
        }
        // The identifier of 16 bytes precedes the boxes in it.
        return try ISOMedia.first(name, in: canon.dropFirst(16), &bytes)?.content
    }

    /// What is missing of a file whose pixels only its own header points to, or `nil`.
    static func fault<Bytes: PictureBytes>(
        _ bytes: inout Bytes, _ type: PictureType
    ) throws(Bytes.Failure) -> String? {
        if type == .rw2 {
            guard var tiff = try TIFF(&bytes, in: 0..<bytes.count) else {
                return "its first directory is missing"
            }
            let first = try tiff.directory(at: tiff.first, &bytes)
            guard first.isWhole else { return "it ends within a directory" }
            let offset = try tiff.numbers(first[0x118] ?? first[0x111], &bytes).first
            guard let offset else { return "it has no pixels" }
            return offset < bytes.count ? nil : "it ends within its pixels"
        }
        // RAF: offset and length of the preview, of the sensor's directory, and of its pixels.
        for offset in [84, 92, 100] {
            guard let start = try bytes.bigEndian(at: offset, bytes: 4),
                let length = try bytes.bigEndian(at: offset + 4, bytes: 4)
            else { return "it ends within its header" }
            guard start + length <= bytes.count else { return "it ends within its pixels" }
        }
        return nil
    }

    static func metadata<Bytes: PictureBytes>(
        _ bytes: inout Bytes, _ type: PictureType
    ) throws(Bytes.Failure) -> MetadataBlocks {
        switch type {
        case .cr3:
            return MetadataBlocks(
                exif: try canonBox("CMT1", &bytes), exifDetails: try canonBox("CMT2", &bytes),
                position: try canonBox("CMT4", &bytes))
        case .raf: return MetadataBlocks(exif: try fujifilmEXIF(&bytes))
        default: return try TIFF.metadata(&bytes)
        }
    }
}

import Basics

/// Cameras' raw files that are TIFF in all but name: CR2, NEF, ARW, DNG, ORF.
///
/// Source: the formats as ExifTool's tag tables and libopenraw's notes describe them, here and below.
enum CameraRaw: FormatReader {
    /// Which raw file begins like any TIFF; `nil` for a TIFF.
    static func type(ofTIFF bytes: PictureBytes) -> PictureType? {
        guard let tiff = TIFF(bytes) else { return nil }
        let first = tiff.directory(at: tiff.first)
        if first[TIFF.Tag.dngVersion] != nil { return .dng }
        guard let make = first[TIFF.Tag.make] else { return nil }
        let isNikon = bytes.matches("NIKON", at: make.offset)
        let isSony = bytes.matches("SONY", at: make.offset)
        guard isNikon || isSony else { return nil }
        // The cameras' makers write plain TIFF too: only a sensor's pixels make a raw file.
        let hasSensor = tiff.directories().contains { directory in
            let compression = tiff.number(directory[TIFF.Tag.compression])
            return tiff.number(directory[TIFF.Tag.photometric]) == 32803 || compression == 34713
                || compression == 32767
        }
        return hasSensor ? isNikon ? .nef : .arw : nil
    }

    /// Which raw file a TIFF is by its name; `nil` for a name that any TIFF may have.
    static func type(ofTIFFNamed name: String) -> PictureType? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let type = PictureType(fileExtension: name[dot...].dropFirst())
        return type.flatMap { [.nef, .arw, .dng].contains($0) ? $0 : nil }
    }

    static func size(_ bytes: PictureBytes) -> PixelSize? { size(bytes, in: 0..<bytes.count) }

    /// The size of the full picture, where a directory has it.
    static func size(_ bytes: PictureBytes, in range: Range<Int>) -> PixelSize? {
        guard let tiff = TIFF(bytes, in: range) else { return nil }
        let orientation = tiff.orientation(tiff.directory(at: tiff.first))
        return tiff.largestSize()?.upright(orientation)
    }

    static func fault(_ bytes: PictureBytes) -> String? { TIFF.fault(bytes) }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks { TIFF.metadata(bytes) }
}

/// Canon's CR3: ISO media, with TIFFs in boxes of its own.
enum CanonCR3: FormatReader {
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        box("CMT1", bytes).flatMap { CameraRaw.size(bytes, in: $0) }
    }

    static func fault(_ bytes: PictureBytes) -> String? { ISOMedia.fault(bytes) }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        MetadataBlocks(
            exif: box("CMT1", bytes), exifDetails: box("CMT2", bytes), position: box("CMT4", bytes))
    }

    private static func box(_ name: StaticString, _ bytes: PictureBytes) -> Range<Int>? {
        let canon = ISOMedia.descend(["moov", "uuid"], from: 0..<bytes.count, bytes)
        // The identifier of 16 bytes precedes the boxes in it.
        return canon.flatMap { ISOMedia.boxes(in: $0.dropFirst(16), bytes)[name] }
    }
}

/// Panasonic's RW2: a TIFF whose pixels only a tag of its own points to.
enum PanasonicRW2: FormatReader {
    /// The picture's borders on the sensor, or else the sensor.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        guard let tiff = TIFF(bytes) else { return nil }
        let directory = tiff.directory(at: tiff.first)
        func number(_ tag: Int) -> Int? { tiff.number(directory[tag]) }
        var size = PixelSize(width: number(2), height: number(3))
        if let top = number(4), let left = number(5), let bottom = number(6), let right = number(7) {
            size = PixelSize(width: right - left, height: bottom - top)
        }
        return size?.upright(tiff.orientation(directory))
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        guard let tiff = TIFF(bytes) else { return "its first directory is missing" }
        let first = tiff.directory(at: tiff.first)
        guard first.isWhole else { return "it ends within a directory" }
        guard let offset = tiff.number(first[0x118] ?? first[0x111]) else { return "it has no pixels" }
        return offset < bytes.count ? nil : "it ends within its pixels"
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks { TIFF.metadata(bytes) }
}

/// Fujifilm's RAF: a header that says where a preview, a directory of the sensor, and its pixels are.
enum FujifilmRAF: FormatReader {
    /// The picture's height and width are in a directory of Fujifilm's own.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        guard let start = bytes.bigEndian(at: 92, bytes: 4), let count = bytes.bigEndian(at: start, bytes: 4)
        else { return nil }
        var (sizes, offset) = ([Int: PixelSize](), start + 4)
        for _ in 0..<min(count, 256) {
            guard let tag = bytes.bigEndian(at: offset, bytes: 2),
                let length = bytes.bigEndian(at: offset + 2, bytes: 2)
            else { break }
            if length == 4 {
                sizes[tag] = PixelSize(
                    width: bytes.bigEndian(at: offset + 6, bytes: 2),
                    height: bytes.bigEndian(at: offset + 4, bytes: 2))
            }
            offset += 4 + length
        }
        // The picture without the sensor's border, else the sensor.
        guard let size = sizes[0x111] ?? sizes[0x100] else { return nil }
        return size.upright(exif(bytes).flatMap { TIFF.orientation(bytes, in: $0) })
    }

    /// The EXIF of the preview, a JPEG with everything the camera noted.
    private static func exif(_ bytes: PictureBytes) -> Range<Int>? {
        guard let start = bytes.bigEndian(at: 84, bytes: 4), bytes.matches("Exif\0\0", at: start + 6)
        else { return nil }
        let length = bytes.bigEndian(at: start + 4, bytes: 2) ?? 0
        return (start + 12..<start + 12 + max(0, length - 8)).clamped(to: 0..<bytes.count)
    }

    static func fault(_ bytes: PictureBytes) -> String? {
        for offset in [84, 92, 100] {
            guard let start = bytes.bigEndian(at: offset, bytes: 4),
                let length = bytes.bigEndian(at: offset + 4, bytes: 4)
            else { return "it ends within its header" }
            guard start + length <= bytes.count else { return "it ends within its pixels" }
        }
        return nil
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks { MetadataBlocks(exif: exif(bytes)) }
}

/// The JPEG that a camera stores in its raw file, for those who do not develop it.
package enum RawPreview {
    /// More than any camera's.
    private static let limit = 64 << 20

    /// The longest one that is whole; `nil` where there is none.
    static func jpeg(_ bytes: PictureBytes, _ type: PictureType) -> [UInt8]? {
        candidates(bytes, type).map { bytes.array($0, limit: limit) }.first { jpeg in
            if case .whole(.jpeg, _) = PictureFile.examine(PictureBytes(jpeg)) { true } else { false }
        }
    }

    /// The size of the longest one by its header, as it is looked at if the file's own pixels are turned by
    /// `orientation`; `nil` where there is none.
    package static func size(_ bytes: PictureBytes, _ type: PictureType, orientation: Int?) -> PixelSize? {
        guard let range = candidates(bytes, type).first else { return nil }
        let jpeg = PictureBytes(range, of: bytes)
        let own = PictureMetadata(jpeg, .jpeg).orientation
        return JPEG.size(jpeg)?.upright(own == nil ? orientation : nil)
    }

    /// Where they are, longest first.
    private static func candidates(
        _ bytes: PictureBytes, _ type: PictureType
    ) -> LazyFilterSequence<[Range<Int>]> {
        ranges(bytes, type).filter {
            bytes.bigEndian(at: $0.lowerBound, bytes: 3) == 0xFF_D8FF && $0.count <= limit
        }.sorted { $0.count > $1.count }.lazy.filter { isOrdinary(PictureBytes($0, of: bytes)) }
    }

    private static func ranges(_ bytes: PictureBytes, _ type: PictureType) -> [Range<Int>] {
        func range(_ start: Int?, _ length: Int?) -> Range<Int>? {
            guard let start, let length, length > 0, start <= bytes.count - length else { return nil }
            return start..<start + length
        }
        switch type {
        case .cr2, .nef, .arw, .dng, .orf, .rw2:
            guard let tiff = TIFF(bytes) else { return [] }
            return tiff.directories().flatMap { directory in
                // The last one is Panasonic's, a value of bytes.
                [
                    range(tiff.number(directory[0x111]), tiff.number(directory[0x117])),
                    range(tiff.number(directory[0x201]), tiff.number(directory[0x202])),
                    range(directory[0x2E]?.offset, directory[0x2E]?.count),
                ].compactMap(\.self)
            }
        case .raf:
            return [range(bytes.bigEndian(at: 84, bytes: 4), bytes.bigEndian(at: 88, bytes: 4))].compactMap(
                \.self)
        case .cr3:
            return ISOMedia.boxes(in: 0..<bytes.count, bytes).compactMap { box in
                // An identifier and a count, then Canon's own box: some numbers, the length, the JPEG.
                let inner = box.name == ISOMedia.name("uuid") ? box.content.dropFirst(24) : 0..<0
                let preview = ISOMedia.boxes(in: inner, bytes)["PRVW"]?.lowerBound
                return range(
                    preview.map { $0 + 16 }, preview.flatMap { bytes.bigEndian(at: $0 + 12, bytes: 4) })
            }
        default: return []
        }
    }

    /// Whether it is not one of the lossless formats in which sensor data is packed.
    private static func isOrdinary(_ jpeg: PictureBytes) -> Bool {
        var walk = JPEG.HeaderWalk()
        while let segment = walk.next(jpeg) {
            if segment.isFrame { return segment.marker <= 0xC2 }
        }
        return false
    }
}

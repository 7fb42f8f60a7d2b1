/// The verdict on a picture's bytes: whole, cut off, or something else.
///
/// Only the end that a format defines is checked. Pixels are not decoded, and bytes behind the end are
/// ignored, since cameras and image hosts append their own.
enum PictureFile: Hashable, Sendable {
    /// A picture with its end; `size` as ``ImageHeader/size``.
    case whole(PictureType, size: PixelSize?)
    /// The beginning of a picture. `reason` completes "The picture is broken: …" and quotes nothing of the
    /// file.
    case damaged(reason: String)
    /// Something else; `found` describes it without quoting it.
    case notAPicture(found: String)

    /// Examines the first `length` bytes of an open file.
    ///
    /// At most 64 KiB are held, whatever the file's length. A whole picture mostly takes three reads; a JPEG
    /// without an end marker is read to the end. This blocks.
    static func examine(
        descriptor: Int32, length: Int64, named name: String
    ) throws(PictureFileError) -> PictureFile {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        return try examine(&bytes, named: name)
    }

    /// Examines bytes in memory or on disk. Their `name` decides only what the bytes leave open.
    static func examine<Bytes: PictureBytes>(
        _ bytes: inout Bytes, named name: String = ""
    ) throws(Bytes.Failure) -> PictureFile {
        guard let header = try ImageHeader(&bytes, named: name) else {
            let start = try bytes.array(0..<ForeignContent.bytesNeeded, limit: ForeignContent.bytesNeeded)
            return .notAPicture(found: ForeignContent(firstBytes: start).description)
        }
        let fault =
            switch header.type {
            case .jpeg: try JPEG.fault(&bytes)
            case .png: try PNG.fault(&bytes)
            case .gif: try GIF.fault(&bytes)
            case .webp: try WebP.fault(&bytes)
            case .avif, .heic, .heif, .cr3: try ISOMedia.fault(&bytes)
            case .jxl: try JPEGXL.fault(&bytes)
            case .bmp: try BMP.fault(&bytes)
            case .tiff, .cr2, .nef, .arw, .dng, .orf: try TIFF.fault(&bytes)
            case .raf, .rw2: try CameraRaw.fault(&bytes, header.type)
            }
        return fault.map { .damaged(reason: $0) } ?? .whole(header.type, size: header.size)
    }
}

extension PictureType {
    /// How long each of the first `most` frames of an open file of this type is shown, in milliseconds; none
    /// where nothing moves or the file cannot be read. This blocks.
    package func frameDelays(descriptor: Int32, length: Int64, most: Int) -> [Int] {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        let delays =
            switch self {
            case .gif: try? GIF.delays(&bytes, most: most)
            case .webp: try? WebP.delays(&bytes, most: most)
            default: [Int]()
            }
        return delays ?? []
    }
}

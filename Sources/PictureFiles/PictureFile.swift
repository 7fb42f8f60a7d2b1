import Basics

/// The verdict on a picture's bytes: whole, cut off, or something else.
///
/// Only the end that a format defines is checked. Pixels are not decoded, and bytes behind the end are
/// ignored, since cameras and image hosts append their own.
package enum PictureFile: Hashable, Sendable {
    /// A picture with its end; `size` as ``ImageHeader/size``.
    case whole(PictureType, size: PixelSize?)
    /// The beginning of a picture. `reason` completes "The picture is broken: …" without quoting the file.
    case damaged(reason: String)
    /// Something else; `found` describes it without quoting it.
    case notAPicture(found: String)

    /// Examines the first `length` bytes of an open file.
    ///
    /// At most 64 KiB are held, whatever the file's length. A whole picture mostly takes three reads; a JPEG
    /// without an end marker is read to the end. This blocks.
    package static func examine(
        descriptor: Int32, length: Int64, named name: String
    ) throws(SystemCall.Failure) -> PictureFile {
        let bytes = PictureBytes(descriptor: descriptor, length: length)
        let found = examine(bytes, named: name)
        if let failure = bytes.failure { throw failure }
        return found
    }

    /// Examines bytes in memory or on disk. Their `name` decides only what the bytes leave open.
    package static func examine(_ bytes: PictureBytes, named name: String = "") -> PictureFile {
        guard let header = ImageHeader(bytes, named: name) else {
            let start = bytes.array(0..<ForeignContent.bytesNeeded, limit: ForeignContent.bytesNeeded)
            return .notAPicture(found: ForeignContent(firstBytes: start).description)
        }
        let fault = header.type.format.reader.fault(bytes)
        return fault.map { .damaged(reason: $0) } ?? .whole(header.type, size: header.size)
    }
}

/// What is read of the files of one format, or of several that are built alike.
package protocol FormatReader: SendableMetatype {
    /// The size in which viewers show the picture; `nil` where it is not found.
    static func size(_ bytes: PictureBytes) -> PixelSize?

    /// What is missing of the file, or `nil`.
    static func fault(_ bytes: PictureBytes) -> String?

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks
}

extension FormatReader {
    /// None, as in most simple formats.
    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks { MetadataBlocks() }
}

extension PictureType {
    /// How long each of the first `most` frames of an open file of this type is shown, in milliseconds; none
    /// where nothing moves or the file cannot be read. This blocks.
    package func frameDelays(descriptor: Int32, length: Int64, most: Int) -> [Int] {
        let bytes = PictureBytes(descriptor: descriptor, length: length)
        let delays =
            switch self {
            case .gif: GIF.delays(bytes, most: most)
            case .webp: WebP.delays(bytes, most: most)
            default: [Int]()
            }
        return bytes.failure == nil ? delays : []
    }
}

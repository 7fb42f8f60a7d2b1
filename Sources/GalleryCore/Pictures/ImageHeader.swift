/// A picture's type and size, read from its first bytes.
package struct ImageHeader: Hashable, Sendable {
    /// How many first bytes are read: room for the color profile, the preview and the camera's notes that
    /// may come before a JPEG's size.
    package static let bytesNeeded = 256 * 1024

    /// What kind of picture it is.
    package let type: PictureType

    /// The size in which viewers show it, its orientation applied; `nil` where the bytes end before it, or
    /// none is given.
    package let size: PixelSize?

    /// The header of a picture that begins with `prefix`, or `nil` for anything else.
    ///
    /// Accepts any bytes; the work is bounded by ``bytesNeeded``.
    package init?(prefix: some Collection<UInt8>) {
        var bytes = PicturePrefix(Array(prefix.prefix(Self.bytesNeeded)))
        self.init(&bytes)
    }

    /// The header of the first `length` bytes of an open file, or `nil` for anything else, or where reading
    /// fails.
    ///
    /// A JPEG's size is found however many segments precede it, at a few reads a segment. This blocks.
    package init?(descriptor: Int32, length: Int64, named name: String) {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        guard let header = try? ImageHeader(&bytes, named: name) else { return nil }
        self = header
    }

    /// - Parameter name: the file's name. A TIFF with a raw file's name is one, whatever its directories say.
    init?<Bytes: PictureBytes>(_ bytes: inout Bytes, named name: String = "") throws(Bytes.Failure) {
        guard let type = try PictureType(&bytes) else { return nil }
        switch type {
        case .tiff:
            self.type = try CameraRaw.type(ofTIFF: &bytes) ?? CameraRaw.type(ofTIFFNamed: name) ?? .tiff
        default: self.type = type
        }
        size =
            switch self.type {
            case .jpeg: try JPEG.size(&bytes)
            case .png: try PNG.size(&bytes)
            case .gif: try GIF.size(&bytes)
            case .webp: try WebP.size(&bytes)
            case .avif, .heic, .heif: try ISOMedia.size(&bytes)
            case .jxl: try JPEGXL.size(&bytes)
            case .bmp: try BMP.Header(&bytes)?.size
            case .tiff: try TIFF.size(&bytes)
            case .cr2, .cr3, .nef, .arw, .dng, .raf, .orf, .rw2: try CameraRaw.size(&bytes, self.type)
            }
    }
}

/// What has to be known of a picture to convert it, and what the result has to keep of it.
package struct ConversionSource: Sendable {
    /// The picture's format.
    package let type: PictureType
    /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF; 1 where decoders do it
    /// themselves.
    package let orientation: Int
    /// Whether pixels may be transparent, where the format tells that in its headers.
    package let hasTransparency: Bool
    /// Whether its colors may not be sRGB's; taken for so where finding out is not worthwhile.
    package let hasOwnColors: Bool
    /// Of a camera's raw file the JPEG in it, turned as the file says; `nil` elsewhere.
    package let preview: [UInt8]?
    /// An EXIF block of author and copyright; `nil` where the picture names neither.
    private let rights: [UInt8]?

    /// Reads the first `length` bytes of an open picture file. This blocks.
    package init(descriptor: Int32, length: Int64, _ type: PictureType) {
        self.init(PictureBytes(descriptor: descriptor, length: length), type)
    }

    init(_ bytes: PictureBytes, _ type: PictureType) {
        let metadata = PictureMetadata(bytes, type)
        self.type = type
        orientation = type.heedsEXIFOrientation ? metadata.orientation ?? 1 : 1
        hasOwnColors = type != .jpeg || JPEG.hasOwnColors(bytes)
        hasTransparency =
            switch type {
            case .png: PNG.hasTransparency(bytes)
            case .gif: GIF.hasTransparency(bytes)
            case .webp: WebP.hasTransparency(bytes)
            case .avif, .heic, .heif:
                bytes.array(0..<min(bytes.count, 1 << 16), limit: 1 << 16)
                    .firstRange(of: Array("auxiliary:alpha".utf8)) != nil
            case .tiff: TIFF(bytes).map { $0.directory(at: $0.first)[338] != nil } ?? false
            default: false
            }
        rights = Self.exif(nil, metadata)
        preview = RawPreview.jpeg(bytes, type).map { jpeg in
            let own = PictureMetadata(PictureBytes(jpeg), .jpeg).orientation
            return JPEG.cleaned(jpeg, adding: Self.exif(own ?? metadata.orientation, metadata))
        }
    }

    /// A converter's output as it may be kept: without metadata but for author and copyright.
    ///
    /// - Parameter edge: how many pixels its longer edge is to have.
    /// - Returns: `nil` unless it is a whole picture of that type and size.
    package func accepted(_ output: [UInt8], as type: PictureType, longestEdge edge: Int) -> [UInt8]? {
        guard case .whole(type, let size?) = PictureFile.examine(PictureBytes(output)),
            abs(max(size.width, size.height) - edge) <= 1
        else { return nil }
        switch type {
        case .jpeg: return JPEG.cleaned(output, adding: rights)
        case .png: return PNG.adding(rights.map { [("eXIf", $0)] } ?? [], to: PNG.cleaned(output))
        case .webp: return rights.map { WebP.adding($0, to: output) } ?? output
        default: return output
        }
    }

    /// A block with an orientation, author, and copyright, as far as there are any.
    private static func exif(_ orientation: Int?, _ metadata: PictureMetadata) -> [UInt8]? {
        func number(_ value: Int, _ length: Int) -> [UInt8] {
            (0..<length).map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        // Ascending, as TIFF wants its tags. Texts below five bytes would stand in the directory itself.
        // A JPEG's block has at most 64 KiB.
        let texts = [(0x13B, metadata.artist), (0x8298, metadata.copyright)].compactMap { tag, text in
            text.map { $0.utf8.prefix(4096) }.map {
                (tag, Array($0) + [UInt8](repeating: 0, count: max(1, 5 - $0.count)))
            }
        }
        var (entries, values) = ([[UInt8]](), [UInt8]())
        if let orientation {
            entries.append(number(0x112, 2) + number(3, 2) + number(1, 4) + number(orientation, 4))
        }
        let start = 8 + 2 + 12 * (entries.count + texts.count) + 4
        for (tag, text) in texts {
            entries.append(
                number(tag, 2) + number(2, 2) + number(text.count, 4) + number(start + values.count, 4))
            values += text
        }
        guard !entries.isEmpty else { return nil }
        let directory = number(entries.count, 2) + entries.joined() + number(0, 4)
        return Array("II*\0".utf8) + number(8, 4) + directory + values
    }
}

import Basics

/// What has to be known of a picture to convert it, and what the result has to keep of it.
package struct ConversionSource: Sendable {
    package let type: PictureType
    /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF; 1 where decoders do so.
    package let orientation: Int
    /// Whether pixels may be transparent, where the format tells that in its headers.
    package let hasTransparency: Bool
    /// Whether its colors may not be sRGB's; taken for so where nothing here can tell. Of others vips, asked to
    /// convert them, makes other colors: it takes their white for a warmer one.
    package let hasOwnColors: Bool
    /// Whether what heeds no color profile shows it in false colors.
    package let needsTrueColors: Bool
    /// What its color profile calls itself, such as `Display P3`; `nil` where it has none.
    package let colorProfile: String?
    /// Of an animated WebP its color profile, which not every program looks for in one; `nil` elsewhere.
    package let animationProfile: [UInt8]?
    /// Of a camera's raw file the JPEG in it, turned as the file says; `nil` elsewhere.
    package let preview: [UInt8]?
    private let rights: CreditBlocks

    /// Reads the first `length` bytes of an open picture file. This blocks.
    package init(descriptor: Int32, length: Int64, _ type: PictureType) {
        self.init(PictureBytes(descriptor: descriptor, length: length), type)
    }

    init(_ bytes: PictureBytes, _ type: PictureType) {
        let metadata = PictureMetadata(bytes, type)
        self.type = type
        orientation = type.heedsEXIFOrientation ? metadata.orientation ?? 1 : 1
        let blocks = type.format.reader.metadata(bytes)
        hasOwnColors =
            switch type {
            case .jpeg: JPEG.hasOwnColors(bytes)
            case .bmp: false
            case .gif, .png, .webp, .avif, .heic, .heif: blocks.hasProfile
            case .tiff: blocks.profile != nil || TIFF.hasInks(bytes)
            default: true
            }
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
        colorProfile = metadata.colorProfile
        let isOfSRGB = colorProfile?.hasPrefix("sRGB") == true
        needsTrueColors =
            switch type {
            case .avif, .heic, .heif: true
            case .jpeg, .png, .webp, .gif: hasOwnColors && !isOfSRGB
            default: false
            }
        animationProfile =
            type == .webp && !WebP.delays(bytes, most: 1).isEmpty
            ? blocks.profile.map { bytes.array($0, limit: 1 << 20) } : nil
        rights = CreditBlocks(of: metadata)
        preview = RawPreview.jpeg(bytes, type).map { jpeg in
            let own = PictureMetadata(PictureBytes(jpeg), .jpeg).orientation
            return CreditBlocks(of: metadata, turned: own ?? metadata.orientation).added(
                toCleaned: jpeg, .jpeg) ?? jpeg
        }
    }

    /// A converter's output as it may be kept: without metadata but for author and copyright.
    ///
    /// - Parameters:
    ///   - edge: how many pixels its longer edge is to have.
    ///   - isAnimation: whether it is to have several frames; a frame that is shown twice may have become one.
    /// - Returns: `nil` unless it is a whole picture of that type and size.
    package func accepted(
        _ output: [UInt8], as type: PictureType, longestEdge edge: Int, isAnimation: Bool = false
    ) -> [UInt8]? {
        guard case .whole(type, let size?) = PictureFile.examine(PictureBytes(output)),
            abs(max(size.width, size.height) - edge) <= 1,
            !isAnimation || WebP.delays(PictureBytes(output), most: 2).count > 1
        else { return nil }
        return rights.added(toCleaned: output, type) ?? output
    }
}

import Basics

/// How much of what pictures say of themselves is published with them.
package enum PublishedMetadata: String, Hashable, Sendable, CaseIterable {
    /// All.
    case keep
    /// Colors, orientation, and who made them and may use them: not where they were taken, nor with which camera.
    case safe
    /// Colors and orientation.
    case none
}

extension PublishedMetadata {
    /// A whole picture with no more than this, pixel for pixel the same, and without what follows its end: films and
    /// further pictures of phones. A JPEG's gain map is no such picture, unless nothing but colors is wanted.
    ///
    /// - Returns: `nil` for formats whose files are not taken apart here, and for files that need what is not known.
    package func applied(to picture: [UInt8], _ type: PictureType) -> [UInt8]? {
        guard self != .keep else { return picture }
        var metadata = PictureMetadata(PictureBytes(picture), type)
        // A TIFF's own tag stays.
        let orientation = type.heedsEXIFOrientation && type != .tiff ? metadata.orientation : nil
        if self == .none { metadata = PictureMetadata() }
        let gain = self == .safe && type == .jpeg ? GainMap(of: picture) : nil
        let blocks = CreditBlocks(of: metadata, turned: orientation, before: gain)
        return gain?.following(JPEG.cleaned(picture, adding: blocks.exif, blocks.xmp, gain?.iso))
            ?? blocks.added(toCleaned: picture, type)
    }
}

extension PictureType {
    /// Whether a file says where it comes from in content credentials (C2PA), which none that is changed can keep.
    package func hasCredentials(_ picture: [UInt8]) -> Bool {
        switch self {
        case .jpeg: JPEG.hasCredentials(PictureBytes(picture))
        case .png: PNG.hasCredentials(PictureBytes(picture))
        case .webp: WebP.hasCredentials(PictureBytes(picture))
        default: false
        }
    }
}

/// What a file says of its picture's author and rights, and how it is turned.
package struct CreditBlocks: Hashable {
    /// A block of EXIF: orientation, author, and copyright; `nil` where there are none.
    let exif: [UInt8]?
    /// A packet of XMP: what EXIF has no place for.
    let xmp: [UInt8]?

    /// - Parameter orientation: 1 to 8, as EXIF has it.
    package init(of metadata: PictureMetadata, turned orientation: Int? = nil, before gain: GainMap? = nil) {
        exif = Self.exif(orientation, metadata)
        xmp = Self.xmp(metadata, gain?.isInXMP == true ? gain?.directory : nil)
    }

    /// A whole picture with these instead of all that its file said.
    ///
    /// - Returns: `nil` as ``PublishedMetadata/applied(to:_:)``.
    package func added(toCleaned picture: [UInt8], _ type: PictureType) -> [UInt8]? {
        switch type {
        case .jpeg: JPEG.cleaned(picture, adding: exif, xmp)
        case .png:
            PNG.adding(
                [
                    exif.map { ("eXIf", $0) },
                    xmp.map { ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + $0) },
                ].compactMap(\.self), to: PNG.cleaned(picture))
        case .webp: WebP.cleaned(picture, adding: exif, xmp)
        case .jxl: JPEGXL.cleaned(picture, adding: exif, xmp)
        case .avif, .heic, .heif: ISOMedia.cleaned(picture, adding: exif, xmp)
        case .tiff: TIFF.cleaned(picture, adding: exif, xmp)
        // These have no room for any.
        case .gif: GIF.cleaned(picture)
        case .bmp: BMP.cleaned(picture)
        // In a camera's raw file, serial numbers are among what is needed to read it.
        default: nil
        }
    }

    private static func xmp(
        _ metadata: PictureMetadata, _ gain: (attributes: String, elements: String)?
    ) -> [UInt8]? {
        func property(_ name: String, _ text: String?) -> String {
            guard let text else { return "" }
            let escapes = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
            let escaped = PlainText.line(text).map { escapes[String($0)] ?? String($0) }.joined()
            return "<\(name)>\(escaped)</\(name)>"
        }
        func choice(_ name: String, _ text: String?) -> String {
            text == nil
                ? ""
                : "<\(name)><rdf:Alt>\(property("rdf:li", text))</rdf:Alt></\(name)>"
                    .replacing("<rdf:li>", with: "<rdf:li xml:lang=\"x-default\">")
        }
        let properties =
            property("photoshop:Credit", metadata.credit)
            + property("xmpRights:WebStatement", metadata.rightsPage)
            + choice("xmpRights:UsageTerms", metadata.usageTerms)
        guard !properties.isEmpty || gain != nil else { return nil }
        let names =
            #" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/""#
            + #" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/""#
        return XMP.packet(names + (gain?.attributes ?? ""), properties + (gain?.elements ?? ""))
    }

    private static func exif(_ orientation: Int?, _ metadata: PictureMetadata) -> [UInt8]? {
        // Ascending, as TIFF wants its tags. Texts below five bytes would stand in the directory itself.
        // A JPEG's block has at most 64 KiB.
        let texts = [(0x13B, metadata.artist), (0x8298, metadata.copyright)].compactMap { tag, text in
            text.map { $0.utf8.prefix(4096) }.map {
                (tag, Array($0) + [UInt8](repeating: 0, count: max(1, 5 - $0.count)))
            }
        }
        var (entries, values) = ([[UInt8]](), [UInt8]())
        if let orientation { entries.append([0x12, 1, 3, 0, 1, 0, 0, 0] + [UInt8](little: orientation, 4)) }
        let start = 8 + 2 + 12 * (entries.count + texts.count) + 4
        for (tag, text) in texts {
            entries.append(
                [UInt8](little: tag, 2) + [2, 0] + [UInt8](little: text.count, 4)
                    + [UInt8](little: start + values.count, 4))
            values += text
        }
        guard !entries.isEmpty else { return nil }
        return Array("II*\0".utf8) + [8, 0, 0, 0, UInt8(entries.count), 0] + entries.joined() + [0, 0, 0, 0]
            + values
    }
}

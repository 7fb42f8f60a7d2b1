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
    /// further pictures of phones.
    ///
    /// - Returns: `nil` for formats whose files are not taken apart here.
    package func applied(to picture: [UInt8], _ type: PictureType) -> [UInt8]? {
        guard self != .keep else { return picture }
        var metadata = PictureMetadata(PictureBytes(picture), type)
        let orientation = type.heedsEXIFOrientation ? metadata.orientation : nil
        if self == .none { metadata = PictureMetadata() }
        return CreditBlocks(of: metadata, turned: orientation).added(toCleaned: picture, type)
    }
}

extension PictureType {
    /// Whether ``PublishedMetadata/applied(to:_:)`` takes such files apart.
    package var isCleanable: Bool { [.jpeg, .png, .webp, .gif, .bmp, .jxl].contains(self) }

    /// Whether `output` is a whole picture of this type and of the size that `file` has, and says nothing of a place
    /// or a camera: what a program has made may be anything. This blocks.
    package func isClean(_ output: [UInt8], comparedTo file: Descriptor) -> Bool {
        guard let length = try? SystemCall.status(of: file).length else { return false }
        let (bytes, source) = (
            PictureBytes(output), PictureBytes(descriptor: file.number, length: length)
        )
        guard case .whole(self, let size) = PictureFile.examine(bytes), size == format.reader.size(source)
        else {
            return false
        }
        let metadata = PictureMetadata(bytes, self)
        // Films and notes of phones are boxes of their own.
        let known = Set(["ftyp", "meta", "mdat", "free"].map(ISOMedia.name))
        let isMedia = bytes.matches("ftyp", at: 4)
        let boxes = isMedia ? ISOMedia.boxes(in: 0..<bytes.count, bytes) : []
        return metadata.latitude == nil && metadata.camera == nil && metadata.lens == nil
            && boxes.allSatisfy { known.contains($0.name) }
            && (boxes.last?.content.upperBound ?? bytes.count) == bytes.count
    }
}

/// What a file says of its picture's author and rights, and how it is turned.
package struct CreditBlocks: Hashable {
    /// A block of EXIF: orientation, author, and copyright; `nil` where there are none.
    let exif: [UInt8]?
    /// A packet of XMP: what EXIF has no place for.
    let xmp: [UInt8]?

    /// - Parameter orientation: 1 to 8, as EXIF has it.
    package init(of metadata: PictureMetadata, turned orientation: Int? = nil) {
        exif = Self.exif(orientation, metadata)
        xmp = Self.xmp(metadata)
    }

    /// A whole picture with these instead of all that its file said.
    ///
    /// - Returns: `nil` for formats whose files are not taken apart here.
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
        case .gif: GIF.cleaned(picture)
        // It has no room for any.
        case .bmp: picture
        default: nil
        }
    }

    /// The packet that ``XMP`` reads these from.
    private static func xmp(_ metadata: PictureMetadata) -> [UInt8]? {
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
        guard !properties.isEmpty else { return nil }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
            xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return Array(packet.utf8)
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

import Foundation
import GalleryCore
import PictureFiles

/// One SVG image made of several pictures: the same bytes for the same ones, with no references outside itself.
package struct Collage: Sendable {
    package enum Style: String, Sendable, CaseIterable {
        /// Cells of one proportion, which pictures fill and are cropped to.
        case grid
        /// Rows of whole pictures.
        case rows
        /// Whole pictures of different sizes, like a wall of frames.
        case mosaic
    }

    /// The photos, in order, each with its first picture, and where that stands.
    let images: [(photo: PublishedPhoto, picture: PublishedPicture, frame: LayoutFrame)]
    private let width: Int
    private let height: Int
    private let background: String?
    private let showsCredits: Bool
    package var size: PixelSize? { PixelSize(width: width, height: height) }

    /// A collage of `photos`.
    ///
    /// - Parameters:
    ///   - style: How pictures share the canvas.
    ///   - columns: Pictures a row, from 1: at most in a grid, about as many in rows; `nil` for what suits them.
    ///   - width: The canvas's width in pixels, from 1.
    ///   - ratio: The canvas's width by its height; `nil` for what suits the pictures.
    ///   - gap: Pixels between pictures, from 0.
    ///   - background: The color behind the pictures, as SVG names it; `nil` for none.
    package init(
        _ photos: [PublishedPhoto], style: Style = .grid, columns: Int? = nil, width: Int = 1200,
        ratio: Double? = nil, gap: Int = 8, background: String? = nil, showsCredits: Bool = false
    ) {
        let pictures = photos.map { $0.pictures.first ?? $0.thumbnail }
        let sizes = pictures.map(\.size)
        // With a shape to fill, of all that come into question the one that comes closest.
        let counts: [Int?] =
            ratio == nil || columns != nil ? [columns] : (1...max(1, sizes.count)).map(\.self)
        let layouts: [PictureLayout] =
            switch style {
            case .grid: counts.map { .grid(sizes, columns: $0, width: width, gap: gap) }
            case .rows:
                counts.map { columns in
                    let columns = columns ?? PictureLayout.columns(for: sizes.count)
                    let ratio = sizes.isEmpty ? 1 : sizes.map(\.ratio).reduce(0, +) / Double(sizes.count)
                    let target = Double(width) / Double(max(1, columns)) / ratio
                    return .rows(sizes, width: width, targetHeight: Int(target.rounded()), gap: gap)
                }
            case .mosaic: [.mosaic(sizes, width: width, gap: gap, ratio: ratio)]
            }
        let wanted = ratio.map { max(1, Int((Double(width) / $0).rounded())) }
        let layout = PictureLayout.closest(layouts, toHeight: wanted)
        // Cells crop what is in them anyway.
        let crop = style == .grid ? 0.4 : 0.12
        let shaped = wanted.map { layout.fitted(width: width, height: $0, mostCrop: crop) } ?? layout
        images = zip(photos, zip(pictures, shaped.frames)).map { ($0, $1.0, $1.1) }
        self.width = width
        height = wanted ?? max(1, layout.height)
        (self.background, self.showsCredits) = (background, showsCredits)
    }

    // MARK: - SVG

    /// Hands the collage to `write` a piece at a time, pictures a stretch at a time. This blocks.
    ///
    /// - Throws: ``PublishError/cannotRead(path:_:)`` for a picture, or what `write` throws.
    package func write(to write: ([UInt8]) throws -> Void) throws {
        func add(_ text: String) throws { try write(Array(text.utf8)) }
        try add(opening.text)
        for (photo, picture, frame) in images {
            try add(CollageImage(photo: photo, picture: picture, frame: frame).opening.text)
            let bytes = try PublishError.naming(picture.file, PublishError.cannotRead, try picture.content())
            guard let cleaned = CollageImage.upright(bytes, picture.type) else {
                throw PublishError.uncleaned(format: picture.type.format.name)
            }
            // Base64 makes whole letters of three bytes: only the last stretch may be any other length.
            for start in stride(from: 0, to: cleaned.count, by: 3 << 16) {
                let stretch = cleaned[start..<min(cleaned.count, start + (3 << 16))]
                try write(Array(Data(stretch).base64EncodedData()))
            }
            try add("\"/>\n</g>\n")
            if showsCredits { try add(CollageCredit(photo: photo, frame: frame).markup.text) }
        }
        try add("</svg>\n")
    }

    /// Hands the collage to `write` as ``write(to:)`` does, with its mark.
    func writeMarked(to write: ([UInt8]) throws -> Void) throws {
        var (digest, last) = (Digest(), [UInt8]())
        try self.write { bytes in
            last.withUnsafeBytes { digest.add($0) }
            try write(last)
            last = bytes
        }
        try write(CollageMark.marked(last, after: digest))
    }

    /// The same off the threads that tasks share.
    package func written(to write: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
        try await Disk.run { try self.writeMarked(to: write) }
    }

    private var opening: SafeMarkup {
        let count = images.count == 1 ? "1 photo" : "\(images.count) photos"
        let background: SafeMarkup? = background.map {
            "<rect width=\"\(width)\" height=\"\(height)\" fill=\"\($0)\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" \
            width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
            <title>\(count)</title>
            \(background)
            """
    }
}

/// One picture's element, which turns it: some programs turn an embedded picture as its EXIF orientation says, and
/// others do not, so the file says nothing of it.
private struct CollageImage {
    let photo: PublishedPhoto
    let picture: PublishedPicture
    let frame: LayoutFrame

    var opening: SafeMarkup {
        let isTurned = (5...8).contains(picture.orientation)
        let (width, height) = isTurned ? (frame.height, frame.width) : (frame.width, frame.height)
        let credit: SafeMarkup? = photo.photo.credit.map { "<desc>\($0)</desc>\n" }
        return """
            <g transform="\(transform)">
            <title>\(photo.title)</title>
            \(credit)\
            <image width="\(width)" height="\(height)" preserveAspectRatio="xMidYMid slice" \
            xlink:href="data:\(picture.type.mediaType);base64,
            """
    }

    /// A picture's file with its pixels, colors, and credit alone; `nil` for one that cannot be rewritten.
    static func upright(_ file: [UInt8], _ type: PictureType) -> [UInt8]? {
        CreditBlocks(of: PictureMetadata(PictureBytes(file), type)).added(toCleaned: file, type)
    }

    private var transform: SafeMarkup {
        guard let matrix else { return "translate(\(frame.x) \(frame.y))" }
        let (x, y) = (frame.x + matrix.right * frame.width, frame.y + matrix.down * frame.height)
        return "matrix(\(matrix.a) \(matrix.b) \(matrix.c) \(matrix.d) \(x) \(y))"
    }

    /// SVG's matrix that turns the stored pixels, and by how many widths and heights it moves them back into
    /// the frame; `nil` where they stand upright.
    private var matrix: (a: Int, b: Int, c: Int, d: Int, right: Int, down: Int)? {
        switch picture.orientation {
        case 2: (-1, 0, 0, 1, 1, 0)
        case 3: (-1, 0, 0, -1, 1, 1)
        case 4: (1, 0, 0, -1, 0, 1)
        case 5: (0, 1, 1, 0, 0, 0)
        case 6: (0, 1, -1, 0, 1, 0)
        case 7: (0, -1, -1, 0, 1, 1)
        case 8: (0, -1, 1, 0, 0, 1)
        default: nil
        }
    }
}

private struct CollageCredit {
    let photo: PublishedPhoto
    let frame: LayoutFrame

    var markup: SafeMarkup {
        let size = min(16, max(9, frame.width / 24))
        // Letters are about half as wide as high, those of East Asia as wide.
        let room = max(1, (frame.width - size) * 20 / (size * 11))
        let line = PlainText.line(photo.photo.credit ?? "")
        let isWide = line.unicodeScalars.contains { $0.value > 0x2E80 }
        guard !line.isEmpty, frame.height > 3 * size else { return "" }
        let text = PlainText.excerpt(line, limit: isWide ? max(1, room / 2) : room)
        let bottom = frame.y + frame.height
        return """
            <rect x="\(frame.x)" y="\(bottom - 2 * size)" width="\(frame.width)" height="\(2 * size)" \
            fill="#000" fill-opacity="0.6"/>
            <text x="\(frame.x + size / 2)" y="\(bottom - 2 * size / 3)" font-family="sans-serif" \
            font-size="\(size)" fill="#fff">\(text)</text>

            """
    }
}

extension NamedFile {
    /// Writes a collage with its mark.
    package func write(_ collage: Collage) async throws {
        try await write { try collage.writeMarked(to: $0) }
    }

    /// The same for a collage that is drawn.
    package func write(_ picture: [UInt8]) async throws {
        try await write { try $0(CollageMark.marked(picture)) }
    }
}

/// What a collage has before its format's end, by which the program knows it for its own: a digest of all before that.
/// One that anybody has changed has another.
package enum CollageMark: CaseIterable {
    case svg, png, jpeg

    private static let words = "gallery collage "

    /// The last bytes of every file of the format.
    private var end: [UInt8] {
        switch self {
        case .svg: Array("</svg>\n".utf8)
        case .png: [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
        case .jpeg: [0xFF, 0xD9]
        }
    }

    /// An SVG's metadata, or a comment of the other formats, and the end.
    private func tail(_ digest: String) -> [UInt8] {
        let text = Array((Self.words + digest).utf8)
        switch self {
        case .svg: return Array("<metadata>".utf8) + text + Array("</metadata>\n".utf8) + end
        case .png: return PNG.chunk("tEXt", Array("Comment\0".utf8) + text) + end
        case .jpeg: return [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text + end
        }
    }

    /// The last bytes of a picture with the mark of its format, where it is one of these.
    package static func marked(_ last: [UInt8], after digest: Digest = Digest()) -> [UInt8] {
        guard let mark = allCases.first(where: { last.reversed().starts(with: $0.end.reversed()) }) else {
            return last
        }
        var digest = digest
        let start = Array(last.dropLast(mark.end.count))
        start.withUnsafeBytes { digest.add($0) }
        return start + mark.tail(digest.text)
    }

    /// Whether a file is a collage that nobody has changed.
    static func isOn(_ file: Descriptor, _ length: Int64) throws(SystemCall.Failure) -> Bool {
        for mark in allCases {
            let count = Int64(mark.tail(String(repeating: "0", count: 16)).count)
            guard length > count else { continue }
            let tail = try SystemCall.read(file, at: length - count, count: Int(count))
            guard tail.firstRange(of: Array(words.utf8)) != nil else { continue }
            if tail == mark.tail(try Digest.text(of: file, length: length - count)) { return true }
        }
        return false
    }
}

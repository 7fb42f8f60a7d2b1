import Foundation
import GalleryCore
import PictureFiles

/// One SVG image made of several pictures.
///
/// The same pictures give the same bytes. It refers to nothing outside itself.
package struct Collage: Sendable {
    package enum Style: String, Sendable, CaseIterable {
        /// Cells of one proportion, which pictures fill and are cropped to.
        case grid
        /// Rows of whole pictures.
        case rows
        /// Whole pictures of different sizes, like a wall of frames.
        case mosaic
    }

    /// What stands around the pictures, and over them.
    package struct Decoration: Hashable, Sendable {
        /// The color behind the pictures, as SVG names it; `nil` for none.
        package var background: String?
        package var showsCredits = false

        /// No color, and no credits.
        package init() {}
    }

    /// The photos, in order, each with its first picture, and where that stands.
    let images: [(photo: PublishedPhoto, picture: PublishedPicture, frame: LayoutFrame)]
    private let width: Int
    private let height: Int
    private let decoration: Decoration
    package var size: PixelSize? { PixelSize(width: width, height: height) }

    /// A collage of `photos`.
    ///
    /// - Parameters:
    ///   - style: How pictures share the canvas.
    ///   - columns: Pictures a row, from 1: at most, in a grid, and about, in rows; `nil` for a number that suits
    ///     them.
    ///   - width: The canvas's width in pixels, from 1.
    ///   - ratio: The canvas's width by its height; `nil` for what suits the pictures.
    ///   - gap: Pixels between pictures, from 0.
    package init(
        _ photos: [PublishedPhoto], style: Style = .grid, columns: Int? = nil, width: Int = 1200,
        ratio: Double? = nil, gap: Int = 8, _ decoration: Decoration = Decoration()
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
        self.decoration = decoration
    }

    // MARK: - SVG

    /// Hands the collage to `write` a piece at a time, pictures a stretch at a time.
    ///
    /// This blocks.
    ///
    /// - Throws: ``PublishError/cannotRead(path:_:)`` for a picture, or what `write` throws.
    func write(to write: (String) throws -> Void) throws {
        try write(opening.text)
        for (photo, picture, frame) in images {
            try write(CollageImage(photo: photo, picture: picture, frame: frame).opening.text)
            let bytes = try PublishError.naming(picture.file, PublishError.cannotRead) {
                () throws(SystemCall.Failure) in
                let file = try PublishedPicture.open(picture.file)
                return try SystemCall.read(
                    file, at: 0, count: Int(clamping: SystemCall.status(of: file).length))
            }
            guard let cleaned = CollageImage.upright(bytes, picture.type) else {
                throw PublishError.uncleaned(format: picture.type.format.name)
            }
            // Base64 makes whole letters of three bytes: only the last stretch may be any other length.
            for start in stride(from: 0, to: cleaned.count, by: 3 << 16) {
                let stretch = cleaned[start..<min(cleaned.count, start + (3 << 16))]
                try write(Data(stretch).base64EncodedString())
            }
            try write("\"/>\n</g>\n")
            if decoration.showsCredits { try write(CollageCredit(photo: photo, frame: frame).markup.text) }
        }
        try write("</svg>\n")
    }

    /// Hands the collage to `write` as ``write(to:)`` does, off the threads that tasks share.
    package func written(to write: @escaping @Sendable (String) throws -> Void) async throws {
        try await Disk.run { try self.write(to: write) }
    }

    private var opening: SafeMarkup {
        let count = images.count == 1 ? "1 photo" : "\(images.count) photos"
        let background: SafeMarkup? = decoration.background.map {
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

/// One picture's element.
///
/// Some programs turn an embedded picture as its EXIF orientation says, and others do not. So the element
/// turns it, and the file says nothing of it.
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

    /// A whole picture's file with its pixels, colors, and credit alone: nothing of how it is turned, or where it
    /// was taken. `nil` for a file that cannot be rewritten.
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

/// Writes a collage to a file, which appears when it is whole.
package struct CollagePublisher: Sendable {
    private let file: URL

    /// A publisher to `file`, whose folder is created if missing.
    package init(_ file: URL) { self.file = file }

    /// Creates the file's folder if missing, and makes sure that it may be written to.
    package func prepare() async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in _ = try draft() }
    }

    /// Writes `collage`, replacing the file if there is one.
    package func publish(_ collage: Collage) async throws {
        try await publish { write in try collage.write { try write(Array($0.utf8)) } }
    }

    /// Writes a drawn collage, replacing the file if there is one.
    package func publish(_ picture: [UInt8]) async throws {
        try await publish { write in try write(picture) }
    }

    private func publish(_ content: @escaping @Sendable (([UInt8]) throws -> Void) throws -> Void)
        async throws
    {
        try await Disk.run {
            let draft = try draft()
            try content { bytes in
                try PublishError.naming(file, PublishError.cannotWrite) { () throws(SystemCall.Failure) in
                    try SystemCall.write(bytes, to: draft.file)
                }
            }
            try PublishError.naming(file, PublishError.cannotWrite) { () throws(SystemCall.Failure) in
                try draft.finish(isDurable: false)
            }
        }
    }

    private func draft() throws(PublishError) -> FileDraft {
        let folder = try PublishError.creating(file) { () throws(DownloadError) in
            try DestinationFolder(creating: file.deletingLastPathComponent()).root
        }
        return try PublishError.naming(file, { .cannotCreate(path: $0, reason: $1.reason) }) {
            () throws(SystemCall.Failure) in
            if let status = try SystemCall.status(of: file.lastPathComponent, in: folder), status.isFolder {
                throw SystemCall.Failure(code: EISDIR)
            }
            // What a run that was killed has left.
            let left = try? SystemCall.names(in: folder) { name, _ in
                FileDraft.name(of: name) == file.lastPathComponent
            }
            for draft in left ?? [] { FileDraft.clear(draft, in: folder) }
            return try FileDraft(of: file.lastPathComponent, in: folder, mode: 0o666)
        }
    }
}

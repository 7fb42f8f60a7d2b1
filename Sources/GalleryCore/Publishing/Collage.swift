import Foundation

/// One SVG image made of several pictures.
///
/// The same pictures give the same bytes. It refers to nothing outside itself.
package struct Collage: Sendable {
    /// How pictures share the canvas.
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
    /// The canvas's size.
    package var size: PixelSize? { PixelSize(width: width, height: height) }

    /// A collage of `photos`.
    ///
    /// - Parameters:
    ///   - style: How pictures share the canvas.
    ///   - columns: Pictures a row, from 1: at most, in a grid, and about, in rows; `nil` for a number that suits
    ///     them.
    ///   - width: The canvas's width in pixels, from 1.
    ///   - gap: Pixels between pictures, from 0.
    package init(
        _ photos: [PublishedPhoto], style: Style = .grid, columns: Int? = nil, width: Int = 1200, gap: Int = 8
    ) {
        let pictures = photos.map { $0.pictures.first ?? $0.thumbnail }
        let sizes = pictures.map(\.size)
        let layout: PictureLayout
        switch style {
        case .grid: layout = .grid(sizes, columns: columns, width: width, gap: gap)
        case .rows:
            let columns = columns ?? PictureLayout.columns(for: sizes.count)
            let ratio = sizes.isEmpty ? 1 : sizes.map(\.ratio).reduce(0, +) / Double(sizes.count)
            let target = Double(width) / Double(max(1, columns)) / ratio
            layout = .rows(sizes, width: width, targetHeight: Int(target.rounded()), gap: gap)
        case .mosaic: layout = .mosaic(sizes, width: width, gap: gap)
        }
        images = zip(photos, zip(pictures, layout.frames)).map { ($0, $1.0, $1.1) }
        self.width = width
        height = max(1, layout.height)
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
            let file = try PublishError.naming(picture.file, PublishError.cannotRead) {
                () throws(SystemCall.Failure) in try PublishedPicture.open(picture.file)
            }
            var offset: Int64 = 0
            // Base64 makes whole letters of three bytes: only the last stretch may be any other length.
            let stretch = 3 << 16
            while true {
                let bytes = try PublishError.naming(picture.file, PublishError.cannotRead) {
                    () throws(SystemCall.Failure) in try SystemCall.read(file, at: offset, count: stretch)
                }
                try write(Data(bytes).base64EncodedString())
                offset += Int64(bytes.count)
                if bytes.count < stretch { break }
            }
            try write("\"/>\n</g>\n")
        }
        try write("</svg>\n")
    }

    /// Hands the collage to `write` as ``write(to:)`` does, off the threads that tasks share.
    package func written(to write: @escaping @Sendable (String) throws -> Void) async throws {
        try await Disk.run { try self.write(to: write) }
    }

    private var opening: SafeMarkup {
        let count = images.count == 1 ? "1 photo" : "\(images.count) photos"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" \
            width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
            <title>\(count)</title>

            """
    }
}

/// One picture's element.
///
/// Browsers turn an embedded picture as its EXIF orientation says, other renderers do not. Here the
/// element turns it, and browsers are told not to, so that it stands upright in all of them.
private struct CollageImage {
    let photo: PublishedPhoto
    let picture: PublishedPicture
    let frame: LayoutFrame

    var opening: SafeMarkup {
        let isTurned = (5...8).contains(picture.orientation)
        let (width, height) = isTurned ? (frame.height, frame.width) : (frame.width, frame.height)
        let credit: SafeMarkup? = photo.photo.credit.map { "<desc>\($0)</desc>\n" }
        let style: SafeMarkup = matrix == nil ? "" : " style=\"image-orientation: none\""
        return """
            <g transform="\(transform)">
            <title>\(photo.title)</title>
            \(credit)\
            <image width="\(width)" height="\(height)" preserveAspectRatio="xMidYMid slice"\(style) \
            xlink:href="data:\(picture.type.mediaType);base64,
            """
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
            return try FileDraft(of: file.lastPathComponent, in: folder, mode: 0o666)
        }
    }
}

import Foundation

/// One SVG image made of several pictures, each embedded byte for byte.
///
/// The same pictures give the same bytes. It refers to nothing outside itself.
public struct Collage: Sendable {
    /// How pictures share the canvas.
    public enum Style: String, Sendable, CaseIterable {
        /// Cells of one proportion, which pictures fill and are cropped to.
        case grid
        /// Rows of whole pictures.
        case rows
        /// Whole pictures of different sizes, like a wall of frames.
        case mosaic
    }

    /// One picture.
    public struct Picture: Hashable, Sendable {
        /// Its photo's title. Untrusted text.
        public let title: String
        /// Its author and license, as far as known. Untrusted text.
        public let credit: String?
        /// Where its bytes are.
        public let file: URL
        /// The MIME type of its format, such as `image/jpeg`.
        public let mediaType: String
        /// Width and height as it is looked at, in pixels.
        public let size: PixelSize
        /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF; 1 for not at all.
        public let orientation: Int

        /// The picture at `file`.
        public init(
            title: String, credit: String?, file: URL, mediaType: String, size: PixelSize,
            orientation: Int = 1
        ) {
            self.title = title
            self.credit = credit
            self.file = file
            self.mediaType = mediaType
            self.size = size
            self.orientation = orientation
        }
    }

    /// How it looks.
    public struct Options: Sendable {
        /// How pictures share the canvas.
        public var style = Style.grid
        /// Pictures a row, from 1: at most, in a grid, and about, in rows; `nil` for a number that suits them.
        public var columns: Int?
        /// The canvas's width in pixels, from 1.
        public var width = 1200
        /// Pixels between pictures, from 0.
        public var gap = 8

        /// The defaults.
        public init() {}
    }

    /// The pictures, in order.
    public let pictures: [Picture]
    /// How it looks.
    public let options: Options
    /// Where each picture stands.
    let layout: any PictureLayout

    /// A collage of `pictures`.
    public init(_ pictures: [Picture], options: Options = Options()) {
        self.pictures = pictures
        self.options = options
        layout = Self.layout(of: pictures.map(\.size), options)
    }

    private static func layout(of sizes: [PixelSize], _ options: Options) -> any PictureLayout {
        switch options.style {
        case .grid:
            return GridLayout(sizes, columns: options.columns, width: options.width, gap: options.gap)
        case .rows:
            let columns = options.columns ?? GridLayout.columns(for: sizes.count)
            let ratio = sizes.isEmpty ? 1 : sizes.map(\.ratio).reduce(0, +) / Double(sizes.count)
            let target = Double(options.width) / Double(max(1, columns)) / ratio
            return JustifiedRows(
                sizes, width: options.width, targetHeight: Int(target.rounded()), gap: options.gap)
        case .mosaic:
            return MosaicLayout(sizes, width: options.width, gap: options.gap)
        }
    }

    // MARK: - SVG

    /// Hands the collage to `write` a piece at a time, pictures a stretch at a time.
    ///
    /// - Parameter read: the bytes of a picture from an offset, at most as many as said; fewer only at its end.
    func write<Failure: Error>(
        reading read: (Picture, _ offset: Int64, _ count: Int) throws(Failure) -> [UInt8],
        to write: (String) throws(Failure) -> Void
    ) throws(Failure) {
        try write(opening.text)
        for (picture, frame) in zip(pictures, layout.frames) {
            let image = CollageImage(picture: picture, frame: frame)
            try write(image.opening.text)
            var offset: Int64 = 0
            while true {
                // Base64 makes whole letters of three bytes: only the last stretch may be any other length.
                let bytes = try read(picture, offset, 3 << 16)
                try write(Data(bytes).base64EncodedString())
                offset += Int64(bytes.count)
                if bytes.count < 3 << 16 { break }
            }
            try write(image.closing.text)
        }
        try write("</svg>\n")
    }

    private var opening: SafeMarkup {
        let height = max(1, layout.height)
        let count = pictures.count == 1 ? "1 photo" : "\(pictures.count) photos"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" \
            width="\(options.width)" height="\(height)" viewBox="0 0 \(options.width) \(height)">
            <title>\(count)</title>

            """
    }
}

/// One picture's element.
///
/// Browsers turn an embedded picture as its EXIF orientation says, other renderers do not. Here the
/// element turns it, and browsers are told not to, so that it stands upright in all of them.
private struct CollageImage {
    let picture: Collage.Picture
    let frame: LayoutFrame

    var opening: SafeMarkup {
        let isTurned = (5...8).contains(picture.orientation)
        let (width, height) = isTurned ? (frame.height, frame.width) : (frame.width, frame.height)
        let credit: SafeMarkup? = picture.credit.map { "<desc>\($0)</desc>\n" }
        let title = PlainText.line(picture.title)
        let style: SafeMarkup = matrix == nil ? "" : " style=\"image-orientation: none\""
        return """
            <g transform="\(transform)">
            <title>\(title.isEmpty ? "Untitled" : title)</title>
            \(credit)\
            <image width="\(width)" height="\(height)" preserveAspectRatio="xMidYMid slice"\(style) \
            xlink:href="data:\(picture.mediaType);base64,
            """
    }

    var closing: SafeMarkup {
        """
        "/>
        </g>

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

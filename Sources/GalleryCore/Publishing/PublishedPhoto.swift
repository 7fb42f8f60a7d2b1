import Foundation

/// A photo with those of its files that a page shows.
public struct PublishedPhoto: Hashable, Sendable {
    /// One file below the site's folder.
    public struct Picture: Hashable, Sendable {
        /// The path below the folder, parts separated by `/`.
        public let path: String
        /// Width and height as the picture is looked at, in pixels.
        public let size: PixelSize
        /// The file's length.
        public let bytes: Int64

        /// The file at `path`.
        public init(path: String, size: PixelSize, bytes: Int64) {
            self.path = path
            self.size = size
            self.bytes = bytes
        }
    }

    /// The photo as its service describes it.
    public let entry: IndexedPhoto
    /// What a second request told of it; `nil` where there was none.
    public let detail: PhotoDetail?
    /// What its page and its anchor are called: a safe file name that is this photo's on every run.
    public let name: String
    /// The picture in the grid.
    public let thumbnail: Picture
    /// The pictures of its page, first page of the work first; empty where it has no page.
    public let pictures: [Picture]
    /// The path of a full file that browsers do not show, and that its page only links to; `nil` elsewhere.
    public let original: String?
    /// When its file came to the folder.
    public let added: Date

    /// A photo to publish.
    public init(
        entry: IndexedPhoto, detail: PhotoDetail? = nil, name: String, thumbnail: Picture,
        pictures: [Picture], original: String? = nil, added: Date
    ) {
        self.entry = entry
        self.detail = detail
        self.name = name
        self.thumbnail = thumbnail
        self.pictures = pictures
        self.original = original
        self.added = added
    }

    var photo: Photo { entry.photo }

    /// The title, or what stands for one.
    var title: String {
        let title = PlainText.line(photo.title)
        return title.isEmpty ? "Untitled" : title
    }

    /// The author's name; `nil` where there is none to show.
    var author: String? { Self.filled(photo.author?.name) }

    var license: String? { Self.filled(photo.license) }

    /// What stands for the picture where it cannot be seen.
    var alternative: String { author.map { "\(title), by \($0)" } ?? title }

    /// The photo's page at its service; `nil` where there is none that a browser may be sent to.
    var source: URL? { Self.web(photo.page) }

    /// Where the license can be read; `nil` as with ``source``.
    var licenseAddress: URL? { Self.web(photo.licenseURL) }

    private static func web(_ address: URL?) -> URL? {
        guard let address, ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false
        else { return nil }
        return address
    }

    /// When the photo was published, else taken, else added here.
    var updated: Date { photo.published ?? photo.taken ?? added }

    private static func filled(_ text: String?) -> String? {
        text.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}

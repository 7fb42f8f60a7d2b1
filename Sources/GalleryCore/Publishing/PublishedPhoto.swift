import Foundation

/// A picture file that is published, and what has to be known of it.
struct PublishedPicture: Hashable, Sendable {
    let file: URL
    let type: PictureType
    /// Width and height as it is looked at, in pixels; a square where the file does not say.
    let size: PixelSize
    /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF; 1 for not at all.
    let orientation: Int
    /// The file's length.
    let bytes: Int64
    /// When the file was last written.
    let modified: Date

    /// The path below a site's folder, in one of its two folders of pictures.
    var path: String { file.pathComponents.suffix(2).joined(separator: "/") }
}

extension PublishedPicture {
    /// Reads the file. This blocks.
    init(of file: URL) throws(PublishError) {
        self = try PublishError.naming(file, PublishError.cannotRead) { () throws(SystemCall.Failure) in
            let opened = try Self.open(file)
            let status = try SystemCall.status(of: opened)
            let bytes = PictureBytes(descriptor: opened.number, length: status.length)
            guard let header = ImageHeader(bytes, named: file.lastPathComponent),
                let square = PixelSize(width: 1, height: 1)
            else { throw bytes.failure ?? SystemCall.Failure(code: EINVAL) }
            // Browsers heed EXIF in JPEG and PNG alone; decoders turn the pixels of AVIF themselves.
            let isTurned = header.type == .jpeg || header.type == .png
            return PublishedPicture(
                file: file, type: header.type, size: header.size ?? square,
                orientation: isTurned ? PictureMetadata(bytes, header.type).orientation ?? 1 : 1,
                bytes: status.length, modified: status.lastModified)
        }
    }

    /// The open file, reached through no link.
    static func open(_ file: URL) throws(SystemCall.Failure) -> Descriptor {
        let folder = try DestinationFolder(existing: file.deletingLastPathComponent())
        guard let opened = try folder.open(file.lastPathComponent) else {
            throw SystemCall.Failure(code: ENOENT)
        }
        return opened
    }
}

/// A photo with those of its files that a site or a collage shows.
package struct PublishedPhoto: Hashable, Sendable {
    /// The photo as its service describes it.
    let entry: IndexedPhoto
    /// What a second request told of it; `nil` where there was none.
    var detail: PhotoDetail?
    /// What its page and its anchor are called: a safe file name that is this photo's on every run.
    let name: String
    /// The picture in the grid.
    let thumbnail: PublishedPicture
    /// The pictures of its page, first page of the work first; at least one.
    let pictures: [PublishedPicture]
    /// A full file that browsers do not show, and that its page only links to; `nil` elsewhere.
    var original: PublishedPicture?

    /// When its file came to the folder.
    var added: Date { (original ?? pictures.first ?? thumbnail).modified }

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

    private static func web(_ address: URL?) -> URL? { address.flatMap { WebAddress.url($0.absoluteString) } }

    /// When the photo was published, else taken, else added here.
    var updated: Date { photo.published ?? photo.taken ?? added }

    private static func filled(_ text: String?) -> String? {
        text.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension PublishedPhoto {
    /// A photo whose files are there.
    ///
    /// Full files in a format that browsers do not show are linked to, and the thumbnail shown. This blocks.
    ///
    /// - Parameters:
    ///   - thumbnail: its small file; `nil` where there is none, and the first full file stands for it.
    ///   - full: the full files, first page of the work first.
    init(
        _ entry: IndexedPhoto, _ detail: PhotoDetail? = nil, named name: String, thumbnail: URL?, full: [URL]
    ) throws(PublishError) {
        let pages = try full.map { (file) throws(PublishError) in try PublishedPicture(of: file) }
        var small = pages.first
        if let thumbnail { small = try PublishedPicture(of: thumbnail) }
        guard let small, small.type.format.isForWeb else {
            throw .notForWeb(format: small?.type.format.name ?? "")
        }
        let isShown = pages.allSatisfy { $0.type.format.isForWeb }
        self.init(
            entry: entry, detail: detail, name: name, thumbnail: small,
            pictures: isShown && !pages.isEmpty ? pages : [small], original: isShown ? nil : pages.first)
    }
}

import Foundation
import GalleryCore
import PictureFiles

/// A picture file that is published, and what has to be known of it.
package struct PublishedPicture: Hashable, Sendable {
    /// The path of the file: an address would take ten times as much memory.
    let place: String
    let type: PictureType
    /// Width and height as it is looked at, in pixels; a square where the file does not say.
    let size: PixelSize
    /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF; 1 for not at all.
    let orientation: Int
    let bytes: Int64
    /// When the file was last written.
    let modified: Date

    var file: URL { URL(filePath: place, directoryHint: .notDirectory) }

    /// The path below a site's folder, in one of its two folders of pictures.
    var path: String { place.split(separator: "/").suffix(2).joined(separator: "/") }
}

extension PublishedPicture {
    /// Reads the file. This blocks.
    init(of file: URL) throws(PublishError) {
        self = try PublishError.naming(file, PublishError.cannotRead, try Self.read(file))
    }

    private static func read(_ file: URL) throws(SystemCall.Failure) -> PublishedPicture {
        let opened = try open(file)
        let status = try SystemCall.status(of: opened)
        let bytes = PictureBytes(descriptor: opened.number, length: status.length)
        guard let header = ImageHeader(bytes, named: file.lastPathComponent),
            let square = PixelSize(width: 1, height: 1)
        else { throw bytes.failure ?? SystemCall.Failure(code: EINVAL) }
        // Browsers heed EXIF in JPEG and PNG alone; decoders turn the pixels of AVIF themselves.
        let isTurned = header.type == .jpeg || header.type == .png
        return PublishedPicture(
            place: file.path(percentEncoded: false), type: header.type, size: header.size ?? square,
            orientation: isTurned ? PictureMetadata(bytes, header.type).orientation ?? 1 : 1,
            bytes: status.length, modified: status.lastModified)
    }

    /// All bytes of its file. This blocks.
    func content() throws(SystemCall.Failure) -> [UInt8] {
        let file = try Self.open(file)
        return try SystemCall.read(file, at: 0, count: Int(clamping: SystemCall.status(of: file).length))
    }

    /// Whether what its file says of itself can be taken out. This blocks.
    var isCleanable: Bool {
        if type.isCameraRaw || [.jpeg, .png, .webp, .gif, .jxl].contains(type) { return !type.isCameraRaw }
        return (try? content()).flatMap { PublishedMetadata.none.applied(to: $0, type) } != nil
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
    let entry: IndexedPhoto
    /// What a second request told of it; `nil` where there was none.
    var detail: PhotoDetail?
    /// What its page and its anchor are called: a safe file name that is this photo's on every run.
    let name: String
    let thumbnail: PublishedPicture
    /// Larger ones of the grid, in the same proportions, ascending.
    var others: [PublishedPicture] = []
    /// The pictures of its page, first page of the work first; at least one.
    let pictures: [PublishedPicture]
    /// For screens that show more, larger ones by the page of the work, from 0.
    var larger: [Int: PublishedPicture] = [:]
    /// The first file of its page as it came, of which the others may be made; `nil` where it is one of them.
    var original: PublishedPicture?
    /// Where the full file is, where a smaller one came; `nil` elsewhere.
    var address: URL?

    /// When its file came to the folder.
    var added: Date { (original ?? pictures.first ?? thumbnail).modified }

    var photo: Photo { entry.photo }

    /// All pictures of the grid, ascending.
    var small: [PublishedPicture] { [thumbnail] + others }

    /// The title, or what stands for one.
    var title: String {
        let title = PlainText.line(photo.title)
        return title.isEmpty ? "Untitled" : title
    }

    /// The author's name; `nil` where there is none to show.
    var author: String? { Self.filled(photo.author?.name) }

    var license: String? { Self.filled(photo.license) }

    /// What stands for the picture, beside its title, where it cannot be seen; empty where nothing more is known.
    var alternative: String {
        Self.filled(photo.alt) ?? PlainText.excerpt(photo.description ?? "", limit: 500)
    }

    /// The photo's page at its service; `nil` where there is none that a browser may be sent to.
    var source: URL? { Self.web(photo.page) }

    /// Where the license can be read; `nil` as with ``source``.
    var licenseAddress: URL? { Self.web(photo.licenseURL) }

    private static func web(_ address: URL?) -> URL? { address.flatMap { WebAddress.url($0.absoluteString) } }

    /// When the photo was published, else taken, else added here.
    var updated: Date { photo.published ?? photo.taken ?? added }

    /// A text on one line; `nil` for none and for an empty one.
    static func filled(_ text: String?) -> String? {
        text.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension PublishedPhoto {
    /// A photo of files that are there, and of smaller ones made of them.
    ///
    /// - Parameters:
    ///   - files: those of its page, first page of the work first, with the digests of their contents.
    ///   - isFull: whether these are the full files.
    ///   - small: those of the grid.
    ///   - own: the photo's file on this machine, where none came.
    init(
        _ entry: IndexedPhoto, _ detail: PhotoDetail? = nil, named name: String, files: [PictureSet.Original],
        isFull: Bool, small: [PublishedPicture], own: PictureSet.Original? = nil, _ set: inout PictureSet
    ) async throws(PublishError) {
        var (shown, larger) = ([PublishedPicture](), [Int: PublishedPicture]())
        for file in files {
            guard let (picture, more) = await set.shown(file) else { continue }
            larger[shown.count] = more
            shown.append(picture)
        }
        let isShown = shown.count == files.count && !shown.isEmpty
        let original = files.first ?? own
        // What the page shows is quicker to make the grid's of, where it has their pixels.
        let page = shown.first.flatMap {
            $0.size.longestEdge > PublishedSizes.gridRange.upperBound ? $0 : nil
        }
        let grid =
            set.sizes.grid.isEmpty
            ? []
            : await set.grid(
                small, page ?? original?.picture, original,
                isElsewhere: page == nil && original?.isPublished == false)
        guard
            let picture = isShown ? shown.first : grid.last ?? small.first(where: { $0.type.format.isForWeb })
        else {
            let file = original?.picture ?? small.first
            let format = file?.type.format
            let isUncleaned = format?.isForWeb == true && set.isUncleaned
            throw isUncleaned
                ? .uncleaned(format: format?.name ?? "")
                : .notForWeb(
                    format: format?.name ?? "",
                    name: (entry.photo.ownFile ?? file?.file)?.lastPathComponent ?? "",
                    reason: set.fault?.reason)
        }
        self.init(
            entry: entry, detail: detail, name: name, thumbnail: grid.first ?? picture,
            others: Array(grid.dropFirst()), pictures: isShown ? shown : [picture],
            larger: isShown ? larger : [:],
            original: files.first.flatMap { $0.isPublished ? $0.picture : nil },
            address: isFull || files.isEmpty ? nil : Self.web(entry.photo.full?.url))
    }
}

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What has to be known of a picture file to publish it.
package struct PictureFacts: Hashable, Sendable {
    /// Its format.
    package let type: PictureType
    /// Width and height as it is looked at, in pixels; a square where the file does not say.
    package let size: PixelSize
    /// How the stored pixels are turned before they are looked at, 1 to 8 as in EXIF.
    package let orientation: Int
    /// The file's length.
    package let bytes: Int64
    /// When the file was last written.
    package let modified: Date

    /// Reads the file. This blocks.
    package init(of file: URL) throws(PublishError) {
        do throws(SystemCall.Failure) {
            let folder = try DestinationFolder(existing: file.deletingLastPathComponent())
            guard let opened = try folder.open(file.lastPathComponent) else {
                throw SystemCall.Failure(code: ENOENT)
            }
            let status = try SystemCall.status(of: opened)
            guard
                let header = ImageHeader(
                    descriptor: opened.number, length: status.length, named: file.lastPathComponent),
                let square = PixelSize(width: 1, height: 1)
            else { throw SystemCall.Failure(code: EINVAL) }
            type = header.type
            size = header.size ?? square
            bytes = status.length
            modified = status.lastModified
            orientation = Self.orientation(opened, header.type, length: status.length)
        } catch {
            throw .cannotRead(path: PlainText.line(file.path(percentEncoded: false)), reason: error.reason)
        }
    }

    /// Browsers heed EXIF in JPEG and PNG alone; decoders turn the pixels of AVIF themselves.
    private static func orientation(_ file: Descriptor, _ type: PictureType, length: Int64) -> Int {
        guard type == .jpeg || type == .png else { return 1 }
        let metadata = PictureMetadata(descriptor: file.number, length: length, type: type)
        return metadata.orientation.flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
    }
}

extension PhotoGathering.Gathered {
    /// The photo as a page beside its files shows it.
    ///
    /// A full file in a format that browsers do not show is linked to, and its thumbnail shown.
    ///
    /// - Parameter hasPage: whether the photo has a page of its own.
    package func published(hasPage: Bool) async throws(PublishError) -> PublishedPhoto {
        try await Disk.run { () throws(PublishError) in try PublishedPhoto(self, hasPage: hasPage) }
    }

    /// The photo's first page as a collage shows it.
    package func picture() async throws(PublishError) -> Collage.Picture {
        try await Disk.run { () throws(PublishError) in try Collage.Picture(self) }
    }
}

extension PublishedPhoto {
    fileprivate init(_ photo: PhotoGathering.Gathered, hasPage: Bool) throws(PublishError) {
        var full: [(Picture, PictureFacts)] = []
        for file in photo.full { full.append(try Self.picture(file)) }
        guard
            let small = try photo.thumbnail.map({ (file) throws(PublishError) in
                try Self.picture(file)
            }) ?? full.first
        else { throw .notForWeb(format: "") }
        guard small.1.type.format.isForWeb else { throw .notForWeb(format: small.1.type.format.name) }
        let isShown = full.allSatisfy { $0.1.type.format.isForWeb }
        let pictures = isShown && !full.isEmpty ? full.map(\.0) : [small.0]
        self.init(
            entry: photo.entry, detail: photo.detail,
            name: photo.name.split(separator: "/").last.map(String.init) ?? photo.name,
            thumbnail: small.0, pictures: hasPage ? pictures : [],
            original: isShown ? nil : full.first?.0.path, added: (full.first ?? small).1.modified)
    }

    /// A file below the site's folder, in one of its two.
    private static func picture(
        _ file: DownloadedFile
    ) throws(PublishError) -> (Picture, PictureFacts) {
        let facts = try PictureFacts(of: file.url)
        let path = file.url.pathComponents.suffix(2).joined(separator: "/")
        return (Picture(path: path, size: facts.size, bytes: facts.bytes), facts)
    }
}

extension Collage.Picture {
    fileprivate init(_ photo: PhotoGathering.Gathered) throws(PublishError) {
        guard let file = photo.full.first ?? photo.thumbnail else { throw .notForWeb(format: "") }
        let facts = try PictureFacts(of: file.url)
        guard facts.type.format.isForWeb else { throw .notForWeb(format: facts.type.format.name) }
        let entry = photo.entry.photo
        self.init(
            title: entry.title, credit: entry.credit, file: file.url,
            mediaType: facts.type.format.mediaTypes.first ?? "image/jpeg", size: facts.size,
            orientation: facts.orientation)
    }
}

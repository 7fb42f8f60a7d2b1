import Foundation
import PictureFiles

/// The pictures in a folder on disk and its subfolders.
///
/// It requests only files, which ``FolderTransport`` serves. A picture's identifier is its path relative to the folder.
package struct Folder: PhotoService {
    package static let word = "folder"

    /// The available orders, the default first.
    package static let rankings = FolderRanking.allCases.map(\.rawValue)

    package let name = Folder.word
    /// Files on this machine have no round trips to save.
    package let detailsPerRequest = 100
    let reader: FolderReader

    /// The pictures in `folder`, the current one where it is `nil`; details of those in `noted` too, by their paths.
    package init(folder: URL?, noted: NotedFiles = NotedFiles()) {
        reader = FolderReader(folder ?? URL(filePath: "."), .own, noted)
    }

    /// The pictures at these absolute paths of files and folders, which are in `noted`, in their order.
    init(paths: [String], noted: NotedFiles) {
        reader = FolderReader(URL(filePath: "/"), .own, noted, paths: paths)
    }

    init(folder: URL, thumbnails: DesktopThumbnails) { reader = FolderReader(folder, thumbnails) }

    /// Few enough that the first pictures are shown soon.
    package func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    /// A search looks for words in path, title, author's name, and tags; a user is the author named in the metadata.
    package func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        var (ranking, match) = (FolderRanking.newest, FolderMatch(words: nil, author: nil))
        switch feed {
        case .popular(let word, _): ranking = word.flatMap { FolderRanking(rawValue: $0) } ?? .newest
        case .search(let text): match = FolderMatch(words: text, author: nil)
        case .user(let author): match = FolderMatch(words: nil, author: author)
        case .favorites: throw lacks(feed)
        }
        return .read { [ranking, match] () async throws(ServiceError) in
            let page = try await reader.page(slice, ranking, match)
            if case .user(let author) = feed, page.total == 0 {
                throw .missing(service: name, what: "user '\(PlainText.excerpt(author))'")
            }
            return .done(page)
        }
    }

    /// The index, from 1, of the picture at a path relative to the folder; `nil` if it is not among those listed.
    package func index(of path: String, ranking: String?) async throws(ServiceError) -> Int? {
        try await reader.index(of: path, ranking.flatMap(FolderRanking.init) ?? .newest)
    }

    /// An author's pictures may be copied into the folder at any time, whatever their dates.
    package func isNewestFirst(_ feed: Feed) -> Bool { false }

    /// The contents of the picture and of the metadata file next to it, read again.
    package func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        .read { () async throws(ServiceError) in .done(try await reader.details(of: photos.map(\.id))) }
    }
}

enum FolderRanking: String, Hashable, Sendable, CaseIterable {
    /// By modification time, newest first.
    case newest
    /// By date taken, newest first; pictures without a date come last.
    case taken
    /// By path, with numbers ordered by value.
    case name
    /// By number of pixels, largest first; pictures of unknown size come last.
    case largest
}

/// The condition that pictures of a folder must meet.
struct FolderMatch: Hashable, Sendable {
    /// Words that must all occur in the path, the title, the author's name, or the tags; `nil` for any.
    let words: String?
    /// The author's name, username or identifier; `nil` for any.
    let author: String?

    var isEverything: Bool { words == nil && author == nil }

    /// Whether the picture at `path` matches; `facts` are read only if needed.
    func accepts(_ path: String, _ facts: () -> FolderFacts) -> Bool {
        if isEverything { return true }
        let facts = facts()
        let (metadata, known) = (facts.metadata, facts.note?.author)
        if let author {
            let isKnown = known?.name == metadata.artist
            let names = [metadata.artist?.lowercased(), isKnown ? known?.username?.lowercased() : nil]
            guard names.contains(author.lowercased()) || isKnown && known?.id == author else { return false }
        }
        guard let words else { return true }
        let titles = [path, metadata.title ?? "", metadata.artist ?? ""]
        return (titles + metadata.keywords).haveWords(of: words)
    }
}

/// A picture that belongs to a file: the query of its address, so that a browser given that shows the file.
enum FolderPart: Hashable, Sendable {
    /// The camera's.
    case thumbnail
    /// The JPEG in a raw file.
    case preview
    case desktop(DesktopThumbnails.Size)

    /// What `url` is the address of; `nil` for a file.
    init?(of url: URL) {
        switch url.query(percentEncoded: false) {
        case "thumbnail": self = .thumbnail
        case "preview": self = .preview
        case let query?:
            let size = DesktopThumbnails.sizes.first { "thumbnail=" + $0.name == query }
            guard let size else { return nil }
            self = .desktop(size)
        case nil: return nil
        }
    }

    /// Its address, of the file at `address`.
    func url(in address: URL) -> URL? {
        let query =
            switch self {
            case .thumbnail: "thumbnail"
            case .preview: "preview"
            case .desktop(let size): "thumbnail=" + size.name
            }
        return URL(string: address.absoluteString + "?" + query)
    }

    fileprivate var type: PictureType { if case .desktop = self { .png } else { .jpeg } }
}

/// Serves the files of a folder, and the smaller pictures of them that are there.
struct FolderTransport: HTTPTransport {
    let folder: URL?
    var noted = NotedFiles()
    /// Serves `file:` addresses, including those in the folder.
    let files: any HTTPTransport
    var thumbnails = DesktopThumbnails.own

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard request.url.isFileURL, let part = FolderPart(of: request.url) else {
            return try await files.send(request, idleTimeout: idleTimeout, to: sink)
        }
        let bytes = await Disk.run { self.bytes(of: part, request.url.path(percentEncoded: false)) }
        let fields = ["Content-Type": part.type.mediaType, "Content-Length": "\(bytes?.count ?? 0)"]
        let head = HTTPHead(status: bytes == nil ? 404 : 200, url: request.url, headers: fields)
        do {
            try sink.begin(head)
            try (bytes ?? []).withUnsafeBytes { try sink.receive($0) }
        } catch {
            throw .rejected(error)
        }
        return head
    }

    private func bytes(of part: FolderPart, _ path: String) -> [UInt8]? {
        let own = folder.flatMap { FolderScan.find(URL(filePath: path), below: [$0]) }?.path
        guard let target = own ?? noted.resolve(path) else { return nil }
        let root = String(target.dropLast(FolderFile.name(target).count + 1))
        guard case .picture(let type, let size, _) = FolderFile(at: target, below: root) else { return nil }
        switch part {
        case .preview: return FolderFile.preview(at: target, below: root, type)
        case .thumbnail: return FolderFile.contents(at: target, below: root, type, size).thumbnail?.bytes
        case .desktop(let kept):
            let modified = FolderFile.contents(at: target, below: root, type, size).modified
            return modified.flatMap {
                thumbnails.png(kept, ThumbnailNote(file: URL(filePath: path), modified: $0))
            }
        }
    }
}

extension Photo {
    /// The file itself, of a photo that lies in a folder of this machine.
    package var ownFile: URL? {
        guard id.service == Folder.word, let file = full?.url, file.isFileURL else { return nil }
        return file
    }

    /// This one without what the desktop and the camera keep of its file: PNGs, which nobody wants to publish, and a
    /// picture of what may have been cut off or blurred since.
    package var withoutThumbnails: Photo {
        guard ownFile != nil else { return self }
        var photo = self
        photo.renditions.removeAll { file in
            switch FolderPart(of: file.url) {
            case .desktop, .thumbnail: true
            case .preview, nil: false
            }
        }
        return photo
    }
}

import Foundation

/// Pictures already on disk: those of a folder and its subfolders, the newest first.
///
/// Its requests have `file` addresses, which ``FolderTransport`` answers. A picture's
/// identifier is its path below the folder.
public struct Folder: PhotoService {
    /// The word users type.
    public static let word = "folder"

    /// The one order there is.
    public static let rankings = ["newest"]

    /// `folder`.
    public let name = Folder.word
    private let folder: URL
    private let path: String

    /// The pictures in `folder`.
    public init(folder: URL) {
        path = folder.absoluteURL.path(percentEncoded: false)
        self.folder = Self.address(path)
    }

    /// So many that a hundred pictures with their notes stay below what a list may weigh.
    public func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    /// One page of a feed. A search asks for words in the path, the title, the author's name
    /// and the tags; a user is the author that the metadata names.
    public func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let match: FolderMatch
        switch feed {
        case .popular(nil, nil), .popular("newest", nil): match = FolderMatch(words: nil, author: nil)
        case .popular(_, .some): throw unsupported("past rankings", known: [])
        case .popular(let ranking?, nil):
            throw unsupported("ranking '\(PlainText.excerpt(ranking))'", known: Self.rankings)
        case .search(let text): match = FolderMatch(words: text, author: nil)
        case .user(let author): match = FolderMatch(words: nil, author: author)
        case .favorites:
            throw unsupported("feed '\(feed.word)'", known: ["popular", "search", "user"])
        }
        let query = FolderQuery.list(first: slice.firstIndex, count: slice.size, match)
        return .ask(HTTPRequest(folder, "", query: query.items)) { (reply) throws(ServiceError) in
            let shown = PlainText.excerpt(path, limit: 120)
            switch reply.head.status {
            case 200: break
            case 403: throw .noFolder(path: shown, isLocked: true)
            default: throw .noFolder(path: shown, isLocked: false)
            }
            let list = try Reply(name, reply.body).decode(WireFolder.self)
            if case .user(let author) = feed, list.total == 0 {
                throw .missing(service: name, what: "user '\(PlainText.excerpt(author))'")
            }
            let photos = list.photos.map { IndexedPhoto(index: $0.index, photo: photo($0)) }
            return .done(Page(photos: photos, total: list.total, hasMore: list.more))
        }
    }

    /// What the picture and the note beside it say, read anew.
    public func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let ids = photos.map(\.id)
        let requests = ids.map { HTTPRequest(folder, "", query: FolderQuery.photo($0.value).items) }
        return .send(requests) { outcomes in
            var details: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for (id, outcome) in zip(ids, outcomes) {
                details[id] = Result { () throws(ServiceError) in
                    let what = "photo '\(PlainText.excerpt(id.value, limit: 120))'"
                    let list = try answer(try outcome.get(), about: what)
                    guard let row = list.photos.first else { throw .missing(service: name, what: what) }
                    return PhotoDetail(photo: photo(row))
                }
            }
            return .done(details)
        }
    }

    /// A picture on disk has no page for people.
    public func photo(atPage page: URL) -> PhotoID? { nil }

    // MARK: - Replies

    private func answer(_ reply: HTTPReply, about what: String) throws(ServiceError) -> WireFolder {
        switch reply.head.status {
        case 200: return try Reply(name, reply.body).decode(WireFolder.self)
        case 403: throw .missing(service: name, what: "\(what) that may be read")
        case 422:
            let reason = try Reply(name, reply.body).decode(WireFault.self).error
            throw .unreadable(.message(service: name, text: "\(what) cannot be shown: \(reason)."))
        default: throw .missing(service: name, what: what)
        }
    }

    /// The picture says its size, the note beside it everything else.
    private func photo(_ row: WireFolder.Row) -> Photo {
        let noted = row.metadata?.photo
        let size = PixelSize(width: row.width, height: row.height)
        let file = Rendition(url: Self.address(path + "/" + row.path), size: size)
        let fileName = row.path.split(separator: "/").last.map(String.init) ?? row.path
        return Photo(
            id: PhotoID(service: name, value: row.path),
            title: noted.map(\.title).flatMap { $0.isEmpty ? nil : $0 } ?? FolderFile.stem(fileName),
            author: noted?.author, page: noted?.page, size: size, thumbnail: file, full: file,
            likes: noted?.likes, views: noted?.views, rating: noted?.rating, published: noted?.published,
            taken: noted?.taken, tags: noted?.tags ?? [], license: noted?.license,
            licenseURL: noted?.licenseURL, attribution: noted?.attribution,
            description: noted?.description, isAdult: noted?.isAdult ?? false,
            isTakenInLocalTime: noted?.isTakenInLocalTime ?? false)
    }

    /// Escaped by hand: a name may hold a line break, a question mark or a percent sign.
    private static func address(_ path: String) -> URL {
        let escaped = path.split(separator: "/").map { HTTPRequest.escaped(String($0)) }
        return URL(string: "file:///" + escaped.joined(separator: "/")) ?? URL(filePath: path)
    }

    private func unsupported(_ what: String, known: [String]) -> ServiceError {
        .unsupported(service: name, what: what, known: known)
    }
}

// MARK: - Wire format
// As `FolderTransport` answers.

private struct WireFolder: Decodable {
    struct Row: Decodable {
        let index: Int?
        let path: String
        let width: Int?
        let height: Int?
        let metadata: IndexedPhoto?
    }

    let total: Int?
    let more: Bool
    let photos: [Row]
}

private struct WireFault: Decodable {
    let error: String
}

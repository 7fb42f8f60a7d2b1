import Foundation

/// The pictures in a folder on disk and its subfolders.
///
/// Its requests have `file` addresses, which ``FolderTransport`` answers. A picture's identifier is its path
/// relative to the folder.
package struct Folder: PhotoService {
    /// The name users type.
    package static let word = "folder"

    /// The available orders, the default first.
    package static let rankings = FolderRanking.allCases.map(\.rawValue)

    /// The name users type.
    package let name = Folder.word
    /// Files on this machine have no round trips to save.
    package let detailsPerRequest = 100
    private let folder: URL
    private let path: String

    /// Creates the service for the pictures in `folder`.
    package init(folder: URL) {
        path = folder.absoluteURL.path(percentEncoded: false)
        self.folder = FolderFile.address(path)
    }

    /// Few enough that a hundred pictures with their metadata stay below the size limit of a list.
    package func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    /// One page of a feed.
    ///
    /// A search looks for words in the path, the title, the author's name, and the tags; a user is the author
    /// named in the metadata.
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
        let query = FolderQuery.list(first: slice.firstIndex, count: slice.size, ranking, match)
        return .ask(HTTPRequest(folder, "", query: query.items)) { (reply) throws(ServiceError) in
            guard reply.head.status == 200 else {
                let shown = PlainText.excerpt(path, limit: 120)
                throw .noFolder(path: shown, isLocked: reply.head.status == 403)
            }
            return .done(
                try Reply(name, reply.body).read { list in
                    let total = list.int("total")
                    if case .user(let author) = feed, total == 0 {
                        let what = "user '\(PlainText.excerpt(author))'"
                        throw ServiceError.missing(service: name, what: what)
                    }
                    return Page(
                        photos: try list.required("photos"), total: total,
                        hasMore: try list.required("more"))
                })
        }
    }

    /// An author's pictures may be copied into the folder at any time, whatever their dates.
    package func isNewestFirst(_ feed: Feed) -> Bool { false }

    /// The contents of the picture and of the metadata file next to it, read again.
    package func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try .each(photos.map(\.id)) { id in
            HTTPRequest(folder, "", query: FolderQuery.photo(id.value).items)
        } read: { (reply, id) throws(ServiceError) in
            let what = "photo '\(PlainText.excerpt(id.value, limit: 120))'"
            let answer = Reply(name, reply.body)
            switch reply.head.status {
            case 200:
                let photos = try answer.read { try $0.required("photos", as: [DescribedPhoto].self) }
                guard let detail = photos.first?.detail else { throw .missing(service: name, what: what) }
                return detail
            case 403: throw .missing(service: name, what: "\(what) that may be read")
            case 422:
                let reason = try answer.read { try $0.required("error", as: String.self) }
                throw .unreadable(.message(service: name, text: "\(what) cannot be shown: \(reason)."))
            default: throw .missing(service: name, what: what)
            }
        }
    }
}

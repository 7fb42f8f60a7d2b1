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
        self.folder = Self.address(path)
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
        let request = HTTPRequest(folder, "", query: try query(slice, of: feed).items)
        return .ask(request) { (reply) throws(ServiceError) in
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

    private func query(_ slice: PageSlice, of feed: Feed) throws(ServiceError) -> FolderQuery {
        var (ranking, match) = (FolderRanking.newest, FolderMatch(words: nil, author: nil))
        switch feed {
        case .popular(nil, nil): break
        case .popular(_, .some): throw unsupported("past rankings", known: [])
        case .popular(let word?, nil):
            guard let known = FolderRanking(rawValue: word) else {
                throw unsupported("ranking '\(PlainText.excerpt(word))'", known: Self.rankings)
            }
            ranking = known
        case .search(let text): match = FolderMatch(words: text, author: nil)
        case .user(let author): match = FolderMatch(words: nil, author: author)
        case .favorites:
            throw unsupported("feed '\(feed.word)'", known: ["popular", "search", "user"])
        }
        return .list(first: slice.firstIndex, count: slice.size, ranking, match)
    }

    /// The contents of the picture and of the metadata file next to it, read again.
    package func details(
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
                    return detail(row)
                }
            }
            return .done(details)
        }
    }

    /// An author's pictures may be copied into the folder at any time, whatever their dates.
    package func isNewestFirst(_ feed: Feed) -> Bool { false }

    /// A picture on disk has no web page.
    package func photo(atPage page: URL) -> PhotoID? { nil }

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

    /// The size comes from the picture. For everything else, the metadata file next to it comes first,
    /// since it describes the photo that was fetched, then the picture's own metadata.
    private func photo(_ row: WireFolder.Row) -> Photo {
        let noted = row.metadata?.photo
        let own = row.embedded
        let size = PixelSize(width: row.width, height: row.height)
        let address = Self.address(path + "/" + row.path)
        let file = Rendition(url: address, size: size)
        let thumbnail = own?.thumbnail.flatMap { small in
            URL(string: address.absoluteString + "?" + FolderQuery.thumbnailItem).map { url in
                Rendition(url: url, size: PixelSize(width: small.width, height: small.height))
            }
        }
        let fileName = row.path.split(separator: "/").last.map(String.init) ?? row.path
        let title = [noted?.title, own?.title].lazy.compactMap { $0 }.first { !$0.isEmpty }
        return Photo(
            id: PhotoID(service: name, value: row.path), title: title ?? FolderFile.stem(fileName),
            author: noted?.author ?? own?.artist.map { Author(name: $0) }, page: noted?.page, size: size,
            thumbnail: thumbnail ?? file, full: file, likes: noted?.likes, views: noted?.views,
            rating: noted?.rating, published: noted?.published, taken: noted?.taken ?? own?.taken?.date,
            tags: noted.map(\.tags).flatMap { $0.isEmpty ? nil : $0 } ?? own?.keywords ?? [],
            license: noted?.license, licenseURL: noted?.licenseURL,
            attribution: noted?.attribution ?? own?.copyright,
            description: noted?.description ?? own?.description, isAdult: noted?.isAdult ?? false,
            isTakenInLocalTime: noted?.taken == nil
                ? own?.taken?.zone == nil : noted?.isTakenInLocalTime ?? false)
    }

    private func detail(_ row: WireFolder.Row) -> PhotoDetail {
        var detail = PhotoDetail(photo: photo(row))
        detail.camera = row.embedded?.camera
        detail.lens = row.embedded?.lens
        detail.focalLength = row.embedded?.focalLength
        detail.iso = row.embedded?.iso
        detail.shutterSpeed = row.embedded?.shutterSpeed
        detail.aperture = row.embedded?.aperture
        detail.latitude = row.embedded?.latitude
        detail.longitude = row.embedded?.longitude
        return detail
    }

    /// Escaped by hand: a name may contain a line break, a question mark, or a percent sign.
    private static func address(_ path: String) -> URL {
        let escaped = path.split(separator: "/").map { HTTPRequest.escaped(String($0)) }
        return URL(string: "file:///" + escaped.joined(separator: "/")) ?? URL(filePath: path)
    }

    private func unsupported(_ what: String, known: [String]) -> ServiceError {
        .unsupported(service: name, what: what, known: known)
    }
}

// MARK: - Wire format
// As `FolderTransport` sends it.

private struct WireFolder: Decodable {
    struct Row: Decodable {
        let index: Int?
        let path: String
        let width: Int?
        let height: Int?
        let metadata: IndexedPhoto?
        let embedded: Embedded?
    }

    struct Embedded: Decodable {
        let title: String?
        let description: String?
        let artist: String?
        let copyright: String?
        let keywords: [String]?
        let clock: String?
        let zone: String?
        let camera: String?
        let lens: String?
        let focalLength: String?
        let iso: String?
        let shutterSpeed: String?
        let aperture: String?
        let latitude: Double?
        let longitude: Double?
        let thumbnail: Size?

        var taken: CameraTime? { clock.flatMap { CameraTime($0, zone: zone) } }
    }

    struct Size: Decodable {
        let width: Int
        let height: Int
    }

    let total: Int?
    let more: Bool
    let photos: [Row]
}

private struct WireFault: Decodable {
    let error: String
}

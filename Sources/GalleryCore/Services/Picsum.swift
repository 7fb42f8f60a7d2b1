import Foundation

/// Lorem Picsum: about a thousand photographs of Unsplash, in one list, without a key.
///
/// Source: github.com/DMarby/picsum-photos, `internal/api`.
struct Picsum: PhotoService {
    /// The site's URL.
    static let officialBase = "https://picsum.photos"

    /// The order of its one list.
    static let rankings = ["list"]

    /// Width and height that an image may have; it refuses more with 400.
    private static let longestEdge = 5000

    /// The longer edge of a thumbnail: the site makes any size.
    private static let thumbnailEdge = 320

    let name: String
    let listsTags = false
    private let base: URL

    /// Creates the service for the site at `base`.
    init(name: String = "picsum", base: URL?) {
        self.name = name
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
    }

    /// Anything above is taken as 100.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(_, .some): throw .unsupported(service: name, what: "past rankings", known: [])
        case .popular(let ranking?, nil) where !Self.rankings.contains(ranking):
            throw .unsupported(
                service: name, what: "ranking '\(PlainText.excerpt(ranking))'", known: Self.rankings)
        case .popular: break
        case .search, .user, .favorites:
            throw .unsupported(service: name, what: "feed '\(feed.word)'", known: ["popular"])
        }
        let request = request("v2/list", [("page", "\(slice.number)"), ("limit", "\(slice.size)")])
        return .ask(request) { (reply) throws(ServiceError) in
            .done(try page(Reply.body(of: reply, service: name, what: "page \(slice.number)"), slice))
        }
    }

    /// A list says everything, so only photos known by identifier are requested.
    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        .whereUnknown(photos, request: { request("id/\(HTTPRequest.escaped($0.value))/info", []) }) {
            (reply, id) throws(ServiceError) in
            let body = try Reply.body(of: reply, service: name, what: "photo \(PlainText.excerpt(id.value))")
            return PhotoDetail(photo: photo(try Reply(name, body).decode(WirePhoto.self)))
        }
    }

    /// The photo at `picsum.photos/id/<id>/…`, on the site or its image hosts.
    func photo(atPage page: URL) -> PhotoID? {
        guard let page = PageAddress(page), page.isHost("picsum.photos"), page.path.first == "id" else {
            return nil
        }
        return PageAddress.number(page.path.dropFirst().first).map { PhotoID(service: name, value: $0) }
    }

    // MARK: - Replies

    /// With this header, and no other, errors are JSON.
    private func request(_ path: String, _ query: [(String, String?)]) -> HTTPRequest {
        var request = HTTPRequest(base, path, query: query)
        request.headers["Accept"] = "application/json"
        return request
    }

    private func page(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let reply = Reply(name, body)
        let rows = try reply.decode(WireList<WirePhoto>.self).rows.prefix(slice.size)
        // The first page's `Link` names a next one even if there is none.
        return try reply.page(slice, of: rows, hasMore: rows.count >= slice.size, photo)
    }

    private func photo(_ wire: WirePhoto) -> Photo {
        let author = PlainText.line(wire.author?.value ?? "")
        let size = PixelSize(width: wire.width?.value, height: wire.height?.value)
        let address = wire.download_url.flatMap { WebAddress.url($0) }
        return Photo(
            id: PhotoID(service: name, value: wire.id.value), title: "",
            author: author.isEmpty ? nil : Author(name: author),
            page: wire.url.flatMap { WebAddress.url($0) }, size: size,
            thumbnail: rendition(address, of: size, edge: Self.thumbnailEdge),
            full: rendition(address, of: size, edge: Self.longestEdge)
                ?? address.map { Rendition(url: $0, size: size) })
    }

    /// The photo in another size: its address ends in width and height.
    private func rendition(_ address: URL?, of size: PixelSize?, edge: Int) -> Rendition? {
        guard let address, let size = size?.fitting(longestEdge: edge), address.pathComponents.count > 2
        else { return nil }
        let photo = address.deletingLastPathComponent().deletingLastPathComponent()
        return Rendition(url: photo.appending(path: "\(size.width)/\(size.height)"), size: size)
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WirePhoto: Decodable {
    let id: WireID
    @IfReadable var author: WireText?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    @IfReadable var url: String?
    @IfReadable var download_url: String?
}

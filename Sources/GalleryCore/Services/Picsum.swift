import Foundation

/// Lorem Picsum: about a thousand photographs of Unsplash, in one list, without a key.
///
/// Source: github.com/DMarby/picsum-photos, `internal/api`.
struct Picsum: PhotoService {
    /// The order of its one list.
    static let rankings = ["list"]

    /// Width and height that an image may have; it refuses more with 400.
    private static let longestEdge = 5000

    /// The longer edges of the files to choose from, the first one the thumbnail's: the site makes any size.
    private static let edges = [320, 640, 1024, 1600, 2048, 3840]

    let listsTags = false
    /// Its base is the site.
    let api: WebAPI

    var name: String { api.service }

    /// Anything above is taken as 100.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        guard case .popular = feed else { throw lacks(feed) }
        let request = request("v2/list", [("page", "\(slice.number)"), ("limit", "\(slice.size)")])
        return .ask(request) { (reply) throws(ServiceError) in
            let list = Reply(name, try api.accept(reply, "page \(slice.number)"))
            // The first page's `Link` names a next one even if there is none.
            let page = try list.read(as: WireList<WireObject>.self) { photos in
                try list.page(slice, of: photos.rows { try photo($0) as Photo? })
            }
            return .done(page)
        }
    }

    /// A list says everything, so only photos known by identifier are requested.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try .whereUnknown(photos) {
            request("id/\(HTTPRequest.escaped($0.value))/info", [])
        } read: { (reply, id) throws(ServiceError) in
            PhotoDetail(photo: try Reply(name, api.accept(reply, id.what)).read(photo))
        }
    }

    /// The photo at `picsum.photos/id/<id>/…`, on the site or its image hosts.
    func photo(atPage page: URL) -> PhotoID? {
        guard let page = PageAddress(page), page.isHost("picsum.photos"), page.path.first == "id" else {
            return nil
        }
        return PageAddress.number(page.path.dropFirst().first).map(api.id)
    }

    // MARK: - Replies

    /// With this header, and no other, errors are JSON.
    private func request(_ path: String, _ query: [(String, String?)]) -> HTTPRequest {
        var request = api.request(path, query)
        request.headers["Accept"] = "application/json"
        return request
    }

    private func photo(_ wire: WireObject) throws -> Photo {
        let author = PlainText.line(wire.text("author") ?? "")
        let address = wire.url("download_url")
        return Photo(
            id: api.id(try wire.id("id")), title: "", author: author.isEmpty ? nil : Author(name: author),
            page: wire.url("url"), size: wire.size(),
            thumbnail: rendition(address, of: wire.size(), edge: Self.edges[0]),
            full: rendition(address, of: wire.size(), edge: Self.longestEdge)
                ?? address.map { Rendition(url: $0, size: wire.size()) },
            renditions: Self.edges.compactMap { rendition(address, of: wire.size(), edge: $0) })
    }

    /// The photo in another size: its address ends in width and height.
    private func rendition(_ address: URL?, of size: PixelSize?, edge: Int) -> Rendition? {
        guard let address, let size = size?.fitting(longestEdge: edge), address.pathComponents.count > 2
        else { return nil }
        let photo = address.deletingLastPathComponent().deletingLastPathComponent()
        return Rendition(url: photo.appending(path: "\(size.width)/\(size.height)"), size: size)
    }
}

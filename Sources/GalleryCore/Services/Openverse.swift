import Foundation

/// Openverse: openly licensed images of many collections, without a key.
///
/// Sources: github.com/WordPress/openverse, `api/api/examples/image_responses.py`, and docs.openverse.org.
struct Openverse: PhotoService {
    /// Popular photos are all images in Openverse's own order: it has no measure of popularity.
    static let rankings = ["relevance"]

    /// Visitors without an account who ask for more are refused, with 401.
    private static let pageSize = 20

    /// The last photo of a feed that visitors get.
    private static let reach = 240

    /// Its base goes up to and includes `/v1`.
    let api: WebAPI

    var name: String { api.service }

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(Self.pageSize) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        let query: [(String, String?)] =
            switch feed {
            case .popular: []
            case .search(let text): [("q", text)]
            case .user(let user): [("creator", user)]
            case .favorites: throw lacks(feed)
            }
        guard slice.firstIndex <= Self.reach else { return .done(Page(photos: [], hasMore: false)) }
        let request = api.request(
            "images/", query + [("page", "\(slice.number)"), ("page_size", "\(slice.size)")])
        return .ask(request) { (reply) throws(ServiceError) in
            .done(try page(api.accept(reply, "page \(slice.number)"), slice))
        }
    }

    /// A list says everything, so only photos known by identifier are requested.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try .whereUnknown(photos) {
            api.request("images/\(HTTPRequest.escaped($0.value))/")
        } read: { (reply, id) throws(ServiceError) in
            let body = try api.accept(reply, id.what)
            return PhotoDetail(photo: try Reply(name, body).read(photo))
        }
    }

    /// The most relevant come first, in every feed.
    func isNewestFirst(_ feed: Feed) -> Bool { false }

    // MARK: - Addresses

    /// The image at `openverse.org/image/<id>`, or in the API.
    func photo(atPage page: URL) -> PhotoID? {
        guard let page = PageAddress(page), page.isHost("openverse.org"),
            let start = page.path.firstIndex(where: { $0 == "image" || $0 == "images" }),
            let id = page.path.dropFirst(start + 1).first.flatMap({ UUID(uuidString: $0) })
        else { return nil }
        return api.id(id.uuidString.lowercased())
    }

    /// The feed of `openverse.org/search/image?q=…`.
    func feed(atPage page: URL) -> Feed? {
        guard let page = PageAddress(page), page.isHost("openverse.org"), page.path.contains("search") else {
            return nil
        }
        return page.query["q"].map { .search($0) }
    }

    // MARK: - Replies

    private func page(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let reply = Reply(name, body)
        return try reply.read { list in
            let rows = try list.rows("results") { try photo($0) as Photo? }
            // Dead links are left out of a page, so that a short one is not the last. The number of pages is
            // limited; the number of results is not.
            let pages = list.int("page_count") ?? (rows.count >= slice.size ? .max : slice.number)
            let (product, isTooMuch) = pages.multipliedReportingOverflow(by: slice.size)
            let reach = min(Self.reach, isTooMuch ? .max : max(0, product))
            return try reply.page(
                slice, of: rows, total: list.int("result_count").map { min($0, reach) },
                hasMore: slice.number < pages && slice.indexes.upperBound < Self.reach)
        }
    }

    /// The site makes thumbnails of this width, of whatever shape.
    private static let thumbnailWidth = 600

    /// The file's own size is unknown: width and height are those of the collection's original, and so may its
    /// length be.
    private func photo(_ wire: WireObject) throws -> Photo {
        let creator = PlainText.line(wire.text("creator") ?? "")
        var tags: [String] = []
        for tag in wire.elements("tags", as: WireObject.self).compactMap({ $0.text("name") })
        where !tags.contains(tag) {
            tags.append(tag)
        }
        return Photo(
            id: api.id(try wire.id("id")), title: wire.text("title") ?? "",
            author: creator.isEmpty ? nil : Author(name: creator, username: creator),
            page: wire.url("foreign_landing_url"), size: wire.size(),
            thumbnail: wire.url("thumbnail").map { url in
                Rendition(url: url, size: wire.size()?.fitting(width: Self.thumbnailWidth))
            },
            full: wire.url("url").map { Rendition(url: $0, size: nil) },
            tags: tags, category: wire.text("category"),
            license: wire.string("license").map {
                Self.license(Markup.plain($0), version: wire.string("license_version").map(Markup.plain))
            },
            licenseURL: wire.url("license_url"), attribution: wire.text("attribution"),
            isAdult: wire.flag("mature") ?? false)
    }

    /// `by-sa` of version `4.0` is `CC BY-SA 4.0`.
    private static func license(_ word: String, version: String?) -> String {
        let version = version.map { " " + $0 } ?? ""
        switch word.lowercased() {
        case "cc0": return "CC0" + version
        case "pdm": return "Public Domain Mark" + version
        case let word where word.hasPrefix("by"): return "CC \(word.uppercased())" + version
        default: return PlainText.line(word) + version
        }
    }
}

import Foundation

/// Openverse: openly licensed images of many collections, without a key.
///
/// Sources: github.com/WordPress/openverse, `api/api/examples/image_responses.py`, and docs.openverse.org.
struct Openverse: PhotoService {
    /// The URL of the API.
    static let officialBase = "https://api.openverse.org/v1"

    /// Popular photos are all images in Openverse's own order: it has no measure of popularity.
    static let rankings = ["relevance"]

    /// Visitors without an account who ask for more are refused, with 401.
    private static let pageSize = 20

    let name: String
    private let base: URL

    /// Creates the service for the API at `base`, up to and including `/v1`.
    init(name: String = "openverse", base: URL?) {
        self.name = name
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
    }

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(Self.pageSize) }

    var listsTags: Bool { true }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let query: [(String, String?)]
        switch feed {
        case .popular(_, .some): throw .unsupported(service: name, what: "past rankings", known: [])
        case .popular(let ranking, nil):
            guard ranking.map(Self.rankings.contains) ?? true else {
                throw .unsupported(
                    service: name, what: "ranking '\(PlainText.excerpt(ranking ?? ""))'", known: Self.rankings
                )
            }
            query = []
        case .search(let text): query = [("q", text)]
        case .user(let user): query = [("creator", user)]
        case .favorites:
            throw .unsupported(
                service: name, what: "feed '\(feed.word)'", known: ["popular", "search", "user"])
        }
        let request = HTTPRequest(
            base, "images/", query: query + [("page", "\(slice.number)"), ("page_size", "\(slice.size)")])
        return .ask(request) { (reply) throws(ServiceError) in
            .done(try page(Reply.body(of: reply, service: name, what: "page \(slice.number)"), slice))
        }
    }

    /// A list says everything, so only photos known by identifier are requested.
    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        .whereUnknown(photos, request: { HTTPRequest(base, "images/\(HTTPRequest.escaped($0.value))/") }) {
            (reply, id) throws(ServiceError) in
            let body = try Reply.body(of: reply, service: name, what: "photo \(PlainText.excerpt(id.value))")
            return PhotoDetail(photo: photo(try Reply(name, body).decode(WireImage.self)))
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
        return PhotoID(service: name, value: id.uuidString.lowercased())
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
        let list = try reply.decode(WireResults.self)
        let rows = list.results.rows.prefix(slice.size)
        // Dead links are left out of a page, so that a short one is not the last. The number of pages is
        // limited; the number of results is not.
        let pages = list.page_count?.value ?? (rows.count >= slice.size ? .max : slice.number)
        let (product, isTooMuch) = pages.multipliedReportingOverflow(by: slice.size)
        let reach = isTooMuch ? .max : max(0, product)
        return try reply.page(
            slice, of: rows, total: list.result_count?.value.map { min($0, reach) },
            hasMore: slice.number < pages, photo)
    }

    /// The file's own size is unknown: width and height are those of the collection's original.
    private func photo(_ wire: WireImage) -> Photo {
        let creator = PlainText.line(wire.creator?.value ?? "")
        var tags: [String] = []
        for tag in (wire.tags?.elements ?? []).compactMap({ $0.name?.filled }) where !tags.contains(tag) {
            tags.append(tag)
        }
        return Photo(
            id: PhotoID(service: name, value: wire.id.value), title: wire.title?.value ?? "",
            author: creator.isEmpty ? nil : Author(name: creator, username: creator),
            page: wire.foreign_landing_url.flatMap { WebAddress.url($0) },
            size: PixelSize(width: wire.width?.value, height: wire.height?.value),
            thumbnail: wire.thumbnail.flatMap { WebAddress.url($0) }.map { Rendition(url: $0, size: nil) },
            full: wire.url.flatMap { WebAddress.url($0) }.map { Rendition(url: $0, size: nil) },
            tags: tags, category: wire.category?.filled,
            license: wire.license.map { Self.license($0.value, version: wire.license_version?.value) },
            licenseURL: wire.license_url.flatMap { WebAddress.url($0) },
            attribution: wire.attribution?.filled,
            isAdult: wire.mature?.value ?? false)
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

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WireResults: Decodable {
    let results: WireList<WireImage>
    @IfReadable var page_count: WireInt?
    @IfReadable var result_count: WireInt?
}

private struct WireImage: Decodable {
    let id: WireID
    @IfReadable var title: WireText?
    @IfReadable var foreign_landing_url: String?
    @IfReadable var url: String?
    @IfReadable var thumbnail: String?
    @IfReadable var creator: WireText?
    @IfReadable var license: WireText?
    @IfReadable var license_version: WireText?
    @IfReadable var license_url: String?
    @IfReadable var attribution: WireText?
    @IfReadable var category: WireText?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    @IfReadable var mature: WireBool?
    @IfReadable var tags: WireList<WireTag>?
}

private struct WireTag: Decodable {
    @IfReadable var name: WireText?
}

import Foundation

/// The pictures of a feed on the web, such as a photo blog's: its base is the feed's address.
///
/// Sources: rssboard.org/media-rss, RFC 4287, jsonfeed.org/version/1.1.
struct WebFeed: PhotoService {
    /// A feed has one order: its own.
    static let rankings = ["list"]

    /// The most documents that follow each other in one feed.
    private static let mostDocuments = 1000

    let api: WebAPI

    var name: String { api.service }

    /// A feed is read whole whatever is asked for.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        guard case .popular = feed else { throw lacks(feed) }
        let last = slice.indexes.upperBound
        return try walk { $0.count >= last }
            .then { (photos, isWhole) throws(ServiceError) in
                let page = Page(slice.indexes, of: photos)
                return .done(
                    Page(
                        photos: page.photos, total: isWhole ? photos.count : nil,
                        hasMore: page.hasMore || !isWhole))
            }
    }

    /// A feed says everything, so only photos known by identifier are looked for in it.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        var known: DetailResults = [:]
        for photo in photos where photo.full != nil { known[photo.id] = .success(PhotoDetail(photo: photo)) }
        let wanted = Set(photos.map(\.id)).subtracting(known.keys)
        guard !wanted.isEmpty else { return .done(known) }
        let listed = known
        return try walk { photos in wanted.isSubset(of: photos.map(\.id)) }
            .then { (photos, _) throws(ServiceError) in
                var results = listed
                for id in wanted { results[id] = .failure(.missing(service: name, what: id.what)) }
                for photo in photos where wanted.contains(photo.id) {
                    results[photo.id] = .success(PhotoDetail(photo: photo))
                }
                return .done(results)
            }
    }

    // MARK: - Documents

    private typealias Found = (photos: [Photo], isWhole: Bool)

    /// The photos of the feed up to those that are enough.
    private func walk(until isEnough: @escaping @Sendable ([Photo]) -> Bool) throws(ServiceError) -> Exchange<
        Found
    > {
        guard api.base.host != nil else {
            throw .unsupported(
                service: name, what: "address of its own: name a feed by its base URL", known: [])
        }
        return read(api.base, after: [], visited: [], until: isEnough)
    }

    private func read(
        _ address: URL, after known: [Photo], visited: Set<URL>,
        until isEnough: @escaping @Sendable ([Photo]) -> Bool
    ) -> Exchange<Found> {
        .ask(HTTPRequest(url: address, headers: ["Accept": Self.types])) { (reply) throws(ServiceError) in
            let body = try api.accept(reply, "feed")
            // Relative addresses are relative to where the feed was found in the end.
            let document = try FeedDocument(name, body, at: reply.head.url)
            var seen = Set(known.map(\.id))
            let photos = known + document.photos.filter { seen.insert($0.id).inserted }
            guard let next = document.next, Self.isSameOrigin(next, address) else {
                return .done((photos, true))
            }
            let visited = visited.union([address])
            guard !visited.contains(next), visited.count < Self.mostDocuments else {
                throw .unreadable(.message(service: name, text: "its next page is one that was read before."))
            }
            if isEnough(photos) { return .done((photos, false)) }
            return read(next, after: photos, visited: visited, until: isEnough)
        }
    }

    private static let types =
        "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"

    private static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
        one.scheme?.lowercased() == other.scheme?.lowercased()
            && one.host?.lowercased() == other.host?.lowercased()
            && one.port == other.port
    }
}

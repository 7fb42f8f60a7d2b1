import Foundation

/// What Flickr tells everybody: its public feed, and a photo's page as other sites embed it.
/// Sources: www.flickr.com/services/feeds/docs/photos_public, oembed.com.
extension Flickr {
    /// Whether there is no API to ask: the official one needs a key, others may not.
    var isKeyless: Bool { api.key == nil && api.isOfficial }

    private static let site = "https://www.flickr.com/services/"

    private func request(_ path: String, _ query: [(String, String?)]) -> HTTPRequest {
        HTTPRequest(URL(string: Self.site) ?? api.base, path, query: query)
    }

    // MARK: - Lists

    /// A page of the feed's latest twenty photos: of all, with every word of a search as a tag, or of a user by number.
    func publicPage(_ slice: PageSlice, of feed: Feed) throws(ServiceError) -> Exchange<Page> {
        let query: [(String, String?)]
        switch feed {
        case .popular(nil, nil): query = []
        case .search(let text):
            let tags = text.split(whereSeparator: \.isWhitespace).joined(separator: ",")
            query = [("tags", tags), ("tagmode", "all")]
        case .user(let user) where Self.isIdentifier(user): query = [("id", user)]
        case .favorites(of: nil): throw .unknownUser(service: name, name: nil)
        case .popular, .user, .favorites: throw api.keyMissing
        }
        let form = [("format", "json"), ("nojsoncallback", "1")] as [(String, String?)]
        return .ask(request("feeds/photos_public.gne", query + form)) { (reply) throws(ServiceError) in
            .done(try publicPage(slice, try api.accept(reply, "photos of the feed")))
        }
    }

    private func publicPage(_ slice: PageSlice, _ body: Data) throws(ServiceError) -> Page {
        let rows = try Reply(name, Self.withoutCallback(body)).read { try $0.rows("items", publicPhoto) }
        return Page(
            slice.indexes, of: rows.compactMap { try? $0.get() }, leftOut: try Reply.leftOut(of: rows))
    }

    /// The feed has no file but the small one; the photo's page tells the large one.
    private func publicPhoto(_ wire: JSONNode) throws -> Photo {
        guard let page = wire.url("link"), let id = photo(atPage: page) else { throw wire.lacks("link") }
        let small = wire.object("media")?.url("m").map { Rendition(url: $0, size: nil) }
        return Photo(
            id: id, title: Markup.plain(wire.string("title") ?? ""), author: publicAuthor(wire), page: page,
            thumbnail: small, tags: wire.text("tags")?.split(separator: " ").map(String.init) ?? []
        ).dated(
            published: wire.date("published"),
            // The zone is made up.
            taken: wire.string("date_taken").flatMap { WrittenDate(String($0.prefix(19))) })
    }

    /// The author of `nobody@flickr.com ("Ann")`, `Ann`, or `nobody`.
    private func publicAuthor(_ wire: JSONNode) -> Author? {
        let text = PlainText.line(wire.text("author") ?? "")
        let parts = text.components(separatedBy: "(\"")
        let isQuoted = parts.count > 1 && text.hasSuffix("\")")
        let name = isQuoted ? String(parts.dropFirst().joined(separator: "(\"").dropLast(2)) : text
        return name.isEmpty || name == "nobody" ? nil : Author(id: wire.string("author_id"), name: name)
    }

    // MARK: - Photos

    /// One request per photo, which tells its title, its author, its license, and a file of up to 1024 pixels.
    func publicDetails(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try .each(photos.map(\.id)) { (id) throws(ServiceError) in
            // No photo has the number 0.
            let page = "https://flic.kr/p/" + Self.short(UInt64(id.value) ?? 0)
            return request("oembed/", [("url", page), ("format", "json")])
        } read: { (reply, id) throws(ServiceError) in
            try embedded(id, try api.accept(reply, id.what))
        }
    }

    private func embedded(_ id: PhotoID, _ body: Data) throws(ServiceError) -> PhotoDetail {
        try Reply(name, body).read { wire in
            guard wire.string("type") == "photo", let url = wire.url("url") else {
                throw ServiceError.missing(service: name, what: "\(id.what): it is no picture")
            }
            let author = PlainText.line(wire.text("author_name") ?? "")
            let licenseURL = wire.url("license_url")
            return PhotoDetail(
                photo: Photo(
                    id: id, title: Markup.plain(wire.string("title") ?? ""),
                    author: author.isEmpty ? nil : Author(name: author), page: wire.url("web_page"),
                    thumbnail: wire.url("thumbnail_url").map {
                        Rendition(
                            url: $0, size: wire.size("thumbnail_width", "thumbnail_height"), isCropped: true)
                    },
                    full: Rendition(url: url, size: wire.size()),
                    license: licenseURL.flatMap(FeedItem.license) ?? wire.text("license"),
                    licenseURL: licenseURL))
        }
    }
}

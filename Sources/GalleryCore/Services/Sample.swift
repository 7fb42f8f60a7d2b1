import Foundation

/// Twelve bundled photographs: a catalog in the format of 500px, in a folder. Its requests have `file` addresses and
/// take the usual path. What a server would do with a query is done here.
struct Sample: PhotoService {
    static let word = "sample"
    let name = Sample.word
    /// Files on this machine have no round trips to save.
    let detailsPerRequest = 100
    /// The bundled catalog's folder; where it is not installed, requests for its files fail.
    static let installed = (try? Resources.url(of: word)) ?? Resources.places(of: word)[0]

    let catalog: URL

    private var importer: FiveHundredPixelsImporter {
        FiveHundredPixelsImporter(service: Self.word, files: Self.root)
    }

    /// The maximum of servers that use the catalog's format.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        let accepts: @Sendable (Photo) -> Bool =
            switch feed {
            case .popular: { _ in true }
            case .search(let text): { ([$0.title, $0.author?.name ?? ""] + $0.tags).haveWords(of: text) }
            case .user(let user):
                { photo in
                    let names = [photo.author?.username?.lowercased(), photo.author?.name.lowercased()]
                    return names.contains(user.lowercased()) || photo.author?.id == user
                }
            case .favorites: throw lacks(feed)
            }
        return .ask(HTTPRequest(catalog, "photos.json")) { (reply) throws(ServiceError) in
            let all = try importer.page(try accepted(reply, what: "photos"), PageSlice(number: 1, size: .max))
            let photos = all.photos.map(\.photo).filter(accepts)
            if case .user(let user) = feed, photos.isEmpty {
                throw .missing(service: name, what: "user '\(PlainText.excerpt(user))'")
            }
            return .done(Page(slice.indexes, of: photos, leftOut: all.leftOut))
        }
    }

    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        let ids = photos.map(\.id)
        // Only numbers are looked up: `%2F` and `..` in a file address would be a path.
        let numbered = ids.filter { !$0.value.isEmpty && $0.value.utf8.allSatisfy { (48...57).contains($0) } }
        let unknown = ids.map { ($0, DetailResults.Value.failure(.missing(service: name, what: $0.what))) }
        return try .each(numbered, after: DetailResults(unknown) { first, _ in first }) { id in
            HTTPRequest(catalog, "photos/\(id.value).json")
        } read: { (reply, id) throws(ServiceError) in
            try importer.detail(try accepted(reply, what: id.what))
        }
    }

    /// The base of file addresses: printed and stored ones do not depend on where the program is installed.
    private static let root = URL(string: "sample:///") ?? URL(filePath: "/")

    /// The file for an address of the catalog; any other address is requested as is, and refused.
    func image(_ rendition: Rendition) -> HTTPRequest {
        let path = rendition.url.path(percentEncoded: false)
        guard rendition.url.scheme == Self.root.scheme, !path.split(separator: "/").contains("..") else {
            return HTTPRequest(url: rendition.url)
        }
        return HTTPRequest(url: catalog.appending(path: path))
    }

    /// The catalog is in no such order.
    func isNewestFirst(_ feed: Feed) -> Bool { false }

    private func accepted(_ reply: HTTPReply, what: String) throws(ServiceError) -> Data {
        guard reply.head.status == 200 else { throw .missing(service: name, what: what) }
        return reply.body
    }
}

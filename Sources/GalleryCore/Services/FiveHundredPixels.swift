import Foundation

/// The 500px API, version 1, as it answered from 2012 to 2019, and servers compatible with it.
///
/// 500px closed it in 2018; see `shared/api/500px.md` for what is known of it.
/// Source: github.com/500px/legacy-api-documentation, `endpoints/photo`.
struct FiveHundredPixels: PhotoService {
    /// Where the API was.
    static let officialBase = "https://api.500px.com/v1"

    /// The environment variable that holds the key.
    static let keyVariable = "GALLERY_500PX_KEY"

    /// The streams of `GET photos`, the usual one first.
    static let rankings = [
        "popular", "highest_rated", "upcoming", "editors", "fresh_today", "fresh_yesterday", "fresh_week",
    ]

    /// Thumbnail (280 × 280, cropped) and full (longest edge 2048): asked for together,
    /// so that a list needs no further request a photo.
    private static let imageSizes = "3,2048"

    /// Ids in one batch request: gallery-dl sends 20 and no maximum is known.
    private static let batchLimit = 20

    /// What a server that only lacks the batch does not answer: it would answer so for each photo too.
    private static let absences = [401, 408, 429, 502, 503, 504]

    let name = "500px"
    private let base: URL
    private let key: Secret?
    private let importer = FiveHundredPixelsImporter(service: "500px", files: nil)

    /// The API at `base`, up to and with `/v1`; the official one wants a key, others may not.
    init(base: URL?, key: Secret?) {
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
        self.key = key
    }

    /// Documented for every stream and the search.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let place: (path: String, query: [(String, String?)])
        switch feed {
        case .popular(let ranking, let date):
            guard date == nil else { throw unsupported("past rankings", known: []) }
            let stream = ranking ?? Self.rankings[0]
            guard Self.rankings.contains(stream) else {
                throw unsupported("ranking '\(PlainText.excerpt(stream))'", known: Self.rankings)
            }
            place = ("photos", [("feature", stream)])
        case .search(let text): place = ("photos/search", [("term", text), ("sort", "_score")])
        case .user(let user): place = ("photos", [("feature", "user"), ("username", user)])
        case .favorites, .marked:
            throw unsupported("feed '\(feed.word)'", known: ["popular", "search", "user"])
        }
        let query = place.query + [("page", "\(slice.number)"), ("rpp", "\(slice.size)")]
        return .ask(try request(place.path, query)) { (reply) throws(ServiceError) in
            .done(try importer.page(try accepted(reply, what: "page \(slice.number)"), slice))
        }
    }

    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let ids = photos.map(\.id)
        guard ids.count > 1 else { return try eachAlone(ids, after: [:]) }
        let batches = stride(from: 0, to: ids.count, by: Self.batchLimit).map {
            ids[$0..<min($0 + Self.batchLimit, ids.count)]
        }
        var requests: [HTTPRequest] = []
        for batch in batches {
            requests.append(try request("photos", [("ids", batch.map(\.value).joined(separator: ","))]))
        }
        return .send(requests) { (outcomes) throws(ServiceError) in
            var known: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for (batch, outcome) in zip(batches, outcomes) {
                if let error = absence(outcome) { for id in batch { known[id] = .failure(error) } }
                // A server without the batch answers with an error or with some other list:
                // whatever it did not bring is asked for alone, and says there what is wrong.
                guard case .success(let reply) = outcome, reply.head.status == 200,
                    let details = try? importer.batch(reply.body)
                else { continue }
                for detail in details { known[detail.photo.id] = .success(detail) }
            }
            let asked = Set(ids)
            return try eachAlone(
                ids.filter { known[$0] == nil }, after: known.filter { asked.contains($0.key) })
        }
    }

    func photo(atPage page: URL) -> PhotoID? {
        let parts = page.path.split(separator: "/")
        guard let host = page.host?.lowercased(), host == "500px.com" || host.hasSuffix(".500px.com"),
            parts.count >= 2, parts[0] == "photo", parts[1].utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return PhotoID(service: name, value: String(parts[1]))
    }

    // MARK: - Requests

    private func eachAlone(
        _ ids: [PhotoID], after known: [PhotoID: Result<PhotoDetail, ServiceError>]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        guard !ids.isEmpty else { return .done(known) }
        var requests: [HTTPRequest] = []
        for id in ids { requests.append(try request("photos/\(HTTPRequest.escaped(id.value))", [])) }
        return .send(requests) { outcomes in
            var known = known
            for (id, outcome) in zip(ids, outcomes) {
                known[id] = outcome.flatMap { reply in
                    Result { () throws(ServiceError) in
                        try importer.detail(try accepted(reply, what: "photo \(PlainText.excerpt(id.value))"))
                    }
                }
            }
            return .done(known)
        }
    }

    private func request(_ path: String, _ query: [(String, String?)]) throws(ServiceError) -> HTTPRequest {
        if key == nil, base.absoluteString == Self.officialBase {
            throw .keyMissing(service: name, variable: Self.keyVariable)
        }
        var request = HTTPRequest(
            base, path, query: query + [("image_size", Self.imageSizes), ("tags", "1")])
        if let key { request.secrets[.query(name: "consumer_key")] = key }
        return request
    }

    private func accepted(_ reply: HTTPReply, what: String) throws(ServiceError) -> Data {
        switch reply.head.status {
        case 200: return reply.body
        // A photo that was deleted, or whose owner left, answers 403: to us it is gone.
        case 403 where what.hasPrefix("photo "): throw .missing(service: name, what: what)
        case 401 where key == nil: throw .keyMissing(service: name, variable: Self.keyVariable)
        case let status:
            throw .status(status, of: reply, service: name, what: what, variable: Self.keyVariable)
        }
    }

    /// Why the host is away, or that it asks to wait: then it is not asked for each photo as well.
    private func absence(_ outcome: Result<HTTPReply, ServiceError>) -> ServiceError? {
        switch outcome {
        case .failure(let error): return error
        case .success(let reply) where Self.absences.contains(reply.head.status):
            do { _ = try accepted(reply, what: "details") } catch { return error }
        case .success: break
        }
        return nil
    }

    private func unsupported(_ what: String, known: [String]) -> ServiceError {
        .unsupported(service: name, what: what, known: known)
    }
}

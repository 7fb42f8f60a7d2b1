import Foundation

/// The Flickr API: REST requests, JSON replies.
///
/// Reads of public photos need a key and nothing else. A failure comes with status 200 and
/// `"stat":"fail"`, and below 95 its code means something else for each method.
/// Source: www.flickr.com/services/api, as told in `shared/api/flickr.md`.
struct Flickr: PhotoService {
    /// Where the API is.
    static let officialBase = "https://api.flickr.com/services/rest/"

    /// The environment variable that holds the key.
    static let keyVariable = "GALLERY_FLICKR_KEY"

    /// The one order that Flickr keeps of all its photos, day by day.
    static let rankings = ["interesting"]

    /// What a list shall say of each photo, so that it needs no request of its own: neither for the
    /// thumbnail nor, where the owner allows one, for a large size.
    private static let extras =
        "owner_name,tags,views,license,description,date_taken,o_dims,media,url_q,url_n,url_z,url_l,url_h,"
        + "url_k,url_3k,url_4k,url_5k,url_6k,url_o,date_upload,path_alias,count_faves"

    private enum Method: String {
        case interesting = "flickr.interestingness.getList"
        case search = "flickr.photos.search"
        case photosOfUser = "flickr.people.getPublicPhotos"
        case favorites = "flickr.favorites.getPublicList"
        case userByAddress = "flickr.urls.lookupUser"
        case userByName = "flickr.people.findByUsername"
        case info = "flickr.photos.getInfo"
        case sizes = "flickr.photos.getSizes"

        /// The last place that is listed: 500 photos make a day, and beyond 4,000 results a search
        /// repeats itself.
        var end: Int {
            switch self {
            case .interesting: 500
            case .search: 4000
            default: .max
            }
        }
    }

    /// `flickr`.
    let name = "flickr"

    private let base: URL
    private let key: Secret?
    private let importer = FlickrImporter()

    /// The API at `base`, the `rest` endpoint; the official one wants a key, others may not.
    init(base: URL?, key: Secret?) {
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
        self.key = key
    }

    /// As many as the API gives; its terms ask for no more than 30 on one screen.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(500) }

    /// One request for any place; one or two more for a user who is named rather than numbered.
    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(let ranking, let date):
            guard ranking == nil || Self.rankings.contains(ranking ?? "") else {
                let what = "ranking '\(PlainText.excerpt(ranking ?? ""))'"
                throw .unsupported(service: name, what: what, known: Self.rankings)
            }
            let what = "interesting photos" + (date.map { " of \($0)" } ?? "")
            return try list(.interesting, [("date", date?.description)], slice, what: what)
        case .search(let text):
            let query = [("text", text), ("sort", "relevance"), ("media", "photos")]
            return try list(.search, query, slice, what: "page \(slice.number)")
        case .user(let user): return try list(.photosOfUser, ofUser: user, slice)
        case .favorites(of: let user?): return try list(.favorites, ofUser: user, slice)
        case .favorites(of: nil):
            throw .unsupported(service: name, what: "favorites without a user's name", known: [])
        case .marked:
            let known = ["popular", "search", "user", "favorites"]
            throw .unsupported(service: name, what: "feed 'marked'", known: known)
        }
    }

    /// One request a photo, for its text, and where the list named no large file one for its files;
    /// all sent together.
    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let unsized = photos.filter { $0.full == nil }
        var requests: [HTTPRequest] = []
        for photo in photos { requests.append(try request(.info, [("photo_id", photo.id.value)])) }
        for photo in unsized { requests.append(try request(.sizes, [("photo_id", photo.id.value)])) }
        return .send(requests) { outcomes in
            let sizes = Dictionary(zip(unsized.map(\.id), outcomes.dropFirst(photos.count))) { $1 }
            var details: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for (photo, info) in zip(photos, outcomes) {
                details[photo.id] = Result { () throws(ServiceError) in
                    try detail(of: photo.id, info: info, sizes: sizes[photo.id])
                }
            }
            return .done(details)
        }
    }

    /// The photo of `www.flickr.com/photos/<author>/<id>` and what is below it.
    func photo(atPage page: URL) -> PhotoID? {
        let parts = page.path.split(separator: "/")
        guard let host = page.host?.lowercased(), host == "flickr.com" || host.hasSuffix(".flickr.com"),
            parts.count >= 3, parts[0] == "photos", parts[1] != "tags",
            parts[2].utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return PhotoID(service: name, value: String(parts[2]))
    }

    // MARK: - Lists

    private func list(
        _ method: Method, _ query: [(String, String?)], _ slice: PageSlice, what: String
    ) throws(ServiceError) -> Exchange<Page> {
        guard slice.firstIndex <= method.end else { return .done(Page(photos: [], hasMore: false)) }
        let paging = [("extras", Self.extras), ("per_page", "\(slice.size)"), ("page", "\(slice.number)")]
        return .ask(try request(method, query + paging)) { (reply) throws(ServiceError) in
            let body = try accepted(reply, method, what: what)
            return .done(try importer.page(body, slice, end: method.end))
        }
    }

    /// The list of a user, who is looked up first unless named by identifier: by the name in
    /// addresses, then by the name that is shown.
    private func list(
        _ method: Method, ofUser user: String, _ slice: PageSlice
    ) throws(ServiceError) -> Exchange<Page> {
        let what = "user '\(PlainText.excerpt(user))'"
        return try identifier(of: user, what: what).then { (id) throws(ServiceError) in
            try list(method, [("user_id", id)], slice, what: what)
        }
    }

    private func identifier(of user: String, what: String) throws(ServiceError) -> Exchange<String> {
        if user.wholeMatch(of: /[0-9]+@N[0-9]+/) != nil { return .done(user) }
        let byName = Exchange<String>.ask(
            try request(.userByName, [("username", user)])
        ) { (reply) throws(ServiceError) in
            .done(try importer.user(try accepted(reply, .userByName, what: what)))
        }
        // What is no word can only be the name that is shown.
        guard user.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil else { return byName }
        let address = "https://www.flickr.com/photos/\(user)/"
        return .ask(try request(.userByAddress, [("url", address)])) { (reply) throws(ServiceError) in
            let body: Data
            do throws(ServiceError) {
                body = try accepted(reply, .userByAddress, what: what)
            } catch {
                guard case .missing = error else { throw error }
                return byName
            }
            return .done(try importer.user(body))
        }
    }

    // MARK: - Details

    private func detail(
        of id: PhotoID, info: Result<HTTPReply, ServiceError>, sizes: Result<HTTPReply, ServiceError>?
    ) throws(ServiceError) -> PhotoDetail {
        let what = "photo \(PlainText.excerpt(id.value))"
        let info = try accepted(info.get(), .info, what: what)
        guard let sizes else { return try importer.detail(info, sizes: nil) }
        do throws(ServiceError) {
            return try importer.detail(info, sizes: try accepted(sizes.get(), .sizes, what: what))
        } catch {
            switch error {
            // The owner lets nobody have the files; the text is still worth showing.
            case .refused, .missing: return try importer.detail(info, sizes: nil)
            default: throw error
            }
        }
    }

    // MARK: - Requests and failures

    private func request(_ method: Method, _ query: [(String, String?)]) throws(ServiceError) -> HTTPRequest {
        if key == nil, base.absoluteString == Self.officialBase {
            throw .keyMissing(service: name, variable: Self.keyVariable)
        }
        let all = [("method", method.rawValue)] + query + [("format", "json"), ("nojsoncallback", "1")]
        var request = HTTPRequest(base, "", query: all)
        if let key { request.secrets[.query(name: "api_key")] = key }
        return request
    }

    /// The JSON of a reply that is no failure; `what` is what a code 1 says there is not.
    private func accepted(_ reply: HTTPReply, _ method: Method, what: String) throws(ServiceError) -> Data {
        guard reply.head.status == 200 else {
            throw .status(
                reply.head.status, of: reply, service: name, what: what, variable: Self.keyVariable)
        }
        let body = FlickrImporter.withoutCallback(reply.body)
        if let failure = importer.failure(body) { throw error(failure, method, what: what) }
        return body
    }

    private func error(_ failure: FlickrFailure, _ method: Method, what: String) -> ServiceError {
        switch failure.code {
        case 1 where method != .search: .missing(service: name, what: what)
        case 2: .refused(service: name, reason: failure.reason, variable: nil)
        case 95...99: .refused(service: name, reason: failure.reason, variable: nil)
        case 100 where key == nil: .keyMissing(service: name, variable: Self.keyVariable)
        case 100: .refused(service: name, reason: failure.reason, variable: Self.keyVariable)
        // "Service currently unavailable", which a status 503 would have said.
        case 105: .failed(service: name, status: 503, reason: failure.reason)
        case 10 where method == .search: .failed(service: name, status: 503, reason: failure.reason)
        default: .unreadable(.message(service: name, text: failure.reason + "."))
        }
    }
}

import Foundation

/// The Flickr API (www.flickr.com/services/api): REST requests, JSON replies.
///
/// Reading public photos needs only a key; without one, there is what Flickr shows everybody. A failure has status
/// 200 and `"stat":"fail"`, and codes below 95 mean something different for each method.
struct Flickr: PhotoService {
    /// Flickr's only ranking, one list a day.
    static let rankings = ["interesting"]

    /// The fields to request in lists, so that photos need no request of their own for sizes that the owner allows.
    private static let extras =
        "owner_name,tags,views,license,description,date_taken,o_dims,media,"
        + FlickrFiles.sizes.map { "url_\($0)" }.joined(separator: ",") + ",date_upload,path_alias,count_faves"

    private enum Method: String {
        case interesting = "flickr.interestingness.getList"
        case search = "flickr.photos.search"
        case photosOfUser = "flickr.people.getPublicPhotos"
        case favorites = "flickr.favorites.getPublicList"
        case userByAddress = "flickr.urls.lookupUser"
        case userByName = "flickr.people.findByUsername"
        case info = "flickr.photos.getInfo"
        case sizes = "flickr.photos.getSizes"

        /// The last index to list: a day has 500 photos, and beyond 4,000 results, a search repeats itself.
        var end: Int {
            switch self {
            case .interesting: 500
            case .search: 4000
            default: .max
            }
        }
    }

    /// Its base is the `rest` endpoint; the official one needs a key, others may not.
    let api: WebAPI
    var name: String { api.service }

    /// The API's maximum; its terms ask for no more than 30 photos on one screen.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(500) }

    /// One request for any page; one or two more to look up a user by name.
    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        if isKeyless { return try publicPage(slice, of: feed) }
        switch feed {
        case .popular(_, let date):
            let what = "interesting photos" + (date.map { " of \($0)" } ?? "")
            return try list(.interesting, [("date", date?.description)], slice, what: what)
        case .search(let text):
            let query = [("text", text), ("sort", "relevance"), ("media", "photos")]
            return try list(.search, query, slice, what: "page \(slice.number)")
        case .user(let user): return try list(.photosOfUser, ofUser: user, slice)
        case .favorites(of: let user?): return try list(.favorites, ofUser: user, slice)
        case .favorites(of: nil): throw .unknownUser(service: name, name: nil)
        }
    }

    /// One request per photo for its text and, if the list named no large file, one for its files, all sent together.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        if isKeyless { return try publicDetails(of: photos) }
        let unsized = photos.filter { $0.full == nil }
        var requests: [HTTPRequest] = []
        for photo in photos { requests.append(try request(.info, [("photo_id", photo.id.value)])) }
        for photo in unsized { requests.append(try request(.sizes, [("photo_id", photo.id.value)])) }
        return .send(requests) { outcomes in
            let sizes = Dictionary(zip(unsized.map(\.id), outcomes.dropFirst(photos.count))) { $1 }
            var details: DetailResults = [:]
            for (photo, info) in zip(photos, outcomes) {
                details[photo.id] = Result { () throws(ServiceError) in
                    try detail(of: photo.id, info: info, sizes: sizes[photo.id])
                }
            }
            return .done(details)
        }
    }

    /// One request per photo; a photo whose owner does not share its files has none.
    func files(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        if isKeyless { return try publicDetails(of: photos) }
        return try .each(photos.map(\.id)) { (id) throws(ServiceError) in
            try request(.sizes, [("photo_id", id.value)])
        } read: { (reply, id) throws(ServiceError) in
            do throws(ServiceError) {
                return try files(id, try accepted(reply, .sizes, what: id.what))
            } catch .refused {
                return PhotoDetail(photo: Photo(id: id, title: ""))
            }
        }
    }

    // MARK: - Addresses

    /// The photo at `flickr.com/photos/<author>/<id>` and below, `flic.kr/p/<short id>`, or an image named by number.
    func photo(atPage page: URL) -> PhotoID? {
        guard let page = PageAddress(page) else { return nil }
        let number: String?
        if page.isHost("flickr.com"), !page.host.contains("static") {
            // The former mobile site kept the path in the fragment.
            let path = page.path.isEmpty ? page.fragment : page.path
            let isPhoto = path.count >= 3 && path[0] == "photos" && path[1] != "tags"
            number = isPhoto ? path[2] : path.first == "photo.gne" ? page.query["id"] : nil
        } else if page.host == "flic.kr" {
            number = page.path.count == 2 && page.path[0] == "p" ? Self.number(short: page.path[1]) : nil
        } else if page.isHost("staticflickr.com") || page.isHost("static.flickr.com") {
            let file = page.path.last ?? ""
            number = file.contains("_") ? file.split(separator: "_").first.map(String.init) : nil
        } else {
            return nil
        }
        return PageAddress.number(number).map(api.id)
    }

    /// The feed for a user's page, favorites, albums (whose photos are among the user's), a search, a tag, or Explore.
    func feed(atPage page: URL) -> Feed? {
        guard let page = PageAddress(page), page.isHost("flickr.com"), let first = page.path.first else {
            return nil
        }
        let rest = page.path.dropFirst()
        switch first {
        case "photos" where rest.first == "tags": return rest.dropFirst().first.map { .search($0) }
        case "photos", "people":
            guard let user = rest.first else { return nil }
            return rest.dropFirst().first == "favorites" ? .favorites(of: user) : .user(user)
        case "search": return (page.query["text"] ?? page.query["tags"]).map { .search($0) }
        case "explore":
            let day = CalendarDay(rest.map { $0.utf8.count == 1 ? "0" + $0 : $0 }.joined(separator: "-"))
            return .popular(date: day)
        default: return nil
        }
    }

    /// The digits of numbers in short addresses: base 58, without `0`, `O`, `I`, and `l`.
    private static let digits = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ")

    static func short(_ number: UInt64) -> String {
        var (rest, text) = (number, "")
        repeat {
            text = String(digits[Int(rest % 58)]) + text
            rest /= 58
        } while rest > 0
        return text
    }

    private static func number(short text: String) -> String? {
        var number: UInt64 = 0
        for character in text {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            let (product, isTooLong) = number.multipliedReportingOverflow(by: 58)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooLong, !carries else { return nil }
            number = sum
        }
        return text.isEmpty ? nil : String(number)
    }

    // MARK: - Lists

    private func list(
        _ method: Method, _ query: [(String, String?)], _ slice: PageSlice, what: String
    ) throws(ServiceError) -> Exchange<Page> {
        guard slice.firstIndex <= method.end else { return .done(Page(photos: [], hasMore: false)) }
        let paging = [("extras", Self.extras), ("per_page", "\(slice.size)"), ("page", "\(slice.number)")]
        return .ask(try request(method, query + paging)) { (reply) throws(ServiceError) in
            let body = try accepted(reply, method, what: what)
            return .done(try page(body, slice, end: method.end))
        }
    }

    /// The list of a user, looked up first unless given by identifier: by the name in addresses, then by the one shown.
    private func list(
        _ method: Method, ofUser user: String, _ slice: PageSlice
    ) throws(ServiceError) -> Exchange<Page> {
        let what = "user '\(PlainText.excerpt(user))'"
        return try identifier(of: user, what: what).then { (id) throws(ServiceError) in
            try list(method, [("user_id", id)], slice, what: what)
        }
    }

    /// Whether `user` is an identifier (NSID), such as `12037949754@N01`.
    static func isIdentifier(_ user: String) -> Bool { user.wholeMatch(of: /[0-9]+@N[0-9]+/) != nil }

    private func identifier(of user: String, what: String) throws(ServiceError) -> Exchange<String> {
        if Self.isIdentifier(user) { return .done(user) }
        let byName = Exchange<String>.ask(
            try request(.userByName, [("username", user)])
        ) { (reply) throws(ServiceError) in
            .done(try self.user(try accepted(reply, .userByName, what: what)))
        }
        // Anything else can only be a display name.
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
            return .done(try self.user(body))
        }
    }

    // MARK: - Details

    private func detail(
        of id: PhotoID, info: Result<HTTPReply, ServiceError>, sizes: Result<HTTPReply, ServiceError>?
    ) throws(ServiceError) -> PhotoDetail {
        let what = id.what
        let info = try accepted(info.get(), .info, what: what)
        guard let sizes else { return try detail(info, sizes: nil) }
        do throws(ServiceError) {
            return try detail(info, sizes: try accepted(sizes.get(), .sizes, what: what))
        } catch {
            switch error {
            // The owner does not share the files; the text is still worth showing.
            case .refused, .missing: return try detail(info, sizes: nil)
            default: throw error
            }
        }
    }

    // MARK: - Requests and failures

    private func request(_ method: Method, _ query: [(String, String?)]) throws(ServiceError) -> HTTPRequest {
        let all = [("method", method.rawValue)] + query + [("format", "json"), ("nojsoncallback", "1")]
        return try api.request("", all, keyed: "api_key")
    }

    private func accepted(_ reply: HTTPReply, _ method: Method, what: String) throws(ServiceError) -> Data {
        let body = Self.withoutCallback(try api.accept(reply, what))
        guard let (code, reason) = failure(body) else { return body }
        let error: ServiceError =
            switch code {
            case 1 where method != .search: .missing(service: name, what: what)
            case 2, 95...99: .refused(service: name, reason: reason, variable: nil)
            case 100 where api.key == nil: api.keyMissing
            case 100: .refused(service: name, reason: reason, variable: api.keyVariable)
            // "Service currently unavailable", which a status 503 would have said.
            case 105: .failed(service: name, status: 503, reason: reason)
            case 10 where method == .search: .failed(service: name, status: 503, reason: reason)
            default: .unreadable(.message(service: name, text: reason + "."))
            }
        throw error
    }
}

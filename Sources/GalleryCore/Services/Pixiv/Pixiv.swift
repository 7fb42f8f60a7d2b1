import Foundation

/// Pixiv, through the requests that its own website sends: `ranking.php` and `/ajax`. Rankings, search, users, and most
/// works need no account; bookmarks and R-18 works need an account's session. An animated work (ugoira) is represented
/// by its first frame, as uploaded: the others are in a zip file.
struct Pixiv: PhotoService {
    /// The modes of `ranking.php`, the default first.
    static let rankings = [
        "daily", "weekly", "monthly", "rookie", "original", "male", "female", "daily_ai", "daily_r18",
        "weekly_r18", "male_r18", "female_r18", "daily_r18_ai", "r18g",
    ]

    /// Slots on a page of a ranking, and on a page of a search, one of which may be an advertisement.
    private static let rankingPage = 50
    private static let searchPage = 60

    /// Works in one batch request, as the website sends them; the maximum is unknown.
    private static let batchLimit = 48

    /// A work can have up to two hundred pages.
    let hasWorksOfSeveralPages = true
    /// Its key is an account's session.
    let api: WebAPI
    var name: String { api.service }

    /// Rankings and searches have fixed pages; a user's works and bookmarks come in any size up to the batch limit.
    func pageSizes(of feed: Feed) -> PageSizes {
        switch feed {
        case .popular: .exactly(Self.rankingPage)
        case .search: .exactly(Self.searchPage)
        case .user, .favorites: .upTo(Self.batchLimit)
        }
    }

    func isAdult(_ feed: Feed) -> Bool {
        if case .popular(let ranking?, _) = feed { Self.isAdult(ranking) } else { false }
    }

    private static func isAdult(_ ranking: String) -> Bool { ranking.contains("r18") }

    /// One page of a feed: one request, except for a user's works, whose numbers are requested first.
    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(let ranking, let date): try popular(slice, ranking ?? Self.rankings[0], date)
        case .search(let text): search(slice, text)
        case .user(let user): uploads(slice, of: try number(of: user))
        case .favorites(let user): try bookmarks(slice, of: user)
        }
    }

    func image(_ rendition: Rendition) -> HTTPRequest {
        HTTPRequest(url: rendition.url, headers: Self.visitor)
    }

    func photo(atPage page: URL) -> PhotoID? { PixivAddress.work(page).map(api.id) }
    func feed(atPage page: URL) -> Feed? { PixivAddress.feed(page) }

    // MARK: - Feeds

    private func popular(
        _ slice: PageSlice, _ mode: String, _ date: CalendarDay?
    ) throws(ServiceError) -> Exchange<Page> {
        let isAdult = Self.isAdult(mode)
        guard !isAdult || api.key != nil else { throw api.keyMissing }
        let what = "ranking '\(mode)'" + (date.map { " of \($0)" } ?? "")
        let day = date?.description.replacing("-", with: "")
        return pages(of: Self.rankingPage, holding: slice) { number in
            request("ranking.php", [("format", "json"), ("mode", mode), ("date", day), ("p", "\(number)")])
        } read: { (reply, slice) throws(ServiceError) in
            // This means the end of the ranking; on the first page, that there is no such ranking.
            if reply.head.status == 404, slice.number > 1 { return Page(photos: [], hasMore: false) }
            return try ranking(try accepted(reply, about: what), slice, isAdult: isAdult)
        }
    }

    private func search(_ slice: PageSlice, _ text: String) -> Exchange<Page> {
        pages(of: Self.searchPage, holding: slice) { number in
            request(
                "ajax/search/artworks/\(HTTPRequest.escaped(text))",
                [
                    ("word", text), ("order", "date_d"), ("mode", "all"), ("s_mode", "s_tag"),
                    ("type", "all"), ("p", "\(number)"),
                ])
        } read: { (reply, slice) throws(ServiceError) in
            try search(accepted(reply, about: "search for '\(PlainText.excerpt(text))'"), slice)
        }
    }

    /// The numbers of all works are requested first, then the works in batches.
    private func uploads(_ slice: PageSlice, of user: String) -> Exchange<Page> {
        .ask(request("ajax/user/\(user)/profile/all")) { (reply) throws(ServiceError) in
            let all = try self.ids(try accepted(reply, about: "user \(user)"))
            let ids = Array(all.dropFirst(slice.firstIndex - 1).prefix(slice.size))
            let batches = ids.chunks(of: Self.batchLimit).map { batch in
                request(
                    "ajax/user/\(user)/profile/illusts",
                    batch.map { ("ids[]", $0) } + [("work_category", "illustManga"), ("is_first_page", "0")])
            }
            return .send(batches) { (outcomes) throws(ServiceError) in
                var found: [String: Photo] = [:]
                var leftOut: [ImportError] = []
                for outcome in outcomes {
                    let body = try accepted(try outcome.get(), about: "user \(user)")
                    let batch = try self.batch(body)
                    for work in batch.works { found[work.id.value] = work }
                    leftOut += batch.leftOut
                }
                let photos = zip(slice.indexes, ids).compactMap { index, id in
                    found[id].map { IndexedPhoto(index: index, photo: $0) }
                }
                return .done(
                    Page(
                        photos: photos, total: all.count, hasMore: slice.indexes.upperBound < all.count,
                        leftOut: leftOut))
            }
        }
    }

    private func bookmarks(_ slice: PageSlice, of user: String?) throws(ServiceError) -> Exchange<Page> {
        guard let session = api.key else { throw api.keyMissing }
        // The number before the `_` is not secret but part of the address of the user's page.
        let own = session.value.split(separator: "_", omittingEmptySubsequences: false)[0]
        guard let user = try user.map(number(of:)) ?? PageAddress.number(String(own)) else {
            throw .refused(
                service: name, reason: "the session does not say whose it is", variable: api.keyVariable)
        }
        let request = self.request(
            "ajax/user/\(user)/illusts/bookmarks",
            [
                ("tag", ""), ("offset", "\(slice.firstIndex - 1)"), ("limit", "\(slice.size)"),
                ("rest", "show"),
            ])
        return .ask(request) { (reply) throws(ServiceError) in
            // The answer to visitors without a session, or with an expired one.
            if reply.head.status == 400 { throw refused(PixivFault(reply.body)?.text) }
            return .done(try bookmarks(try accepted(reply, about: "user \(user)"), slice))
        }
    }

    // MARK: - Details

    /// One request per work, which returns the file of its first page, and one more for the files of a work
    /// with several pages: at once if a list said so, otherwise once the work does. There is no batch request
    /// with files. A work whose files are withheld is a failure that says what is missing.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        let known = photos.filter { PageAddress.number($0.id.value) != nil }
        let long = known.filter { $0.pageCount > 1 }.map(\.id)
        let requests = known.map { request("ajax/illust/\($0.id.value)") } + long.map { pagesRequest($0) }
        return .send(requests) { outcomes in
            let works = Outcomes(zip(known.map(\.id), outcomes)) { first, _ in first }
            let pages = Outcomes(zip(long, outcomes.dropFirst(known.count))) { first, _ in first }
            let rest = works.filter { pages[$0.key] == nil && hasSeveralPages($0.value) }.keys
                .sorted { $0.value < $1.value }
            guard !rest.isEmpty else { return .done(details(of: photos, works, pages)) }
            return .send(rest.map { pagesRequest($0) }) { more in
                .done(details(of: photos, works, pages.merging(zip(rest, more)) { first, _ in first }))
            }
        }
    }

    private typealias Outcomes = [PhotoID: Exchange<DetailResults>.Outcome]

    private func pagesRequest(_ id: PhotoID) -> HTTPRequest { request("ajax/illust/\(id.value)/pages") }

    private func hasSeveralPages(_ work: Outcomes.Value) -> Bool {
        guard case .success(let reply) = work, reply.head.status == 200 else { return false }
        return hasSeveralPages(reply.body)
    }

    private func details(of photos: [Photo], _ works: Outcomes, _ pages: Outcomes) -> DetailResults {
        var details: DetailResults = [:]
        for id in photos.map(\.id) {
            details[id] = Result { () throws(ServiceError) in try detail(id, works[id], pages[id]) }
        }
        return details
    }

    private func detail(
        _ id: PhotoID, _ work: Outcomes.Value?, _ pages: Outcomes.Value?
    ) throws(ServiceError) -> PhotoDetail {
        let what = id.what
        guard let work else { throw .missing(service: name, what: what) }
        let body = try accepted(try work.get(), about: what)
        var files: Data?
        if let pages, hasSeveralPages(body) { files = try accepted(try pages.get(), about: what) }
        let detail = try detail(id, body, pages: files)
        // An R-18 work shows everything but its files without an account.
        guard detail.photo.full != nil else {
            throw api.key == nil ? api.keyMissing : refused("\(what) is not shown to this account")
        }
        return detail
    }

    // MARK: - Pages and numbers

    /// Only numbers: looking up a name needs an account.
    private func number(of user: String) throws(ServiceError) -> String {
        if let number = PixivAddress.user(user) { return number }
        throw .unknownUser(service: name, name: PlainText.excerpt(user))
    }

    /// Requests the site's pages of `size` that contain `slice`, and cuts the slice out of them.
    private func pages(
        of size: Int, holding slice: PageSlice, request: (Int) -> HTTPRequest,
        read: @escaping @Sendable (HTTPReply, PageSlice) throws(ServiceError) -> Page
    ) -> Exchange<Page> {
        let first = (slice.indexes.lowerBound - 1) / size + 1
        let last = (slice.indexes.upperBound - 1) / size + 1
        return .send((first...last).map(request)) { (outcomes) throws(ServiceError) in
            var page = try read(outcomes[0].get(), PageSlice(number: first, size: size))
            for (number, outcome) in zip((first + 1)..., outcomes.dropFirst()) where page.hasMore {
                let next = try read(outcome.get(), PageSlice(number: number, size: size))
                page = Page(
                    photos: page.photos + next.photos, total: next.total ?? page.total,
                    hasMore: next.hasMore, leftOut: page.leftOut + next.leftOut)
            }
            let isBehind = page.photos.last.flatMap(\.index).map { $0 > slice.indexes.upperBound } ?? false
            return .done(
                Page(
                    photos: page.photos.filter { slice.indexes.contains($0.index ?? 0) }, total: page.total,
                    hasMore: page.hasMore || isBehind, leftOut: page.leftOut))
        }
    }
}

// MARK: - Requests

extension Pixiv {
    /// The image host requires the site as referrer; the site rejects agents that do not begin
    /// like a browser's, so the program's own name comes second.
    private static let visitor = [
        "Referer": "https://www.pixiv.net/",
        "User-Agent": "Mozilla/5.0 (compatible) \(HTTPRequest.userAgent)",
    ]

    private func request(_ path: String, _ query: [(String, String?)] = []) -> HTTPRequest {
        var request = api.request(path, query)
        request.headers = Self.visitor
        if let session = api.key { request.secrets[.header(name: "Cookie", prefix: "PHPSESSID=")] = session }
        return request
    }

    private func accepted(_ reply: HTTPReply, about what: String) throws(ServiceError) -> Data {
        let fault = PixivFault(reply.body)
        // Source: gallery-dl, `PixivAppAPI._call`.
        if fault?.text?.lowercased().contains("rate limit") == true {
            throw .rateLimited(service: name, seconds: nil)
        }
        // How `/ajax` answers an unknown session. Source: gallery-dl, `_request_ajax`.
        if let fault, fault.text == "An unknown error occurred", api.key != nil { throw refused(fault.text) }
        switch reply.head.status {
        case 200:
            guard let fault else { return reply.body }
            throw .unreadable(.message(service: name, text: fault.text ?? "an error without a reason"))
        // 400 means an impossible number of a user or work.
        case 400, 404: throw .missing(service: name, what: what)
        case 401, 403:
            // Without JSON, it was not the site but a gateway in front of it.
            throw api.key == nil && fault != nil
                ? api.keyMissing : refused(fault?.text ?? "status \(reply.head.status)")
        case let status: throw .status(status, of: reply, service: name, what: what, variable: nil)
        }
    }

    /// The session is invalid, or its account may not see this.
    private func refused(_ reason: String?) -> ServiceError {
        .refused(
            service: name, reason: reason ?? "no reason given",
            variable: api.key.flatMap { _ in api.keyVariable })
    }
}

/// A failure reported by the site: `error` may be `true`, a string (`ranking.php`), or an object (the apps' API), even
/// with status 200, and with an empty message or none.
struct PixivFault {
    /// The site's message as short plain text; `nil` if there is none.
    let text: String?

    init?(_ body: Data) {
        let said = try? Reply("", body).read { wire -> String? in
            if let flag = wire.flag("error") { return flag ? wire.text("message") ?? "" : nil }
            if let text = wire.string("error") {
                return Markup.plain(text).isEmpty ? nil : Markup.plain(text)
            }
            return wire.object("error").map { $0.text("user_message") ?? $0.text("message") ?? "" }
        }
        guard let said else { return nil }
        var text = PlainText.excerpt(said, limit: 120)
        while let last = text.last, ".。".contains(last) { text.removeLast() }
        self.text = text.isEmpty ? nil : text
    }
}

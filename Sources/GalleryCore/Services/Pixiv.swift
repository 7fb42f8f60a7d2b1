import Foundation

/// Pixiv, by the requests that its own pages send: `ranking.php` and `/ajax`.
///
/// Rankings, search, users and most works answer without an account; bookmarks and
/// R-18 works want the session of one. See `shared/api/pixiv.md` for what is known.
/// An animated work (ugoira) is the still that pixiv itself offers as its picture: the
/// first frame, as uploaded. Its other frames come in a zip, which is no picture.
public struct Pixiv: PhotoService {
    /// Where the site is.
    public static let officialBase = "https://www.pixiv.net"

    /// The environment variable that holds the session: the cookie `PHPSESSID`.
    public static let sessionVariable = "GALLERY_PIXIV_SESSION"

    /// The modes of `ranking.php`, the usual one first.
    public static let rankings = [
        "daily", "weekly", "monthly", "rookie", "original", "male", "female", "daily_ai", "daily_r18",
        "weekly_r18", "male_r18", "female_r18", "daily_r18_ai", "r18g",
    ]

    /// Slots on a page of the ranking, and on a page of a search, where one is an advertisement.
    private static let rankingPage = 50
    private static let searchPage = 60

    /// Works in one batch request: what the site itself asks for, and no maximum is known.
    private static let batchLimit = 48

    /// A work may have up to two hundred pages.
    public let hasWorksOfSeveralPages = true
    /// `pixiv`.
    public let name = "pixiv"
    private let site: PixivSite
    private let rows = PixivRanking(service: "pixiv")
    private let works = PixivWorks(service: "pixiv")

    /// The site at `base`, the official one by default, visited with the session of an account if there is one.
    public init(base: URL?, session: Secret?) {
        site = PixivSite(
            service: name, base: base ?? URL(string: Self.officialBase) ?? URL(filePath: "/"),
            session: session)
    }

    /// Rankings and searches come as the site cuts them; what a user made or marked in any piece
    /// that one request may ask for.
    public func pageSizes(of feed: Feed) -> PageSizes {
        switch feed {
        case .popular: .exactly(Self.rankingPage)
        case .search: .exactly(Self.searchPage)
        case .user, .favorites, .marked: .upTo(Self.batchLimit)
        }
    }

    /// Whether it is one of the R-18 rankings.
    public func isAdult(_ feed: Feed) -> Bool {
        if case .popular(let ranking?, _) = feed { Self.isAdult(ranking) } else { false }
    }

    private static func isAdult(_ ranking: String) -> Bool { ranking.contains("r18") }

    /// One page of a feed: one request, but for a user's works, whose numbers come first.
    public func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(let ranking, let date): try popular(slice, ranking ?? Self.rankings[0], date)
        case .search(let text): search(slice, text)
        case .user(let user): uploads(slice, of: try number(of: user))
        case .favorites(let user): try bookmarks(slice, of: user)
        case .marked:
            throw .unsupported(
                service: name, what: "feed 'marked'", known: ["popular", "search", "user", "favorites"])
        }
    }

    /// The host of the images refuses whoever does not come from the site.
    public func image(_ rendition: Rendition) -> HTTPRequest {
        HTTPRequest(url: rendition.url, headers: PixivSite.visitor)
    }

    /// The work whose page this is, in any of the site's languages.
    public func photo(atPage page: URL) -> PhotoID? {
        PixivAddress.work(page).map { PhotoID(service: name, value: $0) }
    }

    // MARK: - Feeds

    private func popular(
        _ slice: PageSlice, _ ranking: String, _ date: CalendarDay?
    ) throws(ServiceError) -> Exchange<Page> {
        guard Self.rankings.contains(ranking) else {
            throw .unsupported(
                service: name, what: "ranking '\(PlainText.excerpt(ranking))'", known: Self.rankings)
        }
        let isAdult = Self.isAdult(ranking)
        guard !isAdult || site.session != nil else { throw site.keyMissing }
        let what = "ranking '\(ranking)'" + (date.map { " of \($0)" } ?? "")
        let day = date?.description.replacing("-", with: "")
        return pages(of: Self.rankingPage, holding: slice) { number in
            site.request(
                "ranking.php", [("format", "json"), ("mode", ranking), ("date", day), ("p", "\(number)")])
        } read: { (reply, number) throws(ServiceError) in
            // So it answers beyond its end; on the first page it means that there is no such ranking.
            if reply.head.status == 404, number > 1 { return .end }
            return try rows.list(try site.body(of: reply, about: what), isAdult: isAdult)
        }
    }

    private func search(_ slice: PageSlice, _ text: String) -> Exchange<Page> {
        pages(of: Self.searchPage, holding: slice) { number in
            site.request(
                "ajax/search/artworks/\(HTTPRequest.escaped(text))",
                [
                    ("word", text), ("order", "date_d"), ("mode", "all"), ("s_mode", "s_tag"),
                    ("type", "all"), ("p", "\(number)"),
                ])
        } read: { (reply, number) throws(ServiceError) in
            let body = try site.body(of: reply, about: "search for '\(PlainText.excerpt(text))'")
            return try works.search(body, page: number, of: Self.searchPage)
        }
    }

    /// The numbers of all works come first, in no order; what the works are is asked in batches.
    private func uploads(_ slice: PageSlice, of user: String) -> Exchange<Page> {
        .ask(site.request("ajax/user/\(user)/profile/all")) { (reply) throws(ServiceError) in
            let all = try works.ids(try site.body(of: reply, about: "user \(user)"))
            let ids = Array(all.dropFirst(slice.firstIndex - 1).prefix(slice.size))
            let batches = stride(from: 0, to: ids.count, by: Self.batchLimit).map { start in
                site.request(
                    "ajax/user/\(user)/profile/illusts",
                    ids[start..<min(start + Self.batchLimit, ids.count)].map { ("ids[]", $0) }
                        + [("work_category", "illustManga"), ("is_first_page", "0")])
            }
            return .send(batches) { (outcomes) throws(ServiceError) in
                var found: [String: Photo] = [:]
                for outcome in outcomes {
                    let body = try site.body(of: try outcome.get(), about: "user \(user)")
                    for work in try works.batch(body) { found[work.id.value] = work }
                }
                let list = PixivList(
                    slots: ids.map { found[$0] }, total: all.count,
                    hasMore: slice.indexes.upperBound < all.count)
                return .done(list.page(slice))
            }
        }
    }

    private func bookmarks(_ slice: PageSlice, of user: String?) throws(ServiceError) -> Exchange<Page> {
        guard let session = site.session else { throw site.keyMissing }
        guard let user = try user.map(number(of:)) ?? session.pixivUser else {
            throw .refused(
                service: name, reason: "the session does not say whose it is", variable: Self.sessionVariable)
        }
        let request = site.request(
            "ajax/user/\(user)/illusts/bookmarks",
            [
                ("tag", ""), ("offset", "\(slice.firstIndex - 1)"), ("limit", "\(slice.size)"),
                ("rest", "show"),
            ])
        return .ask(request) { (reply) throws(ServiceError) in
            // What those get who are not logged in, and so those whose session has ended.
            if reply.head.status == 400 { throw site.refused(PixivFault(reply.body)?.text) }
            return .done(try works.bookmarks(try site.body(of: reply, about: "user \(user)"), slice))
        }
    }

    // MARK: - Details

    /// Two requests a work, for there is no batch that names files. A work whose files are
    /// withheld is a failure that says what is missing.
    public func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let ids = photos.map(\.id)
        let known = ids.filter { PixivAddress.number($0.value) != nil }
        // The work has the addresses of its first page alone, the pages have nothing else.
        let requests = known.flatMap { work in
            ["ajax/illust/\(work.value)", "ajax/illust/\(work.value)/pages"].map { site.request($0) }
        }
        return .send(requests) { outcomes in
            var details: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for id in ids {
                let what = "photo \(PlainText.excerpt(id.value))"
                details[id] = .failure(.missing(service: name, what: what))
            }
            for (place, id) in known.enumerated() {
                details[id] = Result { () throws(ServiceError) in
                    try detail(id, outcomes[2 * place], outcomes[2 * place + 1])
                }
            }
            return .done(details)
        }
    }

    private func detail(
        _ id: PhotoID, _ work: Result<HTTPReply, ServiceError>, _ pages: Result<HTTPReply, ServiceError>
    ) throws(ServiceError) -> PhotoDetail {
        let what = "photo \(id.value)"
        let body = try site.body(of: try work.get(), about: what)
        let detail = try works.detail(id, body) { () throws(ServiceError) in
            try site.body(of: try pages.get(), about: what)
        }
        // An R-18 work tells strangers everything but where its files are.
        guard detail.photo.full != nil else {
            throw site.session == nil ? site.keyMissing : site.refused("\(what) is not shown to this account")
        }
        return detail
    }

    // MARK: - Pages and numbers

    /// A name could only be looked up by a search that answers no stranger.
    private func number(of user: String) throws(ServiceError) -> String {
        if let number = PixivAddress.user(user) { return number }
        throw .unsupported(
            service: name, what: "user '\(PlainText.excerpt(user))', but numbered ones",
            known: ["the number in the address of the user's page"])
    }

    /// Asks for those of the site's pages of `size` that hold `slice`, and takes the slice from them.
    private func pages(
        of size: Int, holding slice: PageSlice, request: (Int) -> HTTPRequest,
        read: @escaping @Sendable (HTTPReply, Int) throws(ServiceError) -> PixivList
    ) -> Exchange<Page> {
        let first = (slice.indexes.lowerBound - 1) / size + 1
        let last = (slice.indexes.upperBound - 1) / size + 1
        return .send((first...last).map(request)) { (outcomes) throws(ServiceError) in
            var list = PixivList.end
            for (offset, outcome) in outcomes.enumerated() where offset == 0 || list.hasMore {
                list.append(try read(try outcome.get(), first + offset), at: offset * size, limit: size)
            }
            return .done(list.page(slice, from: slice.firstIndex - 1 - (first - 1) * size))
        }
    }
}

import Foundation

/// Wikimedia Commons: MediaWiki's query API (commons.wikimedia.org/w/api.php), without a key.
///
/// A list has each file's title, author, license, thumbnail, and original's address, so there is no second stage.
/// Searches can start anywhere; the other lists only go forward, from a cursor that each page gives for the next.
/// Without one, requests that name 500 files each lead there: index 5,000 costs ten, and beyond ``reach`` a list ends.
struct Commons: PhotoService {
    /// The community's selections, best first; each lists its newest files first.
    static let rankings = categories.map(\.key) + [day]

    /// The picture of a day, the only ranking that has a past.
    private static let day = "day"

    static let categories: KeyValuePairs = [
        "featured": "Category:Featured_pictures_on_Wikimedia_Commons", "quality": "Category:Quality_images",
        "valued": "Category:Valued_images_sorted_by_promotion_date",
    ]

    /// The last index that walking a list can reach: fifty requests of ``filesAtOnce``.
    static let reach = 25_000

    /// The most files that one request may name if it asks for nothing else.
    static let filesAtOnce = 500

    private static let searchEnd = 10_000

    /// The most answers that one batch may be spread over, and files that one request may name.
    private static let parts = 20
    private static let batchLimit = 50

    let detailsPerRequest = Self.batchLimit
    /// Files have categories instead, which no list tells.
    let listsTags = false

    /// Its base is the `api.php`.
    let api: WebAPI
    var name: String { api.service }

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(Self.batchLimit) }

    /// One request for a search, for the first page, or if `cursor` leads to the page; otherwise, a walk
    /// from `cursor`, if there is one, and one more request. A cursor works for pages of any size.
    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(let ranking, let date):
            if ranking == Self.day || ranking == nil && date != nil { return try picture(of: date, slice) }
            let category = Self.categories.first { $0.key == ranking } ?? Self.categories[0]
            guard date == nil else {
                throw .unsupported(
                    service: name, what: "past rankings of '\(category.key)'", known: [Self.day])
            }
            return try page(slice, of: .category(category.value), cursor: cursor)
        case .search(let text) where text.hasPrefix("Category:"):
            return try page(slice, of: .category(text, isNamed: true), cursor: cursor)
        case .search(let text): return try search(text, slice, isPlain: cursor?.text == Self.plain)
        case .user(let user): return try page(slice, of: .uploads(by: user), cursor: cursor)
        case .favorites: throw lacks(feed)
        }
    }

    /// As many files per request as the API allows, one request at a time, as Wikimedia asks.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        let ids = photos.map(\.id)
        // One request takes page numbers or titles, not both.
        let groups = [
            ids.filter { !CommonsTitle.isTitle($0.value) }, ids.filter { CommonsTitle.isTitle($0.value) },
        ]
        return try details(of: groups.flatMap { $0.chunks(of: Self.batchLimit) }[...], after: [:])
    }

    /// The photo of a file page. Addresses lack the page's number: until details tell it, the identifier is the title.
    func photo(atPage page: URL) -> PhotoID? {
        CommonsTitle.identifier(atPage: page, or: api.isOfficial ? nil : api.base).map(api.id)
    }

    func feed(atPage page: URL) -> Feed? { CommonsTitle.feed(atPage: page) }

    /// Whether the identifier is a title: lists give page numbers.
    func isProvisional(_ id: PhotoID) -> Bool { CommonsTitle.isTitle(id.value) }

    // MARK: - Lists

    /// The cursor in a wiki that lacks CirrusSearch, an extension whose words are in searches otherwise.
    private static let plain = "plain"

    /// - Parameter isDoubtful: Whether a wiki may lack it because nothing was found, which is asked along.
    private func search(
        _ text: String, _ slice: PageSlice, isPlain: Bool, isDoubtful: Bool = false
    ) throws(ServiceError) -> Exchange<Page> {
        guard slice.firstIndex <= Self.searchEnd else { return .done(Page(photos: [], hasMore: false)) }
        let limit = min(slice.size, Self.searchEnd - slice.firstIndex + 1)
        let query = [
            ("generator", "search"), ("gsrsearch", text + (isPlain ? "" : " filetype:bitmap")),
            ("gsrnamespace", "6"), ("gsrlimit", "\(limit)"), ("gsroffset", "\(slice.firstIndex - 1)"),
        ]
        let extensions = isDoubtful ? [("meta", "siteinfo"), ("siprop", "extensions")] : []
        return try batch(query + extensions + Self.files).then { (batch) throws(ServiceError) in
            let batch = try batch.get()
            if !isPlain, batch.pages.isEmpty, !api.isOfficial {
                return try search(text, slice, isPlain: true, isDoubtful: true)
            }
            if batch.hasCirrusSearch { return .done(Page(photos: [], hasMore: false)) }
            let follows = batch.continuation["gsroffset"] != nil && slice.indexes.upperBound < Self.searchEnd
            return .done(
                Page(
                    photos: photos(batch, slice), hasMore: follows,
                    next: isPlain && follows ? Self.plain : nil, leftOut: batch.leftOut))
        }
    }

    /// The pictures, usually one, that the wiki's main page shows on a day; `nil` for today, which begins by UTC.
    private func picture(of date: CalendarDay?, _ slice: PageSlice) throws(ServiceError) -> Exchange<Page> {
        let day = date?.description ?? Date().formatted(.iso8601.year().month().day())
        let query = [
            ("generator", "images"), ("titles", "Template:Potd/\(day)"), ("gimlimit", "\(Self.batchLimit)"),
        ]
        return try batch(query + Self.files).then { (batch) throws(ServiceError) in
            let batch = try batch.get()
            let photos = photos(batch, PageSlice(number: 1, size: Self.batchLimit)).map(\.photo)
            guard !photos.isEmpty else {
                throw batch.leftOut.first.map { .unreadable($0) }
                    ?? .missing(service: name, what: "picture of the day for \(day)")
            }
            return .done(Page(slice.indexes, of: photos, leftOut: batch.leftOut))
        }
    }

    private func page(
        _ slice: PageSlice, of list: CommonsList, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let skipped = slice.firstIndex - 1 - (cursor?.offset ?? 0)
        guard skipped <= Self.reach else { return .done(Page(photos: [], hasMore: false)) }
        guard skipped > 0 else { return try page(slice, of: list, from: cursor?.text) }
        return try walk(list, skipping: skipped, from: cursor?.text, requests: 1)
            .then { (start) throws(ServiceError) in
                guard let start else { return .done(Page(photos: [], hasMore: false)) }
                return try page(slice, of: list, from: start)
            }
    }

    private func page(
        _ slice: PageSlice, of list: CommonsList, from start: String?
    ) throws(ServiceError) -> Exchange<Page> {
        let query = list.generator(limit: slice.size, from: start) + Self.files
        return try batch(query).then { (batch) throws(ServiceError) in
            var batch = try batch.get()
            if list.isInOrderOfUpload { batch.sortNewestFirst() }
            let next = batch.continuation[list.generatorCursor]
            if let what = list.asked, batch.pages.isEmpty, next == nil, slice.number == 1 {
                throw .missing(service: name, what: what)
            }
            return .done(
                Page(photos: photos(batch, slice), hasMore: next != nil, next: next, leftOut: batch.leftOut))
        }
    }

    /// The cursor after the first `count` files; `nil` if the list is shorter.
    private func walk(
        _ list: CommonsList, skipping count: Int, from cursor: String?, requests: Int
    ) throws(ServiceError) -> Exchange<String?> {
        // A server that names fewer files than asked for is followed for twice as many requests.
        guard requests <= 2 * Self.reach / Self.filesAtOnce else {
            throw .unreadable(.message(service: name, text: "a list without an end."))
        }
        let query = list.listing(limit: min(count, Self.filesAtOnce), from: cursor)
        return .ask(request(query)) { (reply) throws(ServiceError) in
            let answer = try self.answer(try accepted(reply))
            let rest = count - (answer.counts[list.module] ?? 0)
            guard let next = answer.continuation[list.cursor] else { return .done(nil) }
            return rest <= 0
                ? .done(next) : try walk(list, skipping: rest, from: next, requests: requests + 1)
        }
    }

    // MARK: - Details

    private func details(
        of batches: ArraySlice<[PhotoID]>, after known: DetailResults
    ) throws(ServiceError) -> Exchange<DetailResults> {
        guard let ids = batches.first else { return .done(known) }
        let values = ids.map(\.value).joined(separator: "|")
        let isTitled = CommonsTitle.isTitle(ids[0].value)
        // Also finds a renamed file by its old title.
        let query = isTitled ? [("titles", values), ("redirects", "1")] : [("pageids", values)]
        return try batch(query + Self.files).then { (batch) throws(ServiceError) in
            var known = known
            for id in ids {
                known[id] = batch.flatMap { batch in
                    Result { () throws(ServiceError) in try detail(of: id, in: batch) }
                }
            }
            return try details(of: batches.dropFirst(), after: known)
        }
    }

    // MARK: - Requests

    /// What to return for each file. Only the site's own thumbnail widths are allowed; the answer has the actual size.
    private static let files = [
        ("prop", "imageinfo"), ("iiprop", "url|size|mime|user|timestamp|extmetadata"), ("iiurlwidth", "330"),
        ("iiextmetadatafilter", Self.metadata.joined(separator: "|")),
    ]

    private func request(_ query: [(String, String)]) -> HTTPRequest {
        let common = [("action", "query"), ("format", "json"), ("formatversion", "2"), ("maxlag", "5")]
        return api.request("", (common + query).map { ($0.0, Optional($0.1)) })
    }

    /// A whole batch, which the API may spread over several answers: each repeats the pages, only one has the fields.
    /// Returns a failure rather than throwing it, so that one batch of details does not hide the others.
    private func batch(
        _ query: [(String, String)], after known: CommonsBatch = CommonsBatch(), part: Int = 1
    ) throws(ServiceError) -> Exchange<Result<CommonsBatch, ServiceError>> {
        // The API wants the original query continued, not the previous one.
        let continuation = known.continuation
        let rest = query.filter { continuation[$0.0] == nil }
        let more = continuation.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return .send([request(rest + more)]) { (outcomes) throws(ServiceError) in
            let merged: CommonsBatch
            do throws(ServiceError) {
                let answer = try self.answer(try accepted(outcomes[0].get()))
                merged = known.merging(answer)
                guard !answer.isComplete else { return .done(.success(merged)) }
            } catch {
                return .done(.failure(error))
            }
            guard part < Self.parts else {
                return .done(.failure(.unreadable(.message(service: name, text: "a batch without an end."))))
            }
            return try batch(query, after: merged, part: part + 1)
        }
    }

    private func accepted(_ reply: HTTPReply) throws(ServiceError) -> Data {
        let body = try api.accept(reply, "such page")
        if let failure = self.failure(reply) { throw failure }
        return body
    }
}

/// A list that only goes forward: a category's files, or a user's uploads.
struct CommonsList: Sendable {
    /// The API's module, and the prefix of its parameters.
    let module: String
    let prefix: String
    /// What a user has asked for by name, so that an empty list means there is none; `nil` for the wiki's own.
    let asked: String?
    private let parameters: [(String, String)]
    /// A parameter that keeps the replies of a walk small.
    private let little: (String, String)

    /// The members of a category, the last added first: in this order the API has other pages too, which are left out.
    static func category(_ title: String, isNamed: Bool = false) -> CommonsList {
        let name = title.dropFirst("Category:".count)
        return CommonsList(
            module: "categorymembers", prefix: "cm",
            asked: isNamed ? "category '\(PlainText.excerpt(String(name)))' with files" : nil,
            parameters: [("title", title), ("sort", "timestamp"), ("dir", "descending")],
            little: ("prop", "ids"))
    }

    static func uploads(by user: String) -> CommonsList {
        let name = user.hasPrefix("User:") ? String(user.dropFirst(5)) : user
        return CommonsList(
            module: "allimages", prefix: "ai", asked: "uploads of user '\(PlainText.excerpt(name))'",
            parameters: [("user", name), ("sort", "timestamp"), ("dir", "descending")],
            little: ("prop", "timestamp"))
    }

    /// Whether photos are ordered by upload time, which this module as a generator does not keep within a batch.
    var isInOrderOfUpload: Bool { module == "allimages" }

    /// The cursor's name in an answer to ``listing(limit:from:)``.
    var cursor: String { prefix + "continue" }

    /// The cursor's name in an answer to ``generator(limit:from:)``.
    var generatorCursor: String { "g" + cursor }

    /// The query for the files themselves. Both kinds of query accept the same cursor.
    func generator(limit: Int, from start: String?) -> [(String, String)] {
        let query = parameters.map { ("g" + prefix + $0.0, $0.1) }
        let continuation = start.map { [(generatorCursor, $0), ("continue", generatorCursor + "||")] } ?? []
        return [("generator", module)] + query + [("g\(prefix)limit", "\(limit)")] + continuation
    }

    /// The query that only counts files.
    func listing(limit: Int, from start: String?) -> [(String, String)] {
        let query = (parameters + [little, ("limit", "\(limit)")]).map { (prefix + $0.0, $0.1) }
        let continuation = start.map { [(cursor, $0), ("continue", "-||")] } ?? []
        return [("list", module)] + query + continuation
    }
}

import Foundation

/// Wikimedia Commons: MediaWiki's query API, without a key.
///
/// A list brings title, author, licence, thumbnail and the original's address in the one request, so
/// there is no second stage. Searches can start anywhere; the other lists only go forward, from a
/// cursor that each page gives for the next. Where no cursor is known, the way there is walked with
/// requests that name 500 places each: place 5,000 costs ten of them, and beyond ``reach`` a list ends.
/// Source: commons.wikimedia.org/w/api.php, as told in `shared/api/keyless.md`.
struct Commons: PhotoService {
    /// Where the API is.
    static let officialBase = "https://commons.wikimedia.org/w/api.php"

    /// What the community marked, the best first; newest marks first in each.
    static let rankings = categories.map(\.key)

    private static let categories: KeyValuePairs = [
        "featured": "Category:Featured_pictures_on_Wikimedia_Commons",
        "quality": "Category:Quality_images",
        "valued": "Category:Valued_images_sorted_by_promotion_date",
    ]

    /// The last place a list is walked to: fifty requests of ``placesAtOnce``.
    static let reach = 25_000

    /// Places one request may name, where it asks for nothing else.
    static let placesAtOnce = 500

    /// The last place a search brings.
    private static let searchEnd = 10_000

    /// Answers one batch may be spread over, and files one request may ask for by name.
    private static let parts = 20
    private static let batchLimit = 50

    /// `commons`.
    let name = "commons"

    private let base: URL
    private let importer = CommonsImporter()

    /// The API at `base`, the `api.php`.
    init(base: URL?) {
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
    }

    /// As many files as one request may say everything of.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(Self.batchLimit) }

    /// One request where the place is a search's, the first, or `cursor` leads there; else the walk,
    /// from `cursor` if there is one, and one. A cursor serves pages of any size.
    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        switch feed {
        case .popular(_, .some): throw .unsupported(service: name, what: "past rankings", known: [])
        case .popular(let ranking, nil):
            let ranking = ranking ?? Self.rankings[0]
            guard let category = Self.categories.first(where: { $0.key == ranking })?.value else {
                let what = "ranking '\(PlainText.excerpt(ranking))'"
                throw .unsupported(service: name, what: what, known: Self.rankings)
            }
            return try page(slice, of: .category(category), cursor: cursor)
        case .search(let text): return try search(text, slice)
        case .user(let user): return try page(slice, of: .uploads(by: user), cursor: cursor)
        case .favorites, .marked:
            let known = ["popular", "search", "user"]
            throw .unsupported(service: name, what: "feed '\(feed.word)'", known: known)
        }
    }

    /// As many files a request as the API allows, one request after the other: Wikimedia asks for that.
    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let ids = photos.map(\.id)
        // One request takes page numbers or titles, not both.
        let groups = [
            ids.filter { !CommonsTitle.isTitle($0.value) }, ids.filter { CommonsTitle.isTitle($0.value) },
        ]
        let batches = groups.flatMap { group in
            stride(from: 0, to: group.count, by: Self.batchLimit).map {
                Array(group[$0..<min($0 + Self.batchLimit, group.count)])
            }
        }
        return try details(of: batches[...], after: [:])
    }

    /// The photo of a file's page. Its identifier is the title, `File:Sea.jpg`, until the details say
    /// the page's number, which every list gives: an address alone does not tell it.
    func photo(atPage page: URL) -> PhotoID? {
        CommonsTitle.identifier(atPage: page).map { PhotoID(service: name, value: $0) }
    }

    /// Whether it is a title: lists give the page's number.
    func isProvisional(_ id: PhotoID) -> Bool { CommonsTitle.isTitle(id.value) }

    // MARK: - Lists

    private func search(_ text: String, _ slice: PageSlice) throws(ServiceError) -> Exchange<Page> {
        guard slice.firstIndex <= Self.searchEnd else { return .done(Page(photos: [], hasMore: false)) }
        let limit = min(slice.size, Self.searchEnd - slice.firstIndex + 1)
        let query = [
            ("generator", "search"), ("gsrsearch", text + " filetype:bitmap"), ("gsrnamespace", "6"),
            ("gsrlimit", "\(limit)"), ("gsroffset", "\(slice.firstIndex - 1)"),
        ]
        return try batch(query + Self.files).then { (batch) throws(ServiceError) in
            let batch = try batch.get()
            let follows = batch.continuation["gsroffset"] != nil && slice.indexes.upperBound < Self.searchEnd
            return .done(Page(photos: importer.photos(batch, slice), hasMore: follows))
        }
    }

    private func page(
        _ slice: PageSlice, of list: CommonsList, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let skipped = slice.firstIndex - 1 - (cursor?.place ?? 0)
        guard skipped <= Self.reach else { return .done(Page(photos: [], hasMore: false)) }
        guard skipped > 0 else { return try page(slice, of: list, from: cursor?.text) }
        return try walk(list, skipping: skipped, from: cursor?.text, requests: 1)
            .then { (start) throws(ServiceError) in
                guard let start else { return .done(Page(photos: [], hasMore: false)) }
                return try page(slice, of: list, from: start)
            }
    }

    /// The page whose first place is the one that `start` leads to, or the list's first.
    private func page(
        _ slice: PageSlice, of list: CommonsList, from start: String?
    ) throws(ServiceError) -> Exchange<Page> {
        let query = list.generator(limit: slice.size, from: start) + Self.files
        return try batch(query).then { (batch) throws(ServiceError) in
            var batch = try batch.get()
            if list.isInOrderOfUpload { batch.sortNewestFirst() }
            let next = batch.continuation[list.generatorCursor]
            if let user = list.user, batch.isEmpty, next == nil, slice.number == 1 {
                throw .missing(service: name, what: "uploads of user '\(PlainText.excerpt(user))'")
            }
            return .done(Page(photos: importer.photos(batch, slice), hasMore: next != nil, next: next))
        }
    }

    /// The cursor behind the first `count` places; `nil` where the list ends before.
    private func walk(
        _ list: CommonsList, skipping count: Int, from cursor: String?, requests: Int
    ) throws(ServiceError) -> Exchange<String?> {
        // A server that names fewer places than asked for is followed for twice as long as needed.
        guard requests <= 2 * Self.reach / Self.placesAtOnce else {
            throw .unreadable(.message(service: name, text: "a list without an end."))
        }
        let query = list.places(limit: min(count, Self.placesAtOnce), from: cursor)
        return .ask(request(query)) { (reply) throws(ServiceError) in
            let answer = try importer.answer(try accepted(reply))
            let rest = count - answer.places(of: list.module)
            guard let next = answer.continuation[list.cursor] else { return .done(nil) }
            return rest <= 0
                ? .done(next) : try walk(list, skipping: rest, from: next, requests: requests + 1)
        }
    }

    // MARK: - Details

    private func details(
        of batches: ArraySlice<[PhotoID]>, after known: [PhotoID: Result<PhotoDetail, ServiceError>]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        guard let ids = batches.first else { return .done(known) }
        let values = ids.map(\.value).joined(separator: "|")
        let isTitled = CommonsTitle.isTitle(ids[0].value)
        // A file that was renamed is found by its old title too.
        let query = isTitled ? [("titles", values), ("redirects", "1")] : [("pageids", values)]
        return try batch(query + Self.files).then { (batch) throws(ServiceError) in
            var known = known
            for id in ids {
                known[id] = batch.flatMap { batch in
                    Result { () throws(ServiceError) in try importer.detail(of: id, in: batch) }
                }
            }
            return try details(of: batches.dropFirst(), after: known)
        }
    }

    // MARK: - Requests

    /// What to say of each file. Widths other than the site's own are refused, so one of these is asked
    /// for and what comes is read back.
    private static let files = [
        ("prop", "imageinfo"), ("iiprop", "url|size|mime|user|timestamp|extmetadata"), ("iiurlwidth", "330"),
        ("iiextmetadatafilter", CommonsImporter.metadata.joined(separator: "|")),
    ]

    private func request(_ query: [(String, String)]) -> HTTPRequest {
        let common = [("action", "query"), ("format", "json"), ("formatversion", "2"), ("maxlag", "5")]
        return HTTPRequest(base, "", query: (common + query).map { ($0.0, Optional($0.1)) })
    }

    /// A whole batch, which the API may spread over several answers: each repeats the pages, and only
    /// one of them holds what was asked for. Yields the failure rather than throwing it, so that one
    /// batch of details does not hide the others.
    private func batch(
        _ query: [(String, String)], after known: CommonsBatch = CommonsBatch(), part: Int = 1
    ) throws(ServiceError) -> Exchange<Result<CommonsBatch, ServiceError>> {
        // On from the original query, not from the one before: so the API wants it.
        let continuation = known.continuation
        let rest = query.filter { continuation[$0.0] == nil }
        let more = continuation.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return .send([request(rest + more)]) { (outcomes) throws(ServiceError) in
            let merged: CommonsBatch
            do throws(ServiceError) {
                let answer = try importer.answer(try accepted(outcomes[0].get()))
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
        guard reply.head.status == 200 else {
            throw .status(reply.head.status, of: reply, service: name, what: "such page", variable: nil)
        }
        if let failure = importer.failure(reply) { throw failure }
        return reply.body
    }
}

import Foundation

package struct DefinedService: PhotoService {
    package let definition: SourceDefinition
    package let api: WebAPI

    package init(definition: SourceDefinition, api: WebAPI) {
        (self.definition, self.api) = (definition, api)
    }

    package var name: String { api.service }
    package var listsTags: Bool { definition.fields.values["tags"] != nil || definition.detail?.use == .list }

    package func pageSizes(of feed: Feed) -> PageSizes {
        let isFree = !isNumbered(feed) || definition.feeds[feed.word]?.has("size") ?? false
        return isFree ? .upTo(definition.pageSize) : .exactly(definition.pageSize)
    }

    package func isAdult(_ feed: Feed) -> Bool {
        if case .popular(let ranking?, _) = feed { definition.adultRankings.contains(ranking) } else { false }
    }

    package func isNewestFirst(_ feed: Feed) -> Bool { false }

    /// Whether any page can be asked for: rows are photos, and pages have numbers.
    func isNumbered(_ feed: Feed) -> Bool {
        guard let template = definition.feeds[feed.word], definition.photos == nil else { return false }
        return template.has("page") || template.has("offset")
    }

    package func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError)
        -> Exchange<Page>
    {
        guard let template = definition.feeds[feed.word] else { throw lacks(feed) }
        let pages: Exchange<Page>
        if isNumbered(feed) {
            pages = try numberedPage(slice, of: feed)
        } else if ["page", "offset", "cursor"].contains(where: template.has) || definition.next != nil {
            pages = try SourceWalk(self, slice, feed, cursor).exchange()
        } else {
            pages = .ask(try request(feed, [:])) { (reply) throws(ServiceError) in
                .done(try wholeList(reply, slice))
            }
        }
        return definition.detail?.use == .list ? try pages.then(completed) : pages
    }

    /// - Parameter values: What is put in beside what the feed itself says.
    package func request(_ feed: Feed, _ values: [String: String]) throws(ServiceError) -> HTTPRequest {
        guard let template = definition.feeds[feed.word] else { throw lacks(feed) }
        var values = values
        switch feed {
        case .popular(let ranking, let date):
            values["ranking"] = ranking ?? definition.rankings.first
            values["date"] = date?.description
        case .search(let text): values["query"] = text
        case .user(let user): values["user"] = user
        case .favorites: throw lacks(feed)
        }
        guard let request = template.request(at: api.base, values) else {
            throw .missing(service: name, what: "such a list")
        }
        return sealed(request)
    }

    /// With the definition's headers and the key: only for requests to the base's host.
    func sealed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headers = ["Accept": "application/json"].merging(definition.headers) { $1 }
        if let position = definition.key, let key = api.key { request.secrets[position] = key }
        return request
    }

    // MARK: - Lists

    private func numberedPage(_ slice: PageSlice, of feed: Feed) throws(ServiceError) -> Exchange<Page> {
        guard slice.firstIndex <= definition.limit else { return .done(Page(photos: [], hasMore: false)) }
        let page = min(slice.number, 1 << 40) - 1 + definition.firstPage
        let request = try request(
            feed, ["page": "\(page)", "offset": "\(slice.firstIndex - 1)", "size": "\(slice.size)"])
        return .ask(request) { (reply) throws(ServiceError) in
            // Some services refuse pages past the end.
            if slice.number > 1, [400, 404].contains(reply.head.status) {
                return .done(Page(photos: [], hasMore: false))
            }
            let rows = try rows(reply, "page \(slice.number)", most: slice.size)
            let end = slice.indexes.upperBound
            let isMore =
                if rows.count == 0 && rows.next == nil || end >= definition.limit {
                    false
                } else if let last = rows.lastPage {
                    page < last
                } else if definition.next != nil { rows.next != nil } else if let total = rows.total {
                    end < total
                } else { rows.count >= slice.size }
            // Of some lists only so many pages can be reached.
            let reach = rows.lastPage.map { max(0, $0 - definition.firstPage + 1) }
                .map { $0.multipliedReportingOverflow(by: slice.size) }
            let total = rows.total.map { min($0, reach.map { $0.overflow ? .max : $0.partialValue } ?? .max) }
            if rows.count == 0, isMore { return .done(Page(photos: [], total: total, hasMore: true)) }
            return .done(try Reply.page(slice, of: rows.photos, total: total, hasMore: isMore))
        }
    }

    private func wholeList(_ reply: HTTPReply, _ slice: PageSlice) throws(ServiceError) -> Page {
        let (first, end) = (slice.firstIndex - 1, slice.indexes.upperBound)
        // One row can be several photos.
        let isExact = definition.photos == nil
        let rows = try rows(
            reply, "list", from: isExact ? first : 0, most: isExact ? slice.size : JSONNode.mostElements)
        let photos = isExact ? rows.photos : Array(rows.photos.dropFirst(first))
        let total = isExact ? rows.count : rows.photos.count
        return try Reply.page(
            slice, of: photos, total: min(total, definition.limit),
            hasMore: end < min(total, definition.limit))
    }

    private func completed(_ page: Page) throws(ServiceError) -> Exchange<Page> {
        try details(of: page.photos.map(\.photo), asking: true).then { (results) throws(ServiceError) in
            var (photos, leftOut): ([IndexedPhoto], [ImportError]) = ([], page.leftOut)
            var failure: ServiceError?
            for listed in page.photos {
                switch results[listed.photo.id] {
                case .success(let detail)?:
                    photos.append(
                        IndexedPhoto(index: listed.index, photo: listed.photo.completed(by: detail.photo)))
                case nil: photos.append(listed)
                // Lists name what has been taken away since.
                case .failure(.missing)?: break
                case .failure(.unreadable(let error))?: leftOut.append(error)
                case .failure(let error)?: failure = failure ?? error
                }
            }
            if let failure { throw failure }
            if photos.isEmpty, let error = leftOut.first { throw .unreadable(error) }
            return .done(
                Page(
                    photos: photos, total: page.total, hasMore: page.hasMore, next: page.next,
                    leftOut: leftOut))
        }
    }

    // MARK: - Details

    package func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try details(of: photos, asking: definition.detail?.use == .always)
    }

    package func files(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try details(of: photos, asking: false)
    }

    private func details(of photos: [Photo], asking isAsked: Bool) throws(ServiceError) -> Exchange<
        DetailResults
    > {
        var known: DetailResults = [:]
        var requests: [PhotoID: HTTPRequest] = [:]
        for photo in photos {
            if photo.full != nil, !isAsked {
                known[photo.id] = .success(PhotoDetail(photo: photo))
            } else if let template = definition.detail?.request {
                let id = definition.fields.request(for: photo.id)
                requests[photo.id] = template.request(at: api.base, ["id": id]).map(sealed)
                if requests[photo.id] == nil {
                    known[photo.id] = .failure(.missing(service: name, what: photo.id.what))
                }
            } else {
                let what = "file of \(photo.id.what), nor a 'detail' to ask for it"
                known[photo.id] = .failure(.missing(service: name, what: what))
            }
        }
        let ids = photos.map(\.id).filter { requests[$0] != nil }
        return try .each(ids, after: known) { (id) throws(ServiceError) in
            guard let request = requests[id] else { throw .noDetails(service: name) }
            return request
        } read: { (reply, id) throws(ServiceError) in
            try detail(reply, id)
        }
    }

    private func detail(_ reply: HTTPReply, _ id: PhotoID) throws(ServiceError) -> PhotoDetail {
        guard let detail = definition.detail else { throw .noDetails(service: name) }
        return try Reply(name, accept(reply, id.what)).readAny { root in
            try check(root)
            guard let photo = photo(id, of: detail, in: SourceScope(levels: [root])) else {
                throw ServiceError.missing(service: name, what: id.what)
            }
            return PhotoDetail(photo: try detail.fields.photo(in: photo, service: name, known: id))
        }
    }

    /// Where a photo is in its own reply. Where that is a row's, it is the one with this identifier, or the first
    /// one if the identifier is the row's, as a page has it; `nil` for none.
    package func photo(
        _ id: PhotoID?, of detail: SourceDefinition.Detail, in reply: SourceScope
    ) -> SourceScope? {
        let item = detail.item.map { $0.nodes(in: reply).first } ?? reply.levels.first
        guard let item, item.text == nil else { return nil }
        guard definition.fields.values["row"] != nil else { return reply.inside(item) }
        let photos = photos(of: reply.inside(item))
        guard let id, id.value.contains(SourceFields.rowMark) else { return photos.first }
        return photos.first { (try? detail.fields.identifier(in: $0)) == id.value }
    }

    // MARK: - Addresses

    package func photo(atPage page: URL) -> PhotoID? {
        PageAddress(page).flatMap { definition.pages.value("photo", of: $0) }.map(api.id)
    }

    package func feed(atPage page: URL) -> Feed? {
        guard let page = PageAddress(page) else { return nil }
        if let text = definition.pages.value("search", of: page) { return .search(text) }
        if let user = definition.pages.value("user", of: page) { return .user(user) }
        return definition.pages.value("popular", of: page).map { _ in .popular() }
    }
}

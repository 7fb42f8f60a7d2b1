import Foundation

// The answers of `/ajax` about works, since 2019: searches, bookmarks, a user's works, details.

extension Pixiv {
    /// The page `slice` of a search. Beyond the last page the site repeats it; a long search has ten pages without an
    /// account, and a thousand with one, whatever its total says.
    func search(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        return try Reply(name, body).read { answer in
            let list = try answer.required("body").required("illustManga")
            let total = list.int("total").map { max(0, $0) }
            let last = min(
                list.int("lastPage") ?? .max, total.map { (max(1, $0) - 1) / slice.size + 1 } ?? .max, 1000)
            let rows = try self.rows(list, "data")
            guard slice.number <= last else { return Page(photos: [], hasMore: false) }
            return try Reply.page(
                slice, of: rows, total: total.map { min($0, last * slice.size) },
                hasMore: slice.number < last)
        }
    }

    func bookmarks(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        return try Reply(name, body).read { answer in
            let list = try answer.required("body")
            let total = list.int("total")
            return try Reply.page(
                slice, of: rows(list, "works"), total: total.map { max(0, $0) },
                hasMore: total.map { slice.indexes.upperBound < $0 })
        }
    }

    /// The numbers of all works of a user, newest first.
    func ids(_ body: Data) throws(ServiceError) -> [String] {
        let ids = try Reply(name, body).read { answer in
            let profile = try answer.required("body")
            let manga = profile.has("manga") ? try profile.keys(of: "manga") : []
            return Set(try profile.keys(of: "illusts") + manga)
        }
        return ids.filter { PageAddress.number($0) != nil }
            .sorted { $0.utf8.count == $1.utf8.count ? $0 > $1 : $0.utf8.count > $1.utf8.count }
    }

    /// The works in a batch reply, in no particular order, and why others could not be read.
    func batch(_ body: Data) throws(ServiceError) -> (works: [Photo], leftOut: [ImportError]) {
        return try Reply(name, body).read { answer in
            let rows = try self.rows(answer.required("body"), "works")
            return (rows.compactMap { (try? $0.get()).flatMap(\.self) }, try Reply.leftOut(of: rows))
        }
    }

    func hasSeveralPages(_ body: Data) -> Bool {
        let count = try? Reply(name, body).read { answer in
            try answer.required("body").certainInt("pageCount")
        }
        return (count ?? 1) > 1
    }

    /// The details in a reply about one work, with the files in a reply about its pages if there is one.
    func detail(_ id: PhotoID, _ body: Data, pages: Data?) throws(ServiceError) -> PhotoDetail {
        let files = try pages.map { (pages) throws(ServiceError) in try self.files(pages) } ?? []
        return try Reply(name, body).read { answer in
            let work = try answer.required("body")
            let count = max(1, try work.certainInt("pageCount") ?? 1)
            let own = count == 1 ? self.files(of: work) : nil
            // With fewer files than pages, some are withheld, and the rest would pass for the whole work.
            let full = files.isEmpty ? own?.last : files.count >= count ? files.first?.last : nil
            // Without an identifier it is no work.
            _ = try work.id("id")
            var detail = PhotoDetail(
                photo: try photo(
                    work, id, full: full, pageCount: max(count, files.count),
                    category: work.int("illustType").flatMap { Self.categories[$0] }))
            detail.pages = full != nil && files.count > 1 ? files : []
            detail.comments = work.int("commentCount")
            return detail
        }
    }

    private func files(_ body: Data) throws(ServiceError) -> [[Rendition]] {
        try Reply(name, body).read { answer in try answer.list("body").filter(\.isObject).compactMap(files) }
    }

    /// The files of a page, the original last; `nil` where that is withheld.
    private func files(of page: JSONNode) -> [Rendition]? {
        let urls = page.object("urls")
        return PixivAddress.picture(urls?.string("original")).map { original in
            others(urls, of: page.size()).sorted(with: Rendition(url: original, size: page.size()))
        }
    }

    private func others(_ urls: JSONNode?, of size: PixelSize?) -> [Rendition] {
        ["mini", "thumb_mini", "thumb", "small", "regular"].compactMap {
            PixivAddress.file(urls?.string($0), of: size)
        }
    }

    // MARK: - Wire to model

    private static let categories = [0: "Illustration", 1: "Manga", 2: "Ugoira"]

    /// The slots of a list: a work, `null`, or `{"isAdContainer":true}`.
    private func rows(_ list: JSONNode, _ key: String) throws -> [Result<Photo?, ImportError>] {
        try list.list(key).map { $0.isNull ? .success(nil) : try $0.row(listed) }
    }

    private func listed(_ work: JSONNode) throws -> Photo? {
        guard work.flag("isAdContainer") != true else { return nil }
        let id = api.id(try work.id("id"))
        let photo = try photo(
            work, id, full: nil, pageCount: max(1, try work.certainInt("pageCount") ?? 1), category: nil)
        // Deleted, or not visible to this account.
        let isMasked = try work.certainFlag("isMasked") == true
        return isMasked || PixivAddress.isPlaceholder(work.string("url")) ? nil : photo
    }

    /// - Parameter pageCount: Never guessed: the first page would pass for the whole work.
    private func photo(
        _ work: JSONNode, _ id: PhotoID, full: Rendition?, pageCount: Int, category: String?
    ) throws -> Photo {
        let small = work.string("url") ?? work.object("urls")?.string("thumb")
        // In lists `["a"]`, in details `{"tags":[{"tag":"a"}]}`.
        let tags =
            work.object("tags")?.objects("tags").compactMap { $0.string("tag") }
            .map(Markup.plain) ?? work.texts("tags")
        return Photo(
            id: id, title: work.text("title") ?? "",
            author: Author(try? work.id("userId"), work.text("userName"), account: work.text("userAccount")),
            page: PixivAddress.page(ofWork: id.value), size: work.size(),
            thumbnail: PixivAddress.file(small, of: work.size()), full: full,
            renditions: [PixivAddress.regular(small, of: work.size())].compactMap(\.self)
                + others(work.object("urls"), of: work.size()), likes: work.int("likeCount"),
            views: work.int("viewCount"), published: work.date("createDate")?.date, tags: tags,
            category: category, description: work.text("description"),
            // 0 for everyone, 1 R-18, 2 R-18G.
            isAdult: (try work.certainInt("xRestrict") ?? 0) > 0, pageCount: pageCount)
    }
}

// The answers of `ranking.php`, since 2015, which differ from those of `/ajax`.

extension Pixiv {
    /// The page `slice`; all photos are adult if the ranking is.
    func ranking(_ body: Data, _ slice: PageSlice, isAdult: Bool) throws(ServiceError) -> Page {
        return try Reply(name, body).read { list in
            let rows = try list.rows("contents") { try photo($0, isAdult: isAdult) }
            // The next page's number, or `false`.
            return try Reply.page(
                slice, of: rows, total: list.int("rank_total").map { max(0, $0) },
                hasMore: list.flag("next") ?? true)
        }
    }

    private func photo(_ row: JSONNode, isAdult: Bool) throws -> Photo? {
        let id = try row.id("illust_id")
        let (author, size) = (try? row.id("user_id"), row.size())
        let isForAdults = try Self.isForAdults(row)
        // Withheld from visitors: seen in 2026 with `is_masked` false, user 1, 100 × 100 pixels, a placeholder's address.
        let isWithheld =
            try row.certainFlag("is_masked") == true || row.string("mask_reason")?.isEmpty == false
            || PixivAddress.isPlaceholder(row.string("url"))
            || author == "1" && size == PixelSize(width: 100, height: 100)
        guard !isWithheld else { return nil }
        return Photo(
            id: api.id(id), title: row.text("title") ?? "",
            author: Author(author, row.text("user_name")), page: PixivAddress.page(ofWork: id), size: size,
            thumbnail: PixivAddress.file(row.string("url"), of: size),
            renditions: [PixivAddress.regular(row.string("url"), of: size)].compactMap(\.self),
            likes: row.int("rating_count"),
            views: row.int("view_count"), published: row.seconds("illust_upload_timestamp"),
            tags: row.texts("tags"), isAdult: isAdult || isForAdults,
            pageCount: max(1, row.int("illust_page_count") ?? 1))
    }

    /// A work's content ratings: an object, or `[]` if the work is withheld.
    private static func isForAdults(_ row: JSONNode) throws -> Bool {
        guard row.has("illust_content_type"),
            row["illust_content_type"]?.elements?.isEmpty != true
        else { return false }
        let ratings = try row.required("illust_content_type")
        // 1 is suggestive and appears in the rankings for everyone, 2 does not.
        return try (ratings.certainInt("sexual") ?? 0) > 1 || ratings.certainFlag("grotesque") == true
    }
}

extension Author {
    /// The author of a work. The site lists users by number; a work's own answer names the account too.
    fileprivate init?(_ id: String?, _ name: String?, account: String? = nil) {
        guard id != nil || name != nil else { return nil }
        self.init(id: id, name: name ?? "", username: account)
    }
}

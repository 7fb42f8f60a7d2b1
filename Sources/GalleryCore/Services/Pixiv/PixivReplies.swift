import Foundation

/// Reads the answers of `/ajax` about works, since 2019: searches, bookmarks, a user's works, details.
struct PixivWorks: Sendable {
    /// The service's name, for photos and errors.
    let service: String

    /// Page `number` of a search.
    ///
    /// Beyond the last page the site repeats it; a long search has ten pages without an account,
    /// and a thousand with one, whatever its total says.
    func search(_ body: Data, page number: Int, of size: Int) throws(ServiceError) -> PixivList {
        let reply = Reply(service, body)
        let list = try reply.decode(WireAnswer<WireSearch>.self).body.illustManga
        let total = list.total?.value.map { max(0, $0) }
        let last = min(list.lastPage?.value ?? .max, total.map { (max(1, $0) - 1) / size + 1 } ?? .max, 1000)
        guard number <= last else { return .end }
        let rows = list.data.rows.prefix(size)
        return PixivList(
            slots: rows.map(photo), total: total.map { min($0, last * size) },
            hasMore: number < last && !rows.isEmpty, leftOut: try reply.leftOut(of: rows))
    }

    /// The bookmarks of the page `slice`.
    func bookmarks(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let reply = Reply(service, body)
        let list = try reply.decode(WireAnswer<WireBookmarks>.self).body
        let rows = list.works.rows.prefix(slice.size)
        let hasMore = list.total?.value.map { slice.indexes.upperBound < $0 } ?? (rows.count == slice.size)
        return PixivList(
            slots: rows.map(photo), total: list.total?.value, hasMore: hasMore && !rows.isEmpty,
            leftOut: try reply.leftOut(of: rows)
        ).page(slice)
    }

    /// The numbers of all works of a user, newest first.
    func ids(_ body: Data) throws(ServiceError) -> [String] {
        let profile = try answer(body, WireProfile.self)
        let ids = Set(profile.illusts.keys + (profile.manga?.keys ?? [])).filter {
            PageAddress.number($0) != nil
        }
        return ids.sorted { $0.utf8.count == $1.utf8.count ? $0 > $1 : $0.utf8.count > $1.utf8.count }
    }

    /// The works in a batch reply, in no particular order, and why others could not be read.
    func batch(_ body: Data) throws(ServiceError) -> (works: [Photo], leftOut: [ImportError]) {
        let reply = Reply(service, body)
        let rows = try reply.decode(WireAnswer<WireBatch>.self).body.works.rows
        return (rows.compactMap(photo), try reply.leftOut(of: rows))
    }

    /// Whether a reply about one work says that it has several pages.
    func hasSeveralPages(_ body: Data) -> Bool {
        ((try? answer(body, WireWork.self))?.pageCount?.value ?? 1) > 1
    }

    /// The details in a reply about one work, with the files in a reply about its pages if there is one.
    func detail(_ id: PhotoID, _ body: Data, pages: Data?) throws(ServiceError) -> PhotoDetail {
        let work = try answer(body, WireWork.self)
        let count = max(1, work.pageCount?.value ?? 1)
        var files: [Rendition] = []
        if let pages { files = try answer(pages, WireList<WirePage>.self).elements.compactMap(\.original) }
        let size = PixelSize(width: work.width?.value, height: work.height?.value)
        let own = PixivAddress.picture(work.urls?.original).map { Rendition(url: $0, size: size) }
        // With fewer files than pages, some are withheld, and the rest would pass for the whole work.
        let full = files.isEmpty && count == 1 ? own : files.count >= count ? files.first : nil
        var detail = PhotoDetail(
            photo: photo(work, id, size: size, full: full, pageCount: max(count, files.count)))
        detail.pages = full != nil && files.count > 1 ? files : []
        detail.comments = work.commentCount?.value
        detail.category = work.illustType?.value.flatMap { Self.categories[$0] }
        return detail
    }

    private func answer<Body: Decodable>(_ body: Data, _ type: Body.Type) throws(ServiceError) -> Body {
        try Reply(service, body).decode(WireAnswer<Body>.self).body
    }

    // MARK: - Wire to model

    private static let categories = [0: "Illustration", 1: "Manga", 2: "Ugoira"]

    private func photo(_ row: Result<WireSlot, DecodingError>) -> Photo? {
        guard case .success(.work(let work)) = row, !work.isWithheld else { return nil }
        return photo(
            work, PhotoID(service: service, value: work.id.value),
            size: PixelSize(width: work.width?.value, height: work.height?.value), full: nil,
            pageCount: max(1, work.pageCount?.value ?? 1))
    }

    private func photo(
        _ work: WireWork, _ id: PhotoID, size: PixelSize?, full: Rendition?, pageCount: Int
    ) -> Photo {
        Photo(
            id: id, title: work.title?.value ?? "",
            author: Author(work.userId, work.userName, account: work.userAccount),
            page: PixivAddress.page(ofWork: id.value),
            size: size, thumbnail: PixivAddress.thumbnail(work.url ?? work.urls?.thumb, of: size), full: full,
            preview: PixivAddress.preview(work.url ?? work.urls?.thumb, of: size),
            likes: work.likeCount?.value, views: work.viewCount?.value, published: work.createDate?.value,
            tags: work.tags?.values ?? [], description: work.description?.filled,
            isAdult: (work.xRestrict?.value ?? 0) > 0, pageCount: pageCount)
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the site's answers.

private struct WireAnswer<Body: Decodable>: Decodable {
    let body: Body
}

private struct WireSearch: Decodable {
    struct Found: Decodable {
        let data: WireList<WireSlot>
        @IfReadable var total: WireInt?
        @IfReadable var lastPage: WireInt?
    }

    let illustManga: Found
}

private struct WireBookmarks: Decodable {
    let works: WireList<WireSlot>
    @IfReadable var total: WireInt?
}

private struct WireBatch: Decodable {
    let works: WireList<WireSlot>
}

private struct WireProfile: Decodable {
    let illusts: WireKeys
    let manga: WireKeys?
}

/// The keys of an object whose values are unused, or `[]` if it is empty.
private struct WireKeys: Decodable {
    let keys: [String]

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: AnyKey.self) {
            keys = object.allKeys.map(\.stringValue)
        } else {
            let list = try decoder.unkeyedContainer()
            guard list.isAtEnd else { throw DecodingError.expected("an object", in: decoder) }
            keys = []
        }
    }
}

/// A slot in a list: a work, `null`, or `{"isAdContainer":true}`.
private enum WireSlot: Decodable {
    case work(WireWork)
    case none

    private struct Advertisement: Decodable {
        let isAdContainer: WireBool
    }

    init(from decoder: any Decoder) throws {
        if let isNil = try? decoder.singleValueContainer().decodeNil(), isNil {
            self = .none
        } else if let other = try? Advertisement(from: decoder), other.isAdContainer.value {
            self = .none
        } else {
            self = .work(try WireWork(from: decoder))
        }
    }
}

/// A work: without files and counts in lists, with them in its own answer.
private struct WireWork: Decodable {
    let id: WireID
    @IfReadable var title: WireText?
    @IfReadable var description: WireText?
    /// 0 for an illustration, 1 for manga, 2 for ugoira.
    @IfReadable var illustType: WireInt?
    @IfReadable var createDate: WireDate?
    /// 0 for everyone, 1 R-18, 2 R-18G.
    let xRestrict: WireInt?
    /// In lists, the thumbnail.
    @IfReadable var url: String?
    @IfReadable var urls: WireURLs?
    @IfReadable var tags: WireTags?
    @IfReadable var userId: WireID?
    @IfReadable var userName: WireText?
    /// Only in a work's own answer.
    @IfReadable var userAccount: WireText?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    /// Never guessed: the first page would pass for the whole work.
    let pageCount: WireInt?
    @IfReadable var likeCount: WireInt?
    @IfReadable var viewCount: WireInt?
    @IfReadable var commentCount: WireInt?
    let isMasked: WireBool?

    /// Deleted, or not visible to this account.
    var isWithheld: Bool { isMasked?.value == true || PixivAddress.isPlaceholder(url) }
}

/// All `null` if the work is not visible to this visitor.
private struct WireURLs: Decodable {
    @IfReadable var thumb: String?
    @IfReadable var original: String?
}

private struct WirePage: Decodable {
    let urls: WireURLs
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?

    var original: Rendition? {
        PixivAddress.picture(urls.original).map {
            Rendition(url: $0, size: PixelSize(width: width?.value, height: height?.value))
        }
    }
}

/// In lists `["a"]`, in details `{"tags":[{"tag":"a"}]}`.
private struct WireTags: Decodable {
    let values: [String]

    private struct Object: Decodable {
        struct Tag: Decodable {
            let tag: WireText
        }

        let tags: WireList<Tag>
    }

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.container(keyedBy: AnyKey.self), !list.allKeys.isEmpty {
            values = try Object(from: decoder).tags.elements.map(\.tag.value)
        } else {
            values = try WireList<WireText>(from: decoder).elements.map(\.value)
        }
    }
}

/// Reads the answers of `ranking.php`, since 2015, which differ from those of `/ajax`.
struct PixivRanking: Sendable {
    /// The service's name, for photos and errors.
    let service: String

    /// The slots of one page; all are adult if the ranking is.
    func list(_ body: Data, isAdult: Bool) throws(ServiceError) -> PixivList {
        let reply = Reply(service, body)
        let list = try reply.decode(WireRanking.self)
        let slots = list.contents.rows.map { row -> Photo? in
            guard let row = try? row.get(), !row.isWithheld else { return nil }
            return photo(row, isAdult: isAdult)
        }
        return PixivList(
            slots: slots, total: list.rank_total?.value,
            hasMore: !slots.isEmpty && list.next?.value ?? true,
            leftOut: try reply.leftOut(of: list.contents.rows))
    }

    private func photo(_ row: WireRow, isAdult: Bool) -> Photo {
        let size = PixelSize(width: row.width?.value, height: row.height?.value)
        return Photo(
            id: PhotoID(service: service, value: row.illust_id.value), title: row.title?.value ?? "",
            author: Author(row.user_id, row.user_name), page: PixivAddress.page(ofWork: row.illust_id.value),
            size: size,
            thumbnail: PixivAddress.thumbnail(row.url, of: size),
            preview: PixivAddress.preview(row.url, of: size), likes: row.rating_count?.value,
            views: row.view_count?.value,
            published: row.published,
            tags: row.tags?.elements.map(\.value) ?? [],
            isAdult: isAdult || row.illust_content_type?.isAdult == true,
            pageCount: max(1, row.illust_page_count?.value ?? 1))
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the site's answers.

private struct WireRanking: Decodable {
    let contents: WireList<WireRow>
    /// The next page's number, or `false`.
    @IfReadable var next: WireBool?
    @IfReadable var rank_total: WireInt?
}

private struct WireRow: Decodable {
    let illust_id: WireID
    @IfReadable var title: WireText?
    @IfReadable var url: String?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    @IfReadable var user_id: WireID?
    @IfReadable var user_name: WireText?
    @IfReadable var tags: WireList<WireText>?
    @IfReadable var rating_count: WireInt?
    @IfReadable var view_count: WireInt?
    @IfReadable var illust_upload_timestamp: WireInt?
    @IfReadable var illust_page_count: WireInt?
    let illust_content_type: WireContent?
    let is_masked: WireBool?
    @IfReadable var mask_reason: String?

    /// Seconds since 1970, up to the year 9999.
    var published: Date? {
        guard let seconds = illust_upload_timestamp?.value, (0...253_402_300_799).contains(seconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Withheld from visitors without an account: seen in 2026 with `is_masked` false, user 1,
    /// 100 × 100 pixels, and the address of a placeholder.
    var isWithheld: Bool {
        is_masked?.value == true || mask_reason?.isEmpty == false
            || PixivAddress.isPlaceholder(url)
            || user_id?.value == "1" && width?.value == 100 && height?.value == 100
    }
}

/// A work's content ratings: an object, or `[]` if the work is withheld.
private struct WireContent: Decodable {
    let isAdult: Bool

    private struct Object: Decodable {
        /// 1 is suggestive and appears in the rankings for everyone, 2 does not.
        let sexual: WireInt?
        let grotesque: WireBool?
    }

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            isAdult = false
        } else {
            let object = try Object(from: decoder)
            isAdult = (object.sexual?.value ?? 0) > 1 || object.grotesque?.value == true
        }
    }
}

/// Consecutive slots of a feed, as the site fills them.
struct PixivList: Sendable {
    /// The photos in the site's order; `nil` for a withheld work or an advertisement.
    private(set) var slots: [Photo?]
    /// Slots in the whole feed; `nil` if the site does not say.
    private(set) var total: Int?
    /// Whether more slots follow.
    private(set) var hasMore: Bool
    /// Why each work that could not be read could not; its slot is `nil`.
    private(set) var leftOut: [ImportError]

    init(slots: [Photo?], total: Int?, hasMore: Bool, leftOut: [ImportError] = []) {
        self.slots = slots
        self.leftOut = leftOut
        self.total = total.map { max(0, $0) }
        self.hasMore = hasMore
    }

    /// The end of a feed.
    static let end = PixivList(slots: [], total: nil, hasMore: false)

    /// Appends up to `limit` slots of the list that begins at `offset`, so that a page with too few
    /// or too many does not shift the indexes of the next one.
    mutating func append(_ next: PixivList, at offset: Int, limit: Int) {
        slots += Array(repeating: nil, count: max(0, offset - slots.count)) + next.slots.prefix(limit)
        total = next.total ?? total
        hasMore = next.hasMore
        leftOut += next.leftOut
    }

    /// The page `slice`, whose first slot is at `offset`.
    func page(_ slice: PageSlice, from offset: Int = 0) -> Page {
        let shown = slots.dropFirst(offset)
        let photos = shown.prefix(slice.size).enumerated().compactMap { offset, photo in
            photo.map { IndexedPhoto(index: slice.firstIndex + offset, photo: $0) }
        }
        return Page(
            photos: photos, total: total, hasMore: hasMore || shown.count > slice.size, leftOut: leftOut)
    }
}

extension Author {
    /// The author of a work. The site lists users by number; a work's own answer names the account too.
    init?(_ id: WireID?, _ name: WireText?, account: WireText? = nil) {
        guard id != nil || name?.filled != nil else { return nil }
        self.init(id: id?.value, name: name?.value ?? "", username: account?.filled)
    }
}

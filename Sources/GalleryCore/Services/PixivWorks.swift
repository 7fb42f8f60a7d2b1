import Foundation

/// Reads what `/ajax` answers of works, since 2019: searches, bookmarks, a user's works, details.
struct PixivWorks: Sendable {
    /// The name that photos and errors carry.
    let service: String

    /// Page `number` of a search.
    ///
    /// Beyond the last page the site repeats it, and of a long search it shows strangers
    /// ten pages, and a thousand to anyone, whatever its total says.
    func search(_ body: Data, page number: Int, of size: Int) throws(ServiceError) -> PixivList {
        let list = try answer(body, WireSearch.self).illustManga
        let total = list.total?.value.map { max(0, $0) }
        let last = min(list.lastPage?.value ?? .max, total.map { (max(1, $0) - 1) / size + 1 } ?? .max, 1000)
        guard number <= last else { return .end }
        return PixivList(
            slots: list.data.elements.prefix(size).map(photo), total: total.map { min($0, last * size) },
            hasMore: number < last && !list.data.elements.isEmpty)
    }

    /// The bookmarks that are the page `slice`.
    func bookmarks(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let list = try answer(body, WireBookmarks.self)
        let slots = list.works.elements.prefix(slice.size).map(photo)
        let hasMore = list.total?.value.map { slice.indexes.upperBound < $0 } ?? (slots.count == slice.size)
        return PixivList(slots: slots, total: list.total?.value, hasMore: hasMore && !slots.isEmpty)
            .page(slice)
    }

    /// The numbers of all works of a user, newest first.
    func ids(_ body: Data) throws(ServiceError) -> [String] {
        let profile = try answer(body, WireProfile.self)
        let ids = Set(profile.illusts.keys + (profile.manga?.keys ?? [])).filter {
            PixivAddress.number($0) != nil
        }
        return ids.sorted { $0.utf8.count == $1.utf8.count ? $0 > $1 : $0.utf8.count > $1.utf8.count }
    }

    /// The works in a batch reply, in no order.
    func batch(_ body: Data) throws(ServiceError) -> [Photo] {
        try answer(body, WireBatch.self).works.elements.compactMap(photo)
    }

    /// The details in a reply about one work; `pages` is asked for only where the work has several.
    func detail(
        _ id: PhotoID, _ body: Data, pages: () throws(ServiceError) -> Data
    ) throws(ServiceError) -> PhotoDetail {
        let work = try answer(body, WireWork.self)
        let count = max(1, work.pageCount?.value ?? 1)
        var files: [Rendition] = []
        do {
            files = try answer(try pages(), WireList<WirePage>.self).elements.compactMap(\.original)
        } catch {
            // One page is told by the work itself.
            guard count == 1 else { throw error }
        }
        let size = PixelSize(width: work.width?.value, height: work.height?.value)
        let own = PixivAddress.picture(work.urls?.original).map { Rendition(url: $0, size: size) }
        // Fewer files than pages: some are withheld, and the rest would pass for the whole work.
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

    private func photo(_ slot: WireSlot) -> Photo? {
        guard case .work(let work) = slot, !work.isWithheld else { return nil }
        return photo(
            work, PhotoID(service: service, value: work.id.value),
            size: PixelSize(width: work.width?.value, height: work.height?.value), full: nil,
            pageCount: max(1, work.pageCount?.value ?? 1))
    }

    private func photo(
        _ work: WireWork, _ id: PhotoID, size: PixelSize?, full: Rendition?, pageCount: Int
    ) -> Photo {
        Photo(
            id: id, title: work.title.value, author: Author(work.userId, work.userName),
            page: PixivAddress.page(ofWork: id.value),
            size: size, thumbnail: PixivAddress.thumbnail(work.url ?? work.urls?.thumb, of: size), full: full,
            preview: PixivAddress.preview(work.url ?? work.urls?.thumb, of: size),
            likes: work.likeCount?.value, views: work.viewCount?.value, published: work.createDate?.value,
            tags: work.tags?.values ?? [], description: work.description?.filled,
            isAdult: (work.xRestrict?.value ?? 0) > 0, pageCount: pageCount)
    }
}

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the site's answers by name.

private struct WireAnswer<Body: Decodable>: Decodable {
    let body: Body
}

private struct WireSearch: Decodable {
    struct Found: Decodable {
        let data: WireList<WireSlot>
        let total: WireInt?
        let lastPage: WireInt?
    }

    let illustManga: Found
}

private struct WireBookmarks: Decodable {
    let works: WireList<WireSlot>
    let total: WireInt?
}

private struct WireBatch: Decodable {
    let works: WireList<WireSlot>
}

private struct WireProfile: Decodable {
    let illusts: WireKeys
    let manga: WireKeys?
}

/// The keys of an object whose values say nothing, or `[]` where there is none.
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

/// A place in a list: a work, `null`, or `{"isAdContainer":true}`.
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

/// A work: in lists without its files and counts, in its own answer with them.
private struct WireWork: Decodable {
    let id: WireID
    let title: WireText
    let description: WireText?
    /// 0 an illustration, 1 a manga, 2 a ugoira.
    let illustType: WireInt?
    let createDate: WireDate?
    /// 0 for everyone, 1 R-18, 2 R-18G.
    let xRestrict: WireInt?
    /// Of a row: the thumbnail.
    let url: String?
    let urls: WireURLs?
    let tags: WireTags?
    let userId: WireID?
    let userName: WireText?
    let width: WireInt?
    let height: WireInt?
    let pageCount: WireInt?
    let likeCount: WireInt?
    let viewCount: WireInt?
    let commentCount: WireInt?
    let isMasked: WireBool?

    /// Deleted, or not for this account.
    var isWithheld: Bool { isMasked?.value == true || PixivAddress.isPlaceholder(url) }
}

/// All `null` where the work is not for whoever asks.
private struct WireURLs: Decodable {
    let thumb: String?
    let original: String?
}

private struct WirePage: Decodable {
    let urls: WireURLs
    let width: WireInt?
    let height: WireInt?

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

import Foundation

/// Reads what `ranking.php` answers, since 2015: an envelope and rows unlike those of `/ajax`.
struct PixivRanking: Sendable {
    /// The name that photos and errors carry.
    let service: String

    /// The places of one page; all adult where the ranking is.
    func list(_ body: Data, isAdult: Bool) throws(ServiceError) -> PixivList {
        let list = try Reply(service, body).decode(WireRanking.self)
        let slots = list.contents.elements.map { $0.isWithheld ? nil : photo($0, isAdult: isAdult) }
        return PixivList(
            slots: slots, total: list.rank_total?.value,
            hasMore: !slots.isEmpty && list.next?.value ?? true)
    }

    private func photo(_ row: WireRow, isAdult: Bool) -> Photo {
        let size = PixelSize(width: row.width?.value, height: row.height?.value)
        return Photo(
            id: PhotoID(service: service, value: row.illust_id.value), title: row.title.value,
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
// Spelled as on the wire, so a field can be found in the site's answers by name.

private struct WireRanking: Decodable {
    let contents: WireList<WireRow>
    /// The next page's number, or `false`.
    let next: WireBool?
    let rank_total: WireInt?
}

private struct WireRow: Decodable {
    let illust_id: WireID
    let title: WireText
    let url: String?
    let width: WireInt?
    let height: WireInt?
    let user_id: WireID?
    let user_name: WireText?
    let tags: WireList<WireText>?
    let rating_count: WireInt?
    let view_count: WireInt?
    let illust_upload_timestamp: WireInt?
    let illust_page_count: WireInt?
    let illust_content_type: WireContent?
    let is_masked: WireBool?
    let mask_reason: String?

    /// Seconds since 1970, up to the year 9999: what is beyond, no calendar prints.
    var published: Date? {
        guard let seconds = illust_upload_timestamp?.value, (0...253_402_300_799).contains(seconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Not told to strangers: seen in 2026 with `is_masked` false, user 1, 100 × 100 pixels
    /// and the address of a placeholder.
    var isWithheld: Bool {
        is_masked?.value == true || mask_reason?.isEmpty == false
            || PixivAddress.isPlaceholder(url)
            || user_id?.value == "1" && width?.value == 100 && height?.value == 100
    }
}

/// What is in a picture: an object, or `[]` where the work is withheld.
private struct WireContent: Decodable {
    let isAdult: Bool

    private struct Object: Decodable {
        /// 1 is daring and stands in the rankings for everyone, 2 does not.
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

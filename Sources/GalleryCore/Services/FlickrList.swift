import Foundation

extension FlickrImporter {
    /// The photos of a list reply, which is the page `slice` of a feed that stops at place `end`.
    func page(_ body: Data, _ slice: PageSlice, end: Int) throws(ServiceError) -> Page {
        let list = try Reply(service, body).decode(WirePage.self).photos
        let pages = list.pages?.value
        // A page after the last is answered with one that was there before.
        let room = (pages.map { slice.number > $0 } ?? false) ? 0 : end - slice.firstIndex + 1
        let rows = list.photo.elements.prefix(max(0, min(slice.size, room)))
        let photos = rows.enumerated().compactMap { offset, row in
            row.photo.media == "video"
                ? nil
                : IndexedPhoto(
                    index: slice.firstIndex + offset, photo: photo(row.photo, FlickrFiles(row.files)))
        }
        let follows = pages.map { slice.number < $0 } ?? (rows.count >= slice.size)
        return Page(
            photos: photos, total: list.total?.value.map { min(max(0, $0), end) },
            hasMore: follows && !rows.isEmpty && slice.indexes.upperBound < end)
    }

    private func photo(_ wire: WirePhoto, _ files: FlickrFiles) -> Photo {
        Photo(
            id: PhotoID(service: service, value: wire.id.value), title: Markup.plain(wire.title?.text ?? ""),
            author: author(id: wire.owner, name: wire.ownername, alias: wire.pathalias),
            page: page(of: wire.id.value, by: wire.pathalias, or: wire.owner),
            size: PixelSize(width: wire.o_width?.value, height: wire.o_height?.value) ?? files.original,
            thumbnail: files.thumbnail, full: files.full, likes: wire.count_faves?.value,
            views: wire.views?.value, published: date(wire.dateupload),
            taken: taken(wire.datetaken, wire.datetakengranularity, wire.datetakenunknown),
            tags: wire.tags?.text.split(separator: " ").map { Markup.plain(String($0)) } ?? [],
            license: license(wire.license), description: text(wire.description))
    }
}

extension FlickrFiles {
    /// From a list: by the letters that end `url_q` and its like. What has nothing above 640 pixels
    /// listed has no full size yet: `getSizes` may know of one.
    fileprivate init(_ listed: [String: Rendition]) {
        thumbnail = ["q", "n", "s", "m", "t", "sq", "z"].lazy.compactMap { listed[$0] }.first
        full = ["o", "6k", "5k", "4k", "3k", "k", "h", "l"].lazy.compactMap { listed[$0] }.first
        original = listed["o"]?.size
    }
}

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

private struct WirePage: Decodable {
    let photos: WirePhotos

    struct WirePhotos: Decodable {
        let pages: WireInt?
        let total: WireInt?
        let photo: WireList<WireRow>
    }
}

/// A photo in a list, with `url_q`, `width_q`, `height_q` and so on: all three of a size are absent
/// where it does not exist or may not be seen.
private struct WireRow: Decodable {
    let photo: WirePhoto
    let files: [String: Rendition]

    init(from decoder: any Decoder) throws {
        photo = try WirePhoto(from: decoder)
        let fields = try decoder.container(keyedBy: AnyKey.self)
        var files: [String: Rendition] = [:]
        for key in fields.allKeys where key.stringValue.hasPrefix("url_") {
            let name = key.stringValue.dropFirst(4)
            let address = try fields.decodeIfPresent(String.self, forKey: key)
            func pixels(_ side: String) throws -> Int? {
                try fields.decodeIfPresent(WireInt.self, forKey: AnyKey(stringValue: "\(side)_\(name)"))?
                    .value
            }
            guard let url = address.flatMap({ WebAddress.url($0) }) else { continue }
            files[String(name)] = Rendition(
                url: url, size: PixelSize(width: try pixels("width"), height: try pixels("height")))
        }
        self.files = files
    }
}

private struct WirePhoto: Decodable {
    let id: WireID
    let owner: String?
    let title: FlickrText?
    let ownername: WireScalar?
    let pathalias: String?
    let description: FlickrText?
    let license: WireInt?
    let dateupload: WireInt?
    let datetaken: String?
    let datetakengranularity: WireInt?
    let datetakenunknown: WireInt?
    let o_width: WireInt?
    let o_height: WireInt?
    let views: WireInt?
    let count_faves: WireInt?
    let tags: WireScalar?
    let media: String?
}

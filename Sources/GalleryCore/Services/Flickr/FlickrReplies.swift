import Foundation

/// Reads the Flickr API's answers, as sent from 2009 to 2024.
struct FlickrImporter: Sendable {
    /// The service's name, for photos and errors.
    var service = "flickr"

    /// The identifier (NSID) of the user in a lookup's reply.
    func user(_ body: Data) throws(ServiceError) -> String {
        try Reply(service, body).decode(WireLookup.self).user.id.value
    }

    /// The failure reported in `body`, if any.
    func failure(_ body: Data) -> FlickrFailure? {
        let wire = Reply(service, body).decodeIfPossible(WireFailure.self)
        guard let wire, wire.stat == "fail" || wire.code?.value != nil else { return nil }
        let reason = PlainText.excerpt(wire.message ?? "", limit: 120)
        return FlickrFailure(
            code: wire.code?.value ?? 0,
            reason: reason.isEmpty
                ? "no reason given" : reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }

    /// The JSON in `jsonFlickrApi({…});`, which some servers send even when asked not to.
    static func withoutCallback(_ body: Data) -> Data {
        let text = body.drop { $0 <= UInt8(ascii: " ") }
        // No JSON value is a word followed by a parenthesis.
        let name = text.prefix { byte in
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (48...57).contains(byte)
                || (65...90).contains(byte) || (97...122).contains(byte)
        }
        guard !name.isEmpty, text.dropFirst(name.count).first == UInt8(ascii: "("),
            let end = text.lastIndex(of: UInt8(ascii: ")")), end > name.endIndex
        else { return body }
        return Data(text[(name.endIndex + 1)..<end])
    }

    // MARK: - Wire to model

    /// The author: the real name if known, otherwise the name that the site shows. The username is the one in
    /// addresses, otherwise the one shown, by which the site finds users too.
    func author(id: String?, name: WireScalar?, realName: WireScalar? = nil, alias: String?) -> Author? {
        func line(_ text: String?) -> String? {
            let line = PlainText.line(Markup.plain(text ?? ""))
            return line.isEmpty ? nil : line
        }
        let shown = line(name?.text)
        let username = alias.flatMap { $0.isEmpty ? nil : PlainText.line($0) } ?? shown
        guard let name = line(realName?.text) ?? shown ?? username ?? id else { return nil }
        return Author(id: id, name: name, username: username)
    }

    func page(of id: String, by alias: String?, or owner: String?) -> URL? {
        guard let owner = alias.flatMap({ $0.isEmpty ? nil : $0 }) ?? owner,
            owner.wholeMatch(of: /[A-Za-z0-9_@\-]+/) != nil
        else { return nil }
        return URL(string: "https://www.flickr.com/photos/\(owner)/\(HTTPRequest.escaped(id))/")
    }

    func text(_ content: FlickrText?) -> String? {
        let text = Markup.plain(content?.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// Seconds since 1970, if the year has four digits.
    func date(_ wire: WireInt?) -> Date? {
        wire?.value.flatMap { seconds in
            (0..<253_402_300_800).contains(seconds) ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
        }
    }

    /// Granularities above 0 mean the month, the year, or "circa": the rest of the text is made up.
    func taken(_ text: String?, _ granularity: WireInt?, _ unknown: WireInt?) -> Date? {
        guard (granularity?.value ?? 0) == 0, (unknown?.value ?? 0) == 0 else { return nil }
        return text.flatMap { WireDate.withoutZone($0) }
    }

    /// Source: `photos.licenses.getInfo`; for 9 and 10, Openverse's list. The numbers of those added in
    /// 2025 are unknown.
    func license(_ wire: WireInt?) -> String? {
        let names = [
            "All rights reserved", "CC BY-NC-SA 2.0", "CC BY-NC 2.0", "CC BY-NC-ND 2.0", "CC BY 2.0",
            "CC BY-SA 2.0", "CC BY-ND 2.0", "No known copyright restrictions",
            "United States government work", "CC0 1.0", "Public Domain Mark 1.0",
        ]
        return wire?.value.map { names.indices.contains($0) ? names[$0] : "Flickr license \($0)" }
    }

    /// The pages of the two licenses that are not Creative Commons licenses.
    func licenseURL(_ wire: WireInt?) -> URL? {
        switch wire?.value {
        case 7: URL(string: "https://www.flickr.com/commons/usage/")
        case 8: URL(string: "https://www.usa.gov/government-works")
        default: nil
        }
    }
}

/// A failure reported by Flickr: its code and its message, without the period.
struct FlickrFailure {
    let code: Int
    let reason: String
}

/// A photo's thumbnail, its full-size file, and the size of the original.
struct FlickrFiles {
    let thumbnail: Rendition?
    let full: Rendition?
    let original: PixelSize?
}

// MARK: - Wire format: failures, users, texts
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WireFailure: Decodable {
    let stat: String?
    let code: WireInt?
    let message: String?
}

private struct WireLookup: Decodable {
    let user: WireUser

    struct WireUser: Decodable {
        let id: WireID
    }
}

/// A text, either bare, as titles in lists are, or the `_content` of an object.
struct FlickrText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        if let bare = try? WireScalar(from: decoder) {
            text = bare.text
        } else {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            let key = AnyKey(stringValue: "_content")
            text = try fields.decodeIfPresent(WireScalar.self, forKey: key)?.text ?? ""
        }
    }
}

extension FlickrImporter {
    /// The photos of a list reply, which is the page `slice` of a feed that ends at index `end`.
    func page(_ body: Data, _ slice: PageSlice, end: Int) throws(ServiceError) -> Page {
        let reply = Reply(service, body)
        let list = try reply.decode(WirePage.self).photos
        let pages = list.pages?.value
        // Flickr answers a page after the last with an earlier one.
        let room = (pages.map { slice.number > $0 } ?? false) ? 0 : end - slice.firstIndex + 1
        let rows = list.photo.rows.prefix(max(0, min(slice.size, room)))
        let leftOut = try reply.leftOut(of: rows)
        let photos = rows.enumerated().compactMap { offset, row -> IndexedPhoto? in
            guard let row = try? row.get(), row.photo.media != "video" else { return nil }
            return IndexedPhoto(
                index: slice.firstIndex + offset, photo: photo(row.photo, FlickrFiles(row.files)))
        }
        let follows = pages.map { slice.number < $0 } ?? (rows.count >= slice.size)
        return Page(
            photos: photos, total: list.total?.value.map { min(max(0, $0), end) },
            hasMore: follows && !rows.isEmpty && slice.indexes.upperBound < end, leftOut: leftOut)
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
            license: license(wire.license), licenseURL: licenseURL(wire.license),
            description: text(wire.description), isTakenInLocalTime: true)
    }
}

extension FlickrFiles {
    /// From a list's fields `url_q`, `url_l` and so on, by suffix. A photo with nothing above 640 pixels
    /// listed has no full size yet: `getSizes` may have one.
    fileprivate init(_ listed: [String: Rendition]) {
        thumbnail = ["q", "n", "s", "m", "t", "sq", "z"].lazy.compactMap { listed[$0] }.first
        full = ["o", "6k", "5k", "4k", "3k", "k", "h", "l"].lazy.compactMap { listed[$0] }.first
        original = listed["o"]?.size
    }
}

// MARK: - Wire format: lists
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WirePage: Decodable {
    let photos: WirePhotos

    struct WirePhotos: Decodable {
        @IfReadable var pages: WireInt?
        @IfReadable var total: WireInt?
        let photo: WireList<WireRow>
    }
}

/// A photo in a list, with `url_q`, `width_q`, `height_q` and so on: all three are absent for a size
/// that does not exist or is not visible.
private struct WireRow: Decodable {
    let photo: WirePhoto
    let files: [String: Rendition]

    init(from decoder: any Decoder) throws {
        photo = try WirePhoto(from: decoder)
        let fields = try decoder.container(keyedBy: AnyKey.self)
        var files: [String: Rendition] = [:]
        for key in fields.allKeys where key.stringValue.hasPrefix("url_") {
            let name = key.stringValue.dropFirst(4)
            let address = try? fields.decode(String.self, forKey: key)
            func pixels(_ side: String) -> Int? {
                (try? fields.decode(WireInt.self, forKey: AnyKey(stringValue: "\(side)_\(name)")))?.value
            }
            guard let url = address.flatMap({ WebAddress.url($0) }) else { continue }
            files[String(name)] = Rendition(
                url: url, size: PixelSize(width: pixels("width"), height: pixels("height")))
        }
        self.files = files
    }
}

private struct WirePhoto: Decodable {
    let id: WireID
    @IfReadable var owner: String?
    @IfReadable var title: FlickrText?
    @IfReadable var ownername: WireScalar?
    @IfReadable var pathalias: String?
    @IfReadable var description: FlickrText?
    @IfReadable var license: WireInt?
    @IfReadable var dateupload: WireInt?
    @IfReadable var datetaken: String?
    @IfReadable var datetakengranularity: WireInt?
    @IfReadable var datetakenunknown: WireInt?
    @IfReadable var o_width: WireInt?
    @IfReadable var o_height: WireInt?
    @IfReadable var views: WireInt?
    @IfReadable var count_faves: WireInt?
    @IfReadable var tags: WireScalar?
    @IfReadable var media: String?
}

extension FlickrImporter {
    /// The details in a reply of `getInfo`, with the files in a reply of `getSizes` if there is one.
    func detail(_ body: Data, sizes: Data?) throws(ServiceError) -> PhotoDetail {
        let wire = try Reply(service, body).decode(WireInfo.self).photo
        guard wire.media != "video" else {
            throw .missing(service: service, what: "photo \(PlainText.excerpt(wire.id.value)): it is a video")
        }
        var files: [WireSize] = []
        if let sizes { files = try Reply(service, sizes).decode(WireSizes.self).sizes.size.elements }
        var detail = PhotoDetail(photo: photo(wire, FlickrFiles(files)))
        detail.latitude = wire.location?.latitude?.value
        detail.longitude = wire.location?.longitude?.value
        detail.comments = wire.comments.flatMap { Int($0.text) }
        return detail
    }

    /// The files in a reply of `getSizes`, and nothing else.
    func files(_ id: PhotoID, _ body: Data) throws(ServiceError) -> PhotoDetail {
        let files = FlickrFiles(try Reply(service, body).decode(WireSizes.self).sizes.size.elements)
        return PhotoDetail(
            photo: Photo(
                id: id, title: "", size: files.original, thumbnail: files.thumbnail, full: files.full))
    }

    private func photo(_ wire: WireDetail, _ files: FlickrFiles) -> Photo {
        Photo(
            id: PhotoID(service: service, value: wire.id.value), title: Markup.plain(wire.title?.text ?? ""),
            author: author(
                id: wire.owner?.nsid, name: wire.owner?.username, realName: wire.owner?.realname,
                alias: wire.owner?.path_alias),
            page: page(of: wire.id.value, by: wire.owner?.path_alias, or: wire.owner?.nsid),
            size: files.original, thumbnail: files.thumbnail, full: files.full, views: wire.views?.value,
            published: date(wire.dates?.posted),
            taken: taken(wire.dates?.taken, wire.dates?.takengranularity, wire.dates?.takenunknown),
            // `raw` is as the author wrote it, `_content` has no spaces or capitals.
            tags: wire.tags?.tag.elements.compactMap { ($0.raw ?? $0._content).map { Markup.plain($0.text) } }
                ?? [],
            license: license(wire.license), licenseURL: licenseURL(wire.license),
            description: text(wire.description),
            // 0 is safe, 1 moderate, 2 restricted.
            isAdult: (wire.safety_level?.value ?? 0) > 0, isTakenInLocalTime: true)
    }
}

extension FlickrFiles {
    /// From `getSizes`, which lists the visible sizes in ascending order.
    fileprivate init(_ sizes: [WireSize]) {
        let photos = sizes.filter { $0.media != "video" }.compactMap { wire in
            wire.source.flatMap { WebAddress.url($0) }.map { url in
                let size = PixelSize(width: wire.width?.value, height: wire.height?.value)
                return (label: wire.label ?? "", file: Rendition(url: url, size: size))
            }
        }
        let small = ["Large Square", "Small 320", "Small", "Medium", "Thumbnail", "Square", "Medium 640"]
        thumbnail = small.lazy.compactMap { label in photos.first { $0.label == label }?.file }.first
        full = photos.last?.file
        original = photos.last { $0.label == "Original" }?.file.size
    }
}

// MARK: - Wire format: details
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WireInfo: Decodable {
    let photo: WireDetail
}

private struct WireDetail: Decodable {
    let id: WireID
    @IfReadable var owner: WireOwner?
    @IfReadable var title: FlickrText?
    @IfReadable var description: FlickrText?
    @IfReadable var dates: WireDates?
    @IfReadable var tags: WireTags?
    @IfReadable var comments: FlickrText?
    @IfReadable var location: WireLocation?
    @IfReadable var license: WireInt?
    @IfReadable var views: WireInt?
    let safety_level: WireInt?
    @IfReadable var media: String?

    struct WireOwner: Decodable {
        @IfReadable var nsid: String?
        @IfReadable var username: WireScalar?
        @IfReadable var realname: WireScalar?
        @IfReadable var path_alias: String?
    }

    struct WireDates: Decodable {
        @IfReadable var posted: WireInt?
        @IfReadable var taken: String?
        @IfReadable var takengranularity: WireInt?
        @IfReadable var takenunknown: WireInt?
    }

    struct WireTags: Decodable {
        let tag: WireList<WireTag>
    }

    struct WireTag: Decodable {
        @IfReadable var raw: WireScalar?
        @IfReadable var _content: WireScalar?
    }

    struct WireLocation: Decodable {
        @IfReadable var latitude: WireDouble?
        @IfReadable var longitude: WireDouble?
    }
}

private struct WireSizes: Decodable {
    let sizes: WireSizeList

    struct WireSizeList: Decodable {
        let size: WireList<WireSize>
    }
}

private struct WireSize: Decodable {
    @IfReadable var label: String?
    @IfReadable var source: String?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    @IfReadable var media: String?
}

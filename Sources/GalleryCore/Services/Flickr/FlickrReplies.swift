import Foundation

// The API's answers, as sent from 2009 to 2024.

extension Flickr {
    /// The identifier (NSID) of the user in a lookup's reply.
    func user(_ body: Data) throws(ServiceError) -> String {
        try Reply(name, body).read { try $0.required("user").id("id") }
    }

    /// The failure reported in `body`, if any: its code, and its message without the period.
    func failure(_ body: Data) -> (code: Int, reason: String)? {
        try? Reply(name, body).read { (wire) -> (code: Int, reason: String)? in
            let code = wire.int("code")
            guard wire.string("stat") == "fail" || code != nil else { return nil }
            let reason = wire.string("message").flatMap(ServiceError.reason(from:))
            return (code: code ?? 0, reason: reason ?? "no reason given")
        }
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

    // MARK: - Lists

    /// The photos of a list reply, which is the page `slice` of a feed that ends at index `end`.
    func page(_ body: Data, _ slice: PageSlice, end: Int) throws(ServiceError) -> Page {
        return try Reply(name, body).read { answer in
            let list = try answer.required("photos")
            let pages = list.int("pages")
            // Flickr answers a page after the last with an earlier one.
            let room = pages.map { slice.number > $0 } == true ? 0 : max(0, end - slice.firstIndex + 1)
            let rows = try list.rows("photo", photo)
            let follows = pages.map { slice.number < $0 } ?? (rows.prefix(room).count >= slice.size)
            return try Reply.page(
                slice, of: Array(rows.prefix(room)), total: list.int("total").map { min(max(0, $0), end) },
                hasMore: follows && slice.indexes.upperBound < end)
        }
    }

    /// `nil` for a video.
    private func photo(_ wire: JSONNode) throws -> Photo? {
        let id = try wire.id("id")
        guard wire.string("media") != "video" else { return nil }
        let (owner, alias) = (wire.string("owner"), wire.string("pathalias"))
        let files = FlickrFiles(listedIn: wire)
        return Photo(
            id: api.id(id), title: Markup.plain(wire.content("title") ?? ""),
            author: author(id: owner, name: wire.scalar("ownername"), alias: alias),
            page: page(of: id, by: alias, or: owner),
            size: wire.size("o_width", "o_height") ?? files.original,
            thumbnail: files.thumbnail, full: files.full, renditions: files.all,
            likes: wire.int("count_faves"), views: wire.int("views"), published: wire.seconds("dateupload"),
            tags: wire.scalar("tags")?.split(separator: " ").map { Markup.plain(String($0)) } ?? [],
            license: license(wire), licenseURL: licenseURL(wire), description: description(wire)
        ).dated(taken: taken(wire, "datetaken", "datetakengranularity", "datetakenunknown"))
    }

    // MARK: - Details

    /// The details in a reply of `getInfo`, with the files in a reply of `getSizes` if there is one.
    func detail(_ body: Data, sizes: Data?) throws(ServiceError) -> PhotoDetail {
        let files = try sizes.map { (sizes) throws(ServiceError) in try self.files(in: sizes) }
        return try Reply(name, body).read { answer in
            let wire = try answer.required("photo")
            let id = try wire.id("id")
            guard wire.string("media") != "video" else {
                throw ServiceError.missing(
                    service: name, what: "photo \(PlainText.excerpt(id)): it is a video")
            }
            var detail = PhotoDetail(photo: try photo(wire, id, files ?? FlickrFiles()))
            detail.latitude = wire.object("location")?.double("latitude")
            detail.longitude = wire.object("location")?.double("longitude")
            detail.comments = wire.content("comments").flatMap { Int($0) }
            return detail
        }
    }

    /// The files in a reply of `getSizes`, and nothing else.
    func files(_ id: PhotoID, _ body: Data) throws(ServiceError) -> PhotoDetail {
        let files = try self.files(in: body)
        return PhotoDetail(
            photo: Photo(
                id: id, title: "", size: files.original, thumbnail: files.thumbnail, full: files.full,
                renditions: files.all))
    }

    private func files(in body: Data) throws(ServiceError) -> FlickrFiles {
        try Reply(name, body).read { answer in
            FlickrFiles(try answer.required("sizes").list("size").filter(\.isObject))
        }
    }

    private func photo(_ wire: JSONNode, _ id: String, _ files: FlickrFiles) throws -> Photo {
        let owner = wire.object("owner")
        let (user, alias) = (owner?.string("nsid"), owner?.string("path_alias"))
        let dates = wire.object("dates")
        return Photo(
            id: api.id(id), title: Markup.plain(wire.content("title") ?? ""),
            author: author(
                id: user, name: owner?.scalar("username"), realName: owner?.scalar("realname"), alias: alias),
            page: page(of: id, by: alias, or: user), size: files.original, thumbnail: files.thumbnail,
            full: files.full, renditions: files.all, views: wire.int("views"),
            published: dates?.seconds("posted"),
            // `raw` is as the author wrote it, `_content` has no spaces or capitals.
            tags: (wire.object("tags")?.objects("tag") ?? []).compactMap { tag in
                (tag.scalar("raw") ?? tag.scalar("_content")).map { Markup.plain($0) }
            },
            license: license(wire), licenseURL: licenseURL(wire), description: description(wire),
            // 0 is safe, 1 moderate, 2 restricted.
            isAdult: (try wire.certainInt("safety_level") ?? 0) > 0
        ).dated(taken: dates.flatMap { taken($0, "taken", "takengranularity", "takenunknown") })
    }

    // MARK: - Wire to model

    /// The author: the real name if known, otherwise the name that the site shows. The username is the one in
    /// addresses, otherwise the one shown, by which the site finds users too.
    private func author(id: String?, name: String?, realName: String? = nil, alias: String?) -> Author? {
        func line(_ text: String?) -> String? {
            let line = PlainText.line(Markup.plain(text ?? ""))
            return line.isEmpty ? nil : line
        }
        let shown = line(name)
        let username = alias.flatMap { $0.isEmpty ? nil : PlainText.line($0) } ?? shown
        guard let name = line(realName) ?? shown ?? username ?? id else { return nil }
        return Author(id: id, name: name, username: username)
    }

    private func page(of id: String, by alias: String?, or owner: String?) -> URL? {
        guard let owner = alias.flatMap({ $0.isEmpty ? nil : $0 }) ?? owner,
            owner.wholeMatch(of: /[A-Za-z0-9_@\-]+/) != nil
        else { return nil }
        return URL(string: "https://www.flickr.com/photos/\(owner)/\(HTTPRequest.escaped(id))/")
    }

    private func description(_ wire: JSONNode) -> String? {
        let text = Markup.plain(wire.content("description") ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// A granularity of 4 means the month, 6 the year, and 8 "circa": the rest of the text is made up.
    private func taken(
        _ wire: JSONNode, _ text: String, _ granularity: String, _ unknown: String
    ) -> WrittenDate? {
        guard let length = [0: 19, 4: 7, 6: 4][wire.int(granularity) ?? 0], (wire.int(unknown) ?? 0) == 0
        else { return nil }
        return wire.string(text).flatMap { WrittenDate(String($0.prefix(length))) }
    }

    /// Source: `photos.licenses.getInfo`; for 9 and 10, Openverse's list. Those added in 2025 have unknown numbers.
    private func license(_ wire: JSONNode) -> String? {
        let names = [
            "All rights reserved", "CC BY-NC-SA 2.0", "CC BY-NC 2.0", "CC BY-NC-ND 2.0", "CC BY 2.0",
            "CC BY-SA 2.0", "CC BY-ND 2.0", "No known copyright restrictions",
            "United States government work", "CC0 1.0", "Public Domain Mark 1.0",
        ]
        return wire.int("license").map { names.indices.contains($0) ? names[$0] : "Flickr license \($0)" }
    }

    /// The pages of the two licenses that are not Creative Commons licenses.
    private func licenseURL(_ wire: JSONNode) -> URL? {
        switch wire.int("license") {
        case 7: URL(string: "https://www.flickr.com/commons/usage/")
        case 8: URL(string: "https://www.usa.gov/government-works")
        default: nil
        }
    }
}

/// A photo's files, its thumbnail and its full-size file among them, and the size of the original.
struct FlickrFiles {
    /// As fields of a list name them, smallest first.
    static let sizes = [
        "sq", "t", "q", "s", "n", "m", "z", "c", "l", "h", "k", "3k", "4k", "f", "5k", "6k", "o",
    ]

    fileprivate var thumbnail: Rendition?
    fileprivate var full: Rendition?
    fileprivate var original: PixelSize?
    fileprivate var all: [Rendition] = []
}

extension FlickrFiles {
    /// From a list's fields `url_q`, `width_q`, `height_q` and so on, absent for a size that does not exist or is not
    /// visible. A photo with nothing above 800 pixels listed has no full size yet: `getSizes` may have one.
    fileprivate init(listedIn wire: JSONNode) {
        func file(_ name: String) -> Rendition? {
            wire.url("url_" + name).map {
                Rendition(
                    url: $0, size: wire.size("width_" + name, "height_" + name),
                    isCropped: name == "sq" || name == "q")
            }
        }
        thumbnail = ["q", "n", "s", "m", "t", "sq", "z"].lazy.compactMap(file).first
        full = ["o", "6k", "5k", "f", "4k", "3k", "k", "h", "l"].lazy.compactMap(file).first
        original = file("o")?.size
        all = Self.sizes.compactMap(file)
    }

    /// From `getSizes`, which lists the visible sizes in ascending order.
    fileprivate init(_ sizes: [JSONNode]) {
        let photos =
            sizes.filter { $0.string("media") != "video" }.compactMap { wire in
                wire.url("source").map { url in
                    let label = wire.string("label") ?? ""
                    return (
                        label, Rendition(url: url, size: wire.size(), isCropped: label.hasSuffix("Square"))
                    )
                }
            } as [(label: String, file: Rendition)]
        let small = ["Large Square", "Small 320", "Small", "Medium", "Thumbnail", "Square", "Medium 640"]
        thumbnail = small.lazy.compactMap { label in photos.first { $0.label == label }?.file }.first
        full = photos.last?.file
        original = photos.last { $0.label == "Original" }?.file.size
        all = photos.map(\.file)
    }
}

extension JSONNode {
    /// A text, either bare, as titles in lists are, or the `_content` of an object.
    fileprivate func content(_ key: String) -> String? { scalar(key) ?? object(key)?.scalar("_content") }
}

import Foundation

// A photo as text, printed and kept: one JSON object, from which the same photo is read.

extension IndexedPhoto {
    /// The JSON object of the photo: every key, `null` for unknown values; then those that few lists tell, if known.
    package var json: JSONValue { .object(members) }

    /// The same object with the key `details`.
    package func json(with detail: PhotoDetail) -> JSONValue {
        let details: JSONValue = .members([
            "camera": .optional(detail.camera), "lens": .optional(detail.lens),
            "focalLength": .optional(detail.focalLength), "iso": .optional(detail.iso),
            "shutterSpeed": .optional(detail.shutterSpeed), "aperture": .optional(detail.aperture),
            "colorProfile": .optional(detail.colorProfile),
            "latitude": .optional(detail.latitude), "longitude": .optional(detail.longitude),
            "comments": .optional(detail.comments), "category": .optional(detail.photo.category),
            "incomplete": .optional(detail.incomplete), "pageCount": .int(detail.photo.pageCount),
            "pages": .array(
                detail.pages.map { files in
                    let all = JSONValue.Member(key: "renditions", value: .array(files.map(\.json)))
                    return .object((files.last?.facts ?? []) + [all])
                }),
        ])
        return .object(members + [JSONValue.Member(key: "details", value: details)])
    }

    private var members: [JSONValue.Member] {
        let identity: KeyValuePairs<String, JSONValue> = [
            "index": .optional(index), "service": .string(photo.id.service), "id": .string(photo.id.value),
            "title": .string(photo.title), "author": photo.author.map(\.json) ?? .null,
            "page": .optional(photo.page?.absoluteString), "width": .optional(photo.size?.width),
            "height": .optional(photo.size?.height),
            "thumbnail": photo.thumbnail.map { .object($0.facts) } ?? .null,
            "full": photo.full.map { .object($0.facts) } ?? .null,
            "renditions": .array(photo.renditions.map(\.json)), "files": .int(photo.pageCount),
        ]
        let facts: KeyValuePairs<String, JSONValue> = [
            "likes": .optional(photo.likes), "views": .optional(photo.views),
            "rating": .optional(photo.rating), "stars": .optional(photo.stars),
            "published": .optional(photo.publishedText), "taken": .optional(photo.takenText),
            "tags": .array(photo.tags.map(JSONValue.string)), "license": .optional(photo.license),
            "licenseURL": .optional(photo.licenseURL?.absoluteString), "credit": .optional(photo.credit),
            "description": .optional(photo.description), "alt": .optional(photo.alt),
            "generated": photo.isGenerated.map(JSONValue.bool) ?? .null, "adult": .bool(photo.isAdult),
        ]
        let category = photo.category.map { JSONValue.Member(key: "category", value: .string($0)) }
        return (Array(identity) + Array(facts)).map { JSONValue.Member(key: $0.key, value: $0.value) }
            + [category].compactMap(\.self)
    }
}

extension Photo {
    /// When it was published, in ISO 8601, as exact as that is known.
    package var publishedText: String? { publishedDate.map { ISO8601.text($0.date, $0.precision) } }

    /// When it was taken, the same; without a time zone if that is unknown.
    package var takenText: String? {
        takenDate.map { taken in
            let text = ISO8601.text(taken.date, taken.precision)
            return taken.offset == nil && text.hasSuffix("Z") ? String(text.dropLast()) : text
        }
    }
}

extension Author {
    fileprivate var json: JSONValue {
        .members(["id": .optional(id), "name": .string(name), "username": .optional(username)])
    }
}

extension Rendition {
    fileprivate var facts: [JSONValue.Member] {
        [
            .init(key: "url", value: .string(url.absoluteString)),
            .init(key: "width", value: .optional(size?.width)),
            .init(key: "height", value: .optional(size?.height)),
        ]
    }

    fileprivate var json: JSONValue {
        .object(
            facts + [
                .init(key: "bytes", value: .optional(bytes.map { Int($0) })),
                .init(key: "cropped", value: .bool(isCropped)),
            ])
    }
}

// MARK: - Reading

extension IndexedPhoto {
    /// Reads one ``json``, whole or filtered as by `jq`: all but service and identifier may be missing or unreadable.
    package init?(json data: Data) {
        guard let entry = DescribedPhoto(json: data)?.entry else { return nil }
        self = entry
    }
}

/// A photo as ``IndexedPhoto/json(with:)`` writes it: with details, where it has them.
package struct DescribedPhoto: Sendable {
    package private(set) var entry: IndexedPhoto
    /// `nil` where the object has none, or not all files of the photo.
    package private(set) var detail: PhotoDetail?

    package init?(json data: Data) {
        guard let fields = JSONDocument(data).root else { return nil }
        self.init(fields)
    }

    package init?(_ fields: JSONNode) {
        guard let photo = Photo(fields) else { return nil }
        entry = IndexedPhoto(index: fields.int("index"), photo: photo)
        detail = fields.object("details").flatMap { [entry] in PhotoDetail($0, of: entry.photo) }
    }

    /// The photo with relative addresses as those of files in `folder`, which are a page's own; without a folder they
    /// lead nowhere, and its service has to be asked.
    package func found(in folder: URL?) -> DescribedPhoto {
        let photo = entry.photo
        let files = [photo.full, photo.thumbnail].compactMap(\.self) + photo.renditions
        guard files.contains(where: { $0.url.scheme == nil }) else { return self }
        var found = self
        found.entry = IndexedPhoto(index: entry.index, photo: photo.found(in: folder))
        found.detail = folder == nil ? nil : detail
        found.detail?.photo = found.entry.photo
        found.detail?.pages = (detail?.pages ?? []).map { $0.compactMap { $0.found(in: folder) } }
        return found
    }
}

extension Photo {
    fileprivate func found(in folder: URL?) -> Photo {
        var photo = self
        photo.thumbnail = thumbnail?.found(in: folder)
        photo.full = full?.found(in: folder)
        photo.renditions = renditions.compactMap { $0.found(in: folder) }
        return photo
    }

    fileprivate init?(_ fields: JSONNode) {
        guard let service = fields.string("service"), let id = fields["id"]?.id else { return nil }
        let (title, license) = (fields.string("title") ?? "", fields.string("license"))
        let author = fields.object("author").flatMap(Author.init)
        let credit = fields.string("credit")
        let photo = Photo(
            id: PhotoID(service: service, value: id), title: title,
            author: author, page: fields.string("page").flatMap { WebAddress.parsed($0) },
            size: fields.size(), thumbnail: fields.object("thumbnail").flatMap(Rendition.init),
            full: fields.object("full").flatMap(Rendition.init),
            renditions: fields.renditions, likes: fields.int("likes"), views: fields.int("views"),
            rating: fields.double("rating"),
            stars: fields.int("stars").flatMap { Photo.starRange.contains($0) ? $0 : nil },
            // The label chooses the initializer that completes the files by each other.
            published: nil, tags: fields.strings("tags"),
            category: fields.string("category"), license: license, licenseURL: fields.url("licenseURL"),
            // What follows from the rest is no wording of the author's.
            attribution: credit == Self.credit(title: title, author: author, license: license) ? nil : credit,
            description: fields.string("description"), alt: fields.string("alt"),
            isGenerated: fields["generated"]?.bool, isAdult: fields["adult"]?.bool ?? false,
            pageCount: max(1, fields.int("files") ?? 1))
        self = photo.dated(published: fields.date("published"), taken: fields.date("taken"))
    }
}

extension PhotoDetail {
    fileprivate init?(_ fields: JSONNode, of photo: Photo) {
        let files = fields.objects("pages").compactMap { page in
            Rendition(page).map { page.renditions.sorted(with: $0) }
        }
        guard photo.pageCount > 1 ? files.count == photo.pageCount : photo.full != nil else { return nil }
        self.init(photo: photo)
        camera = fields.string("camera")
        lens = fields.string("lens")
        focalLength = fields.string("focalLength")
        iso = fields.string("iso")
        shutterSpeed = fields.string("shutterSpeed")
        aperture = fields.string("aperture")
        colorProfile = fields.string("colorProfile")
        latitude = fields.double("latitude")
        longitude = fields.double("longitude")
        incomplete = fields.string("incomplete")
        comments = fields.int("comments")
        pages = files
    }
}

extension Author {
    fileprivate init?(_ fields: JSONNode) {
        guard let name = fields.string("name") else { return nil }
        self.init(id: fields.string("id"), name: name, username: fields.string("username"))
    }
}

extension Rendition {
    fileprivate func found(in folder: URL?) -> Rendition? {
        let path = url.path(percentEncoded: false)
        guard url.scheme == nil, !path.hasPrefix("/") else { return self }
        return folder.map { folder in
            let url = folder.appending(path: path, directoryHint: .notDirectory)
            return Rendition(url: url, size: size, bytes: bytes, isCropped: isCropped)
        }
    }

    fileprivate init?(_ fields: JSONNode) {
        guard let url = fields.string("url").flatMap({ WebAddress.parsed($0) }) else { return nil }
        self.init(
            url: url, size: fields.size(), bytes: fields.int("bytes").map { Int64($0) },
            isCropped: fields.flag("cropped") ?? false)
    }
}

extension JSONNode {
    fileprivate var renditions: [Rendition] { objects("renditions").compactMap(Rendition.init) }
}

import Foundation

extension IndexedPhoto {
    /// The JSON object of the photo: every key present, `null` for unknown values.
    package var json: JSONValue { .object(members) }

    private var members: [JSONValue.Member] {
        let identity: KeyValuePairs<String, JSONValue> = [
            "index": .optional(index), "service": .string(photo.id.service), "id": .string(photo.id.value),
            "title": .string(photo.title), "author": photo.author.map(\.json) ?? .null,
            "page": .optional(photo.page?.absoluteString), "width": .optional(photo.size?.width),
            "height": .optional(photo.size?.height), "thumbnail": photo.thumbnail.map(\.json) ?? .null,
            "full": photo.full.map(\.json) ?? .null, "files": .int(photo.pageCount),
        ]
        let facts: KeyValuePairs<String, JSONValue> = [
            "likes": .optional(photo.likes), "views": .optional(photo.views),
            "rating": .optional(photo.rating), "published": .optional(photo.published.map(Self.iso8601)),
            "taken": .optional(photo.takenText),
            "tags": .array(photo.tags.map(JSONValue.string)), "license": .optional(photo.license),
            "licenseURL": .optional(photo.licenseURL?.absoluteString), "credit": .optional(photo.credit),
            "description": .optional(photo.description), "adult": .bool(photo.isAdult),
        ]
        return (Array(identity) + Array(facts)).map { JSONValue.Member(key: $0.key, value: $0.value) }
    }

    /// The same object with values that are stored but not printed.
    var storedJSON: JSONValue {
        .object(
            members + [
                JSONValue.Member(key: "category", value: .optional(photo.category)),
                JSONValue.Member(key: "attribution", value: .optional(photo.attribution)),
            ])
    }

    /// The same object with the key `details`.
    package func json(with detail: PhotoDetail) -> JSONValue {
        let details: JSONValue = .members([
            "camera": .optional(detail.camera), "lens": .optional(detail.lens),
            "focalLength": .optional(detail.focalLength), "iso": .optional(detail.iso),
            "shutterSpeed": .optional(detail.shutterSpeed), "aperture": .optional(detail.aperture),
            "latitude": .optional(detail.latitude), "longitude": .optional(detail.longitude),
            "comments": .optional(detail.comments), "category": .optional(detail.category),
            "pageCount": .int(detail.photo.pageCount),
            "pages": .array(detail.pages.map(\.json)),
        ])
        return .object(members + [JSONValue.Member(key: "details", value: details)])
    }

    private static func iso8601(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension Photo {
    /// When it was taken, in ISO 8601; without a time zone if that is unknown.
    package var takenText: String? {
        taken.map { date in
            let text = date.formatted(.iso8601)
            return isTakenInLocalTime && text.hasSuffix("Z") ? String(text.dropLast()) : text
        }
    }
}

extension Author {
    fileprivate var json: JSONValue {
        .members(["id": .optional(id), "name": .string(name), "username": .optional(username)])
    }
}

extension Rendition {
    fileprivate var json: JSONValue {
        .members([
            "url": .string(url.absoluteString), "width": .optional(size?.width),
            "height": .optional(size?.height),
        ])
    }
}

/// Reads ``IndexedPhoto/json``, whole or filtered by tools such as `jq`: only `service` and
/// `id` are required.
extension IndexedPhoto: Decodable {
    private enum CodingKeys: String, CodingKey {
        case index, service, id, title, author, page, width, height, thumbnail, full, files, likes, views,
            rating
        case published, taken, tags, category, license, licenseURL, attribution, description, adult
    }

    /// Reads one object. A photo needs its service and its identifier; anything else may be missing or unreadable.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let id = PhotoID(
            service: try fields.decode(String.self, forKey: .service),
            value: try fields.decode(WireID.self, forKey: .id).value)
        func value<Value: Decodable>(_ key: CodingKeys, as type: Value.Type = Value.self) -> Value? {
            try? fields.decode(Value.self, forKey: key)
        }
        func text(_ key: CodingKeys) -> String? { value(key) }
        func int(_ key: CodingKeys) -> Int? { value(key, as: WireInt.self)?.value }
        let taken = text(.taken)
        // No zone follows the seconds: the time is read as if in UTC.
        let local = taken.flatMap { WireDate.withoutZone($0) }
        self.init(
            index: int(.index),
            photo: Photo(
                id: id, title: text(.title) ?? "", author: value(.author, as: WireAuthor.self)?.author,
                page: text(.page).flatMap { WebAddress.parsed($0) },
                size: PixelSize(width: int(.width), height: int(.height)),
                thumbnail: value(.thumbnail, as: WireRendition.self)?.rendition,
                full: value(.full, as: WireRendition.self)?.rendition,
                likes: int(.likes), views: int(.views), rating: value(.rating, as: WireDouble.self)?.value,
                published: value(.published, as: WireDate.self)?.value,
                taken: local ?? taken.flatMap { WireDate.date($0) }, tags: value(.tags) ?? [],
                category: text(.category), license: text(.license),
                licenseURL: text(.licenseURL).flatMap { WebAddress.url($0) },
                attribution: text(.attribution), description: text(.description),
                isAdult: value(.adult) ?? false, pageCount: max(1, int(.files) ?? 1),
                isTakenInLocalTime: local != nil))
    }
}

/// A photo as ``IndexedPhoto/json(with:)`` writes it: with details, where it has them.
struct DescribedPhoto: Decodable, Sendable {
    let entry: IndexedPhoto
    /// `nil` where the object has none, or not all files of the photo.
    let detail: PhotoDetail?

    private enum CodingKeys: CodingKey { case details }

    init(from decoder: any Decoder) throws {
        entry = try IndexedPhoto(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        detail = (try? fields.decode(WireDetails.self, forKey: .details))?.detail(of: entry.photo)
    }
}

private struct WireDetails: Decodable {
    @IfReadable var camera: String?
    @IfReadable var lens: String?
    @IfReadable var focalLength: String?
    @IfReadable var iso: String?
    @IfReadable var shutterSpeed: String?
    @IfReadable var aperture: String?
    @IfReadable var latitude: WireDouble?
    @IfReadable var longitude: WireDouble?
    @IfReadable var comments: WireInt?
    @IfReadable var category: String?
    @IfReadable var pages: WireList<WireRendition>?

    func detail(of photo: Photo) -> PhotoDetail? {
        let files = pages?.elements.compactMap(\.rendition) ?? []
        guard photo.pageCount > 1 ? files.count == photo.pageCount : photo.full != nil else { return nil }
        var detail = PhotoDetail(photo: photo)
        detail.camera = camera
        detail.lens = lens
        detail.focalLength = focalLength
        detail.iso = iso
        detail.shutterSpeed = shutterSpeed
        detail.aperture = aperture
        detail.latitude = latitude?.value
        detail.longitude = longitude?.value
        detail.comments = comments?.value
        detail.category = category
        detail.pages = files
        return detail
    }
}

private struct WireAuthor: Decodable {
    let id: String?
    let name: String?
    let username: String?

    var author: Author? { name.map { Author(id: id, name: $0, username: username) } }
}

private struct WireRendition: Decodable {
    let url: String
    let width: WireInt?
    let height: WireInt?

    var rendition: Rendition? {
        WebAddress.parsed(url).map {
            Rendition(url: $0, size: PixelSize(width: width?.value, height: height?.value))
        }
    }
}

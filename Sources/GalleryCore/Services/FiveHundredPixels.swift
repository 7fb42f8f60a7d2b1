import Foundation

/// The 500px API, version 1, as it answered from 2012 to 2019, and servers compatible with it.
///
/// 500px closed it in 2018.
/// Source: github.com/500px/legacy-api-documentation, `endpoints/photo`.
struct FiveHundredPixels: PhotoService {
    /// The URL of the API while it existed.
    static let officialBase = "https://api.500px.com/v1"

    /// The environment variable for the key.
    static let keyVariable = "GALLERY_500PX_KEY"

    /// The streams of `GET photos`, the default first.
    static let rankings = [
        "popular", "highest_rated", "upcoming", "editors", "fresh_today", "fresh_yesterday", "fresh_week",
    ]

    /// Thumbnail (280 × 280, cropped) and full (longest edge 2048), requested together
    /// so that photos need no request of their own.
    private static let imageSizes = "3,2048"

    /// Identifiers in one batch request; gallery-dl sends 20, and the maximum is unknown.
    private static let batchLimit = 20

    /// Statuses that are not about the batch request itself: single requests would get them too.
    private static let absences = [401, 408, 429, 502, 503, 504]

    let name: String
    let detailsPerRequest = Self.batchLimit
    private let base: URL
    private let key: Secret?
    private let keyVariable: String?
    private let importer: FiveHundredPixelsImporter

    /// Creates the service for the API at `base`, up to and including `/v1`; the official one needs a
    /// key, others may not.
    init(
        name: String = "500px", base: URL?, key: Secret?, keyVariable: String? = FiveHundredPixels.keyVariable
    ) {
        self.name = name
        self.base = base ?? URL(string: Self.officialBase) ?? URL(filePath: "/")
        self.key = key
        self.keyVariable = keyVariable
        importer = FiveHundredPixelsImporter(service: name, files: nil)
    }

    /// The documented maximum for every stream and the search.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let endpoint: (path: String, query: [(String, String?)])
        switch feed {
        case .popular(let ranking, let date):
            guard date == nil else { throw unsupported("past rankings", known: []) }
            let stream = ranking ?? Self.rankings[0]
            guard Self.rankings.contains(stream) else {
                throw unsupported("ranking '\(PlainText.excerpt(stream))'", known: Self.rankings)
            }
            endpoint = ("photos", [("feature", stream)])
        case .search(let text): endpoint = ("photos/search", [("term", text), ("sort", "_score")])
        case .user(let user): endpoint = ("photos", [("feature", "user"), ("username", user)])
        case .favorites:
            throw unsupported("feed '\(feed.word)'", known: ["popular", "search", "user"])
        }
        let query = endpoint.query + [("page", "\(slice.number)"), ("rpp", "\(slice.size)")]
        return .ask(try request(endpoint.path, query)) { (reply) throws(ServiceError) in
            .done(try importer.page(try accepted(reply, what: "page \(slice.number)"), slice))
        }
    }

    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        let ids = photos.map(\.id)
        guard ids.count > 1 else { return try eachAlone(ids, after: [:]) }
        let batches = stride(from: 0, to: ids.count, by: Self.batchLimit).map {
            ids[$0..<min($0 + Self.batchLimit, ids.count)]
        }
        var requests: [HTTPRequest] = []
        for batch in batches {
            requests.append(try request("photos", [("ids", batch.map(\.value).joined(separator: ","))]))
        }
        return .send(requests) { (outcomes) throws(ServiceError) in
            var known: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for (batch, outcome) in zip(batches, outcomes) {
                if let error = absence(outcome) { for id in batch { known[id] = .failure(error) } }
                // A server without batch requests answers with an error or some other list:
                // whatever is missing is requested alone, and fails there with its own reason.
                guard case .success(let reply) = outcome, reply.head.status == 200,
                    let details = try? importer.batch(reply.body)
                else { continue }
                for detail in details { known[detail.photo.id] = .success(detail) }
            }
            let asked = Set(ids)
            return try eachAlone(
                ids.filter { known[$0] == nil }, after: known.filter { asked.contains($0.key) })
        }
    }

    // MARK: - Addresses

    /// The photo at `500px.com/photo/<id>`, or at an image's address, which contains the photo's number.
    func photo(atPage page: URL) -> PhotoID? {
        guard let page = PageAddress(page) else { return nil }
        let number: String?
        if page.isHost("500px.com") {
            number = page.path.first == "photo" ? page.path.dropFirst().first : nil
        } else if page.isHost("500px.org") || page.isHost("500px.net") {
            // `drscdn.500px.org/photo/4910421/q%3D80_m%3D2000/…`, and before that,
            // `pcdn.500px.net/4910421/…/4.jpg`.
            number = page.path.first == "photo" ? page.path.dropFirst().first : page.path.first
        } else {
            return nil
        }
        return PageAddress.number(number).map { PhotoID(service: name, value: $0) }
    }

    /// The feed of `/popular`, `/search?q=…` or `/p/<user>`, or, as until 2019, `/<user>`.
    func feed(atPage page: URL) -> Feed? {
        guard let page = PageAddress(page), page.isHost("500px.com"), let first = page.path.first else {
            return nil
        }
        switch first {
        case "popular", "upcoming", "editors": return .popular(ranking: first == "popular" ? nil : first)
        case "fresh": return .popular(ranking: "fresh_today")
        case "search": return (page.query["q"] ?? page.path.dropFirst().first).map { .search($0) }
        case "p": return page.path.dropFirst().first.map { .user($0) }
        case "photo", "galleries", "quests", "licensing", "about", "login", "signup": return nil
        default: return .user(first)
        }
    }

    // MARK: - Requests

    private func eachAlone(
        _ ids: [PhotoID], after known: [PhotoID: Result<PhotoDetail, ServiceError>]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        guard !ids.isEmpty else { return .done(known) }
        var requests: [HTTPRequest] = []
        for id in ids { requests.append(try request("photos/\(HTTPRequest.escaped(id.value))", [])) }
        return .send(requests) { outcomes in
            var known = known
            for (id, outcome) in zip(ids, outcomes) {
                known[id] = outcome.flatMap { reply in
                    Result { () throws(ServiceError) in
                        try importer.detail(try accepted(reply, what: "photo \(PlainText.excerpt(id.value))"))
                    }
                }
            }
            return .done(known)
        }
    }

    private func request(_ path: String, _ query: [(String, String?)]) throws(ServiceError) -> HTTPRequest {
        if key == nil, base.absoluteString == Self.officialBase {
            throw .keyMissing(service: name, variable: keyVariable)
        }
        var request = HTTPRequest(
            base, path, query: query + [("image_size", Self.imageSizes), ("tags", "1")])
        if let key { request.secrets[.query(name: "consumer_key")] = key }
        return request
    }

    private func accepted(_ reply: HTTPReply, what: String) throws(ServiceError) -> Data {
        switch reply.head.status {
        // A photo that was deleted, or whose owner left, gets 403: it is gone.
        case 403 where what.hasPrefix("photo "): throw .missing(service: name, what: what)
        case 401 where key == nil: throw .keyMissing(service: name, variable: keyVariable)
        default: return try Reply.body(of: reply, service: name, what: what, variable: keyVariable)
        }
    }

    /// The error if the host is unavailable or asks to wait: then photos are not requested one by one.
    private func absence(_ outcome: Result<HTTPReply, ServiceError>) -> ServiceError? {
        switch outcome {
        case .failure(let error): return error
        case .success(let reply) where Self.absences.contains(reply.head.status):
            do { _ = try accepted(reply, what: "details") } catch { return error }
        case .success: break
        }
        return nil
    }

    private func unsupported(_ what: String, known: [String]) -> ServiceError {
        .unsupported(service: name, what: what, known: known)
    }
}

/// Reads the 500px API's lists, batches, and details, as sent from 2012 to 2019.
///
/// Separate from the service because ``Sample`` keeps its bundled catalog in the same format.
struct FiveHundredPixelsImporter: Sendable {
    /// The service's name, for photos and errors.
    let service: String

    /// The folder that relative file addresses start from; `nil` to accept only web addresses.
    let files: URL?

    /// The photos of a list reply, which is the page `slice`.
    func page(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let reply = Reply(service, body)
        let list = try reply.decode(WireList500px.self)
        // A server that ignores `rpp` must not shift the indexes of later pages.
        let rows = list.photos.rows.prefix(slice.size)
        let hasMore = list.total_pages?.value.map { slice.number < $0 } ?? (rows.count >= slice.size)
        return try reply.page(slice, of: rows, total: list.total_items?.value, hasMore: hasMore, photo)
    }

    /// The details in a batch reply, without those that cannot be read.
    func batch(_ body: Data) throws(ServiceError) -> [PhotoDetail] {
        try Reply(service, body).decode(WireList500px.self).photos.elements.map(detail)
    }

    /// The details in a reply about one photo.
    func detail(_ body: Data) throws(ServiceError) -> PhotoDetail {
        detail(try Reply(service, body).decode(WireEnvelope.self).photo)
    }

    // MARK: - Wire to model

    private func detail(_ wire: WirePhoto) -> PhotoDetail {
        var detail = PhotoDetail(photo: photo(wire))
        detail.camera = wire.camera?.filled
        detail.lens = wire.lens?.filled
        detail.focalLength = wire.focal_length?.filled
        detail.iso = wire.iso?.filled
        detail.shutterSpeed = wire.shutter_speed?.filled
        detail.aperture = wire.aperture?.filled
        detail.latitude = wire.latitude?.value
        detail.longitude = wire.longitude?.value
        detail.comments = wire.comments_count?.value
        detail.category = detail.photo.category
        return detail
    }

    private func photo(_ wire: WirePhoto) -> Photo {
        let size = PixelSize(width: wire.width?.value, height: wire.height?.value)
        let images = Images500px(wire, of: size, files: files)
        return Photo(
            id: PhotoID(service: service, value: wire.id.value), title: wire.name?.value ?? "",
            author: wire.user.map(author), page: page(wire), size: size, thumbnail: images.thumbnail,
            full: images.full, likes: wire.votes_count?.value, views: wire.times_viewed?.value,
            rating: wire.rating?.value, published: wire.created_at?.value, taken: wire.taken_at?.value,
            tags: wire.tags?.elements.map(\.value) ?? [],
            category: wire.category?.value.flatMap { Self.categories[$0] },
            license: wire.license?.filled ?? wire.license_type?.value.flatMap { Self.licenses[$0] },
            description: wire.description?.filled,
            // Category 4 is Nude; `nsfw` is missing from some answers.
            isAdult: wire.nsfw?.value == true || wire.category?.value == 4)
    }

    private func author(_ wire: WireUser) -> Author {
        let full = PlainText.line(wire.fullname?.value ?? "")
        let username = wire.username?.filled
        return Author(id: wire.id?.value, name: full.isEmpty ? username ?? "" : full, username: username)
    }

    /// `url` is a path on the site; anything else is ignored.
    private func page(_ wire: WirePhoto) -> URL? {
        guard files == nil else { return wire.url.flatMap { WebAddress.url($0) } }
        let path = wire.url.flatMap { $0.hasPrefix("/photo/") ? $0 : nil } ?? "/photo/\(wire.id.value)"
        return WebAddress.parsed("https://500px.com" + path)
    }

    /// Source: legacy-api-documentation, `basics/formats_and_terms.md`.
    private static let licenses: [Int: String] = [
        1: "CC BY-NC 3.0", 2: "CC BY-NC-ND 3.0", 3: "CC BY-NC-SA 3.0", 4: "CC BY 3.0", 5: "CC BY-ND 3.0",
        6: "CC BY-SA 3.0", 7: "Public Domain Mark 1.0", 8: "CC0 1.0",
    ]

    /// Source: the same page.
    private static let categories: [Int: String] = [
        10: "Abstract", 29: "Aerial", 11: "Animals", 5: "Black and White", 1: "Celebrities",
        9: "City and Architecture", 15: "Commercial", 16: "Concert", 20: "Family", 14: "Fashion", 2: "Film",
        24: "Fine Art", 23: "Food", 3: "Journalism", 8: "Landscapes", 12: "Macro", 18: "Nature", 30: "Night",
        4: "Nude", 7: "People", 19: "Performing Arts", 17: "Sport", 6: "Still Life", 21: "Street",
        26: "Transportation", 13: "Travel", 22: "Underwater", 27: "Urban Exploration", 25: "Wedding",
    ]
}

/// A photo's thumbnail and full-size file.
private struct Images500px {
    var thumbnail: Rendition?
    var full: Rendition?

    init(_ wire: WirePhoto, of size: PixelSize?, files: URL?) {
        let images = (wire.images?.elements ?? []).compactMap { image -> (Format, Rendition)? in
            guard let id = image.size?.value, let address = image.https_url ?? image.url,
                let url = WebAddress.url(address, relativeTo: files)
            else { return nil }
            let format = Format(id)
            let pixels = PixelSize(width: image.width?.value, height: image.height?.value)
            return (format, Rendition(url: url, size: pixels ?? format.delivered(from: size)))
        }
        full = images.filter { !$0.0.isCropped }.max { $0.0.edge < $1.0.edge }?.1
        // The size closest to the 280 pixels that lists request; never a full-size file.
        thumbnail = images.filter { $0.0.edge <= 640 }.min { $0.0.distance < $1.0.distance }?.1
        if wire.images == nil, let address = wire.image_url?.first, let url = WebAddress.url(address) {
            adopt(url, of: size)
        }
    }

    /// Answers of 2012 have one file, named by its size: `…/2.jpg`.
    private mutating func adopt(_ url: URL, of size: PixelSize?) {
        guard let id = Int(url.lastPathComponent.prefix { $0 != "." }) else { return }
        let format = Format(id)
        let rendition = Rendition(url: url, size: format.delivered(from: size))
        if format.isCropped { thumbnail = rendition } else { full = rendition }
    }

    /// What a size id of the API means. Source: `basics/formats_and_terms.md`, and for
    /// 14 and 32 to 36 the recording `photo_record_ccmulti_2016.json`.
    private struct Format {
        /// The side of the square, the longest edge, or the height, in pixels.
        let edge: Int
        let isCropped: Bool
        private let limitsHeight: Bool

        init(_ id: Int) {
            switch id {
            case 1: self.init(edge: 70, cropped: true)
            case 2: self.init(edge: 140, cropped: true)
            case 3: self.init(edge: 280, cropped: true)
            case 100, 200, 440, 600: self.init(edge: id, cropped: true)
            case 4, 14: self.init(edge: 900)
            case 5: self.init(edge: 1170)
            case 6: self.init(edge: 1080, height: true)
            case 20, 32: self.init(edge: 300, height: true)
            case 21, 33: self.init(edge: 600, height: true)
            case 30: self.init(edge: 256)
            case 31: self.init(edge: 450, height: true)
            case 34: self.init(edge: 1000)
            case 35: self.init(edge: 1500)
            case 36: self.init(edge: 2000)
            default: self.init(edge: id)
            }
        }

        private init(edge: Int, cropped: Bool = false, height: Bool = false) {
            self.edge = edge
            self.isCropped = cropped
            self.limitsHeight = height
        }

        var distance: Int { abs(edge - 280) }

        /// The file's size, if it follows from the original's.
        func delivered(from original: PixelSize?) -> PixelSize? {
            if isCropped { return PixelSize(width: edge, height: edge) }
            return limitsHeight ? original?.fitting(height: edge) : original?.fitting(longestEdge: edge)
        }
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the service's documentation.

private struct WireList500px: Decodable {
    let photos: WireList<WirePhoto>
    @IfReadable var total_pages: WireInt?
    @IfReadable var total_items: WireInt?
}

private struct WireEnvelope: Decodable {
    let photo: WirePhoto
}

private struct WirePhoto: Decodable {
    let id: WireID
    @IfReadable var name: WireText?
    @IfReadable var description: WireText?
    @IfReadable var user: WireUser?
    @IfReadable var url: String?
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
    @IfReadable var image_url: WireImageURL?
    @IfReadable var images: WireList<WireImage>?
    @IfReadable var votes_count: WireInt?
    @IfReadable var times_viewed: WireInt?
    @IfReadable var comments_count: WireInt?
    @IfReadable var rating: WireDouble?
    @IfReadable var created_at: WireDate?
    @IfReadable var taken_at: WireDate?
    @IfReadable var tags: WireList<WireText>?
    @IfReadable var license_type: WireInt?
    /// Only in the bundled catalog, whose licenses have no numbers in the API.
    @IfReadable var license: WireText?
    @IfReadable var category: WireInt?
    let nsfw: WireBool?
    @IfReadable var camera: WireText?
    @IfReadable var lens: WireText?
    @IfReadable var focal_length: WireText?
    @IfReadable var iso: WireText?
    @IfReadable var shutter_speed: WireText?
    @IfReadable var aperture: WireText?
    @IfReadable var latitude: WireDouble?
    @IfReadable var longitude: WireDouble?
}

private struct WireUser: Decodable {
    @IfReadable var id: WireID?
    @IfReadable var username: WireText?
    @IfReadable var fullname: WireText?
}

private struct WireImage: Decodable {
    @IfReadable var size: WireInt?
    @IfReadable var url: String?
    @IfReadable var https_url: String?
    /// Only in the bundled catalog: the API never tells a file's size.
    @IfReadable var width: WireInt?
    @IfReadable var height: WireInt?
}

/// One address or, since 2018, a list in no particular order.
private struct WireImageURL: Decodable {
    let first: String?

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            first = text
        } else {
            first = try WireList<String>(from: decoder).elements.first
        }
    }
}

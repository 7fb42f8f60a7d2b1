import Foundation

/// The 500px API, version 1, which 500px closed in 2018, and servers compatible with it.
/// Source: github.com/500px/legacy-api-documentation, `endpoints/photo`.
struct FiveHundredPixels: PhotoService {
    /// The streams of `GET photos`, the default first.
    static let rankings = [
        "popular", "highest_rated", "upcoming", "editors", "fresh_today", "fresh_yesterday", "fresh_week",
    ]

    /// The thumbnail (280 × 280, cropped) and every uncropped size, so that photos need no request of their own.
    private static let imageSizes = "3,30,20,31,21,4,1080,5,6,1600,2048"

    /// Identifiers in one batch request; gallery-dl sends 20, and the maximum is unknown.
    private static let batchLimit = 20

    /// Statuses that are not about the batch request itself: single requests would get them too.
    private static let absences = [401, 408, 429, 502, 503, 504]

    let detailsPerRequest = Self.batchLimit
    /// Its base goes up to and includes `/v1`; the official one needs a key, others may not.
    let api: WebAPI
    var name: String { api.service }
    private var importer: FiveHundredPixelsImporter { FiveHundredPixelsImporter(service: name, files: nil) }

    /// The documented maximum for every stream and the search.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        let endpoint: (path: String, query: [(String, String?)]) =
            switch feed {
            case .popular(let ranking, _): ("photos", [("feature", ranking ?? Self.rankings[0])])
            case .search(let text): ("photos/search", [("term", text), ("sort", "_score")])
            case .user(let user): ("photos", [("feature", "user"), ("username", user)])
            case .favorites: throw lacks(feed)
            }
        let query = endpoint.query + [("page", "\(slice.number)"), ("rpp", "\(slice.size)")]
        return .ask(try request(endpoint.path, query)) { (reply) throws(ServiceError) in
            .done(try importer.page(try accept(reply, "page \(slice.number)"), slice))
        }
    }

    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        let ids = photos.map(\.id)
        guard ids.count > 1 else { return try eachAlone(ids) }
        let batches = ids.chunks(of: Self.batchLimit)
        let requests = try batches.map { (batch) throws(ServiceError) in
            try request("photos", [("ids", batch.map(\.value).joined(separator: ","))])
        }
        return .send(requests) { (outcomes) throws(ServiceError) in
            var known: DetailResults = [:]
            for (batch, outcome) in zip(batches, outcomes) {
                do throws(ServiceError) {
                    let reply = try outcome.get()
                    if Self.absences.contains(reply.head.status) { _ = try accept(reply, "details") }
                    // A server without batch requests answers with an error or some other list:
                    // whatever is missing is requested alone, and fails there with its own reason.
                    guard reply.head.status == 200, let details = try? importer.batch(reply.body) else {
                        continue
                    }
                    for detail in details { known[detail.photo.id] = .success(detail) }
                } catch {
                    // The host is unavailable or asks to wait: photos are not requested one by one.
                    for id in batch { known[id] = .failure(error) }
                }
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
            // `drscdn.500px.org/photo/4910421/q%3D80_m%3D2000/…`, and before that, `pcdn.500px.net/4910421/…/4.jpg`.
            number = page.path.first == "photo" ? page.path.dropFirst().first : page.path.first
        } else {
            return nil
        }
        return PageAddress.number(number).map(api.id)
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
        _ ids: [PhotoID], after known: DetailResults = [:]
    ) throws(ServiceError) -> Exchange<DetailResults> {
        try .each(ids, after: known) { (id) throws(ServiceError) in
            try request("photos/\(HTTPRequest.escaped(id.value))", [])
        } read: { (reply, id) throws(ServiceError) in
            // A photo that was deleted, or whose owner left, gets 403: it is gone.
            if reply.head.status == 403 { throw .missing(service: name, what: id.what) }
            return try importer.detail(try accept(reply, id.what))
        }
    }

    private func request(_ path: String, _ query: [(String, String?)]) throws(ServiceError) -> HTTPRequest {
        try api.request(
            path, query + [("image_size", Self.imageSizes), ("tags", "1")], keyed: "consumer_key")
    }

    private func accept(_ reply: HTTPReply, _ what: String) throws(ServiceError) -> Data {
        if reply.head.status == 401, api.key == nil { throw api.keyMissing }
        return try api.accept(reply, what)
    }
}

/// Reads the 500px API's lists, batches, and details, as sent from 2012 to 2019, and so the catalog of ``Sample``.
struct FiveHundredPixelsImporter: Sendable {
    let service: String

    /// The folder that relative file addresses start from; `nil` to accept only web addresses.
    let files: URL?

    func page(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        return try Reply(service, body).read { list in
            try Reply.page(
                slice, of: list.rows("photos", photo), total: list.int("total_items"),
                hasMore: list.int("total_pages").map { slice.number < $0 })
        }
    }

    func batch(_ body: Data) throws(ServiceError) -> [PhotoDetail] {
        try Reply(service, body).read { try $0.rows("photos", described).compactMap { try? $0.get() } }
    }

    func detail(_ body: Data) throws(ServiceError) -> PhotoDetail {
        try Reply(service, body).read { try described($0.required("photo")) }
    }

    // MARK: - Wire to model

    private func described(_ wire: JSONNode) throws -> PhotoDetail {
        var detail = PhotoDetail(photo: try photo(wire))
        detail.camera = wire.text("camera")
        detail.lens = wire.text("lens")
        detail.focalLength = wire.text("focal_length")
        detail.iso = wire.text("iso")
        detail.shutterSpeed = wire.text("shutter_speed")
        detail.aperture = wire.text("aperture")
        detail.latitude = wire.double("latitude")
        detail.longitude = wire.double("longitude")
        detail.comments = wire.int("comments_count")
        return detail
    }

    private func photo(_ wire: JSONNode) throws -> Photo {
        let id = try wire.id("id")
        let size = wire.size()
        let images = self.images(wire, of: size)
        let category = wire.int("category")
        return Photo(
            id: PhotoID(service: service, value: id), title: wire.text("name") ?? "",
            author: wire.object("user").map(author), page: page(wire.string("url"), of: id), size: size,
            thumbnail: images.thumbnail, full: images.full, renditions: images.all,
            likes: wire.int("votes_count"), views: wire.int("times_viewed"), rating: wire.double("rating"),
            tags: wire.texts("tags"), category: category.flatMap { Self.categories[$0] },
            // A name only in the bundled catalog, whose licenses have no numbers in the API.
            license: wire.text("license") ?? wire.int("license_type").flatMap { Self.licenses[$0] },
            description: wire.text("description"),
            // Category 4 is Nude; `nsfw` is missing from some answers.
            isAdult: try wire.certainFlag("nsfw") == true || category == 4
        ).dated(published: wire.date("created_at"), taken: wire.date("taken_at"))
    }

    private func images(
        _ wire: JSONNode, of size: PixelSize?
    ) -> (thumbnail: Rendition?, full: Rendition?, all: [Rendition]) {
        var images = wire.objects("images").compactMap {
            image -> (format: Format500px, file: Rendition)? in
            guard let id = image.int("size"), id > 0,
                let address = image.string("https_url") ?? image.string("url"),
                let url = WebAddress.url(address, relativeTo: files)
            else { return nil }
            let format = Format500px(id)
            // Only the bundled catalog tells a file's size.
            return (format, format.file(url, image.size() ?? format.delivered(from: size)))
        }
        // One address or, since 2018, a list in no particular order.
        let addresses = wire.string("image_url").map { [$0] } ?? wire.strings("image_url")
        // Answers of 2012 have one file, named by its size: `…/2.jpg`.
        if wire["images"]?.elements == nil, let url = addresses.first.flatMap({ WebAddress.url($0) }),
            let format = Int(url.lastPathComponent.prefix { $0 != "." }).map(Format500px.init)
        {
            images = [(format, format.file(url, format.delivered(from: size)))]
        }
        // The size closest to the 280 pixels that lists request; never a full-size file.
        let small = images.filter { $0.format.edge <= 640 }
        return (
            small.min { abs($0.format.edge - 280) < abs($1.format.edge - 280) }?.file,
            // A height may be the shorter side.
            images.filter { !$0.format.isCropped }.max { one, other in
                (one.file.size?.longestEdge ?? one.format.edge, one.format.edge)
                    < (other.file.size?.longestEdge ?? other.format.edge, other.format.edge)
            }?.file, images.map(\.file)
        )
    }

    private func author(_ wire: JSONNode) -> Author {
        let full = PlainText.line(wire.text("fullname") ?? "")
        let username = wire.text("username")
        return Author(id: try? wire.id("id"), name: full.isEmpty ? username ?? "" : full, username: username)
    }

    /// `url` is a path on the site; anything else is ignored.
    private func page(_ url: String?, of id: String) -> URL? {
        guard files == nil else { return url.flatMap { WebAddress.url($0) } }
        let path = url.flatMap { $0.hasPrefix("/photo/") ? $0 : nil } ?? "/photo/\(id)"
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

private struct Format500px {
    /// The side of the square, the longest edge, or the height, in pixels.
    let edge: Int
    let isCropped: Bool
    private let limitsHeight: Bool

    /// Squares, longest edges, and heights. Source: `basics/formats_and_terms.md`, and for 14 and 32 to 36 the
    /// recording `photo_record_ccmulti_2016.json`.
    private static let squares = [1: 70, 2: 140, 3: 280, 100: 100, 200: 200, 440: 440, 600: 600]
    private static let edges = [4: 900, 14: 900, 5: 1170, 30: 256, 34: 1000, 35: 1500, 36: 2000]
    private static let heights = [6: 1080, 20: 300, 32: 300, 21: 600, 33: 600, 31: 450]

    init(_ id: Int) {
        edge = Self.squares[id] ?? Self.heights[id] ?? Self.edges[id] ?? id
        isCropped = Self.squares[id] != nil
        limitsHeight = Self.heights[id] != nil
    }

    func file(_ url: URL, _ size: PixelSize?) -> Rendition {
        Rendition(url: url, size: size, isCropped: isCropped)
    }

    /// The file's size, if it follows from the original's.
    func delivered(from original: PixelSize?) -> PixelSize? {
        if isCropped { return PixelSize(width: edge, height: edge) }
        return limitsHeight ? original?.fitting(height: edge) : original?.fitting(longestEdge: edge)
    }
}

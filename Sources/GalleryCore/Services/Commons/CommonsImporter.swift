import Foundation

/// Reads the answers of MediaWiki's query API about files, in both versions of its format.
struct CommonsImporter: Sendable {
    /// The fields of a file's page that are read.
    static let metadata = [
        "Artist", "Attribution", "DateTimeOriginal", "GPSLatitude", "GPSLongitude", "ImageDescription",
        "LicenseShortName", "LicenseUrl", "UsageTerms",
    ]

    /// The service's name, for photos and errors.
    var service = "commons"

    /// An answer, with or without files.
    func answer(_ body: Data) throws(ServiceError) -> CommonsAnswer {
        let reply = Reply(service, body)
        var answer = try reply.decode(CommonsAnswer.self)
        answer.leftOut = try reply.leftOut(of: answer.query?.pages?.rows ?? [])
        // An empty list has no `query`, but is marked as complete.
        guard answer.query != nil || answer.batchcomplete != nil else {
            throw .unreadable(.absent(service: service, field: "query"))
        }
        return answer
    }

    /// The failure reported in a reply with status 200, if any.
    func failure(_ reply: HTTPReply) -> ServiceError? {
        guard let wire = Reply(service, reply.body).decodeIfPossible(WireFailure.self)?.error else {
            return nil
        }
        let info = PlainText.excerpt(wire.info ?? wire.code, limit: 120)
        let reason = info.hasSuffix(".") ? String(info.dropLast()) : info
        let seconds = reply.head.secondsAsked(now: Date())
        return switch wire.code {
        // The database replicas are behind; without a value the site asks for five seconds.
        case "maxlag": .rateLimited(service: service, seconds: seconds ?? 5)
        case "ratelimited", "cirrussearch-too-busy-error": .rateLimited(service: service, seconds: seconds)
        case "readonly": .failed(service: service, status: 503, reason: reason)
        case _ where wire.code.hasPrefix("internal_api_error"):
            .failed(service: service, status: 500, reason: reason)
        case _ where wire.code.hasPrefix("baduser"): .missing(service: service, what: "such user")
        case "readapidenied", "permissiondenied", "blocked", "autoblocked":
            .refused(service: service, reason: reason, variable: nil)
        default: .unreadable(.message(service: service, text: reason + "."))
        }
    }

    /// The photos of a batch, which is the page `slice`; other files are left out without renumbering.
    func photos(_ batch: CommonsBatch, _ slice: PageSlice) -> [IndexedPhoto] {
        batch.indexed(in: slice).compactMap { index, page in
            photo(page).map { IndexedPhoto(index: index, photo: $0) }
        }
    }

    /// The details of the photo requested as `id`, by number or by title.
    func detail(of id: PhotoID, in batch: CommonsBatch) throws(ServiceError) -> PhotoDetail {
        let what = "photo \(PlainText.excerpt(id.value))"
        guard let page = batch.page(id.value), let info = page.imageinfo?.first else {
            throw batch.leftOut.first.map { .unreadable($0) } ?? .missing(service: service, what: what)
        }
        guard let photo = photo(page) else {
            let type = PlainText.excerpt(info.mime ?? "unknown")
            throw .missing(service: service, what: "\(what): its type is \(type)")
        }
        var detail = PhotoDetail(photo: photo)
        detail.latitude = info.extmetadata?.number("GPSLatitude")
        detail.longitude = info.extmetadata?.number("GPSLongitude")
        return detail
    }

    // MARK: - Wire to model

    private func photo(_ page: CommonsPage) -> Photo? {
        guard let id = page.identifier, let info = page.imageinfo?.first, isPicture(info),
            let url = info.url.flatMap({ WebAddress.url($0) })
        else { return nil }
        let size = PixelSize(width: info.width?.value, height: info.height?.value)
        let thumbnail = info.thumburl.flatMap { WebAddress.url($0) }.map {
            Rendition(
                url: $0, size: PixelSize(width: info.thumbwidth?.value, height: info.thumbheight?.value))
        }
        let about = info.extmetadata
        return Photo(
            id: PhotoID(service: service, value: id), title: CommonsTitle.name(page.title ?? ""),
            author: author(about?.text("Artist"), uploader: info.user),
            page: info.descriptionurl.flatMap { WebAddress.url($0) }, size: size, thumbnail: thumbnail,
            full: Rendition(url: url, size: size), published: info.timestamp?.value,
            taken: about?.date("DateTimeOriginal"),
            license: about?.text("LicenseShortName") ?? about?.text("UsageTerms"),
            licenseURL: about?.text("LicenseUrl").flatMap { WebAddress.url($0) },
            attribution: about?.text("Attribution").map { PlainText.line($0) },
            description: about?.text("ImageDescription"), isTakenInLocalTime: true)
    }

    /// The artist as the page names them; the username is the uploader's, which lists their photos.
    private func author(_ artist: String?, uploader: String?) -> Author? {
        let artist = artist.map { PlainText.line($0) } ?? ""
        guard let name = artist.isEmpty ? uploader : artist else { return nil }
        return Author(name: name, username: uploader)
    }

    private func isPicture(_ info: CommonsPage.WireInfo) -> Bool {
        // Excludes drawings, documents, videos, and raw files.
        let named = info.mime.map { PictureType(mediaType: $0) }
        let ending = info.url.flatMap { URL(string: $0) }?.pathExtension ?? ""
        return (named ?? PictureType(fileExtension: ending))?.format.isForWeb ?? false
    }
}

private struct WireFailure: Decodable {
    let error: WireError?

    struct WireError: Decodable {
        let code: String
        let info: String?
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the service's documentation.

/// One answer of the API.
struct CommonsAnswer: Decodable {
    let batchcomplete: WirePresence?
    let `continue`: [String: WireScalar]?
    let query: WireQuery?
    /// Why each page that could not be read could not.
    fileprivate(set) var leftOut: [ImportError] = []

    private enum CodingKeys: CodingKey {
        case batchcomplete, `continue`, query
    }

    struct WireQuery: Decodable {
        let pages: WirePages?
        @IfReadable var categorymembers: WireList<WirePlace>?
        @IfReadable var allimages: WireList<WirePlace>?
        @IfReadable var normalized: WireList<WireMove>?
        @IfReadable var redirects: WireList<WireMove>?

        var moves: [WireMove] { (normalized?.elements ?? []) + (redirects?.elements ?? []) }
    }

    struct WirePlace: Decodable {}

    struct WireMove: Decodable {
        let from: String
        let to: String
    }

    /// The parameters to send for more; empty if there is no more.
    var continuation: [String: String] { `continue`?.mapValues(\.text) ?? [:] }

    /// Whether the batch is complete.
    var isComplete: Bool { batchcomplete != nil || continuation.isEmpty }

    /// How many files the list `module` names.
    func count(of module: String) -> Int {
        let list = module == "allimages" ? query?.allimages : query?.categorymembers
        return list?.rows.count ?? 0
    }

    /// `true` in version 2 of the format, `""` in version 1; absent in both if false.
    struct WirePresence: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct WirePage: Decodable {
        let page: CommonsPage

        init(from decoder: any Decoder) throws {
            page = try CommonsPage(from: decoder)
            guard page.identifier == nil else { return }
            let key = AnyKey(stringValue: "pageid")
            throw DecodingError.keyNotFound(
                key, .init(codingPath: decoder.codingPath, debugDescription: "neither number nor title"))
        }
    }

    /// A list in version 2 of the format; in version 1 an object by number, in no particular order.
    struct WirePages: Decodable {
        let elements: [CommonsPage]
        let rows: [Result<CommonsPage, DecodingError>]

        init(from decoder: any Decoder) throws {
            rows = try WireList<WirePage>(from: decoder).rows.map { $0.map(\.page) }
            let pages = rows.enumerated().map { number, row in
                (try? row.get()) ?? .unreadable(number)
            }
            let isOrdered = (try? decoder.unkeyedContainer()) != nil
            elements =
                isOrdered ? pages : pages.sorted { ($0.pageid?.value ?? .max) < ($1.pageid?.value ?? .max) }
        }
    }
}

/// Files collected from the answers to one query, each once.
struct CommonsBatch: Sendable {
    private var pages: [CommonsPage] = []
    private var titles: [String: String] = [:]
    /// Why each page that could not be read could not.
    private(set) var leftOut: [ImportError] = []
    /// The parameters that continue after the last answer.
    private(set) var continuation: [String: String] = [:]

    var isEmpty: Bool { pages.isEmpty }

    /// This batch with another answer: pages already here gain what they lack.
    func merging(_ answer: CommonsAnswer) -> CommonsBatch {
        var merged = self
        var offsets: [String: Int] = [:]
        for (offset, page) in pages.enumerated() { offsets[page.key] = offset }
        for page in answer.query?.pages?.elements ?? [] {
            if let offset = offsets[page.key] {
                merged.pages[offset].imageinfo = merged.pages[offset].imageinfo ?? page.imageinfo
            } else {
                offsets[page.key] = merged.pages.count
                merged.pages.append(page)
            }
        }
        for move in answer.query?.moves ?? [] { merged.titles[move.from] = move.to }
        // Each answer to the query has the same pages.
        merged.leftOut = leftOut.isEmpty ? answer.leftOut : leftOut
        merged.continuation = answer.continuation
        return merged
    }

    /// Sorts by upload time, newest first; by title if two share a second, as the wiki does.
    mutating func sortNewestFirst() {
        pages.sort { one, other in
            let (time, otherTime) = (one.uploaded ?? .distantPast, other.uploaded ?? .distantPast)
            return time == otherTime ? (one.title ?? "") > (other.title ?? "") : time > otherTime
        }
    }

    /// The pages with their indexes in the feed.
    func indexed(in slice: PageSlice) -> [(index: Int, page: CommonsPage)] {
        let readable = pages.filter(\.isReadable)
        let said = readable.compactMap { $0.index?.value }
        guard said.count == readable.count else {
            return pages.prefix(slice.size).enumerated().map { (slice.firstIndex + $0, $1) }
        }
        let sorted = zip(said, readable).sorted { $0.0 < $1.0 }
        // A search numbers its results, so that a deleted one leaves a gap.
        if Set(said).count == said.count, said.allSatisfy(slice.indexes.contains) {
            return sorted.map { (index: $0, page: $1) }
        }
        return sorted.prefix(slice.size).enumerated().map { (slice.firstIndex + $0, $1.1) }
    }

    /// The page requested by number or title, even if it was renamed.
    func page(_ identifier: String) -> CommonsPage? {
        guard CommonsTitle.isTitle(identifier) else {
            return pages.first { $0.pageid?.value.map(String.init) == identifier }
        }
        // At most two steps: the spelling normalized, then the file renamed.
        let spelled = titles[identifier] ?? identifier
        let title = titles[spelled] ?? spelled
        return pages.first { $0.title == title }
    }
}

// MARK: - Wire format
// Spelled as on the wire, so that fields can be found in the service's documentation.

/// A page of the wiki, with its file if it has one.
struct CommonsPage: Decodable, Sendable {
    @IfReadable var pageid: WireInt?
    @IfReadable var title: String?
    @IfReadable var index: WireInt?
    @IfReadable var imageinfo: [WireInfo]?

    /// Identifies this page across answers; pages that do not exist have no number.
    var key: String { pageid?.value.map { "\($0)" } ?? title ?? "" }

    /// The page's identifier: its number, or else its title.
    var identifier: String? {
        pageid?.value.map { "\($0)" } ?? (isReadable && title?.isEmpty == false ? title : nil)
    }

    /// Whether it is a page: no title begins like that of ``unreadable(_:)``.
    var isReadable: Bool { title?.hasPrefix("#") != true }

    /// What stands in the place of a page that cannot be read, so that those behind it keep theirs.
    static func unreadable(_ number: Int) -> CommonsPage {
        CommonsPage(pageid: nil, title: "#\(number)", index: nil, imageinfo: nil)
    }

    var uploaded: Date? { imageinfo?.first?.timestamp?.value }

    struct WireInfo: Decodable, Sendable {
        @IfReadable var url: String?
        @IfReadable var descriptionurl: String?
        @IfReadable var width: WireInt?
        @IfReadable var height: WireInt?
        @IfReadable var thumburl: String?
        @IfReadable var thumbwidth: WireInt?
        @IfReadable var thumbheight: WireInt?
        @IfReadable var mime: String?
        @IfReadable var user: String?
        @IfReadable var timestamp: WireDate?
        @IfReadable var extmetadata: WireMetadata?
    }

    /// Fields of the file's page, as HTML from its templates; any may be absent.
    struct WireMetadata: Decodable, Sendable {
        private let fields: [String: WireField]

        private struct WireField: Decodable, Sendable {
            @IfReadable var value: WireScalar?
        }

        init(from decoder: any Decoder) throws {
            // PHP writes an object without members as `[]`.
            if let list = try? decoder.unkeyedContainer(), list.isAtEnd {
                fields = [:]
                return
            }
            let object = try decoder.container(keyedBy: AnyKey.self)
            var fields: [String: WireField] = [:]
            for name in CommonsImporter.metadata {
                fields[name] = try? object.decode(WireField.self, forKey: AnyKey(stringValue: name))
            }
            self.fields = fields
        }

        /// The plain text of a field; `nil` if there is none.
        func text(_ name: String) -> String? {
            guard let html = fields[name]?.value?.text else { return nil }
            let text = Markup.plain(Self.shown(html)).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }

        func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }

        /// The day, and the time if there is one, anywhere in the HTML: in the text, or in
        /// `<time datetime="2015-09-12">`. A year alone is not a day.
        func date(_ name: String) -> Date? {
            let html = Self.shown(fields[name]?.value?.text ?? "")
            let moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2})?/
            return html.firstMatch(of: moment).flatMap { WireDate.withoutZone(String($0.output.0)) }
        }

        /// The HTML without what templates hide: `<div style="display: none;">date QS:P,+1891…</div>`.
        private static func shown(_ html: String) -> String {
            var shown = ""
            var rest = html[...]
            while let style = rest.firstRange(of: /display: ?none/),
                let open = rest[..<style.lowerBound].lastIndex(of: "<"),
                !rest[open..<style.lowerBound].contains(">")
            {
                shown += rest[..<open]
                let name = rest[rest.index(after: open)...].prefix { $0.isLetter }
                rest = rest[style.upperBound...]
                rest = rest.firstRange(of: "</\(name)>").map { rest[$0.upperBound...] } ?? ""
            }
            return shown + rest
        }
    }
}

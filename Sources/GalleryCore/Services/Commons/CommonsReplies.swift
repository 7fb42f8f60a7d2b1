import Foundation
import PictureFiles

// The answers of MediaWiki's query API about files, in both versions of its format.

extension Commons {
    static let metadata = [
        "Artist", "Attribution", "DateTimeOriginal", "GPSLatitude", "GPSLongitude", "ImageDescription",
        "LicenseShortName", "LicenseUrl", "UsageTerms",
    ]

    func answer(_ body: Data) throws(ServiceError) -> CommonsBatch {
        return try Reply(name, body).read { wire in
            var answer = CommonsBatch()
            if wire.has("continue") {
                for value in try wire.required("continue").members {
                    guard let text = value.scalar else { throw ImportError(value, expected: "a text") }
                    answer.continuation[value.key?.string ?? ""] = text
                }
            }
            // `true` in version 2 of the format, `""` in version 1; absent in both if false.
            let isWhole = wire.has("batchcomplete")
            answer.isComplete = isWhole || answer.continuation.isEmpty
            // An empty list has no `query`, but is marked as complete.
            guard wire.has("query") || !isWhole else { return answer }
            let query = try wire.required("query")
            if query.has("pages") {
                let rows = try query.rows("pages", page)
                answer.leftOut = try Reply.leftOut(of: rows)
                let pages = rows.enumerated().map { (try? $1.get()) ?? .unreadable($0) }
                // Version 1 of the format has an object by number.
                answer.pages =
                    query["pages"]?.isList == true
                    ? pages : pages.sorted { ($0.number ?? .max) < ($1.number ?? .max) }
            }
            answer.hasCirrusSearch = query.objects("extensions")
                .contains { $0.string("name") == "CirrusSearch" }
            for module in ["categorymembers", "allimages"] {
                answer.counts[module] = query[module]?.elements?.count
            }
            for move in ["normalized", "redirects"].flatMap({ query.objects($0) }) {
                if let from = move.string("from") { answer.moves[from] = move.string("to") }
            }
            return answer
        }
    }

    /// The failure reported in a reply with status 200, if any.
    func failure(_ reply: HTTPReply) -> ServiceError? {
        let error = try? Reply(name, reply.body).read { wire -> (code: String, info: String)? in
            let error = wire.object("error")
            return error?.string("code").map { (code: $0, info: error?.string("info") ?? $0) }
        }
        guard let error else { return nil }
        let reason = ServiceError.reason(from: error.info) ?? ""
        let seconds = reply.head.secondsAsked(now: Date())
        return switch error.code {
        // The database replicas are behind; without a value the site asks for five seconds.
        case "maxlag": .rateLimited(service: name, seconds: seconds ?? 5)
        case "ratelimited", "cirrussearch-too-busy-error": .rateLimited(service: name, seconds: seconds)
        case "readonly": .failed(service: name, status: 503, reason: reason)
        case let code where code.hasPrefix("internal_api_error"):
            .failed(service: name, status: 500, reason: reason)
        case let code where code.hasPrefix("baduser"): .missing(service: name, what: "such user")
        case "invalidcategory", "invalidtitle": .missing(service: name, what: "such category")
        case "readapidenied", "permissiondenied", "blocked", "autoblocked":
            .refused(service: name, reason: reason, variable: nil)
        default: .unreadable(.message(service: name, text: reason + "."))
        }
    }

    /// The photos of a batch, which is the page `slice`; other files are left out without renumbering.
    func photos(_ batch: CommonsBatch, _ slice: PageSlice) -> [IndexedPhoto] {
        batch.indexed(in: slice).compactMap { index, page in
            page.file?.detail.map { IndexedPhoto(index: index, photo: $0.photo) }
        }
    }

    func detail(of id: PhotoID, in batch: CommonsBatch) throws(ServiceError) -> PhotoDetail {
        guard let file = batch.page(id.value)?.file else {
            throw batch.leftOut.first.map { .unreadable($0) } ?? .missing(service: name, what: id.what)
        }
        guard let detail = file.detail else {
            throw .missing(service: name, what: "\(id.what): its type is \(PlainText.excerpt(file.type))")
        }
        return detail
    }

    // MARK: - Wire to model

    private func page(_ wire: JSONNode) throws -> CommonsPage {
        var page = CommonsPage(
            number: wire.int("pageid"), title: wire.string("title"), index: wire.int("index"))
        guard let id = page.identifier else { throw wire.lacks("pageid") }
        page.file = wire.objects("imageinfo").first.map { info in
            CommonsFile(
                uploaded: info.date("timestamp")?.date, type: info.string("mime") ?? "unknown",
                detail: detail(info, api.id(id), title: page.title ?? ""))
        }
        return page
    }

    /// `nil` for a file that is no picture.
    private func detail(_ info: JSONNode, _ id: PhotoID, title: String) -> PhotoDetail? {
        guard isPicture(info), let url = info.url("url") else { return nil }
        let (metadata, thumbnail) = (info.object("extmetadata"), CommonsThumbnail(info, of: url))
        /// A field of the file's page, as HTML from its templates, without what these hide.
        func html(_ name: String) -> String { Self.shown(metadata?.object(name)?.scalar("value") ?? "") }
        func text(_ name: String) -> String? {
            let text = Markup.plain(html(name)).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
        var detail = PhotoDetail(
            photo: Photo(
                id: id, title: CommonsTitle.name(title),
                author: author(text("Artist"), uploader: info.string("user")),
                page: info.url("descriptionurl"), size: info.size(),
                thumbnail: thumbnail?.file, full: Rendition(url: url, size: info.size(), bytes: info.bytes),
                renditions: thumbnail?.others ?? [],
                license: text("LicenseShortName") ?? text("UsageTerms"),
                licenseURL: text("LicenseUrl").flatMap { WebAddress.url($0) },
                attribution: text("Attribution"), description: text("ImageDescription")
            ).dated(
                published: info.date("timestamp"),
                taken: Self.date(html("DateTimeOriginal"))
                    ?? text("DateTimeOriginal").flatMap { WrittenDate($0) }))
        detail.latitude = text("GPSLatitude").flatMap { Double($0) }
        detail.longitude = text("GPSLongitude").flatMap { Double($0) }
        return detail
    }

    /// The artist as the page names them; the username is the uploader's, which lists their photos.
    private func author(_ artist: String?, uploader: String?) -> Author? {
        let artist = artist.map { PlainText.line($0) } ?? ""
        guard let name = artist.isEmpty ? uploader : artist else { return nil }
        return Author(name: name, username: uploader)
    }

    private func isPicture(_ info: JSONNode) -> Bool {
        // Excludes drawings, documents, videos, and raw files.
        let named = info.string("mime").map { PictureType(mediaType: $0) }
        let ending = info.string("url").flatMap { URL(string: $0) }?.pathExtension ?? ""
        return (named ?? PictureType(fileExtension: ending))?.format.isForWeb ?? false
    }

    /// The day, and the time if any, anywhere in the HTML, as in `<time datetime="2015-09-12">`.
    private static func date(_ html: String) -> WrittenDate? {
        let moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2})?/
        return html.firstMatch(of: moment).flatMap { WrittenDate(String($0.output.0)) }
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

private struct CommonsThumbnail {
    /// The widths that Wikimedia serves: a request for another one is refused.
    private static let widths = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840]

    let file: Rendition
    /// At the same address but for the width, below the original's.
    var others: [Rendition] = []

    /// `nil` if there is none. `thumbwidth` may be what was asked for, whatever came: the address tells, as in
    /// `…/thumb/9/95/Sea.jpg/960px-Sea.jpg`. A file that is not larger than its thumbnail is that itself.
    init?(_ info: JSONNode, of original: URL) {
        guard let url = info.url("thumburl") else { return nil }
        let address = url.absoluteString
        let path = address.prefix { $0 != "?" && $0 != "#" }
        guard let size = info.size(), let slash = path.lastIndex(of: "/"), path[..<slash].contains("/thumb/"),
            let found = path[path.index(after: slash)...].prefixMatch(of: /(?:[a-z]+[0-9]*-)*([0-9]+)px-/)
        else {
            file = Rendition(
                url: url,
                size: url.path == original.path ? info.size() : info.size("thumbwidth", "thumbheight"))
            return
        }
        let digits = found.output.1
        func rendition(_ width: Int) -> Rendition? {
            let text = address[..<digits.startIndex] + "\(width)" + address[digits.endIndex...]
            return WebAddress.url(String(text)).map { url in
                Rendition(url: url, size: width > 0 ? size.fitting(width: width) : nil)
            }
        }
        file = Int(digits).flatMap(rendition) ?? Rendition(url: url, size: nil)
        others = Self.widths.filter { $0 < size.width }.compactMap(rendition)
    }
}

/// Files from one answer, or from all answers to one query, each once.
struct CommonsBatch: Sendable {
    fileprivate(set) var pages: [CommonsPage] = []
    fileprivate var moves: [String: String] = [:]
    /// How many files each list names, by module.
    fileprivate(set) var counts: [String: Int] = [:]
    fileprivate(set) var hasCirrusSearch = false
    fileprivate(set) var leftOut: [ImportError] = []
    /// The parameters that continue after the last answer; empty if there is no more.
    fileprivate(set) var continuation: [String: String] = [:]
    fileprivate(set) var isComplete = true

    /// This batch with another answer: pages already here gain what they lack.
    func merging(_ answer: CommonsBatch) -> CommonsBatch {
        var merged = self
        var offsets: [String: Int] = [:]
        for (offset, page) in pages.enumerated() { offsets[page.key] = offset }
        for page in answer.pages {
            if let offset = offsets[page.key] {
                merged.pages[offset].file = merged.pages[offset].file ?? page.file
            } else {
                offsets[page.key] = merged.pages.count
                merged.pages.append(page)
            }
        }
        merged.moves.merge(answer.moves) { $1 }
        merged.hasCirrusSearch = hasCirrusSearch || answer.hasCirrusSearch
        // Each answer to the query has the same pages.
        merged.leftOut = leftOut.isEmpty ? answer.leftOut : leftOut
        (merged.continuation, merged.isComplete) = (answer.continuation, answer.isComplete)
        return merged
    }

    /// Sorts by upload time, newest first; by title if two share a second, as the wiki does.
    mutating func sortNewestFirst() {
        pages.sort { one, other in
            let (time, otherTime) = (one.file?.uploaded ?? .distantPast, other.file?.uploaded ?? .distantPast)
            return time == otherTime ? (one.title ?? "") > (other.title ?? "") : time > otherTime
        }
    }

    func indexed(in slice: PageSlice) -> [(index: Int, page: CommonsPage)] {
        let readable = pages.filter(\.isReadable)
        let said = readable.compactMap(\.index)
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
            return pages.first { $0.number.map(String.init) == identifier }
        }
        // At most two steps: the spelling normalized, then the file renamed.
        let spelled = moves[identifier] ?? identifier
        let title = moves[spelled] ?? spelled
        return pages.first { $0.title == title }
    }
}

/// A page of the wiki, with its file if it has one.
struct CommonsPage: Sendable {
    let number: Int?
    let title: String?
    /// Its place among the results of a search.
    let index: Int?
    var file: CommonsFile?

    /// Identifies this page across answers; pages that do not exist have no number.
    var key: String { number.map(String.init) ?? title ?? "" }

    var identifier: String? {
        number.map(String.init) ?? (isReadable && title?.isEmpty == false ? title : nil)
    }

    /// Whether it is a page: no title begins like that of ``unreadable(_:)``.
    var isReadable: Bool { title?.hasPrefix("#") != true }

    /// What stands in the place of a page that cannot be read, so that those behind it keep theirs.
    static func unreadable(_ number: Int) -> CommonsPage {
        CommonsPage(number: nil, title: "#\(number)", index: nil)
    }
}

struct CommonsFile: Sendable {
    let uploaded: Date?
    let type: String
    /// `nil` if it is no picture.
    let detail: PhotoDetail?
}

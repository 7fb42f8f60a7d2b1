import Foundation

/// The pictures of a IIIF manifest, or of the manifests of a collection: its base is the address of either.
///
/// Sources: iiif.io/api/presentation/3.0 and 2.1, iiif.io/api/image.
struct IIIF: PhotoService {
    /// Pages have one order, in which they are read.
    static let rankings = ["list"]

    /// The most documents that are opened for one list.
    private static let mostDocuments = 10_000

    let listsTags = false
    let api: WebAPI
    /// The language of labels that have several, such as `en`.
    var language = "en"

    var name: String { api.service }

    /// A manifest is read whole whatever is asked for.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        guard case .popular = feed else { throw lacks(feed) }
        let last = slice.indexes.upperBound
        return try walk { $0.count >= last }.then { (walk) throws(ServiceError) in
            let isWhole = walk.rest.isEmpty
            let page = Page(slice.indexes, of: walk.photos, leftOut: isWhole ? walk.leftOut : [])
            return .done(
                Page(
                    photos: page.photos, total: isWhole ? walk.photos.count : nil,
                    hasMore: page.hasMore || !isWhole, leftOut: page.leftOut))
        }
    }

    /// A manifest says everything, so only photos known by identifier are looked for in it.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        var known: DetailResults = [:]
        for photo in photos where photo.full != nil { known[photo.id] = .success(PhotoDetail(photo: photo)) }
        let wanted = Set(photos.map(\.id)).subtracting(known.keys)
        guard !wanted.isEmpty else { return .done(known) }
        let listed = known
        return try walk { photos in wanted.isSubset(of: photos.map(\.id)) }.then {
            (walk) throws(ServiceError) in
            var results = listed
            for id in wanted { results[id] = .failure(.missing(service: name, what: id.what)) }
            for photo in walk.photos where wanted.contains(photo.id) {
                results[photo.id] = .success(PhotoDetail(photo: photo))
            }
            return .done(results)
        }
    }

    // MARK: - Documents

    /// How far the documents of a collection have been read.
    private struct Walk {
        var photos: [Photo] = []
        /// The documents to open, the next one last.
        var rest: [URL]
        var opened: Set<URL> = []
        var leftOut: [ImportError] = []
    }

    private func walk(until isEnough: @escaping @Sendable ([Photo]) -> Bool) throws(ServiceError) -> Exchange<
        Walk
    > {
        guard api.base.host != nil else {
            throw .unsupported(
                service: name, what: "address of its own: name a manifest by its base URL", known: [])
        }
        return read(Walk(rest: [api.base]), until: isEnough)
    }

    private func read(_ walk: Walk, until isEnough: @escaping @Sendable ([Photo]) -> Bool) -> Exchange<Walk> {
        var walk = walk
        guard let address = walk.rest.popLast() else { return .done(walk) }
        let isFirst = walk.opened.isEmpty
        walk.opened.insert(address)
        let known = walk
        return .send([HTTPRequest(url: address, headers: ["Accept": "application/ld+json, application/json"])]
        ) {
            (outcomes) throws(ServiceError) in
            var walk = known
            do throws(ServiceError) {
                let reply = try outcomes[0].get()
                let body = try api.accept(reply, "manifest")
                let document = try IIIFDocument(name, body, at: reply.head.url, language: language)
                var seen = Set(walk.photos.map(\.id))
                walk.photos += document.photos.filter { seen.insert($0.id).inserted }
                // What was opened is not opened again, so that a circle ends.
                walk.rest += document.documents.filter { !walk.opened.contains($0) }.reversed()
            } catch {
                // One volume that is gone does not hide the others.
                if isFirst { throw error }
                let reason =
                    "'\(PlainText.excerpt(address.absoluteString, limit: 120))': \(error.description)"
                walk.leftOut.append(.message(service: name, text: reason))
            }
            guard walk.opened.count < Self.mostDocuments else {
                throw .unreadable(.message(service: name, text: "the collection has too many documents."))
            }
            return isEnough(walk.photos) ? .done(walk) : read(walk, until: isEnough)
        }
    }

    /// The language of the environment, such as `de` of `de_DE.UTF-8`.
    static var usualLanguage: String {
        let environment = ProcessInfo.processInfo.environment
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let code = String((name ?? "").prefix { $0.isLetter })
        return code.count == 2 || code.count == 3 && code != "POSIX" ? code.lowercased() : "en"
    }
}

import Foundation

/// A service whose base is the address of a document with photos, which may name documents with more.
protocol DocumentService: PhotoService {
    var api: WebAPI { get }
    var kind: DocumentKind { get }
    var memory: SharedValue<DocumentWalk?> { get }

    func read(_ reply: HTTPReply) throws(ServiceError) -> LinkedDocument
}

/// What the documents of a service are, and how they lead to each other.
struct DocumentKind: Sendable {
    /// What messages call one, such as `feed`.
    let name: String
    let mediaTypes: String
    /// The most documents that are opened for one list.
    let most: Int
    /// Whether each names only the one that follows: the list ends where that cannot be read.
    let isChain: Bool
}

struct LinkedDocument {
    var photos: [Photo] = []
    var leftOut: [ImportError] = []
    var next: [URL] = []
}

extension DocumentService {
    /// Documents have one order: their own.
    static var rankings: [String] { ["list"] }

    var name: String { api.service }

    /// A document is read whole whatever is asked for.
    func pageSizes(of feed: Feed) -> PageSizes { .upTo(100) }

    /// One walk through the documents finds any number of photos.
    var detailsPerRequest: Int { 100 }

    /// The first page begins anew. Those after it continue: rereading a long document for each would take hours.
    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        guard case .popular = feed else { throw lacks(feed) }
        let fresh = try freshWalk()
        let last = slice.indexes.upperBound
        let start = slice.firstIndex == 1 ? fresh : memory.value ?? fresh
        return try extend(start) { $0.count >= last }.then { (walk) throws(ServiceError) in
            // What failed is asked for again the next time.
            memory.value = nil
            let page = try walk.page(slice, after: start)
            memory.value = walk
            return .done(page)
        }
    }

    /// A document says everything, so only photos known by identifier are looked for.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        var known: DetailResults = [:]
        for photo in photos where photo.full != nil { known[photo.id] = .success(PhotoDetail(photo: photo)) }
        let (listed, wanted) = (known, Set(photos.map(\.id)).subtracting(known.keys))
        guard !wanted.isEmpty else { return .done(listed) }
        return try extend(freshWalk()) { wanted.isSubset(of: $0.map(\.id)) }
            .then { (walk) throws(ServiceError) in
                var results = listed
                for id in wanted {
                    results[id] = .failure(walk.failure ?? .missing(service: name, what: id.what))
                }
                for photo in walk.photos where wanted.contains(photo.id) {
                    results[photo.id] = .success(PhotoDetail(photo: photo))
                }
                return .done(results)
            }
    }

    private func freshWalk() throws(ServiceError) -> DocumentWalk {
        guard api.base.host != nil else { throw .noAddress(service: name, document: kind.name) }
        return DocumentWalk(from: api.base)
    }

    private func extend(
        _ walk: DocumentWalk, since start: ContinuousClock.Instant = .now,
        until isEnough: @escaping @Sendable ([Photo]) -> Bool
    ) -> Exchange<DocumentWalk> {
        var opening = walk
        guard !isEnough(walk.photos), let address = opening.open() else { return .done(opening) }
        let opened = opening
        return .send([HTTPRequest(url: address, headers: ["Accept": kind.mediaTypes])]) {
            (outcomes) throws(ServiceError) in
            var walk = opened
            do throws(ServiceError) {
                let reply = try outcomes[0].get()
                let place = walk.isAtFirst ? " at '\(PlainText.excerpt(address.path(), limit: 100))'" : ""
                let body = try api.accept(reply, kind.name + place)
                // Relative addresses are relative to where the document was found in the end.
                let document = walk.isKnown(body) ? LinkedDocument(next: [address]) : try read(reply)
                walk.add(document, kind, service: name)
            } catch {
                // Whoever canceled may ask again.
                if case .transport(.cancelled) = error { throw error }
                guard !walk.isAtFirst else { throw error }
                walk.leaveOut(address, error, kind, service: name)
            }
            walk.endWhereInVain(after: start.duration(to: .now), service: name)
            return extend(walk, since: start, until: isEnough)
        }
    }
}

/// How far the documents of a list have been read.
struct DocumentWalk: Sendable {
    private(set) var photos: [Photo] = []
    /// Why it ended early; `nil` where it did not.
    private(set) var failure: ServiceError?
    private var leftOut: [ImportError] = []
    /// The documents to open, the next one last.
    private var rest: [URL]
    private var opened: Set<URL> = []
    private var bodies: Set<UInt64> = []
    private var seen: Set<PhotoID> = []
    /// Documents opened since the last one with a photo that was not known.
    private var barren = 0

    /// So many documents without a photo lead nowhere, and nobody waits longer for a page.
    private static let mostBarren = 200
    private static let patience = Duration.seconds(600)

    init(from address: URL) { rest = [address] }

    var isAtFirst: Bool { opened.count == 1 }

    /// The next document to open; `nil` at the end. None is opened twice, so that a circle ends.
    mutating func open() -> URL? {
        guard failure == nil else { return nil }
        while let address = rest.popLast() {
            guard opened.insert(address).inserted else { continue }
            barren += 1
            return address
        }
        return nil
    }

    /// Whether another document said the same: a host with one answer to everything leads to ever longer addresses.
    mutating func isKnown(_ body: Data) -> Bool { !bodies.insert(FNV1a.hash(body)).inserted }

    mutating func add(_ document: LinkedDocument, _ kind: DocumentKind, service: String) {
        for photo in document.photos where seen.insert(photo.id).inserted {
            photos.append(photo)
            barren = 0
        }
        leftOut += document.leftOut
        if kind.isChain, document.next.contains(where: { opened.contains($0) }) {
            end("its next page is one that was read before", service)
        } else if opened.count >= kind.most, !(rest + document.next).isEmpty {
            end("it has more than \(kind.most) documents", service)
        } else {
            rest += document.next.reversed()
        }
    }

    /// Notes an unreadable document. The others are read, unless it alone leads to them or the host asks to wait.
    mutating func leaveOut(_ address: URL, _ error: ServiceError, _ kind: DocumentKind, service: String) {
        let place = PlainText.excerpt(address.absoluteString, limit: 120)
        leftOut.append(.message(service: service, text: "'\(place)': \(error.description)"))
        if kind.isChain { failure = error }
        if case .rateLimited = error { failure = error }
    }

    mutating func endWhereInVain(after time: Duration, service: String) {
        guard failure == nil, !rest.isEmpty else { return }
        if barren >= Self.mostBarren {
            end("\(Self.mostBarren) of its documents, one after the other, have no photo", service)
        } else if time >= Self.patience {
            end("it was read for 10 minutes", service)
        }
    }

    private mutating func end(_ reason: String, _ service: String) {
        let error = ImportError.message(service: service, text: reason + ".")
        leftOut.append(error)
        failure = .unreadable(error)
    }

    /// A page of what was found, with what was left out since `start`; throws what ended the list before it.
    func page(_ slice: PageSlice, after start: DocumentWalk) throws(ServiceError) -> Page {
        let page = Page(slice.indexes, of: photos)
        if let failure, page.photos.isEmpty { throw failure }
        let isWhole = rest.isEmpty && failure == nil
        return Page(
            photos: page.photos, total: isWhole ? photos.count : nil, hasMore: page.hasMore || !isWhole,
            leftOut: Array(leftOut.dropFirst(start.leftOut.count)))
    }
}

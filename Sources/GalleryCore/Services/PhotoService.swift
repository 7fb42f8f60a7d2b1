import Foundation

/// The details of several photos, each with its own result: one deleted photo does not hide the others.
public typealias DetailResults = [PhotoID: Result<PhotoDetail, ServiceError>]

/// A photo site: the requests to send for photos, and how to read its replies. A service performs no I/O, so that
/// recorded replies test it; ``PhotoLoader`` sends, retries, coalesces, and caches.
public protocol PhotoService: Sendable {
    /// The name users type, such as `500px`.
    var name: String { get }

    /// How many photos one list request of a feed may return.
    func pageSizes(of feed: Feed) -> PageSizes

    /// Whether one photo can be a work of several pictures, which only its details list.
    var hasWorksOfSeveralPages: Bool { get }

    /// Whether lists tell the tags of photos, or their category.
    var listsTags: Bool { get }

    /// The number of photos whose details one request returns, from 1.
    var detailsPerRequest: Int { get }

    func isAdult(_ feed: Feed) -> Bool

    /// Whether a feed begins with what was added to it last, so that all that follows a photo was there before it.
    func isNewestFirst(_ feed: Feed) -> Bool

    /// The exchange that returns one page, of a size that ``pageSizes(of:)`` allows, of a feed that
    /// ``ServiceCatalog/entries`` names: others are refused before. `cursor`, if the feed only goes forward, is a known
    /// position at or before the page's first photo.
    ///
    /// - Throws: ``ServiceError`` if the service needs a key, or lacks the feed.
    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page>

    /// The exchange that returns the details of several photos, in one request if the service supports it. `photos`
    /// carry what a list said, so that nothing is requested twice. Each detail's photo has the identifier that lists
    /// give, even if it was requested by another.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults>

    /// The exchange that returns the files that lists did not name: with all details, unless there is a shorter way.
    func files(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults>

    /// The photo whose web page or image is at this address; `nil` if the address is not this service's.
    func photo(atPage page: URL) -> PhotoID?

    /// The feed that holds the photos of this web page, such as a user's; `nil` if there is none.
    func feed(atPage page: URL) -> Feed?

    /// Whether lists use another identifier for this photo, which its details tell.
    func isProvisional(_ id: PhotoID) -> Bool

    /// The request for an image file, with the headers its host insists on.
    func image(_ rendition: Rendition) -> HTTPRequest
}

extension PhotoService {
    /// The exchange that returns the details of photos known only by identifier.
    public func details(of ids: [PhotoID]) throws(ServiceError) -> Exchange<DetailResults> {
        try details(of: ids.map { Photo(id: $0, title: "") })
    }

    /// The details: most services tell everything in one answer.
    public func files(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        try details(of: photos)
    }

    /// `false`: one photo is one picture on most services.
    public var hasWorksOfSeveralPages: Bool { false }

    /// `true`: most services list them.
    public var listsTags: Bool { true }

    /// 1: most services return the details of one photo per request.
    public var detailsPerRequest: Int { 1 }

    /// `false`: feeds are for everyone on most services.
    public func isAdult(_ feed: Feed) -> Bool { false }

    /// Users' photos and favorites, and a ranking called `recent`: so they are on most services.
    public func isNewestFirst(_ feed: Feed) -> Bool {
        switch feed {
        case .user, .favorites: true
        case .popular(let ranking, _): ranking == "recent"
        case .search: false
        }
    }

    /// `false`: a photo has one identifier on most services.
    public func isProvisional(_ id: PhotoID) -> Bool { false }

    /// `nil`: not every service has web pages.
    public func photo(atPage page: URL) -> PhotoID? { nil }

    /// `nil`: not every service has web pages.
    public func feed(atPage page: URL) -> Feed? { nil }

    /// A plain request: most image hosts need no headers.
    public func image(_ rendition: Rendition) -> HTTPRequest { HTTPRequest(url: rendition.url) }

    func lacks(_ feed: Feed) -> ServiceError {
        .unsupported(service: name, what: "feed '\(feed.word)'", known: [])
    }
}

/// How many photos one list request may return.
public enum PageSizes: Hashable, Sendable {
    /// Any number from 1 to this.
    case upTo(Int)
    /// Always this many.
    case exactly(Int)

    /// The allowed size nearest to `wanted`.
    public func size(near wanted: Int) -> Int {
        switch self {
        case .exactly(let size): size
        case .upTo(let limit): min(max(1, wanted), limit)
        }
    }
}

/// An exchange with a service, as a value: what to send next, and how to read the answer. Services build and read; only
/// ``PhotoLoader`` sends. A service that needs a lookup first, answers in several parts, or lacks a batch request
/// expresses that here, and is tested with recorded replies alone.
public enum Exchange<Value: Sendable>: Sendable {
    /// A reply, or why there is none.
    public typealias Outcome = Result<HTTPReply, ServiceError>

    /// Nothing more to send.
    case done(Value)

    /// Send these together, and read their outcomes in the same order.
    case send([HTTPRequest], read: @Sendable ([Outcome]) throws(ServiceError) -> Exchange<Value>)

    /// Nothing to send yet: what is on this machine is read first.
    case read(@Sendable () async throws(ServiceError) -> Exchange<Value>)

    /// Sends one request; its failure ends the exchange.
    public static func ask(
        _ request: HTTPRequest,
        then read: @escaping @Sendable (HTTPReply) throws(ServiceError) -> Exchange<Value>
    ) -> Exchange<Value> {
        .send([request]) { (outcomes) throws(ServiceError) in try read(outcomes[0].get()) }
    }

    /// This exchange, followed by the one that its value leads to.
    public func then<Other>(
        _ next: @escaping @Sendable (Value) throws(ServiceError) -> Exchange<Other>
    ) throws(ServiceError) -> Exchange<Other> {
        switch self {
        case .done(let value): try next(value)
        case .send(let requests, let read):
            .send(requests) { (outcomes) throws(ServiceError) in try read(outcomes).then(next) }
        case .read(let work): .read { () async throws(ServiceError) in try await work().then(next) }
        }
    }
}

extension Exchange where Value == DetailResults {
    /// The details of photos one request each, all sent together, added to those that are known.
    static func each(
        _ ids: [PhotoID], after known: DetailResults = [:],
        request: (PhotoID) throws(ServiceError) -> HTTPRequest,
        read: @escaping @Sendable (HTTPReply, PhotoID) throws(ServiceError) -> PhotoDetail
    ) throws(ServiceError) -> Exchange {
        guard !ids.isEmpty else { return .done(known) }
        return .send(try ids.map(request)) { outcomes in
            var details = known
            for (id, outcome) in zip(ids, outcomes) {
                details[id] = Result { () throws(ServiceError) in try read(outcome.get(), id) }
            }
            return .done(details)
        }
    }
}

import Foundation

/// A photo site, phrased: which requests bring which photos, and how its replies are read.
///
/// A service performs no I/O, so every conformance is tested with recorded replies.
/// Everything about one site stands in its one file. ``PhotoLoader`` sends the
/// requests, retries, coalesces and caches.
public protocol PhotoService: Sendable {
    /// The word users type, such as `500px`.
    var name: String { get }

    /// How many photos one list request of a feed may bring.
    func pageSizes(of feed: Feed) -> PageSizes

    /// Whether one photo may be a work of several pictures, which only its details name.
    var hasWorksOfSeveralPages: Bool { get }

    /// Whether a feed holds nothing but what is not for everyone.
    func isAdult(_ feed: Feed) -> Bool

    /// The conversation that brings one page of a feed.
    ///
    /// - Parameters:
    ///   - slice: a page of a size that ``pageSizes(of:)`` allows.
    ///   - cursor: for feeds that only go forward, where one may go on: at the page's first photo or before.
    /// - Throws: ``ServiceError`` where the service lacks the feed, the ranking, or a key.
    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page>

    /// The conversation that brings the details of several photos, in one request where the service has such a one.
    ///
    /// What a list said of them is there, so that nothing need be asked for twice.
    /// Every photo asked for has its own result, so that one deleted photo does not hide the others.
    /// The photo in it is known by the identifier that lists give, whatever it was asked for as.
    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<
        [PhotoID: Result<PhotoDetail, ServiceError>]
    >

    /// The photo whose page for people this is; `nil` where the address is not one of this service's.
    func photo(atPage page: URL) -> PhotoID?

    /// Whether lists know the photo by another identifier, which its details say.
    func isProvisional(_ id: PhotoID) -> Bool

    /// The request for an image file, with the headers its host insists on.
    func image(_ rendition: Rendition) -> HTTPRequest
}

extension PhotoService {
    /// The conversation that brings the details of photos of which nothing else is known.
    public func details(of ids: [PhotoID]) throws(ServiceError) -> Exchange<
        [PhotoID: Result<PhotoDetail, ServiceError>]
    > {
        try details(of: ids.map { Photo(id: $0, title: "") })
    }

    /// One photo is one picture, nearly everywhere.
    public var hasWorksOfSeveralPages: Bool { false }

    /// Feeds are for everyone, nearly everywhere.
    public func isAdult(_ feed: Feed) -> Bool { false }

    /// A photo has one identifier, nearly everywhere.
    public func isProvisional(_ id: PhotoID) -> Bool { false }

    /// A plain request: most image hosts ask for nothing.
    public func image(_ rendition: Rendition) -> HTTPRequest { HTTPRequest(url: rendition.url) }
}

/// How many photos one list request may bring.
public enum PageSizes: Hashable, Sendable {
    /// Any number from 1 to this.
    case upTo(Int)
    /// Always this many.
    case exactly(Int)

    /// The size nearest to `wanted`, from 1, that may be asked for.
    public func size(near wanted: Int) -> Int {
        switch self {
        case .exactly(let size): size
        case .upTo(let limit): min(max(1, wanted), limit)
        }
    }
}

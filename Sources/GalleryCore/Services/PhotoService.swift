import Foundation

/// A photo site, phrased: which requests bring which photos, and how its replies are read.
///
/// A service performs no I/O, so every conformance is tested with recorded replies.
/// Everything about one site stands in its one file. ``PhotoLoader`` sends the
/// requests, retries, coalesces and caches.
public protocol PhotoService: Sendable {
    /// The word users type, such as `500px`.
    var name: String { get }

    /// How many photos one list request may bring.
    var pageSizes: PageSizes { get }

    /// Whether one photo may be a work of several pictures, which only its details name.
    var hasWorksOfSeveralPages: Bool { get }

    /// The conversation that brings one page of a feed.
    ///
    /// - Parameter cursor: what ``Page/next`` of the page before said, for feeds that only go forward.
    /// - Throws: ``ServiceError`` where the service lacks the feed, the ranking, or a key.
    func page(_ slice: PageSlice, of feed: Feed, cursor: String?) throws(ServiceError) -> Exchange<Page>

    /// The conversation that brings the details of several photos, in one request where the service has such a one.
    ///
    /// Every photo asked for has its own result, so that one deleted photo does not hide the others.
    func details(of ids: [PhotoID]) throws(ServiceError) -> Exchange<
        [PhotoID: Result<PhotoDetail, ServiceError>]
    >

    /// The photo whose page for people this is; `nil` where the address is not one of this service's.
    func photo(atPage page: URL) -> PhotoID?

    /// The request for an image file, with the headers its host insists on.
    func image(_ rendition: Rendition) -> HTTPRequest
}

extension PhotoService {
    /// One photo is one picture, nearly everywhere.
    public var hasWorksOfSeveralPages: Bool { false }

    /// A plain request: most image hosts ask for nothing.
    public func image(_ rendition: Rendition) -> HTTPRequest { HTTPRequest(url: rendition.url) }
}

/// How many photos one list request may bring.
public enum PageSizes: Hashable, Sendable {
    /// Any number from 1 to this.
    case upTo(Int)
    /// Always this many.
    case exactly(Int)
}

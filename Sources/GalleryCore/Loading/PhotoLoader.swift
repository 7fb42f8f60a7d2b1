import Foundation

/// Sends one service's requests and returns pages and details of photos.
///
/// Requests keep to the service's pace, are retried after temporary failures, and are sent once for all who wait.
///
/// ```swift
/// let loader = try PhotoLoader(service: "flickr", key: key)
/// for try await photo in loader.photos(of: .popular()).prefix(100) { print(photo.title) }
/// ```
public struct PhotoLoader: Sendable {
    package static let usualPageSize = 20

    /// Photos per request when the whole feed is wanted.
    package static let largePageSize = 100

    /// The service.
    public let service: any PhotoService
    package private(set) var client: APIClient
    /// Where the service's API is; `nil` for the official address.
    let base: URL?
    /// Knows which feeds the service has; `nil` for a service that is in none.
    private let catalog: ServiceCatalog?

    /// A loader of `service`, whose API is at `base` if not at its official address, that sends through `client`.
    package init(
        service: any PhotoService, client: APIClient, base: URL? = nil, catalog: ServiceCatalog? = nil
    ) {
        self.service = service
        (self.client, self.base, self.catalog) = (client, base, catalog)
    }

    /// A loader of the service called `name`.
    ///
    /// - Parameters:
    ///   - name: One of ``ServiceCatalog/names``, such as `flickr`.
    ///   - key: The service's key or session, where it takes one.
    ///   - base: The address of a compatible API, or the folder of the service `folder`; `nil` for the official one.
    ///   - cache: A folder for cached replies, created if missing; `nil` for no cache.
    /// - Throws: ``ServiceError/unsupported(service:what:known:)`` where there is no such service.
    public init(
        service name: String, key: String? = nil, at base: URL? = nil, cache: URL? = nil
    ) throws(ServiceError) {
        let catalog = ServiceCatalog(keys: key.flatMap { Secret($0) }.map { [name: $0] } ?? [:])
        let address = ServiceAddress(service: name, base: base)
        let client = APIClient(
            transport: catalog.transport(for: address, web: URLSessionTransport()),
            shared: APIClient.Shared(cache: cache.map { DiskCache(folder: $0) }))
        self = try ServiceLoaders(catalog, at: address, client: client).loader(name)
    }

    /// A loader of your own service.
    ///
    /// - Parameters:
    ///   - service: Phrases the requests and reads the replies.
    ///   - policy: The service's pace, and how long its answers stay valid.
    ///   - cache: A folder for cached replies, created if missing; `nil` for no cache.
    ///   - transport: Sends the requests.
    public init(
        _ service: any PhotoService, policy: ServicePolicy = .polite, cache: URL? = nil,
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.init(
            service: service,
            client: APIClient(
                transport: transport, policy: policy,
                shared: APIClient.Shared(cache: cache.map { DiskCache(folder: $0) })))
    }

    /// A loader of the bundled photographs, which needs no network.
    public static func sample() throws(ServiceError) -> PhotoLoader { try PhotoLoader(service: "sample") }

    /// The same loader, past the cache.
    var refreshing: PhotoLoader {
        var loader = self
        loader.client.configuration.refreshes = true
        return loader
    }

    // MARK: - Lists

    /// The photos of a feed from the first to the last, each once, requested as they are iterated over.
    public func photos(of feed: Feed) -> FeedPhotos { FeedPhotos(loader: self, feed: feed) }

    /// One page of a feed, of any size: a size that the service cannot give is composed of several of its pages.
    public func page(_ slice: PageSlice, of feed: Feed) async throws(ServiceError) -> Page {
        guard service.pageSizes(of: feed).size(near: slice.size) == slice.size else {
            return try await photos(slice.indexes, of: feed)
        }
        return try await servicePage(slice, of: feed)
    }

    /// The photos of a feed at these indexes, from 1; fewer where the feed ends before.
    public func photos(_ range: ClosedRange<Int>, of feed: Feed) async throws(ServiceError) -> Page {
        let slices = IndexRange.slices(
            for: range, sizes: service.pageSizes(of: feed), preferred: Self.usualPageSize,
            entries: await client.cursors(of: feed, service).offsets)
        var found: [IndexedPhoto] = []
        var seen: Set<PhotoID> = []
        var last = Page(photos: [], hasMore: false)
        for slice in slices {
            last = try await servicePage(slice, of: feed)
            // A ranking that changes between two requests repeats photos where two pages meet.
            found += last.photos.filter { range.contains($0.index ?? 0) && seen.insert($0.photo.id).inserted }
            guard last.hasMore else { break }
        }
        let beyond = (found.last?.index).map { $0 < (last.photos.last?.index ?? 0) } ?? false
        return Page(photos: found, total: last.total, hasMore: last.hasMore || beyond)
    }

    // MARK: - Details

    /// The details of a photo.
    public func details(of photo: Photo) async throws(ServiceError) -> PhotoDetail {
        guard let result = try await details(of: [photo])[photo.id]
        else { throw .noDetails(service: service.name) }
        return try result.get()
    }

    /// The details of several photos, each with its own result, in as few requests as the service allows.
    ///
    /// - Returns: Results by the identifiers in `photos`; the photo in a result may have another one.
    public func details(of photos: [Photo]) async throws(ServiceError) -> DetailResults {
        try await details(of: photos, filesOnly: false)
    }

    /// The same, or only where their files are, for photos whose list did not tell; see ``PhotoService/files(of:)``.
    package func details(of photos: [Photo], filesOnly: Bool) async throws(ServiceError) -> DetailResults {
        guard !photos.isEmpty else { return [:] }
        var asked: Set<PhotoID> = []
        let unique = photos.filter { asked.insert($0.id).inserted }
        let exchange = try filesOnly ? service.files(of: unique) : service.details(of: unique)
        var results = try await run(exchange, for: .details)
        for photo in unique {
            switch results[photo.id] {
            case .success(var detail)?:
                detail.photo = photo.completed(by: detail.photo)
                results[photo.id] = .success(detail)
            case .failure(let error)?: results[photo.id] = .failure(foreign(error, nil, .details) ?? error)
            case nil: break
            }
        }
        return results
    }

    // MARK: - Exchanges

    /// One of the service's own pages, reached from the feed's start where it rejects the cursor, which is dropped.
    private func servicePage(_ slice: PageSlice, of feed: Feed) async throws(ServiceError) -> Page {
        try catalog?.require(feed, of: service.name)
        let offset = slice.firstIndex - 1
        let cursor = offset == 0 ? nil : await client.cursors(of: feed, service).nearest(to: offset)
        do throws(ServiceError) {
            return try await servicePage(slice, of: feed, from: cursor)
        } catch {
            guard let cursor, error.mayBeTheCursors else { throw error }
            await client.changeCursors(of: feed, service) { $0.forget(cursor) }
            return try await servicePage(slice, of: feed, from: nil)
        }
    }

    private func servicePage(
        _ slice: PageSlice, of feed: Feed, from cursor: PageCursor?
    ) async throws(ServiceError) -> Page {
        let page = try await run(service.page(slice, of: feed, cursor: cursor), for: .list)
        if !page.leftOut.isEmpty {
            client.report(.leftOut(list: "\(service.name) \(feed) \(slice)", page.leftOut))
        }
        if let next = page.next {
            let cursor = PageCursor(offset: slice.indexes.upperBound, text: next)
            let date = client.shared.timekeeper.date()
            await client.changeCursors(of: feed, service) { $0.remember(cursor, at: date) }
        }
        return page
    }

    private func run<Value>(
        _ exchange: Exchange<Value>, for purpose: ServicePolicy.Purpose
    ) async throws(ServiceError) -> Value {
        var exchange = exchange
        while true {
            switch exchange {
            case .done(let value): return value
            case .read(let work): exchange = try await work()
            case .send(let requests, let read):
                let outcomes = await client.replies(to: requests, for: purpose)
                do throws(ServiceError) {
                    exchange = try read(outcomes)
                } catch {
                    // A reply that cannot be used must not come from the cache the next time.
                    await client.forget(zip(requests, outcomes).filter { (try? $1.get()) != nil }.map(\.0))
                    throw foreign(error, Array(zip(requests, outcomes)).first, purpose) ?? error
                }
            }
        }
    }

    /// What `error` says of a server at another address than the official one: that it may be none of the
    /// service's. `nil` where there is no sign of that, and where there is no official address.
    private func foreign(
        _ error: ServiceError, _ first: (HTTPRequest, Result<HTTPReply, ServiceError>)?,
        _ purpose: ServicePolicy.Purpose
    ) -> ServiceError? {
        guard let base, let host = base.host, !host.isEmpty, !(service is any DocumentService)
        else { return nil }
        let shown = PlainText.excerpt(host + (base.port.map { ":\($0)" } ?? ""), limit: 100)
        switch error {
        case .unreadable(.message): return nil
        case .unreadable(let error): return .foreign(error, host: shown)
        // A compatible server says in JSON what it lacks; one that has no such API says it in HTML.
        case .missing where purpose == .list:
            guard case (let request, .success(let reply))? = first, reply.head.status == 404,
                (try? JSONSerialization.jsonObject(with: reply.body, options: .fragmentsAllowed)) == nil
            else { return nil }
            let path = PlainText.excerpt(request.url.path(percentEncoded: false), limit: 100)
            return .foreign(
                .message(service: service.name, text: "there is nothing at '\(path)' (status 404)."),
                host: shown)
        default: return nil
        }
    }
}

/// The photos of a feed, page by page; see ``PhotoLoader/photos(of:)``.
public struct FeedPhotos: AsyncSequence, Sendable {
    /// A photo.
    public typealias Element = Photo
    /// Why a page could not be loaded.
    public typealias Failure = ServiceError

    let loader: PhotoLoader
    let feed: Feed

    /// An iterator that has requested nothing yet.
    public func makeAsyncIterator() -> AsyncIterator {
        let list = PhotoList.feed(feed, loader)
        return AsyncIterator(pages: list.pages(1...Int.max, pageSize: PhotoLoader.largePageSize))
    }

    /// Requests the next page when the photos of the last one have been given.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var pages: FeedPages
        var ready: ArraySlice<IndexedPhoto> = []

        /// The next photo; `nil` at the end of the feed.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> Photo? {
            while ready.isEmpty, let photos = try await pages.next() { ready = photos[...] }
            return ready.popFirst()?.photo
        }
    }
}

extension ServiceError {
    /// Whether a service may respond with this to a cursor it does not know.
    fileprivate var mayBeTheCursors: Bool {
        switch self {
        case .unreadable, .foreign, .missing, .failed(_, 400...499, _): true
        default: false
        }
    }
}

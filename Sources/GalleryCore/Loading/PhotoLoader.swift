import Foundation

/// Carries a service's conversations out: pages, indexes and details of photos.
public struct PhotoLoader: Sendable {
    /// Photos a list page, where nobody says otherwise.
    public static let usualPageSize = 20

    /// Photos a request, where everything to a feed's end is wanted.
    public static let largePageSize = 100

    /// The service that is asked.
    public let service: any PhotoService
    private let client: APIClient

    /// A loader that asks `service` through `client`.
    public init(service: any PhotoService, client: APIClient) {
        self.service = service
        self.client = client
    }

    /// One page of a feed, at any size: a size the service cannot give is put together from its pages.
    public func page(_ slice: PageSlice, of feed: Feed) async throws(ServiceError) -> Page {
        guard service.pageSizes(of: feed).size(near: slice.size) == slice.size else {
            return try await photos(slice.indexes, of: feed)
        }
        return try await servicePage(slice, of: feed)
    }

    /// The photos of a feed at these indexes, from 1: fewer where the feed ends before.
    public func photos(_ range: ClosedRange<Int>, of feed: Feed) async throws(ServiceError) -> Page {
        let slices = IndexRange.slices(
            for: range, sizes: service.pageSizes(of: feed), preferred: Self.usualPageSize,
            entries: await client.cursors(of: feed, service).places)
        var found: [IndexedPhoto] = []
        var seen: Set<PhotoID> = []
        var last = Page(photos: [], hasMore: false)
        for slice in slices {
            last = try await servicePage(slice, of: feed)
            // A ranking that moves between two requests repeats photos at the seam.
            found += last.photos.filter { range.contains($0.index ?? 0) && seen.insert($0.photo.id).inserted }
            guard last.hasMore else { break }
        }
        let beyond = (found.last?.index).map { $0 < (last.photos.last?.index ?? 0) } ?? false
        return Page(photos: found, total: last.total, hasMore: last.hasMore || beyond)
    }

    /// The details of several photos, each with its own result, in as few requests as the service allows.
    ///
    /// - Returns: the results by the identifiers that were asked for; the photo in one may have another.
    public func details(
        of photos: [Photo]
    ) async throws(ServiceError) -> [PhotoID: Result<PhotoDetail, ServiceError>] {
        guard !photos.isEmpty else { return [:] }
        var asked: Set<PhotoID> = []
        let unique = photos.filter { asked.insert($0.id).inserted }
        var results = try await run(service.details(of: unique), for: .details)
        for photo in unique {
            guard case .success(let detail)? = results[photo.id] else { continue }
            results[photo.id] = .success(detail.completing(photo))
        }
        return results
    }

    // MARK: - Conversations

    /// One of the service's own pages. A cursor that it does not take is forgotten, and the way walked.
    private func servicePage(_ slice: PageSlice, of feed: Feed) async throws(ServiceError) -> Page {
        let place = slice.firstIndex - 1
        let cursor = place == 0 ? nil : await client.cursors(of: feed, service).nearest(to: place)
        do throws(ServiceError) {
            return try await servicePage(slice, of: feed, from: cursor)
        } catch {
            guard let cursor, error.mayBeTheCursors else { throw error }
            await client.forget(cursor, of: feed, service)
            return try await servicePage(slice, of: feed, from: nil)
        }
    }

    private func servicePage(
        _ slice: PageSlice, of feed: Feed, from cursor: PageCursor?
    ) async throws(ServiceError) -> Page {
        let page = try await run(service.page(slice, of: feed, cursor: cursor), for: .list)
        if let next = page.next {
            let cursor = PageCursor(place: slice.indexes.upperBound, text: next)
            await client.remember(cursor, of: feed, service)
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
            case .send(let requests, let read):
                let outcomes = await client.replies(to: requests, for: purpose)
                do throws(ServiceError) {
                    exchange = try read(outcomes)
                } catch {
                    // What the service cannot read or refuses must not be its answer again from the cache.
                    await client.forget(zip(requests, outcomes).filter { (try? $1.get()) != nil }.map(\.0))
                    throw error
                }
            }
        }
    }
}

extension ServiceError {
    /// Whether a service may say so of a cursor that it does not know.
    fileprivate var mayBeTheCursors: Bool {
        switch self {
        case .unreadable, .missing, .failed(_, 400...499, _): true
        case .failed, .transport, .keyMissing, .refused, .noFolder, .rateLimited, .unsupported: false
        }
    }
}

extension PhotoDetail {
    /// The same details, with the gaps of the photo filled from what the list said.
    func completing(_ listed: Photo) -> PhotoDetail {
        var detail = PhotoDetail(photo: listed.completed(by: photo))
        detail.camera = camera
        detail.lens = lens
        detail.focalLength = focalLength
        detail.iso = iso
        detail.shutterSpeed = shutterSpeed
        detail.aperture = aperture
        detail.latitude = latitude
        detail.longitude = longitude
        detail.comments = comments
        detail.category = category
        detail.pages = pages
        return detail
    }
}

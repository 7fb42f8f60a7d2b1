import Foundation
import GalleryCore
import Synchronization

/// A loader for each service that photos of a line may be of, made when it is first asked for.
final class ServiceLoaders: Sendable {
    private let context: Context
    private let options: ServiceOptions
    private let catalog: ServiceCatalog
    /// What everything is asked through.
    let transport: any HTTPTransport
    private let made = Mutex<[String: PhotoLoader]>([:])
    /// The service that the line is about, and where its API is.
    let source: ServiceAddress

    /// ServiceLoaders over one transport; the one for `source` asks where `source` says its API is.
    ///
    /// - Parameter connections: requests on the wire at once, from 1.
    init(_ context: Context, _ options: ServiceOptions, at source: ServiceAddress, connections: Int = 6)
        throws
    {
        self.context = context
        self.options = options
        self.source = source
        catalog = try context.catalog()
        transport = try context.transport(options, for: source, connections: connections)
    }

    /// The loader for a service.
    ///
    /// - Throws: ``ServiceError`` where there is no such service.
    func loader(_ service: String) throws(ServiceError) -> PhotoLoader {
        try made.withLock { made throws(ServiceError) in
            if let loader = made[service] { return loader }
            let base = service == source.service ? source.base : nil
            let loader = PhotoLoader(
                service: try catalog.service(named: service, base: base),
                client: context.client(.named(service, base: base), transport, options))
            made[service] = loader
            return loader
        }
    }

    /// What lists a feed: the photos marked on this machine, which are no service's, or one of ``source``.
    ///
    /// For one call a run: each reads the marks anew, and says what of them cannot be read.
    ///
    /// - Throws: a usage error where the feed holds what is not for everyone alone, and that is not wanted.
    func list(_ feed: Feed, includingAdult: Bool) async throws -> PhotoLoader {
        let loader =
            feed == .marked ? context.loader(try await context.marks()) : try loader(source.service)
        guard includingAdult || !loader.service.isAdult(feed) else { throw AdultFeed(feed: feed) }
        return loader
    }

    /// The details of photos of any services, each with its own outcome: a service that cannot be asked
    /// at all fails its own photos, not those of others.
    func details(of photos: [Photo]) async -> [PhotoID: Result<PhotoDetail, ServiceError>] {
        var results: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
        for (service, photos) in Dictionary(grouping: photos, by: \.id.service) {
            do throws(ServiceError) {
                results.merge(try await loader(service).details(of: photos)) { first, _ in first }
            } catch {
                for photo in photos { results[photo.id] = .failure(error) }
            }
        }
        return results
    }

    /// The identifiers among those of `photos` that lists have others for.
    func provisional(_ photos: [Photo]) -> Set<PhotoID> {
        var found: Set<PhotoID> = []
        for (name, photos) in Dictionary(grouping: photos, by: \.id.service) {
            // Whose service nobody knows fails where it is asked for.
            guard let service = try? loader(name).service else { continue }
            found.formUnion(photos.map(\.id).filter(service.isProvisional))
        }
        return found
    }

    /// The photos whose full sizes only their details name, and those of services that there are not.
    func lackingFullSizes(_ photos: [Photo]) -> [Photo] {
        photos.filter { photo in
            guard photo.full != nil, let loader = try? loader(photo.id.service) else { return true }
            return loader.service.hasWorksOfSeveralPages
        }
    }

    /// The request for a file of a photo, with what its service's image host insists on.
    func imageRequest(_ rendition: Rendition, of photo: Photo) throws -> HTTPRequest {
        try loader(photo.id.service).service.image(rendition)
    }
}

/// Filters would leave out the whole feed.
struct AdultFeed: StatusError {
    let feed: Feed

    var description: String {
        guard case .popular(let ranking?, _) = feed else { return "The feed '\(feed.word)' is for adults." }
        return "The ranking '\(PlainText.excerpt(ranking))' is for adults."
    }
    var hint: String? { "Add '--adult' to see it." }
    var status: ExitStatus { .usage }
}

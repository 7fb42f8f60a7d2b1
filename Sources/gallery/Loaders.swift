import GalleryCore

/// A loader for each service that photos of a line may be of.
struct Loaders {
    private let catalog: ServiceCatalog
    private let client: @Sendable (Source) -> APIClient
    private let source: Source

    /// Loaders over one transport; the one for `source` asks where `source` says its API is.
    init(_ context: Context, _ options: ServiceOptions, at source: Source) throws {
        catalog = try context.catalog()
        let transport = try context.transport(options)
        client = { context.client(for: $0, over: transport, options) }
        self.source = source
    }

    /// The loader for a service.
    func loader(_ service: String) throws -> PhotoLoader {
        let base = service == source.service ? source.base : nil
        return PhotoLoader(
            service: try catalog.service(named: service, base: base),
            client: client(Source(service: service, base: base)))
    }

    /// The details of photos of any services, each with its own outcome.
    func details(of photos: [Photo]) async throws -> [PhotoID: Result<PhotoDetail, ServiceError>] {
        var results: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
        for (service, photos) in Dictionary(grouping: photos, by: \.id.service) {
            results.merge(try await loader(service).details(of: photos)) { first, _ in first }
        }
        return results
    }

    /// The request for a file of a photo, with what its service's image host insists on.
    func imageRequest(_ rendition: Rendition, of photo: Photo) throws -> HTTPRequest {
        try loader(photo.id.service).service.image(rendition)
    }
}

/// Where a cursor's photos come from: pages, details and files, without a word about networks.
public struct CursorSource: Sendable {
    /// Takes the bytes so far and those expected in all, where announced; its first call says that they flow.
    public typealias Progress = @Sendable (_ received: Int64, _ expected: Int64?) -> Void

    /// Photos a page.
    let pageSize: Int
    let page: @Sendable (PageSlice) async throws(ServiceError) -> Page
    let details:
        @Sendable ([Photo]) async throws(ServiceError) -> [PhotoID: Result<PhotoDetail, ServiceError>]
    let picture:
        nonisolated(nonsending) @Sendable (Photo, Rendition, @escaping Progress) async throws(DownloadError)
            -> DownloadedFile

    /// A source made of its parts.
    ///
    /// - Parameters:
    ///   - page: one page of the feed.
    ///   - details: details of several photos, each with its own outcome.
    ///   - picture: a file of a photo, whole, somewhere on disk.
    public init(
        pageSize: Int,
        page: @escaping @Sendable (PageSlice) async throws(ServiceError) -> Page,
        details:
            @escaping @Sendable ([Photo]) async throws(ServiceError) -> [PhotoID: Result<
                PhotoDetail, ServiceError
            >],
        picture:
            nonisolated(nonsending) @escaping @Sendable (Photo, Rendition, @escaping Progress)
            async throws(DownloadError) -> DownloadedFile
    ) {
        self.pageSize = max(1, pageSize)
        self.page = page
        self.details = details
        self.picture = picture
    }

    /// `feed` as `loader` brings it, with files kept in `pictures`.
    ///
    /// - Parameter service: the service of a photo, for feeds that hold photos of several.
    public init(
        _ feed: Feed, loader: PhotoLoader, pictures: PictureFolder,
        service: @escaping @Sendable (PhotoID) throws(ServiceError) -> PhotoLoader
    ) {
        let pageSize = loader.service.pageSizes(of: feed).size(near: PhotoLoader.usualPageSize)
        self.init(pageSize: pageSize) { slice throws(ServiceError) in
            try await loader.page(slice, of: feed)
        } details: { photos throws(ServiceError) in
            var results: [PhotoID: Result<PhotoDetail, ServiceError>] = [:]
            for (_, photos) in Dictionary(grouping: photos, by: \.id.service) {
                let found = try await service(photos[0].id).details(of: photos)
                results.merge(found) { first, _ in first }
            }
            return results
        } picture: { photo, rendition, progress throws(DownloadError) in
            let request: HTTPRequest
            do {
                request = try service(photo.id).service.image(rendition)
            } catch {
                throw .transport(.rejected(error))
            }
            return try await pictures.file(of: photo.id, request, progress: progress)
        }
    }
}

/// Where a cursor's photos come from: pages, details and files, without a word about networks.
package struct CursorSource: Sendable {
    /// Takes the bytes so far and those expected in all, where announced; its first call says that they flow.
    package typealias Progress = @Sendable (_ received: Int64, _ expected: Int64?) -> Void

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
    package init(
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

    /// The photos of `list`, with files kept in `pictures`.
    ///
    /// - Parameter loaders: The services of the photos, which may differ from the list's own.
    package init(_ list: PhotoList, loaders: ServiceLoaders, pictures: PictureFolder) {
        self.init(pageSize: list.pageSizes.size(near: PhotoLoader.usualPageSize)) {
            slice throws(ServiceError) in
            try await list.page(slice)
        } details: { photos throws(ServiceError) in
            await loaders.details(of: photos)
        } picture: { photo, rendition, progress throws(DownloadError) in
            let request: HTTPRequest
            do {
                request = try loaders.imageRequest(rendition, of: photo)
            } catch {
                throw .transport(.rejected(error))
            }
            return try await pictures.file(of: photo.id, request, progress: progress)
        }
    }
}

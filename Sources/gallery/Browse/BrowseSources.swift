import GalleryCore

/// Makes levels: what feeds need, whatever service they are of.
struct BrowseSources: Sendable {
    let context: Context
    let pictures: PictureFolder
    let includesAdult: Bool
    let marked: MarkStore.Marks
    /// The services of everything that is looked at.
    let loaders: ServiceLoaders

    /// Says what the service lacks for this feed; nothing is sent.
    ///
    /// - Throws: ``ServiceError``.
    func check(_ source: ServiceAddress, _ feed: Feed) throws {
        try context.catalog().require(feed, of: source.service)
        let service = try loader(source, feed).service
        guard includesAdult || !service.isAdult(feed) else { throw AdultFeed(feed: feed) }
        _ = try service.page(PageSlice(number: 1, size: 1), of: feed, cursor: nil)
    }

    /// A feed with nothing asked for yet.
    ///
    /// - Throws: ``ServiceError`` where the service has no such feed.
    func level(_ number: Int, _ source: ServiceAddress, _ feed: Feed) throws -> BrowseLevel {
        try check(source, feed)
        let loader = try loader(source, feed)
        // In the feed `marked` a photo's service is not the feed's.
        let photos = CursorSource(feed, loader: loader, pictures: pictures) { photo throws(ServiceError) in
            try loaders.loader(photo.service)
        }
        return BrowseLevel(
            number: number, source: source, feed: feed, loader: loader,
            cursor: PhotoCursor(photos, includesAdult: includesAdult))
    }

    private func loader(_ source: ServiceAddress, _ feed: Feed) throws -> PhotoLoader {
        feed == .marked ? context.loader(marked) : try loaders.loader(source.service)
    }
}

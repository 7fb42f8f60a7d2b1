import GalleryCore

/// A feed that is looked at, and the place in it.
struct BrowseLevel: Sendable {
    /// Counted up, so that what comes late from a feed that was left is told apart.
    let number: Int
    let source: Source
    let feed: Feed
    let loader: PhotoLoader
    let cursor: PhotoCursor
    /// What the screen was like, for who comes back.
    var state = PhotoCursorState()
    var mode = BrowseModel.Mode.photo
    var grid = GridPlace()

    var place: BrowsePositions.Place {
        feed == .marked
            ? BrowsePositions.Place(service: feed.word, base: nil, feed: feed)
            : BrowsePositions.Place(service: source.service, base: source.base, feed: feed)
    }

    /// `popular · sample`.
    var title: String {
        let name =
            switch feed {
            case .popular(let ranking, let date):
                (["popular", ranking, date?.description].compactMap(\.self)).joined(separator: " ")
            case .search(let text): "search '\(text)'"
            case .user(let name): "user \(name)"
            case .favorites(let name): ["favorites", name].compactMap(\.self).joined(separator: " ")
            case .marked: feed.word
            }
        return feed == .marked ? name : PlainText.excerpt("\(name) · \(source.service)")
    }
}

/// Makes levels: what feeds need, whatever service they are of.
struct BrowseSources: Sendable {
    let context: Context
    let pictures: PictureFolder
    let includesAdult: Bool
    let marked: MarkStore.Marks
    /// The services of everything that is looked at.
    let loaders: Loaders

    /// Says what the service lacks for this feed; nothing is sent.
    ///
    /// - Throws: ``ServiceError``.
    func check(_ source: Source, _ feed: Feed) throws {
        try context.catalog().require(feed, of: source.service)
        let service = try loader(source, feed).service
        guard includesAdult || !service.isAdult(feed) else { throw AdultFeed(feed: feed) }
        _ = try service.page(PageSlice(number: 1, size: 1), of: feed, cursor: nil)
    }

    /// A feed with nothing asked for yet.
    ///
    /// - Throws: ``ServiceError`` where the service has no such feed.
    func level(_ number: Int, _ source: Source, _ feed: Feed) throws -> BrowseLevel {
        try check(source, feed)
        let loader = try loader(source, feed)
        // In the feed `marked` a photo's service is not the feed's.
        let photos = PhotoSource(feed, loader: loader, pictures: pictures) { photo throws(ServiceError) in
            try loaders.loader(photo.service)
        }
        return BrowseLevel(
            number: number, source: source, feed: feed, loader: loader,
            cursor: PhotoCursor(photos, includesAdult: includesAdult))
    }

    private func loader(_ source: Source, _ feed: Feed) throws -> PhotoLoader {
        feed == .marked ? context.loader(marked) : try loaders.loader(source.service)
    }
}

extension Context {
    /// Makes `gallery fetch 7` mean the photo 7 that was seen in `level`, unless another feed was listed since.
    func remember(_ level: BrowseLevel, run: [IndexedPhoto]) {
        let shown = RememberedFeed(
            service: level.source.service, base: level.source.base, feed: level.feed, photos: run)
        guard level.feed != .marked, remembered?.isSameFeed(as: shown) ?? true else { return }
        remember(shown)
    }
}

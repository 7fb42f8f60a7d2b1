import GalleryCore

/// A feed that is looked at, and the place in it.
struct BrowseLevel: Sendable {
    /// Counted up, so that what comes late from a feed that was left is told apart.
    let number: Int
    let source: ServiceAddress
    let feed: Feed
    let loader: PhotoLoader
    let cursor: PhotoCursor
    /// What the screen was like, for who comes back.
    var state = PhotoCursorState()
    var mode = BrowseModel.Mode.photo
    var grid = GridCell()

    var place: BrowsePositions.FeedKey {
        feed == .marked
            ? BrowsePositions.FeedKey(service: feed.word, base: nil, feed: feed)
            : BrowsePositions.FeedKey(service: source.service, base: source.base, feed: feed)
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

extension Context {
    /// Makes `gallery fetch 7` mean the photo 7 that was seen in `level`, unless another feed was listed since.
    func remember(_ level: BrowseLevel, run: [IndexedPhoto]) {
        let shown = RememberedFeed(
            service: level.source.service, base: level.source.base, feed: level.feed, photos: run)
        guard level.feed != .marked, remembered?.isSameFeed(as: shown) ?? true else { return }
        remember(shown)
    }
}

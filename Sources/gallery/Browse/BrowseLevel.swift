import Curation
import Foundation
import GalleryCore

/// A feed being browsed, and the state of the screen in it.
struct BrowseLevel: Sendable {
    let source: ServiceAddress
    let feed: FeedReference
    let cursor: PhotoCursor
    /// Which of its photos are shown; `nil` for all.
    var filter: BrowseFilter?
    /// Whether it shows the feed below in another way.
    var isVariant = false
    var isTournament = false
    /// The screen when the feed was left for another.
    var state = PhotoCursorState()
    var mode = BrowseModel.Mode.photo
    var grid = GridCell()

    var key: BrowsePositions.FeedKey { .init(source, feed) }
    var title: String {
        (isTournament ? "tournament · " : "") + feed.title(at: source)
            + (filter.map { " & " + PlainText.excerpt($0.text) } ?? "")
    }
}

extension BrowsePositions.FeedKey {
    /// A feed at an address; marked photos are of any service, and of paths, which may be many, a digest stands.
    init(_ source: ServiceAddress, _ feed: FeedReference) {
        switch feed {
        case .marked: self.init(service: feed.word, base: nil, feed: feed)
        case .feed: self.init(service: source.service, base: source.base, feed: feed)
        case .paths(let paths):
            let digest = Digest.hash(Array(paths.joined(separator: "\n").utf8))
            self.init(service: feed.word, base: nil, feed: .paths([Hexadecimal.text(digest)]))
        }
    }
}

extension FeedReference {
    /// `popular · sample`, or the path of a folder.
    func title(at source: ServiceAddress) -> String {
        let place = RequestedFeed(address: source, feed: self, shown: nil).place
        let isFolder = place.hasPrefix("/")
        let name: String? =
            switch feed {
            case .popular(let ranking, _) where isFolder: ranking
            case .popular(let ranking, let date):
                (["popular", ranking, date?.description].compactMap(\.self)).joined(separator: " ")
            case .search(let text): "search '\(text)'"
            case .user(let name): "user \(name)"
            case .favorites(let name): ["favorites", name].compactMap(\.self).joined(separator: " ")
            case nil where isMarked: [word, list?.description].compactMap(\.self).joined(separator: " ")
            case nil: isFolder ? nil : word
            }
        if isMarked || feed == nil, !isFolder { return name ?? word }
        let parts = isFolder ? [place, name] : [name, place]
        return PlainText.excerpt(parts.compactMap(\.self).joined(separator: " · "), limit: 1024)
    }
}

struct BrowseSources: Sendable {
    let context: Context
    let pictures: PictureFolder
    let includesAdult: Bool
    let loaders: ServiceLoaders

    /// The photos of a feed, once it is clear that the service has it; nothing is sent.
    func list(_ source: ServiceAddress, _ feed: FeedReference) async throws -> PhotoList {
        if case .paths(let paths) = feed { return loaders.pictures(at: paths) }
        guard let feed = feed.feed else {
            // There may be other marks by now than at the start.
            return loaders.noted(try await context.folders.markLists.store(feed.list).marks().photos)
        }
        let list = try loaders.list(feed, at: source)
        guard includesAdult || !list.isAdult else { throw SelectionError.adult(feed) }
        // A key that is missing is told before the screen is taken.
        try list.check()
        return list
    }

    /// The full-size file of a photo, loaded if it is not there. Details that are known save a request.
    func fullFile(
        of photo: Photo, _ detail: PhotoDetail?, progress: @Sendable (PhotoCursorState.Progress) -> Void
    ) async throws -> URL {
        var full = photo.full ?? detail?.photo.full
        if full == nil {
            full = try await loaders.details(of: [photo], filesOnly: true)[photo.id]?.get().photo.full
        }
        guard let full else { throw ServiceError.noFile(service: photo.id.service, size: .full) }
        return try await pictures.file(of: photo.id, loaders.imageRequest(full, of: photo)) {
            progress(.init(received: $0, expected: $1))
        }.url
    }
}

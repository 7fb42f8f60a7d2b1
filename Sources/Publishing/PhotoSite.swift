import Foundation
import GalleryCore
import PictureFiles

package struct SiteOptions: Sendable {
    package enum Theme: String, Sendable, CaseIterable {
        /// Those of the reader's system.
        case auto
        case light
        case dark
    }

    /// The heading of the first page.
    package var title = "Gallery"
    /// The colors a page begins with; the reader may choose others.
    package var theme = Theme.auto
    /// Pictures side by side where there is room, from 1; `nil` for rows that keep a height.
    package var columns: Int?
    /// A style sheet that comes after the site's own; `nil` for none.
    package var style: String?
    /// Where the site will be served, with a slash at its end; `nil` if unknown.
    package var base: URL?
    /// Whether each photo has a page of its own; else the grid links to its service.
    package var hasPhotoPages = true
    /// What photos have in common that are in one album; `nil` for a site without albums.
    package var albums: AlbumRule?
    /// What the first page says below its heading; `nil` for nothing.
    package var description: String?
    /// The language of titles and texts, as BCP 47 has it.
    package var language = "en"
    /// Whether photos' pages tell of dates, cameras, and tags.
    package var showsDetails = true
    /// Whether it says where photos were taken.
    package var showsPlaces = false
    /// Whether the site has the photos' descriptions as `photos.json`.
    package var hasMetadata = false
    package var feed = FeedHistory()
    /// Photos on a page of the grid, from 1.
    var photosPerPage = 500

    package init() {}

    /// Whether its language is written from the right, as Arabic and Hebrew are: then pages are laid out so too.
    var isRightToLeft: Bool {
        let parts = language.lowercased().split(separator: "-").map(String.init)
        let scripts: Set = ["adlm", "arab", "hebr", "nkoo", "syrc", "thaa"]
        let script = parts.dropFirst().first { $0.count == 4 }
        return script.map(scripts.contains)
            ?? ["ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"].contains(parts.first ?? "")
    }

    /// The keys to what comes before and after.
    var arrows: String { isRightToLeft ? "→ ←" : "← →" }
}

/// A site of static pages about photos whose picture files are there already: which files it has, and
/// what is in each.
///
/// A pure value. Its pages load nothing but what is in the folder, and work from disk, without
/// scripts, and with a keyboard.
package struct PhotoSite: Sendable {
    private(set) var options: SiteOptions
    /// The photos, in order. Their names differ.
    let photos: PhotoShelf
    /// Its albums, which have all photos; empty where it has none.
    let albums: [SiteAlbum]
    /// Small pictures that stand for the site, ascending.
    let icons: [PublishedPicture]
    /// The height that the grid's rows have at most, in pixels.
    let highestRow: Int

    /// Those who made the photos, in the order of these: as many as are named, and perhaps one more.
    let authors: [String]

    /// A site of `photos`.
    ///
    /// - Parameter choosesAlbums: Whether it has the albums that suit them, rather than those of `options`.
    package static func of(
        _ photos: PhotoShelf, icons: [PublishedPicture], options: SiteOptions, choosesAlbums: Bool
    ) async -> PhotoSite {
        await Disk.run {
            var options = options
            if choosesAlbums { options.albums = AlbumRule.suiting(photos) }
            return PhotoSite(photos, icons: icons, options: options)
        }
    }

    /// A site of `photos`; in albums, they have the order of these.
    init(_ photos: PhotoShelf, icons: [PublishedPicture] = [], options: SiteOptions = SiteOptions()) {
        (albums, self.photos) = options.albums.map { SiteAlbum.albums(of: photos, by: $0) } ?? ([], photos)
        highestRow = SiteStyle.highestRow(for: photos)
        authors = self.photos.authors(most: Self.mostAuthors + 1)
        (self.icons, self.options) = (icons, options)
    }

    /// Authors whose names are on a page of the grid.
    static let mostAuthors = 8

    /// The album on a page of the grid; `nil` on a site without albums.
    func album(onPage page: Int) -> SiteAlbum? { albums.indices.contains(page - 1) ? albums[page - 1] : nil }

    /// The photos among which a photo has its place: all, or those of its album.
    func neighbors(ofPhoto offset: Int) -> Range<Int> {
        album(onPage: page(ofPhoto: offset))?.range ?? photos.indices
    }

    static func count(_ photos: Int) -> String { photos == 1 ? "1 photo" : "\(photos) photos" }

    var withMetadata: PhotoSite {
        var site = self
        site.options.hasMetadata = true
        return site
    }

    enum Document: Hashable, Sendable {
        case stylesheet
        /// The style that depends on the photos.
        case sizes
        case ownStyle
        case script
        /// The page of the photo at an offset.
        case photo(Int)
        case feed
        /// The feed of an album, by its page.
        case albumFeed(Int)
        case metadata
        /// A page of the grid, from 1: that of an album, or else a part of it, of which the first is `index.html`.
        case grid(Int)
        /// The albums, as `index.html`.
        case albums
    }

    /// All files, in the order in which they may appear: what a page refers to before the page, and
    /// `index.html` last.
    var documents: [Document] {
        var documents: [Document] = [.stylesheet, .sizes, .script]
        if options.style != nil { documents.append(.ownStyle) }
        documents += options.hasPhotoPages ? photos.indices.map(Document.photo) : []
        documents.append(.feed)
        documents += albums.indices.map { .albumFeed($0 + 1) }
        if options.hasMetadata { documents.append(.metadata) }
        documents += (1...gridPages).reversed().map(Document.grid)
        return documents + (albums.isEmpty ? [] : [.albums])
    }

    /// Pages of the grid, at least one.
    var gridPages: Int {
        albums.isEmpty
            ? max(1, (photos.count + options.photosPerPage - 1) / options.photosPerPage) : albums.count
    }

    func offsets(onPage page: Int) -> Range<Int> {
        if let album = album(onPage: page) { return album.range }
        let size = options.photosPerPage
        return min(photos.count, (page - 1) * size)..<min(photos.count, page * size)
    }

    func page(ofPhoto offset: Int) -> Int {
        albums.firstIndex { $0.range.contains(offset) }.map { $0 + 1 } ?? offset / options.photosPerPage + 1
    }

    /// The path of a file below the site's folder.
    func path(of document: Document) -> String {
        switch document {
        case .stylesheet: Self.stylesheet
        case .sizes: "sizes.css"
        case .ownStyle: "own.css"
        case .script: "script.js"
        case .photo(let offset): Self.path(ofPhoto: photos[offset].name)
        case .feed: "feed.xml"
        case .metadata: "photos.json"
        case .albumFeed(let page): "\(album(onPage: page)?.name ?? "album").xml"
        case .albums: "index.html"
        case .grid(let page) where !albums.isEmpty: "\(album(onPage: page)?.name ?? "album").html"
        case .grid(1): "index.html"
        case .grid(let page): "page-\(page).html"
        }
    }

    /// Calls `body` with the paths of all pictures, below the site's folder.
    func forEachPicture(_ body: (_ path: String) -> Void) {
        for picture in icons { body(picture.path) }
        for photo in photos {
            let ofPage = photo.pictures + photo.larger.values + [photo.original].compactMap(\.self)
            for picture in photo.small + ofPage { body(picture.path) }
        }
    }

    /// What a photo's files are called: short, and the same on every run, whatever else the site has.
    ///
    /// An identifier of plain letters stays; of any other, what two could have in common is told apart by a digest.
    package static func name(of photo: PhotoID) -> String {
        let service = FileName.identifier(photo.service)
        if photo.value.utf8.count <= 40, FileName.isPlain(identifier: photo.value) {
            return "\(service)_\(photo.value)"
        }
        let leaf = photo.value.split(separator: "/").last ?? ""
        var words = leaf.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        if let last = words.last, PictureType(fileExtension: last) != nil { words.removeLast() }
        let readable = FileName.shortened(words.joined(separator: "-"), to: 32)
        let digest = String(SiteRecord.digest("\(photo)").prefix(8))
        return [service, readable, digest].filter { !$0.isEmpty }.joined(separator: "_")
    }

    /// The path of the style sheet that its owner may change.
    static let stylesheet = "style.css"

    static func path(ofPhoto name: String) -> String { "photo/\(name).html" }

    func text(of document: Document) throws(MissingResource) -> String {
        switch document {
        case .stylesheet: try Resources.text(of: Self.stylesheet)
        case .sizes: SiteStyle(site: self).sizes
        case .ownStyle: options.style ?? ""
        case .script: try Resources.text(of: "script.js")
        case .photo(let offset): PhotoPage(site: self, offset: offset).markup.text
        case .feed: AtomFeed(site: self).markup.text
        case .albumFeed(let page): AtomFeed(site: self, albumPage: page).markup.text
        case .albums: AlbumsPage(site: self).markup.text
        case .metadata: metadata
        case .grid(let page): GridPage(site: self, number: page).markup.text
        }
    }

    /// The photos as `--format json` prints them, one a line, with the site's own files.
    private var metadata: String {
        var text = "[\n"
        for photo in photos {
            text +=
                (text.utf8.count > 2 ? ",\n" : "")
                + PhotoDescription(photo: photo, options: options).json.text
        }
        return text + "\n]\n"
    }

    // MARK: - Addresses

    /// The relative address of a file for a page at the top, or `up` folders below it.
    func link(_ path: String, up: Int = 0) -> String {
        String(repeating: "../", count: up) + Self.encoded(path)
    }

    /// The address of a file where the site will be served; `nil` if unknown.
    func absolute(_ path: String) -> String? {
        guard let base = options.base?.absoluteString else { return nil }
        return (base.hasSuffix("/") ? base : base + "/") + Self.encoded(path)
    }

    func gridLink(ofPhoto offset: Int) -> String {
        link(path(of: .grid(page(ofPhoto: offset)))) + "#" + Self.encoded(anchor(ofPhoto: offset))
    }

    /// A photo's name within a page, where spaces are not allowed.
    func anchor(ofPhoto offset: Int) -> String { Self.encoded(photos[offset].name) }

    static func encoded(_ path: String) -> String { PercentEncoding.encoded(path, keeping: "/") }
}

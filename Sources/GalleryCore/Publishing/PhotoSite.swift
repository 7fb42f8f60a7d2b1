import Foundation

/// A site of static pages about photos whose picture files are there already: which files it has, and
/// what is in each.
///
/// A pure value. Its pages load nothing but what is in the folder, and work from disk, without
/// scripts, and with a keyboard.
public struct PhotoSite: Sendable {
    /// How it looks and what it holds.
    public let options: SiteOptions
    /// The photos, in order. Their names differ.
    public let photos: [PublishedPhoto]

    /// A site of `photos`.
    public init(_ photos: [PublishedPhoto], options: SiteOptions = SiteOptions()) {
        self.photos = photos
        self.options = options
    }

    /// One of its files.
    enum Document: Hashable, Sendable {
        case stylesheet
        case script
        /// The page of the photo at an offset.
        case photo(Int)
        case feed
        case metadata
        /// A page of the grid, from 1; the first is `index.html`.
        case grid(Int)

        var isPage: Bool {
            switch self {
            case .photo, .grid: true
            case .stylesheet, .script, .feed, .metadata: false
            }
        }
    }

    /// All files, in the order in which they may appear: what a page refers to before the page, and
    /// `index.html` last.
    var documents: [Document] {
        var documents: [Document] = [.stylesheet, .script]
        documents += photos.indices.filter { !photos[$0].pictures.isEmpty }.map(Document.photo)
        documents.append(.feed)
        if options.hasMetadata { documents.append(.metadata) }
        return documents + (1...gridPages).reversed().map(Document.grid)
    }

    /// Pages of the grid, at least one.
    var gridPages: Int { max(1, (photos.count + options.photosPerPage - 1) / options.photosPerPage) }

    /// The offsets of the photos on a page of the grid.
    func offsets(onPage page: Int) -> Range<Int> {
        let size = options.photosPerPage
        return min(photos.count, (page - 1) * size)..<min(photos.count, page * size)
    }

    func page(ofPhoto offset: Int) -> Int { offset / options.photosPerPage + 1 }

    /// The path of a file below the site's folder.
    func path(of document: Document) -> String {
        switch document {
        case .stylesheet: "style.css"
        case .script: "script.js"
        case .photo(let offset): "photo/\(photos[offset].name).html"
        case .feed: "feed.xml"
        case .metadata: "photos.json"
        case .grid(1): "index.html"
        case .grid(let page): "page-\(page).html"
        }
    }

    /// The content of a file.
    func text(of document: Document) throws(MissingResource) -> String {
        switch document {
        case .stylesheet: try SiteStyle(self).text()
        case .script: try Resources.text(of: "script.js")
        case .photo(let offset): PhotoPage(site: self, offset: offset).markup.text
        case .feed: AtomFeed(site: self).markup.text
        case .metadata: metadata
        case .grid(let page): GridPage(site: self, number: page).markup.text
        }
    }

    /// The photos as `--format json` prints them, one a line, with details where these are known: they have the
    /// files of all pages of a work.
    private var metadata: String {
        let lines = photos.map { photo in
            (photo.detail.map { photo.entry.json(with: $0) } ?? photo.entry.json).text
        }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    // MARK: - Addresses

    /// The relative address of a file for a page at the top, or `up` folders below it.
    func link(_ path: String, up: Int = 0) -> String {
        String(repeating: "../", count: up) + Self.encoded(path)
    }

    /// The address of a file where the site will be served; `nil` where nobody knows.
    func absolute(_ path: String) -> String? {
        guard let base = options.base?.absoluteString else { return nil }
        return (base.hasSuffix("/") ? base : base + "/") + Self.encoded(path)
    }

    /// The address of a photo in its grid, from the top.
    func gridLink(ofPhoto offset: Int) -> String {
        link(path(of: .grid(page(ofPhoto: offset)))) + "#" + Self.encoded(photos[offset].name)
    }

    static func encoded(_ path: String) -> String { PercentEncoding.encoded(path, keeping: "/") }
}

import Foundation

/// The site's feed for readers of such: its first photos, in order.
///
/// Source: RFC 4287.
struct AtomFeed {
    let site: PhotoSite
    /// The page of the grid with the album that it is of; `nil` for the feed of all photos.
    var albumPage: Int?

    /// Photos in the feed at most.
    private static let longest = 100

    var markup: SafeMarkup {
        let range = albumPage.map(site.offsets) ?? site.photos.indices
        let photos = range.prefix(Self.longest).map { (element: site.photos[$0], offset: $0) }
        let updated = photos.map(\.element.updated).max() ?? Date(timeIntervalSince1970: 0)
        let page = albumPage.map { site.path(of: .grid($0)) }
        let home = site.absolute(page ?? "") ?? page ?? "index.html"
        let path = site.path(of: albumPage.map(PhotoSite.Document.albumFeed) ?? .feed)
        let own: SafeMarkup? = site.absolute(path).map { "<link rel=\"self\" href=\"\($0)\"/>\n" }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <title>\(title)</title>
            <id>\(site.absolute(page ?? "") ?? "tag:gallery.invalid,2026:\(page ?? "site")")</id>
            <updated>\(updated.formatted(.iso8601))</updated>
            <author><name>\(site.options.title)</name></author>
            <generator>gallery</generator>
            <link rel="alternate" type="text/html" href="\(home)"/>
            \(own)\(photos.map { entry($0.element, $0.offset) })\
            </feed>

            """
    }

    private var title: String {
        let album = albumPage.flatMap(site.album(onPage:))?.title
        return [album, site.options.title].compactMap(\.self).joined(separator: " – ")
    }

    private func entry(_ photo: PublishedPhoto, _ offset: Int) -> SafeMarkup {
        let picture = photo.pictures.first ?? photo.thumbnail
        let page =
            site.options.hasPhotoPages
            ? site.link(site.path(of: .photo(offset))) : site.gridLink(ofPhoto: offset)
        let link = site.options.base == nil ? page : (site.absolute("") ?? "") + page
        let author: SafeMarkup? = photo.author.map { "<author><name>\($0)</name></author>\n" }
        let rights: SafeMarkup? = photo.license.map { "<rights>\($0)</rights>\n" }
        let source = site.absolute(picture.path) ?? site.link(picture.path)
        // Markup within markup: escaped once as HTML, once more as the text of an element.
        let image: SafeMarkup = """
            <img src="\(source)" width="\(picture.size.width)" height="\(picture.size.height)" \
            alt="\(photo.alternative)">
            """
        return """
            <entry>
            <title>\(photo.title)</title>
            <id>\(identifier(of: photo))</id>
            <updated>\(photo.updated.formatted(.iso8601))</updated>
            \(author)\(rights)\
            <link rel="alternate" type="text/html" href="\(link)"/>
            <content type="html">\(image.text)</content>
            </entry>

            """
    }

    /// The same wherever the site is served: a photo stays the same photo.
    private func identifier(of photo: PublishedPhoto) -> String {
        "tag:gallery.invalid,2026:" + PhotoSite.encoded("\(photo.photo.id.service)/\(photo.photo.id.value)")
    }
}

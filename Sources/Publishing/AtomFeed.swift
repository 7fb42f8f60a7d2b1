import Basics
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
    /// Pixels of the longer edge of a picture in the feed at most.
    private static let largest = 1600

    private var history: FeedHistory { site.options.feed }

    var markup: SafeMarkup {
        let entries = newest.map { place in
            let photo = site.photos[place.offset]
            return entry(photo, place.offset, identifier(of: photo), published: place.published)
        }
        let updated = entries.map(\.updated).max() ?? (history.now ?? .distantPast).formatted(.iso8601)
        let page = albumPage.map { site.path(of: .grid($0)) }
        let home = site.absolute(page ?? "") ?? page ?? "index.html"
        let path = site.path(of: albumPage.map(PhotoSite.Document.albumFeed) ?? .feed)
        let own: SafeMarkup? = site.absolute(path).map { "<link rel=\"self\" href=\"\($0)\"/>\n" }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <title>\(title)</title>
            <id>\(page.map { site.absolute($0) ?? "\(identifier)#\($0)" } ?? identifier)</id>
            <updated>\(updated)</updated>
            <author><name>\(site.options.title)</name></author>
            <generator>gallery</generator>
            <link rel="alternate" type="text/html" href="\(home)"/>
            \(own)\(entries.map(\.markup))\
            </feed>

            """
    }

    /// Those that came last, and of one run in the page's order: where they are, and when they came.
    private var newest: [(offset: Int, published: String)] {
        var newest: [(offset: Int, published: String)] = []
        func cut() {
            newest.sort { ($1.published, $0.offset) < ($0.published, $1.offset) }
            newest.removeLast(max(0, newest.count - Self.longest))
        }
        for offset in albumPage.map(site.offsets) ?? site.photos.indices {
            let photo = site.photos[offset]
            let published = history.published(
                identifier(of: photo), anchor: PhotoSite.encoded(photo.name), photo)
            newest.append((offset, published))
            // Not all of a long list at once.
            if newest.count == 20 * Self.longest { cut() }
        }
        cut()
        return newest
    }

    private var title: String {
        let album = albumPage.flatMap(site.album(onPage:))?.title
        return [album, site.options.title].compactMap(\.self).joined(separator: " – ")
    }

    /// An entry that is as new as what it says.
    private func entry(
        _ photo: PublishedPhoto, _ offset: Int, _ id: String, published: String
    ) -> (markup: SafeMarkup, updated: String) {
        let before = history.entries[id]
        let updated = before?.updated ?? published
        let markup = markup(photo, offset, id, published: published, updated: updated)
        guard let before, before.text != markup.text, let now = history.now?.formatted(.iso8601) else {
            return (markup, updated)
        }
        return (self.markup(photo, offset, id, published: published, updated: now), now)
    }

    private func markup(
        _ photo: PublishedPhoto, _ offset: Int, _ id: String, published: String, updated: String
    ) -> SafeMarkup {
        let picture = photo.picture(longestEdge: Self.largest)
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
            <id>\(id)</id>
            <published>\(published)</published>
            <updated>\(updated)</updated>
            \(author)\(rights)\
            <link rel="alternate" type="text/html" href="\(link)"/>
            <content type="html">\(image.text)</content>
            </entry>

            """
    }

    /// The site's address, or the name it was once given.
    private var identifier: String { site.absolute("") ?? history.site }

    /// Another site may show the same photo, and the photo's own page may go. Where a file is on somebody's machine is
    /// private.
    private func identifier(of photo: PublishedPhoto) -> String {
        "\(identifier)#" + PhotoSite.encoded(photo.name)
    }
}

extension PublishedPhoto {
    /// The largest picture with at most so many pixels on its longer edge; the smallest where all have more.
    func picture(longestEdge edge: Int) -> PublishedPicture {
        let all = (pictures.prefix(1) + small).sorted { $0.size.longestEdge < $1.size.longestEdge }
        return all.last { $0.size.longestEdge <= edge } ?? all.first ?? thumbnail
    }
}

import Foundation
import GalleryCore

package enum AlbumRule: String, Sendable, CaseIterable {
    /// The folder that their files are in, of photos of a folder of this machine.
    case folder
    /// When they were taken, else published, by the clock that was there.
    case day, month
    case author

    /// What suits photos unless the user has chosen: the folders of files of this machine, if these are in several.
    static func suiting(_ photos: PhotoShelf) -> AlbumRule? {
        var titles: Set<String> = []
        for photo in photos {
            guard photo.photo.id.service == Folder.word else { return nil }
            if titles.count < 2 { titles.insert(AlbumRule.folder.title(of: photo.photo)) }
        }
        return titles.count > 1 ? .folder : nil
    }

    /// The album of a photo, as its title; empty where nothing is known.
    func title(of photo: Photo) -> String {
        switch self {
        case .folder:
            guard photo.id.service == Folder.word else { return "" }
            return photo.id.value.split(separator: "/").dropLast().joined(separator: " / ")
        case .author: return photo.author?.name ?? ""
        case .day, .month:
            let taken = photo.taken.map { $0.addingTimeInterval(Double(photo.takenDate?.offset ?? 0)) }
            guard let date = taken ?? photo.published else { return "" }
            let month = Date.FormatStyle(locale: Locale(identifier: "en_US"), timeZone: .gmt).month(.wide)
                .year()
            return date.formatted(self == .day ? month.day() : month)
        }
    }

    /// What an album is called of which nothing is known.
    var untitled: String {
        switch self {
        case .folder: "Other photos"
        case .day, .month: "Without a date"
        case .author: "Without an author"
        }
    }
}

/// Photos of a site that belong together, and have a page of the grid of their own.
struct SiteAlbum: Hashable, Sendable {
    let title: String
    /// What its files are called: the same on every run.
    let name: String
    let range: Range<Int>

    /// The albums of `photos` by a rule, each where its first photo is, and the photos in their order.
    static func albums(of photos: PhotoShelf, by rule: AlbumRule) -> (albums: [SiteAlbum], photos: PhotoShelf)
    {
        let groups = Dictionary(grouping: photos.indices) { PlainText.line(rule.title(of: photos[$0].photo)) }
            .sorted { $0.value[0] < $1.value[0] }
        var (albums, count) = ([SiteAlbum](), 0)
        for (title, offsets) in groups {
            // Readable as far as letters go, and told apart by a digest.
            let name = PhotoSite.name(of: PhotoID(service: "album", value: "\(rule.rawValue) \(title)"))
            albums.append(
                SiteAlbum(
                    title: title.isEmpty ? rule.untitled : title, name: name,
                    range: count..<count + offsets.count))
            count += offsets.count
        }
        return (albums, photos.ordered(groups.flatMap(\.value)))
    }
}

/// The first page of a site of albums: a cover of each.
struct AlbumsPage {
    let site: PhotoSite

    var markup: SafeMarkup {
        let style = SiteStyle(site: site)
        let albums = site.albums.count == 1 ? "1 album" : "\(site.albums.count) albums"
        let head = PageHead(
            site: site, path: site.path(of: .albums), title: site.options.title,
            description: "\(albums), \(PhotoSite.count(site.photos.count))",
            image: site.photos.isEmpty ? nil : 0, kind: "website", links: "")
        return head.index(
            of: site.albums.enumerated().map { cover($0.element, $0.offset, style) }, called: "album",
            heading: site.options.title, hasIntro: true)
    }

    private func cover(_ album: SiteAlbum, _ offset: Int, _ style: SiteStyle) -> SafeMarkup {
        let photo = site.photos[album.range.lowerBound]
        let isAlone = site.albums.count == 1
        let size = style.displaySize(of: photo.thumbnail.size)
        return """
            <li id="\(album.name)" class="\(style.classes(of: photo, isAlone: isAlone))"><a href="\(site.link(site.path(of: .grid(offset + 1))))">\
            <img src="\(site.link(photo.thumbnail.path))"\(style.sources(of: photo, isAlone: isAlone)) \
            width="\(size.width)" height="\(size.height)" alt="" loading="lazy">\
            <span class="caption" dir="auto"><span class="title">\(album.title)</span>\
            <span class="credit"><bdi>\(PhotoSite.count(album.range.count))</bdi></span></span></a></li>

            """
    }
}

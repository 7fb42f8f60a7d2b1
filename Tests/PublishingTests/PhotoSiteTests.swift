import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import Publishing

/// What a site consists of, and what its pages promise.
@Suite struct PhotoSiteTests {
    @Test func `pages come after what they refer to, and index last`() throws {
        var options = SiteOptions()
        options.photosPerPage = 2
        options.hasMetadata = true
        let photos = try (1...5).map { try PublishingSamples.photo($0, title: "Photo \($0)") }
        let site = PhotoSite(photos, options: options)
        #expect(
            site.documents.map(site.path) == [
                "style.css", "sizes.css", "script.js", "photo/sample_1.html", "photo/sample_2.html",
                "photo/sample_3.html", "photo/sample_4.html", "photo/sample_5.html", "feed.xml",
                "photos.json", "page-3.html",
                "page-2.html", "index.html",
            ])
    }

    @Test(arguments: [
        ("ar", true), ("he-IL", true), ("fa", true), ("ur", true), ("az-Arab", true), ("ar-Latn", false),
        ("en", false),
        ("pt-BR", false), ("ja", false),
    ])
    func `pages are laid out from the side that their language begins at`(language: String, isMirrored: Bool)
        throws
    {
        var options = SiteOptions()
        options.language = language
        let site = PhotoSite([try PublishingSamples.photo(1, title: "Photo")], options: options)
        for document in [PhotoSite.Document.grid(1), .photo(0)] {
            let page = try site.text(of: document)
            #expect(page.contains("<html lang=\"\(language)\"\(isMirrored ? " dir=\"rtl\"" : "")>"))
            let keys = isMirrored ? ["→", "←"] : ["←", "→"]
            #expect(page.contains("<li>\(keys.map { "<kbd>\($0)</kbd> " }.joined())"))
        }
    }

    @Test func `a feed has a hundred photos, so that readers need not load all of a site`() throws {
        let photos = try (1...150).map { try PublishingSamples.photo($0, title: "Photo \($0)") }
        let feed = try PhotoSite(photos).text(of: .feed)
        let titles = feed.matches(of: /<entry>\n<title>Photo (\d+)</).compactMap { Int($0.output.1) }
        #expect(titles == Array(1...100))
    }

    @Test func `more photos than a page has are pages that link to each other`() throws {
        let photos = try (1...1600).map { try PublishingSamples.photo($0, title: "Photo \($0)") }
        let site = PhotoSite(photos)
        #expect(site.gridPages == 4)
        let third = try site.text(of: .grid(3))
        #expect(third.components(separatedBy: "<li id=").count - 1 == 500)
        for link in ["href=\"index.html\"", "href=\"page-2.html\"", "href=\"page-4.html\"", "rel=\"prev\""] {
            #expect(third.contains(link))
        }
        #expect(third.contains("aria-current=\"page\">3<"))
        #expect(site.gridLink(ofPhoto: 1000) == "page-3.html#sample_1001")
    }

    @Test(arguments: [1, 2, 3, 5])
    func `each photo leads back to itself in its page of the grid, and to its neighbors`(perPage: Int) throws
    {
        var options = SiteOptions()
        options.photosPerPage = perPage
        let photos = try (1...7).map { try PublishingSamples.photo($0, title: "Photo \($0)") }
        let site = PhotoSite(photos, options: options)
        for (offset, photo) in photos.enumerated() {
            let grid = offset / perPage == 0 ? "index.html" : "page-\(offset / perPage + 1).html"
            let page = try site.text(of: .photo(offset))
            #expect(page.contains("rel=\"up\" href=\"../\(grid)#\(photo.name)\""))
            #expect(try site.text(of: .grid(offset / perPage + 1)).contains("<li id=\"\(photo.name)\""))
            for (rel, other) in [("prev", offset - 1), ("next", offset + 1)] {
                let link = "rel=\"\(rel)\" href=\"sample_\(other + 1).html\""
                let count = page.components(separatedBy: link).count - 1
                // One for the browser and one for the reader.
                #expect(count == (photos.indices.contains(other) ? 2 : 0), "\(rel) of \(offset)")
            }
        }
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [2]])
    func `a feed is as new as its newest photo`(days: [Int]) throws {
        let photos = try days.map { day in
            let photo = try PublishingSamples.photo(day, title: "Day \(day)")
            return PublishedPhoto(
                entry: IndexedPhoto(
                    index: day,
                    photo: Photo(
                        id: photo.photo.id, title: photo.title,
                        published: Date(timeIntervalSince1970: Double(day) * 86_400))),
                name: photo.name, thumbnail: photo.thumbnail, pictures: photo.pictures)
        }
        let feed = try PhotoSite(photos).text(of: .feed)
        let dates = feed.matches(of: #/<updated>(.*?)<\/updated>/#).map { String($0.1) }
        #expect(dates == ([days.max() ?? 0] + days.sorted(by: >)).map { "1970-01-0\($0 + 1)T00:00:00Z" })
    }

    @Test func `no photos are an empty page`() throws {
        let site = PhotoSite([])
        #expect(
            site.documents.map(site.path) == [
                "style.css", "sizes.css", "script.js", "feed.xml", "index.html",
            ])
        #expect(try site.text(of: .grid(1)).contains("<p class=\"count\"><bdi>0 photos</bdi></p>"))
    }

    @Test(arguments: [nil, AlbumRule.author])
    func `no page is painted before its end is there`(albums: AlbumRule?) throws {
        var options = SiteOptions()
        options.albums = albums
        let photos = try (1...3).map { try PublishingSamples.photo($0, title: "Photo \($0)") }
        let site = PhotoSite(photos, options: options)
        let pages = site.documents.filter { site.path(of: $0).hasSuffix(".html") }
        #expect(pages.count == (albums == nil ? 4 : 5))
        for page in pages {
            let text = try site.text(of: page)
            #expect(text.contains("<link rel=\"expect\" href=\"#end\" blocking=\"render\">\n"))
            #expect(text.hasSuffix("</footer>\n<template id=\"end\"></template>\n</body>\n</html>\n"))
        }
    }

    @Test func `a photo without a page of its own links to its service`() throws {
        let photo = try PublishingSamples.photo(title: "Away", page: "https://example.com/p?a=1&b=2")
        var options = SiteOptions()
        options.hasPhotoPages = false
        let page = try PhotoSite([photo], options: options).text(of: .grid(1))
        #expect(
            page.contains(
                "<a href=\"https://example.com/p?a=1&amp;b=2\" rel=\"external noopener noreferrer\">"))
        #expect(!page.contains("photo/"))
    }

    @Test func `a picture's alternative text is what is said of it, never its title again`() throws {
        let photos = [
            try PublishingSamples.photo(1, title: "Sea", description: "A ship\n& a \"gull\""),
            try PublishingSamples.photo(2, title: "IMG_2.jpg"),
            try PublishingSamples.photo(3, title: "Sky", description: "Long", alt: "A <gull>"),
        ]
        let site = PhotoSite(photos)
        let grid = try site.text(of: .grid(1))
        let said = "alt=\"A ship &amp; a &quot;gull&quot;\""
        #expect(grid.contains(said) && grid.contains("alt=\"\"") && !grid.contains("alt=\"IMG_2.jpg"))
        // The link's name is its caption, which screen readers have to find.
        #expect(!grid.replacing("aria-hidden=\"true\" focusable", with: "").contains("aria-hidden"))
        #expect(try site.text(of: .photo(0)).contains(said) && site.text(of: .feed).contains("A ship"))
        #expect(try site.text(of: .photo(1)).contains("alt=\"\""))
        #expect(grid.contains("alt=\"A &lt;gull&gt;\"") && !grid.contains("alt=\"Long"))
    }

    @Test func `a work of several pages shows them all`() throws {
        let photo = try PublishingSamples.photo(title: "Comic")
        let pages = (0..<3).map {
            PublishedPicture(path: "full/sample_1_p\($0).jpg", size: photo.thumbnail.size, bytes: 9)
        }
        let work = PublishedPhoto(
            entry: photo.entry, name: photo.name, thumbnail: photo.thumbnail, pictures: pages)
        let page = try PhotoSite([work]).text(of: .photo(0))
        #expect(page.components(separatedBy: "<img").count - 1 == 3)
        #expect(page.contains("alt=\"2 of 3\""))
    }

    @Test func `an anchor has no spaces, whatever a photo is called, and the way back leads to it`() throws {
        let photo = try PublishingSamples.photo(title: "Sea")
        let named = PublishedPhoto(
            entry: photo.entry, name: "a b_1", thumbnail: photo.thumbnail, pictures: photo.pictures)
        let site = PhotoSite([named])
        #expect(try site.text(of: .grid(1)).contains("<li id=\"a%20b_1\""))
        #expect(try site.text(of: .photo(0)).contains("href=\"../index.html#a%2520b_1\""))
    }

    @Test(arguments: [
        (16, 16, "r1000 tiny"), (200, 133, "r1504 tiny"), (1000, 300, "r3333 wide"),
        (1024, 205, "r4995 wide"), (300, 60, "r5000 wide tiny"), (600, 400, "r1500"),
    ])
    func `tiny pictures and panoramas have classes of their own`(
        width: Int, height: Int, classes: String
    ) throws {
        let usual = try PublishingSamples.photo(title: "Usual")
        let photos = try [(600, 400), (width, height), (600, 400)].map { width, height in
            let size = try #require(PixelSize(width: width, height: height))
            let picture = PublishedPicture(path: "thumbs/a.jpg", size: size, bytes: 9)
            return PublishedPhoto(
                entry: usual.entry, name: usual.name, thumbnail: picture, pictures: [picture])
        }
        #expect(try PhotoSite(photos).text(of: .grid(1)).contains("class=\"\(classes)\""))
    }

    @Test func `names of any letters make addresses that lead to them`() {
        #expect(PhotoSite.encoded("photo/a b#?%é.html") == "photo/a%20b%23%3F%25%C3%A9.html")
        #expect(PhotoSite.encoded("sample_10-2~a.jpg") == "sample_10-2~a.jpg")
    }

    @Test func `metadata reads back as the same photos, with the site's own files`() throws {
        var options = SiteOptions()
        options.hasMetadata = true
        let photos = try PublishingSamples.catalogue()
        let text = try PhotoSite(photos, options: options).text(of: .metadata)
        let read = try #require(JSONDocument(Data(text.utf8)).root?.elements).compactMap(DescribedPhoto.init)
            .map(\.entry)
        #expect(
            read.map(\.photo.id) == photos.map(\.photo.id) && read.map(\.index) == photos.map(\.entry.index))
        #expect(read.map(\.photo.title) == photos.map(\.photo.title))
        #expect(read.map { $0.photo.full?.url.absoluteString } == photos.map { $0.pictures.first?.path })
        #expect(read.map { $0.photo.thumbnail?.url.absoluteString } == photos.map(\.thumbnail.path))
    }

    @Test func `text stands out from its background as WCAG's AAA asks`() throws {
        let palettes = try Self.palettes()
        // By day; by night as the system asks, and as the reader chooses; by day as chosen, and on paper.
        #expect(palettes.count == 5 && Set(palettes).count == 3)
        let pairs = [
            ("ink", "paper"), ("ink", "raised"), ("soft", "paper"), ("soft", "raised"), ("accent", "paper"),
        ]
        for (palette, (text, background)) in palettes.flatMap({ one in pairs.map { (one, $0) } }) {
            let ratio = try Self.contrast(
                try #require(palette[text]), try #require(palette[background]))
            #expect(ratio >= 7, "\(text) on \(background): \(ratio)")
        }
    }

    /// The colors of each rule of the style sheet that sets them all, by name.
    private static func palettes() throws -> [[String: String]] {
        try Resources.text(of: "style.css").split(separator: "{").compactMap { rule in
            var colors: [String: String] = [:]
            for color in rule.prefix(while: { $0 != "}" }).matches(of: #/--(\w+): (#[0-9a-f]+);/#) {
                let (name, value) = (String(color.1), String(color.2))
                colors[name] =
                    value.count == 4 ? "#" + value.dropFirst().map { "\($0)\($0)" }.joined() : value
            }
            return colors["ink"] == nil ? nil : colors
        }
    }

    /// Source: WCAG 2.2, contrast ratio.
    private static func contrast(_ one: String, _ other: String) throws -> Double {
        func luminance(_ color: String) throws -> Double {
            let number = try #require(Int(color.dropFirst(), radix: 16))
            let parts = [number >> 16, number >> 8 & 255, number & 255].map { part -> Double in
                let value = Double(part) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (first, second) = (try luminance(one) + 0.05, try luminance(other) + 0.05)
        return max(first, second) / min(first, second)
    }
}

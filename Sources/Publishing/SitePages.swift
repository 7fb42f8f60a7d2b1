import Foundation
import GalleryCore
import PictureFiles

struct GridPage {
    let site: PhotoSite
    /// From 1.
    let number: Int

    var markup: SafeMarkup {
        let style = SiteStyle(site: site)
        let head = PageHead(
            site: site, path: site.path(of: .grid(number)), title: documentTitle, description: summary,
            image: site.photos.isEmpty ? nil : site.offsets(onPage: number).first, kind: "website",
            links: PageHead.turns(previous: link(toPage: number - 1), next: link(toPage: number + 1)),
            feed: album == nil ? .feed : .albumFeed(number))
        return head.index(
            of: site.offsets(onPage: number).map { item($0, style) }, called: "photo",
            heading: album?.title ?? site.options.title, crumbs: site.crumbs(),
            hasIntro: number == 1 && album == nil, pageList: pageList)
    }

    private var album: SiteAlbum? { site.album(onPage: number) }

    private var documentTitle: String {
        if let album { return "\(album.title) – \(site.options.title)" }
        return number == 1 ? site.options.title : "\(site.options.title), page \(number)"
    }

    private var summary: String {
        if let album { return PhotoSite.count(album.range.count) }
        let count = PhotoSite.count(site.photos.count)
        return site.gridPages == 1 ? count : "\(count), page \(number) of \(site.gridPages)"
    }

    private func item(_ offset: Int, _ style: SiteStyle) -> SafeMarkup {
        let photo = site.photos[offset]
        let thumbnail = photo.thumbnail
        let isAlone = site.offsets(onPage: number).count == 1
        let size = style.isTiny(photo) ? thumbnail.size : style.displaySize(of: thumbnail.size)
        let image: SafeMarkup = """
            <img src="\(site.link(thumbnail.path))"\(style.sources(of: photo, isAlone: isAlone)) \
            width="\(size.width)" height="\(size.height)" alt="\(photo.alternative)" loading="lazy">
            """
        let credit = [photo.author, photo.license].compactMap(\.self).joined(separator: " · ")
        let brief: SafeMarkup? = site.options.hasPhotoPages ? " brief" : nil
        // Both lines stand on the side where the title begins.
        let caption: SafeMarkup = """
            <span class="caption\(brief)" dir="auto">\
            <span class="title">\(photo.title)</span>\
            <span class="credit"><bdi>\(credit)</bdi></span></span>
            """
        return """
            <li id="\(site.anchor(ofPhoto: offset))" class="\(style.classes(of: photo, isAlone: isAlone))">\(link(photo, offset, around: "\(image)\(caption)"))</li>

            """
    }

    private func link(_ photo: PublishedPhoto, _ offset: Int, around content: SafeMarkup) -> SafeMarkup {
        if site.options.hasPhotoPages {
            return "<a href=\"\(site.link(site.path(of: .photo(offset))))\">\(content)</a>"
        }
        guard let source = photo.source else { return "<div>\(content)</div>" }
        return .link(to: source, around: content)
    }

    // MARK: - Several pages

    private func link(toPage page: Int) -> String? {
        (1...site.gridPages).contains(page) ? site.link(site.path(of: .grid(page))) : nil
    }

    private var pageList: SafeMarkup? {
        guard site.gridPages > 1, album == nil else { return nil }
        let items = (1...site.gridPages).map { page -> SafeMarkup in
            page == number
                ? "<li><span aria-current=\"page\">\(page)</span></li>\n"
                : "<li><a href=\"\(link(toPage: page) ?? "")\">\(page)</a></li>\n"
        }
        return """
            <nav class="pages" aria-label="Pages">
            <ul>
            \(items)\
            </ul>
            </nav>

            """
    }
}

struct PhotoPage {
    let site: PhotoSite
    let offset: Int
    /// The one at that offset, and those beside it.
    private let photo: PublishedPhoto
    private let previous: PublishedPhoto?
    private let next: PublishedPhoto?

    init(site: PhotoSite, offset: Int) {
        (self.site, self.offset) = (site, offset)
        let neighbors = site.neighbors(ofPhoto: offset)
        photo = site.photos[offset]
        previous = neighbors.contains(offset - 1) ? site.photos[offset - 1] : nil
        next = neighbors.contains(offset + 1) ? site.photos[offset + 1] : nil
    }

    var markup: SafeMarkup {
        let head = PageHead(
            site: site, path: site.path(of: .photo(offset)),
            title: "\(PlainText.excerpt(photo.title, limit: 120)) – \(site.options.title)",
            description: photo.credit, image: offset, kind: "article",
            links: PageHead.turns(previous: previous.map(link(to:)), next: next.map(link(to:))))
        return """
            \(head.opening(bodyClass: "photo"))\
            <header class="bar">
            <a class="close" rel="up" href="../\(site.gridLink(ofPhoto: offset))">\
            \(Icon.grid)<span dir="auto">\(album?.title ?? site.options.title)</span></a>
            \(site.crumbs(up: 1))\
            <p class="position">\(offset - neighbors.lowerBound + 1) of \(neighbors.count)</p>
            </header>
            <main id="main">
            <div class="stage">
            \(photo.pictures.enumerated().map(image))\
            </div>
            <nav class="turn" aria-label="Photos">
            \(turn("prev", "Previous", previous, Icon.previous))\
            \(turn("next", "Next", next, Icon.next))\
            </nav>
            <article>
            <div dir="auto">
            <h1>\(photo.title)</h1>
            \(byline)\
            </div>
            \(SafeMarkup.paragraphs(photo.photo.description, class: "description"))\
            \(PhotoFacts(site: site, photo: photo).markup)\
            \(credit)\
            </article>
            </main>
            <footer>
            \(PageTools.markup(site, [site.options.arrows: "Turn to the photo before or after", "Esc": "Go back to all photos"]))\
            </footer>
            \(PageHead.closing)
            """
    }

    private var neighbors: Range<Int> { site.neighbors(ofPhoto: offset) }

    private var album: SiteAlbum? { site.album(onPage: site.page(ofPhoto: offset)) }

    private func image(_ number: Int, _ picture: PublishedPicture) -> SafeMarkup {
        let part = photo.pictures.count > 1 ? "\(number + 1) of \(photo.pictures.count)" : nil
        let words =
            photo.alternative.isEmpty ? part ?? "" : photo.alternative + (part.map { " (\($0))" } ?? "")
        let loading: SafeMarkup = number == 0 ? "" : " loading=\"lazy\""
        let sources = sources(of: photo, number)
        // Their proportions differ by a rounded pixel, which must not move what is below.
        let shape: SafeMarkup? = sources.map {
            "\($0) class=\"\(SiteStyle.ratioClass(of: photo.thumbnail.size))\""
        }
        return """
            <img src="\(site.link(picture.path, up: 1))"\(shape) width="\(picture.size.width)" \
            height="\(picture.size.height)" alt="\(words)"\(loading)>

            """
    }

    private func sources(of photo: PublishedPhoto, _ number: Int, prefix: SafeMarkup = "") -> SafeMarkup? {
        let picture = photo.pictures[number]
        var pictures = [picture, photo.larger[number]].compactMap(\.self)
        // Phones need no more than the grid's largest.
        if number == 0, let small = photo.small.last, small.size.width < picture.size.width,
            abs(small.size.ratio / picture.size.ratio - 1) < 0.02
        {
            pictures.insert(small, at: 0)
        }
        guard pictures.count > 1 else { return nil }
        let ratio = String(format: "%.3f", picture.size.ratio)
        let width = "min(100vw, calc(max(60vh, 100vh - 9.5rem) * \(ratio)))"
        return .sources(pictures, width, prefix: prefix) { site.link($0, up: 1) }
    }

    private func turn(
        _ rel: String, _ word: String, _ photo: PublishedPhoto?, _ icon: SafeMarkup
    ) -> SafeMarkup {
        guard let photo, let picture = photo.pictures.first else { return "<span></span>\n" }
        // The script fetches what it shows ahead.
        return """
            <a class="\(rel)" rel="\(rel)" href="\(link(to: photo))" aria-label="\(word): \(photo.title)" \
            data-src="\(site.link(picture.path, up: 1))"\
            \(sources(of: photo, 0, prefix: "data-"))>\(icon)</a>

            """
    }

    private func link(to photo: PublishedPhoto) -> String { PhotoSite.encoded("\(photo.name).html") }

    // MARK: - Text

    private var byline: SafeMarkup? {
        photo.author.map { name in
            let author: SafeMarkup = "<bdi>\(name)</bdi>"
            let linked = photo.authorPage.map { SafeMarkup.link(to: $0, rel: "author ", around: author) }
            return "<p class=\"byline\"><bdi>by \(linked ?? author)</bdi></p>\n"
        }
    }

    private var credit: SafeMarkup? {
        photo.photo.credit.map { "<p class=\"credits\" dir=\"auto\">\(PlainText.line($0))</p>\n" }
    }
}

/// A page's head, and its body's first tag.
struct PageHead {
    let site: PhotoSite
    let path: String
    let title: String
    let description: String
    /// The photo that stands for the page where a link to it is shared.
    let image: Int?
    /// OpenGraph's type.
    let kind: String
    let links: SafeMarkup
    /// The feed of what it shows.
    var feed = PhotoSite.Document.feed

    /// Links to the pages before and after, for browsers.
    static func turns(previous: String?, next: String?) -> SafeMarkup {
        func link(_ rel: SafeMarkup, _ address: String?) -> SafeMarkup? {
            address.map { "<link rel=\"\(rel)\" href=\"\($0)\">\n" }
        }
        return "\(link("prev", previous))\(link("next", next))"
    }

    static let closing: SafeMarkup = """
        <template id="end"></template>
        </body>
        </html>

        """

    func opening(bodyClass: String) -> SafeMarkup {
        let up = path.split(separator: "/").count - 1
        let direction: SafeMarkup? = site.options.isRightToLeft ? " dir=\"rtl\"" : nil
        // 'self' is the folder where pages are opened from disk. Nothing is painted before the page's end is there: each
        // photo that comes may change its row, and each of the tools moves those before it.
        return """
            <!DOCTYPE html>
            <html lang="\(site.options.language)"\(direction)>
            <head>
            <meta charset="utf-8">
            <meta name="generator" content="gallery">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; \
            style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" \
            content="\(site.options.theme == .auto ? "light dark" : site.options.theme.rawValue)">
            <title>\(title)</title>
            \(openGraph)\
            \(styles(up: up))\
            <link rel="alternate" type="application/atom+xml" title="\(site.options.title)" \
            href="\(site.link(site.path(of: feed), up: up))">
            \(icon(up: up))\(links)\
            <link rel="expect" href="#end" blocking="render">
            <script src="\(site.link("script.js", up: up))"></script>
            </head>
            <body class="\(bodyClass)">
            <a class="skip" href="#main">Skip to the photo\(bodyClass == "photo" ? "" : "s")</a>

            """
    }

    /// A page of cells, which its keys call `name`: photos or albums.
    func index(
        of cells: [SafeMarkup], called name: SafeMarkup, heading: String, crumbs: SafeMarkup? = nil,
        hasIntro: Bool, pageList: SafeMarkup? = nil
    ) -> SafeMarkup {
        """
        \(opening(bodyClass: "index"))\
        <header class="top">
        <div dir="auto">
        \(crumbs)\
        <h1>\(heading)</h1>
        <p class="count"><bdi>\(description)</bdi></p>
        \(hasIntro ? SafeMarkup.paragraphs(site.options.description, class: "intro") : nil)\
        </div>
        \(PageTools.markup(site, [site.options.arrows: "Go from \(name) to \(name)", "Enter": "Open the \(name)"]))\
        </header>
        <main id="main">
        <ul class="\(site.options.columns == nil ? "rows" : "columns")">
        \(cells)\
        </ul>
        \(pageList)\
        </main>
        <footer>
        \(site.credit)\
        <p><a href="\(site.link(site.path(of: feed)))" type="application/atom+xml">Atom feed</a></p>
        </footer>
        \(Self.closing)
        """
    }

    private func styles(up: Int) -> [SafeMarkup] {
        let own: [PhotoSite.Document] = site.options.style == nil ? [] : [.ownStyle]
        return ([.stylesheet, .sizes] + own).map { document in
            "<link rel=\"stylesheet\" href=\"\(site.link(site.path(of: document), up: up))\">\n"
        }
    }

    private func icon(up: Int) -> SafeMarkup? {
        guard !site.icons.isEmpty else {
            return site.photos.first.map {
                "<link rel=\"icon\" href=\"\(site.link($0.thumbnail.path, up: up))\">\n"
            }
        }
        let links = site.icons.map { icon -> SafeMarkup in
            """
            <link rel="icon" type="\(icon.type.mediaType)" sizes="\(icon.size.width)x\(icon.size.height)" \
            href="\(site.link(icon.path, up: up))">

            """
        }
        let large = site.icons.last.map {
            "<link rel=\"apple-touch-icon\" href=\"\(site.link($0.path, up: up))\">\n" as SafeMarkup
        }
        return "\(links)\(large)"
    }

    /// What those who show a link read. They want whole addresses, which only a base gives.
    private var openGraph: SafeMarkup {
        var tags: SafeMarkup = """
            <meta name="description" content="\(description)">
            <meta property="og:type" content="\(kind)">
            <meta property="og:site_name" content="\(site.options.title)">
            <meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(description)">

            """
        guard let address = site.absolute(path) else { return tags }
        tags += """
            <link rel="canonical" href="\(address)">
            <meta property="og:url" content="\(address)">

            """
        guard let image, site.photos.indices.contains(image) else { return tags }
        let photo = site.photos[image]
        let picture = photo.picture(longestEdge: PublishedSizes.shared)
        guard let source = site.absolute(picture.path) else { return tags }
        tags += """
            <meta property="og:image" content="\(source)">
            <meta property="og:image:width" content="\(picture.size.width)">
            <meta property="og:image:height" content="\(picture.size.height)">
            <meta property="og:image:alt" content="\(photo.alternative.isEmpty ? photo.title : photo.alternative)">
            <meta name="twitter:card" content="summary_large_image">

            """
        return tags
    }
}

extension PhotoSite {
    /// The way back to all albums; `nil` on a site without any.
    func crumbs(up: Int = 0) -> SafeMarkup? {
        guard !albums.isEmpty else { return nil }
        return """
            <nav class="crumbs" aria-label="Breadcrumb"><a href="\(link(path(of: .albums), up: up))" \
            dir="auto">\(options.title)</a></nav>

            """
    }

    var credit: SafeMarkup? {
        guard !authors.isEmpty else { return nil }
        let names = authors.prefix(Self.mostAuthors).joined(separator: ", ")
        // As markup: the spaces at the ends of a text do not stay.
        let others: SafeMarkup? = authors.count > Self.mostAuthors ? " and others" : nil
        return "<p class=\"credits\">Photos by <span dir=\"auto\">\(names)</span>\(others)</p>\n"
    }
}

/// What stands beside the heading of every page: its keys, and the choice of colors.
enum PageTools {
    /// - Parameter keys: names of keys by spaces, with what they do.
    static func markup(_ site: PhotoSite, _ keys: KeyValuePairs<String, SafeMarkup>) -> SafeMarkup {
        let shared: KeyValuePairs<String, SafeMarkup> = ["F": "Fill the screen", "?": "Show these keys"]
        let items = (Array(keys) + Array(shared)).map { names, meaning -> SafeMarkup in
            "<li>\(names.split(separator: " ").map { "<kbd>\(String($0))</kbd> " as SafeMarkup })\(meaning)</li>\n"
        }
        return """
            <div class="tools">
            <details class="keys">
            <summary aria-label="Keys">?</summary>
            <ul>
            \(items)\
            </ul>
            </details>
            \(site.options.theme.choice)\
            </div>

            """
    }
}

extension SiteOptions.Theme {
    /// The choice of colors that begins with this one. It works by style alone.
    var choice: SafeMarkup {
        let choices = Self.allCases.map { theme -> SafeMarkup in
            let checked: SafeMarkup? = theme == self ? " checked" : nil
            return """
                <label><input type="radio" name="theme" id="theme-\(theme.rawValue)" value="\(theme.rawValue)"\
                \(checked)><span>\(theme.rawValue.capitalized)</span></label>

                """
        }
        return """
            <fieldset class="theme">
            <legend>Colors</legend>
            \(choices)\
            </fieldset>

            """
    }
}

extension SafeMarkup {
    /// A block of a text's lines as paragraphs; `nil` where there are none.
    static func paragraphs(_ text: String?, class name: SafeMarkup) -> SafeMarkup? {
        let lines = PlainText.lines(text ?? "").filter { !$0.isEmpty }
        guard !lines.isEmpty else { return nil }
        let paragraphs = lines.map { "<p>\($0)</p>\n" as SafeMarkup }
        return "<div class=\"\(name)\" dir=\"auto\">\n\(paragraphs)</div>\n"
    }

    /// Pictures of the same in several widths, and how wide they are shown.
    static func sources(
        _ pictures: [PublishedPicture], _ sizes: String, prefix: SafeMarkup = "", link: (String) -> String
    ) -> SafeMarkup {
        var widths: Set<Int> = []
        let candidates = pictures.filter { widths.insert($0.size.width).inserted }
            .map { "\(link($0.path)) \($0.size.width)w" }.joined(separator: ", ")
        return " \(prefix)srcset=\"\(candidates)\" \(prefix)sizes=\"\(sizes)\""
    }

    /// A link that leaves the site.
    static func link(to url: URL, rel: SafeMarkup = "", around content: SafeMarkup) -> SafeMarkup {
        "<a href=\"\(url.absoluteString)\" rel=\"\(rel)external noopener noreferrer\">\(content)</a>"
    }
}

/// Line drawings that take the color of the text around them.
private enum Icon {
    static let previous = drawing("M15 5l-7 7 7 7")
    static let next = drawing("M9 5l7 7-7 7")
    static let grid = drawing("M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z")

    private static func drawing(_ path: String) -> SafeMarkup {
        """
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">\
        <path d="\(path)" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" \
        stroke-linejoin="round"/></svg>
        """
    }
}

extension PublishedPhoto {
    /// Author and license on one line.
    var credit: String {
        [author.map { "Photo by \($0)" } ?? "Photo", license].compactMap(\.self).joined(separator: ", ")
    }
}

/// A site's one stylesheet.
struct SiteStyle {
    private let site: PhotoSite

    init(_ site: PhotoSite) { self.site = site }

    /// Bytes up to which a full file also serves the grid, on screens that show more than its thumbnail has.
    static let smallFile = 256 << 10

    /// What text, lines, and backgrounds are painted with, by day and by night.
    struct Palette: Hashable, Sendable {
        /// A color as `#RRGGBB`, by the name that the style sheet knows it by.
        let colors: KeyValuePairs<String, String>

        static let light = Palette(colors: [
            "paper": "#FBFAF8", "raised": "#FFFFFF", "ink": "#1D1B19", "soft": "#5F5A54", "line": "#DFDBD4",
            "accent": "#0B57A4",
        ])
        static let dark = Palette(colors: [
            "paper": "#131314", "raised": "#1E1E20", "ink": "#ECEAE6", "soft": "#A9A59E", "line": "#343437",
            "accent": "#8CBDFF",
        ])

        /// Text with the background it stands on.
        static let pairs = [
            ("ink", "paper"), ("ink", "raised"), ("soft", "paper"), ("soft", "raised"), ("accent", "paper"),
        ]

        func color(_ name: String) -> String? { colors.first { $0.key == name }?.value }

        fileprivate var declarations: String {
            colors.map { "  --\($0.key): \($0.value.lowercased());\n" }.joined()
        }

        static func == (left: Palette, right: Palette) -> Bool {
            left.declarations == right.declarations
        }

        func hash(into hasher: inout Hasher) { hasher.combine(declarations) }
    }

    /// The height of the grid's rows in pixels: what the thumbnails have, so that few are enlarged.
    var rowHeight: Int {
        let heights = site.photos.map { photo in
            let full = photo.pictures.first { $0.bytes <= Self.smallFile }
            return max(photo.thumbnail.size.height, full?.size.height ?? 0)
        }.sorted()
        return heights.isEmpty ? 240 : min(240, max(160, heights[heights.count / 2]))
    }

    /// The size at which a picture stands in a row before the row is justified.
    static func displaySize(of size: PixelSize, rowHeight: Int) -> PixelSize {
        let width = JustifiedRows.width(of: size, height: rowHeight)
        return PixelSize(width: width, height: rowHeight) ?? size
    }

    /// The class of pictures in these proportions. Inline styles are what the page's policy forbids.
    static func ratioClass(of size: PixelSize) -> String { "r\(thousandths(of: size))" }

    /// Proportions beyond 1:4 and 6:1 are shown with bars, by those two classes.
    private static func thousandths(of size: PixelSize) -> Int {
        min(6000, max(250, Int((size.ratio * 1000).rounded())))
    }

    var text: String {
        let ratios = Set(site.photos.map { Self.thousandths(of: $0.thumbnail.size) }).sorted()
        return Self.themes + Self.page + grid + Self.photo + Self.print
            + ratios.map { ".r\($0) { --ratio: \(Self.decimal($0)); }\n" }.joined()
    }

    private static func decimal(_ thousandths: Int) -> String {
        let digits = String(thousandths % 1000)
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)"
    }

    private var grid: String {
        let columns = site.options.columns.map { "  --columns: \($0);\n" } ?? ""
        return ":root {\n  --row: \(rowHeight)px;\n\(columns)}\n" + Self.grid
    }
}

// MARK: - The parts

extension SiteStyle {
    /// The reader's system decides, then the site's theme, then the reader: by the switch, or by what the
    /// script remembers of it.
    private static var themes: String {
        """
        :root {
          color-scheme: light dark;
        \(Palette.light.declarations)}
        @media (prefers-color-scheme: dark) {
          :root {
        \(Palette.dark.declarations)  }
        }
        :root[data-theme=light], :root:not([data-theme]):has(#theme-light:checked) {
          color-scheme: light;
        \(Palette.light.declarations)}
        :root[data-theme=dark], :root:not([data-theme]):has(#theme-dark:checked) {
          color-scheme: dark;
        \(Palette.dark.declarations)}

        """
    }

    private static let page = """
        *, ::before, ::after { box-sizing: border-box; }
        /* A swipe turns the photo, and must not also go back in the history. */
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; overscroll-behavior-x: none; }
        body {
          margin: 0;
          min-height: 100vh;
          background: var(--paper);
          color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          overflow-wrap: anywhere;
        }
        h1 {
          margin: 0;
          font-family: ui-serif, "New York", "Iowan Old Style", Palatino, "Palatino Linotype", Charter,
            "Bitstream Charter", Georgia, "DejaVu Serif", serif;
          font-weight: 500;
          line-height: 1.15;
          letter-spacing: -0.012em;
          text-wrap: balance;
        }
        p, dl, dd, ul { margin: 0; padding: 0; }
        a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
        a:hover { text-decoration-thickness: 2px; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
        .top, .bar {
          display: flex;
          flex-wrap: wrap;
          align-items: flex-end;
          justify-content: space-between;
          gap: 1rem 2rem;
        }
        .top { padding: clamp(1.5rem, 5vw, 4rem) clamp(1rem, 4vw, 4rem) clamp(1.25rem, 2.5vw, 2.25rem); }
        .top h1 { font-size: clamp(2rem, 1.4rem + 2.4vw, 3.5rem); }
        .count { margin-top: 0.5rem; color: var(--soft); font-variant-numeric: tabular-nums; }
        .theme {
          display: flex;
          margin: 0;
          padding: 2px;
          border: 1px solid var(--line);
          border-radius: 999px;
          font-size: 0.8125rem;
        }
        .theme legend, .theme input {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
          white-space: nowrap;
        }
        .theme label { position: relative; cursor: pointer; }
        .theme span { display: block; padding: 0.3rem 0.8rem; border-radius: 999px; color: var(--soft); }
        .theme label:hover span { color: var(--ink); }
        .theme :checked + span { background: var(--line); color: var(--ink); }
        .theme :focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }
        footer { padding: 0 clamp(1rem, 4vw, 4rem) 3rem; font-size: 0.875rem; }

        """

    private static let grid = """
        .index main { padding: 0 clamp(1rem, 4vw, 4rem) clamp(2rem, 4vw, 4rem); }
        main > ul { --gap: clamp(6px, 0.8vw, 12px); gap: var(--gap); list-style: none; }
        .rows { display: flex; flex-wrap: wrap; }
        .rows > li {
          --height: min(var(--row), max(6.5rem, 24vw));
          flex: var(--ratio) 1 calc(var(--ratio) * var(--height));
          max-width: 100%;
        }
        .rows::after { content: ""; flex: 1000000 0 0; }
        .columns {
          display: grid;
          grid-template-columns: repeat(auto-fill, minmax(
            max(6rem, calc((100% - (var(--columns) - 1) * var(--gap)) / var(--columns) - 0.1px)), 1fr));
          align-items: center;
        }
        main > ul a, main > ul div { position: relative; display: block; color: #fff; }
        main > ul img {
          display: block;
          width: 100%;
          height: auto;
          aspect-ratio: var(--ratio);
          object-fit: cover;
          background: var(--line);
          border-radius: 2px;
        }
        .r250 img, .r6000 img { object-fit: contain; }
        li:target > a { outline: 3px solid var(--accent); outline-offset: 3px; }
        .caption {
          position: absolute;
          inset: auto 0 0;
          padding: 2.5rem 0.75rem 0.6rem;
          border-radius: 0 0 2px 2px;
          background: linear-gradient(transparent, rgb(0 0 0 / 45%) 35%, rgb(0 0 0 / 85%));
          color: #fff;
          font-size: 0.8125rem;
          line-height: 1.35;
          pointer-events: none;
        }
        .caption span { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
        .title { font-weight: 600; }
        a > .caption[aria-hidden] { opacity: 0; }
        a:hover > .caption, a:focus-visible > .caption { opacity: 1; }
        @media (prefers-reduced-motion: no-preference) {
          .caption { transition: opacity 0.15s; }
        }
        .pages { margin-top: 2.5rem; }
        .pages ul { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; }
        .pages a, .pages span {
          display: block;
          min-width: 2.75rem;
          padding: 0.5rem 0.75rem;
          border: 1px solid var(--line);
          border-radius: 4px;
          text-align: center;
          text-decoration: none;
          font-variant-numeric: tabular-nums;
        }
        .pages span { background: var(--raised); color: var(--ink); font-weight: 600; }

        """

    private static let photo = """
        .bar { align-items: center; padding: 0.75rem clamp(1rem, 3vw, 2rem); gap: 0.5rem 1.5rem; }
        .close {
          display: flex;
          flex: 1;
          align-items: center;
          gap: 0.6rem;
          min-width: 9rem;
          min-height: 2.75rem;
          color: var(--ink);
          text-decoration: none;
        }
        .close span { overflow: hidden; max-width: 24rem; white-space: nowrap; text-overflow: ellipsis; }
        .close:hover span { text-decoration: underline; }
        .close svg { flex: none; color: var(--soft); }
        .position { color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
        .photo footer { position: absolute; top: 0.75rem; right: clamp(1rem, 3vw, 2rem); padding: 0.3rem 0; }
        .photo .position { margin-right: 14rem; }
        .photo main {
          display: grid;
          grid-template: "previous stage next" auto "text text text" auto / 4.5rem minmax(0, 1fr) 4.5rem;
        }
        .stage {
          grid-area: stage;
          display: grid;
          gap: 1.5rem;
          align-content: center;
          justify-items: center;
          min-height: min(32rem, calc(100vh - 13rem));
          min-height: min(32rem, calc(100svh - 13rem));
        }
        .stage img {
          display: block;
          max-width: 100%;
          height: auto;
          max-height: calc(100vh - 9.5rem);
          max-height: calc(100svh - 9.5rem);
          object-fit: contain;
        }
        .turn { display: contents; }
        .turn a {
          display: grid;
          place-items: center;
          align-self: stretch;
          min-height: 4rem;
          color: var(--soft);
          text-decoration: none;
        }
        .turn a:hover { color: var(--ink); }
        .turn a:focus-visible { outline-offset: -6px; }
        .turn svg { width: 2rem; height: 2rem; }
        .turn :first-child { grid-area: previous; }
        .turn :last-child { grid-area: next; }
        article {
          grid-area: text;
          width: 100%;
          max-width: 44rem;
          margin: 0 auto;
          padding: 1.75rem clamp(1rem, 4vw, 2rem) 4rem;
        }
        article h1 { font-size: clamp(1.5rem, 1.25rem + 1vw, 2.125rem); }
        .byline { margin-top: 0.35rem; color: var(--soft); }
        .description { margin-top: 1.25rem; max-width: 38rem; }
        .description p + p { margin-top: 0.75rem; }
        dl {
          display: grid;
          grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
          gap: 1rem 1.5rem;
          margin-top: 1.5rem;
          padding-top: 1.25rem;
          border-top: 1px solid var(--line);
          font-size: 0.875rem;
        }
        dt { color: var(--soft); }
        @media (max-width: 40rem) {
          .photo main { grid-template: "stage stage" auto "previous next" auto "text text" auto / 1fr 1fr; }
          .photo .position { margin-right: 0; }
          .photo footer { position: static; display: grid; justify-content: center; padding: 0 1rem 2rem; }
          article { padding-bottom: 2rem; }
          .stage { min-height: 0; }
          .stage img { max-height: calc(100vh - 12rem); max-height: calc(100svh - 12rem); }
          .turn a { border-bottom: 1px solid var(--line); }
          .turn a + a { border-left: 1px solid var(--line); }
        }

        """

    private static let print = """
        @media print {
          :root, :root:has(input) {
            color-scheme: light;
        \(Palette.light.declarations)    --paper: #fff;
          }
          .theme, .turn, .pages, footer, .close svg { display: none; }
          .top { padding: 0 0 1.5rem; }
          .index main { padding: 0; }
          .rows > li { --height: 4.2cm; break-inside: avoid; }
          main > ul a, main > ul div { color: #000; text-decoration: none; }
          .caption, a > .caption[aria-hidden] {
            position: static;
            padding: 0.2rem 0 0.5rem;
            background: none;
            color: #000;
            font-size: 8pt;
            opacity: 1;
          }
          .photo main { display: block; }
          .stage { min-height: 0; }
          .stage img { max-height: 17cm; break-inside: avoid; }
          article { max-width: none; padding: 1rem 0 0; break-inside: avoid; }
        }

        """
}

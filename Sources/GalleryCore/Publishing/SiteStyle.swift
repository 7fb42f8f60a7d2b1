import Foundation

/// A site's one style sheet: the installed `style.css`, then what depends on the site's photos.
struct SiteStyle {
    let site: PhotoSite

    /// Bytes up to which the file of a photo's page also serves the grid.
    static let smallFile = 256 << 10

    /// The height of rows that `style.css` itself has on the narrowest and on the widest screens, in pixels.
    private static let rowHeights = 240...420

    /// The height that the grid's rows have at most, in pixels: what the pictures have, so that few are enlarged.
    let highestRow: Int

    /// The style of `site`.
    init(site: PhotoSite) {
        self.site = site
        let heights = site.photos.map { photo in photo.small.last?.size.height ?? 0 }.sorted()
        let highest = Self.rowHeights.upperBound
        highestRow = heights.isEmpty ? highest : min(highest, max(160, heights[heights.count / 2]))
    }

    /// The height of the grid's rows on the narrowest screens.
    var rowHeight: Int { min(highestRow, Self.rowHeights.lowerBound) }

    /// The height of rows as `style.css` has it, for attributes that cannot ask it.
    var rowLength: String { "min(\(highestRow)px, clamp(240px, 210.5px + 8.182vw, 420px))" }

    /// The classes of a photo's cell.
    func classes(of photo: PublishedPhoto) -> SafeMarkup {
        let ratio = photo.thumbnail.size.ratio
        let wide: SafeMarkup? = ratio >= Self.panorama ? " wide" : nil
        let tiny: SafeMarkup? = isTiny(photo) ? " tiny" : nil
        return "\(Self.ratioClass(of: photo.thumbnail.size))\(wide)\(tiny)"
    }

    /// Whether a photo has too few pixels for a row: it is shown as it is.
    func isTiny(_ photo: PublishedPhoto) -> Bool {
        2 * (photo.small.last?.size.height ?? 0) < highestRow
    }

    /// Width by height of what has a row of its own.
    private static let panorama = 2.6

    /// How wide a picture is shown that the grid has alone, in pixels; `nil` where it is not alone.
    var ownWidth: Int? {
        guard site.photos.count == 1, let photo = site.photos.first else { return nil }
        return (photo.pictures + photo.small).map(\.size.width).max()
    }

    /// The size at which a picture stands in a row before the row is justified.
    static func displaySize(of size: PixelSize, rowHeight: Int) -> PixelSize {
        PixelSize(width: max(1, Int((size.ratio * Double(rowHeight)).rounded())), height: rowHeight) ?? size
    }

    /// The class of pictures in these proportions. Inline styles are what the page's policy forbids.
    static func ratioClass(of size: PixelSize) -> String { "r\(thousandths(of: size))" }

    /// Proportions beyond 1:4 and 6:1 are shown with bars, by those two classes.
    private static func thousandths(of size: PixelSize) -> Int {
        min(6000, max(250, Int((size.ratio * 1000).rounded())))
    }

    func text() throws(MissingResource) -> String {
        let ratios = Set(site.photos.map { Self.thousandths(of: $0.thumbnail.size) }).sorted()
        let row = highestRow == Self.rowHeights.upperBound ? "" : ":root { --most: \(highestRow)px; }\n"
        let own = ownWidth.map { ":root { --own: \($0)px; }\n" } ?? ""
        let columns = site.options.columns.map { ":root { --columns: \($0); }\n" } ?? ""
        return try Resources.text(of: "style.css") + row + own + columns
            + ratios.map { ".r\($0) { --ratio: \(String(format: "%.3f", Double($0) / 1000)); }\n" }.joined()
    }
}

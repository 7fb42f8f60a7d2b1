import Foundation

/// A site's one style sheet: the installed `style.css`, then what depends on the site's photos.
struct SiteStyle {
    let site: PhotoSite

    /// Bytes up to which the file of a photo's page also serves the grid.
    static let smallFile = 256 << 10

    /// The height of rows that `style.css` itself has, in pixels.
    private static let usualRowHeight = 240

    /// The height of the grid's rows in pixels: what the thumbnails have, so that few are enlarged.
    var rowHeight: Int {
        let heights = site.photos.map { photo in photo.small.last?.size.height ?? 0 }.sorted()
        return heights.isEmpty
            ? Self.usualRowHeight : min(Self.usualRowHeight, max(160, heights[heights.count / 2]))
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
        let row = rowHeight == Self.usualRowHeight ? "" : ":root { --row: \(rowHeight)px; }\n"
        let columns = site.options.columns.map { ":root { --columns: \($0); }\n" } ?? ""
        return try Resources.text(of: "style.css") + row + columns
            + ratios.map { ".r\($0) { --ratio: \(String(format: "%.3f", Double($0) / 1000)); }\n" }.joined()
    }
}

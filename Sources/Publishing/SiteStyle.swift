import Basics
import Foundation

/// A site's style sheets: the installed `style.css`, which its owner may change, and what depends on its photos.
struct SiteStyle {
    let site: PhotoSite

    /// Bytes up to which the file of a photo's page also serves the grid.
    static let smallFile = 256 << 10

    /// The height of rows that `style.css` itself has on the narrowest and on the widest screens, in pixels.
    private static let rowHeights = 240...420

    /// The height that the grid's rows have at most, in pixels: what the pictures have, so that few are enlarged.
    static func highestRow(for photos: PhotoShelf) -> Int {
        let highest = rowHeights.upperBound
        return photos.middleHeight.map { min(highest, max(160, $0)) } ?? highest
    }

    /// The height of the grid's rows on the narrowest screens.
    var rowHeight: Int { min(site.highestRow, Self.rowHeights.lowerBound) }

    /// The classes of a photo's cell.
    ///
    /// - Parameter isAlone: Whether its page has no other.
    func classes(of photo: PublishedPhoto, isAlone: Bool) -> SafeMarkup {
        let ratio = photo.thumbnail.size.ratio
        let wide: SafeMarkup? = ratio >= Self.panorama ? " wide" : nil
        let tiny: SafeMarkup? = isTiny(photo) ? " tiny" : nil
        let own: SafeMarkup? = isAlone ? " own\(Self.ownWidth(of: photo))" : nil
        return "\(Self.ratioClass(of: photo.thumbnail.size))\(wide)\(tiny)\(own)"
    }

    /// Whether a photo has too few pixels for a row, or a panorama for one of its own: it is shown as it is.
    func isTiny(_ photo: PublishedPhoto) -> Bool {
        guard let size = photo.small.last?.size else { return true }
        return 2 * size.height < site.highestRow && 2 * size.width < 3 * site.highestRow
    }

    /// Width by height of what has a row of its own.
    private static let panorama = 2.6

    /// How wide a picture is shown at most that its page has alone, in pixels.
    private static func ownWidth(of photo: PublishedPhoto) -> Int {
        (photo.pictures + photo.small).map(\.size.width).max() ?? photo.thumbnail.size.width
    }

    /// Those of such pictures.
    private var ownWidths: [Int] {
        let pages = (1...site.gridPages).map(site.offsets).filter { $0.count == 1 }
        let cover = site.albums.count == 1 ? [0] : []
        return Set((pages.map(\.lowerBound) + cover).map { Self.ownWidth(of: site.photos[$0]) }).sorted()
    }

    /// The grid's pictures with their widths, and how wide they are shown: as the layout says, for browsers that ask
    /// it, else about what `style.css` makes of it before a row is justified.
    func sources(of photo: PublishedPhoto, isAlone: Bool) -> SafeMarkup? {
        var pictures = photo.small
        let columns = site.options.columns
        let ratio = photo.thumbnail.size.ratio
        // One alone, very wide ones, and those of few columns, are shown larger than any that is meant for the grid.
        if columns.map({ $0 < 3 }) ?? (ratio > 2 || isAlone), let page = photo.pictures.first,
            page.size.width > pictures.last?.size.width ?? 0
        {
            pictures.append(page)
        }
        guard pictures.count > 1 else { return nil }
        // The height of rows as `style.css` has it, for attributes that cannot ask it.
        let height = "min(\(site.highestRow)px, clamp(240px, 210.5px + 8.182vw, 420px))"
        let width =
            columns.map { "max(96px, \(92 / $0)vw)" }
            ?? (isAlone
                ? "min(100vw, \(Self.ownWidth(of: photo))px)"
                : "min(100vw, calc(\(String(format: "%.3f", ratio)) * \(height)))")
        return .sources(pictures, "auto, \(width)") { site.link($0) }
    }

    /// The size at which a picture stands in a row before the row is justified.
    func displaySize(of size: PixelSize) -> PixelSize {
        PixelSize(width: max(1, Int((size.ratio * Double(rowHeight)).rounded())), height: rowHeight) ?? size
    }

    /// The class of pictures in these proportions. Inline styles are what the page's policy forbids.
    static func ratioClass(of size: PixelSize) -> String { "r\(thousandths(of: size))" }

    /// Proportions beyond 1:4 and 6:1 are shown with bars, by those two classes.
    static func thousandths(of size: PixelSize) -> Int {
        min(6000, max(250, Int((size.ratio * 1000).rounded())))
    }

    /// What depends on the photos.
    var sizes: String {
        let highest = site.highestRow
        let row = highest == Self.rowHeights.upperBound ? "" : ":root { --most: \(highest)px; }\n"
        let own = ownWidths.map { ".own\($0) { --own: \($0)px; }\n" }.joined()
        let columns = site.options.columns.map { ":root { --columns: \($0); }\n" } ?? ""
        return row + own + columns
            + Set(site.photos.lazy.map { Self.thousandths(of: $0.thumbnail.size) }).sorted().map { ratio in
                ".r\(ratio) { --ratio: \(String(format: "%.3f", Double(ratio) / 1000)); }\n"
            }.joined()
    }
}

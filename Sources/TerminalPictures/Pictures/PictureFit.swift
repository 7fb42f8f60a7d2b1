import Basics

/// How large a picture becomes in a box: whole cells, in the picture's own aspect. Whole, because terminals stretch a
/// picture over the cells they are told, or leave the rest of a cell in another color than the theme's. Cells are
/// small, so there is nearly always a size within 2 % of the aspect; extreme pictures get the nearest one.
package struct PictureFit: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
    /// Pixels of those cells.
    package let width: Int
    package let height: Int
    /// Whether those are the picture's own, one for one, where they need not fill the cells.
    let isExact: Bool

    /// How much smaller than the box a picture may become for the sake of its aspect.
    private static let leastShare = 0.88
    /// The deviation from the aspect that is not noticeable.
    private static let tolerance = 0.02

    /// The largest size of a picture's aspect in `box`; small pictures are enlarged.
    package init(_ size: PixelSize, in box: PictureBox, cell: CellSize) {
        let (most, high) = (max(1, box.columns), max(1, box.rows))
        // Columns for each row of this picture.
        let ratio = Double(size.width) * Double(cell.height) / (Double(size.height) * Double(cell.width))
        // Whichever side has fewer cells for the picture decides: it is the one that rounding hurts.
        let byRows = ratio >= 1
        let largest =
            byRows ? min(Double(high), Double(most) / ratio) : min(Double(most), Double(high) * ratio)
        var best = (columns: 1, rows: 1, deviation: Double.infinity)
        let least = max(1, Int(largest * Self.leastShare))
        for count in stride(from: max(1, Int(largest.rounded())), through: least, by: -1) {
            let other = Double(count) * (byRows ? ratio : 1 / ratio)
            let columns = byRows ? min(most, max(1, Int(other.rounded()))) : min(most, count)
            let rows = byRows ? min(high, count) : min(high, max(1, Int(other.rounded())))
            let found = Double(columns) / Double(rows) / ratio
            let deviation = max(found, 1 / found) - 1
            if deviation < best.deviation - 0.001 { best = (columns, rows, deviation) }
            if best.deviation <= Self.tolerance { break }
        }
        self.init(columns: best.columns, rows: best.rows, cell: cell)
    }

    /// The size in a box that was made for the photo already, if the picture's aspect is about that; else the
    /// largest size in it. A photo with fewer pixels than the box is not enlarged.
    package init(_ size: PixelSize, inFitted box: PictureBox, cell: CellSize) {
        if let natural = box.natural {
            let whole = PictureFit(columns: natural.columns, rows: natural.rows, cell: cell)
            let isExact =
                (0..<cell.width).contains(whole.width - size.width)
                && (0..<cell.height).contains(whole.height - size.height)
            let room = PictureBox(columns: whole.columns, rows: whole.rows)
            self =
                isExact
                ? PictureFit(columns: whole.columns, rows: whole.rows, cell: cell, exactly: size)
                : PictureFit(size, in: room, cell: cell)
            return
        }
        let whole = PictureFit(columns: box.columns, rows: box.rows, cell: cell)
        let found = Double(whole.width) * Double(size.height) / (Double(whole.height) * Double(size.width))
        self = box.isFitted && max(found, 1 / found) < 1.04 ? whole : PictureFit(size, in: box, cell: cell)
    }

    init(columns: Int, rows: Int, cell: CellSize, exactly size: PixelSize? = nil) {
        (self.columns, self.rows) = (columns, rows)
        width = size?.width ?? columns * cell.width
        height = size?.height ?? rows * cell.height
        isExact = size != nil
    }

    func limited(toPixels most: Int) -> Chafa.Size { Self.limited((width, height), toPixels: most) }

    static func limited(_ size: Chafa.Size, toPixels most: Int) -> Chafa.Size {
        let scale = min(1, (Double(most) / (Double(size.width) * Double(size.height))).squareRoot())
        return (max(1, Int(Double(size.width) * scale)), max(1, Int(Double(size.height) * scale)))
    }

    /// This size within a limit of pixels that are not scaled: fewer cells where it is exceeded.
    func limited(to limit: PixelSize, cell: CellSize) -> PictureFit {
        let pixels = Double(width) * Double(height)
        let scale = min(
            1, Double(limit.width) / Double(width), Double(limit.height) / Double(height),
            (Double(SixelLimit.mostPixels) / pixels).squareRoot())
        guard scale < 1, let size = PixelSize(width: width, height: height) else { return self }
        let box = PictureBox(
            columns: max(1, Int(Double(columns) * scale)), rows: max(1, Int(Double(rows) * scale)))
        return PictureFit(size, in: box, cell: cell)
    }
}

package struct Viewport: Hashable, Sendable {
    /// How much larger than the whole picture each step shows it.
    static let factors = [1, 1.5, 2, 3, 4, 6, 8]

    /// How much larger than the whole picture it is shown, from 1.
    package private(set) var factor = 1.0
    /// The middle of the part, as shares of the picture's width and height.
    private(set) var x = 0.5
    private(set) var y = 0.5

    /// All of the picture.
    package init() {}

    package var isZoomed: Bool { factor > 1 }

    /// Zooms in or out by so many steps; false at an end. If the whole picture `isPixelated`, shown pixel by pixel,
    /// only whole multiples are sharp.
    package mutating func zoom(by count: Int, isPixelated: Bool = false) -> Bool {
        let steps = Self.factors.filter { !isPixelated || $0 == $0.rounded() }
        let next = count > 0 ? steps.firstIndex { $0 > factor } : steps.lastIndex { $0 < factor }
        guard let next else { return false }
        return show(at: steps[min(max(0, next + count - count.signum()), steps.count - 1)])
    }

    /// Shows it so many times larger; false if it is shown so already.
    package mutating func show(at factor: Double) -> Bool {
        let former = self.factor
        self.factor = max(1, factor)
        return self.factor != former
    }

    /// Shows the whole picture; false if it is shown already.
    package mutating func reset() -> Bool {
        defer { self = Viewport() }
        return isZoomed
    }

    /// Shows the same part of the picture turned clockwise by so many quarters.
    package mutating func turn(by quarters: Int) {
        for _ in 0..<((quarters % 4 + 4) % 4) { (x, y) = (1 - y, x) }
    }

    /// Moves the part by quarters of the `visible` shares, up to the picture's edges; false if it is there already.
    package mutating func pan(right: Int, down: Int, visible: (width: Double, height: Double)) -> Bool {
        let former = self
        x = Self.middle(x, visible.width, Double(right) / 4)
        y = Self.middle(y, visible.height, Double(down) / 4)
        return self != former
    }

    /// A middle that keeps the visible share within the picture, moved by a share of what is visible.
    private static func middle(_ middle: Double, _ visible: Double, _ move: Double) -> Double {
        let range = visible / 2...max(visible / 2, 1 - visible / 2)
        let start = min(max(middle, range.lowerBound), range.upperBound)
        return min(max(start + move * visible, range.lowerBound), range.upperBound)
    }

    /// The visible shares of a picture's width and height; without a `size`, the least that they can be.
    package func visible(of size: PixelSize?, in box: PictureBox, cell: CellSize) -> (
        width: Double, height: Double
    ) {
        guard let size else { return (1 / factor, 1 / factor) }
        let view = PictureView(of: size, through: self, in: box, cell: cell)
        return (view.width, view.height)
    }
}

struct PictureView: Hashable, Sendable {
    let columns: Int
    let rows: Int
    /// The part, as shares of the picture.
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    init(of size: PixelSize, through viewport: Viewport, in box: PictureBox, cell: CellSize) {
        let fit = PictureFit(size, inFitted: box, cell: cell)
        var whole = (
            columns: Double(fit.width) / Double(cell.width) * viewport.factor,
            rows: Double(fit.height) / Double(cell.height) * viewport.factor
        )
        // A few cells are not cut for the sake of a whole number.
        if fit.isExact { whole = (whole.columns.rounded(.up), whole.rows.rounded(.up)) }
        columns = max(1, min(box.columns, Int(whole.columns.rounded(.down))))
        rows = max(1, min(box.rows, Int(whole.rows.rounded(.down))))
        width = min(1, Double(columns) / whole.columns)
        height = min(1, Double(rows) / whole.rows)
        x = min(max(0, viewport.x - width / 2), 1 - width)
        y = min(max(0, viewport.y - height / 2), 1 - height)
    }

    func source(width pixels: Int, height lines: Int) -> (x: Int, y: Int, width: Int, height: Int) {
        func side(_ start: Double, _ share: Double, _ count: Int) -> (start: Int, count: Int) {
            let length = min(count, max(1, Int((share * Double(count)).rounded())))
            return (min(count - length, Int((start * Double(count)).rounded())), length)
        }
        let (across, down) = (side(x, width, pixels), side(y, height, lines))
        return (across.start, down.start, across.count, down.count)
    }
}

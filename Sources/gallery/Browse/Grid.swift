import GalleryCore

/// Where the grid stands.
struct GridCell: Hashable, Sendable {
    /// The index of the selected photo.
    var selected = 1
    /// The first row in view, from 0.
    var top = 0
    /// How far keys have led beyond the last photo that has come, and how many had come then.
    var overshoot = 0
    var known = 0
    /// What `--columns` says.
    var columns: Int?
}

/// How many cells fit, and how large they are: arithmetic.
struct GridShape: Hashable, Sendable {
    let columns: Int
    /// Rows in view.
    let rows: Int
    /// Characters a cell, the space to its right among them.
    let width: Int
    /// Lines a cell.
    let height: Int

    /// Where nobody says how many columns, cells are at least so wide.
    private static let comfortable = 24
    /// Two lines of a picture, and its title.
    private static let leastHeight = 3

    /// A grid in `size`, with or without pictures in its cells.
    init(in size: Frame.Size, columns wanted: Int?, paints: Bool) {
        let most = max(1, size.columns / 8)
        columns = min(most, max(1, wanted ?? size.columns / Self.comfortable))
        width = size.columns / columns
        let room = size.rows - 2
        guard paints else {
            height = 2
            rows = max(1, room / height)
            return
        }
        // A character is about twice as high as it is wide, a picture a bit wider than high. So many rows as
        // come nearest to that, and each a bit higher or lower, so that they fill the window.
        let best = width * 3 / 8 + 1
        rows = max(1, min((room * 2 + best) / (best * 2), room / Self.leastHeight))
        height = max(Self.leastHeight, room / rows)
    }

    /// The first row in view, so that the photo at `place` of `count` is among the rows.
    func top(for place: Int, from top: Int, count: Int) -> Int {
        let row = place / columns
        let last = max(0, (count + columns - 1) / columns - rows)
        return min(max(0, min(max(top, row - rows + 1), row)), last)
    }
}

extension BrowseModel {
    var gridShape: GridShape { GridShape(in: size, columns: grid.columns, paints: paints) }

    /// Photos in view, then those about to scroll in: in this order their thumbnails are wanted.
    var thumbnailsWanted: [IndexedPhoto] {
        guard mode == .grid, paints else { return [] }
        let shape = gridShape
        let first = grid.top * shape.columns
        return Array(cursor.run.dropFirst(first).prefix((shape.rows + 1) * shape.columns))
    }
}

import Foundation
import GalleryCore

/// The selection and scroll position of the grid.
struct GridCell: Hashable, Sendable {
    /// The selected photo's index.
    var selected = 1
    /// The first visible row, from 0.
    var top = 0
    /// How far keys have led beyond the last loaded photo, and how many were loaded then.
    var overshoot = 0
    var known = 0
    /// The value of `--columns`.
    var columns: Int?
}

/// How many cells fit, and how large they are.
struct GridShape: Hashable, Sendable {
    let columns: Int
    /// Visible rows.
    let rows: Int
    /// Columns of a cell, including the gap.
    let width: Int
    /// Lines of a cell.
    let height: Int

    /// The least width of a cell, unless `--columns` is given.
    private static let comfortable = 24
    /// Two lines of picture and one of title.
    private static let leastHeight = 3
    /// Whether there is room for a frame around the selected cell: a line above and below each row.
    let isFramed: Bool

    /// The grid for a window, with or without pictures.
    init(in size: Frame.Size, columns wanted: Int?, paints: Bool) {
        let most = max(1, size.columns / 8)
        columns = min(most, max(1, wanted ?? size.columns / Self.comfortable))
        width = size.columns / columns
        var room = size.rows - 2
        isFramed = paints && room >= 2 * Self.leastHeight && width >= 8
        guard paints else {
            height = 2
            rows = max(1, room / height)
            return
        }
        // A character is about twice as high as wide, and a picture a bit wider than high. Take the number of
        // rows that comes nearest to that, and stretch the rows to fill the window.
        let least = isFramed ? Self.leastHeight + 1 : Self.leastHeight
        if isFramed { room -= 1 }
        let best = width * 3 / 8 + (isFramed ? 0 : 1)
        rows = max(1, min((room * 2 + best) / (best * 2), room / least))
        height = max(least, room / rows)
    }

    /// The first line of a row of cells, from 0: with a frame, the line of its upper edge.
    func line(ofRow row: Int) -> Int { 1 + row * height }

    /// The offset of the cell under a position of the screen, from the first visible one.
    func offset(at position: CellPosition) -> Int? {
        let (row, column) = ((position.row - 2) / height, (position.column - 1) / width)
        guard position.row > 1, row < rows, column < columns else { return nil }
        return row * columns + column
    }

    /// The first visible row that keeps the photo at `offset`, of `count`, in view.
    func top(for offset: Int, from top: Int, count: Int) -> Int {
        let row = offset / columns
        let last = max(0, (count + columns - 1) / columns - rows)
        return min(max(0, min(max(top, row - rows + 1), row)), last)
    }
}

extension BrowseModel {
    var gridShape: GridShape { GridShape(in: size, columns: grid.columns, paints: paints) }

    /// The photos whose thumbnails are wanted: those in view, then those about to scroll in.
    ///
    /// Outside the grid, those of the current photo and of its neighbors.
    var thumbnailsWanted: [IndexedPhoto] {
        guard paints else { return [] }
        guard mode == .grid else {
            guard let here = cursor.run.firstIndex(where: { $0.index == cursor.current?.index }) else {
                return cursor.current.map { [$0] } ?? []
            }
            return [here, here + 1, here + 2, here - 1].filter(cursor.run.indices.contains).map {
                cursor.run[$0]
            }
        }
        let shape = gridShape
        let first = grid.top * shape.columns
        return Array(cursor.run.dropFirst(first).prefix((shape.rows + 1) * shape.columns))
    }
}

extension BrowseModel {
    /// The thumbnails to load, and how.
    var thumbnailWish: ThumbnailLoader.Wish {
        let photos = thumbnailsWanted
        let shape = gridShape
        let edge = max(shape.width * resolution.width, shape.height * resolution.height)
        let isOwn = photos.first?.photo.ownFile != nil
        guard mode != .grid else {
            let cores = ProcessInfo.processInfo.activeProcessorCount
            return isOwn
                ? .init(photos: photos, edge: edge, atOnce: 8 * cores, together: 8)
                : .init(photos: photos, edge: edge)
        }
        // One that stands in for a file of this machine must not keep it waiting.
        return .init(photos: photos, edge: min(edge, 256), atOnce: isOwn ? 1 : 6)
    }

    func drawGrid(_ frame: inout Frame) {
        let right = [Frame.Span(position(grid.selected))]
        frame.put(left: [.init(feed, .title)], right: right, at: 0)
        let shape = gridShape
        for row in 0..<shape.rows {
            let entries = cursor.run.dropFirst((grid.top + row) * shape.columns).prefix(shape.columns)
            if paints {
                drawPictures(Array(entries), row, shape, &frame)
            } else {
                drawList(entries, row, shape, &frame)
            }
        }
    }

    private func drawList(
        _ entries: ArraySlice<IndexedPhoto>, _ row: Int, _ shape: GridShape, _ frame: inout Frame
    ) {
        let line = shape.line(ofRow: row)
        frame.put(entries.flatMap { caption($0, shape) }, at: line)
        frame.put(entries.map { author($0, width: shape.width) }, at: line + 1)
    }

    /// A row of pictures, each in the middle of its cell, with its title directly below.
    private func drawPictures(
        _ entries: [IndexedPhoto], _ row: Int, _ shape: GridShape, _ frame: inout Frame
    ) {
        let top = shape.line(ofRow: row)
        let edge = shape.isFramed ? 1 : 0
        let inner = shape.height - edge
        let boxes = entries.enumerated().map { pictureBox(of: $1, $0, top + edge, inner, shape) }
        for (entry, box) in zip(entries, boxes) {
            let file = thumbnails[entry.photo.id].flatMap { words[$0] == nil ? $0 : nil }
            if let file, top + shape.height <= size.rows {
                frame.put(Frame.Picture(file: file, box: box))
            }
        }
        for line in top..<(top + shape.height + edge) {
            let spans = zip(entries, boxes).flatMap { entry, box -> [Frame.Span] in
                if line == (box.origin?.row ?? 1) - 1 + box.rows { return caption(entry, shape) }
                guard shape.isFramed, entry.index == grid.selected else {
                    return [.init(String(repeating: " ", count: shape.width))]
                }
                return [.init(Self.border(line - top, shape), .selection)]
            }
            // The edge below is the next row's edge above: only the selected cell draws on it.
            let isEdge = shape.isFramed && (line == top || line == top + shape.height)
            let isDrawn = entries.contains { $0.index == grid.selected }
            if !isEdge || isDrawn { frame.put(spans, at: line) }
        }
    }

    /// The cells that the picture of an entry covers, by what is known of its size.
    private func pictureBox(
        of entry: IndexedPhoto, _ column: Int, _ top: Int, _ height: Int, _ shape: GridShape
    ) -> PictureBox {
        let room = PictureBox(
            columns: max(1, shape.width - 2 - (shape.isFramed ? 1 : 0)), rows: max(1, height - 1),
            background: background)
        var box = room
        if let size = entry.photo.size {
            let fit = PictureFit(size, in: room, cell: cell)
            (box.columns, box.rows, box.isFitted) = (fit.columns, fit.rows, true)
        }
        box.origin = CellPosition(
            row: top + (room.rows - box.rows) / 2 + 1,
            column: column * shape.width + (room.columns - box.columns) / 2 + 2)
        return box
    }

    /// A line of the frame around a cell; the last column stays free, as a gap.
    private static func border(_ line: Int, _ shape: GridShape) -> String {
        let inner = shape.width - 3
        switch line {
        case 0: return "┌" + String(repeating: "─", count: inner) + "┐ "
        case shape.height: return "└" + String(repeating: "─", count: inner) + "┘ "
        default: return "│" + String(repeating: " ", count: inner) + "│ "
        }
    }

    /// The title; the frame's sides, or brackets, mark the selected one even without color.
    private func caption(_ entry: IndexedPhoto, _ shape: GridShape) -> [Frame.Span] {
        let mark = marks.contains(entry.photo.id) ? "*" : ""
        let isTrashed = trashed.contains(entry.photo.id)
        let title = isTrashed ? "in the trash" : PlainText.line(entry.photo.shownTitle)
        let room = max(1, shape.width - 3)
        let shown = DisplayWidth.truncated("\(entry.index ?? 0)\(mark) \(title)", to: room)
        let rest = String(repeating: " ", count: max(0, room - DisplayWidth.of(shown)))
        guard entry.index == grid.selected else { return [.init(" \(shown)\(rest)  ")] }
        return shape.isFramed
            ? [
                .init("│", .selection), .init(shown, .selected), .init(rest), .init("│", .selection),
                .init(" "),
            ] : [.init("[\(shown)]", .selected), .init(rest + " ")]
    }

    private func author(_ entry: IndexedPhoto, width: Int) -> Frame.Span {
        let name = entry.photo.author.map { PlainText.line($0.name) } ?? ""
        let shown = DisplayWidth.truncated(name, to: max(1, width - 4))
        return .init(DisplayWidth.padded("   " + shown, to: width), .faint)
    }
}

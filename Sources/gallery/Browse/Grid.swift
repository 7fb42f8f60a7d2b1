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

    /// The grid for a window, with or without pictures.
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
        // A character is about twice as high as wide, and a picture a bit wider than high. Take the number of
        // rows that comes nearest to that, and stretch the rows to fill the window.
        let best = width * 3 / 8 + 1
        rows = max(1, min((room * 2 + best) / (best * 2), room / Self.leastHeight))
        height = max(Self.leastHeight, room / rows)
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
    var thumbnailsWanted: [IndexedPhoto] {
        guard mode == .grid, paints else { return [] }
        let shape = gridShape
        let first = grid.top * shape.columns
        return Array(cursor.run.dropFirst(first).prefix((shape.rows + 1) * shape.columns))
    }
}

extension BrowseModel {
    func drawGrid(_ frame: inout Frame) {
        let right = [Frame.Span(place(grid.selected))]
        frame.put(left: [.init(feed, .title)], right: right, at: 0)
        let shape = gridShape
        for row in 0..<shape.rows {
            let first = (grid.top + row) * shape.columns
            let entries = cursor.run.dropFirst(first).prefix(shape.columns)
            let line = 1 + row * shape.height
            let captions = entries.map { caption($0, width: shape.width) }
            frame.put(captions.flatMap(\.self), at: line + shape.height - (paints ? 1 : 2))
            if paints {
                for (column, entry) in entries.enumerated() { drawCell(entry, column, line, shape, &frame) }
            } else {
                frame.put(entries.map { author($0, width: shape.width) }, at: line + 1)
            }
        }
    }

    private func drawCell(
        _ entry: IndexedPhoto, _ column: Int, _ line: Int, _ shape: GridShape, _ frame: inout Frame
    ) {
        guard let file = thumbnails[entry.photo.id], words[file] == nil, line + shape.height - 1 < size.rows
        else { return }
        let origin = CellPosition(row: line + 1, column: column * shape.width + 2)
        let box = PictureBox(
            columns: max(1, shape.width - 2), rows: max(1, shape.height - 1), origin: origin)
        frame.put(Frame.Picture(file: file, box: box, isCentered: false))
    }

    /// The title; brackets mark the selected one even without color.
    private func caption(_ entry: IndexedPhoto, width: Int) -> [Frame.Span] {
        let isSelected = entry.index == grid.selected
        let mark = marks.contains(entry.photo.id) ? "*" : ""
        let title = entry.photo.title.isEmpty ? "(untitled)" : PlainText.line(entry.photo.title)
        let text = "\(entry.index ?? 0)\(mark) \(title)"
        let room = max(1, width - 3)
        let shown = DisplayWidth.truncated(text, to: room)
        let rest = String(repeating: " ", count: max(0, width - 2 - DisplayWidth.of(shown)))
        return isSelected
            ? [.init("[\(shown)]", .selected), .init(rest)] : [.init(" \(shown) "), .init(rest)]
    }

    private func author(_ entry: IndexedPhoto, width: Int) -> Frame.Span {
        let name = entry.photo.author.map { PlainText.line($0.name) } ?? ""
        let shown = DisplayWidth.truncated(name, to: max(1, width - 4))
        return .init(DisplayWidth.padded("   " + shown, to: width), .faint)
    }
}

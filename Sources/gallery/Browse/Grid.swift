import Foundation
import GalleryCore
import TerminalPictures

struct GridCell: Hashable, Sendable {
    var selected = 1
    /// The first visible row, from 0.
    var top = 0
    /// How far keys have led beyond the last loaded photo, and how many were loaded then.
    var overshoot = 0
    var known = 0
    var columns: Int?
    var selection = GridSelection()
}

struct GridShape: Hashable, Sendable {
    let columns: Int
    let rows: Int
    /// Columns of a cell, including the gap.
    let width: Int
    /// Lines of a cell.
    let height: Int

    /// The line of the window where the first row begins, from 0.
    private var top = 1

    /// The least width of a cell, unless `--columns` is given.
    private static let comfortable = 24
    /// Two lines of picture and one of title.
    private static let leastHeight = 3
    /// Whether there is room for a frame around the selected cell: a line above and below each row.
    let isFramed: Bool
}

extension GridShape {
    /// The grid for a window. If there are few photos, by the `count` of all, cells are larger; `nil` for many.
    init(in size: Frame.Size, columns wanted: Int?, paints: Bool, count: Int? = nil) {
        let most = max(1, size.columns / 8)
        let usual = min(most, max(1, wanted ?? size.columns / Self.comfortable))
        self.init(in: size, columns: usual, paints)
        guard wanted == nil, paints, let count, count > 0 else { return }
        // All of them, as large as the window allows.
        let whole = (1...usual).map { self.holding(count, in: size, columns: $0) }
            .max { $0.pictureWidth < $1.pictureWidth }
        if let whole, whole.pictureWidth >= pictureWidth { self = whole }
    }

    /// About the columns of a picture, which is a bit wider than high.
    private var pictureWidth: Int { min(width, (height - (isFramed ? 1 : 0)) * 8 / 3) }

    private func holding(_ count: Int, in size: Frame.Size, columns: Int) -> GridShape {
        let rows = (count + columns - 1) / columns
        let height = (size.rows - 2 - (isFramed ? 1 : 0)) / rows
        return GridShape(
            columns: columns, rows: rows, width: size.columns / columns, height: height, isFramed: isFramed)
    }

    private init(in size: Frame.Size, columns: Int, _ paints: Bool) {
        self.columns = columns
        width = size.columns / columns
        var room = size.rows - 2
        isFramed = paints && room >= 2 * Self.leastHeight && width >= 8
        guard paints else {
            height = 2
            rows = max(1, room / height)
            return
        }
        // A character is twice as high as wide, a picture a bit wider than high: as many rows as come nearest to that,
        // stretched to fill the window.
        let least = isFramed ? Self.leastHeight + 1 : Self.leastHeight
        if isFramed { room -= 1 }
        let best = width * 3 / 8 + (isFramed ? 0 : 1)
        rows = max(1, min((room * 2 + best) / (best * 2), room / least))
        height = max(least, room / rows)
    }

    /// The first line of a row of cells, from 0: with a frame, the line of its upper edge.
    func line(ofRow row: Int) -> Int { top + row * height }

    /// A row of thumbnails at the bottom of a photo's window, above the bars; `nil` where there is no room.
    static func strip(in size: Frame.Size) -> GridShape? {
        let height = min(7, size.rows / 4)
        guard height > leastHeight else { return nil }
        // Each about as wide as high, and an odd number of them: one is in the middle.
        let most = max(1, size.columns / ((height - 1) * 3))
        let columns = most - (most + 1) % 2
        var shape = GridShape(
            columns: columns, rows: 1, width: size.columns / columns, height: height, isFramed: false)
        shape.top = size.rows - 3 - height
        return shape
    }

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
    var gridShape: GridShape {
        let isWhole = cursor.isRunFromStart && cursor.isRunToEnd
        return GridShape(
            in: size, columns: grid.columns, paints: paints, count: isWhole ? cursor.run.count : nil)
    }

    var stripShape: GridShape? { showsStrip && mode == .photo && paints ? .strip(in: size) : nil }

    /// The photos in it: the current one in the middle, if both sides have as many.
    private func strip(_ shape: GridShape) -> ArraySlice<IndexedPhoto> {
        let run = cursor.run
        guard let here = run.firstIndex(where: { $0.index == cursor.current?.index }) else { return [] }
        let first = max(0, min(here - shape.columns / 2, run.count - shape.columns))
        return run[first...].prefix(shape.columns)
    }

    func drawStrip(_ frame: inout Frame) {
        guard let shape = stripShape else { return }
        drawPictures(Array(strip(shape)), 0, shape, &frame)
    }

    /// The photos in view, then those about to scroll in; outside the grid, the current one and its neighbors.
    var thumbnailsWanted: [IndexedPhoto] {
        guard paints else { return [] }
        guard mode == .grid else {
            guard let here = cursor.run.firstIndex(where: { $0.index == cursor.current?.index }) else {
                return cursor.current.map { [$0] } ?? []
            }
            let nearest = [here, here + 1, here + 2, here - 1].filter(cursor.run.indices.contains).map {
                cursor.run[$0]
            }
            let others = stripShape.map(strip) ?? []
            return nearest + others.filter { entry in !nearest.contains { $0.index == entry.index } }
        }
        let shape = gridShape
        let first = grid.top * shape.columns
        return Array(cursor.run.dropFirst(first).prefix((shape.rows + 1) * shape.columns))
    }
}

extension BrowseModel {
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
        // One that stands in for a file of this machine must not keep it waiting: it is made where that takes long.
        return .init(
            photos: photos, edge: min(edge, 256), atOnce: isOwn ? 1 : 6, makes: !isOwn || heldPhoto == nil)
    }

    func drawGrid(_ frame: inout Frame) {
        let selected = grid.selection.isEmpty ? "" : "\(grid.selection.count) selected  "
        let right = [Frame.Span(selected + position(grid.selected))]
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

    /// A row of pictures, each in the middle of its cell, with their titles in one line below.
    private func drawPictures(
        _ entries: [IndexedPhoto], _ row: Int, _ shape: GridShape, _ frame: inout Frame
    ) {
        let top = shape.line(ofRow: row)
        let edge = shape.isFramed ? 1 : 0
        for (column, entry) in entries.enumerated() {
            guard let file = thumbnails[entry.photo.id], notes.words[file] == nil,
                top + shape.height <= size.rows
            else { continue }
            let box = pictureBox(of: entry, column, top + edge, shape.height - edge, shape)
            frame.put(picture(file, of: entry.photo.id, in: box))
        }
        for line in 0..<(shape.height + edge) {
            // The edge below is the next row's edge above: only the selected cell draws on it.
            let isEdge = shape.isFramed && (line == 0 || line == shape.height)
            let isDrawn = entries.contains { $0.index == grid.selected }
            if !isEdge || isDrawn { frame.put(entries.flatMap { cell($0, line, shape) }, at: top + line) }
        }
    }

    /// Whether it is the one that keys act on: in the strip, the photo above.
    private func isSelected(_ entry: IndexedPhoto) -> Bool {
        entry.index == (mode == .grid ? grid.selected : cursor.current?.index)
    }

    /// A line of a cell, from 0.
    private func cell(_ entry: IndexedPhoto, _ line: Int, _ shape: GridShape) -> [Frame.Span] {
        let isSelected = isSelected(entry)
        if isSelected, shape.isFramed, line == 0 || line == shape.height {
            let edge = String(repeating: "─", count: shape.width - 3)
            // The last column stays free, as a gap.
            return [.init(line == 0 ? "┌\(edge)┐ " : "└\(edge)┘ ", .selection)]
        }
        switch line {
        case shape.height - 1:
            let look: Frame.Look = grid.selection.contains(entry) ? .selection : .plain
            return row(title(of: entry), isSelected ? .selected : look, entry, shape)
        case (shape.height - 1) / 2 where cannotBeShown(entry):
            return row("cannot be read", .faint, entry, shape)
        default: return row("", .plain, entry, shape)
        }
    }

    /// A text in the middle of a line of a cell. The frame's sides, or brackets, mark the selected one without color.
    private func row(
        _ text: String, _ look: Frame.Look, _ entry: IndexedPhoto, _ shape: GridShape
    ) -> [Frame.Span] {
        let room = max(1, shape.width - 3)
        var shown = widths.truncated(text, to: room)
        let isSelected = isSelected(entry)
        let side = shape.isFramed && isSelected ? "│" : ""
        let gap = max(0, room - widths.of(shown))
        let left = String(repeating: " ", count: gap / 2)
        let right = String(repeating: " ", count: gap - gap / 2)
        guard side.isEmpty else {
            return [
                .init(side + left, .selection), .init(shown, look), .init(right + side, .selection),
                .init(" "),
            ]
        }
        let isMarked = isSelected && !text.isEmpty && look == .selected
        if isMarked { shown = "[\(shown)]" }
        return [
            .init(isMarked ? left : left + " "), .init(shown, look), .init(right + (isMarked ? " " : "  ")),
        ]
    }

    private func cannotBeShown(_ entry: IndexedPhoto) -> Bool {
        thumbnails[entry.photo.id].map { notes.words[$0] != nil } ?? unreadable.contains(entry.photo.id)
    }

    /// The cells that the picture of an entry covers, by what is known of its size.
    private func pictureBox(
        of entry: IndexedPhoto, _ column: Int, _ top: Int, _ height: Int, _ shape: GridShape
    ) -> PictureBox {
        let room = PictureBox(
            columns: max(1, shape.width - 2 - (shape.isFramed ? 1 : 0)), rows: max(1, height - 1),
            background: background)
        var box = room
        if let size = size(of: entry.photo) {
            let fit = PictureFit(size, in: room, cell: cell)
            (box.columns, box.rows, box.isFitted) = (fit.columns, fit.rows, true)
        }
        box.origin = CellPosition(
            row: top + (room.rows - box.rows) / 2 + 1,
            column: column * shape.width + (room.columns - box.columns) / 2 + 2)
        return box
    }

    private func title(of entry: IndexedPhoto) -> String {
        let stars = stars(of: entry.photo)
        let mark = (marks.contains(entry.photo.lastingID) ? "*" : "") + (stars.isEmpty ? "" : " " + stars)
        let isTrashed = bin.photos.contains(entry.photo.id)
        let selected = grid.selection.contains(entry) ? "» " : ""
        return "\(selected)\(entry.index ?? 0)\(mark) \(isTrashed ? "in the trash" : name(of: entry.photo))"
    }

    private func caption(_ entry: IndexedPhoto, _ shape: GridShape) -> [Frame.Span] {
        let room = max(1, shape.width - 3)
        let shown = widths.truncated(title(of: entry), to: room)
        let rest = String(repeating: " ", count: max(0, room - widths.of(shown)))
        guard entry.index == grid.selected else { return [.init(" \(shown)\(rest)  ")] }
        return [.init("[\(shown)]", .selected), .init(rest + " ")]
    }

    private func author(_ entry: IndexedPhoto, width: Int) -> Frame.Span {
        let name = entry.photo.author.map { PlainText.line($0.name) } ?? ""
        let shown = widths.truncated(name, to: max(1, width - 4))
        return .init(widths.padded("   " + shown, to: width), .faint)
    }
}

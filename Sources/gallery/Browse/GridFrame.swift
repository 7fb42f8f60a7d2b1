import Foundation
import GalleryCore

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
        let origin = PictureBox.Cell(row: line + 1, column: column * shape.width + 2)
        let box = PictureBox(
            columns: max(1, shape.width - 2), rows: max(1, shape.height - 1), origin: origin)
        frame.put(Frame.Picture(file: file, box: box, isCentred: false))
    }

    /// Brackets tell the selected one without colour.
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

import GalleryCore

/// Aligned columns that fit the terminal: titles and authors give way first.
struct TableRows: RowFormat {
    /// Columns of the terminal; `nil` for as wide as it takes.
    let width: Int?
    let style: Style
    var markers = ListMarkers()

    private struct Column {
        let title: String
        let alignsRight: Bool
        /// Columns below which it is not squeezed; `nil` for a column that never gives way.
        let least: Int?
        let cells: [String]

        var natural: Int { ([title] + cells).map { DisplayWidth.of($0) }.max() ?? 0 }

        init(_ title: String, alignsRight: Bool = false, least: Int? = nil, cells: [String]) {
            self.title = title
            self.alignsRight = alignsRight
            self.least = least
            self.cells = cells
        }
    }

    private static let gap = 2

    func lines(for photos: [IndexedPhoto]) -> [String] {
        let columns = columns(photos).filter { column in column.cells.contains { !$0.isEmpty } }
        guard !columns.isEmpty else { return [] }
        let widths = fitted(columns)
        let header = line(columns.map(\.title), columns, widths)
        return [style.bold(header)]
            + photos.indices.map { row in
                line(columns.map { $0.cells[row] }, columns, widths)
            }
    }

    private func columns(_ photos: [IndexedPhoto]) -> [Column] {
        func cells(_ cell: (IndexedPhoto) -> String?) -> [String] {
            photos.map { PlainText.line(cell($0) ?? "") }
        }
        return [
            Column("", cells: cells { markers.text(for: $0.photo.id) }),
            Column("#", alignsRight: true, cells: cells { $0.index.map(String.init) }),
            Column(
                "Title", least: 8, cells: cells { $0.photo.title.isEmpty ? "(untitled)" : $0.photo.title }),
            Column("Author", least: 6, cells: cells { $0.photo.author?.name }),
            Column(
                "Pixels", alignsRight: true,
                cells: cells { $0.photo.size.map { "\($0.width)×\($0.height)" } }),
            Column("Likes", alignsRight: true, cells: cells { $0.photo.likes.map(String.init) }),
            Column("License", least: 6, cells: cells { $0.photo.license }),
        ]
    }

    /// Natural widths, the widest squeezable column cut first until all fit.
    private func fitted(_ columns: [Column]) -> [Int] {
        var widths = columns.map(\.natural)
        guard let width else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
        while excess > 0 {
            let squeezable = columns.indices.filter { widths[$0] > columns[$0].least ?? .max }
            guard let widest = squeezable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ columns: [Column], _ widths: [Int]) -> String {
        var line = ""
        for (offset, cell) in cells.enumerated() {
            let text = DisplayWidth.truncated(cell, to: widths[offset])
            let padding = String(repeating: " ", count: widths[offset] - DisplayWidth.of(text))
            if offset > 0 { line += String(repeating: " ", count: Self.gap) }
            line += columns[offset].alignsRight ? padding + text : text + padding
        }
        while line.last == " " { line.removeLast() }
        // Where even the narrowest columns do not fit, the line is cut rather than wrapped.
        return width.map { DisplayWidth.truncated(line, to: $0) } ?? line
    }
}

import GalleryCore
import TerminalPictures

/// The signs a table puts before photos: `›` the one viewed last, `*` those marked.
struct ListMarkers: Sendable {
    var lastSeen: PhotoID?
    var marked: Set<PhotoID> = []

    func text(for photo: Photo) -> String {
        (photo.id == lastSeen ? "›" : "") + (marked.contains(photo.lastingID) ? "*" : "")
    }
}

/// Aligned columns that fit the terminal: titles and authors give way first.
struct TableRows: RowFormat {
    /// Columns of the terminal; `nil` for as wide as it takes.
    let width: Int?
    let style: Style
    let markers: ListMarkers

    private struct Column {
        let title: String
        var alignsRight = false
        /// Columns below which it is not squeezed; `nil` for a column that never gives way.
        var least: Int?
        /// Columns of the terminal.
        var width = 0
        /// Whether what is too long loses its middle rather than its end.
        var keepsEndings = false
        let text: @Sendable (IndexedPhoto) -> String?

        func cell(_ photo: IndexedPhoto) -> String { PlainText.line(text(photo) ?? "") }

        func shown(_ cell: String) -> String {
            // Later rows may have longer numbers: those move the rest, for a number that is cut is none.
            if alignsRight { return cell }
            return keepsEndings
                ? DisplayWidth.usual.shortened(cell, to: width)
                : DisplayWidth.usual.truncated(cell, to: width)
        }
    }

    private static let gap = 2

    /// As the first photos make them: those after would come too late to move what is printed.
    private var columns: [Column] = []

    init(width: Int?, style: Style, markers: ListMarkers = ListMarkers()) {
        (self.width, self.style, self.markers) = (width, style, markers)
    }

    mutating func lines(for photos: [IndexedPhoto], _: [PhotoID: PhotoDetail]) -> [String] {
        guard !photos.isEmpty else { return [] }
        let isFirst = columns.isEmpty
        if isFirst { columns = fitted(photos) }
        let rows = photos.map { photo in line(columns.map { $0.cell(photo) }) }
        return isFirst ? [style.bold(line(columns.map(\.title)))] + rows : rows
    }

    private var all: [Column] {
        let markers = markers
        return [
            Column(title: "") { markers.text(for: $0.photo) },
            Column(title: "#", alignsRight: true) { $0.index.map(String.init) },
            Column(title: "Title", least: 8) { $0.photo.shownTitle },
            Column(title: "Author", least: 6) { $0.photo.author?.name },
            Column(title: "Pixels", alignsRight: true) { $0.photo.size.map { "\($0.width)×\($0.height)" } },
            Column(title: "Likes", alignsRight: true) { $0.photo.likes.map(String.init) },
            Column(title: "Stars", alignsRight: true) { $0.photo.stars.map(String.init) },
            Column(title: Self.license, least: 6) { $0.photo.license },
        ]
    }

    private static let license = "License"
    /// Columns of a terminal below which titles get the license's room, and from which there are more columns.
    private static let (narrow, wide) = (60, 120)

    private static let service = Column(title: "Service", least: 6) { $0.photo.id.service }
    /// What is shown besides where there is room.
    private static let more = [
        Column(title: "Taken") { $0.photo.takenText.map { String($0.prefix(10)) } },
        Column(title: "Folder", least: 8) { entry in
            let id = entry.photo.id
            return id.service == Folder.word
                ? id.value.lastIndex(of: "/").map { String(id.value[..<$0]) } : nil
        },
        Column(title: "Tags", least: 8) { $0.photo.tags.joined(separator: ", ") },
    ]

    /// The columns that anybody fills at their natural widths, the widest squeezable cut first until all fit.
    private func fitted(_ photos: [IndexedPhoto]) -> [Column] {
        let isOfSeveral = photos.contains { $0.photo.id.service != photos[0].photo.id.service }
        var columns = Self.filled(all + (isOfSeveral ? [Self.service] : []), photos)
        guard let width else { return columns }
        func excess() -> Int { columns.reduce(0) { $0 + $1.width } + Self.gap * (columns.count - 1) - width }
        if width < Self.narrow, excess() > 0 { columns.removeAll { $0.title == Self.license } }
        var squeezed: Set<Int> = []
        while excess() > 0 {
            let squeezable = columns.indices.filter { columns[$0].width > columns[$0].least ?? .max }
            guard let widest = squeezable.max(by: { columns[$0].width < columns[$1].width }) else { break }
            columns[widest].width -= 1
            squeezed.insert(widest)
        }
        for place in squeezed {
            let cells = Set(photos.map(columns[place].cell))
            columns[place].keepsEndings = Set(cells.map(columns[place].shown)).count < cells.count
        }
        for var column in width < Self.wide ? [] : Self.filled(Self.more, photos) {
            column.width = min(column.width, -excess() - Self.gap)
            if column.width >= column.least ?? 10 { columns.append(column) }
        }
        return columns
    }

    /// The columns that anybody fills, at their natural widths.
    private static func filled(_ columns: [Column], _ photos: [IndexedPhoto]) -> [Column] {
        columns.compactMap { column in
            let widest = photos.map { DisplayWidth.usual.of(column.cell($0)) }.max() ?? 0
            guard widest > 0 else { return nil }
            var column = column
            column.width = max(widest, DisplayWidth.usual.of(column.title))
            return column
        }
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (column, cell) in zip(columns, cells) {
            let text = column.shown(cell)
            let padding = String(repeating: " ", count: max(0, column.width - DisplayWidth.usual.of(text)))
            if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
            line += column.alignsRight ? padding + text : text + padding
        }
        while line.last == " " { line.removeLast() }
        // Where even the narrowest columns do not fit, the line is cut rather than wrapped.
        return width.map { DisplayWidth.usual.truncated(line, to: $0) } ?? line
    }
}

import GalleryCore
import TerminalPictures

/// Where the details of a photo are shown, in lines and columns of the window, from 0.
struct DetailsPanel: Hashable, Sendable {
    let rows: Range<Int>
    let columns: Range<Int>
    let pictureRows: Range<Int>
    let pictureColumns: Int

    /// The least width of a window with details beside the picture.
    private static let leastColumns = 72
    /// The columns of details beside a picture, as far as a third of the window allows.
    private static let width = 32...48
}

extension DetailsPanel {
    /// Places details below the picture, where they take `lines` of `area`, or beside it where that leaves more of it.
    init(area: Range<Int>, columns: Int, lines: Int, picture: PixelSize?, cell: CellSize) {
        let split = max(area.lowerBound, area.upperBound - lines)
        let above = area.lowerBound..<split
        let width = min(max(columns / 3, Self.width.lowerBound), Self.width.upperBound)
        func pixels(_ columns: Int, _ rows: Int) -> Int {
            guard let picture, columns > 0, rows > 0 else { return 0 }
            let fit = PictureFit(picture, in: PictureBox(columns: columns, rows: rows), cell: cell)
            return fit.width * fit.height
        }
        let left = columns - width - 1
        if columns >= Self.leastColumns, pixels(left, area.count) > pixels(columns, above.count) {
            self.init(rows: area, columns: (left + 1)..<columns, pictureRows: area, pictureColumns: left)
        } else {
            self.init(
                rows: split..<area.upperBound, columns: 0..<columns, pictureRows: above,
                pictureColumns: columns)
        }
    }
}

extension BrowseModel {
    /// Where the details are; `nil` where none are shown beside a picture.
    var detailsPanel: DetailsPanel? {
        guard mode == .photo, sidePanel.isShown, !isInWords, let entry = cursor.current else { return nil }
        return DetailsPanel(
            area: photoArea, columns: size.columns,
            lines: min(panelLines(entry, width: size.columns).count, max(1, photoArea.count / 2)),
            picture: photoSize, cell: cell)
    }

    func drawDetails(_ frame: inout Frame) {
        guard let panel = detailsPanel, let entry = cursor.current else { return }
        let lines = panelLines(entry, width: panel.columns.count)
        let top = max(0, min(sidePanel.top, lines.count - panel.rows.count))
        for (offset, line) in lines.dropFirst(top).prefix(panel.rows.count).enumerated() {
            let isMore = offset == panel.rows.count - 1 && top + panel.rows.count < lines.count
            frame.put(isMore ? Frame.Span("…") : line, at: panel.rows.lowerBound + offset, in: panel.columns)
        }
    }

    func details(_ entry: IndexedPhoto, width: Int) -> [String] {
        var detail = cursor.detail ?? PhotoDetail(photo: entry.photo)
        detail.colorProfile = detail.colorProfile ?? currentFile.flatMap { notes.profiles[$0] }
        let text = DetailText(width: width, style: Style(isOn: false), widths: widths)
        // The heading is on the screen's first line already.
        let lines = text.lines(IndexedPhoto(index: entry.index, photo: detail.photo), detail).dropFirst()
        return joiningAddresses(Array(lines), width: width)
    }

    /// Puts each address on the line of its label, shortened in the middle.
    private func joiningAddresses(_ lines: [String], width: Int) -> [String] {
        lines.reduce(into: []) { result, line in
            let text = line.drop { $0 == " " }
            guard text.contains("://") else { return result.append(line) }
            let isContinued = line.first == " "
            let whole = isContinued ? (result.popLast() ?? "") + " " + text : line
            result.append(widths.shortened(whole, to: width))
        }
    }

    /// Scrolls the details by `count` lines, or by pages; false if they all fit, so that keys keep their other meaning.
    mutating func scrollDetails(by count: Int, pages: Int = 0) -> Bool {
        guard let panel = detailsPanel, let entry = cursor.current else { return false }
        let most = panelLines(entry, width: panel.columns.count).count - panel.rows.count
        guard most > 0 else { return false }
        sidePanel.top = max(0, min(most, min(sidePanel.top, most) + count + pages * panel.rows.count))
        return true
    }
}

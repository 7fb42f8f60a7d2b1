import GalleryCore
import TerminalPictures

/// Indexes and titles side by side: `--format grid` where no pictures can be shown, and the captions where they can.
struct GridRows: RowFormat {
    let columns: Int
    /// Columns of the terminal that each takes, with the gap behind it.
    let width: Int
    let markers: ListMarkers

    private var waiting: [IndexedPhoto] = []

    /// The least room for a title, as in the grid of `browse`.
    private static let comfortable = 24
    private static let gap = 2

    init(columns: Int, width: Int, _ markers: ListMarkers) {
        (self.columns, self.width, self.markers) = (columns, width, markers)
    }

    init(in window: Int, _ markers: ListMarkers) {
        let columns = max(1, window / Self.comfortable)
        self.init(columns: columns, width: window / columns, markers)
    }

    mutating func lines(for photos: [IndexedPhoto], _: [PhotoID: PhotoDetail]) -> [String] {
        full(with: photos).map(captions)
    }

    mutating func end() -> [String] { rest().map(captions) }

    mutating func full(with photos: [IndexedPhoto]) -> [[IndexedPhoto]] {
        waiting += photos
        var rows: [[IndexedPhoto]] = []
        while waiting.count >= columns {
            rows.append(Array(waiting.prefix(columns)))
            waiting.removeFirst(columns)
        }
        return rows
    }

    mutating func rest() -> [[IndexedPhoto]] {
        defer { waiting = [] }
        return waiting.isEmpty ? [] : [waiting]
    }

    /// A line such as `1 Eileen Collins     2* Hubble eXtreme Deep …`.
    func captions(_ row: [IndexedPhoto]) -> String {
        let room = max(1, width - Self.gap)
        var line = row.map { entry in
            let index = (entry.index.map(String.init) ?? "") + markers.text(for: entry.photo)
            let text = [index, PlainText.line(entry.photo.shownTitle)].filter { !$0.isEmpty }
            return DisplayWidth.usual.padded(
                DisplayWidth.usual.truncated(text.joined(separator: " "), to: room), to: width)
        }.joined()
        while line.last == " " { line.removeLast() }
        return line
    }
}

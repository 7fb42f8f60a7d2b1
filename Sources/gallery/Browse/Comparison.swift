import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// A photo that stays on the screen while the one beside it changes.
struct PinnedPhoto: Hashable, Sendable {
    let entry: IndexedPhoto
    /// What is shown of it; `nil` where nothing can be.
    let file: URL?
    /// Its pixels as they are listed, not as they are turned; `nil` if unknown.
    let size: PixelSize?
}

/// Where two pictures are looked at together: the first left of the second, or above it if that shows both larger.
struct PairLayout: Hashable, Sendable {
    let first: PictureBox
    let second: PictureBox

    private static let gap = 1

    /// A size that is unknown is taken for the other one's, so that nothing moves once it is known, as in a series.
    init(_ sizes: (first: PixelSize?, second: PixelSize?), in area: PictureBox, cell: CellSize) {
        let half = (columns: (area.columns - Self.gap) / 2, rows: (area.rows - Self.gap) / 2)
        let beside = Self.boxes(area, columns: half.columns, rows: area.rows, right: half.columns + Self.gap)
        let above = Self.boxes(area, columns: area.columns, rows: half.rows, down: half.rows + Self.gap)
        let known = [sizes.first ?? sizes.second, sizes.second ?? sizes.first].compactMap(\.self)
        let isLargerAbove =
            half.rows > 0 && !known.isEmpty
            && known.allSatisfy { size in
                func cells(_ box: PictureBox) -> Int {
                    let fit = PictureFit(size, in: box, cell: cell)
                    return fit.columns * fit.rows
                }
                return cells(above.0) > cells(beside.0)
            }
        (first, second) = isLargerAbove ? above : beside
    }

    private static func boxes(
        _ area: PictureBox, columns: Int, rows: Int, right: Int = 0, down: Int = 0
    ) -> (PictureBox, PictureBox) {
        var first = area
        (first.columns, first.rows) = (max(1, columns), max(1, rows))
        var second = first
        second.origin?.column += right
        second.origin?.row += down
        return (first, second)
    }

    var isBeside: Bool { first.origin?.row == second.origin?.row }
}

extension PictureBox {
    /// The same box for a picture of so many pixels, which is not enlarged where it needs fewer cells.
    func holding(_ size: PixelSize?, _ resolution: CellSize) -> PictureBox {
        guard let size else { return self }
        var box = self
        let natural = CellCount(
            columns: (size.width + resolution.width - 1) / resolution.width,
            rows: (size.height + resolution.height - 1) / resolution.height)
        if natural.columns <= columns, natural.rows <= rows { box.natural = natural }
        return box
    }
}

extension BrowseModel {
    mutating func toggleComparison() {
        guard pin == nil else {
            pin = nil
            viewport = Viewport()
            notice = Notice(text: "The comparison is over.")
            return
        }
        guard let entry = wholePhoto, let file = currentFile, !isInWords else {
            notice = Notice(text: "There is no picture to compare yet.", isError: true)
            return
        }
        pin = PinnedPhoto(entry: entry, file: file, size: listedSize)
        viewport = Viewport()
        notice = Notice(text: "Move on to compare photo \(entry.index ?? 0) with others; c ends it.")
    }

    func draw(_ pin: PinnedPhoto, _ box: PictureBox, _ frame: inout Frame) {
        guard let file = pin.file, notes.words[file] == nil else {
            return put(pin.file.flatMap { notes.words[$0] } ?? [], in: box, &frame)
        }
        let part = viewport.isZoomed ? PicturePart.view(viewport) : .whole
        frame.put(picture(file, of: pin.entry.photo.id, in: box.holding(size(of: pin), resolution), part))
    }

    func size(of pin: PinnedPhoto) -> PixelSize? { pin.size?.turned(by: turn(of: pin.entry.photo.id)) }

    func put(_ words: [String], in box: PictureBox, _ frame: inout Frame) {
        let lines = words.isEmpty ? ["No picture."] : words.map(PlainText.line)
        frame.put(centered: lines.map { Frame.Span($0) }, in: box)
    }

    /// Titles of both, each over its picture where they are beside each other.
    func drawHeader(of pin: PinnedPhoto, _ layout: PairLayout, _ entry: IndexedPhoto, _ frame: inout Frame) {
        // In a tournament, where a photo stands is of no account.
        func caption(_ entry: IndexedPhoto) -> String {
            (contest == nil ? "\(entry.index ?? 0) " : "") + name(of: entry.photo)
        }
        let room = layout.isBeside ? (layout.second.origin?.column ?? 1) - 1 : size.columns / 2
        let first = widths.truncated(caption(pin.entry), to: max(1, room - 1))
        let mark = marks.contains(entry.photo.lastingID) ? "* " : ""
        frame.put(
            left: [.init(widths.padded(first, to: room)), .init(caption(entry), .title)],
            right: [.init(contest == nil ? mark + position(entry.index ?? 0) : "")], at: 0)
    }
}

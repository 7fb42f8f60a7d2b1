import Foundation
import TerminalPictures

/// What the screen shows: lines of text and boxes for pictures, as a value, so that it is tested without a terminal.
struct Frame: Hashable, Sendable {
    /// Columns and rows of a window, each from 1.
    typealias Size = CellCount

    struct Span: Hashable, Sendable {
        var text: String
        var look = Look.plain

        init(_ text: String, _ look: Look = .plain) { (self.text, self.look) = (text, look) }
    }

    struct Cell: Hashable, Sendable {
        /// Empty in all but the first column of a wide character.
        var text: String
        let look: Look

        static let space = Cell(text: " ", look: .plain)

        /// Whether all terminals give it as many columns as ``DisplayWidth`` does: one character of the usual scripts.
        /// About joined emoji, flags, old Hangul, Indic or Thai vowels they differ.
        var hasSureWidth: Bool {
            guard let scalar = text.unicodeScalars.first else { return true }
            return text.unicodeScalars.count == 1 && Self.sure.contains { $0.contains(scalar.value) }
        }

        /// Latin, Greek, Cyrillic, punctuation, lines and blocks, Braille, kana, ideographs, and Hangul syllables.
        private static let sure: [ClosedRange<UInt32>] = [
            0x20...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2500...0x259F, 0x2800...0x28FF,
            0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
        ]

        /// Whether it looks like that one: a space does so in nearly all styles, and there may be a picture over it.
        func looksLike(_ other: Cell) -> Bool {
            self == other || text == " " && other.text == " " && look != .selected && other.look != .selected
        }
    }

    /// The role of a text; the theme maps it to a style.
    enum Look: Hashable, Sendable {
        case plain, title, faint, selected, selection, error, photoBar, preloadBar, red, green, blue
    }

    /// A picture and its box, in which a smaller one is centered.
    struct Picture: Hashable, Sendable {
        let file: URL
        let box: PictureBox
        var part = PicturePart.whole
        /// How many quarters it is turned clockwise, from 0 to 3.
        var quarters = 0

        var whole: Picture { Picture(file: file, box: box, quarters: quarters) }
    }

    let size: Size
    let theme: Theme
    let isColored: Bool
    let widths: DisplayWidth
    /// The cells of each row, up to the right edge, because not every terminal erases in the current color.
    private(set) var lines: [[Cell]]
    private(set) var pictures: [Picture] = []
    /// Pictures to prepare, because they are likely to be shown next.
    private(set) var upcoming: [Picture] = []
    /// What is shown until a picture is painted.
    private var standIns: [Picture: Picture] = [:]
    /// Where the picture that is shown stays until the next one is there.
    private(set) var held: [PictureBox] = []

    init(_ size: Size, theme: Theme = .night, isColored: Bool = false, widths: DisplayWidth = .usual) {
        (self.size, self.theme, self.isColored, self.widths) = (size, theme, isColored, widths)
        lines = Array(repeating: Array(repeating: .space, count: size.columns), count: size.rows)
    }

    /// Puts `spans`, cut to the window, on line `row` (from 0); does nothing outside the window.
    mutating func put(_ spans: [Span], at row: Int) { put(left: cells(spans, size.columns), at: row) }

    mutating func put(_ text: String, _ look: Look = .plain, at row: Int) { put([Span(text, look)], at: row) }

    /// Puts a text on line `row` in some of its columns, and leaves the others as they are.
    mutating func put(_ span: Span, at row: Int, in columns: Range<Int>) {
        guard lines.indices.contains(row), columns.upperBound <= size.columns else { return }
        let cells = self.cells([span], columns.count)
        lines[row].replaceSubrange(
            columns, with: cells + Array(repeating: .space, count: columns.count - cells.count))
    }

    /// Puts `left` and `right` at the edges of line `row`; `left` is cut if they do not fit.
    mutating func put(left: [Span], right: [Span], at row: Int) {
        let right = self.cells(right, size.columns)
        put(left: cells(left, max(0, size.columns - right.count - 1)), right, at: row)
    }

    private mutating func put(left: [Cell], _ right: [Cell] = [], at row: Int) {
        guard lines.indices.contains(row) else { return }
        lines[row] = left + Array(repeating: .space, count: size.columns - left.count - right.count) + right
    }

    mutating func put(centered texts: [Span], in box: PictureBox) {
        let (row, column) = ((box.origin?.row ?? 1) - 1, (box.origin?.column ?? 1) - 1)
        let top = row + max(0, (box.rows - texts.count) / 2)
        for (offset, span) in texts.enumerated() where top + offset < row + box.rows {
            let text = cells([span], box.columns)
            let start = min(size.columns - text.count, column + (box.columns - text.count) / 2)
            guard lines.indices.contains(top + offset), start >= 0 else { continue }
            // What is beside the box stays.
            lines[top + offset].replaceSubrange(start..<start + text.count, with: text)
        }
    }

    /// Puts a picture, which another one stands in for until it is painted.
    mutating func put(_ picture: Picture, standIn: Picture? = nil) {
        pictures.append(picture)
        if let standIn, standIn != picture { standIns[picture] = standIn }
    }

    /// Keeps what is shown in a box, of which nothing is known yet.
    mutating func hold(_ box: PictureBox) { held.append(box) }

    mutating func prepare(_ picture: Picture) { upcoming.append(picture) }

    func standIn(for picture: Picture) -> Picture? {
        standIns[picture] ?? (picture.part == .whole ? nil : picture.whole)
    }

    /// Whether a picture is still of use: one that is shown, or another part of one.
    func uses(_ picture: Picture) -> Bool {
        allPictures.contains(picture)
            || picture.part != .whole && pictures.contains { $0.part != .whole && $0.whole == picture.whole }
    }

    var allPictures: [Picture] { pictures + pictures.compactMap(standIn) }

    /// The same for a terminal that reads nothing else.
    var inASCII: Frame {
        var frame = self
        for (row, line) in lines.enumerated() {
            for (column, cell) in line.enumerated() where !cell.text.isEmpty {
                let isWide = column + 1 < line.count && line[column + 1].text.isEmpty
                for (offset, character) in ASCIIText.of(cell.text, columns: isWide ? 2 : 1).enumerated() {
                    frame.lines[row][column + offset] = Cell(text: String(character), look: cell.look)
                }
            }
        }
        return frame
    }

    private func cells(_ spans: [Span], _ columns: Int) -> [Cell] {
        var cells: [Cell] = []
        for span in spans where cells.count < columns {
            for character in widths.truncated(span.text, to: columns - cells.count) {
                let width = widths.of(character)
                if width == 0, !cells.isEmpty {
                    cells[cells.count - 1].text.append(character)
                } else {
                    cells.append(Cell(text: String(character), look: span.look))
                    cells += Array(repeating: Cell(text: "", look: span.look), count: max(0, width - 1))
                }
            }
        }
        return Array(cells.prefix(columns))
    }

    /// The escape sequence for a look; without colors, by weight and reversal alone.
    func style(_ look: Look) -> String {
        let isNight = theme == .night
        // Colors of the palette of 256, which nearly every terminal has.
        let (emphasis, ink) =
            switch look {
            case .plain: ("", isNight ? 252 : 235)
            case .title: ("1", isNight ? 255 : 232)
            case .faint: (isColored ? "" : "2", isNight ? 245 : 243)
            case .selected: ("1;7", isNight ? 252 : 235)
            case .selection: ("1", isNight ? 39 : 27)
            case .error: ("1", isNight ? 210 : 124)
            case .photoBar: ("", isNight ? 39 : 27)
            case .preloadBar: ("", isNight ? 41 : 28)
            case .red: ("", isNight ? 203 : 160)
            case .green: ("", isNight ? 77 : 28)
            case .blue: ("", isNight ? 75 : 26)
            }
        let colors = isColored ? ["38;5;\(ink)", "48;5;\(isNight ? 234 : 231)"] : []
        return "\u{1B}[\((["0", emphasis] + colors).filter { !$0.isEmpty }.joined(separator: ";"))m"
    }
}

enum Theme: String, Hashable, Sendable, Codable {
    case night, day

    /// The color behind everything, as red, green, and blue in hexadecimal.
    var background: String { self == .night ? "1c1c1c" : "ffffff" }
}

enum ScreenText {
    /// Puts a text on the clipboard of the terminal's user (OSC 52).
    static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }

    static func cursor(_ cell: CellPosition) -> String { "\u{1B}[\(cell.row);\(cell.column)H" }

    /// Draws what of `new` differs from `old`, as one synchronized update, and nothing else: on some terminals text,
    /// even a space, erases the picture it is written over.
    static func update(from old: Frame?, to new: Frame) -> String {
        var text = ""
        for (row, line) in new.lines.enumerated() where old?.lines[row] != line {
            for run in old.map({ changes(from: $0.lines[row], to: line) }) ?? [0..<new.size.columns] {
                text += styled(line[run], row, new)
            }
        }
        guard !text.isEmpty else { return "" }
        let start = old == nil ? new.style(.plain) + "\u{1B}[2J" : ""
        return "\u{1B}[?2026h" + start + text + "\u{1B}[0m\u{1B}[?2026l"
    }

    /// The columns that differ, wide characters whole; all of them if it is unknown how many the terminal needs.
    private static func changes(from old: [Frame.Cell], to new: [Frame.Cell]) -> [Range<Int>] {
        guard (old + new).allSatisfy(\.hasSureWidth) else { return [new.indices] }
        var runs: [Range<Int>] = []
        for column in new.indices where !old[column].looksLike(new[column]) {
            var start = column
            while start > 0, new[start].text.isEmpty || old[start].text.isEmpty { start -= 1 }
            var end = column + 1
            while end < new.count, new[end].text.isEmpty || old[end].text.isEmpty { end += 1 }
            // Short gaps cost more to skip than to write; a picture is never that narrow.
            if let last = runs.last, last.upperBound + 2 >= start {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                runs.append(start..<end)
            }
        }
        return runs
    }

    private static func styled(_ cells: ArraySlice<Frame.Cell>, _ row: Int, _ frame: Frame) -> String {
        func move(_ column: Int) -> String { cursor(.init(row: row + 1, column: column + 1)) }
        var text = move(cells.startIndex)
        var look: Frame.Look?
        for (column, cell) in zip(cells.indices, cells) {
            if look != cell.look { text += frame.style(cell.look) }
            look = cell.look
            guard !cell.hasSureWidth else {
                text += cell.text
                continue
            }
            // What it does not cover is blank, and what it covers beyond its columns is written over.
            guard !cell.text.isEmpty else { continue }
            let end = cells[(column + 1)...].firstIndex { !$0.text.isEmpty } ?? cells.endIndex
            text += String(repeating: " ", count: end - column) + move(column) + cell.text + move(end)
        }
        return text
    }

    /// Overwrites what of a picture's cells another one does not take with spaces.
    static func blank(_ former: PictureBox, outside box: PictureBox, _ frame: Frame) -> String {
        guard let old = former.origin, let new = box.origin else { return "" }
        let (bottom, right) = (old.row + former.rows, old.column + former.columns)
        let top = min(max(old.row, new.row), bottom)
        let end = min(max(top, new.row + box.rows), bottom)
        let left = min(max(old.column, new.column), right)
        let rest = min(max(left, new.column + box.columns), right)
        return [
            (old.row..<top, old.column..<right), (top..<end, old.column..<left), (top..<end, rest..<right),
            (end..<bottom, old.column..<right),
        ].filter { !$0.isEmpty && !$1.isEmpty }.map { rows, columns in
            blank(
                PictureBox(
                    columns: columns.count, rows: rows.count,
                    origin: .init(row: rows.lowerBound, column: columns.lowerBound)), frame)
        }.joined()
    }

    static func blank(_ box: PictureBox, _ frame: Frame) -> String {
        guard let origin = box.origin else { return "" }
        var text = frame.style(.plain)
        for row in 0..<box.rows where origin.row + row <= frame.size.rows {
            let columns = min(box.columns, frame.size.columns - origin.column + 1)
            text += cursor(.init(row: origin.row + row, column: origin.column))
            text += String(repeating: " ", count: max(0, columns))
        }
        return text + "\u{1B}[0m"
    }
}

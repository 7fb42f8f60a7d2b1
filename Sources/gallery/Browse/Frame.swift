import Foundation

/// What the screen shows: lines of text, and boxes for pictures.
///
/// A value that ``BrowseModel/frame`` makes from the state, so that screens can be tested without a terminal.
struct Frame: Hashable, Sendable {
    /// Columns and rows of a window, each from 1.
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int
    }

    /// Text in one style.
    struct Span: Hashable, Sendable {
        var text: String
        var look = Look.plain

        init(_ text: String, _ look: Look = .plain) {
            self.text = text
            self.look = look
        }
    }

    /// The role of a text; the theme maps it to a style.
    enum Look: Hashable, Sendable {
        case plain, title, faint, selected, selection, error, photoBar, preloadBar
    }

    /// A picture and its box.
    struct Picture: Hashable, Sendable {
        let file: URL
        let box: PictureBox
        /// Whether a picture smaller than its box is centered in it.
        let isCentered: Bool
        /// What of it is shown.
        var part = PicturePart.whole

        /// The same picture, all of it.
        var whole: Picture { Picture(file: file, box: box, isCentered: isCentered) }
    }

    let size: Size
    /// One per row of the window, none wider than it.
    private(set) var lines: [[Span]]
    private(set) var pictures: [Picture] = []
    /// Pictures to prepare, because they are likely to be shown next.
    private(set) var upcoming: [Picture] = []
    /// Small files that are shown until the file they stand for is painted.
    private(set) var standIns: [URL: URL] = [:]

    init(_ size: Size) {
        self.size = size
        lines = Array(repeating: [], count: size.rows)
    }

    /// Puts `spans`, cut to the window, on line `row` (from 0); does nothing outside the window.
    mutating func put(_ spans: [Span], at row: Int) {
        guard lines.indices.contains(row) else { return }
        lines[row] = Self.fitted(spans, to: size.columns)
    }

    mutating func put(_ text: String, _ look: Look = .plain, at row: Int) {
        put([Span(text, look)], at: row)
    }

    /// Puts `left` and `right` at the edges of line `row`; `left` is cut if they do not fit.
    mutating func put(left: [Span], right: [Span], at row: Int) {
        let width = right.reduce(0) { $0 + DisplayWidth.of($1.text) }
        let room = max(0, size.columns - width - 1)
        let fitted = Self.fitted(left, to: room)
        let used = fitted.reduce(0) { $0 + DisplayWidth.of($1.text) }
        put(
            fitted + [Span(String(repeating: " ", count: max(1, size.columns - width - used)))] + right,
            at: row)
    }

    /// Puts lines in the middle of `rows`, in place of a picture.
    mutating func put(centered texts: [Span], in rows: Range<Int>) {
        let top = rows.lowerBound + max(0, (rows.count - texts.count) / 2)
        for (offset, span) in texts.enumerated() where top + offset < rows.upperBound {
            let text = DisplayWidth.truncated(span.text, to: size.columns)
            let margin = String(repeating: " ", count: max(0, (size.columns - DisplayWidth.of(text)) / 2))
            put([Span(margin), Span(text, span.look)], at: top + offset)
        }
    }

    /// Puts a picture; `standIn` is a small file of the same photo.
    mutating func put(_ picture: Picture, standIn: URL? = nil) {
        pictures.append(picture)
        if let standIn, standIn != picture.file { standIns[picture.file] = standIn }
    }

    mutating func prepare(_ picture: Picture) { upcoming.append(picture) }

    /// What is shown until `picture` is painted.
    func standIn(for picture: Picture) -> Picture? {
        guard picture.part == .whole else { return picture.whole }
        return standIns[picture.file].map {
            Picture(file: $0, box: picture.box, isCentered: picture.isCentered)
        }
    }

    /// Whether a picture is still of use: one that is shown, or another part of one.
    func uses(_ picture: Picture) -> Bool {
        allPictures.contains(picture)
            || picture.part != .whole
                && pictures.contains { $0.part != .whole && $0.whole == picture.whole }
    }

    /// Every picture that may be on the screen.
    var allPictures: [Picture] { pictures + pictures.compactMap(standIn) }

    private static func fitted(_ spans: [Span], to columns: Int) -> [Span] {
        var room = columns
        var result: [Span] = []
        for span in spans where room > 0 {
            let text = DisplayWidth.truncated(span.text, to: room)
            room -= DisplayWidth.of(text)
            if !text.isEmpty { result.append(Span(text, span.look)) }
        }
        return result
    }
}

/// The dark and the light theme.
enum Theme: String, Hashable, Sendable, Codable {
    case night, day

    var other: Theme { self == .night ? .day : .night }

    /// The color behind everything, as red, green, and blue in hexadecimal.
    var background: String { self == .night ? "1c1c1c" : "ffffff" }

    /// The escape sequence for a look; without colors, by weight and reversal alone.
    func style(_ look: Frame.Look, isColored: Bool) -> String {
        let emphasis =
            switch look {
            case .title: "1"
            case .selected: "1;7"
            case .selection: "1"
            case .error: "1"
            case .faint: isColored ? "" : "2"
            case .plain, .photoBar, .preloadBar: ""
            }
        let codes = ["0", emphasis] + (isColored ? colors(look) : [])
        return "\u{1B}[\(codes.filter { !$0.isEmpty }.joined(separator: ";"))m"
    }

    /// From the 256-color palette, which nearly every terminal has.
    private func colors(_ look: Frame.Look) -> [String] {
        let isNight = self == .night
        let ink =
            switch look {
            case .plain, .selected: isNight ? 252 : 235
            case .title: isNight ? 255 : 232
            case .faint: isNight ? 245 : 243
            case .error: isNight ? 210 : 124
            case .photoBar, .selection: isNight ? 39 : 27
            case .preloadBar: isNight ? 41 : 28
            }
        return ["38;5;\(ink)", "48;5;\(isNight ? 234 : 231)"]
    }
}

/// Turns frames into control sequences.
enum ScreenText {
    /// Puts a text on the clipboard of the terminal's user (OSC 52).
    static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }

    /// Moves the cursor.
    static func cursor(_ cell: CellPosition) -> String { "\u{1B}[\(cell.row);\(cell.column)H" }

    /// Draws what of `new` differs from `old`, as one synchronized update.
    ///
    /// Nothing else is written: on some terminals text, even a space, erases the picture it is written over.
    static func update(from old: Screen.ThemedFrame?, to new: Screen.ThemedFrame) -> String {
        var text = ""
        let columns = new.frame.size.columns
        for (row, line) in new.frame.lines.enumerated() where old?.frame.lines[row] != line {
            let cells = cells(of: line, columns: columns)
            let former = old.map { self.cells(of: $0.frame.lines[row], columns: columns) }
            for run in former.map({ changes(from: $0, to: cells) }) ?? [0..<columns] {
                text += cursor(.init(row: row + 1, column: run.lowerBound + 1))
                text += styled(cells[run], new)
            }
        }
        guard !text.isEmpty else { return "" }
        let start = old == nil ? new.theme.style(.plain, isColored: new.isColored) + "\u{1B}[2J" : ""
        return "\u{1B}[?2026h" + start + text + "\u{1B}[0m\u{1B}[?2026l"
    }

    /// One column of a line.
    private struct Cell: Equatable {
        /// Empty in the second column of a wide character.
        var text: String
        let look: Frame.Look

        /// Whether it looks like that one: a space does so in nearly all styles, and there may be a picture over it.
        func looksLike(_ other: Cell) -> Bool {
            self == other || text == " " && other.text == " " && look != .selected && other.look != .selected
        }
    }

    /// The columns of a line, up to the right edge: not every terminal erases in the current color.
    private static func cells(of line: [Frame.Span], columns: Int) -> [Cell] {
        var cells: [Cell] = []
        for span in line {
            for character in span.text {
                let width = DisplayWidth.of(character)
                if width == 0, !cells.isEmpty {
                    cells[cells.count - 1].text.append(character)
                } else {
                    cells.append(Cell(text: String(character), look: span.look))
                    if width > 1 { cells.append(Cell(text: "", look: span.look)) }
                }
            }
        }
        let space = Cell(text: " ", look: .plain)
        return Array(
            (cells + Array(repeating: space, count: max(0, columns - cells.count))).prefix(columns))
    }

    /// The columns that differ, wide characters whole.
    private static func changes(from old: [Cell], to new: [Cell]) -> [Range<Int>] {
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

    private static func styled(_ cells: ArraySlice<Cell>, _ themed: Screen.ThemedFrame) -> String {
        var text = ""
        var look: Frame.Look?
        for cell in cells {
            if look != cell.look { text += themed.theme.style(cell.look, isColored: themed.isColored) }
            look = cell.look
            text += cell.text
        }
        return text
    }

    /// Overwrites a picture's box with spaces.
    static func blank(_ box: PictureBox, _ themed: Screen.ThemedFrame) -> String {
        guard let origin = box.origin else { return "" }
        var text = themed.theme.style(.plain, isColored: themed.isColored)
        for row in 0..<box.rows where origin.row + row <= themed.frame.size.rows {
            let columns = min(box.columns, themed.frame.size.columns - origin.column + 1)
            text += cursor(.init(row: origin.row + row, column: origin.column))
            text += String(repeating: " ", count: max(0, columns))
        }
        return text + "\u{1B}[0m"
    }
}

/// Frames as what a terminal obeys: pure.
enum ScreenText {
    /// The cursor to a cell.
    static func cursor(_ cell: PictureBox.Cell) -> String { "\u{1B}[\(cell.row);\(cell.column)H" }

    /// The lines of `new` that are not those of `old`, as one update that no terminal shows half.
    static func update(from old: Screen.ThemedFrame?, to new: Screen.ThemedFrame) -> String {
        var text = ""
        for (row, line) in new.frame.lines.enumerated() where old?.frame.lines[row] != line {
            text += cursor(.init(row: row + 1, column: 1)) + styled(line, new)
        }
        guard !text.isEmpty else { return "" }
        let start = old == nil ? new.theme.style(.plain, isColoured: new.isColoured) + "\u{1B}[2J" : ""
        return "\u{1B}[?2026h" + start + text + "\u{1B}[0m\u{1B}[?2026l"
    }

    /// Spaces where a picture was.
    static func blank(_ box: PictureBox, _ themed: Screen.ThemedFrame) -> String {
        guard let origin = box.origin else { return "" }
        var text = themed.theme.style(.plain, isColoured: themed.isColoured)
        for row in 0..<box.rows where origin.row + row <= themed.frame.size.rows {
            let columns = min(box.columns, themed.frame.size.columns - origin.column + 1)
            text += cursor(.init(row: origin.row + row, column: origin.column))
            text += String(repeating: " ", count: max(0, columns))
        }
        return text + "\u{1B}[0m"
    }

    /// The spans, then spaces to the right edge: not every terminal clears in the colour that is set.
    private static func styled(_ line: [Frame.Span], _ themed: Screen.ThemedFrame) -> String {
        var text = ""
        var width = 0
        for span in line {
            text += themed.theme.style(span.look, isColoured: themed.isColoured) + span.text
            width += DisplayWidth.of(span.text)
        }
        text += themed.theme.style(.plain, isColoured: themed.isColoured)
        return text + String(repeating: " ", count: max(0, themed.frame.size.columns - width))
    }
}

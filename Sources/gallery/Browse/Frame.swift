import Foundation

/// What the screen shows at one moment: lines of text, and boxes in which pictures stand.
///
/// A value made from the state by ``BrowseModel/frame``, so that every screen is tested without one.
struct Frame: Hashable, Sendable {
    /// Columns and rows of a window, each from 1.
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int
    }

    /// Text of one look.
    struct Span: Hashable, Sendable {
        var text: String
        var look = Look.plain

        init(_ text: String, _ look: Look = .plain) {
            self.text = text
            self.look = look
        }
    }

    /// What a text is, for the theme to say how it looks.
    enum Look: Hashable, Sendable {
        case plain, title, faint, selected, error, photoBar, preloadBar
    }

    /// A picture and its place.
    struct Picture: Hashable, Sendable {
        let file: URL
        let box: PictureBox
        /// Of the place, so that a picture smaller than it stands in the middle.
        let isCentred: Bool
    }

    let size: Size
    /// As many as the window has rows; none wider than it.
    private(set) var lines: [[Span]]
    private(set) var pictures: [Picture] = []
    /// Painted when there is time, for they are likely to be wanted next.
    private(set) var upcoming: [Picture] = []

    init(_ size: Size) {
        self.size = size
        lines = Array(repeating: [], count: size.rows)
    }

    /// Puts `spans` into line `row`, from 0, cut to the window; a row that is not there is left out.
    mutating func put(_ spans: [Span], at row: Int) {
        guard lines.indices.contains(row) else { return }
        lines[row] = Self.fitted(spans, to: size.columns)
    }

    mutating func put(_ text: String, _ look: Look = .plain, at row: Int) { put([Span(text, look)], at: row) }

    /// `left` and `right` at the two edges of line `row`; `left` gives way.
    mutating func put(left: [Span], right: [Span], at row: Int) {
        let width = right.reduce(0) { $0 + DisplayWidth.of($1.text) }
        let room = max(0, size.columns - width - 1)
        let fitted = Self.fitted(left, to: room)
        let used = fitted.reduce(0) { $0 + DisplayWidth.of($1.text) }
        put(
            fitted + [Span(String(repeating: " ", count: max(1, size.columns - width - used)))] + right,
            at: row)
    }

    /// Lines in the middle of the rows, for what stands where a picture would.
    mutating func put(centred texts: [Span], in rows: Range<Int>) {
        let top = rows.lowerBound + max(0, (rows.count - texts.count) / 2)
        for (offset, span) in texts.enumerated() where top + offset < rows.upperBound {
            let text = DisplayWidth.truncated(span.text, to: size.columns)
            let margin = String(repeating: " ", count: max(0, (size.columns - DisplayWidth.of(text)) / 2))
            put([Span(margin), Span(text, span.look)], at: top + offset)
        }
    }

    mutating func put(_ picture: Picture) { pictures.append(picture) }

    mutating func prepare(_ picture: Picture) { upcoming.append(picture) }

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

    /// The lines without looks, as one sees them.
    var text: [String] { lines.map { $0.map(\.text).joined() } }
}

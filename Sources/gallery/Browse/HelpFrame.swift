extension BrowseModel {
    private static let keys: KeyValuePairs<String, String> = [
        "→ ↓ space n": "next photo", "← ↑ p": "previous photo", "Home End": "first and last photo",
        "g": "go to an index", "Enter": "the picture alone, and back", "Tab": "grid of thumbnails",
        "i": "details", "f": "fetch the full file to the directory", "m": "mark, or take the mark away",
        "o": "open the photo's page in the browser", "a": "the author's photos",
        "Backspace": "back to the feed before", "r": "try again what failed", "t": "day and night",
        "Ctrl-Z": "pause; 'fg' comes back", "q": "quit",
    ]

    func drawHelp(_ frame: inout Frame) {
        frame.put("Keys", .title, at: 0)
        // In two columns where the window is too low for one, and wide enough for two.
        let room = size.rows - 2
        let columns = Self.keys.count > room && size.columns >= 72 ? 2 : 1
        let rows = (Self.keys.count + columns - 1) / columns
        let width = columns == 1 ? size.columns : size.columns / 2
        let cells = Self.keys.map { key, meaning in
            let text = DisplayWidth.padded(key, to: 13) + meaning
            return DisplayWidth.padded(DisplayWidth.truncated(text, to: width - 1), to: width)
        }
        for row in 0..<min(rows, room) {
            let places = stride(from: row, to: cells.count, by: rows)
            frame.put(places.map { Frame.Span(cells[$0]) }, at: row + 1)
        }
        if rows > room { frame.put("…", at: room) }
    }
}

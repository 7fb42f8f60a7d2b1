import GalleryCore
import TerminalPictures

/// The keys of `browse` in groups, laid out in columns and, where the window is low, on pages.
enum KeyHelp {
    /// The titles of groups, with their keys and what these do.
    typealias Groups = KeyValuePairs<String, KeyValuePairs<String, String>>

    /// A line of a column; `nil` between groups.
    enum Line: Hashable, Sendable {
        case title(String)
        case key(String, String)
    }

    static let groups: Groups = [
        "Go": [
            "→ ↓ space n": "next photo (also l, j)", "← ↑ p": "previous photo (also h, k)",
            "Home End g": "first, last, an index", "/ n N": "find, next, previous",
            "& D": "filter, go to a date", "O": "order of a folder", "F a": "other feed, the author's",
            "* Backspace": "the marked photos, back",
        ],
        "Look": [
            "Enter": "only the picture, and back", "Tab": "grid of thumbnails",
            "c": "compare with others, back", "i s": "details, a strip of photos", "e": "EXIF and histogram",
            "+ - Z w": "zoom, 100 %, width; 0 all", "R L": "turn right, left",
            "S": "slideshow; p pauses a GIF", "t": "dark or light theme",
        ],
        "Judge": [
            "1 to 5, 0": "stars, none; u takes back", "m M": "mark, choose the list",
            "space V": "select one, a range (grid)", "d U": "to the trash, and back",
            "T": "tournament: the best ten",
        ],
        "Use": [
            "f": "download the full file", "o v": "open the page, the file",
            "y Y": "copy the address, the path", "x": "run --exec with the file",
        ],
        "Program": program,
    ]

    /// What keys mean while two photos are asked about.
    static let tournament: Groups = [
        "Tournament": [
            "← h 1": "the left photo is better", "→ l 2": "the right photo is better",
            "u Backspace": "take the last choice back", "+ - Z w": "zoom, 100 %, width; 0 all",
            "T": "begin anew", "Esc": "leave; T takes it up",
        ],
        "Program": program,
    ]

    private static let program: KeyValuePairs = [
        "r": "retry", "? Esc": "this help", "Ctrl-Z": "suspend; 'fg' resumes", "q": "quit",
    ]

    /// Pages of columns of lines for so many columns of at most `rows` lines, all as low as it goes.
    static func pages(_ groups: Groups, columns: Int, rows: Int) -> [[[Line?]]] {
        let whole = fill(groups, rows: rows)
        guard whole.count <= columns else { return whole.chunks(of: columns) }
        let lowest = (1...rows).lazy.map { fill(groups, rows: $0) }.first { $0.count <= columns }
        return [lowest ?? whole]
    }

    /// Columns of at most `rows` lines; a group is cut where it is longer, and never its title from its keys.
    private static func fill(_ groups: Groups, rows: Int) -> [[Line?]] {
        var columns: [[Line?]] = [[]]
        for (title, keys) in groups {
            let lines = [Line.title(title)] + keys.map { .key($0, $1) }
            let used = columns[columns.count - 1].count
            if used > 0, used + 1 + lines.count <= rows {
                columns[columns.count - 1] += [nil] + lines
                continue
            }
            if used == 0 { columns.removeLast() }
            columns += lines.chunks(of: max(1, rows))
        }
        return columns
    }
}

extension BrowseModel {
    private var helpColumns: Int { size.columns >= 120 ? 3 : size.columns >= 72 ? 2 : 1 }

    private var helpPages: [[[KeyHelp.Line?]]] {
        KeyHelp.pages(
            contest == nil ? KeyHelp.groups : KeyHelp.tournament, columns: helpColumns, rows: size.rows - 2)
    }

    /// Turns the pages of the help; any other key closes it, as the last page's end does.
    mutating func pressInHelp(_ key: Key) {
        let page = helpPage ?? 0
        switch key {
        case .down, .pageDown, .right, .character(" "): helpPage = page + 1 < helpPages.count ? page + 1 : nil
        case .up where page > 0, .pageUp where page > 0, .left where page > 0: helpPage = page - 1
        default: helpPage = nil
        }
    }

    func drawHelp(_ frame: inout Frame) {
        let pages = helpPages
        let number = min(helpPage ?? 0, pages.count - 1)
        let more = pages.count > 1 ? "\(number + 1) of \(pages.count); ↓ more" : ""
        frame.put(left: [.init("Keys", .title)], right: [.init(more, .faint)], at: 0)
        let columns = pages[number]
        let width = size.columns / helpColumns
        for row in 0..<(columns.map(\.count).max() ?? 0) {
            let spans = columns.map { lines -> Frame.Span in
                switch row < lines.count ? lines[row] : nil {
                case .title(let title)?: .init(widths.padded(title, to: width), .title)
                case .key(let key, let meaning)?:
                    .init(
                        widths.padded(
                            widths.truncated(widths.padded(key, to: 13) + meaning, to: width - 1), to: width))
                case nil: .init(String(repeating: " ", count: width))
                }
            }
            frame.put(spans, at: row + 1)
        }
    }
}

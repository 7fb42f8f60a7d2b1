import Foundation
import GalleryCore
import TerminalPictures

/// Settings as a table: name, value, where that comes from, and what it does.
struct SettingsTable {
    let lines: [String]

    /// `columns` are the terminal's; `nil` elsewhere. What a setting does is below it where it does not fit beside it.
    init(_ rows: [SettingValues.Row], columns: Int?) {
        let cells =
            [["Setting", "Value", "From"]]
            + rows.map { row in
                let value = PlainText.line(row.shown)
                return [
                    PlainText.excerpt("\(row.name)"),
                    columns == nil ? value : PlainText.excerpt(value, limit: 36), row.source.text,
                ]
            }
        let widths = (0..<3).map { column in cells.map { DisplayWidth.usual.of($0[column]) }.max() ?? 0 }
        let heads = cells.map { cells in
            zip(cells, widths).map { DisplayWidth.usual.padded($0, to: $1) }.joined(separator: "  ")
        }
        let summaries = ["What it does"] + rows.map { PlainText.line($0.name.summary) }
        let width =
            zip(heads, summaries).map { DisplayWidth.usual.of($0) + 2 + DisplayWidth.usual.of($1) }.max() ?? 0
        guard let columns, columns < width else {
            lines = zip(heads, summaries).map { "\($0)  \($1)" }
            return
        }
        lines = zip(heads, summaries).dropFirst().flatMap { head, summary in
            let head = String(head.reversed().drop { $0 == " " }.reversed())
            return [head, "    " + summary].map { DisplayWidth.usual.truncated($0, to: columns) }
        }
    }
}

extension SettingValues.Row {
    /// Its value in a table; `set` for a key.
    fileprivate var shown: String {
        guard origin != nil else { return "-" }
        if name.isSecret { return "set" }
        switch value {
        case .string(let text): return isAddress ? Redaction.address(text) : text
        case .int(let number): return "\(number)"
        default: return value.text
        }
    }

    /// A password may be in it.
    private var isAddress: Bool { name.path.first == Setting.baseURLs.name || name.path.last == "baseURL" }

    /// Its lines where it is asked for; without its name if it `isAlone`.
    func lines(isAlone: Bool) -> [String] {
        let lines: [String] =
            if name.isSecret { ["set"] } else {
                switch value {
                case .array(let elements):
                    elements.map { if case .string(let text) = $0 { text } else { $0.text } }
                case .string(let text): [text]
                default: [value.text]
                }
            }
        return lines.map { PlainText.line((isAlone ? "" : "\(name) ") + $0) }
    }

    fileprivate var source: (text: String, word: JSONValue) {
        switch origin {
        case .standard?: ("default", .string("default"))
        case .file?: ("file", .string("file"))
        case .environment(let variable)?: (variable, .string("environment"))
        case nil: ("-", .null)
        }
    }

    var json: JSONValue {
        let shown: JSONValue = isAddress && origin != nil ? .string(shown) : value
        return .members([
            "name": .string("\(name)"), "value": shown, "set": .bool(origin != nil), "source": source.word,
            "variable": .optional(variable), "summary": .string(name.summary),
        ])
    }
}

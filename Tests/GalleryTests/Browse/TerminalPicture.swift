import Foundation

@testable import gallery

/// What a terminal shows after it has been sent some bytes: as much of one as our own screens need.
struct TerminalPicture {
    /// The lines, without spaces at their ends.
    var lines: [String] { cells.map { row in String(row.reversed().drop { $0 == " " }.reversed()) } }
    /// Whether the other screen is on, which programs take for as long as they run.
    private(set) var isAlternate = false
    private(set) var isCursorHidden = false

    private var cells: [[Character]]
    /// The usual screen while the other one is on.
    private var main: (cells: [[Character]], row: Int, column: Int)?
    private var row = 0
    private var column = 0

    init(_ bytes: Data, columns: Int, rows: Int) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = rest.popFirst() {
            if character == "\u{1B}" { obey(&rest) } else { put(character) }
        }
    }

    private mutating func obey(_ rest: inout Substring) {
        switch rest.popFirst() {
        case "[":
            let parameters = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(parameters.count)
            guard let final = rest.popFirst() else { return }
            control(parameters, final)
        case "P", "_", "]": rest = rest.firstRange(of: "\u{1B}\\").map { rest[$0.upperBound...] } ?? ""
        default: break
        }
    }

    private mutating func control(_ parameters: Substring, _ final: Character) {
        switch (parameters, final) {
        case (_, "H"):
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            row = (numbers.first ?? 1) - 1
            column = (numbers.dropFirst().first ?? 1) - 1
        case ("2", "J"):
            cells = cells.map { $0.map { _ in " " } }
        case ("?1049", "h"):
            if !isAlternate { main = (cells, row, column) }
            isAlternate = true
        case ("?1049", "l"):
            if let main { (cells, row, column) = main }
            isAlternate = false
        case ("?25", _): isCursorHidden = final == "l"
        default: break
        }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\r": column = 0
        case "\n", "\r\n":
            row = min(row + 1, cells.count - 1)
            if character == "\r\n" { column = 0 }
        default:
            guard cells.indices.contains(row), cells[row].indices.contains(column) else { return }
            cells[row][column] = character
            column += max(1, DisplayWidth.of(character))
        }
    }
}

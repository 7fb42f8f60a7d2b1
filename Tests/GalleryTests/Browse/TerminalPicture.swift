import Foundation
import TerminalPictures

/// What a terminal shows after it has been sent some bytes: as much of one as our own screens need.
struct TerminalPicture: Sendable {
    /// The lines, without spaces at their ends.
    var lines: [String] {
        cells.map { row in
            String(row.filter { $0 != Self.covered }.reversed().drop { $0 == " " }.reversed())
        }
    }
    /// Whether the other screen is on, which programs take for as long as they run.
    private(set) var isAlternate = false
    private(set) var isCursorHidden = false

    /// Whether every code point takes its own columns, as in terminals that join none.
    var countsCodePoints = false

    private var cells: [[Character]]
    /// The second cell of a wide character.
    private static let covered: Character = "\0"
    /// The usual screen while the other one is on.
    private var main: (cells: [[Character]], row: Int, column: Int)?
    private var row = 0
    private var column = 0
    /// How many bytes were taken, and those of them whose character or sequence is not whole yet.
    private(set) var taken = 0
    private var pending: ArraySlice<UInt8> = []

    init(columns: Int, rows: Int) {
        cells = Self.empty(columns, rows)
    }

    init(_ output: Data, columns: Int, rows: Int) {
        self.init(columns: columns, rows: rows)
        take(output)
    }

    private static func empty(_ columns: Int, _ rows: Int) -> [[Character]] {
        Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// Reads on in `output`, all that was written so far: every byte is looked at once.
    mutating func take(_ output: Data) {
        pending += output.dropFirst(taken)
        taken = output.count
        while let first = pending.first, first == 0x1B ? obey() : write() {}
        pending = ArraySlice(Array(pending))
    }

    /// Reads `output` alone, where it is not all that was written so far.
    mutating func take(_ output: Data, isNew: Bool) {
        taken = 0
        take(output)
    }

    mutating func fill(_ box: PictureBox, with character: Character) {
        for row in Self.rows(of: box) {
            for column in Self.columns(of: box) { cells[row][column] = character }
        }
    }

    func cells(of box: PictureBox) -> [[Character]] {
        Self.rows(of: box).map { row in Self.columns(of: box).map { cells[row][$0] } }
    }

    private static func rows(of box: PictureBox) -> Range<Int> {
        let first = (box.origin?.row ?? 1) - 1
        return first..<first + box.rows
    }

    private static func columns(of box: PictureBox) -> Range<Int> {
        let first = (box.origin?.column ?? 1) - 1
        return first..<first + box.columns
    }

    /// The window has another size; what it showed is forgotten until it is drawn anew.
    mutating func resize(columns: Int, rows: Int) { cells = Self.empty(columns, rows) }

    // MARK: - Sequences

    /// Takes a sequence. False where its end has not come.
    private mutating func obey() -> Bool {
        guard pending.count > 1 else { return false }
        let body = pending.dropFirst(2)
        switch pending[pending.startIndex + 1] {
        case UInt8(ascii: "["):
            guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return false }
            control(String(decoding: body[..<end], as: UTF8.self), Character(Unicode.Scalar(body[end])))
            pending = body[(end + 1)...]
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
            guard let end = Self.end(of: body) else { return false }
            pending = body[end...]
        default: pending = body
        }
        return true
    }

    /// Where a control string ends: after `ESC \`, or after BEL.
    private static func end(of body: ArraySlice<UInt8>) -> Int? {
        let end = body.firstRange(of: [0x1B, 0x5C])?.upperBound
        // Not in all that follows, which may be megabytes.
        return body[..<(end ?? body.endIndex)].firstIndex(of: 0x07).map { $0 + 1 } ?? end
    }

    private mutating func control(_ parameters: String, _ final: Character) {
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

    // MARK: - Text

    /// Takes the text before the next sequence. False where only a part of a character has come.
    private mutating func write() -> Bool {
        var text = pending.prefix { $0 != 0x1B }
        if text.endIndex == pending.endIndex { text = text.dropLast(Self.unfinished(text)) }
        guard !text.isEmpty else { return false }
        for character in String(decoding: text, as: UTF8.self) { put(character) }
        pending = pending[text.endIndex...]
        return true
    }

    /// How many bytes at the end begin a character that is not whole.
    private static func unfinished(_ text: ArraySlice<UInt8>) -> Int {
        let tail = text.suffix(3).reversed()
        guard let place = tail.enumerated().first(where: { $0.element >= 0xC0 }) else { return 0 }
        let length = place.element >= 0xF0 ? 4 : place.element >= 0xE0 ? 3 : 2
        return place.offset + 1 < length ? place.offset + 1 : 0
    }

    /// A wide character of which one half is written over is gone as a whole.
    private mutating func uncover(_ column: Int) {
        if cells[row][column] == Self.covered, column > 0 { cells[row][column - 1] = " " }
        let next = column + 1
        if cells[row].indices.contains(next), cells[row][next] == Self.covered { cells[row][next] = " " }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\r": column = 0
        case "\n", "\r\n":
            row = min(row + 1, cells.count - 1)
            if character == "\r\n" { column = 0 }
        default:
            guard cells.indices.contains(row), cells[row].indices.contains(column) else { return }
            if countsCodePoints, character.unicodeScalars.count > 1 {
                // Those without a width of their own are left out, which nobody sees here.
                let apart = character.unicodeScalars.filter { !$0.properties.isJoinControl }
                for scalar in apart { put(Character(scalar)) }
                return
            }
            uncover(column)
            cells[row][column] = character
            column += 1
            if DisplayWidth.usual.of(character) > 1, cells[row].indices.contains(column) {
                cells[row][column] = Self.covered
                column += 1
            }
        }
    }
}

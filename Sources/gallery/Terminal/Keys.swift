/// A key press.
enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter with Ctrl held, in lower case.
    case control(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown
    case wheelUp, wheelDown
    /// The first button, at a cell.
    case click(CellPosition)
}

/// Turns bytes from a terminal into keys, and drops everything else.
///
/// Terminals answer queries on the line that keys come from. A late answer is just another sequence
/// here, and never a key.
struct KeyParser: Sendable {
    private var pending: [UInt8] = []

    /// A control string longer than this answers nothing we asked.
    private static let longest = 4096

    /// The keys that `bytes` complete.
    mutating func keys(from bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        var rest = pending[...]
        while let (key, length) = Self.next(rest) {
            if let key { keys.append(key) }
            rest = rest.dropFirst(length)
        }
        pending = rest.count > Self.longest ? [] : Array(rest)
        return keys
    }

    /// The key that is left when nothing more comes: a lone Escape.
    mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// The first key, if any, and its length in bytes; `nil` if more bytes are needed.
    private static func next(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
        default: return character(bytes, first)
        }
    }

    private static func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> (Key?, Int)? {
        let length = first >= 0xF5 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard length > 1 else { return (nil, 1) }
        guard bytes.count >= length else { return nil }
        let text = String(validating: bytes.prefix(length), as: UTF8.self)
        guard let text, let character = text.first else { return (nil, 1) }
        return (.character(character), length)
    }

    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[bytes.startIndex + 1] {
        case UInt8(ascii: "["): return control(bytes)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return nil }
            return (arrow(bytes[bytes.startIndex + 2]), 3)
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "^"),
            UInt8(ascii: "X"):
            return string(bytes)
        case 0x1B: return (.escape, 1)
        // Alt with a key means nothing here.
        default: return (nil, 2)
        }
    }

    /// `ESC [`, parameters from 0x20 to 0x3F, one final byte.
    private static func control(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
        let length = end - bytes.startIndex + 1
        let parameters = String(decoding: body[..<end], as: UTF8.self)
        if parameters.hasPrefix("<") { return (mouse(parameters.dropFirst(), bytes[end]), length) }
        guard bytes[end] == UInt8(ascii: "~") else {
            // Modifiers are ignored; `?` and `>` begin a terminal's own answers.
            let isKey = parameters.allSatisfy { $0.isNumber || $0 == ";" }
            return (isKey ? arrow(bytes[end]) : nil, length)
        }
        let keys: [Substring: Key] = [
            "1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown,
        ]
        return (keys[parameters.prefix { $0 != ";" }], length)
    }

    /// A mouse event in xterm's SGR form: button, column and row, then `M` for a press.
    private static func mouse(_ parameters: Substring, _ final: UInt8) -> Key? {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, final == UInt8(ascii: "M") else { return nil }
        switch numbers[0] {
        case 0: return .click(CellPosition(row: numbers[2], column: numbers[1]))
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }

    private static func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        default: nil
        }
    }

    /// Up to `ESC \` or BEL.
    private static func string(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        var isEscaped = false
        for index in bytes.indices.dropFirst(2) {
            let byte = bytes[index]
            if byte == 0x07 || (isEscaped && byte == UInt8(ascii: "\\")) {
                return (nil, index - bytes.startIndex + 1)
            }
            isEscaped = byte == 0x1B
        }
        return nil
    }
}

import Basics

package indirect enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter with Ctrl held, in lower case.
    case control(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// An arrow with Shift held.
    case shift(Key)
    case wheelUp, wheelDown
    /// The first button, at a cell.
    case click(CellPosition)
    /// A text that was pasted, which is no key whatever is in it.
    case paste(String)
}

/// Turns a terminal's bytes into keys and its answers to questions, even if they arrive in pieces.
///
///     var parser = TerminalParser()
///     handle(parser.keys(in: bytes))   // after each read
///     handle(parser.flush())           // after a pause: Escape was a key
///
/// Terminals answer on the line that keys come from. An answer is never a key, however late it is, and everything
/// else that is neither is dropped. A sequence that never ends is abandoned at the first byte that cannot belong to it.
package struct TerminalParser: Hashable, Sendable {
    package private(set) var answers = TerminalAnswers()
    /// Keys typed before anybody wanted them.
    private(set) var typed: [Key] = []
    private var pending: [UInt8] = []
    /// What has come of a text that is being pasted; `nil` while none is.
    private var pasted: [UInt8]?

    /// Longer than any answer to what we ask.
    private static let longest = 256
    /// The most bytes of a pasted text to keep.
    private static let longestPaste = 4096
    /// More than anyone types while answers are waited for is noise.
    private static let mostTyped = 64
    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    package init() {}

    mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let key = next() {
            if let key { keys.append(key) }
        }
        if pasted == nil, pending.count > Self.longest { pending = [] }
        return keys
    }

    /// The key that is left when nothing more comes: a lone Escape. The beginning of an answer stays.
    mutating func flush() -> [Key] {
        guard pasted == nil, pending.count <= 2 else { return [] }
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// Keeps the keys that `bytes` complete, for a reader to come.
    package mutating func listen(to bytes: some Sequence<UInt8>) {
        typed += keys(in: bytes).prefix(max(0, Self.mostTyped - typed.count))
    }

    /// Takes the next unit from the pending bytes, and returns its key if it is one; `nil` if more bytes are needed.
    private mutating func next() -> Key?? {
        if pasted != nil { return paste().map(Optional.some) }
        guard let unit = unit(in: pending[...]) else { return nil }
        pending.removeFirst(unit.length)
        return .some(unit.key)
    }

    private mutating func paste() -> Key? {
        let end = pending.firstRange(of: Self.endOfPaste)
        // The end may be cut in two.
        let count = end?.lowerBound ?? max(0, pending.count - Self.endOfPaste.count + 1)
        let text = ((pasted ?? []) + pending.prefix(count)).prefix(Self.longestPaste)
        pending.removeFirst(end?.upperBound ?? count)
        pasted = end == nil ? Array(text) : nil
        return end == nil ? nil : .paste(String(decoding: text, as: UTF8.self))
    }
}

// MARK: - Units

extension TerminalParser {
    /// The smallest part of what a terminal sends that has a meaning; without a key, an answer or something unknown.
    private typealias Unit = (key: Key?, length: Int)

    private mutating func unit(in bytes: ArraySlice<UInt8>) -> Unit? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0..<0x20: return (nil, 1)
        default: return character(bytes, first)
        }
    }

    private func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> Unit? {
        let length = first >= 0xF5 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard bytes.count >= length else { return nil }
        let text = String(validating: bytes.prefix(length), as: UTF8.self)
        return text?.first.map { (.character($0), length) } ?? (nil, 1)
    }

    private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> Unit? {
        guard let second = bytes.dropFirst().first else { return nil }
        switch second {
        case UInt8(ascii: "["): return control(bytes)
        case UInt8(ascii: "O"): return bytes.dropFirst(2).first.map { (Self.keys[$0], 3) }
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return string(bytes)
        case 0x1B: return (.escape, 1)
        // Alt with a key means nothing here.
        default: return (nil, 2)
        }
    }

    /// `ESC [`, parameters from 0x20 to 0x3F, one final byte.
    private mutating func control(_ bytes: ArraySlice<UInt8>) -> Unit? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
        let length = end - bytes.startIndex
        guard (0x40...0x7E).contains(bytes[end]) else { return (nil, length) }
        let parameters = String(decoding: body[..<end], as: UTF8.self)
        answers.take(control: parameters, Character(Unicode.Scalar(bytes[end])))
        return (key(parameters, bytes[end]), length + 1)
    }

    private mutating func key(_ parameters: String, _ final: UInt8) -> Key? {
        if parameters.hasPrefix("<") { return mouse(parameters.dropFirst(), final) }
        guard final == UInt8(ascii: "~") else {
            // Other modifiers are ignored; `?` and `>` begin a terminal's own answers.
            guard let key = Self.keys[final], parameters.allSatisfy({ $0.isNumber || $0 == ";" })
            else { return nil }
            return parameters == "1;2" && [.up, .down, .right, .left].contains(key) ? .shift(key) : key
        }
        switch parameters.prefix(while: { $0 != ";" }) {
        case "1", "7": return .home
        case "4", "8": return .end
        case "5": return .pageUp
        case "6": return .pageDown
        case "200":
            pasted = []
            return nil
        default: return nil
        }
    }

    /// A mouse event in xterm's SGR form: button, column and row, then `M` for a press.
    private func mouse(_ parameters: Substring, _ final: UInt8) -> Key? {
        let numbers = parameters.split(separator: ";").compactMap { Int($0, within: CellPosition.sides) }
        guard numbers.count == 3, final == UInt8(ascii: "M") else { return nil }
        switch numbers[0] {
        case 0: return .click(CellPosition(row: numbers[2], column: numbers[1]))
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }

    private static let keys: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]

    /// Up to `ESC \`, or to the BEL that some terminals send instead.
    private mutating func string(_ bytes: ArraySlice<UInt8>) -> Unit? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { $0 < 0x20 }) else { return nil }
        let length = end - bytes.startIndex
        let isEnded = bytes[end] == 0x07 || bytes[end] == 0x1B && bytes[(end + 1)...].first == 0x5C
        if bytes[end] == 0x1B, end == bytes.endIndex - 1 { return nil }
        guard isEnded else { return (nil, length) }
        answers.take(string: String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self))
        return (nil, length + (bytes[end] == 0x07 ? 1 : 2))
    }
}

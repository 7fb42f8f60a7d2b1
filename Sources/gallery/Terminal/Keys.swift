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
struct TerminalParser: Hashable, Sendable {
    /// The answers so far, in order.
    private(set) var replies: [TerminalReply] = []
    /// The bytes of an unfinished sequence.
    private var pending: [UInt8] = []
    /// What has come of a text that is being pasted; `nil` while none is.
    private var pasted: [UInt8]?

    /// Longer than any answer to what we ask.
    private static let longest = 256
    /// The most bytes of a pasted text to keep.
    private static let longestPaste = 4096
    /// Each question is asked once; a terminal that keeps answering must not fill the memory.
    private static let mostReplies = 32
    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    /// The keys that `bytes` complete.
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

    /// Takes the next unit from the pending bytes, and returns its key if it is one; `nil` if more bytes are needed.
    private mutating func next() -> Key?? {
        if pasted != nil { return paste().map(Optional.some) }
        guard let (unit, length) = TerminalUnit.first(in: pending[...]) else { return nil }
        pending.removeFirst(length)
        switch unit {
        case .key(let key): return .some(key)
        case .reply(let reply):
            if replies.count < Self.mostReplies { replies.append(reply) }
        case .startOfPaste: pasted = []
        case .nothing: break
        }
        return .some(nil)
    }

    /// Takes more of a pasted text; returns it once its end is there.
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

/// The smallest part of what a terminal sends that means something by itself.
private enum TerminalUnit {
    case key(Key)
    case reply(TerminalReply)
    case startOfPaste
    /// Neither a key nor an answer.
    case nothing

    /// The first unit and its length in bytes; `nil` if more bytes are needed.
    static func first(in bytes: ArraySlice<UInt8>) -> (TerminalUnit, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence(bytes)
        case 0x0D, 0x0A: return (.key(.enter), 1)
        case 0x09: return (.key(.tab), 1)
        case 0x7F, 0x08: return (.key(.backspace), 1)
        case 1...26: return (.key(.control(Character(Unicode.Scalar(first + 0x60)))), 1)
        case 0x20..<0x7F: return (.key(.character(Character(Unicode.Scalar(first)))), 1)
        default: return character(bytes, first)
        }
    }

    private static func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> (TerminalUnit, Int)? {
        let length = first >= 0xF5 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard length > 1 else { return (.nothing, 1) }
        guard bytes.count >= length else { return nil }
        let text = String(validating: bytes.prefix(length), as: UTF8.self)
        guard let character = text?.first else { return (.nothing, 1) }
        return (.key(.character(character)), length)
    }

    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (TerminalUnit, Int)? {
        guard let second = bytes.dropFirst().first else { return nil }
        switch second {
        case UInt8(ascii: "["): return control(bytes)
        case UInt8(ascii: "O"):
            guard let letter = bytes.dropFirst(2).first else { return nil }
            return (arrow(letter), 3)
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return string(bytes)
        case 0x1B: return (.key(.escape), 1)
        // Alt with a key means nothing here.
        default: return (.nothing, 2)
        }
    }

    /// `ESC [`, parameters from 0x20 to 0x3F, one final byte.
    private static func control(_ bytes: ArraySlice<UInt8>) -> (TerminalUnit, Int)? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
        let length = end - bytes.startIndex
        guard (0x40...0x7E).contains(bytes[end]) else { return (.nothing, length) }
        let parameters = String(decoding: body[..<end], as: UTF8.self)
        if let reply = TerminalReply(control: parameters, Character(Unicode.Scalar(bytes[end]))) {
            return (.reply(reply), length + 1)
        }
        return (unit(parameters[...], bytes[end]), length + 1)
    }

    private static func unit(_ parameters: Substring, _ final: UInt8) -> TerminalUnit {
        if parameters.hasPrefix("<") { return mouse(parameters.dropFirst(), final) }
        guard final == UInt8(ascii: "~") else {
            // Modifiers are ignored; `?` and `>` begin a terminal's own answers.
            return parameters.allSatisfy { $0.isNumber || $0 == ";" } ? arrow(final) : .nothing
        }
        switch parameters.prefix(while: { $0 != ";" }) {
        case "1", "7": return .key(.home)
        case "4", "8": return .key(.end)
        case "5": return .key(.pageUp)
        case "6": return .key(.pageDown)
        case "200": return .startOfPaste
        default: return .nothing
        }
    }

    /// A mouse event in xterm's SGR form: button, column and row, then `M` for a press.
    private static func mouse(_ parameters: Substring, _ final: UInt8) -> TerminalUnit {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, final == UInt8(ascii: "M") else { return .nothing }
        switch numbers[0] {
        case 0: return .key(.click(CellPosition(row: numbers[2], column: numbers[1])))
        case 64: return .key(.wheelUp)
        case 65: return .key(.wheelDown)
        default: return .nothing
        }
    }

    private static func arrow(_ byte: UInt8) -> TerminalUnit {
        switch byte {
        case UInt8(ascii: "A"): .key(.up)
        case UInt8(ascii: "B"): .key(.down)
        case UInt8(ascii: "C"): .key(.right)
        case UInt8(ascii: "D"): .key(.left)
        case UInt8(ascii: "H"): .key(.home)
        case UInt8(ascii: "F"): .key(.end)
        case UInt8(ascii: "M"): .key(.enter)
        default: .nothing
        }
    }

    /// Up to `ESC \`, or to the BEL that some terminals send instead.
    private static func string(_ bytes: ArraySlice<UInt8>) -> (TerminalUnit, Int)? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { $0 < 0x20 }) else { return nil }
        let length = end - bytes.startIndex
        let isEnded = bytes[end] == 0x07 || bytes[end] == 0x1B && bytes[(end + 1)...].first == 0x5C
        if bytes[end] == 0x1B, end == bytes.endIndex - 1 { return nil }
        guard isEnded else { return (.nothing, length) }
        let text = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        return (
            TerminalReply(string: text).map { .reply($0) } ?? .nothing, length + (bytes[end] == 0x07 ? 1 : 2)
        )
    }
}

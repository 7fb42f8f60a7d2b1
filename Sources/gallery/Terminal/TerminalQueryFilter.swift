/// One answer of a terminal to ``TerminalQuery``.
enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes: the class first, then what it can do.
    case attributes([Int])
    /// Name and version, as the terminal spells them.
    case version(String)
    /// To a graphics command of kitty's protocol: the message, `OK` where all is well.
    case graphics(String)
    /// A cell's height and width in pixels.
    case cell(height: Int, width: Int)
    /// Where the cursor is, from 1.
    case cursor(row: Int, column: Int)
}

/// Takes a terminal's answers out of what is read as keys, also where they come in pieces.
///
///     var filter = painter.lateReplies
///     handle(filter.keys(in: bytes))                  // after each read
///     handle(filter.flush())                          // after a pause: Escape was a key
///
/// An answer has a form no key has, from its first bytes on: `ESC P > |`, `ESC _ G`, `ESC [ ? … c`,
/// `ESC [ 6 ; … t`. One that never ends is given up at the first byte that cannot belong to it.
struct TerminalReplyFilter: Hashable, Sendable {
    /// What was taken out, in order.
    private(set) var replies: [TerminalReply] = []

    /// Bytes of a sequence whose end has not come.
    private var held: [UInt8] = []

    /// Longer than any answer. What goes on beyond was none.
    private static let longest = 256
    private static let escape = UInt8(ascii: "\u{1B}")

    /// Whether the primary attributes are among ``replies``, which every terminal answers last.
    var hasAttributes: Bool {
        replies.contains { if case .attributes = $0 { true } else { false } }
    }

    /// The bytes that are keys. An unfinished sequence is held back until its rest comes.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [UInt8] {
        var keys: [UInt8] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// The held bytes that are keys, if nothing follows them: Escape alone, or with Alt.
    ///
    /// The beginning of an answer stays held: its rest is still on its way.
    mutating func flush() -> [UInt8] {
        guard held.count <= 2 else { return [] }
        defer { held = [] }
        return held
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [UInt8]) {
        if held.isEmpty, byte != Self.escape { return keys.append(byte) }
        held.append(byte)
        switch Progress(held) {
        case .unfinished where held.count < Self.longest: break
        case .unfinished, .brokenAnswer:
            // Dropped, as no key begins like this. Its last byte begins anew, and so does an Escape before it.
            let rest = held.suffix(held[held.count - 2] == Self.escape ? 2 : 1)
            held = []
            for byte in rest { take(byte, &keys) }
        case .brokenKey:
            keys += held.dropLast()
            held = []
            take(byte, &keys)
        case .key:
            keys += held
            held = []
        case .reply(let reply):
            // Each is asked for once; a terminal that goes on and on must not fill the memory.
            if replies.count < 32 { replies.append(reply) }
            held = []
        }
    }
}

/// How far a sequence of bytes that begins with Escape has come.
private enum Progress {
    case unfinished
    case reply(TerminalReply)
    /// A whole sequence, and no answer.
    case key
    /// Its last byte cannot belong to it; what stands before may be keys.
    case brokenKey
    /// The same, and what stands before can only be the beginning of an answer.
    case brokenAnswer

    init(_ bytes: [UInt8]) {
        guard bytes.count > 1 else {
            self = .unfinished
            return
        }
        switch bytes[1] {
        case UInt8(ascii: "["): self.init(control: bytes.dropFirst(2))
        case UInt8(ascii: "P"): self.init(bytes, start: "\u{1B}P>|") { .version($0) }
        case UInt8(ascii: "_"): self.init(bytes, start: "\u{1B}_G") { .graphics(Self.message($0)) }
        case UInt8(ascii: "\u{1B}"): self = .brokenKey
        default: self = .key
        }
    }

    /// What follows `ESC [`.
    private init(control bytes: ArraySlice<UInt8>) {
        switch bytes.last ?? 0x20 {
        case 0x20...0x3F: self = .unfinished
        case 0x40...0x7E: self = Self.reply(control: bytes).map { .reply($0) } ?? .key
        default: self = .brokenKey
        }
    }

    private static func reply(control bytes: ArraySlice<UInt8>) -> TerminalReply? {
        let text = Self.text(bytes)
        if text.hasPrefix("?"), text.hasSuffix("c") {
            let numbers = text.dropFirst().dropLast().split(separator: ";", omittingEmptySubsequences: false)
            let attributes = numbers.map { Int($0) }
            return attributes.contains(nil) ? nil : .attributes(attributes.compactMap(\.self))
        }
        let numbers = text.dropLast().split(separator: ";").map { Int($0) ?? 0 }
        if text.hasSuffix("t"), numbers.count == 3, numbers[0] == 6 {
            return .cell(height: numbers[1], width: numbers[2])
        }
        // F3 with Shift is the same with 1 and 2, its modifiers never being 1.
        if text.hasSuffix("R"), numbers.count == 2, numbers[0] > 1 || numbers == [1, 1] {
            return .cursor(row: numbers[0], column: numbers[1])
        }
        return nil
    }

    /// A string from `start` to `ESC \`; BEL ends it too in what some terminals send.
    private init(_ bytes: [UInt8], start: String, reply: (String) -> TerminalReply) {
        let start = Array(start.utf8)
        guard bytes.starts(with: start) else {
            self = start.starts(with: bytes) ? .unfinished : .brokenKey
            return
        }
        let content = bytes.dropFirst(start.count)
        let isAfterEscape = content.dropLast().last == 0x1B
        switch content.last ?? 0x20 {
        case 0x5C where isAfterEscape: self = .reply(reply(Self.text(content.dropLast(2))))
        case 0x07: self = .reply(reply(Self.text(content.dropLast())))
        case 0x1B where !isAfterEscape: self = .unfinished
        case 0x20... where !isAfterEscape: self = .unfinished
        default: self = .brokenAnswer
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// `i=31;OK` without the keys before the semicolon.
    private static func message(_ text: String) -> String {
        text.firstIndex(of: ";").map { String(text[text.index(after: $0)...]) } ?? ""
    }
}

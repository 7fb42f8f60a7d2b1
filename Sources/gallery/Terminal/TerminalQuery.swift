import Foundation
import GalleryCore
import Synchronization

/// A set of questions to the terminal, asked in one write.
struct TerminalQuery: Sendable {
    /// The bytes of the questions.
    let text: String
    /// Whether the last answer is there.
    private let isAnswered: @Sendable (TerminalReplyFilter) -> Bool

    /// What the terminal can show: kitty's graphics, its name, its cell size, the registers and the largest
    /// size of its sixels, and last its primary attributes.
    ///
    /// Every terminal answers the last question, and all answer in order: once that answer is there, nothing
    /// else is to be waited for.
    static let abilities = TerminalQuery(
        text: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + abilitiesInMultiplexer.text
    ) { $0.hasAttributes }

    /// The same without graphics, which tmux and screen would take for a window title.
    static let abilitiesInMultiplexer = TerminalQuery(
        text: "\u{1B}[>q\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[?2;1;0S\u{1B}[c"
    ) { $0.hasAttributes }

    /// The cursor's position.
    static let cursor = TerminalQuery(text: "\u{1B}[6n") { filter in
        filter.replies.contains { if case .cursor = $0 { true } else { false } }
    }

    /// How long to wait for answers.
    static let limit = Duration.milliseconds(200)

    /// How long after the question a late answer is still caught before the program ends, so that the shell
    /// does not read it.
    static let patience = Duration.milliseconds(500)

    private init(text: String, isAnswered: @escaping @Sendable (TerminalReplyFilter) -> Bool) {
        self.text = text
        self.isAnswered = isAnswered
    }

    /// Asks on `line`, off the cooperative pool.
    ///
    /// If the last answer came, the line is restored. Otherwise it stays hushed, so that a late answer is not
    /// echoed, and the caller restores it.
    func ask(on line: TerminalQueryLine, limit: Duration = TerminalQuery.limit) async
        -> TerminalAnswers
    {
        await withCheckedContinuation { waiter in
            Thread.detachNewThread { waiter.resume(returning: self.askWaiting(line, limit)) }
        }
    }

    private func askWaiting(_ line: TerminalQueryLine, _ limit: Duration) -> TerminalAnswers {
        line.hush()
        line.write(text)
        return read(line, after: TerminalAnswers(), until: ContinuousClock.now + limit)
    }

    /// Continues to read after an ``ask(on:limit:)`` that timed out.
    func awaitRest(
        of answers: TerminalAnswers, on line: TerminalQueryLine, until deadline: ContinuousClock.Instant
    ) async -> TerminalAnswers {
        await withCheckedContinuation { waiter in
            Thread.detachNewThread {
                waiter.resume(returning: self.read(line, after: answers, until: deadline))
            }
        }
    }

    private func read(
        _ line: TerminalQueryLine, after answers: TerminalAnswers,
        until deadline: ContinuousClock.Instant
    ) -> TerminalAnswers {
        var answers = answers
        while !answers.isComplete, let bytes = line.read(until: deadline) {
            answers.take(bytes)
            answers.isComplete = isAnswered(answers.filter)
        }
        if answers.isComplete { line.restore(flushing: false) }
        return answers
    }
}

/// A terminal's answers.
struct TerminalAnswers: Hashable, Sendable {
    /// Whether the last answer has come.
    var isComplete = false
    /// Keys typed meanwhile.
    private(set) var keys: [UInt8] = []
    /// For the next reader of the terminal: it holds the first half of an answer, if that was read here.
    private(set) var filter = TerminalReplyFilter()

    var replies: [TerminalReply] { filter.replies }

    /// More than anyone types in that time is noise.
    private static let mostKeys = 64

    mutating func take(_ bytes: some Sequence<UInt8>) {
        let typed = filter.keys(in: bytes)
        keys += typed.prefix(max(0, Self.mostKeys - keys.count))
    }
}

// MARK: - Reading the answers

extension TerminalAnswers {
    /// The terminal's name and version.
    var version: String? {
        for case .version(let text) in replies { return text }
        return nil
    }

    /// The device class and attributes; `nil` if the terminal did not answer.
    var attributes: [Int]? {
        for case .attributes(let numbers) in replies { return numbers }
        return nil
    }

    /// Whether it shows sixels: attribute 4, which is not the class in front.
    var hasSixel: Bool { attributes?.dropFirst().contains(4) ?? false }

    /// Whether it speaks kitty's graphics protocol.
    var hasKitty: Bool { replies.contains(.graphics("OK")) }

    /// Whether it shows colors by ANSI sequences: attribute 22.
    var hasColor: Bool { attributes?.dropFirst().contains(22) ?? false }

    /// The color registers for sixels.
    var sixelRegisters: Int? {
        for case .sixelRegisters(let count) in replies where count > 1 { return count }
        return nil
    }

    /// The largest sixel picture that it shows, in pixels.
    var sixelLimit: PixelSize? {
        for case .sixelLimit(let width, let height) in replies {
            return PixelSize(width: width, height: height)
        }
        return nil
    }

    /// The size of a cell.
    var cell: CellSize? {
        for case .cell(let height, let width) in replies {
            return CellSize(width: width, height: height)
        }
        return nil
    }

    /// The cursor's position.
    var cursor: CellPosition? {
        for case .cursor(let row, let column) in replies { return .init(row: row, column: column) }
        return nil
    }
}

/// One answer to a ``TerminalQuery``.
enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes: the class, then the attributes.
    case attributes([Int])
    /// Name and version, as the terminal spells them.
    case version(String)
    /// The message of a graphics response in kitty's protocol; `OK` on success.
    case graphics(String)
    /// A cell's height and width in pixels.
    case cell(height: Int, width: Int)
    /// The cursor's position, from 1.
    case cursor(row: Int, column: Int)
    /// How many color registers there are for sixels.
    case sixelRegisters(Int)
    /// The width and height of the largest sixel picture, in pixels.
    case sixelLimit(width: Int, height: Int)
}

/// Separates a terminal's answers from keys, even if they arrive in pieces.
///
///     var filter = painter.lateReplies
///     handle(filter.keys(in: bytes))   // after each read
///     handle(filter.flush())           // after a pause: Escape was a key
///
/// Answers have forms that no key has: `ESC P > |`, `ESC _ G`, `ESC [ ? … c`, `ESC [ 6 ; … t`. One that
/// never ends is abandoned at the first byte that cannot belong to it.
struct TerminalReplyFilter: Hashable, Sendable {
    /// The answers so far, in order.
    private(set) var replies: [TerminalReply] = []

    /// The bytes of an unfinished sequence.
    private var held: [UInt8] = []

    /// Longer than any answer.
    private static let longest = 256
    private static let escape = UInt8(ascii: "\u{1B}")

    /// Whether the primary attributes, which every terminal answers last, are among ``replies``.
    var hasAttributes: Bool {
        replies.contains { if case .attributes = $0 { true } else { false } }
    }

    /// The bytes of keys. An unfinished sequence is held back until the rest comes.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [UInt8] {
        var keys: [UInt8] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// The held bytes, if they are a key: Escape, alone or as Alt.
    ///
    /// The beginning of an answer stays held.
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
            // No key begins like this, so it is dropped. Its last byte, and an Escape before that, start over.
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
            // Each is asked once; a terminal that keeps answering must not fill the memory.
            if replies.count < 32 { replies.append(reply) }
            held = []
        }
    }
}

/// The state of a sequence that begins with Escape.
private enum Progress {
    case unfinished
    case reply(TerminalReply)
    /// A complete sequence, but not an answer.
    case key
    /// The last byte cannot belong to it; those before may be keys.
    case brokenKey
    /// The last byte cannot belong to it; those before can only be an answer.
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

    /// Reads what follows `ESC [`.
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
            // kitty ends them by a semicolon: `?62;c`.
            var numbers = text.dropFirst().dropLast().split(
                separator: ";", omittingEmptySubsequences: false)
            if numbers.count > 1, numbers.last?.isEmpty == true { numbers.removeLast() }
            let attributes = numbers.map { Int($0) }
            return attributes.contains(nil) ? nil : .attributes(attributes.compactMap(\.self))
        }
        if text.hasPrefix("?"), text.hasSuffix("S") {
            return graphicsAttribute(text.dropFirst().dropLast())
        }
        let numbers = text.dropLast().split(separator: ";").map { Int($0) ?? 0 }
        if text.hasSuffix("t"), numbers.count == 3, numbers[0] == 6 {
            return .cell(height: numbers[1], width: numbers[2])
        }
        // Shift-F3 has the same form with row 1 and a modifier of at least 2.
        if text.hasSuffix("R"), numbers.count == 2, numbers[0] > 1 || numbers == [1, 1] {
            return .cursor(row: numbers[0], column: numbers[1])
        }
        return nil
    }

    /// Reads an answer to XTSMGRAPHICS: the item, a status that is 0 for success, then the values.
    private static func graphicsAttribute(_ text: Substring) -> TerminalReply? {
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        switch (numbers.count, numbers.first) {
        case (3, 1) where numbers[1] == 0: return .sixelRegisters(numbers[2])
        case (4, 2) where numbers[1] == 0: return .sixelLimit(width: numbers[2], height: numbers[3])
        // A refusal is an answer, too, and not a key.
        case (2..., 1), (2..., 2): return .sixelRegisters(0)
        default: return nil
        }
    }

    /// Reads a string from `start` to `ESC \`, or to the BEL that some terminals send instead.
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

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The message after the semicolon of `i=31;OK`.
    private static func message(_ text: String) -> String {
        text.firstIndex(of: ";").map { String(text[text.index(after: $0)...]) } ?? ""
    }
}

/// The user's terminal, opened separately, so that non-blocking mode affects only us.
///
/// While it is hushed (``hush()``), answers are neither echoed nor held back until Return.
final class TerminalQueryLine: Sendable {
    private let descriptor: Int32
    /// The settings to restore; `nil` while nothing is changed.
    private let before = Mutex<termios?>(nil)

    /// The terminal of standard output; `nil` if there is none, or if we are in its background, where
    /// changing it would stop us.
    init?(_ output: Int32 = STDOUT_FILENO) {
        guard isatty(output) == 1 else { return nil }
        // Its own name first: macOS cannot poll /dev/tty.
        let found = [Self.name(of: output), "/dev/tty"].compactMap(\.self).lazy
            .map { open($0, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
            .first { $0 >= 0 }
        guard let found else { return nil }
        guard tcgetpgrp(found) == getpgrp() else {
            _ = Foundation.close(found)
            return nil
        }
        descriptor = found
    }

    deinit {
        restore(flushing: false)
        _ = Foundation.close(descriptor)
    }

    static func name(of descriptor: Int32) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Turns off echo and line buffering. Ctrl-C and the like keep their meaning.
    func hush() {
        before.withLock { before in
            var state = termios()
            guard before == nil, tcgetattr(descriptor, &state) == 0 else { return }
            let old = state
            state.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &state.c_cc) { keys in
                keys[Int(VMIN)] = 1
                keys[Int(VTIME)] = 0
            }
            // At once, without dropping what was typed ahead.
            if tcsetattr(descriptor, TCSANOW, &state) == 0 { before = old }
        }
    }

    /// Undoes ``hush()``; with `flushing`, unread input is dropped.
    func restore(flushing: Bool) {
        before.withLock { before in
            guard var state = before else { return }
            // Before echo is back on, so that nothing of it shows.
            if flushing { tcflush(descriptor, TCIFLUSH) }
            tcsetattr(descriptor, TCSANOW, &state)
            before = nil
        }
    }

    /// Writes what fits without blocking: a terminal stopped by Ctrl-S takes nothing.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// The next bytes; `nil` if none come before `deadline`, or ever will.
    func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
            // Not `retrying`, which would wait the whole time again.
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = SystemCall.retrying { Foundation.read(descriptor, &buffer, buffer.count) }
            if length > 0 { return Array(buffer.prefix(length)) }
            guard length < 0, errno == EAGAIN else { return nil }
        }
    }
}

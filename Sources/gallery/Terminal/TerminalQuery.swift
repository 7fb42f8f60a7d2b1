import Foundation
import GalleryCore
import Synchronization

/// A set of questions to the terminal, asked in one write.
struct TerminalQuery: Sendable {
    /// The bytes of the questions.
    let text: String
    /// Whether the last answer is there.
    private let isAnswered: @Sendable (TerminalAnswers) -> Bool

    /// What the terminal can show: kitty's graphics, its name, its cell size, the registers and the largest
    /// size of its sixels, and last its primary attributes.
    ///
    /// Every terminal answers the last question, and all answer in order: once that answer is there, nothing
    /// else is to be waited for.
    static let abilities = TerminalQuery(
        text: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + abilitiesInMultiplexer.text
    ) { $0.attributes != nil }

    /// The same without graphics, which tmux and screen would take for a window title.
    static let abilitiesInMultiplexer = TerminalQuery(
        text: "\u{1B}[>q\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[?2;1;0S\u{1B}[c"
    ) { $0.attributes != nil }

    /// The cursor's position.
    static let cursor = TerminalQuery(text: "\u{1B}[6n") { $0.cursor != nil }

    /// How long to wait for answers.
    static let limit = Duration.milliseconds(200)

    /// How long after the question a late answer is still caught before the program ends, so that the shell
    /// does not read it.
    static let patience = Duration.milliseconds(500)

    private init(text: String, isAnswered: @escaping @Sendable (TerminalAnswers) -> Bool) {
        self.text = text
        self.isAnswered = isAnswered
    }

    /// Asks on `line`, off the cooperative pool, and waits for the answers until `deadline`.
    ///
    /// If the last answer came, the line is restored. Otherwise it stays hushed, so that a late answer is not
    /// echoed, and the caller restores it.
    ///
    /// - Parameter former: The answers of an earlier call whose time ran out: nothing is asked again.
    func answers(
        on line: TerminalQueryLine, after former: TerminalAnswers? = nil,
        until deadline: ContinuousClock.Instant = .now + limit
    ) async -> TerminalAnswers {
        await withCheckedContinuation { waiter in
            Thread.detachNewThread {
                if former == nil { line.ask(text) }
                var answers = former ?? TerminalAnswers()
                while !answers.isComplete, let bytes = line.read(until: deadline) {
                    answers.take(bytes)
                    answers.isComplete = isAnswered(answers)
                }
                if answers.isComplete { line.restore(flushing: false) }
                waiter.resume(returning: answers)
            }
        }
    }
}

/// A terminal's answers.
struct TerminalAnswers: Hashable, Sendable {
    /// Whether the last answer has come.
    var isComplete = false
    /// Keys typed meanwhile.
    private(set) var keys: [Key] = []
    /// For the next reader of the terminal: it holds the first half of an answer, if that was read here.
    private(set) var parser = TerminalParser()

    /// More than anyone types in that time is noise.
    private static let mostKeys = 64

    mutating func take(_ bytes: some Sequence<UInt8>) {
        keys += parser.keys(in: bytes).prefix(max(0, Self.mostKeys - keys.count))
    }

    private func first<Value>(_ value: (TerminalReply) -> Value?) -> Value? {
        parser.replies.lazy.compactMap(value).first
    }

    /// The terminal's name and version.
    var version: String? { first { if case .version(let text) = $0 { text } else { nil } } }

    /// The device class and attributes; `nil` if the terminal did not answer.
    var attributes: [Int]? { first { if case .attributes(let numbers) = $0 { numbers } else { nil } } }

    /// Whether it shows sixels: attribute 4, which is not the class in front.
    var hasSixel: Bool { attributes?.dropFirst().contains(4) ?? false }

    /// Whether it speaks kitty's graphics protocol.
    var hasKitty: Bool { parser.replies.contains(.graphics("OK")) }

    /// Whether it shows colors by ANSI sequences: attribute 22.
    var hasColor: Bool { attributes?.dropFirst().contains(22) ?? false }

    /// The color registers for sixels.
    var sixelRegisters: Int? {
        first { if case .sixelRegisters(let count) = $0, count > 1 { count } else { nil } }
    }

    /// The largest sixel picture that it shows, in pixels.
    var sixelLimit: PixelSize? {
        first { if case .sixelLimit(let size) = $0 { size } else { nil } }
    }

    /// The size of a cell.
    var cell: CellSize? { first { if case .cell(let size) = $0 { size } else { nil } } }

    /// The cursor's position.
    var cursor: CellPosition? { first { if case .cursor(let position) = $0 { position } else { nil } } }
}

/// One answer to a ``TerminalQuery``.
///
/// Answers have forms that no key has: `ESC P > |`, `ESC _ G`, `ESC [ ? … c`, `ESC [ 6 ; … t`.
enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes: the class, then the attributes.
    case attributes([Int])
    /// Name and version, as the terminal spells them.
    case version(String)
    /// The message of a graphics response in kitty's protocol; `OK` on success.
    case graphics(String)
    /// The size of a cell; `nil` if the terminal tells an implausible one.
    case cell(CellSize?)
    case cursor(CellPosition)
    /// How many color registers there are for sixels.
    case sixelRegisters(Int)
    /// The largest sixel picture, in pixels.
    case sixelLimit(PixelSize?)

    /// Whether every terminal answers by this last, whatever it was asked before.
    var isLast: Bool { if case .attributes = self { true } else { false } }

    /// Reads what stood between `ESC [` and `final`; `nil` for what is no answer.
    init?(control parameters: String, _ final: Character) {
        if parameters.hasPrefix("?") {
            self.init(private: parameters.dropFirst(), final)
            return
        }
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch (final, numbers.count) {
        case ("t", 3) where numbers[0] == 6: self = .cell(CellSize(width: numbers[2], height: numbers[1]))
        // Shift-F3 has the same form with row 1 and a modifier of at least 2.
        case ("R", 2) where numbers[0] > 1 || numbers == [1, 1]:
            self = .cursor(CellPosition(row: numbers[0], column: numbers[1]))
        default: return nil
        }
    }

    private init?(private parameters: Substring, _ final: Character) {
        var fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
        // kitty ends them by a semicolon: `?62;c`.
        if fields.count > 1, fields.last?.isEmpty == true { fields.removeLast() }
        let numbers = fields.compactMap { Int($0) }
        guard numbers.count == fields.count else { return nil }
        switch (final, numbers.count, numbers.first) {
        case ("c", _, _): self = .attributes(numbers)
        // Answers to XTSMGRAPHICS: the item, a status that is 0 for success, then the values.
        case ("S", 3, 1) where numbers[1] == 0: self = .sixelRegisters(numbers[2])
        case ("S", 4, 2) where numbers[1] == 0:
            self = .sixelLimit(PixelSize(width: numbers[2], height: numbers[3]))
        // A refusal is an answer, too, and not a key.
        case ("S", 2..., 1), ("S", 2..., 2): self = .sixelRegisters(0)
        default: return nil
        }
    }

    /// Reads a control string without its Escape and its end; `nil` for what is no answer.
    init?(string text: String) {
        if text.hasPrefix("P>|") {
            self = .version(String(text.dropFirst(3)))
        } else if text.hasPrefix("_G") {
            // What follows the semicolon of `i=31;OK`.
            self = .graphics(text.firstIndex(of: ";").map { String(text[text.index(after: $0)...]) } ?? "")
        } else {
            return nil
        }
    }
}

/// The user's terminal, opened separately, so that non-blocking mode affects only us.
///
/// From a question to ``restore(flushing:)`` it is hushed: answers are neither echoed nor held back until Return.
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
    private func hush() {
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

    /// Hushes the line, and writes what fits without blocking: a terminal stopped by Ctrl-S takes nothing.
    fileprivate func ask(_ text: String) {
        hush()
        let bytes = Array(text.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// The next bytes; `nil` if none come before `deadline`, or ever will.
    fileprivate func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
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

import Basics
import Foundation
import Synchronization

/// A set of questions to the terminal, asked in one write.
package enum TerminalQuery {
    /// What the terminal can show: kitty's graphics, its name, its cell size, the registers and the largest size of its
    /// sixels, and last its primary attributes. Every terminal answers that question, and all answer in order.
    case abilities
    /// The same without graphics, which tmux and screen would take for a window title.
    case abilitiesInMultiplexer
    /// Whether the terminal reads UTF-8, and no question that one without pictures might print.
    case encoding
    /// How it counts joined characters: for a terminal that reads UTF-8, and a screen that is cleared afterwards.
    case widths
    case cursor

    private var text: String {
        switch self {
        case .abilities: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + Self.abilitiesInMultiplexer.text
        case .abilitiesInMultiplexer: "\u{1B}[>q\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[?2;1;0S" + Self.encoding.text
        // A letter of two bytes, and how far it moves the cursor. In the row below, since an answer from the first row
        // could be a key; erased at once.
        case .encoding: "\r\né\u{1B}[6n\r\u{1B}[K\u{1B}[A\u{1B}[c"
        case .widths: "\r\n" + DisplayWidth.samples.map { $0 + "\u{1B}[6n\r\u{1B}[K" }.joined() + "\u{1B}[A"
        case .cursor: "\u{1B}[6n"
        }
    }

    static let limit = Duration.milliseconds(200)

    /// How long after the question a late answer is still caught at the end, so that the shell does not read it.
    package static let patience = Duration.milliseconds(500)

    /// Asks on `line`, off the cooperative pool, and waits for the answers until `deadline`. If the last one came, the
    /// line is restored. Otherwise it stays hushed, so that a late answer is not echoed, and the caller restores it.
    /// `former` is the result of an earlier call; if that `isAsked` this, but ran out of time, nothing is asked again.
    /// Returns what the terminal's next reader needs: answers, keys typed meanwhile, and the first half of an answer.
    func answers(
        on line: TerminalQueryLine, after former: TerminalParser? = nil, isAsked: Bool = false,
        until deadline: ContinuousClock.Instant = .now + limit
    ) async -> TerminalParser {
        await onThread {
            if !isAsked { line.ask(text) }
            var parser = former ?? TerminalParser()
            while !isAnswered(by: parser.answers), let bytes = line.read(until: deadline) {
                parser.listen(to: bytes)
            }
            if isAnswered(by: parser.answers) { line.restore(flushing: false) }
            return parser
        }
    }

    private func isAnswered(by answers: TerminalAnswers) -> Bool {
        switch self {
        case .abilities, .abilitiesInMultiplexer, .encoding: answers.isComplete
        case .widths: answers.widths != nil
        case .cursor: answers.cursor != nil
        }
    }
}

/// A terminal's answers, in forms that no key has: `ESC P > |`, `ESC _ G`, `ESC [ ? … c`, `ESC [ 6 ; … t`.
package struct TerminalAnswers: Hashable, Sendable {
    /// The terminal's name and version, as it spells them.
    package private(set) var version: String?
    /// The device class, then the attributes; `nil` if the terminal did not answer.
    private(set) var attributes: [Int]?
    private(set) var hasKitty = false
    private(set) var sixelRegisters: Int?
    private(set) var sixelLimit: PixelSize?
    private(set) var cell: CellSize?
    /// The cursor's positions, in the order of the questions.
    private(set) var cursors: [CellPosition] = []

    package init() {}

    var cursor: CellPosition? { cursors.first }

    /// Whether a letter of two bytes takes one column, and not two; `nil` if the terminal did not tell.
    var readsUTF8: Bool? { cursor.map { $0.column == 2 } }

    /// How it counts joined characters; `nil` if it did not tell.
    package var widths: DisplayWidth? {
        let samples = cursors.dropFirst().prefix(DisplayWidth.samples.count)
        guard readsUTF8 == true, samples.count == DisplayWidth.samples.count else { return nil }
        return DisplayWidth(columns: samples.map { $0.column - 1 })
    }

    /// Whether all is answered that ever will be: every terminal tells its attributes last.
    package var isComplete: Bool { attributes != nil }

    /// Whether it shows sixels: attribute 4, which is not the class in front.
    var hasSixel: Bool { attributes?.dropFirst().contains(4) ?? false }

    /// Whether programs may put a text on the clipboard: attribute 52.
    package var takesClipboard: Bool { attributes?.dropFirst().contains(52) ?? false }

    /// Whether it shows colors by ANSI sequences: attribute 22.
    var hasColor: Bool { attributes?.dropFirst().contains(22) ?? false }

    /// Reads what stood between `ESC [` and `final`, which may be no answer. Of two answers the first counts.
    mutating func take(control parameters: String, _ final: Character) {
        let isPrivate = parameters.hasPrefix("?")
        var fields = parameters.dropFirst(isPrivate ? 1 : 0).split(
            separator: ";", omittingEmptySubsequences: false)
        // kitty ends them by a semicolon: `?62;c`.
        if fields.count > 1, fields.last?.isEmpty == true { fields.removeLast() }
        let numbers = fields.compactMap { Int($0)?.clamped(to: 0...1 << 24) }
        guard numbers.count == fields.count else { return }
        switch (isPrivate, final, numbers.count, numbers[0]) {
        case (true, "c", _, _): attributes = attributes ?? numbers
        // Answers to XTSMGRAPHICS: the item, a status that is 0 for success, then the values.
        case (true, "S", 3, 1) where numbers[1] == 0 && numbers[2] > 1:
            sixelRegisters = sixelRegisters ?? numbers[2]
        case (true, "S", 4, 2) where numbers[1] == 0:
            sixelLimit = sixelLimit ?? PixelSize(width: numbers[2], height: numbers[3])
        case (false, "t", 3, 6): cell = cell ?? CellSize(width: numbers[2], height: numbers[1])
        // Shift-F3 has the same form with row 1 and a modifier of at least 2.
        case (false, "R", 2, _) where numbers[0] > 1 || numbers == [1, 1]:
            if cursors.count < 8 {
                let sides = numbers.map { $0.clamped(to: CellPosition.sides) }
                cursors.append(CellPosition(row: sides[0], column: sides[1]))
            }
        default: break
        }
    }

    /// Reads a control string without its Escape and its end, which may be no answer.
    mutating func take(string text: String) {
        if text.hasPrefix("P>|") {
            version = version ?? String(text.dropFirst(3))
        } else if text.hasPrefix("_G"), text.drop(while: { $0 != ";" }) == ";OK" {
            hasKitty = true
        }
    }
}

/// The user's terminal, opened separately, so that non-blocking mode affects only us. From a question to
/// ``restore(flushing:)`` it is hushed: answers are neither echoed nor held back until Return.
final class TerminalQueryLine: Sendable {
    private let terminal: Descriptor
    /// The settings to restore; `nil` while nothing is changed.
    private let before = Mutex<termios?>(nil)

    /// The terminal of standard output; `nil` without one, or in its background, where changing it would stop us.
    init?(_ output: Int32 = STDOUT_FILENO) {
        guard isatty(output) == 1 else { return nil }
        // Its own name first: macOS cannot poll /dev/tty.
        let found = [Self.name(of: output), "/dev/tty"].compactMap(\.self).lazy
            .compactMap { try? SystemCall.open($0, O_RDWR | O_NOCTTY | O_NONBLOCK) }.first
        guard let found, tcgetpgrp(found.number) == getpgrp() else { return nil }
        terminal = found
    }

    deinit { restore(flushing: false) }

    static func name(of descriptor: Int32) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Undoes ``ask(_:)``; with `flushing`, unread input is dropped.
    func restore(flushing: Bool) {
        before.withLock { before in
            guard var state = before.take() else { return }
            // Before echo is back on, so that nothing of it shows.
            if flushing { tcflush(terminal.number, TCIFLUSH) }
            tcsetattr(terminal.number, TCSANOW, &state)
        }
    }

    /// Turns off echo and line buffering, but Ctrl-C and the like only if `flags` have `ISIG`, and writes what fits
    /// without blocking: a terminal stopped by Ctrl-S takes nothing.
    func ask(_ text: String, hushing flags: Int32 = ICANON | ECHO) {
        before.withLock { before in
            var state = termios()
            guard before == nil, tcgetattr(terminal.number, &state) == 0 else { return }
            let old = state
            state.c_lflag &= ~tcflag_t(flags)
            state.readEachByte()
            // At once, without dropping what was typed ahead.
            if tcsetattr(terminal.number, TCSANOW, &state) == 0 { before = old }
        }
        write(text)
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(terminal.number, bytes, bytes.count)
    }

    /// The next bytes; `nil` if none come before `deadline`, or ever will. This blocks.
    func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var entry = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
            // Not `retrying`, which would wait the whole time again.
            if count == 0 || count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = SystemCall.retrying { Foundation.read(terminal.number, &buffer, buffer.count) }
            if length > 0 { return Array(buffer.prefix(length)) }
            guard length < 0, errno == EAGAIN else { return nil }
        }
    }
}

extension termios {
    mutating func readEachByte() {
        withUnsafeMutableBytes(of: &c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
    }
}

import Foundation

package struct HiddenInput {
    package enum Ending: Hashable {
        case line(String)
        /// Ctrl-C, or the terminal is gone.
        case cancelled
    }

    private var bytes: [UInt8] = []

    /// In bytes; beyond that, somebody has pasted something else.
    package static let limit = 8_192

    enum Step: Hashable {
        case more, stop
        case end(Ending)
    }

    /// Takes the next byte: line editing as a terminal's own, which cannot hide and be interrupted cleanly at once.
    mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            return .end(.line(String(decoding: bytes, as: UTF8.self)))
        // Ctrl-D, Ctrl-C and Ctrl-\.
        case 0x04: return .end(bytes.isEmpty ? .cancelled : .line(String(decoding: bytes, as: UTF8.self)))
        case 0x03, 0x1C: return .end(.cancelled)
        // Ctrl-Z.
        case 0x1A: return .stop
        // Ctrl-U, Ctrl-W: a key is one word.
        case 0x15, 0x17: bytes = []
        case 0x08, 0x7F:
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        default: if bytes.count <= Self.limit { bytes.append(byte) }
        }
        return .more
    }

    /// Asks at the terminal of standard input; `nil` if there is none, or it is another job's. This blocks. Whatever
    /// ends it restores the terminal: also Ctrl-C, a signal, and Ctrl-Z, after which `fg` asks again.
    package static func line(_ prompt: String) -> Ending? {
        guard let line = TerminalQueryLine(STDIN_FILENO) else { return nil }
        Interrupt.onInterrupt { line.restore(flushing: true) }
        defer {
            Interrupt.removeHandler()
            line.restore(flushing: true)
        }
        while true {
            line.ask(prompt, hushing: ICANON | ECHO | ECHONL | ISIG | IEXTEN)
            var input = HiddenInput()
            var step = Step.more
            while step == .more, let bytes = line.read(until: .now + .seconds(1 << 30)) {
                for byte in bytes where step == .more { step = input.take(byte) }
            }
            line.write("\n")
            guard step == .stop else {
                if case .end(let ending) = step { return ending }
                return .cancelled
            }
            line.restore(flushing: true)
            RawMode.stopGroup()
        }
    }
}

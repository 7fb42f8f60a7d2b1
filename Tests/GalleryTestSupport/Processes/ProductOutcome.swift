import Foundation

/// How a program ended, and everything it wrote.
public struct ProductOutcome: Sendable {
    /// How a program ends.
    public enum Exit: Sendable, Hashable {
        /// By itself, with this status.
        case status(Int32)
        /// By this signal.
        case signal(Int32)

        /// From what `waitpid` reports; its macros are not in Glibc's module.
        init(waitStatus: Int32) {
            let signal = waitStatus & 0x7F
            self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
        }
    }

    /// How it ended.
    public let exit: Exit
    /// Standard output; on a terminal, all that was written to it (`\r\n` ends its lines).
    public let outputData: Data
    /// Standard error; empty on a terminal.
    public let errorData: Data
    /// The most memory the program itself held at once, in bytes, as `wait4` reports it.
    public let peakMemory: Int64

    /// Linux counts resident memory in KiB, Darwin in bytes.
    static var memoryUnit: Int64 {
        #if os(Linux)
            1024
        #else
            1
        #endif
    }

    /// The exit status, `nil` where a signal ended it.
    public var status: Int32? {
        if case .status(let status) = exit { status } else { nil }
    }

    /// Standard output as text; bytes that are no UTF-8 become `U+FFFD`.
    public var output: String { String(decoding: outputData, as: UTF8.self) }

    /// Standard error as text, like ``output``.
    public var errors: String { String(decoding: errorData, as: UTF8.self) }

    /// Standard output's lines, without their ends.
    public var lines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast(output.hasSuffix("\n") || output.isEmpty ? 1 : 0)
    }
}

/// A program was killed because it ran longer than it may.
public struct ProductTimedOut: Error, CustomStringConvertible {
    /// The words it was started with.
    public let command: [String]
    /// What it had written, and the signal that ended it.
    public let outcome: ProductOutcome

    /// The command and all it wrote, to see where it hung.
    public var description: String {
        """
        '\(command.joined(separator: " "))' ran too long and was killed.
        Output: \(outcome.output)
        Errors: \(outcome.errors)
        """
    }
}

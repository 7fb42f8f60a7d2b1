import Foundation

/// How a program ended, and its output.
public struct ProductOutcome: Sendable {
    /// How a program ends.
    public enum Exit: Sendable, Hashable {
        case status(Int32)
        /// It was terminated by this signal.
        case signal(Int32)

        /// Creates an exit from a `waitpid` status; Glibc's module lacks the macros for it.
        init(waitStatus: Int32) {
            let signal = waitStatus & 0x7F
            self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
        }
    }

    /// How the program ended.
    public let exit: Exit
    /// Standard output; on a terminal, all of its output, with lines ending in `\r\n`.
    public let outputData: Data
    /// Standard error; empty on a terminal.
    public let errorData: Data
    /// The peak memory of the program itself in bytes, as reported by `wait4`.
    public let peakMemory: Int64

    /// What a line did in this process.
    public init(status: Int32, output: Data, errors: Data) {
        self.init(exit: .status(status), outputData: output, errorData: errors, peakMemory: 0)
    }

    init(exit: Exit, outputData: Data, errorData: Data, peakMemory: Int64) {
        self.exit = exit
        self.outputData = outputData
        self.errorData = errorData
        self.peakMemory = peakMemory
    }

    /// Linux reports resident memory in KiB, Darwin in bytes.
    static var memoryUnit: Int64 {
        #if os(Linux)
            1024
        #else
            1
        #endif
    }

    /// The exit status; `nil` if a signal ended the program.
    public var status: Int32? {
        if case .status(let status) = exit { status } else { nil }
    }

    /// Standard output as text; invalid UTF-8 becomes `U+FFFD`.
    public var output: String { String(decoding: outputData, as: UTF8.self) }

    /// Standard error as text, like ``output``.
    public var errors: String { String(decoding: errorData, as: UTF8.self) }

    /// The lines of standard output, without line endings.
    public var lines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast(output.hasSuffix("\n") || output.isEmpty ? 1 : 0)
    }
}

/// A program was killed because it exceeded its time limit.
public struct ProductTimedOut: Error, CustomStringConvertible {
    /// The command line.
    public let command: [String]
    /// Its output so far, and the signal that ended it.
    public let outcome: ProductOutcome

    /// The command and its output, to show where it hung.
    public var description: String {
        """
        '\(command.joined(separator: " "))' ran too long and was killed.
        Output: \(outcome.output)
        Errors: \(outcome.errors)
        """
    }
}

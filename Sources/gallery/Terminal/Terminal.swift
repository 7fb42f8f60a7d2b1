import Foundation
import GalleryCore
import Synchronization

/// Standard output for results, standard error for everything else.
///
/// The only place that writes to either, but for ``Screen`` while the terminal is its own. Every line it is
/// given has passed ``PlainText`` or an escape where it came from outside.
final class Terminal: Sendable {
    /// The process's own.
    static let system = Terminal(output: STDOUT_FILENO, messages: STDERR_FILENO)

    private let output: Int32
    private let messages: Int32
    private let pending = Mutex<[UInt8]>([])

    /// Messages that wait until the screen is free again; `nil` while it is.
    private let held = Mutex<[String]?>(nil)

    /// What is drawn where messages go, which they go above; `nil` where nothing is.
    private let canvas = Mutex<Canvas?>(nil)

    /// Messages kept while they are held: nobody reads more at once.
    private static let mostHeld = 50

    /// Bytes of results gathered before they are written.
    private static let bufferSize = 1 << 16

    init(output: Int32, messages: Int32) {
        self.output = output
        self.messages = messages
    }

    /// Writes a line of results, at the latest at ``flush()``; at once on a terminal.
    func result(_ line: String) throws {
        try pending.withLock { pending in
            pending.append(contentsOf: line.utf8)
            pending.append(UInt8(ascii: "\n"))
            if pending.count >= Self.bufferSize { try Self.write(&pending, to: output) }
        }
    }

    /// Writes lines of results, and what was gathered before them, at once.
    func results(_ lines: [String]) throws {
        for line in lines { try result(line) }
        try flush()
    }

    /// Writes bytes of our own making as they are, control sequences included, after what is gathered.
    func sequence(_ bytes: ArraySlice<UInt8>) throws {
        try pending.withLock { pending in
            pending += bytes
            try Self.write(&pending, to: output)
        }
    }

    /// Writes what is still gathered.
    func flush() throws {
        try pending.withLock { try Self.write(&$0, to: output) }
    }

    /// Writes a line for people. Nothing can be done where that fails.
    func message(_ line: String) {
        let isHeld = held.withLock { held in
            if let count = held?.count, count < Self.mostHeld { held?.append(line) }
            return held != nil
        }
        guard !isHeld else { return }
        if let canvas = canvas.withLock(\.self) {
            canvas.above { raw(line + "\n") }
        } else {
            raw(line + "\n")
        }
    }

    /// Puts messages above what `canvas` draws from now on; above nothing where it is `nil`.
    func goAbove(_ canvas: Canvas?) {
        self.canvas.withLock { $0 = canvas }
    }

    /// Keeps messages back while `body` has the screen to itself, unless they go elsewhere.
    func holdingMessages<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard isatty(messages) == 1 else { return try await body() }
        held.withLock { $0 = [] }
        defer {
            let lines = held.withLock { held in
                defer { held = nil }
                return held ?? []
            }
            for line in lines { message(line) }
        }
        return try await body()
    }

    /// Writes text for people as it is, control sequences of our own included.
    func raw(_ text: String) {
        var bytes = Array(text.utf8)
        try? Self.write(&bytes, to: messages)
    }

    /// Writes what went wrong and what can be done about it.
    func report(_ error: any ActionableError) {
        try? flush()
        message("Error: \(PlainText.line(error.description))")
        if let hint = error.hint { message("Help: \(PlainText.line(hint))") }
    }

    /// Writes `bytes`, and takes those that are written out of them.
    ///
    /// - Throws: ``ClosedPipe``, or an error with status 74.
    static func write(_ bytes: inout [UInt8], to descriptor: Int32) throws {
        var written = 0
        defer { bytes.removeFirst(written) }
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                written += count
            } else if errno == EPIPE {
                throw ClosedPipe()
            } else if errno != EINTR {
                throw OutputError(reason: String(cString: strerror(errno)))
            }
        }
    }
}

/// Standard output cannot be written, as where it is a file on a full disk.
private struct OutputError: StatusError {
    let reason: String
    var description: String { "The output could not be written: \(reason)." }
    var hint: String? { nil }
    var status: ExitStatus { .inputOutput }
}

import Foundation
import Synchronization

/// Lines of text, however many: the last ones in memory, the rest in a file without a name, which goes with the
/// process. Where no file can be made, all stay in memory.
package final class SpilledText: Sendable {
    private struct State {
        var file: Descriptor?
        /// What is in the file, in bytes.
        var spilled: Int64 = 0
        var end: [UInt8] = []
        /// When the next bytes go to the file.
        var most = 65_536
        var fault: SystemCall.Failure?
    }

    private let state = Mutex(State())

    /// No text yet.
    package init() {}

    /// In bytes.
    package var count: Int64 { state.withLock { $0.spilled + Int64($0.end.count) } }

    /// Why some of it could not be read; it was taken to be empty.
    package var fault: SystemCall.Failure? { state.withLock(\.fault) }

    /// Notes why some of what it is made of could not be read.
    package func note(_ faults: [SystemCall.Failure?]) {
        state.withLock { state in state.fault = state.fault ?? faults.lazy.compactMap(\.self).first }
    }

    /// Calls `body` with all of it, line by line.
    ///
    /// - Throws: what `body` throws, and why some of it could not be read.
    package func forEach(
        _ body: (ArraySlice<UInt8>) throws(SystemCall.Failure) -> Void
    ) throws(SystemCall.Failure) {
        var lines = lines()
        while let line = next(&lines) { try body(line + [0x0A]) }
        if let fault { throw fault }
    }

    /// Another text that begins with these lines.
    package func copy() -> SpilledText {
        let copy = SpilledText()
        var lines = lines()
        while let line = next(&lines) { copy.append(line + [0x0A]) }
        copy.note([fault])
        return copy
    }

    /// Adds whole lines.
    package func append(_ bytes: some Collection<UInt8> & Sendable) {
        state.withLock { state in
            state.end += bytes
            guard state.end.count > state.most else { return }
            state.file =
                state.file
                ?? System.temporaryFolders.lazy.compactMap {
                    try? SystemCall.unnamedFile(in: SystemCall.openFolder($0))
                }.first
            guard let file = state.file,
                (try? SystemCall.write(state.end, to: file, at: state.spilled)) != nil
            else { return state.most *= 2 }
            state.spilled += Int64(state.end.count)
            state.end.removeAll(keepingCapacity: true)
        }
    }

    /// The lines from the one that begins at `range`'s lower bound on, as they are now; read them with ``next(_:)``.
    package func lines(_ range: Range<Int64>? = nil) -> FileLines {
        state.withLock { state in
            let range = range ?? 0..<state.spilled + Int64(state.end.count)
            let tail = range.upperBound > state.spilled ? max(0, range.lowerBound - state.spilled) : 0
            return FileLines(
                of: state.file, from: range.lowerBound, to: min(state.spilled, range.upperBound),
                then: range.upperBound > state.spilled
                    ? Array(state.end[Int(tail)..<Int(range.upperBound - state.spilled)]) : [])
        }
    }

    /// The next line; `nil` at the end, and where that cannot be read.
    package func next(_ lines: inout FileLines) -> ArraySlice<UInt8>? {
        do throws(SystemCall.Failure) { return try lines.next() } catch {
            state.withLock { $0.fault = error }
            return nil
        }
    }

    /// The line at `offset`, without its end; empty if it cannot be read.
    package func line(at offset: Int64) -> ArraySlice<UInt8> {
        state.withLock { state in
            guard offset < state.spilled else {
                return state.end[Int(offset - state.spilled)...].prefix { $0 != 0x0A }
            }
            guard let file = state.file else { return [] }
            // Few lines are longer.
            var count = 512
            while true {
                do throws(SystemCall.Failure) {
                    let bytes = try SystemCall.read(
                        file, at: offset, count: Int(min(Int64(count), state.spilled - offset)))
                    if let feed = bytes.firstIndex(of: 0x0A) { return bytes[..<feed] }
                    guard bytes.count == count else { return bytes[...] }
                    count *= 8
                } catch {
                    state.fault = error
                    return []
                }
            }
        }
    }
}

/// Lines in the order of their bytes, however many there are: sorted a piece at a time, and merged as they are asked
/// for.
package struct SortedLines {
    /// How many bytes of each line do not count.
    private let start: Int
    private let text = SpilledText()
    /// Where the lines of each piece are.
    private var pieces: [Range<Int64>] = []
    private var piece: [UInt8] = []
    private var lines: [Range<Int>] = []

    package init(from start: Int) { self.start = start }

    /// Why some could not be read.
    package var fault: SystemCall.Failure? { text.fault }

    /// Adds a line, which has no end.
    package mutating func add(_ line: ArraySlice<UInt8>) {
        lines.append(piece.count..<piece.count + line.count + 1)
        piece += line
        piece.append(0x0A)
        if piece.count > 1 << 20 { settle() }
    }

    private mutating func settle() {
        let first = text.count
        let order = piece.withUnsafeBytes { bytes in
            lines.sorted {
                Self.precedes(
                    UnsafeRawBufferPointer(rebasing: bytes[$0]), UnsafeRawBufferPointer(rebasing: bytes[$1]),
                    from: start)
            }
        }
        for range in order { text.append(piece[range]) }
        pieces.append(first..<text.count)
        piece.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each, and its end.
    package mutating func forEach(_ body: (ArraySlice<UInt8>) -> Void) {
        if !lines.isEmpty { settle() }
        var readers = pieces.map { text.lines($0) }
        func next(_ number: Int) -> [UInt8]? { text.next(&readers[number]).map { $0 + [0x0A] } }
        var heads = readers.indices.map(next)
        while true {
            var least: Int?
            for (number, head) in heads.enumerated() {
                guard let head else { continue }
                let isLess = least.flatMap { heads[$0] }.map { known in
                    head.withUnsafeBytes { head in
                        known.withUnsafeBytes { Self.precedes(head, $0, from: start) }
                    }
                }
                if isLess ?? true { least = number }
            }
            guard let least, let head = heads[least] else { return }
            body(head[...])
            heads[least] = next(least)
        }
    }

    private static func precedes(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, from start: Int
    ) -> Bool {
        let count = min(one.count, other.count) - start
        guard count > 0, let first = one.baseAddress, let second = other.baseAddress,
            case let order = memcmp(first + start, second + start, count), order != 0
        else { return one.count < other.count }
        return order < 0
    }
}

import Basics
import Foundation

/// A picture's bytes, in memory or on disk, read by offset.
///
/// Reading past the end gives `nil` rather than a trap, since every offset a reader adds up comes from an
/// untrusted file. So does reading that fails, and nothing is read after that; see ``failure``.
package class PictureBytes {
    package let count: Int
    /// Why bytes could not be read; `nil` where none failed.
    package private(set) var failure: SystemCall.Failure?
    /// `nil` for bytes in memory.
    private let descriptor: Int32?
    /// Where they begin in the file.
    private let origin: Int
    private var window: [UInt8]
    private var start = 0

    package init(_ bytes: [UInt8]) { (window, count, descriptor, origin) = (bytes, bytes.count, nil, 0) }

    /// The first `length` bytes of an open file, of which at most 64 KiB are held.
    ///
    /// Reads by `pread`, so the descriptor's own position stays and two tasks may share it. Reading blocks.
    package init(descriptor: Int32, length: Int64) {
        (window, count, self.descriptor, origin) = ([], Int(clamping: length), descriptor, 0)
    }

    /// Those of `range`, which is within `whole`, read on their own.
    init(_ range: Range<Int>, of whole: PictureBytes) {
        descriptor = whole.descriptor
        window = descriptor == nil ? Array(whole.window[range]) : []
        (count, origin) = (range.count, whole.origin + range.lowerBound)
    }

    func byte(at offset: Int) -> UInt8? {
        if offset >= start, offset - start < window.count { return window[offset - start] }
        guard offset >= 0, offset < count else { return nil }
        // A reader that reaches the window's end goes on; one that leaps wants a few bytes and leaps again.
        let goesOn = offset == start + window.count && !window.isEmpty
        read(from: offset, length: min(count - offset, goesOn ? 64 * 1024 : 4 * 1024))
        return window.first
    }

    func offset(of byte: UInt8, from start: Int, before end: Int) -> Int? {
        var offset = start
        while offset < end, self.byte(at: offset) != nil {
            let wanted = offset - self.start..<min(window.count, end - self.start)
            let found = window.withUnsafeBytes { bytes -> Int? in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[wanted])
                guard let base = rest.baseAddress, let hit = memchr(base, Int32(byte), rest.count) else {
                    return nil
                }
                return UnsafeRawPointer(hit) - base
            }
            if let found { return offset + found }
            offset = self.start + window.count
        }
        return nil
    }

    private func read(from offset: Int, length: Int) {
        guard let descriptor, failure == nil else { return window = [] }
        start = offset
        do throws(SystemCall.Failure) {
            window = try SystemCall.read(descriptor, at: Int64(origin + offset), count: length)
        } catch {
            (window, failure) = ([], error)
        }
    }
}

extension PictureBytes {
    /// The unsigned number of 0 to 8 bytes at `offset`, most significant first; `nil` past the end or beyond `Int`.
    func bigEndian(at offset: Int, bytes length: Int) -> Int? {
        number(at: offset, bytes: length) { $0 << 8 | UInt64($1) }
    }

    /// The unsigned number of 0 to 8 bytes at `offset`, least significant first; `nil` past the end or beyond `Int`.
    func littleEndian(at offset: Int, bytes length: Int) -> Int? {
        number(at: offset, bytes: length) { $0 >> 8 | UInt64($1) << UInt64(8 * (length - 1)) }
    }

    private func number(at offset: Int, bytes length: Int, _ add: (UInt64, UInt8) -> UInt64) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        var number: UInt64 = 0
        for index in 0..<length {
            guard let byte = byte(at: offset + index) else { return nil }
            number = add(number, byte)
        }
        return Int(exactly: number)
    }

    func matches(_ texts: StaticString..., at offset: Int) -> Bool {
        texts.contains { text in
            (0..<text.utf8CodeUnitCount).allSatisfy { byte(at: offset + $0) == text.utf8Start[$0] }
        }
    }

    /// The bytes of `range` that are there, at most `limit` of them.
    func array(_ range: Range<Int>, limit: Int) -> [UInt8] {
        let range = range.prefix(limit)
        if range.lowerBound >= start, range.upperBound - start <= window.count {
            return Array(window[range.lowerBound - start..<range.upperBound - start])
        }
        var bytes: [UInt8] = []
        for offset in range {
            guard let byte = byte(at: offset) else { break }
            bytes.append(byte)
        }
        return bytes
    }
}

extension [UInt8] {
    /// A number as so many bytes, the most significant first.
    init(big number: Int, _ length: Int) { self = Self(little: number, length).reversed() }

    /// A number as so many bytes, the least significant first.
    init(little number: Int, _ length: Int) {
        self = (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

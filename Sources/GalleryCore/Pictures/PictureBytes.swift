import Foundation

/// A picture's bytes, in memory or on disk, read by offset.
///
/// Each format is read by one piece of code for both. Reading past the end gives `nil` rather than a
/// trap, since every offset a reader adds up comes from an untrusted file.
package protocol PictureBytes {
    /// Why bytes could not be read; `Never` for bytes in memory.
    associatedtype Failure: Error

    /// The number of bytes.
    var count: Int { get }

    /// The byte at `offset`, or `nil` past the end.
    mutating func byte(at offset: Int) throws(Failure) -> UInt8?

    /// The offset of the first `byte` from `start` on and before `end`, or `nil`.
    mutating func offset(of byte: UInt8, from start: Int, before end: Int) throws(Failure) -> Int?
}

extension PictureBytes {
    package mutating func offset(
        of byte: UInt8, from start: Int, before end: Int
    ) throws(Failure) -> Int? {
        var offset = start
        while offset < end, let next = try self.byte(at: offset) {
            if next == byte { return offset }
            offset += 1
        }
        return nil
    }

    /// The unsigned number of 0 to 8 bytes at `offset`, most significant byte first; `nil` past the end,
    /// or where it exceeds `Int`.
    mutating func bigEndian(at offset: Int, bytes length: Int) throws(Failure) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        var number: UInt64 = 0
        for index in 0..<length {
            guard let byte = try byte(at: offset + index) else { return nil }
            number = number << 8 | UInt64(byte)
        }
        return Int(exactly: number)
    }

    /// The unsigned number of 0 to 8 bytes at `offset`, least significant byte first; `nil` past the end,
    /// or where it exceeds `Int`.
    mutating func littleEndian(at offset: Int, bytes length: Int) throws(Failure) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        var number: UInt64 = 0
        for index in 0..<length {
            guard let byte = try byte(at: offset + index) else { return nil }
            number |= UInt64(byte) << UInt64(8 * index)
        }
        return Int(exactly: number)
    }

    /// Whether one of `texts` stands at `offset`.
    mutating func matches(_ texts: StaticString..., at offset: Int) throws(Failure) -> Bool {
        for text in texts where try matches(text, at: offset) {
            return true
        }
        return false
    }

    private mutating func matches(_ text: StaticString, at offset: Int) throws(Failure) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount {
            guard try byte(at: offset + index) == text.utf8Start[index] else { return false }
        }
        return true
    }

    /// The bytes of `range` that are there, at most `limit` of them.
    mutating func array(_ range: Range<Int>, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var offset = range.lowerBound
        while offset < range.upperBound, bytes.count < limit, let byte = try byte(at: offset) {
            bytes.append(byte)
            offset += 1
        }
        return bytes
    }
}

/// Bytes in memory.
package struct PicturePrefix: PictureBytes {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func byte(at offset: Int) throws(Never) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }
}

/// The bytes of an open file, of which at most 64 KiB are held.
///
/// Reads by `pread`, so the descriptor's own position stays and two tasks may share it. Reading blocks.
package struct PictureFileBytes: PictureBytes {
    package let count: Int
    private let descriptor: Int32
    private var window: [UInt8] = []
    private var start = 0

    /// The first `length` bytes of an open file.
    package init(descriptor: Int32, length: Int64) {
        self.descriptor = descriptor
        count = Int(clamping: length)
    }

    package mutating func byte(at offset: Int) throws(PictureFileError) -> UInt8? {
        if offset >= start, offset - start < window.count { return window[offset - start] }
        guard offset >= 0, offset < count else { return nil }
        // A reader that reaches the window's end goes on; one that leaps wants a few bytes and leaps again.
        let goesOn = offset == start + window.count && !window.isEmpty
        try read(from: offset, length: min(count - offset, goesOn ? 64 * 1024 : 4 * 1024))
        return window.first
    }

    package mutating func offset(
        of byte: UInt8, from start: Int, before end: Int
    ) throws(PictureFileError) -> Int? {
        var offset = start
        while offset < end, try self.byte(at: offset) != nil {
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

    private mutating func read(from offset: Int, length: Int) throws(PictureFileError) {
        do {
            window = try SystemCall.read(descriptor, at: Int64(offset), count: length)
        } catch {
            throw .unreadable(code: error.code)
        }
        start = offset
    }
}

/// Why a file could not be examined.
package enum PictureFileError: Error, Hashable {
    /// Reading failed with the system's error number `code`.
    case unreadable(code: Int32)
}

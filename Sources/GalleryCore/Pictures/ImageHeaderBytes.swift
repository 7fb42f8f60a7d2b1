/// Bytes of a picture, at hand or on disk, read by their place.
///
/// One protocol for both, so that each format is read by one piece of code. There
/// is nothing past the end, rather than a trap: every number a reader adds up came
/// from a stranger.
protocol PictureBytes {
    /// Why bytes could not be had; `Never` for bytes at hand.
    associatedtype Failure: Error

    /// How many bytes there are.
    var count: Int { get }

    /// The byte at `place` from 0, or `nil` where there is none.
    mutating func byte(at place: Int) throws(Failure) -> UInt8?
}

extension PictureBytes {
    /// The unsigned number of 1 to 8 bytes at `place`, most significant byte first;
    /// `nil` past the end, or where it is no `Int`.
    mutating func bigEndian(at place: Int, bytes length: Int) throws(Failure) -> Int? {
        guard place >= 0, place <= count - length else { return nil }
        var number: UInt64 = 0
        for offset in 0..<length {
            guard let byte = try byte(at: place + offset) else { return nil }
            number = number << 8 | UInt64(byte)
        }
        return Int(exactly: number)
    }

    /// The unsigned number of 1 to 8 bytes at `place`, least significant byte first;
    /// `nil` past the end, or where it is no `Int`.
    mutating func littleEndian(at place: Int, bytes length: Int) throws(Failure) -> Int? {
        guard place >= 0, place <= count - length else { return nil }
        var number: UInt64 = 0
        for offset in 0..<length {
            guard let byte = try byte(at: place + offset) else { return nil }
            number |= UInt64(byte) << UInt64(8 * offset)
        }
        return Int(exactly: number)
    }

    /// Whether the bytes at `place` are those of one of `texts`.
    mutating func matches(_ texts: StaticString..., at place: Int) throws(Failure) -> Bool {
        for text in texts where try matches(text, at: place) {
            return true
        }
        return false
    }

    private mutating func matches(_ text: StaticString, at place: Int) throws(Failure) -> Bool {
        guard place >= 0, place <= count - text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount {
            guard try byte(at: place + offset) == text.utf8Start[offset] else { return false }
        }
        return true
    }
}

/// The first bytes of a picture, at hand.
struct PicturePrefix: PictureBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(at place: Int) throws(Never) -> UInt8? {
        bytes.indices.contains(place) ? bytes[place] : nil
    }
}

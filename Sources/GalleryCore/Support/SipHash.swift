/// SipHash-2-4 of Aumasson and Bernstein, 2012: the same on every run and system, unlike `Hasher`.
///
/// With a key that is not known it is a pseudorandom function: what was hashed cannot be told
/// from what came out. With a known one it is a good checksum.
struct SipHash {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    private init(_ key: (UInt64, UInt64)) {
        state = (
            key.0 ^ 0x736f_6d65_7073_6575, key.1 ^ 0x646f_7261_6e64_6f6d,
            key.0 ^ 0x6c79_6765_6e65_7261, key.1 ^ 0x7465_6462_7974_6573
        )
    }

    /// The hash of `bytes` under `key`.
    static func hash(_ bytes: some Sequence<UInt8>, key: (UInt64, UInt64) = (0, 0)) -> UInt64 {
        let contiguous = bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0), key) }
        return contiguous ?? Array(bytes).withUnsafeBytes { hash($0, key) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, _ key: (UInt64, UInt64)) -> UInt64 {
        var hash = SipHash(key)
        let whole = bytes.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) {
            hash.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        // The last word: the bytes left over, and on top the length's lowest byte.
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for (index, byte) in bytes[whole...].enumerated() { last |= UInt64(byte) << (8 * UInt64(index)) }
        hash.add(last)
        hash.state.2 ^= 0xff
        for _ in 0..<4 { hash.round() }
        return hash.state.0 ^ hash.state.1 ^ hash.state.2 ^ hash.state.3
    }

    private mutating func add(_ word: UInt64) {
        state.3 ^= word
        round()
        round()
        state.0 ^= word
    }

    private mutating func round() {
        state.0 &+= state.1
        state.1 = Self.rotated(state.1, 13) ^ state.0
        state.0 = Self.rotated(state.0, 32)
        state.2 &+= state.3
        state.3 = Self.rotated(state.3, 16) ^ state.2
        state.0 &+= state.3
        state.3 = Self.rotated(state.3, 21) ^ state.0
        state.2 &+= state.1
        state.1 = Self.rotated(state.1, 17) ^ state.2
        state.2 = Self.rotated(state.2, 32)
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}

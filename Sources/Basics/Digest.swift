import Foundation

/// XXH64: detects changed bytes, not who changed them. Foundation on Linux has no checksum, and a cryptographic one by
/// hand would take longer than the download. Source: github.com/Cyan4973/xxHash, `doc/xxhash_spec.md`, 0.1.1.
package struct Digest: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private let seed: UInt64
    private var lanes: SIMD4<UInt64>
    private var length = 0
    private var rest: [UInt8] = []

    package init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = [seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1]
    }

    package static func hash(_ bytes: some ContiguousBytes, seed: UInt64 = 0) -> UInt64 {
        var digest = Digest(seed: seed)
        bytes.withUnsafeBytes { digest.add($0) }
        return digest.value
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length += bytes.count
        var bytes = bytes
        if !rest.isEmpty {
            let taken = min(32 - rest.count, bytes.count)
            rest += bytes[..<taken]
            bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            guard rest.count == 32 else { return }
            rest.withUnsafeBytes { Self.mix($0, into: &lanes) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count & ~31
        Self.mix(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), into: &lanes)
        rest += bytes[whole...]
    }

    /// The digest of everything added, as 16 hexadecimal digits.
    package var text: String { Hexadecimal.text(value) }

    private static func mix(_ bytes: UnsafeRawBufferPointer, into lanes: inout SIMD4<UInt64>) {
        var state = lanes
        for offset in stride(from: 0, to: bytes.count, by: 32) {
            for lane in 0..<4 {
                let word = bytes.loadUnaligned(fromByteOffset: offset + lane * 8, as: UInt64.self)
                state[lane] = round(state[lane], UInt64(littleEndian: word))
            }
        }
        lanes = state
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }

    package var value: UInt64 {
        var hash = seed &+ Self.prime5
        if length >= 32 {
            hash = Self.rotate(lanes[0], 1) &+ Self.rotate(lanes[1], 7)
            hash = hash &+ Self.rotate(lanes[2], 12) &+ Self.rotate(lanes[3], 18)
            for lane in 0..<4 { hash = (hash ^ Self.round(0, lanes[lane])) &* Self.prime1 &+ Self.prime4 }
        }
        hash = hash &+ UInt64(length)
        hash = rest.withUnsafeBytes { Self.finish($0, hash) }
        hash = (hash ^ hash >> 33) &* Self.prime2
        hash = (hash ^ hash >> 29) &* Self.prime3
        return hash ^ hash >> 32
    }

    private static func finish(_ rest: UnsafeRawBufferPointer, _ start: UInt64) -> UInt64 {
        var hash = start
        var offset = 0
        while offset + 8 <= rest.count {
            let word = UInt64(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = rotate(hash ^ round(0, word), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= rest.count {
            let word = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotate(hash ^ UInt64(word) &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        for byte in rest[offset...] { hash = rotate(hash ^ UInt64(byte) &* prime5, 11) &* prime1 }
        return hash
    }
}

extension Digest {
    /// The digest of an open file's first `length` bytes.
    package static func text(of file: Descriptor, length: Int64) throws(SystemCall.Failure) -> String {
        var digest = Digest()
        var offset: Int64 = 0
        while offset < length {
            let bytes = try SystemCall.read(file, at: offset, count: Int(min(262_144, length - offset)))
            if bytes.isEmpty { break }
            bytes.withUnsafeBytes { digest.add($0) }
            offset += Int64(bytes.count)
        }
        return digest.text
    }
}

/// FNV-1a (RFC 9923) with 64 bits: the hash in file names, which must never change.
package enum FNV1a {
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// Numbers as hexadecimal digits of their full width. `String(format:)` would load ICU.
package enum Hexadecimal {
    package static func text<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }
}

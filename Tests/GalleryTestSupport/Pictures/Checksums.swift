import Foundation

/// Checksums and stored (uncompressed) deflate, written by hand because no zlib module is available.
enum Checksums {
    /// A gzip member with stored blocks (RFC 1952).
    static func gzip(_ data: Data) -> Data {
        var file = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        file += storedDeflate(data)
        file += crc32(data).littleEndianBytes
        file += UInt32(truncatingIfNeeded: data.count).littleEndianBytes
        return file
    }

    /// A zlib stream with stored blocks (RFC 1950).
    static func zlib(_ data: Data) -> Data {
        Data([0x78, 0x01]) + storedDeflate(data) + adler32(data).bigEndianBytes
    }

    /// CRC-32 as used by PNG and gzip (RFC 1952, 8).
    static func crc32(_ data: Data) -> UInt32 {
        ~data.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static func adler32(_ data: Data) -> UInt32 {
        let (low, high) = data.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        return high << 16 | low
    }

    /// RFC 1951, 3.2.4: blocks of at most 65535 bytes, the last one marked.
    private static func storedDeflate(_ data: Data) -> Data {
        var blocks = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            blocks.append(rest.isEmpty ? 1 : 0)
            blocks += length.littleEndianBytes + (~length).littleEndianBytes + block
        } while !rest.isEmpty
        return blocks
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
    var littleEndianBytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}

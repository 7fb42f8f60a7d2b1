import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct DigestTests {
    /// Source: the test values of github.com/Cyan4973/xxHash and of its Python binding.
    @Test(arguments: [
        ("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"),
        ("Nobody inspects the spammish repetition", "fbcea83c8a378bf1"),
    ])
    func `is XXH64`(text: String, digest: String) {
        #expect(Self.digest(of: [Data(text.utf8)]) == digest)
    }

    /// Of the bytes 1, 8, 15 … Source: the Python binding, 3.2.
    @Test(
        arguments: [
            (0, 0, 0xef46_db37_51d8_e999), (0, 1, 0xd5af_ba13_36a3_be4b), (1, 1, 0x6ec2_195f_fcaa_3025),
            (5, 1, 0x6b98_94b1_2771_23d2), (31, 1, 0x4251_c73e_9ad1_a2c3), (32, 1, 0xa433_9581_310e_dcc0),
            (33, 0, 0xdc50_cdc3_7bb9_c183), (33, 1, 0x5bce_f87b_90a7_fd1d),
            (100, 0x9e37_79b1_85eb_ca87, 0xef3d_8a8b_4c54_a650),
        ] as [(Int, UInt64, UInt64)])
    func `takes a seed`(length: Int, seed: UInt64, hash: UInt64) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
        #expect(Digest.hash(bytes, seed: seed) == hash)
        // The same from memory that is not aligned.
        #expect(Digest.hash(Data([9] + bytes).dropFirst(), seed: seed) == hash)
    }

    @Test func `does not depend on how the bytes are divided`() {
        let bytes = Pictures.jpeg(bytes: 5000, seed: 3)
        let whole = Self.digest(of: [bytes])
        for size in [1, 7, 31, 32, 33, 100, 4999] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                bytes[$0..<min($0 + size, bytes.count)]
            }
            #expect(Self.digest(of: pieces) == whole)
        }
    }

    private static func digest(of pieces: [Data]) -> String {
        var digest = Digest()
        for piece in pieces { piece.withUnsafeBytes { digest.add($0) } }
        return digest.text
    }

    /// Source: RFC 9923 and the authors' `test_fnv.c`.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func `file names use FNV-1a`(text: String, hash: UInt64) {
        #expect(FNV1a.hash(text.utf8) == hash)
    }

    @Test func `numbers are written in their full width`() {
        #expect(Hexadecimal.text(UInt32(0xab)) == "000000ab")
        #expect(Hexadecimal.text(UInt64.max) == "ffffffffffffffff")
        #expect(Hexadecimal.text(UInt64.zero) == "0000000000000000")
    }
}

import Foundation
import Testing

@testable import GalleryCore

@Suite struct SipHashTests {
    // Key 00 01 … 0f, input 00 01 … of that length. Source: the authors' `vectors.h`.
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
            (3, 0x8567_6696_d7fb_7e2d), (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)])
    func `gives the authors' values`(length: Int, hash: UInt64) {
        let input = (0..<length).map { UInt8($0) }
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        #expect(SipHash.hash(input, key: key) == hash)
        // The same from memory that begins anywhere, and from none at all.
        #expect(SipHash.hash(Data([9] + input).dropFirst(), key: key) == hash)
        #expect(SipHash.hash(AnySequence(input), key: key) == hash)
    }

    @Test func `numbers are written in their full length`() {
        #expect(Hexadecimal.text(UInt32(0xab)) == "000000ab")
        #expect(Hexadecimal.text(UInt64.max) == "ffffffffffffffff")
        #expect(Hexadecimal.text(UInt64.zero) == "0000000000000000")
    }
}

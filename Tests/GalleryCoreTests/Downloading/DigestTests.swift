import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("Digest")
struct DigestTests {
    /// Source: the test values of github.com/Cyan4973/xxHash and of its Python binding.
    @Test(arguments: [
        ("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"),
        ("Nobody inspects the spammish repetition", "fbcea83c8a378bf1"),
    ])
    func `is XXH64`(text: String, digest: String) {
        #expect(Self.digest(of: [Data(text.utf8)]) == digest)
    }

    @Test func `does not depend on how the bytes are dealt`() {
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
}

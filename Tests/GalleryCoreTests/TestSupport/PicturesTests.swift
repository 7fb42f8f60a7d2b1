import Foundation
import GalleryTestSupport
import Testing

struct PicturesTests {
    @Test(arguments: [400, 401, 402, 403, 404, 1000, 65_000, 66_000, 200_001])
    func `a JPEG has exactly the length asked for`(count: Int) {
        let picture = Pictures.jpeg(bytes: count)
        #expect(picture.count == count)
        #expect(picture.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(picture.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test func `equal seeds give equal pictures, others different ones`() {
        #expect(Pictures.jpeg(bytes: 5000, seed: 1) == Pictures.jpeg(bytes: 5000, seed: 1))
        #expect(Pictures.jpeg(bytes: 5000, seed: 1) != Pictures.jpeg(bytes: 5000, seed: 2))
    }

    @Test(arguments: [
        (Pictures.png(width: 3, height: 2), 0, Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
        (Pictures.png(width: 3, height: 2), 12, Data("IHDR".utf8) + [0, 0, 0, 3, 0, 0, 0, 2]),
        (Pictures.gif(width: 3, height: 2), 0, Data("GIF89a".utf8) + [3, 0, 2, 0]),
        (Pictures.webp(width: 3, height: 2), 8, Data("WEBPVP8L".utf8)),
        (Pictures.avif(width: 3, height: 2), 4, Data("ftypavif".utf8)),
    ])
    func `a picture says its format and size`(picture: Data, offset: Int, bytes: Data) {
        #expect(picture.dropFirst(offset).starts(with: bytes))
    }
}

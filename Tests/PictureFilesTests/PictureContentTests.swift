import Foundation
import GalleryTestSupport
import Testing

@testable import PictureFiles

@Suite struct PictureContentTests {
    /// A segment that holds XMP, for a JPEG file.
    private static func segment(rating: Int) -> [UInt8] {
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMPSidecar.packet(rating: rating)
        return [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    private let jpeg = Array(Pictures.jpeg(bytes: 3000, seed: 1))

    /// The same picture with a rating.
    private func rated(_ rating: Int) -> [UInt8] {
        Array(jpeg.prefix(2)) + Self.segment(rating: rating) + jpeg.dropFirst(2)
    }

    private static func isSame(_ edited: [UInt8], as original: [UInt8], rating: Int) -> Bool {
        PictureContent.isSame(edited, as: original, .jpeg) { $0.rating = rating }
    }

    @Test func `a picture with a rating more is the same`() {
        #expect(PictureContent.provableType(of: jpeg) == .jpeg)
        #expect(PictureContent.rating(of: jpeg) == nil && PictureContent.rating(of: rated(3)) == 3)
        #expect(Self.isSame(rated(4), as: jpeg, rating: 4))
        #expect(Self.isSame(rated(4), as: rated(2), rating: 4))
        #expect(Self.isSame(jpeg, as: rated(2), rating: 0))
    }

    @Test func `one with another rating, other pixels, or without its end is not`() {
        #expect(!Self.isSame(rated(3), as: jpeg, rating: 4))
        #expect(!Self.isSame(jpeg, as: jpeg, rating: 4))
        for offset in stride(from: jpeg.count - 500, to: jpeg.count - 2, by: 50) {
            var other = rated(4)
            other[other.count - jpeg.count + offset] ^= 1
            #expect(!Self.isSame(other, as: jpeg, rating: 4))
        }
        for length in [0, 1, 4, 100, jpeg.count - 1] {
            #expect(!Self.isSame(Array(rated(4).prefix(length)), as: jpeg, rating: 4))
        }
        #expect(!Self.isSame([], as: [], rating: 0))
    }

    @Test func `blocks of a PNG file are its chunks but for texts`() throws {
        let png = Array(Pictures.png(width: 3, height: 2))
        let blocks = try #require(PictureContent.blocks(of: png, .png))
        #expect(blocks.first.map { Array($0.dropFirst(4).prefix(4)) } == Array("IHDR".utf8))
        let text: [UInt8] = [0, 0, 0, 1] + Array("tEXt".utf8) + [65, 0, 0, 0, 0]
        let edited = Array(png.prefix(33)) + text + png.dropFirst(33)
        #expect(PictureContent.blocks(of: edited, .png) == blocks)
        #expect(PictureContent.blocks(of: Array(png.dropLast()), .png) == nil)
    }

    @Test(arguments: [PictureType.gif, .tiff, .heic, .bmp, .cr2])
    func `of other formats nobody can tell`(type: PictureType) {
        #expect(PictureContent.blocks(of: jpeg, type) == nil)
    }

    @Test(arguments: 0..<200) func `damaged files are no reason to stop`(seed: UInt64) {
        var generator = SystemRandomNumberGenerator()
        var damaged = rated(4)
        for _ in 0..<8 { damaged[.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255) }
        for type in [PictureType.jpeg, .png, .webp] { _ = PictureContent.blocks(of: damaged, type) }
        _ = Self.isSame(damaged, as: jpeg, rating: 4)
    }
}

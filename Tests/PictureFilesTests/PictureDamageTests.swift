import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

/// Pictures of strangers are cleaned in the program itself: none may end it, whatever its numbers say.
@Suite struct PictureDamageTests {
    /// Bytes with a part that is there twice, gone, or under another's name, and then other numbers.
    private static func damaged(_ whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = whole
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = Int.random(in: start..<min(bytes.count, start + 64), using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.removeLast(start)
        case 3...5:
            let names = names(in: bytes)
            if let name = names.randomElement(using: &random), let other = names.randomElement(using: &random)
            {
                bytes.replaceSubrange(other..<other + 4, with: bytes[name..<name + 4])
            }
        default: break
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] = [0, 1, 2, 8, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
        return bytes
    }

    /// Where four letters stand, as boxes and chunks are named.
    private static func names(in bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast(3).filter { place in
            bytes[place..<place + 4].allSatisfy {
                $0 == 0x20 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
            }
        }
    }

    @Test func `no damaged picture ends the program that reads and cleans it`() {
        var random = SeededGenerator(seed: 44)
        for picture in CanaryPicture.all {
            for _ in 0..<Thorough.rounds(60, few: 2) {
                Self.read(Self.damaged(picture.bytes, &random), picture.type)
            }
        }
    }

    private static func read(_ bytes: [UInt8], _ type: PictureType) {
        for metadata in [PublishedMetadata.safe, .none] { _ = metadata.applied(to: bytes, type) }
        _ = PictureFile.examine(PictureBytes(bytes))
    }

    @Test func `a box that is there twice, and one without its end, end nothing`() throws {
        for type in [PictureType.avif, .heic] {
            let picture = try #require(CanaryPicture.all.first { $0.type == type })
            for (place, name) in Self.names(in: picture.bytes).flatMap({ [($0, "iloc"), ($0, "auxC")] }) {
                var bytes = picture.bytes
                bytes.replaceSubrange(place..<place + 4, with: name.utf8)
                Self.read(bytes, type)
            }
        }
    }

    /// Its checksum, which nobody has to heed, begins with a zero.
    @Test func `a text of PNG whose keyword ends its chunk is none`() {
        let chunk = [0, 0, 0, 2] + Array("iTXtA\0\0\0\0\0".utf8)
        let png = SmallPicture.png.prefix(33) + chunk + SmallPicture.png.dropFirst(33)
        #expect(PictureMetadata(PictureBytes(Array(png)), .png) == PictureMetadata())
    }
}

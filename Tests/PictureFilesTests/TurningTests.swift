import Basics
import GalleryTestSupport
import Testing

@testable import PictureFiles

@Suite struct TurningTests {
    private let jpeg = Array(Pictures.jpeg(bytes: 3000, seed: 1))

    /// The picture with an EXIF block whose orientation has this type and value, the lower byte first or last.
    private func picture(_ orientation: UInt8, type: UInt8 = 3, isLittleEndian: Bool = false) -> [UInt8] {
        var directory: [UInt8] = [0, 1, 0x01, 0x12, 0, type, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        var head = Array("MM\0*".utf8) + [0, 0, 0, 8]
        if isLittleEndian {
            head = Array("II*\0".utf8) + [8, 0, 0, 0]
            directory = [1, 0, 0x12, 0x01, type, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        }
        let content = Array("Exif\0\0".utf8) + head + directory
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg.dropFirst(2)
    }

    /// What EXIF calls the same picture a quarter further clockwise: 2 is mirrored left to right, 4 upside down, 5 and 7
    /// along the diagonals.
    @Test(
        arguments: [
            (1, 1, 6), (6, 1, 3), (3, 1, 8), (8, 1, 1), (2, 1, 7), (7, 1, 4), (4, 1, 5), (5, 1, 2),
            (1, 3, 8), (1, -1, 8), (2, 2, 4), (6, 0, 6), (6, 4, 6), (8, -6, 6),
        ])
    func `each orientation follows another one`(orientation: Int, quarters: Int, turned: Int) {
        #expect(Turning.orientation(orientation, turnedBy: quarters) == turned)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>, [true, false])
    func `a JPEG is turned by one byte, and back to what it was`(orientation: UInt8, isLittleEndian: Bool)
        throws
    {
        let file = picture(orientation, isLittleEndian: isLittleEndian)
        let turned = Turning.jpeg(file, turnedBy: 1)
        #expect(zip(file, turned).filter { $0 != $1 }.count == 1 && turned.count == file.count)
        #expect(Self.orientation(turned) == Turning.orientation(Int(orientation), turnedBy: 1))
        let (before, after) = (ImageHeader(PictureBytes(file)), ImageHeader(PictureBytes(turned)))
        #expect(after?.size == before?.size?.turned(by: 1))
        #expect(Turning.jpeg(turned, turnedBy: 3) == file)
    }

    @Test func `one that says no orientation gets a block that does`() {
        // A number of four bytes is none that viewers heed.
        for file in [jpeg, picture(0), picture(9), picture(6, type: 4)] {
            let shown = Turning.jpeg(file, turnedBy: 3)
            #expect(Self.orientation(shown) == 8)
            #expect(shown.suffix(2900) == file.suffix(2900))
        }
        #expect(Turning.jpeg([], turnedBy: 1).prefix(2) == [0xFF, 0xD8])
    }

    private static func orientation(_ file: [UInt8]) -> Int? {
        PictureMetadata(PictureBytes(file), .jpeg).orientation
    }

    @Test(arguments: [(1, 1, 4), (3, 2, 4), (300, 200, 3), (1, 70_000, 3)])
    func `pixels become a whole PNG`(width: Int, height: Int, bytesPerPixel: Int) {
        let pixels = (0..<width * height * bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let png = PNG.stored(width: width, height: height, bytesPerPixel: bytesPerPixel, pixels)
        #expect(
            PictureFile.examine(PictureBytes(png))
                == .whole(.png, size: PixelSize(width: width, height: height)))
    }
}

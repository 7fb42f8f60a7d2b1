import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct PictureFileTests {
    private static let jpeg = SmallPicture.baselineJPEG

    private func verdict(_ bytes: [UInt8]) -> PictureFile {
        var bytes = PicturePrefix(bytes)
        return PictureFile.examine(&bytes)
    }

    private func isTorso(_ bytes: [UInt8]) -> Bool {
        if case .torso = verdict(bytes) { true } else { false }
    }

    // MARK: - Whole

    @Test(arguments: SmallPicture.all)
    func `a picture as its encoder wrote it is whole`(picture: SmallPicture) throws {
        #expect(try verdictOnDisk(picture.bytes) == .whole(picture.type, size: picture.size))
    }

    @Test(arguments: try Fixture.names(in: "sample/full"))
    func `a photograph is whole`(name: String) throws {
        let bytes = Array(try Fixture.data(name))
        #expect(try verdictOnDisk(bytes) == .whole(.jpeg, size: ImageHeader(prefix: bytes)?.size))
        #expect(try verdictOnDisk(bytes.dropLast()) == .torso(reason: "its end marker is missing"))
    }

    @Test(arguments: try Fixture.names(in: "sample/thumb"))
    func `no part of a photograph is whole`(name: String) throws {
        let bytes = Array(try Fixture.data(name))
        for percent in 1...99 {
            let part = Array(bytes.prefix(bytes.count * percent / 100))
            #expect(isTorso(part), "\(percent) % of \(name)")
        }
    }

    static let trailers = [
        Sample("zeros", [UInt8](repeating: 0, count: 512)),
        Sample("more zeros than are looked through", [UInt8](repeating: 0, count: 9000)),
        Sample("a new line", [0x0D, 0x0A]),
        Sample("FF", [UInt8](repeating: 0xFF, count: 300)),
        Sample("a phone's note", Array("Image_UTC_Data1700000000000SEFHe\0\0\0\u{1}\0\0\0SEFT".utf8)),
        Sample(
            "a film of 20 KB", [0, 0, 0, 24] + Array("ftypmp42".utf8) + [UInt8](repeating: 9, count: 20_000)),
        Sample("another whole JPEG", jpeg),
        Sample("another whole JPEG after zeros", [UInt8](repeating: 0, count: 99) + jpeg),
    ]

    @Test(arguments: trailers)
    func `what follows a JPEG's end is left alone`(trailer: Sample) throws {
        let size = PixelSize(width: 7, height: 5)
        #expect(try verdictOnDisk(Self.jpeg + trailer.bytes) == .whole(.jpeg, size: size))
        let part = Array(Self.jpeg.dropLast(2)) + trailer.bytes
        let isPicture = trailer.bytes.suffix(2) == [0xFF, 0xD9]
        #expect(isPicture || isTorso(part), "without its end marker, the trailer is no end")
    }

    @Test(arguments: SmallPicture.all)
    func `zeros behind the end do no harm`(picture: SmallPicture) {
        #expect(verdict(picture.bytes + [UInt8](repeating: 0, count: 64)) == verdict(picture.bytes))
    }

    @Test func `an AVIF may be a film alone`() {
        let brand = HandmadeAVIF.box("ftyp", Array("avis\0\0\0\0".utf8))
        let bytes = brand + HandmadeAVIF.box("moov", []) + HandmadeAVIF.box("mdat", [5])
        #expect(verdict(bytes) == .whole(.avif, size: nil))
    }

    @Test func `an AVIF may keep its pixels among its items`() {
        let bytes = HandmadeAVIF.bytes(inner: HandmadeAVIF.box("idat", [5]))
        #expect(verdict(bytes) == .whole(.avif, size: PixelSize(width: 7, height: 5)))
    }

    @Test func `a WebP's chunks begin at even places`() {
        // Eleven bytes and one to the next even place.
        let canvas = Array("VP8X".utf8) + [11, 0, 0, 0] + [0, 0, 0, 0, 6, 0, 0, 4, 0, 0, 9] + [0]
        let chunks = Array("WEBP".utf8) + canvas + SmallPicture.losslessWebP.dropFirst(12)
        let bytes = Array("RIFF".utf8) + [UInt8(chunks.count), 0, 0, 0] + chunks
        #expect(verdict(bytes) == .whole(.webp, size: PixelSize(width: 7, height: 5)))
    }

    @Test func `a GIF with an empty block too many is whole`() {
        let bytes = SmallPicture.gif.dropLast() + [0x00, 0x3B]
        #expect(verdict(Array(bytes)) == .whole(.gif, size: PixelSize(width: 7, height: 5)))
    }

    /// A box of pixels whose length stands in eight bytes, the lowest of them `length`.
    private static func longBox(_ length: UInt8) -> [UInt8] {
        [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, length == .max ? 1 : 0, 0, 0, 0, length, 5, 5, 5]
    }

    static let lastBoxes = [
        Sample("usual", HandmadeAVIF.box("mdat", [5, 5, 5])),
        Sample("with a long length", longBox(19)),
        Sample("up to the end", [0, 0, 0, 0] + Array("mdat".utf8) + [5, 5, 5]),
        Sample("after a box between", HandmadeAVIF.box("free", [0]) + HandmadeAVIF.box("mdat", [])),
    ]

    @Test(arguments: lastBoxes)
    func `an AVIF is whole with its box of pixels`(box: Sample) {
        let bytes = HandmadeAVIF.bytes() + box.bytes
        #expect(verdict(bytes) == .whole(.avif, size: PixelSize(width: 7, height: 5)))
    }

    // MARK: - Torsos

    @Test(arguments: SmallPicture.all)
    func `no beginning of a picture is whole`(picture: SmallPicture) {
        for length in 0..<picture.bytes.count {
            if case .whole = verdict(Array(picture.bytes.prefix(length))) {
                Issue.record("\(length) of \(picture.bytes.count) bytes were taken for whole")
            }
        }
    }

    @Test func `the end of a preview in the camera's notes is not the picture's`() {
        let bytes = SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + Self.jpeg, in: Self.jpeg)
        let end = Self.jpeg.count + 12
        #expect(Array(bytes[..<end].suffix(2)) == [0xFF, 0xD9])
        #expect(verdict(Array(bytes[..<end])) == .torso(reason: "it ends before its pixels"))
        #expect(isTorso(bytes.dropLast(2)))
    }

    @Test func `a second picture in the file must have its end too`() {
        let second = SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + Self.jpeg, in: Self.jpeg)
        let bytes = Self.jpeg + [0, 0] + second
        // From where the second picture shows itself as one; but for the two cuts right
        // behind its preview's end, where nothing tells it from a picture's.
        let preview = Self.jpeg.count + 14 + Self.jpeg.count
        for length in Self.jpeg.count + 5..<bytes.count where !(preview...preview + 1).contains(length) {
            #expect(isTorso(Array(bytes.prefix(length))), "\(length) of \(bytes.count) bytes")
        }
    }

    @Test func `an end marker in a table between scans is not the picture's`() throws {
        let scan = try #require(SmallPicture.progressiveJPEG.firstRange(of: [0xFF, 0xDA]))
        let table: [UInt8] = [0xFF, 0xC4, 0x00, 0x05, 0xFF, 0xD9, 0x01]
        // Pixels, a table, and the cut.
        let bytes =
            SmallPicture.progressiveJPEG[..<scan.lowerBound]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0x55, 0xFF, 0x00, 0xFF, 0xD0, 0x55] + table + [0x01]
        #expect(verdict(Array(bytes)) == .torso(reason: "its end marker is missing"))
        #expect(verdict(bytes + [0xFF, 0xD9]) == .whole(.jpeg, size: PixelSize(width: 7, height: 5)))
    }

    static let png = SmallPicture.png
    static let headOfScan: [UInt8] = [0xFF, 0xDA, 0, 6, 0xFF, 0xD9, 0, 0]
    static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 17, 0]
    static let torsos: [(sample: Sample, reason: String)] = [
        (Sample("PNG without its end", png.dropLast(12)), "its last chunk, IEND, is missing"),
        (Sample("PNG without a checksum's byte", png.dropLast(1)), "it ends within a chunk"),
        (Sample("PNG without pixels", Array(png[..<33]) + png.suffix(12)), "it has no pixels"),
        (
            Sample("PNG with a chunk of 4 GB", png[..<33] + [0xFF, 0xFF, 0xFF, 0xFF] + png[37...]),
            "it ends within a chunk"
        ),
        (Sample("GIF without its trailer", SmallPicture.gif.dropLast()), "its trailer is missing"),
        (
            Sample("GIF of a trailer alone", SmallPicture.gif.prefix(10) + [0, 0, 0, 0x3B]),
            "it has no pixels"
        ),
        (
            Sample("GIF with another block", SmallPicture.gif.dropLast() + [0x99]),
            "it is damaged between two blocks"
        ),
        (Sample("WebP without its last byte", SmallPicture.losslessWebP.dropLast()), "it has 53 of 54 bytes"),
        (
            Sample(
                "WebP without pixels", Array("RIFF\u{16}\0\0\0WEBPVP8X\u{A}\0\0\0\0\0\0\0\0\0\0\0\0\0".utf8)),
            "it has no pixels"
        ),
        (Sample("AVIF cut within its pixels", SmallPicture.avif.dropLast()), "it ends within a box"),
        (Sample("AVIF of its brand alone", SmallPicture.avif.prefix(32)), "it has no pixels"),
        (
            Sample("JPEG of filling", [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 9000)),
            "it ends before its pixels"
        ),
        (Sample("JPEG of an end alone", [0xFF, 0xD8, 0xFF, 0xD9]), "it ends before its pixels"),
        (
            Sample("JPEG without a frame", [0xFF, 0xD8] + headOfScan + [1, 0xFF, 0xD9]),
            "it ends before its pixels"
        ),
        (
            Sample(
                "JPEG with pixels behind its end",
                [0xFF, 0xD8] + frame + [0xFF, 0xD9] + headOfScan + [0xFF, 0xD9]), "it ends before its pixels"
        ),
        (
            Sample("JPEG whose scan begins like an end", [0xFF, 0xD8] + frame + headOfScan),
            "its end marker is missing"
        ),
        (
            Sample(
                "AVIF without items",
                HandmadeAVIF.box("ftyp", Array("avif\0\0\0\0".utf8)) + HandmadeAVIF.box("mdat", [1])),
            "it has no pixels"
        ),
        (Sample("AVIF without pixels", HandmadeAVIF.bytes()), "it has no pixels"),
        (
            Sample("AVIF with 4 GB of pixels", HandmadeAVIF.bytes() + longBox(UInt8.max)),
            "it ends within a box"
        ),
        (
            Sample("JPEG filled up with zeros", jpeg.dropLast(4) + [0, 0, 0, 0]),
            "its end marker is missing"
        ),
    ]

    @Test(arguments: torsos.indices)
    func `a torso's reason names what is missing`(row: Int) throws {
        let (sample, reason) = Self.torsos[row]
        #expect(try verdictOnDisk(sample.bytes) == .torso(reason: reason), "\(sample)")
    }

    @Test func `damaged pictures never trap`() throws {
        var random = SeededGenerator(seed: 7)
        let photograph = Array(try Fixture.data("sample/thumb/clock.jpg"))
        let originals = SmallPicture.all.map(\.bytes) + [photograph, Self.jpeg + Self.jpeg]
        var verdicts: [String: Int] = [:]
        for round in 0..<20_000 {
            var bytes = originals[round % originals.count]
            bytes.damage(using: &random)
            switch verdict(bytes) {
            case .whole: verdicts["whole", default: 0] += 1
            case .torso: verdicts["torso", default: 0] += 1
            case .notAPicture: verdicts["stranger", default: 0] += 1
            }
        }
        #expect(verdicts.count == 3, "each verdict was reached: \(verdicts)")
    }
}

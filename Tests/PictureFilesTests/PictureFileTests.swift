import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@Suite(.fewAtOnce) struct PictureFileTests {
    private static let jpeg = SmallPicture.baselineJPEG

    private func verdict(_ bytes: [UInt8]) -> PictureFile {
        PictureFile.examine(PictureBytes(bytes))
    }

    private func isCut(_ bytes: [UInt8]) -> Bool {
        if case .damaged = verdict(bytes) { true } else { false }
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
        #expect(try verdictOnDisk(bytes.dropLast()) == .damaged(reason: "its end marker is missing"))
    }

    @Test(arguments: try Fixture.names(in: "sample/thumb"))
    func `no part of a photograph is whole`(name: String) throws {
        let bytes = Array(try Fixture.data(name))
        for percent in 1...99 {
            let part = Array(bytes.prefix(bytes.count * percent / 100))
            #expect(isCut(part), "\(percent) % of \(name)")
        }
    }

    @Test func `the index may be the last box, which has no length of its own`() throws {
        var bytes = HandmadeISO(isIndexLast: true).bytes
        let index = try #require(bytes.firstRange(of: Array("meta".utf8))).lowerBound
        bytes.replaceSubrange(index - 4..<index, with: [0, 0, 0, 0])
        #expect(verdict(bytes) == .whole(.avif, size: PixelSize(width: 7, height: 5)))
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
        #expect(isPicture || isCut(part), "without its end marker, the trailer is no end")
    }

    @Test(arguments: SmallPicture.all)
    func `zeros behind the end do no harm`(picture: SmallPicture) {
        #expect(verdict(picture.bytes + [UInt8](repeating: 0, count: 64)) == verdict(picture.bytes))
    }

    @Test func `a WebP's chunks begin at even offsets`() {
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

    static let appended = [
        Sample("a new line", [0x0A]), Sample("zeros", [UInt8](repeating: 0, count: 64)),
        Sample("a comment", Array("<!-- cached at noon -->".utf8)),
        Sample("half a box", [0, 0, 0, 99, 0x66]),
    ]

    @Test(arguments: SmallPicture.handmade, appended)
    func `what follows a picture does not matter`(picture: SmallPicture, appended: Sample) {
        #expect(verdict(picture.bytes + appended.bytes) == .whole(picture.type, size: picture.size))
    }

    @Test(arguments: try Fixture.names(in: "pictures").filter { !$0.hasSuffix(".md") })
    func `what other programs wrote is whole, and no beginning of it`(name: String) throws {
        let bytes = Array(try Fixture.data(name))
        guard case .whole(let type, let size?) = verdict(bytes) else {
            Issue.record("\(verdict(bytes))")
            return
        }
        #expect(PictureType(fileExtension: String(name.split(separator: ".").last ?? "")) == type)
        #expect(size.width > 1 && size.height > 1)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(!isWhole(Array(bytes.prefix(length))), "\(length) of \(bytes.count) bytes")
        }
        #expect(!isWhole(bytes.dropLast()))
        #expect(verdict(bytes + [0x0D, 0x0A]) == verdict(bytes))
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool {
        if case .whole = verdict(bytes) { true } else { false }
    }

    // MARK: - Cut-off pictures

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
        #expect(verdict(Array(bytes[..<end])) == .damaged(reason: "it ends before its pixels"))
        #expect(isCut(bytes.dropLast(2)))
    }

    /// Filler between two pictures: nothing, zeros, spaces, line ends of one kind, FF.
    @Test(arguments: [
        [], [0, 0], [UInt8](repeating: 0x20, count: 99), [0x0A], [UInt8](repeating: 0xFF, count: 9),
    ])
    func `a second picture that is cut is noticed, whatever fills the gap`(filler: [UInt8]) {
        let second = SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + Self.jpeg, in: Self.jpeg)
        let bytes = Self.jpeg + filler + second
        let preview = Self.jpeg.count + filler.count + 12 + Self.jpeg.count
        func isCut(_ bytes: [UInt8]) -> Bool {
            JPEG.hasCutCompanion(PictureBytes(bytes))
        }
        #expect(!isCut(bytes) && !isCut(Self.jpeg) && !isCut(Self.jpeg + filler))
        // From where the second picture shows itself as one; but for the two cuts right behind its preview's
        // end, where nothing tells it from a picture's.
        for length in Self.jpeg.count + filler.count + 3..<bytes.count
        where !(preview...preview + 1).contains(length) {
            let part = Array(bytes.prefix(length))
            #expect(isCut(part), "\(length) of \(bytes.count) bytes")
            #expect(isWhole(part), "the main picture is whole")
        }
    }

    @Test func `an end marker in a table between scans is not the picture's`() throws {
        let scan = try #require(SmallPicture.progressiveJPEG.firstRange(of: [0xFF, 0xDA]))
        let table: [UInt8] = [0xFF, 0xC4, 0x00, 0x05, 0xFF, 0xD9, 0x01]
        // Pixels, a table, and the cut.
        let bytes =
            SmallPicture.progressiveJPEG[..<scan.lowerBound]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0x55, 0xFF, 0x00, 0xFF, 0xD0, 0x55] + table + [0x01]
        #expect(verdict(Array(bytes)) == .damaged(reason: "its end marker is missing"))
        #expect(verdict(bytes + [0xFF, 0xD9]) == .whole(.jpeg, size: PixelSize(width: 7, height: 5)))
    }

    static let png = SmallPicture.png
    static let headOfScan: [UInt8] = [0xFF, 0xDA, 0, 6, 0xFF, 0xD9, 0, 0]
    static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 17, 0]
    /// An animated AVIF up to where its track begins.
    static let sequenceCutAway =
        Array(SmallPicture.animatedAVIF.prefix(44 + 235)) + box("mdat", [UInt8](repeating: 1, count: 2000))
    static let cutPictures: [(sample: Sample, reason: String)] = [
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
        (Sample("AVIF cut within its pixels", SmallPicture.avif.dropLast()), "it ends within its pixels"),
        (Sample("AVIF cut within its index", SmallPicture.avif.prefix(99)), "it ends within its index"),
        (Sample("AVIF of its brand alone", SmallPicture.avif.prefix(32)), "its index is missing"),
        (
            Sample(
                "AVIF whose pixels go up to the end, cut", HandmadeISO(isOpenEnded: true).bytes.dropLast()),
            "it ends within its pixels"
        ),
        (Sample("AVIF of a track, cut", HandmadeISO.sequence().dropLast()), "it ends within its pixels"),
        (
            Sample("AVIF with a sequence that is not there", sequenceCutAway), "its index is missing"
        ),
        (
            Sample("TIFF cut within its directory", HandmadeTIFF(.picture(7, 5)).bytes.dropLast(5)),
            "it ends within a directory"
        ),
        (Sample("TIFF without pixels", HandmadeTIFF(.init([.short(0x100, 7)])).bytes), "it has no pixels"),
        (
            Sample(
                "TIFF with a strip beyond its end",
                HandmadeTIFF(.init([.long(0x111, 9), .long(0x117, 99)])).bytes), "it ends within its pixels"
        ),
        (Sample("BMP cut within its pixels", HandmadeBMP.bytes(7, 5).dropLast()), "it has 173 of 174 bytes"),
        (
            Sample("JPEG XL cut within its codestream", HandmadeJXL.container(7, 5).dropLast()),
            "it ends within its codestream"
        ),
        (
            Sample("PNG whose next chunk has no name", png[..<33] + [UInt8](repeating: 0, count: 99)),
            "it is damaged between two chunks"
        ),
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
            Sample("AVIF without items", box("ftyp", Array("avif\0\0\0\0".utf8)) + box("mdat", [1])),
            "its index is missing"
        ),
        (
            Sample(
                "AVIF without places of items",
                box("ftyp", Array("avif\0\0\0\0".utf8)) + box("meta", [0, 0, 0, 0]) + box("mdat", [1])),
            "its index is damaged"
        ),
        (
            Sample("JPEG filled up with zeros", jpeg.dropLast(4) + [0, 0, 0, 0]),
            "its end marker is missing"
        ),
    ]

    @Test(arguments: cutPictures.indices)
    func `the reason names what is missing`(row: Int) throws {
        let (sample, reason) = Self.cutPictures[row]
        #expect(try verdictOnDisk(sample.bytes) == .damaged(reason: reason), "\(sample)")
    }

    /// Where the bytes of items are said to be: in the file, or in a box of the index, and nowhere beyond.
    @Test(arguments: [false, true], [false, true])
    func `an item that ends past its place is cut`(isInItemData: Bool, isWide: Bool) {
        let whole = HandmadeISO(isWide: isWide, isInItemData: isInItemData)
        var overrun = whole
        overrun.overrun = 2
        let more = [UInt8](repeating: 0, count: 5000)
        #expect(isWhole(whole.bytes) && isWhole(whole.bytes + more))
        #expect(isCut(overrun.bytes))
        // Bytes behind the index are not the index's.
        #expect(isCut(overrun.bytes + more) == isInItemData)
    }

    @Test func `damaged pictures never trap`() throws {
        var random = SeededGenerator(seed: 7)
        let photograph = Array(try Fixture.data("sample/thumb/clock.jpg"))
        let originals = SmallPicture.all.map(\.bytes) + [photograph, Self.jpeg + Self.jpeg]
        var verdicts: [String: Int] = [:]
        for round in 0..<Thorough.rounds(20_000, few: 2_000) {
            var bytes = originals[round % originals.count]
            bytes.damage(using: &random)
            switch verdict(bytes) {
            case .whole(let type, _):
                verdicts["whole", default: 0] += 1
                _ = PictureMetadata(PictureBytes(bytes), type)
            case .damaged: verdicts["cut off", default: 0] += 1
            case .notAPicture: verdicts["stranger", default: 0] += 1
            }
        }
        #expect(verdicts.count == 3, "each verdict was reached: \(verdicts)")
    }
}

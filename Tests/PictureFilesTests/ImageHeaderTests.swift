import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@Suite struct ImageHeaderTests {
    private static let jpeg = SmallPicture.baselineJPEG
    private static let png = SmallPicture.png
    private static let webp = SmallPicture.losslessWebP

    @Test(arguments: SmallPicture.all)
    func `the header tells type and size`(picture: SmallPicture) throws {
        let header = try #require(ImageHeader(prefix: picture.bytes))
        #expect(header.type == picture.type)
        #expect(header.size == picture.size)
        // Raw files without a signature of their own are TIFFs by their first bytes.
        let isTIFF = [.nef, .arw, .dng].contains(picture.type)
        #expect(PictureType(firstBytes: picture.bytes.prefix(64)) == (isTIFF ? .tiff : picture.type))
    }

    @Test(arguments: [
        ("ascent", 285, 427), ("astronaut", 512, 512), ("camera", 512, 512), ("chelsea", 451, 300),
        ("clock", 400, 300), ("coffee", 600, 400), ("flower", 640, 427), ("gravel", 512, 512),
        ("hopper", 512, 600), ("hubble", 1000, 872), ("palace", 640, 427), ("rocket", 640, 427),
    ])
    func `the header of a photograph is what file(1) says`(name: String, width: Int, height: Int) throws {
        let header = try ImageHeader(prefix: Fixture.data("sample/full/\(name).jpg"))
        #expect(header?.type == .jpeg)
        #expect(header?.size == PixelSize(width: width, height: height))
    }

    @Test(arguments: [(1, 7, 5), (2, 7, 5), (3, 7, 5), (4, 7, 5), (5, 5, 7), (6, 5, 7), (7, 5, 7), (8, 5, 7)])
    func `an orientation of 5 to 8 swaps width and height`(
        orientation: UInt8, width: Int, height: Int
    ) throws {
        for isLittle in [false, true] {
            let bytes = SmallPicture.turned(
                Self.jpeg, orientation: orientation, isLittle: isLittle)
            #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: width, height: height))
        }
    }

    static let strangers = [
        Sample("nothing", []),
        Sample("a JPEG's first two bytes", [0xFF, 0xD8]),
        Sample("HTML", Array("<!doctype html>".utf8)),
        Sample("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
        Sample("MP4", [0, 0, 0, 24] + Array("ftypisom\0\0\0\0mp41avc1".utf8)),
        Sample("a brand past the end of its box", [0, 0, 0, 20] + Array("ftypisom\0\0\0\0mp41avif".utf8)),
        Sample("a RIFF of sound", Array("RIFF\u{4}\0\0\0WAVEfmt ".utf8)),
        Sample("a PNG damaged by text mode", [0x89] + Array("PNG\n\u{1A}\n".utf8)),
        Sample("a picture after a space", [0x20] + jpeg),
    ]

    static let brands: [(brands: String, type: PictureType?)] = [
        ("avif\0\0\0\0", .avif), ("avis\0\0\0\0mif1", .avif), ("mif1\0\0\0\0mif1avif", .avif),
        ("heic\0\0\0\0mif1heic", .heic), ("mif1\0\0\0\0mif1heic", .heic), ("hevc\0\0\0\0msf1", .heic),
        ("mif1\0\0\0\0", .heif), ("crx \0\0\0\u{1}crx isom", .cr3), ("isom\0\0\0\0mp41avc1", nil),
        ("qt  \0\0\0\0qt  ", nil),
    ]

    @Test(arguments: brands.indices)
    func `brands tell pictures of ISO media from videos`(row: Int) {
        let (brands, type) = Self.brands[row]
        #expect(PictureType(firstBytes: box("ftyp", Array(brands.utf8))) == type)
    }

    @Test(arguments: [
        ("DSC_1.NEF", PictureType.nef), ("a.b.arw", .arw), ("x.dng", .dng), ("x.cr2", .tiff),
        ("x.jpg", .tiff),
        ("nef", .tiff), ("", .tiff),
    ])
    func `a TIFF is the raw file that its name says`(name: String, type: PictureType) throws {
        // A preview in front, as cameras write it: a raw file's size is that of its largest picture.
        let bytes = HandmadeTIFF(.picture(3, 2), .picture(7, 5)).bytes
        let size = type == .tiff ? PixelSize(width: 3, height: 2) : PixelSize(width: 7, height: 5)
        #expect(try verdictOnDisk(bytes, named: name.isEmpty ? "-" : name) == .whole(type, size: size))
        // The name of a raw file makes nothing else one.
        #expect(
            try verdictOnDisk(Self.png, named: "x.nef") == .whole(.png, size: PixelSize(width: 7, height: 5)))
    }

    @Test func `every type is known by its extensions and MIME types, none of which two share`() {
        let formats = PictureType.allCases.map(\.format)
        for names in [formats.flatMap(\.extensions), formats.flatMap(\.mediaTypes)] {
            #expect(Set(names).count == names.count)
        }
        for type in PictureType.allCases {
            for name in type.format.extensions {
                #expect(PictureType(fileExtension: name.uppercased()) == type)
            }
            for name in type.format.mediaTypes { #expect(PictureType(mediaType: name) == type) }
        }
        #expect(PictureType(fileExtension: "mp4") == nil)
        #expect(PictureType(mediaType: "image/svg+xml") == nil)
    }

    @Test(arguments: strangers)
    func `what is not on the list of types is no picture`(stranger: Sample) {
        #expect(PictureType(firstBytes: stranger.bytes) == nil)
        #expect(ImageHeader(prefix: stranger.bytes) == nil)
    }

    static let oddities = [
        Sample("a PNG of 0 by 5", Array(png[..<16]) + [0, 0, 0, 0] + png[20...]),
        Sample("a GIF of 0 by 0", Array("GIF89a".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x3B]),
        Sample("a lossless WebP without its mark", webp[..<20] + [0x2E] + webp[21...]),
        Sample("a PNG without its header", Array(png[..<8]) + png[33...]),
        Sample("a JPEG whose size stands behind its pixels", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + jpeg[2...]),
        Sample("a JPEG whose size stands behind its end", [0xFF, 0xD8, 0xFF, 0xD9] + jpeg[2...]),
        Sample("a JPEG that ends before its size", Array(jpeg.prefix(40))),
        Sample("a JPEG of filling alone", [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 400_000)),
        Sample("a WebP of an unknown kind", Array("RIFF\u{8}\0\0\0WEBPVP8?".utf8)),
        Sample("an AVIF of its brand alone", Array(SmallPicture.avif.prefix(32))),
    ]

    @Test(arguments: oddities)
    func `a size that is missing or impossible is not made up`(oddity: Sample) throws {
        let header = try #require(ImageHeader(prefix: oddity.bytes))
        #expect(header.size == nil)
    }

    /// As browsers do, an orientation that is not one number of two bytes counts for nothing.
    @Test(arguments: [
        HandmadeTIFF.Value.number(0x112, type: 4, 6), .bytes(0x112, type: 1, count: 1, [6]),
        .bytes(0x112, type: 3, count: 2, [6, 0, 6, 0]), .short(0x112, 9), .short(0x112, 0),
    ])
    func `an orientation of the wrong form is ignored`(value: HandmadeTIFF.Value) {
        let tiff = HandmadeTIFF(.init([value])).bytes
        let jpeg = SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + tiff, in: Self.jpeg)
        let size = PixelSize(width: 7, height: 5)
        #expect(ImageHeader(prefix: jpeg)?.size == size)
        #expect(ImageHeader(prefix: HandmadeTIFF(.picture(7, 5, [value])).bytes)?.size == size)
    }

    @Test func `a PNG is turned by what comes before its pixels`() {
        let exif = HandmadeTIFF(.init([.short(0x112, 6)])).bytes
        let chunk = big(exif.count, 4) + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
        let before = Array(Self.png[..<33]) + chunk + Self.png[33...]
        let after = Self.png.dropLast(12) + chunk + Self.png.suffix(12)
        #expect(ImageHeader(prefix: before)?.size == PixelSize(width: 5, height: 7))
        #expect(ImageHeader(prefix: after)?.size == PixelSize(width: 7, height: 5))
    }

    @Test(arguments: [(0, 7, 5), (1, 5, 7), (2, 7, 5), (3, 5, 7)] as [(UInt8, Int, Int)])
    func `an AVIF is turned by quarters`(turns: UInt8, width: Int, height: Int) {
        for isWide in [false, true] {
            let bytes = HandmadeISO(isWide: isWide, turns: turns).bytes
            #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: width, height: height))
        }
    }

    /// Source: ISO/IEC 18181-1, D.2: 1:1, 12:10, 4:3, 3:2, 16:9, 5:4, 2:1, rounded down.
    @Test(arguments: [(1, 240), (2, 288), (3, 320), (4, 360), (5, 426), (6, 300), (7, 480)])
    func `a JPEG XL may give its width as a proportion`(proportion: Int, width: Int) {
        let bytes = HandmadeJXL.codestream(height: 240, proportion: proportion)
        #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: width, height: 240))
    }

    @Test(arguments: [false, true])
    func `a JPEG XL's box may have a long length`(isPart: Bool) {
        let bytes = HandmadeJXL.wideContainer(7, 5, isPart: isPart)
        #expect(
            PictureFile.examine(PictureBytes(bytes)) == .whole(.jxl, size: PixelSize(width: 7, height: 5)))
        // The box may be longer than what there is of the file.
        #expect(ImageHeader(prefix: bytes.dropLast(5))?.size == PixelSize(width: 7, height: 5))
    }

    /// Scanners of the cameras' makers write plain TIFF: only what a sensor saw is a raw file.
    @Test(arguments: ["NIKON CORPORATION", "NIKON", "SONY", "Canon"])
    func `a camera maker's TIFF is raw only with a sensor's pixels`(maker: String) {
        let plain = HandmadeTIFF(.picture(7, 5, [.text(0x10F, maker), .short(0x106, 2), .short(0x103, 1)]))
            .bytes
        #expect(ImageHeader(prefix: plain)?.type == .tiff)
        #expect(ImageHeader(PictureBytes(plain), named: "scan.tif")?.type == .tiff)
        let raw: PictureType = maker.hasPrefix("NIKON") ? .nef : maker == "SONY" ? .arw : .tiff
        for sign: HandmadeTIFF.Value in [.short(0x106, 32803), .short(0x103, 34713), .short(0x103, 32767)] {
            let sensor = HandmadeTIFF(.picture(7, 5, [.text(0x10F, maker), sign])).bytes
            #expect(ImageHeader(prefix: sensor)?.type == raw)
        }
    }

    @Test func `a WebP is never turned, as in browsers`() {
        let exif = HandmadeTIFF(.init([.short(0x112, 6)])).bytes
        let chunks =
            Array(SmallPicture.alphaWebP.dropFirst(8)) + Array("EXIF".utf8) + little(exif.count, 4) + exif
        let bytes = Array("RIFF".utf8) + little(chunks.count, 4) + chunks
        #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: 7, height: 5))
    }

    @Test(arguments: [(1, 1, 7, 5), (9, 2, 9, 5), (2, 9, 7, 9), (9, 9, 9, 9)])
    func `a GIF takes the larger of screen and first frame`(
        screenWidth: Int, screenHeight: Int, width: Int, height: Int
    ) {
        var bytes = SmallPicture.gif
        bytes.replaceSubrange(6..<10, with: little(screenWidth, 2) + little(screenHeight, 2))
        #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: width, height: height))
    }

    static let detours = [
        Sample("filling before the frame", [0xFF, 0xD8, 0xFF] + frame),
        Sample(
            "a table that is marked almost like a frame",
            SmallPicture.segment(0xC4, [9, 9, 9, 9, 9], in: jpeg)),
        Sample("filling before a marker", [0xFF, 0xD8, 0xFF, 0xFF, 0xFF] + jpeg.dropFirst(3)),
        Sample(
            "bytes between two segments", [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 3, 4, 5] + jpeg.dropFirst(2)),
        Sample("a segment of an impossible length", [0xFF, 0xD8, 0xFF, 0xFE, 0, 0] + jpeg.dropFirst(2)),
        Sample("an orientation past its segment's end", [0xFF, 0xD8, 0xFF, 0xE1, 0, 18] + cutOrientation),
        Sample(
            "an orientation of no directory",
            SmallPicture.segment(0xE1, Array("Exif\0\0MM\0*".utf8), in: jpeg)),
    ]

    private static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 17, 0]
    private static let cutOrientation = SmallPicture.turned(jpeg, orientation: 6).dropFirst(6)

    @Test(arguments: detours)
    func `the size is found behind`(detour: Sample) {
        #expect(ImageHeader(prefix: detour.bytes)?.size == PixelSize(width: 7, height: 5))
    }

    @Test func `the size is found behind five profiles of 60 KB`() {
        let profile = [UInt8](repeating: 0xD9, count: 60_000)
        var bytes = Self.jpeg
        for _ in 1...5 { bytes = SmallPicture.segment(0xE2, profile, in: bytes) }
        #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: 7, height: 5))
    }

    @Test func `damaged headers never trap`() throws {
        var random = SeededGenerator(seed: 4)
        let photograph = Array(try Fixture.data("sample/thumb/hopper.jpg").prefix(700))
        let turned = SmallPicture.turned(Self.jpeg, orientation: 6, isLittle: true)
        let originals = SmallPicture.all.map(\.bytes) + [photograph, turned]
        var sizes = 0
        let rounds = Thorough.rounds(20_000, few: 2_000)
        for round in 0..<rounds {
            var bytes = originals[round % originals.count]
            bytes.damage(using: &random)
            guard let header = ImageHeader(prefix: bytes), let size = header.size else { continue }
            #expect(size.width > 0 && size.height > 0)
            sizes += 1
        }
        // Many changes fall behind the size: were none found, nothing was tried.
        #expect(sizes > rounds / 3)
    }

    static let descriptions: [(bytes: String, description: String)] = [
        ("", "nothing"),
        ("\0\0\0\0", "nothing but zeros"),
        ("<!DOCTYPE html><title>Sign in</title>", "an HTML page"),
        ("\u{FEFF} \r\n<HTML><body>", "an HTML page"),
        ("<!-- served by --><html>", "an HTML page"),
        ("<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"\"><html>", "an HTML page"),
        ("<html><svg></svg></html>", "an HTML page"),
        ("<h1>502 Bad Gateway</h1>", "an HTML page"),
        ("<svg onload=alert(1)>", "an SVG drawing"),
        ("<?xml version=\"1.0\"?>\n<!-- Inkscape -->\n<svg", "an SVG drawing"),
        ("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "XML"),
        ("{\"error\":\"not found\"}", "JSON"),
        (" [ {\"id\":1}]", "JSON"),
        ("{}", "JSON"),
        ("[]", "JSON"),
        ("[sic] a text", "text"),
        ("{see below}", "text"),
        ("Not Found", "text"),
        ("日本語のテキスト", "text"),
        ("< 3", "text"),
        ("%PDF-1.4", "a PDF document"),
        ("RIFF\u{4}\0\0\0WAVEfmt ", "a sound file"),
        ("\0\0\0\u{18}ftypisom\0\0\0\0", "a video"),
        ("PK\u{3}\u{4}", "a ZIP archive"),
        ("a\u{1B}]0;x\u{7}", "unknown bytes"),
    ]

    // By number, so that the test's own output holds none of the control characters.
    @Test(arguments: descriptions.indices)
    func `strangers are described in words of our own`(row: Int) {
        let (bytes, description) = Self.descriptions[row]
        #expect(ForeignContent(firstBytes: Array(bytes.utf8)).description == description)
    }

    @Test func `a letter cut in the middle is text still`() {
        let bytes = Array("日本語".utf8)
        #expect(ForeignContent(firstBytes: bytes.dropLast()).description == "text")
        #expect(ForeignContent(firstBytes: [0xFF, 0xFE, 0xFD, 0x80]).description == "unknown bytes")
    }
}

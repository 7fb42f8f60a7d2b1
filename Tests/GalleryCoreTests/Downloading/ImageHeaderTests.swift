import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct ImageHeaderTests {
    private static let jpeg = SmallPicture.baselineJPEG
    private static let png = SmallPicture.png
    private static let webp = SmallPicture.losslessWebP

    @Test(arguments: SmallPicture.all)
    func `the header tells type and size`(picture: SmallPicture) throws {
        let header = try #require(ImageHeader(prefix: picture.bytes))
        #expect(header.type == picture.type)
        #expect(header.size == picture.size)
        #expect(PictureType(firstBytes: picture.bytes.prefix(64)) == picture.type)
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
        Sample("HEIC", [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)),
        Sample("MP4", [0, 0, 0, 24] + Array("ftypisom\0\0\0\0mp41avc1".utf8)),
        Sample("a brand past the end of its box", [0, 0, 0, 20] + Array("ftypisom\0\0\0\0mp41avif".utf8)),
        Sample("a RIFF of sound", Array("RIFF\u{4}\0\0\0WAVEfmt ".utf8)),
        Sample("a PNG damaged by text mode", [0x89] + Array("PNG\n\u{1A}\n".utf8)),
        Sample("a picture after a space", [0x20] + jpeg),
    ]

    @Test func `an AVIF may say so in its major brand alone`() {
        #expect(PictureType(firstBytes: HandmadeAVIF.box("ftyp", Array("avif\0\0\0\0".utf8))) == .avif)
        #expect(PictureType(firstBytes: HandmadeAVIF.box("ftyp", Array("avis\0\0\0\0mif1".utf8))) == .avif)
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
        Sample("a secondary item", HandmadeAVIF.bytes(isWide: false)),
        Sample("a secondary item, in long numbers", HandmadeAVIF.bytes(isWide: true)),
    ]

    private static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 17, 0]
    private static let cutOrientation = SmallPicture.turned(jpeg, orientation: 6).dropFirst(6)

    @Test(arguments: detours)
    func `the size is found behind`(detour: Sample) {
        #expect(ImageHeader(prefix: detour.bytes)?.size == PixelSize(width: 7, height: 5))
    }

    @Test func `the size is found behind four profiles of 60 KB but not past 256 KiB`() {
        let profile = [UInt8](repeating: 0xD9, count: 60_000)
        var bytes = Self.jpeg
        for _ in 1...4 { bytes = SmallPicture.segment(0xE2, profile, in: bytes) }
        #expect(ImageHeader(prefix: bytes)?.size == PixelSize(width: 7, height: 5))
        bytes = SmallPicture.segment(0xE2, profile, in: bytes)
        #expect(ImageHeader(prefix: bytes) == ImageHeader(prefix: Array(Self.jpeg.prefix(4))))
    }

    @Test func `damaged headers never trap`() throws {
        var random = SeededGenerator(seed: 4)
        let photograph = Array(try Fixture.data("sample/thumb/hopper.jpg").prefix(700))
        let turned = SmallPicture.turned(Self.jpeg, orientation: 6, isLittle: true)
        let originals = SmallPicture.all.map(\.bytes) + [photograph, turned]
        var sizes = 0
        for round in 0..<20_000 {
            var bytes = originals[round % originals.count]
            bytes.damage(using: &random)
            guard let header = ImageHeader(prefix: bytes), let size = header.size else { continue }
            #expect(size.width > 0 && size.height > 0)
            sizes += 1
        }
        // Most changes fall behind the size: were none found, nothing was tried.
        #expect(sizes > 10_000)
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
        ("II*\0\u{8}\0\0\0", "a TIFF picture"),
        ("\0\0\0\u{18}ftypheic\0\0\0\0", "a HEIC picture"),
        ("\0\0\0\u{18}ftypisom\0\0\0\0", "a video"),
        ("PK\u{3}\u{4}", "a ZIP archive"),
        ("a\u{1B}]0;x\u{7}", "unknown bytes"),
    ]

    // By number, so that the test's own output holds none of the control characters.
    @Test(arguments: descriptions.indices)
    func `strangers are described in words of our own`(row: Int) {
        let (bytes, description) = Self.descriptions[row]
        #expect(ImageHeader.description(ofFirstBytes: Array(bytes.utf8)) == description)
    }

    @Test func `a letter cut in the middle is text still`() {
        let bytes = Array("日本語".utf8)
        #expect(ImageHeader.description(ofFirstBytes: bytes.dropLast()) == "text")
        #expect(ImageHeader.description(ofFirstBytes: [0xFF, 0xFE, 0xFD, 0x80]) == "unknown bytes")
    }
}

import Basics
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

@Suite struct ConversionSourceTests {
    private static func source(_ bytes: [UInt8], _ type: PictureType) -> ConversionSource {
        ConversionSource(PictureBytes(bytes), type)
    }

    /// A PNG of this color type, perhaps with a color that is transparent.
    private static func png(_ colorType: UInt8, hasColor: Bool = false) -> [UInt8] {
        var png = SmallPicture.png
        png[25] = colorType
        return hasColor ? PNG.adding([("tRNS", [0, 0])], to: png) : png
    }

    private static func gif(_ flags: UInt8) -> [UInt8] {
        var gif = SmallPicture.gif
        let table = 13 + (gif[10] & 0x80 == 0 ? 0 : 3 << (Int(gif[10] & 7) + 1))
        gif.insert(contentsOf: [0x21, 0xF9, 4, flags, 0, 0, 0, 0], at: table)
        return gif
    }

    static let transparencies: [(bytes: [UInt8], type: PictureType, isThere: Bool)] = [
        (png(2), .png, false), (png(6), .png, true), (png(4), .png, true), (png(3), .png, false),
        (png(3, hasColor: true), .png, true), (gif(0), .gif, false), (gif(1), .gif, true),
        (SmallPicture.lossyWebP, .webp, false), (SmallPicture.alphaWebP, .webp, true),
        (SmallPicture.baselineJPEG, .jpeg, false), (SmallPicture.avif, .avif, false),
        (SmallPicture.avif + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8), .avif, true),
        (HandmadeTIFF(.picture(7, 5)).bytes, .tiff, false),
        (HandmadeTIFF(.picture(7, 5, [.short(338, 2)])).bytes, .tiff, true),
    ]

    @Test(arguments: transparencies)
    func `what may be transparent is found in the headers`(bytes: [UInt8], type: PictureType, isThere: Bool) {
        #expect(Self.source(bytes, type).hasTransparency == isThere)
    }

    @Test(arguments: [("p3.webp", PictureType.webp), ("p3.gif", .gif)])
    func `animations have color profiles, too`(name: String, type: PictureType) throws {
        let bytes = Array(try Fixture.data("pictures/\(name)"))
        let source = Self.source(bytes, type)
        #expect(source.hasOwnColors && source.needsTrueColors)
        #expect(source.animationProfile?.count == (type == .webp ? 480 : nil))
        #expect(!Self.source(SmallPicture.gif, .gif).hasOwnColors)
        // Of a profile that is cut off no more is read than there is.
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = Self.source(Array(bytes.prefix(length)), type)
        }
    }

    @Test func `only what viewers turn by EXIF is turned`() {
        let turned = SmallPicture.turned(SmallPicture.baselineJPEG, orientation: 6)
        #expect(Self.source(turned, .jpeg).orientation == 6)
        #expect(Self.source(SmallPicture.turnedAVIF, .avif).orientation == 1)
    }

    private static let rights = HandmadeTIFF(
        .init([
            .text(0x10F, "NIKON"), .text(0x13B, "Ann"), .text(0x8298, "© Ann 2026"),
            .directory(0x8825, .init([.text(1, "N")])),
        ]))
    private static let owned = SmallPicture.segment(
        0xE1, Array("Exif\0\0".utf8) + rights.bytes, in: SmallPicture.baselineJPEG)

    @Test(arguments: [
        (owned, PictureType.jpeg), (SmallPicture.png, .png), (SmallPicture.lossyWebP, .webp),
        (SmallPicture.losslessWebP, .webp), (SmallPicture.alphaWebP, .webp),
    ])
    func `a result keeps author and copyright, and nothing else`(output: [UInt8], type: PictureType) throws {
        let kept = try #require(Self.source(Self.owned, .jpeg).accepted(output, as: type, longestEdge: 7))
        var (exif, wanted) = (PictureMetadata(), PictureMetadata())
        (exif.artist, exif.copyright) = ("Ann", "© Ann 2026")
        wanted.complete(with: exif, from: "EXIF")
        #expect(PictureMetadata(PictureBytes(kept), type) == wanted)
        #expect(PictureFile.examine(PictureBytes(kept)) == .whole(type, size: PixelSize(width: 7, height: 5)))
        #expect(WebP.hasTransparency(PictureBytes(kept)) == WebP.hasTransparency(PictureBytes(output)))
    }

    @Test func `short names and single ones are kept too`() throws {
        let owned = SmallPicture.segment(
            0xE1, Array("Exif\0\0".utf8) + HandmadeTIFF(.init([.text(0x13B, "A")])).bytes,
            in: SmallPicture.baselineJPEG)
        let kept = Self.source(owned, .jpeg).accepted(SmallPicture.png, as: .png, longestEdge: 7)
        #expect(PictureMetadata(PictureBytes(try #require(kept)), .png).artist == "A")
    }

    @Test func `notes, comments, and places are removed, a color profile is kept`() throws {
        let none = [UInt8](repeating: 0, count: 36)
        let colors = none + "acsp".utf8 + none + none + [UInt8](repeating: 0, count: 21)
        let mark = Array("ICC_PROFILE\0\u{1}\u{1}".utf8)
        var jpeg = SmallPicture.segment(0xE2, mark + colors, in: Self.owned)
        jpeg = SmallPicture.segment(0xFE, Array("a comment".utf8), in: jpeg)
        jpeg = SmallPicture.segment(0xE2, Array("MPF\0".utf8), in: jpeg)
        let kept = JPEG.cleaned(jpeg, adding: nil)
        let profile = SmallPicture.segment(
            0xE2, mark + (try #require(ColorProfile.cleaned(colors))), in: SmallPicture.baselineJPEG)
        #expect(kept == profile)
    }

    @Test func `of a PNG that a program wrote, notes go and pixels stay`() throws {
        let notes = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME"].map { ($0, Array("GPS".utf8)) }
        let written = PNG.adding(notes + [("gAMA", [0, 0, 0, 1])], to: SmallPicture.png)
        let kept = Self.source(SmallPicture.png, .png).accepted(written, as: .png, longestEdge: 7)
        #expect(kept == PNG.adding([("gAMA", [0, 0, 0, 1])], to: SmallPicture.png))
    }

    @Test func `an author's name of any length fits in a JPEG`() throws {
        let creators = (0..<40).map { _ in "<rdf:li>" + String(repeating: "é", count: 4000) + "</rdf:li>" }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq>\(creators.joined())\
            </rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let content = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array(packet.utf8)
        let source = Self.source(PNG.adding([("iTXt", content)], to: SmallPicture.png), .png)
        let kept = try #require(source.accepted(SmallPicture.baselineJPEG, as: .jpeg, longestEdge: 7))
        #expect(kept.count < SmallPicture.baselineJPEG.count + 5000)
        #expect(PictureMetadata(PictureBytes(kept), .jpeg).artist?.hasPrefix("é") == true)
    }

    @Test func `colors may be others than sRGB's where there is a profile, or inks`() throws {
        var inks = SmallPicture.baselineJPEG
        let frame = try #require(inks.firstRange(of: [0xFF, 0xC0]) ?? inks.firstRange(of: [0xFF, 0xC1]))
        inks[frame.lowerBound + 9] = 4
        let profile = SmallPicture.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8), in: Self.owned)
        #expect(Self.source(inks, .jpeg).hasOwnColors && Self.source(profile, .jpeg).hasOwnColors)
        #expect(!Self.source(SmallPicture.baselineJPEG, .jpeg).hasOwnColors)
        #expect(!Self.source(Self.owned, .jpeg).hasOwnColors)
        let png = PNG.adding([("iCCP", Array("P3\0\0".utf8))], to: SmallPicture.png)
        #expect(Self.source(png, .png).hasOwnColors && !Self.source(SmallPicture.png, .png).hasOwnColors)
        #expect(!Self.source(Array(Pictures.webp(width: 7, height: 5)), .webp).hasOwnColors)
    }

    @Test(arguments: [
        ([], PictureType.jpeg, 7), (Array("garbage".utf8), .jpeg, 7), (SmallPicture.png, .jpeg, 7),
        (Array(SmallPicture.baselineJPEG.dropLast(2)), .jpeg, 7), (SmallPicture.baselineJPEG, .jpeg, 9),
        (SmallPicture.baselineJPEG, .jpeg, 5),
    ])
    func `what is no whole picture of the type and size is refused`(
        output: [UInt8], type: PictureType, edge: Int
    ) {
        #expect(Self.source(SmallPicture.png, .png).accepted(output, as: type, longestEdge: edge) == nil)
    }

    @Test func `a raw file's preview is turned as the file says, and keeps its author`() throws {
        let preview = try #require(Self.source(HandmadeRaw.holding(SmallPicture.baselineJPEG), .arw).preview)
        var (exif, wanted) = (PictureMetadata(), PictureMetadata())
        (exif.orientation, exif.artist) = (6, "Ann")
        wanted.complete(with: exif, from: "EXIF")
        #expect(PictureMetadata(PictureBytes(preview), .jpeg) == wanted)
        #expect(
            PictureFile.examine(PictureBytes(preview)) == .whole(.jpeg, size: PixelSize(width: 5, height: 7)))
        let cut = Array(SmallPicture.baselineJPEG.dropLast(2))
        #expect(Self.source(HandmadeRaw.holding(cut), .arw).preview == nil)
        let others = HandmadeRaw.all.filter { $0.type != .raf }
        #expect(others.allSatisfy { Self.source($0.bytes, $0.type).preview == nil })
        #expect(Self.source(HandmadeRaw.raf, .raf).preview != nil)
        #expect(Self.source(SmallPicture.baselineJPEG, .jpeg).preview == nil)
    }
}

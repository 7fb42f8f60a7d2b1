import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

@Suite struct ColorProfileTests {
    /// A profile of one tag, its description, `offset` bytes after the tags.
    private static func profile(_ description: [UInt8], offset: Int = 0, length: Int? = nil) -> [UInt8] {
        let header = [UInt8](repeating: 0, count: 36) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
        let tag = Array("desc".utf8) + big(144 + offset, 4) + big(length ?? description.count, 4)
        return header + big(1, 4) + tag + description
    }

    private static func old(_ name: String) -> [UInt8] {
        Array("desc".utf8) + big(0, 4) + big(name.utf8.count + 1, 4) + Array(name.utf8) + [0]
    }

    private static func new(_ name: String) -> [UInt8] {
        let text = name.utf16.flatMap { big(Int($0), 2) }
        return Array("mluc".utf8) + big(0, 4) + big(1, 4) + big(12, 4) + Array("enUS".utf8)
            + big(text.count, 4)
            + big(28, 4) + text
    }

    private func name(_ bytes: [UInt8]) throws -> String? {
        let bytes = PictureBytes(bytes)
        return PictureMetadata(bytes, try #require(ImageHeader(bytes)?.type)).colorProfile
    }

    private static func jpeg(_ profile: [UInt8], piece: UInt8 = 1) -> [UInt8] {
        SmallPicture.segment(
            0xE2, Array("ICC_PROFILE\0".utf8) + [piece, 2] + profile, in: SmallPicture.baselineJPEG)
    }

    @Test(arguments: [old("Adobe RGB (1998)"), new("Adobe RGB (1998)")])
    func `every format that holds a profile names it`(description: [UInt8]) throws {
        let profile = Self.profile(description)
        let webp =
            Array(SmallPicture.alphaWebP.dropFirst(8)) + Array("ICCP".utf8) + little(profile.count, 4)
            + profile
        let tiff = HandmadeTIFF(.picture(7, 5, [.bytes(0x8773, type: 7, count: profile.count, profile)]))
        let pictures = [
            Self.jpeg(profile), Array("RIFF".utf8) + little(webp.count, 4) + webp, tiff.bytes,
        ]
        for picture in pictures { #expect(try name(picture) == "Adobe RGB (1998)") }
    }

    /// The rest of it is compressed.
    @Test func `a PNG names its profile beside it`() throws {
        let png = SmallPicture.png
        let content = Array("Display P3\0\0".utf8) + [0x78, 0x9C, 1, 2, 3]
        let chunk = big(content.count, 4) + Array("iCCP".utf8) + content + [0, 0, 0, 0]
        #expect(try name(Array(png[..<33]) + chunk + png[33...]) == "Display P3")
        #expect(try name(png) == nil)
    }

    @Test func `names are those of Apple, in any language's letters`() throws {
        #expect(try name(Self.jpeg(Self.profile(Self.new("Écran P3 é🙂")))) == "Écran P3 é🙂")
    }

    @Test(arguments: [
        profile(old("A"), offset: 1 << 30), profile(old("A"), length: 1 << 31), profile([]),
        profile(Array("mluc".utf8)), profile(Array("desc".utf8) + big(0, 4) + big(Int(UInt32.max), 4)),
        Array(profile(old("A")).prefix(140)), [], [UInt8](repeating: 0xFF, count: 400),
        profile(Array("text".utf8) + old("A")), profile(new("")), profile(old("")),
    ])
    func `a damaged profile has no name`(profile: [UInt8]) throws {
        #expect(try name(Self.jpeg(profile)) == nil)
    }

    @Test(arguments: [
        (jpeg(profile(old("Adobe RGB (1998)"))), PictureType.jpeg, true),
        (jpeg(profile(new("sRGB IEC61966-2.1"))), .jpeg, false), (jpeg([]), .jpeg, true),
        (SmallPicture.baselineJPEG, .jpeg, false), (SmallPicture.png, .png, false),
        (SmallPicture.avif, .avif, true), (SmallPicture.alphaWebP, .webp, false),
        (SmallPicture.gif, .gif, false),
    ])
    func `what heeds no profile shows those of other profiles than sRGB falsely`(
        bytes: [UInt8], type: PictureType, isNeeded: Bool
    ) {
        #expect(ConversionSource(PictureBytes(bytes), type).needsTrueColors == isNeeded)
    }

    @Test func `a profile in pieces is named by its first`() throws {
        #expect(try name(Self.jpeg(Self.profile(Self.old("Second")), piece: 2)) == nil)
    }

    @Test func `an endless name has an end`() throws {
        let long = String(repeating: "n", count: 60_000)
        #expect(try name(Self.jpeg(Self.profile(Self.old(long))))?.count == PictureMetadata.longestText)
    }
}

import Basics
import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

@Suite struct PictureMetadataTests {
    private func metadata(_ bytes: [UInt8]) throws -> PictureMetadata {
        let bytes = PictureBytes(bytes)
        return PictureMetadata(bytes, try #require(ImageHeader(bytes)?.type))
    }

    private static let exif = HandmadeTIFF.Directory([
        .text(0x10F, "NIKON CORPORATION"), .text(0x110, "NIKON D850"), .text(0x13B, "Ada Lovelace"),
        .text(0x8298, "© Ada"), .text(0x10E, "Low tide"),
        .directory(
            0x8769,
            .init([
                .text(0x9003, "2011:11:05 15:54:37"), .text(0x9011, "+02:00"),
                .fraction(0x829A, [(10, 6400)]),
                .fraction(0x829D, [(28, 10)]), .short(0x8827, 200), .fraction(0x920A, [(500, 10)]),
                .text(0xA434, "50.0 mm f/1.8"),
            ])),
        .directory(
            0x8825,
            .init([
                .text(1, "S"), .fraction(2, [(48, 1), (30, 1), (0, 1)]), .text(3, "W"),
                .fraction(4, [(2, 1), (15, 1), (0, 1)]),
            ])),
    ])

    private static let xmp = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF><rdf:Description rdf:about="" photoshop:DateCreated="2012-01-02T03:04:05.6-05:00" tiff:Model='K 1'>
        <!-- <dc:title>no</dc:title> > -->
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Cup &amp; saucer &#233;</rdf:li></rdf:Alt></dc:title>
        <dc:subject><rdf:Bag><rdf:li>coffee</rdf:li><rdf:li>cup</rdf:li><rdf:li>coffee</rdf:li></rdf:Bag></dc:subject>
        <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bo</rdf:li></rdf:Seq></dc:creator>
        <dc:rights/><dc:description>Plain</dc:description></rdf:Description></rdf:RDF></x:xmpmeta>
        """

    private func expectAll(_ found: PictureMetadata, _ comment: Comment) {
        #expect(found.camera == "NIKON D850", comment)
        #expect(found.lens == "50.0 mm f/1.8", comment)
        #expect(found.taken == WrittenDate("2011-11-05T15:54:37+02:00"), comment)
        #expect(found.taken?.date == Date(timeIntervalSince1970: 1_320_501_277), comment)
        #expect(found.shutterSpeed == "1/640", comment)
        #expect(found.aperture == "f/2.8", comment)
        #expect(found.iso == "200", comment)
        #expect(found.focalLength == "50 mm", comment)
        #expect(found.artist == "Ada Lovelace", comment)
        #expect(found.copyright == "© Ada", comment)
        #expect(found.latitude == -48.5 && found.longitude == -2.25, comment)
    }

    @Test(arguments: [true, false])
    func `every format that holds EXIF gives it`(isLittle: Bool) throws {
        let tiff = HandmadeTIFF(Self.exif, isLittle: isLittle).bytes
        let png = SmallPicture.png
        let chunk = big(tiff.count, 4) + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
        let webp =
            Array(SmallPicture.alphaWebP.dropFirst(8)) + Array("EXIF".utf8) + little(tiff.count, 4) + tiff
        let strip: [HandmadeTIFF.Value] = [.short(0x100, 7), .short(0x101, 5), .data(0x111, 0x117, [1])]
        expectAll(
            try metadata(
                SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + tiff, in: SmallPicture.baselineJPEG)),
            "JPEG")
        expectAll(try metadata(Array(png[..<33]) + chunk + png[33...]), "PNG")
        expectAll(try metadata(Array(png.dropLast(12)) + chunk + png.suffix(12)), "PNG, at the end")
        expectAll(try metadata(Array("RIFF".utf8) + little(webp.count, 4) + webp), "WebP")
        expectAll(try metadata(HandmadeISO(exif: tiff).bytes), "AVIF")
        expectAll(try metadata(HandmadeISO(brand: "heic", isWide: true, exif: tiff).bytes), "HEIC")
        expectAll(
            try metadata(HandmadeJXL.container(7, 5, more: box("Exif", [0, 0, 0, 0] + tiff))), "JPEG XL")
        let whole = HandmadeTIFF(.init(Self.exif.values + strip), isLittle: isLittle).bytes
        expectAll(try metadata(whole), "TIFF")
    }

    @Test func `raw files give what their own forms hold`() throws {
        #expect(try metadata(HandmadeRaw.cr3).camera == "Canon EOS R6")
        #expect(try metadata(HandmadeRaw.raf).camera == "X-T4")
    }

    @Test func `XMP gives title, keywords, author and date`() throws {
        let packet = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(Self.xmp.utf8)
        let found = try metadata(SmallPicture.segment(0xE1, packet, in: SmallPicture.baselineJPEG))
        #expect(found.title == "Cup & saucer é")
        #expect(found.keywords == ["coffee", "cup"])
        #expect(found.artist == "Ada, Bo")
        #expect(found.description == "Plain")
        #expect(found.camera == "K 1")
        #expect(found.taken == WrittenDate("2012-01-02T03:04:05-05:00"))
        #expect(found.copyright == nil)
        #expect(try metadata(HandmadeISO(xmp: Self.xmp).bytes).title == "Cup & saucer é")
    }

    @Test func `a bracket within quotes does not end a tag of XMP`() {
        let packet = #"<rdf:Description aux:Lens="24-70 > 2" tiff:Model='A>B'><dc:title>T</dc:title>"#
        let found = XMP(Array(packet.utf8)).metadata
        #expect(found.lens == "24-70 > 2" && found.camera == "A>B" && found.title == "T")
    }

    private static func record(_ number: UInt8, _ text: String) -> [UInt8] {
        [0x1C, 2, number] + big(text.utf8.count, 2) + Array(text.utf8)
    }

    /// A JPEG with these blocks, each where a JPEG has it.
    private static func jpeg(
        exif: [HandmadeTIFF.Value] = [], xmp: String? = nil, iptc: [UInt8] = []
    ) -> [UInt8] {
        var jpeg = SmallPicture.baselineJPEG
        if !exif.isEmpty {
            let tiff = HandmadeTIFF(.init(exif)).bytes
            jpeg = SmallPicture.segment(0xE1, Array("Exif\0\0".utf8) + tiff, in: jpeg)
        }
        if let xmp {
            let packet = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
            jpeg = SmallPicture.segment(0xE1, packet, in: jpeg)
        }
        if !iptc.isEmpty {
            let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + big(iptc.count, 4) + iptc
            jpeg = SmallPicture.segment(0xED, Array("Photoshop 3.0\0".utf8) + resource, in: jpeg)
        }
        return jpeg
    }

    private static func wide(_ tag: Int, _ text: String) -> HandmadeTIFF.Value {
        let bytes = (Array(text.utf16) + [0]).flatMap { little(Int($0), 2) }
        return .bytes(tag, type: 1, count: bytes.count, bytes)
    }

    /// Cameras write a title and a description on every picture; somebody who types one means it.
    @Test func `what was typed counts more than what the camera wrote`() throws {
        let camera: [HandmadeTIFF.Value] = [
            .text(0x10E, "OLYMPUS DIGITAL CAMERA"), Self.wide(0x9C9B, "DSC_0001"), .text(0x13B, "The owner"),
        ]
        let typed =
            "<dc:title>Low tide</dc:title><dc:description>At six</dc:description><dc:creator>Ada</dc:creator>"
        let records = Self.record(5, "Ebb") + Self.record(120, "At seven") + Self.record(80, "Bo")
        let cases:
            [(bytes: [UInt8], title: String, description: String?, artist: String, sources: [String])] = [
                (Self.jpeg(exif: camera), "DSC_0001", nil, "The owner", ["EXIF"]),
                (Self.jpeg(exif: camera, xmp: typed), "Low tide", "At six", "Ada", ["XMP", "EXIF"]),
                (Self.jpeg(exif: camera, iptc: records), "Ebb", "At seven", "Bo", ["IPTC", "EXIF"]),
                (
                    Self.jpeg(exif: camera, xmp: typed, iptc: records), "Low tide", "At six", "Ada",
                    ["XMP", "IPTC", "EXIF"]
                ),
                (Self.jpeg(xmp: typed), "Low tide", "At six", "Ada", ["XMP"]),
                (Self.jpeg(iptc: records), "Ebb", "At seven", "Bo", ["IPTC"]),
            ]
        for (bytes, title, description, artist, sources) in cases {
            let found = try metadata(bytes)
            #expect(found.title == title)
            #expect(found.description == description)
            #expect(found.artist == artist)
            #expect(found.origins.filter { $0.has(.title) }.map(\.source) == sources)
            #expect(
                found.origins.filter { $0.has(.description) }.map(\.source) == sources.filter { $0 != "EXIF" }
            )
        }
    }

    @Test(arguments: [
        "OLYMPUS DIGITAL CAMERA         ", #"DCIM\100MEDIA\DJI_0001.JPG"#, "DCIM/100GOPRO/G0010001.JPG",
        "SONY DSC",
        "SAMSUNG CAMERA PICTURES", "Exif_JPEG_PICTURE", "oznor",
    ])
    func `what cameras write for nobody is no text`(text: String) throws {
        for xmp in [nil, "<dc:title>\(text)</dc:title>"] {
            let found = try metadata(
                Self.jpeg(exif: [.text(0x10E, text), Self.wide(0x9C9B, text)], xmp: xmp))
            #expect(found.title == nil && found.description == nil && found.origins.isEmpty)
        }
        let more = "Seen by " + text.trimmingCharacters(in: .whitespaces)
        #expect(try metadata(Self.jpeg(exif: [.text(0x10E, more)])).description == more)
    }

    @Test func `unknown numbers and dashes are nothing`() throws {
        let unknown = HandmadeTIFF.Directory([
            .text(0xA434, "----"), .fraction(0x920A, [(0xFFFF_FFFF, 1)]),
            .fraction(0x829D, [(28, 0xFFFF_FFFF)]),
            .fraction(0x829A, [(0xFFFF_FFFF, 0xFFFF_FFFF)]),
        ])
        let found = try metadata(Self.jpeg(exif: [.directory(0x8769, unknown), .text(0x110, "-- --")]))
        #expect(found == PictureMetadata())
    }

    @Test(arguments: [
        ("", "Sea"), ("C.UTF-8", "Sea"), ("POSIX", "Sea"), ("fr_FR.UTF-8", "Sea"), ("de_DE.UTF-8", "Meer"),
        ("de", "Meer"), ("pt_BR@euro", "O mar"), ("pt_PT", "Mar"), ("PT_AO", "Mar"),
    ])
    func `LANG chooses among languages, and then the default is`(variable: String, title: String) {
        let packet = """
            <dc:title><rdf:Alt><rdf:li xml:lang="de">Meer</rdf:li><rdf:li xml:lang='pt-BR'>O mar</rdf:li>
            <rdf:li xml:lang="pt">Mar</rdf:li><rdf:li xml:lang="x-default">Sea</rdf:li></rdf:Alt></dc:title>
            <dc:rights><rdf:Alt><rdf:li xml:lang="xx">Only</rdf:li></rdf:Alt></dc:rights>
            """
        let found = XMP(Array(packet.utf8), XMP.languages(variable)).metadata
        #expect(found.title == title)
        #expect(found.copyright == "Only")
    }

    @Test func `texts for those who do not see a picture are read`() {
        let (short, long) = ("Iptc4xmpCore:AltTextAccessibility", "Iptc4xmpCore:ExtDescrAccessibility")
        func alt(_ packet: String) -> String? { XMP(Array(packet.utf8)).metadata.alt }
        #expect(alt("<\(long)>A boat, seen from the pier</\(long)>") == "A boat, seen from the pier")
        #expect(alt("<\(long)>A boat, seen</\(long)><\(short)>A boat</\(short)>") == "A boat")
    }

    @Test func `a PNG's own texts are read, compressed ones too`() throws {
        // "Low tide, low tide, low tide é", in UTF-8.
        let packed: [UInt8] = [
            120, 218, 243, 201, 47, 87, 40, 201, 76, 73, 213, 81, 200, 193, 96, 41, 28, 94, 9, 0, 172, 7, 11,
            77,
        ]
        func text(_ kind: String, _ content: [UInt8]...) -> (name: String, content: [UInt8]) {
            (kind, content.flatMap(\.self))
        }
        func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
        let plain = PNG.adding(
            [
                text("tEXt", utf8("Title\0Seaside")), text("tEXt", utf8("Title\0Other")),
                text("tEXt", utf8("Author\0Ann "), [0xE9]), text("zTXt", utf8("Description\0\0"), packed),
                text("iTXt", utf8("Copyright\0\u{1}\0en\0Rechte\0"), packed),
                text("tEXt", utf8("Creation Time\u{0}2020:01:02 03:04:05")),
                text("tEXt", utf8("Software\0X")),
            ], to: SmallPicture.png)
        let found = try metadata(plain)
        #expect(found.title == "Seaside")
        #expect(found.artist == "Ann é")
        #expect(found.description == "Low tide, low tide, low tide é")
        #expect(found.copyright == "Low tide, low tide, low tide é")
        #expect(found.taken == WrittenDate("2020-01-02T03:04:05"))
        #expect(found.origins.map(\.source) == ["PNG"])
        // An international one that is not compressed, one that is cut, and one that unpacks to too much.
        let bomb: [UInt8] = [0x78, 0xDA] + [UInt8](repeating: 0, count: 5000)
        let odd = PNG.adding(
            [
                text("iTXt", utf8("Title\0\0\0\0\0Ebb")), text("zTXt", utf8("Description\0")),
                text("iTXt", utf8("Author\0\u{1}")), text("zTXt", utf8("Copyright\0\0"), bomb),
                text("tEXt", utf8("Creation Time\0yesterday")),
            ], to: SmallPicture.png)
        #expect(try metadata(odd).title == "Ebb")
        let others = try metadata(odd)
        #expect(
            others.description == nil && others.artist == nil && others.copyright == nil
                && others.taken == nil)
    }

    @Test func `no block gives more keywords than a list may have`() throws {
        let most = PictureMetadata.mostKeywords
        let words = (0..<5000).map { "k\($0)" }
        let xmp = "<dc:subject>" + words.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</dc:subject>"
        let tiff = HandmadeTIFF(
            .picture(7, 5, [.bytes(0x2BC, type: 1, count: xmp.utf8.count, Array(xmp.utf8))])
        ).bytes
        let records = words.prefix(3000).flatMap { Self.record(25, $0) }
        let letters = Self.wide(0x9C9E, (0..<1000).map { "\($0 % 10)" }.joined(separator: ";"))
        for bytes in [tiff, Self.jpeg(iptc: records), Self.jpeg(exif: [letters], iptc: records)] {
            let found = try metadata(bytes).keywords
            #expect(found.count == most)
        }
        #expect(XMP(Array(xmp.utf8)).metadata.keywords == Array(words.prefix(most)))
    }

    @Test(arguments: [
        ("a &amp; b", "a & b"), ("&amp;lt;", "&lt;"), ("&amp;amp;", "&amp;"), ("&#38;lt;", "&lt;"),
        ("&#x26;quot;", "&quot;"), ("&lt;b&gt;", "<b>"), ("&quot;&apos;", "\"'"),
        ("&nbsp;&unknown;", "&nbsp;&unknown;"),
        ("AT&T", "AT&T"),
    ])
    func `entities in XMP are decoded, once`(text: String, decoded: String) {
        #expect(XMP(Array("<dc:title>\(text)</dc:title>".utf8)).metadata.title == decoded)
    }

    @Test(arguments: [
        (1, 8000, "1/8000"), (10, 6400, "1/640"), (1, 4, "1/4"), (29, 100, "1/3"), (3, 10, "0.3"),
        (1, 3, "0.3"), (4, 10, "0.4"), (1, 2, "0.5"), (10, 10, "1"), (13, 10, "1.3"), (30, 1, "30"),
    ])
    func `an exposure is a fraction of a second below 0.3, and decimal from there`(
        number: Int, divisor: Int, text: String
    ) throws {
        let details = HandmadeTIFF.Directory([.fraction(0x829A, [(number, divisor)])])
        #expect(try metadata(Self.jpeg(exif: [.directory(0x8769, details)])).shutterSpeed == text)
    }

    @Test func `IPTC gives them too`() throws {
        let texts: [(UInt8, String)] = [
            (5, "Tide"), (25, "sea"), (25, "sand"), (80, "Ada"), (55, "20111105"), (60, "155437+0200"),
            (116, "Ada 2011"),
        ]
        let records = texts.flatMap(Self.record)
        let other = Array("8BIM".utf8) + [4, 9, 2] + Array("ab".utf8) + [0] + big(3, 4) + [1, 2, 3, 0]
        let resources = other + Array("8BIM".utf8) + [4, 4, 0, 0] + big(records.count, 4) + records
        let found = try metadata(
            SmallPicture.segment(
                0xED, Array("Photoshop 3.0\0".utf8) + resources, in: SmallPicture.baselineJPEG))
        #expect(found.title == "Tide")
        #expect(found.keywords == ["sea", "sand"])
        #expect(found.artist == "Ada")
        #expect(found.copyright == "Ada 2011")
        #expect(found.taken == WrittenDate("2011-11-05T15:54:37+02:00"))
    }

    @Test func `what ExifTool and libheif wrote is read`() throws {
        for name in ["pictures/camera.jpg", "pictures/phone.heic"] {
            let found = try metadata(Array(try Fixture.data(name)))
            #expect(found.camera == "Apple iPhone 12")
            #expect(found.lens == "iPhone 12 back camera 4.2mm f/1.6")
            #expect(found.taken == WrittenDate("2021-05-06T07:08:09+02:00"))
            #expect(found.artist == "Ada Lovelace")
            #expect(found.title == "A cup & saucer")
            #expect(found.keywords.prefix(2) == ["coffee", "cup"])
            #expect(found.latitude == 48.5 && found.longitude == -2.25)
        }
        // A phone's picture, turned by its own box, is upright.
        #expect(
            ImageHeader(prefix: try Fixture.data("pictures/phone.heic"))?.size
                == PixelSize(width: 64, height: 96))
    }

    /// Offsets that lead outside, into themselves, or to themselves.
    @Test func `hostile directories give nothing, and end`() throws {
        let hostile: [HandmadeTIFF.Directory] = [
            .init([.long(0x8769, 0x7FFF_FFFF), .long(0x8825, 0)]),
            .init([.long(0x8769, 8), .long(0x8825, 8)]),
            .init([.bytes(0x13B, type: 2, count: 0x7FFF_FFFF, [1, 2, 3, 4])]),
            .init([.bytes(0x829A, type: 5, count: 1, [0, 0, 0, 1])]),
            .init([.directory(0x8769, .init([.fraction(0x829A, [(1, 0)]), .fraction(0x829D, [(0, 0)])]))]),
            .init([.long(0x201, 0), .long(0x202, 0x7FFF_FFFF)]),
        ]
        for directory in hostile {
            let tiff = HandmadeTIFF(directory).bytes
            let bytes = SmallPicture.segment(
                0xE1, Array("Exif\0\0".utf8) + tiff, in: SmallPicture.baselineJPEG)
            #expect(try metadata(bytes) == PictureMetadata())
        }
    }

    @Test(arguments: [(20, 4, true), (20, 0, false), (20, 0x7FFF_FFFF, false), (0x7FFF_FFFF, 4, false)])
    func `a thumbnail lies within its block`(offset: Int, length: Int, isThere: Bool) throws {
        let second = HandmadeTIFF.Directory([.long(0x201, offset), .long(0x202, length)])
        let tiff = HandmadeTIFF(.init([.short(0x112, 1)]), second).bytes
        let bytes = SmallPicture.segment(
            0xE1, Array("Exif\0\0".utf8) + tiff, in: SmallPicture.baselineJPEG)
        #expect(try (metadata(bytes).thumbnail != nil) == isThere)
    }

    @Test(arguments: [
        "<dc:title>", "<dc:subject><rdf:li>a", "<!--", "<a b=\"", "</", "&#xFFFFFF;",
        "<dc:title>&#0;</dc:title>",
    ])
    func `damaged XMP gives nothing`(packet: String) {
        #expect(XMP(Array(packet.utf8)).metadata == PictureMetadata())
        #expect(XMP([0xFF, 0xFE] + Array(packet.utf8)).metadata == PictureMetadata())
    }
}

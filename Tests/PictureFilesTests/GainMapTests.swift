import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

/// JPEGs that look brighter on screens with room for it, and what says where they come from.
@Suite struct GainMapTests {
    private static let secret = Array("SECRET place and number".utf8)
    private static let xmp = "http://ns.adobe.com/xap/1.0/\0"
    private static let iso = "urn:iso:std:iso:ts:21496:-1\0"

    private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array(
            """
            \(xmp)<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description \(attributes) \
            exif:GPSLatitude="SECRET">\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// A picture with what nobody else is to know, and these segments.
    private static func jpeg(_ segments: [(UInt8, [UInt8])]) -> [UInt8] {
        var jpeg = SmallPicture.baselineJPEG
        let others: [(UInt8, [UInt8])] = [
            (0xE1, Array("Exif\0\0".utf8) + secret), (0xFE, secret), (0xEB, secret),
            (0xE2, Array("MPF\0".utf8) + secret),
        ]
        for (marker, content) in others + segments {
            jpeg = SmallPicture.segment(marker, content, in: jpeg)
        }
        return jpeg
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let main: [(UInt8, [UInt8])]
        /// Those of the pictures behind it.
        let others: [[(UInt8, [UInt8])]]
        /// What the gain map says in the end, without which there is none.
        let says: [String]?
    }

    private static let version = packet("hdrgm:Version=\"1.0\"")
    private static let numbers: [UInt8] = [0, 0, 0, 0, 0x48] + [UInt8](repeating: 7, count: 32)

    static let cases = [
        Case(
            testDescription: "attributes", main: [(0xE1, version)],
            others: [
                [(0xE1, packet("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2.5\" hdrgm:Gamma=\"SECRET\""))]
            ],
            says: ["hdrgm:Version=\"1.0\"", "hdrgm:GainMapMax=\"2.5\""]),
        Case(
            testDescription: "three channels", main: [],
            others: [
                [
                    (
                        0xE1,
                        packet(
                            "hdrgm:BaseRenditionIsHDR='False'",
                            "<hdrgm:Gamma><rdf:Seq><rdf:li>1</rdf:li><rdf:li> 2 </rdf:li><rdf:li>3e0</rdf:li>"
                                + "<rdf:li>SECRET</rdf:li></rdf:Seq></hdrgm:Gamma><a:b>SECRET</a:b>")
                    )
                ]
            ],
            says: [
                "hdrgm:BaseRenditionIsHDR=\"False\"",
                "<hdrgm:Gamma><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:li>3e0</rdf:li></rdf:Seq>",
            ]),
        Case(
            testDescription: "ISO", main: [(0xE2, Array(iso.utf8) + [0, 0, 0, 0] + secret)],
            others: [[(0xE2, Array(iso.utf8) + numbers + secret)]],
            says: [iso + String(decoding: numbers, as: UTF8.self)]),
        Case(
            testDescription: "said by the main picture alone", main: [(0xE1, version)], others: [[]], says: []
        ),
        Case(
            testDescription: "behind a preview", main: [(0xE1, version)],
            others: [[], [(0xE1, packet("hdrgm:GainMapMin=\"0\""))]], says: ["hdrgm:GainMapMin=\"0\""]),
        Case(testDescription: "a preview", main: [], others: [[]], says: nil),
        Case(testDescription: "nothing behind it", main: [(0xE1, version)], others: [], says: nil),
        Case(
            testDescription: "cut numbers", main: [], others: [[(0xE2, Array((iso + "\0\0\0\0\0\0").utf8))]],
            says: nil),
    ]

    @Test(arguments: cases)
    func `a gain map stays, says nothing else, and is where the index says`(_ sample: Case) throws {
        let others = sample.others.map(Self.jpeg)
        let whole = Self.jpeg(sample.main) + others.joined()
        let safe = try #require(PublishedMetadata.safe.applied(to: whole, .jpeg))
        let text = String(decoding: safe, as: UTF8.self)
        #expect(!text.contains("SECRET"))
        #expect(JPEG.fault(PictureBytes(safe)) == nil && !JPEG.hasCutCompanion(PictureBytes(safe)))
        #expect(PublishedMetadata.safe.applied(to: safe, .jpeg) == safe)
        #expect(PublishedMetadata.none.applied(to: whole, .jpeg) == SmallPicture.baselineJPEG)
        guard let says = sample.says else {
            #expect(safe == SmallPicture.baselineJPEG)
            return
        }
        let map = try #require(JPEG.companions(PictureBytes(safe)).whole.first)
        #expect(map.upperBound == safe.count)
        for part in says { #expect(String(decoding: safe[map], as: UTF8.self).contains(part), "\(part)") }
        // Its pixels are the same; before them it says what it has to.
        #expect(safe[map].suffix(40) == SmallPicture.baselineJPEG.suffix(40))
        let index = try #require(safe.firstRange(of: Array("MPF\0".utf8))).upperBound
        func number(_ place: Int) -> Int {
            safe[index + place..<index + place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        // The length and the place of the main picture, then of the other one.
        #expect([54, 58].map(number) == [map.lowerBound, 0])
        #expect([70, 74].map(number) == [map.count, map.lowerBound - index])
        #expect(text.contains("Item:Length=\"\(map.count)\"") == (sample.testDescription != "ISO"))
        let versions = Array((Self.iso + "\0\0\0\0").utf8) + [0xFF]
        #expect(
            (safe[..<map.lowerBound].firstRange(of: versions) != nil) == (sample.testDescription == "ISO"))
    }

    @Test func `content credentials are seen in the formats that have room for them`() {
        let box = Array("JP\0\u{1}\0\0\0\u{1}\0\0\0@jumbjumdc2pa".utf8)
        let webp = Array(Pictures.webp(width: 7, height: 5))
        let chunk = Array("C2PA".utf8) + [4, 0, 0, 0] + Array("jumb".utf8)
        var signed = webp + chunk
        signed[4] += UInt8(chunk.count)
        let pictures: [(PictureType, [UInt8], Bool)] = [
            (.jpeg, SmallPicture.segment(0xEB, box, in: SmallPicture.baselineJPEG), true),
            (.jpeg, SmallPicture.segment(0xEB, Array(box.dropLast(4)), in: SmallPicture.baselineJPEG), false),
            (.jpeg, SmallPicture.baselineJPEG + box, false), (.png, SmallPicture.png, false),
            (.png, PNG.adding([("caBX", box)], to: SmallPicture.png), true), (.webp, webp, false),
            (.webp, signed, true), (.gif, box, false),
        ]
        for (type, picture, isSigned) in pictures {
            #expect(type.hasCredentials(picture) == isSigned, "\(type)")
        }
    }
}

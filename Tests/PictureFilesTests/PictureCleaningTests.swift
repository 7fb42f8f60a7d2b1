import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

/// What files say of themselves, and how much of it is left.
@Suite struct PictureCleaningTests {
    private static let secret = Array("SECRET place and number".utf8)

    /// EXIF with an orientation and an author, and beside them what nobody else is to know.
    private static var exif: [UInt8] {
        var metadata = PictureMetadata()
        (metadata.artist, metadata.copyright) = ("Ann", "© Ann")
        return (CreditBlocks(of: metadata, turned: 6).exif ?? []) + secret
    }

    private static let xmp = Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description photoshop:Credit="Ann &amp; Co" xmpRights:WebStatement="https://a.example/license" \
        exif:GPSLatitude="SECRET" aux:SerialNumber="SECRET"/></rdf:RDF></x:xmpmeta>
        """.utf8)

    private static var jpeg: [UInt8] {
        var jpeg = SmallPicture.baselineJPEG
        let segments: [(UInt8, [UInt8])] = [
            (0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + secret), (0xE3, secret),
            (0xF0, secret),
            (0xED, Array("Photoshop 3.0\0".utf8) + secret), (0xFE, secret),
            (0xE2, Array("MPF\0".utf8) + secret), (0xE0, Array("JFXX\0".utf8) + secret),
            (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp),
            (0xE1, Array("Exif\0\0".utf8) + exif), (0xEE, secret),
        ]
        for (marker, content) in segments { jpeg = SmallPicture.segment(marker, content, in: jpeg) }
        return jpeg + secret
    }

    private static var png: [UInt8] {
        let chunks = [
            ("eXIf", exif), ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp), ("tEXt", secret),
            ("zTXt", secret), ("tIME", secret), ("prVt", secret), ("gAMA", [0, 0, 0, 1]),
        ]
        return PNG.adding(chunks, to: SmallPicture.png) + secret
    }

    private static var webp: [UInt8] {
        WebP.cleaned(Array(Pictures.webp(width: 7, height: 5)), adding: exif, xmp) + secret
    }

    private static var gif: [UInt8] {
        var gif = Array(Pictures.animatedGIF(width: 7, height: 5, delays: [10, 20]))
        let comment = [0x21, 0xFE, UInt8(secret.count)] + secret + [0]
        gif.insert(contentsOf: comment, at: gif.count - 1)
        return gif + secret
    }

    private static var jxl: [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        let picture = JPEGXL.cleaned(Array(HandmadeJXL.parts(7, 5)), adding: exif, xmp)
        let boxes = ["brob", "jbrd", "jumb", "jxli"].flatMap { box($0, secret) }
        // What makes it JPEG XL takes 32 bytes.
        return picture.prefix(32) + boxes + picture.dropFirst(32) + box("jxlp", secret) + secret
    }

    private static let all: [(PictureType, [UInt8])] = [
        (.jpeg, jpeg), (.png, png), (.webp, webp), (.gif, gif), (.jxl, jxl),
    ]

    @Test func `nothing but colors, orientation, author, and rights stays in a picture`() throws {
        for (type, picture) in Self.all {
            #expect(picture.firstRange(of: Array("SECRET".utf8)) != nil)
            let safe = try #require(PublishedMetadata.safe.applied(to: picture, type))
            #expect(safe.firstRange(of: Array("SECRET".utf8)) == nil, "\(type)")
            guard case .whole(type, let size) = PictureFile.examine(PictureBytes(safe)) else {
                Issue.record("\(type)")
                continue
            }
            #expect(size == type.format.reader.size(PictureBytes(picture)))
            #expect(PublishedMetadata.safe.applied(to: safe, type) == safe, "\(type)")
            let metadata = PictureMetadata(PictureBytes(safe), type)
            guard type != .gif else { continue }
            #expect(metadata.artist == "Ann" && metadata.copyright == "© Ann", "\(type)")
            #expect(
                metadata.credit == "Ann & Co" && metadata.rightsPage == "https://a.example/license", "\(type)"
            )
            // The others' programs do not heed it.
            let orientation = type.heedsEXIFOrientation ? 6 : nil
            #expect(metadata.orientation == orientation, "\(type)")
            let bare = try #require(PublishedMetadata.none.applied(to: picture, type))
            var wanted = PictureMetadata()
            wanted.orientation = orientation
            #expect(PictureMetadata(PictureBytes(bare), type) == wanted, "\(type)")
            #expect(PublishedMetadata.keep.applied(to: picture, type) == picture)
        }
    }

    @Test func `what has nothing to hide stays as it is`() {
        let pictures: [(PictureType, [UInt8])] = [
            (.jpeg, SmallPicture.baselineJPEG), (.png, SmallPicture.png),
            (.webp, Array(Pictures.webp(width: 7, height: 5))),
            (.webp, Array(Pictures.animatedWebP(width: 7, height: 5, delays: [10, 20]))),
            (.gif, Array(Pictures.animatedGIF(width: 7, height: 5, delays: [10, 20]))),
            (.jxl, Array(HandmadeJXL.container(7, 5))), (.jxl, Array(HandmadeJXL.parts(7, 5))),
            (.jxl, Array(HandmadeJXL.codestream(7, 5))),
        ]
        for (type, picture) in pictures {
            #expect(PublishedMetadata.safe.applied(to: picture, type) == picture, "\(type)")
        }
    }

    @Test func `what stands between the scans of a JPEG goes too, and pixels stay`() throws {
        let scan = try #require(SmallPicture.baselineJPEG.firstRange(of: [0xFF, 0xDA])?.lowerBound)
        let comment: [UInt8] = [0xFF, 0xFE, 0, UInt8(Self.secret.count + 2)]
        let jpeg = SmallPicture.baselineJPEG
        let twice: [UInt8] = jpeg.dropLast(2) + comment + Self.secret + jpeg[scan...]
        let cleaned = try #require(PublishedMetadata.safe.applied(to: twice, .jpeg))
        let expected: [UInt8] = jpeg.dropLast(2) + jpeg[scan...]
        #expect(cleaned == expected)
    }

    @Test func `what stands within a frame of an animation goes too`() throws {
        let webp = Array(Pictures.animatedWebP(width: 7, height: 5, delays: [10, 20]))
        let frame = try #require(webp.firstRange(of: Array("ANMF".utf8))).lowerBound
        let length = webp[frame + 4..<frame + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let note = Array("NOTE".utf8) + [UInt8(Self.secret.count), 0, 0, 0] + Self.secret + [0]
        var noted = webp
        noted.insert(contentsOf: note, at: frame + 8 + length)
        for (offset, bytes) in [(frame + 4, length), (4, webp.count - 8)] {
            let longer = bytes + note.count
            for place in 0..<4 { noted[offset + place] = UInt8(longer >> (8 * place) & 0xFF) }
        }
        #expect(WebP.fault(PictureBytes(noted)) == nil && noted != webp)
        #expect(PublishedMetadata.safe.applied(to: noted, .webp) == webp)
        // One that claims to go on past its frame takes nothing with it of what is there.
        var long = webp
        let pixels = try #require(webp[(frame + 8)...].firstRange(of: Array("VP8L".utf8))).lowerBound
        long[pixels + 4] += UInt8(Self.secret.count) + 8
        let size = long.count + note.count - 8
        for place in 0..<4 { long[4 + place] = UInt8(size >> (8 * place) & 0xFF) }
        long.insert(contentsOf: note, at: frame + 8 + length)
        let safe = try #require(PublishedMetadata.safe.applied(to: long, .webp))
        #expect(safe.firstRange(of: Array("SECRET".utf8)) == nil)
    }

    @Test(arguments: [
        ("tEXt", Array("Author\0Ann \u{e9}".unicodeScalars.map { UInt8($0.value) }), "Ann \u{e9}"),
        ("iTXt", Array("Author\0\0\0de\0Autorin\0Änn".utf8), "Änn"),
        ("iTXt", Array("Author\0\u{1}\0\0\0compressed".utf8), nil),
        ("tEXt", Array("Author".utf8), nil), ("iTXt", Array("Author\0\0\0de".utf8), nil),
        ("tEXt", Array("Authors\0Ann".utf8), nil),
    ])
    func `a PNG's own texts of author and rights stay`(
        chunk: String, content: [UInt8], author: String?
    ) throws {
        let rights = ("tEXt", Array("Copyright\0CC BY 4.0".utf8))
        let png = PNG.adding(
            [(chunk, content), rights, ("tEXt", Array("Comment\0".utf8) + Self.secret)], to: SmallPicture.png)
        let safe = try #require(PublishedMetadata.safe.applied(to: png, .png))
        let metadata = PictureMetadata(PictureBytes(safe), .png)
        #expect(metadata.artist == author && metadata.copyright == "CC BY 4.0")
        #expect(safe.firstRange(of: Array("SECRET".utf8)) == nil)
        #expect(PublishedMetadata.none.applied(to: png, .png) == SmallPicture.png)
    }

    @Test func `damaged files are no harm`() {
        var generator = SeededGenerator(seed: 26)
        let film = Array(Pictures.animatedWebP(width: 7, height: 5, delays: [10, 20]))
        for (type, picture) in Self.all + [(.webp, film)] {
            for _ in 0..<300 {
                var damaged = picture
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let index = Int.random(in: 0..<damaged.count, using: &generator)
                    damaged[index] = UInt8.random(in: .min ... .max, using: &generator)
                }
                damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator))
                for metadata in [PublishedMetadata.safe, .none] {
                    _ = metadata.applied(to: damaged, type)
                }
            }
        }
    }

    @Test func `whatever place of a file says it, nothing that is published does`() throws {
        var counts: [PictureType: (places: Int, rewritten: Int)] = [:]
        for picture in CanaryPicture.all {
            guard case .whole = PictureFile.examine(PictureBytes(picture.bytes)) else {
                Issue.record("\(picture.testDescription) is not whole")
                continue
            }
            let count = counts[picture.type] ?? (0, 0)
            let safe = PublishedMetadata.safe.applied(to: picture.bytes, picture.type)
            counts[picture.type] = (count.places + 1, count.rewritten + (safe == nil ? 0 : 1))
            #expect(CanaryPicture.isFound(in: picture.bytes), "\(picture.testDescription)")
            guard let safe, let bare = PublishedMetadata.none.applied(to: picture.bytes, picture.type) else {
                continue
            }
            #expect(CanaryPicture.isFound(in: safe) == picture.isCredit, "\(picture.testDescription)")
            #expect(!CanaryPicture.isFound(in: bare), "\(picture.testDescription)")
            let reader = picture.type.format.reader
            #expect(reader.fault(PictureBytes(safe)) == nil, "\(picture.testDescription)")
            #expect(
                reader.size(PictureBytes(safe)) == reader.size(PictureBytes(picture.bytes)),
                "\(picture.testDescription)")
            #expect(
                PublishedMetadata.safe.applied(to: safe, picture.type) == safe, "\(picture.testDescription)")
        }
        let lines = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, count in
            "\(type): \(count.places) places, \(count.rewritten) rewritten, \(count.places - count.rewritten) to be converted"
        }
        print("Canaries: " + lines.joined(separator: "; "))
    }
}

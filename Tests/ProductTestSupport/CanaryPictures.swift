import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

/// A whole picture with a text in one of the places that its format has, which nobody is to find in what is published.
package struct CanaryPicture: Sendable, CustomTestStringConvertible {
    package static let canary = Array("CANARY-5 place".utf8)

    package let type: PictureType
    package let place: String
    package let bytes: [UInt8]
    /// Whether the text says who made the picture, which `safe` keeps.
    package var isCredit = false

    package var testDescription: String { "\(type): \(place)" }

    /// All of them, of each format.
    package static let all = [jpeg, png, gif, webp, avif, heic, sequences, tiff, bmp, jxl].flatMap(\.self)

    private init(_ type: PictureType, _ place: String, _ bytes: [UInt8], isCredit: Bool = false) {
        (self.type, self.place, self.bytes, self.isCredit) = (type, place, bytes, isCredit)
    }

    private typealias Place = (name: String, bytes: [UInt8])

    private static func join(_ parts: any Sequence<UInt8>...) -> [UInt8] {
        parts.reduce(into: []) { bytes, part in for byte in part { bytes.append(byte) } }
    }

    /// Whether the text is in `file`: as it is, in UTF-16, or in what is packed by zlib.
    package static func isFound(in file: [UInt8]) -> Bool {
        let wide: [UInt8] = canary.flatMap { [$0, 0] as [UInt8] }
        func has(_ bytes: [UInt8]) -> Bool {
            [canary, wide].contains { bytes.firstRange(of: $0) != nil }
        }
        if has(file) { return true }
        return file.indices.dropLast(2).contains { start in
            guard file[start] == 0x78, (Int(file[start]) << 8 | Int(file[start + 1])) % 31 == 0 else {
                return false
            }
            return Inflation.unpacked(file[start...], limit: 1 << 20).map(has) ?? false
        }
    }

    // MARK: - What several formats hold

    private static let text = String(decoding: canary, as: UTF8.self)

    /// EXIF with the text as its author, or elsewhere.
    private static func exif(_ tag: Int = 0x110) -> [UInt8] { HandmadeTIFF(.init([.text(tag, text)])).bytes }

    private static let xmp = Array(
        "<x:xmpmeta><rdf:RDF><rdf:Description aux:SerialNumber='\(text)'/></rdf:RDF></x:xmpmeta>".utf8)

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A zlib stream of bytes that are not compressed, without their checksum.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        join([0x78, 1, 1], little(bytes.count, 2), little(~bytes.count, 2), bytes, zeros(4))
    }

    /// A color profile with the text in its name, in what it says of the device, and between its values.
    private static let profile: [UInt8] = {
        let name = join("desc\0\0\0\0".utf8, big(canary.count + 6, 4), "sRGB ".utf8, canary, zeros(79))
        let letters: [UInt8] = canary.flatMap { [0, $0] as [UInt8] }
        let wide = join(
            "mluc\0\0\0\0\0\0\0\u{1}\0\0\0\u{c}enUS".utf8, big(letters.count, 4), big(28, 4), letters)
        let point = join("XYZ \0\0\0\0".utf8, big(1, 4), big(2, 4), big(3, 4))
        let curve = join("curv\0\0\0\0".utf8, big(1, 4), [2, 0])
        let tags: [(String, [UInt8])] = [
            ("desc", name), ("cprt", join("text\0\0\0\0".utf8, canary, [0])), ("dmnd", wide), ("dmdd", wide),
            ("mmod", join("mmod\0\0\0\0".utf8, canary)), ("SECR", join("data\0\0\0\0".utf8, canary)),
            ("vued", wide), ("rXYZ", join(point, canary)), ("gXYZ", point), ("bXYZ", point), ("wtpt", point),
            ("rTRC", join(curve, canary)), ("gTRC", curve), ("bTRC", curve),
        ]
        var (table, values) = ([UInt8](), [UInt8]())
        for (tag, value) in tags {
            values += join(canary, [0, 0])
            table += join(tag.utf8, big(132 + 12 * tags.count + values.count, 4), big(value.count, 4))
            values += join(value, zeros(-value.count & 3))
        }
        let head = join(
            big(132 + table.count + values.count, 4), "CANA".utf8, [2, 0x10, 0, 0], "mntrRGB XYZ ".utf8,
            [7, 228, 0, 1, 0, 1], zeros(6), "acsp".utf8, zeros(28),
            [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D],
            canary)
        return join(head, zeros(128 - head.count), big(tags.count, 4), table, values)
    }()

    // MARK: - JPEG and PNG

    private static let jpeg: [CanaryPicture] = {
        func segment(_ marker: UInt8, _ content: any Sequence<UInt8>..., in jpeg: [UInt8]? = nil) -> [UInt8] {
            let content = content.reduce(into: [UInt8]()) { $0 = join($0, $1) }
            return SmallPicture.segment(marker, content, in: jpeg ?? SmallPicture.baselineJPEG)
        }
        let plain = SmallPicture.baselineJPEG
        let icc = "ICC_PROFILE\0".utf8
        let unknown: [UInt8] = [0xC8, 0xDE, 0xDF] + Array(0xE0...0xFE)
        let scan = plain.firstRange(of: [0xFF, 0xDA])?.lowerBound ?? 0
        let comment = join([0xFF, 0xFE, 0, UInt8(canary.count + 2)], canary)
        let places: [Place] =
            unknown.map { ("segment \(String($0, radix: 16))", segment($0, canary)) } + [
                ("JFIF's preview", segment(0xE0, "JFIF\0\u{1}\u{2}\0\0\u{1}\0\u{1}".utf8, [5, 1], canary)),
                ("JFXX", segment(0xE0, "JFXX\0".utf8, canary)),
                ("EXIF", segment(0xE1, "Exif\0\0".utf8, exif())),
                ("XMP", segment(0xE1, "http://ns.adobe.com/xap/1.0/\0".utf8, xmp)),
                ("more XMP", segment(0xE1, "http://ns.adobe.com/xmp/extension/\0".utf8, canary)),
                ("MPF", segment(0xE2, "MPF\0".utf8, canary)),
                ("FlashPix", segment(0xE2, "FPXR\0".utf8, canary)),
                ("gain map", segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0".utf8, canary)),
                ("color profile", segment(0xE2, icc, [1, 1], profile)),
                ("a part of no profile", segment(0xE2, icc, [3, 9], canary)),
                (
                    "a part beside a profile",
                    segment(0xE2, icc, [1, 1], profile, in: segment(0xE2, icc, [2, 1], canary))
                ),
                ("content credentials", segment(0xEB, "JP\0\u{1}\0\0\0\u{1}".utf8, canary)),
                ("Photoshop", segment(0xED, "Photoshop 3.0\0".utf8, canary)),
                ("Adobe's, too long", segment(0xEE, "Adobe\0d\0\0\0\0\0".utf8, canary)),
                ("restarts, too long", segment(0xDD, [0, 0], canary)),
                ("between segments", join(plain.prefix(20), canary, plain.dropFirst(20))),
                ("between scans", join(plain.dropLast(2), comment, plain[scan...])),
                ("behind its end", join(plain, canary)),
                ("a picture behind it", join(plain, segment(0xFE, canary))),
            ]
        return places.map { CanaryPicture(.jpeg, $0.name, $0.bytes) }
            + [0x13B, 0x8298].map {
                CanaryPicture(.jpeg, "credit \($0)", segment(0xE1, "Exif\0\0".utf8, exif($0)), isCredit: true)
            }
    }()

    private static let png: [CanaryPicture] = {
        func adding(_ name: String, _ content: any Sequence<UInt8>...) -> [UInt8] {
            PNG.adding([(name, content.reduce(into: [UInt8]()) { $0 = join($0, $1) })], to: SmallPicture.png)
        }
        let plain = SmallPicture.png
        let stream = zlib(canary)
        let lengths = [
            ("sRGB", 1), ("gAMA", 4), ("pHYs", 9), ("cHRM", 32), ("bKGD", 2), ("sBIT", 1), ("cICP", 4),
            ("mDCV", 24),
            ("cLLI", 8), ("acTL", 8),
        ]
        let unknown = [
            "tIME", "prVt", "sPLT", "hIST", "caBX", "dSIG", "iDOT", "oFFs", "sCAL", "pCAL", "vpAg", "iCCP",
            "eXIf",
        ]
        let places: [Place] =
            unknown.map { ($0, adding($0, canary)) }
            + lengths.map { ("\($0.0), too long", adding($0.0, zeros($0.1), canary)) }
            + [
                ("tEXt", adding("tEXt", "Comment\0".utf8, canary)),
                ("zTXt", adding("zTXt", "Comment\0\0".utf8, stream)),
                ("iTXt", adding("iTXt", "Comment\0\u{1}\0\0\0".utf8, stream)),
                ("XMP", adding("iTXt", "XML:com.adobe.xmp\0\0\0\0\0".utf8, xmp)),
                ("EXIF", adding("eXIf", exif())),
                ("behind its end", join(plain, canary)),
                ("in its end", join(plain.dropLast(12), big(canary.count, 4), "IEND".utf8, canary, zeros(4))),
                ("a profile's name", adding("iCCP", canary, [0, 0], zlib(profile))),
                ("color profile", adding("iCCP", "sRGB\0\0".utf8, zlib(profile))),
            ]
        return places.map { CanaryPicture(.png, $0.name, $0.bytes) } + [
            CanaryPicture(.png, "author", adding("tEXt", "Author\0".utf8, canary), isCredit: true)
        ]
    }()

    // MARK: - GIF and WebP

    private static let gif: [CanaryPicture] = {
        let plain = SmallPicture.animatedGIF
        let block = join([UInt8(canary.count)], canary)
        // The screen and its colors take 25 bytes.
        func adding(_ parts: any Sequence<UInt8>...) -> [UInt8] {
            parts.reduce(into: Array(plain.prefix(25))) { $0 = join($0, $1) } + plain.dropFirst(25)
        }
        let application: [UInt8] = [0x21, 0xFF, 11]
        let frame = plain.firstRange(of: [0x00, 0x21, 0xF9])?.lowerBound ?? 0
        let blocks = stride(from: 0, to: profile.count, by: 255).map { start in
            join([UInt8(min(255, profile.count - start))], profile[start..<min(profile.count, start + 255)])
        }
        let places: [Place] = [
            ("comment", adding([0x21, 0xFE], block, [0])),
            ("text", adding([0x21, 1, 12], zeros(12), block, [0])),
            ("XMP", adding(application, "XMP DataXMP".utf8, block, [0])),
            ("application", adding(application, "CANARYAPP12".utf8, block, [0])),
            ("unknown extension", adding([0x21, 0x42], block, [0])),
            ("loop, more blocks", adding(application, "NETSCAPE2.0".utf8, [3, 1, 0, 0], block, [0])),
            (
                "loop, too long",
                adding(application, "ANIMEXTS1.0".utf8, [UInt8(canary.count + 3), 1, 0, 0], canary, [0])
            ),
            ("color profile", adding(application, "ICCRGBG1012".utf8, blocks.joined(), [0])),
            ("control, more blocks", adding([0x21, 0xF9, 4], zeros(4), block, [0])),
            ("control, too long", adding([0x21, 0xF9, UInt8(canary.count + 4)], zeros(4), canary, [0])),
            ("behind a frame's pixels", join(plain.prefix(frame), block, plain.dropFirst(frame))),
            ("behind its end", join(plain, canary)),
        ]
        return places.map { CanaryPicture(.gif, $0.name, $0.bytes) }
    }()

    private static let webp: [CanaryPicture] = {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            join(name.utf8, little(content.count, 4), content, zeros(content.count % 2))
        }
        func file(_ chunks: any Sequence<UInt8>...) -> [UInt8] {
            chunk("RIFF", chunks.reduce(into: Array("WEBP".utf8)) { $0 = join($0, $1) })
        }
        let (still, moving) = (
            Array(SmallPicture.alphaWebP.dropFirst(12)), Array(SmallPicture.animatedWebP.dropFirst(12))
        )
        let start = moving.firstRange(of: Array("ANMF".utf8))?.lowerBound ?? 0
        let length = Int(moving[start + 4])
        let frame = join(moving[start + 8..<start + 8 + length], chunk("CANA", canary))
        var flagged = still
        flagged[8] |= 0x20
        let places: [Place] = [
            ("EXIF", file(still, chunk("EXIF", exif()))), ("XMP", file(still, chunk("XMP ", xmp))),
            ("unknown chunk", file(still, chunk("CANA", canary))),
            ("C2PA", file(still, chunk("C2PA", canary))),
            ("VP8X, too long", file(chunk("VP8X", join(still[8..<18], canary)), still.dropFirst(18))),
            ("another VP8X", file(still, chunk("VP8X", canary))),
            ("another picture", file(still, chunk("VP8 ", canary))),
            ("another profile", file(still, chunk("ICCP", canary))),
            ("color profile", file(flagged.prefix(18), chunk("ICCP", profile), flagged.dropFirst(18))),
            (
                "ANIM, too long",
                file(moving.prefix(18), chunk("ANIM", join(zeros(6), canary)), moving.dropFirst(32))
            ),
            (
                "in a frame",
                file(moving.prefix(start), chunk("ANMF", frame), moving.dropFirst(start + 8 + length))
            ),
            ("behind its end", join(SmallPicture.alphaWebP, canary)),
        ]
        return places.map { CanaryPicture(.webp, $0.name, $0.bytes) } + [
            CanaryPicture(.webp, "author", file(still, chunk("EXIF", exif(0x13B))), isCredit: true)
        ]
    }()

    // MARK: - AVIF and HEIC

    /// A file whose box at the end of a path of names has other content; what its index says of offsets follows.
    private static func changed(
        _ file: [UInt8], _ path: [String], _ change: ([UInt8]) -> [UInt8]
    ) -> [UInt8] {
        func edit(_ bytes: [UInt8], _ path: ArraySlice<String>) -> [UInt8] {
            guard let name = path.first else { return change(bytes) }
            var (edited, offset, isDone) = ([UInt8](), 0, false)
            while offset + 8 <= bytes.count {
                let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
                var content = Array(bytes[offset + 8..<offset + length])
                if kind == name, !isDone {
                    let head = path.count == 1 ? 0 : ["meta": 4, "iinf": 6, "stsd": 8][kind] ?? 0
                    content = join(
                        content.prefix(head), edit(Array(content.dropFirst(head)), path.dropFirst()))
                    isDone = true
                }
                edited += box(kind, content)
                offset += length
            }
            return edited
        }
        let mark = Array("mdat".utf8)
        var edited = edit(file, path[...])
        let old = file.firstRange(of: mark)?.upperBound ?? 0
        let new = edited.firstRange(of: mark)?.upperBound ?? 0
        guard old != new else { return edited }
        for name in ["iloc", "stco"] {
            guard var place = edited.firstRange(of: Array(name.utf8))?.upperBound else { continue }
            let end = place - 8 + edited[place - 8..<place - 4].reduce(0) { $0 << 8 | Int($1) }
            while place < end - 3 {
                // Numbers that point into the pixels are offsets.
                let number = edited[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                let isOffset = (old..<file.count).contains(number)
                if isOffset { edited.replaceSubrange(place..<place + 4, with: big(number - old + new, 4)) }
                place += isOffset ? 4 : 1
            }
        }
        return edited
    }

    private static func media(_ type: PictureType, _ plain: [UInt8]) -> [CanaryPicture] {
        func adding(_ path: [String], _ bytes: [UInt8]) -> [UInt8] {
            changed(plain, path) { join($0, bytes) }
        }
        let properties = ["meta", "iprp", "ipco"]
        let alpha = join(zeros(4), "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8, canary)
        var places: [Place] = [
            ("brands", adding(["ftyp"], join(canary, zeros(3)))),
            ("handler's name", changed(plain, ["meta", "hdlr"]) { join($0.prefix(20), canary, [0]) }),
            ("item's name", changed(plain, ["meta", "iinf", "infe"]) { join($0.prefix(12), canary, [0]) }),
            ("size, too long", adding(properties + ["ispe"], canary)),
            ("behind its pixels", adding(["mdat"], canary)),
            ("color profile", adding(properties, box("colr", join("prof".utf8, profile)))),
            ("kind of another picture", adding(properties, box("auxC", alpha))),
            ("uuid at its end", join(plain, box("uuid", join(zeros(16), canary)))),
        ]
        for name in ["mpvd", "free", "skip", "udta", "jumb", "moov", "mfra", "CANA", "wide", "idat", "meta"] {
            places.append(("box \(name) at its end", join(plain, box(name, canary))))
        }
        for path in [["meta"], ["meta", "iprp"], properties, ["meta", "iinf"]] {
            for name in [
                "udes", "xml ", "bxml", "uuid", "free", "CANA", "udta", "idat", "ipro", "grpl", "rloc",
            ] {
                let bytes = adding(path, box(name, join(zeros(4), canary)))
                places.append(("box \(name) in \(path.last ?? "")", bytes))
            }
        }
        return places.map { CanaryPicture(type, $0.name, $0.bytes) }
    }

    private static let avif: [CanaryPicture] = {
        var places: [Place] = []
        for kind in [
            "Exif", "mime\0application/rdf+xml", "mime\0text/plain", "mime\0application/octet-stream",
            "uri \0urn:x",
            "av01", "hvc1", "jpeg", "CANA", "tmap",
        ] {
            for method in 0...2 {
                let handmade = HandmadeISO(note: (kind, join(zeros(4), exif()), method))
                let name = kind.replacing("\0", with: " ")
                places.append(("item \(name), method \(method)", handmade.bytes))
            }
        }
        let author = HandmadeISO(exif: exif(0x13B)).bytes
        return media(.avif, SmallPicture.avif) + places.map { CanaryPicture(.avif, $0.name, $0.bytes) }
            + [CanaryPicture(.avif, "author", author, isCredit: true)]
    }()

    private static let heic = media(.heic, HandmadeISO(brand: "heic").bytes)

    /// What is in the tracks of a sequence.
    private static let sequences: [CanaryPicture] = {
        let plain = SmallPicture.animatedAVIF
        let media = ["moov", "trak", "mdia"]
        let table = media + ["minf", "stbl"]
        func adding(_ path: [String], _ bytes: [UInt8]) -> [UInt8] {
            changed(plain, path) { join($0, bytes) }
        }
        let coder = changed(plain, table + ["stsd", "av01"]) {
            join($0.prefix(42), canary, $0.dropFirst(42 + canary.count))
        }
        let link = join([0, 0, 0, 0, 0, 0, 0, 1], box("url ", join(zeros(4), canary)))
        var places: [Place] = [
            ("handler's name", changed(plain, media + ["hdlr"]) { join($0.prefix(20), canary, [0]) }),
            ("a link", changed(plain, media + ["minf", "dinf", "dref"]) { _ in link }),
            ("coder's name", coder),
            ("behind samples", adding(["mdat"], canary)),
        ]
        for path in [["moov"], ["moov", "trak"], media, table] {
            for name in ["udta", "meta", "uuid", "free", "CANA", "trak", "cprt", "sdtp", "sgpd"] {
                places.append(
                    ("box \(name) in \(path.last ?? "")", adding(path, box(name, join(zeros(4), canary)))))
            }
        }
        for path in [
            ["moov", "mvhd"], ["moov", "trak", "tkhd"], media + ["mdhd"], ["moov", "trak", "edts", "elst"],
            table + ["stts"], table + ["stsc"], table + ["stco"], media + ["minf", "vmhd"],
        ] {
            places.append(("\(path.last ?? ""), too long", adding(path, canary)))
        }
        return places.map { CanaryPicture(.avif, "sequence: \($0.name)", $0.bytes) }
    }()

    // MARK: - TIFF, BMP, and JPEG XL

    private static let tiff: [CanaryPicture] = {
        func file(_ values: HandmadeTIFF.Value..., isLittle: Bool = true, isBig: Bool = false) -> [UInt8] {
            HandmadeTIFF(.picture(7, 5, values), isLittle: isLittle, isBig: isBig).bytes
        }
        let inner = HandmadeTIFF.Directory.picture(1, 1, [.text(0xA431, text)])
        let reduced = HandmadeTIFF.Directory.picture(1, 1, [.long(0xFE, 1), .data(0x144, 0x145, canary)])
        let tables = join([0xFF, 0xD8, 0xFF, 0xFE, 0, UInt8(canary.count + 2)], canary, [0xFF, 0xD9])
        var places: [Place] = [
            ("EXIF", file(.directory(0x8769, inner))), ("position", file(.directory(0x8825, inner))),
            ("directory below", file(.directory(0x14A, inner))),
            ("preview", HandmadeTIFF(.picture(7, 5), reduced).bytes),
            ("number, too long", file(.bytes(0x103, type: 3, count: 7, join([1, 0], canary.prefix(12))))),
            ("text for numbers", file(.text(0x142, text))),
            ("JPEG's tables", file(.bytes(0x15B, type: 7, count: tables.count, tables))),
            ("color profile", file(.bytes(0x8773, type: 7, count: profile.count, profile))),
            ("second page", HandmadeTIFF(.picture(7, 5), .picture(3, 3, [.text(0x10E, text)])).bytes),
            ("behind its end", join(file(), canary)),
        ]
        places[4].bytes = file(.bytes(0x103, type: 3, count: 8, join([1, 0], canary, [0])))
        for tag in [
            0x10D, 0x10E, 0x10F, 0x110, 0x11D, 0x129, 0x131, 0x132, 0x13C, 0x14D, 0x151, 0x2BC, 0x83BB,
            0x8480, 0x8482,
            0x8649, 0x87AF, 0x87B0, 0x87B1, 0x8769, 0x9003, 0x927C, 0x935C, 0x9C9B, 0x9C9E, 0xA005, 0xA420,
            0xA431,
            0xA480, 0xA481, 0xC5E0, 0xC614, 0xC62F, 0xC634, 0xC65D, 0xC68B, 0xC6F3, 0xFDE8, 0xFDE9, 0xFDEA,
            0xFFFE,
        ] {
            let name = "tag \(String(tag, radix: 16))"
            places.append((name, file(.text(tag, text))))
            places.append((name + ", big endian", file(.text(tag, text), isLittle: false)))
            places.append((name + ", BigTIFF", file(.text(tag, text), isBig: true)))
        }
        return places.map { CanaryPicture(.tiff, $0.name, $0.bytes) }
            + [0x13B, 0x8298].map {
                CanaryPicture(.tiff, "credit \($0)", file(.text($0, text)), isCredit: true)
            }
    }()

    private static let bmp: [CanaryPicture] = {
        let plain = HandmadeBMP.bytes(7, 5)
        let pixels = Array(plain.dropFirst(54))
        /// A header of 124 bytes with a profile behind the pixels.
        func wide(_ kind: String, _ profile: [UInt8]) -> [UInt8] {
            let head = join(
                little(124, 4), plain[18..<54], zeros(16), kind.utf8, zeros(52),
                little(124 + pixels.count, 4),
                little(profile.count, 4), zeros(4))
            let start = join(
                "BM".utf8, little(138 + pixels.count + profile.count, 4), zeros(4), little(138, 4))
            return join(start, head, pixels, profile)
        }
        let own = join(canary, zeros(24 - canary.count))
        let places: [Place] = [
            (
                "before its pixels",
                join(plain.prefix(10), little(54 + canary.count, 4), plain[14..<54], canary, pixels)
            ),
            (
                "OS/2's fields",
                join(plain.prefix(10), little(78, 4), little(64, 4), plain[18..<54], own, pixels)
            ),
            ("behind its pixels", join(plain, canary)), ("a link to a profile", wide("KNIL", canary)),
            ("color profile", wide("DEBM", profile)), ("behind a wide header", wide("BGRs", canary)),
            ("behind OS/2's pixels", join(HandmadeBMP.old(7, 5), canary)),
        ]
        return places.map { CanaryPicture(.bmp, $0.name, $0.bytes) }
    }()

    private static let jxl: [CanaryPicture] = {
        func inside(_ name: String, _ content: any Sequence<UInt8>) -> [UInt8] {
            HandmadeJXL.container(7, 5, more: box(name, join(zeros(4), content)))
        }
        let plain = HandmadeJXL.container(7, 5)
        var places: [Place] = [
            ("level, too long", inside("jxll", canary)),
            ("another codestream", join(plain, box("jxlc", canary))),
            ("another part", join(plain, box("jxlp", canary))), ("behind its end", join(plain, canary)),
            ("behind its parts", join(HandmadeJXL.parts(7, 5), box("xml ", canary))),
        ]
        for name in ["ftyp", "Exif", "xml ", "jumb", "jbrd", "brob", "jxli", "uuid", "free", "CANA", "jhgm"] {
            places.append(("box \(name)", inside(name, canary)))
        }
        return places.map { CanaryPicture(.jxl, $0.name, $0.bytes) } + [
            CanaryPicture(.jxl, "author", inside("Exif", exif(0x13B)), isCredit: true)
        ]
    }()
}

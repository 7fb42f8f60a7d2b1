import PictureFiles

/// Numbers as bytes, most significant first.
package func big(_ number: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * (length - 1 - $0))) }
}

/// Numbers as bytes, least significant first.
package func little(_ number: Int, _ length: Int) -> [UInt8] { big(number, length).reversed() }

/// A box of ISO media.
package func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(name.utf8) + content
}

/// A still picture of ISO media: item 2 is the primary one, 7 by 5; item 1 is 9 by 9, as a thumbnail may be.
package struct HandmadeISO {
    package var brand = "avif"
    package var others = ["mif1"]
    /// Parts in which the primary item's bytes are.
    package var extents = 1
    /// Every number in the longer of its forms.
    package var isWide = false
    /// `mdat` of length 0, which means up to the end.
    package var isOpenEnded = false
    package var isInItemData = false
    /// The primary item is made of two others.
    package var isGrid = false
    package var isIndexLast = false
    /// By how many quarters it is turned.
    package var turns: UInt8 = 0
    /// By how many bytes each part is said to be longer than it is.
    package var overrun = 0
    /// A TIFF for an item of its own.
    package var exif: [UInt8]?
    package var xmp: String?
    /// An item of its own: its kind and what goes with that, its content, and how that is found.
    package var note: (kind: String, content: [UInt8], method: Int)?

    package init(
        brand: String = "avif", others: [String] = ["mif1"], extents: Int = 1, isWide: Bool = false,
        isOpenEnded: Bool = false, isInItemData: Bool = false, isGrid: Bool = false,
        isIndexLast: Bool = false,
        turns: UInt8 = 0, overrun: Int = 0, exif: [UInt8]? = nil, xmp: String? = nil,
        note: (kind: String, content: [UInt8], method: Int)? = nil
    ) {
        self.note = note
        (self.brand, self.others, self.extents, self.isWide) = (brand, others, extents, isWide)
        (self.isOpenEnded, self.isInItemData, self.isGrid) = (isOpenEnded, isInItemData, isGrid)
        (self.isIndexLast, self.turns, self.overrun) = (isIndexLast, turns, overrun)
        (self.exif, self.xmp) = (exif, xmp)
    }

    private struct Item {
        let id: Int
        let kind: String
        let parts: [[UInt8]]
        var isInItemData = false
        /// How its bytes are found.
        var method: Int?
    }

    package var bytes: [UInt8] {
        let start = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + others.flatMap { Array($0.utf8) })
        let length = start.count + (isIndexLast ? 0 : meta(pixelsAt: 0).count)
        var pixels = isOpenEnded ? [0, 0, 0, 0] + Array("mdat".utf8) + data : box("mdat", data)
        if data.isEmpty { pixels = [] }
        let index = meta(pixelsAt: length + 8)
        return start + (isIndexLast ? pixels + index : index + pixels)
    }

    private var items: [Item] {
        let primary: Item =
            isGrid
            ? Item(id: 2, kind: "grid", parts: [[0, 0, 0, 1, 0, 7, 0, 5]], isInItemData: true)
            : Item(
                id: 2, kind: "av01", parts: (0..<extents).map { [UInt8](repeating: UInt8($0 + 1), count: 9) },
                isInItemData: isInItemData)
        let tiles = isGrid ? [3, 4].map { Item(id: $0, kind: "av01", parts: [[8, 8, 8, 8]]) } : []
        let small = Item(id: 1, kind: "av01", parts: [[7, 7, 7]], isInItemData: isInItemData)
        let notes = [
            exif.map { Item(id: 8, kind: "Exif", parts: [[0, 0, 0, 0] + $0]) },
            xmp.map { Item(id: 9, kind: "mime\0application/rdf+xml\0", parts: [Array($0.utf8)]) },
            note.map {
                Item(
                    id: 10, kind: $0.kind + "\0", parts: [$0.content], isInItemData: $0.method == 1,
                    method: $0.method)
            },
        ]
        return notes.compactMap { $0 } + [small] + tiles + [primary]
    }

    private var data: [UInt8] {
        // A byte that belongs to nobody between two parts.
        items.filter { !$0.isInItemData }.flatMap { $0.parts.flatMap { [0x55] + $0 } }
    }

    private func meta(pixelsAt offset: Int) -> [UInt8] {
        let idBytes = isWide ? 4 : 2
        var (inFile, inItems) = (offset, 0)
        var locations: [UInt8] = []
        for item in items {
            locations += big(item.id, idBytes) + big(item.method ?? (item.isInItemData ? 1 : 0), 2) + [0, 0]
            locations += big(0, isWide ? 8 : 0) + big(item.parts.count, 2)
            for part in item.parts {
                let at = item.isInItemData ? inItems : inFile + 1
                locations +=
                    big(0, isWide ? 4 : 0) + big(at, isWide ? 8 : 4)
                    + big(part.count + overrun, isWide ? 8 : 4)
                if item.isInItemData { inItems += part.count } else { inFile += part.count + 1 }
            }
        }
        let sizes: [UInt8] = isWide ? [0x88, 0x84] : [0x44, 0]
        let iloc = [isWide ? 2 : 1, 0, 0, 0] + sizes + big(items.count, isWide ? 4 : 2) + locations
        let entries = items.flatMap {
            box("infe", [2, 0, 0, 0] + big($0.id, 2) + [0, 0] + Array($0.kind.utf8) + [0])
        }
        let inner = items.filter(\.isInItemData).flatMap { $0.parts.flatMap(\.self) }
        return box(
            "meta",
            [0, 0, 0, 0] + box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8))
                + box("pitm", [isWide ? 1 : 0, 0, 0, 0] + big(2, idBytes)) + box("iloc", iloc)
                + box("iinf", [0, 0, 0, 0] + big(items.count, 2) + entries)
                + box("iprp", properties) + (inner.isEmpty ? [] : box("idat", inner)))
    }

    private var properties: [UInt8] {
        // So many boxes before that the long form is needed.
        let before = isWide ? 200 : 0
        let values =
            (0..<before).flatMap { _ in box("free", []) } + box("ispe", [0, 0, 0, 0] + big(7, 4) + big(5, 4))
            + box("irot", [turns]) + box("ispe", [0, 0, 0, 0] + big(9, 4) + big(9, 4)) + box("imir", [1])
        func numbers(_ list: Int...) -> [UInt8] {
            [UInt8(list.count)] + list.flatMap { big($0 + before | (isWide ? 0x8000 : 0x80), isWide ? 2 : 1) }
        }
        let idBytes = isWide ? 4 : 2
        let owners = big(1, idBytes) + numbers(3) + big(2, idBytes) + numbers(1, 2, 4)
        let head: [UInt8] = [isWide ? 1 : 0, 0, 0, isWide ? 1 : 0]
        return box("ipco", values) + box("ipma", head + big(2, 4) + owners)
    }

    /// A sequence without a primary item: three pictures in two chunks.
    package static func sequence(isWide: Bool = false) -> [UInt8] {
        let start = box("ftyp", Array("avis\0\0\0\0msf1".utf8))
        func movie(_ offset: Int) -> [UInt8] {
            let chunks = [offset, offset + 12].flatMap { big($0, isWide ? 8 : 4) }
            let table =
                box("stsz", [0, 0, 0, 0] + big(0, 4) + big(3, 4) + [6, 5, 4].flatMap { big($0, 4) })
                + box("stsc", [0, 0, 0, 0] + big(2, 4) + [1, 2, 1, 2, 1, 1].flatMap { big($0, 4) })
                + box(isWide ? "co64" : "stco", [0, 0, 0, 0] + big(2, 4) + chunks)
            let header = [UInt8](repeating: 0, count: 76) + big(7 << 16, 4) + big(5 << 16, 4)
            let media = box("mdia", box("minf", box("stbl", table)))
            return box("moov", box("mvhd", []) + box("trak", box("tkhd", header) + media))
        }
        let offset = start.count + movie(0).count + 8
        // A byte between the chunks belongs to nobody.
        return start + movie(offset) + box("mdat", [UInt8](repeating: 1, count: 16))
    }
}

/// A TIFF put together by hand: pixels first, then values, the directories last.
package struct HandmadeTIFF: Sendable {
    package enum Value: Sendable {
        case bytes(_ tag: Int, type: Int, count: Int, [UInt8])
        case directory(_ tag: Int, Directory)
        /// Bytes elsewhere in the file, named by their offset and their length.
        case data(_ offsetTag: Int, _ lengthTag: Int, [UInt8])
        case number(_ tag: Int, type: Int, Int)
        case fraction(_ tag: Int, [(Int, Int)])

        package static func short(_ tag: Int, _ value: Int) -> Value { .number(tag, type: 3, value) }
        package static func long(_ tag: Int, _ value: Int) -> Value { .number(tag, type: 4, value) }
        package static func text(_ tag: Int, _ text: String) -> Value {
            .bytes(tag, type: 2, count: text.utf8.count + 1, Array(text.utf8) + [0])
        }
    }

    package struct Directory: Sendable {
        package var values: [Value]

        package init(_ values: [Value]) {
            self.values = values
        }

        package static func picture(_ width: Int, _ height: Int, _ more: [Value] = []) -> Directory {
            Directory(
                [.short(0x100, width), .short(0x101, height), .data(0x111, 0x117, [1, 2, 3, 4, 5])] + more)
        }
    }

    package var directories: [Directory]
    package var isLittle = true
    package var isBig = false
    /// The first bytes, where another format has its own.
    package var magic: [UInt8]?

    package init(
        _ directories: Directory..., isLittle: Bool = true, isBig: Bool = false, magic: [UInt8]? = nil
    ) {
        self.directories = directories
        self.isLittle = isLittle
        self.isBig = isBig
        self.magic = magic
    }

    private func number(_ value: Int, _ length: Int) -> [UInt8] {
        isLittle ? little(value, length) : ProductTestSupport.big(value, length)
    }

    private var wide: Int { isBig ? 8 : 4 }

    package var bytes: [UInt8] {
        let mark = Array((isLittle ? "II" : "MM").utf8) + number(isBig ? 43 : 42, 2)
        var file = (magic ?? mark) + (isBig ? number(8, 2) + number(0, 2) : [])
        let link = file.count
        file += number(0, wide)
        // Fill up to where CR2 has a mark of its own.
        if magic?.count == 4 { file += [UInt8](repeating: 0, count: 8) }
        var links = [link]
        for directory in directories {
            let (start, next) = write(directory, to: &file)
            file.replaceSubrange(links[0]..<links[0] + wide, with: number(start, wide))
            links = [next]
        }
        return file
    }

    /// Writes what a directory names, then the directory; gives its offset and that of its link to the next.
    private func write(_ directory: Directory, to file: inout [UInt8]) -> (start: Int, link: Int) {
        var entries: [(Int, [UInt8])] = []
        func add(_ tag: Int, _ type: Int, _ count: Int, _ bytes: [UInt8]) {
            var field = bytes
            if bytes.count > wide {
                field = number(file.count, wide)
                file += bytes
            }
            field += [UInt8](repeating: 0, count: max(0, wide - field.count))
            entries.append((tag, number(tag, 2) + number(type, 2) + number(count, wide) + field))
        }
        for value in directory.values {
            switch value {
            case .bytes(let tag, let type, let count, let bytes): add(tag, type, count, bytes)
            case .directory(let tag, let inner): add(tag, 4, 1, number(write(inner, to: &file).start, 4))
            case .data(let offset, let length, let bytes):
                add(offset, 4, 1, number(file.count, 4))
                add(length, 4, 1, number(bytes.count, 4))
                file += bytes
            case .number(let tag, let type, let value): add(tag, type, 1, number(value, type == 3 ? 2 : 4))
            case .fraction(let tag, let list):
                add(tag, 5, list.count, list.flatMap { number($0.0, 4) + number($0.1, 4) })
            }
        }
        let start = file.count
        file += number(entries.count, isBig ? 8 : 2)
        for entry in entries.sorted(by: { $0.0 < $1.0 }) { file += entry.1 }
        let link = file.count
        file += number(0, wide)
        return (start, link)
    }
}

package enum HandmadeBMP {
    /// 24 bits a pixel.
    package static func bytes(_ width: Int, _ height: Int) -> [UInt8] {
        let pixels = [UInt8](repeating: 9, count: (width * 24 + 31) / 32 * 4 * abs(height))
        let header = little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2)
        let rest = [UInt8](repeating: 0, count: 24)
        return Array("BM".utf8) + little(54 + pixels.count, 4) + [0, 0, 0, 0] + little(54, 4) + header + rest
            + pixels
    }

    package static func old(_ width: Int, _ height: Int) -> [UInt8] {
        let pixels = [UInt8](repeating: 9, count: (width * 24 + 31) / 32 * 4 * height)
        let header = little(12, 4) + little(width, 2) + little(height, 2) + little(1, 2) + little(24, 2)
        return Array("BM".utf8) + little(26 + pixels.count, 4) + [0, 0, 0, 0] + little(26, 4) + header
            + pixels
    }
}

package enum HandmadeJXL {
    /// A codestream's first bytes, which are all that is read of it.
    package static func codestream(_ width: Int, _ height: Int, orientation: Int = 1) -> [UInt8] {
        // Not small; height in 9 bits; no ratio; width in 9 bits; not all default; extra fields; orientation.
        let fields = [
            (0, 1), (0, 2), (height - 1, 9), (0, 3), (0, 2), (width - 1, 9), (0, 1), (1, 1),
            (orientation - 1, 3),
        ]
        var (bits, count) = (0, 0)
        for (value, width) in fields {
            bits |= value << count
            count += width
        }
        return [0xFF, 0x0A] + little(bits, 5) + [UInt8](repeating: 3, count: 9)
    }

    private static let start =
        box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

    /// A codestream whose width follows from its height by one of the format's seven proportions.
    package static func codestream(height: Int, proportion: Int) -> [UInt8] {
        // Not small; height in 9 bits; the proportion; all default.
        let bits = (height - 1) << 3 | proportion << 12 | 1 << 15
        return [0xFF, 0x0A] + little(bits, 3) + [UInt8](repeating: 3, count: 9)
    }

    /// A container whose box has its length in eight bytes, and may be one part of several.
    package static func wideContainer(_ width: Int, _ height: Int, isPart: Bool) -> [UInt8] {
        let content = (isPart ? [0x80, 0, 0, 0] : []) + codestream(width, height)
        return start + big(1, 4) + Array((isPart ? "jxlp" : "jxlc").utf8) + big(content.count + 16, 8)
            + content
    }

    package static func container(_ width: Int, _ height: Int, orientation: Int = 1, more: [UInt8] = [])
        -> [UInt8]
    {
        start + more + box("jxlc", codestream(width, height, orientation: orientation))
    }

    package static func parts(_ width: Int, _ height: Int) -> [UInt8] {
        start + box("jxlp", big(0, 4) + codestream(width, height)) + box("jxlp", [0x80, 0, 0, 1, 5, 5, 5])
    }
}

/// Cameras' raw files, each with a preview of 2 by 1 where its maker puts one, and 7 by 5 pixels.
package enum HandmadeRaw {
    /// A raw file whose preview is a JPEG, after a larger one that only packs a sensor's numbers.
    package static func holding(_ jpeg: [UInt8]) -> [UInt8] {
        var lossless = SmallPicture.baselineJPEG + [UInt8](repeating: 0, count: 500)
        if let frame = lossless.firstRange(of: [0xFF, 0xC0]) { lossless[frame.lowerBound + 1] = 0xC3 }
        let preview: [HandmadeTIFF.Value] = [
            .long(0xFE, 1), .short(0x112, 6), .text(0x10F, "SONY"), .data(0x111, 0x117, jpeg),
            .text(0x13B, "Ann"),
        ]
        let sensor = HandmadeTIFF.Directory([
            .short(0x100, 7), .short(0x101, 5), .short(0x106, 32803), .data(0x111, 0x117, lossless),
        ])
        return HandmadeTIFF(.init(preview + [.directory(0x14A, sensor)])).bytes
    }

    package static let preview: [HandmadeTIFF.Value] = [
        .long(0xFE, 1), .short(0x100, 2), .short(0x101, 1), .data(0x111, 0x117, [1, 1]),
    ]
    package static let sensor = HandmadeTIFF.Directory.picture(7, 5, [.short(0x106, 32803)])

    package static let all = [
        SmallPicture("CR2", .cr2, cr2), SmallPicture("CR3", .cr3, cr3),
        SmallPicture(
            "NEF", .nef,
            HandmadeTIFF(
                .init(preview + [.text(0x10F, "NIKON CORPORATION"), .directory(0x14A, sensor)]),
                isLittle: false
            ).bytes),
        SmallPicture(
            "ARW", .arw,
            HandmadeTIFF(.init(preview + [.text(0x10F, "SONY"), .directory(0x14A, sensor)])).bytes),
        SmallPicture(
            "DNG", .dng,
            HandmadeTIFF(
                .init(
                    preview + [
                        .bytes(0xC612, type: 1, count: 4, [1, 4, 0, 0]), .directory(0x14A, sensor),
                    ])
            ).bytes),
        SmallPicture("RAF", .raf, raf),
        SmallPicture("ORF", .orf, HandmadeTIFF(.picture(7, 5), magic: Array("IIRO".utf8)).bytes),
        SmallPicture("RW2", .rw2, rw2),
    ]

    package static let cr2: [UInt8] = {
        var bytes = HandmadeTIFF(.picture(7, 5), .init(preview), magic: Array("II*\0".utf8)).bytes
        bytes.replaceSubrange(8..<11, with: Array("CR\u{2}".utf8))
        return bytes
    }()

    package static let rw2: [UInt8] = {
        let directory = HandmadeTIFF.Directory([
            .short(4, 1), .short(5, 2), .short(6, 6), .short(7, 9), .data(0x118, 0x119, [5, 5, 5, 5]),
        ])
        return HandmadeTIFF(directory, magic: Array("IIU\0".utf8)).bytes
    }()

    package static let cr3: [UInt8] = {
        let start = box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
        let directory = HandmadeTIFF(
            .init([.short(0x100, 7), .short(0x101, 5), .text(0x10F, "Canon"), .text(0x110, "Canon EOS R6")]))
        let notes = box("uuid", [UInt8](repeating: 0x85, count: 16) + box("CMT1", directory.bytes))
        func movie(_ offset: Int) -> [UInt8] {
            let table =
                box("stsz", [0, 0, 0, 0] + big(10, 4) + big(1, 4))
                + box("stsc", [0, 0, 0, 0] + big(1, 4) + [1, 1, 1].flatMap { big($0, 4) })
                + box("co64", [0, 0, 0, 0] + big(1, 4) + big(offset, 8))
            return box("moov", notes + box("trak", box("mdia", box("minf", box("stbl", table)))))
        }
        return start + movie(start.count + movie(0).count + 8) + box("mdat", [UInt8](repeating: 2, count: 10))
    }()

    package static let raf: [UInt8] = {
        let exif = Array("Exif\0\0".utf8) + HandmadeTIFF(.init([.text(0x110, "X-T4")])).bytes
        let preview = SmallPicture.segment(0xE1, exif, in: SmallPicture.baselineJPEG)
        let head = Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 0, count: 64)
        // The sensor is larger than the picture; the value between them is longer than four bytes.
        let entries: [(tag: Int, value: [UInt8])] = [
            (0x100, big(9, 2) + big(11, 2)), (0x122, [UInt8](repeating: 0, count: 8)),
            (0x111, big(5, 2) + big(7, 2)),
        ]
        let directory =
            big(entries.count, 4) + entries.flatMap { big($0.tag, 2) + big($0.value.count, 2) + $0.value }
        let (first, second) = (108 + preview.count, 108 + preview.count + directory.count)
        let table = [108, preview.count, first, directory.count, second, 20].flatMap { big($0, 4) }
        return head + table + preview + directory + [UInt8](repeating: 4, count: 20)
    }()
}

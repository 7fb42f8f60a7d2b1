import Basics

/// ISO base media: AVIF, HEIC, HEIF and Canon's CR3, which are boxes in boxes.
///
/// A still picture is an item of the `meta` box, a sequence a track of the `moov` box. Both say at which
/// offsets their bytes are, so a file is whole when those bytes are there; what follows does not matter.
///
/// Source: ISO/IEC 14496-12, 4.2, 8.3 to 8.7 and 8.11; ISO/IEC 23008-12, 6.5 and 9.3.
enum ISOMedia: FormatReader {
    /// A box: a length, a name of four letters, and content.
    struct Box: Hashable {
        /// The four letters as a number, as in `ISOMedia.name("meta")`.
        let name: Int
        let content: Range<Int>
    }

    /// Four letters as the number they are in a file.
    static func name(_ text: StaticString) -> Int {
        (0..<text.utf8CodeUnitCount).reduce(0) { $0 << 8 | Int(text.utf8Start[$1]) }
    }

    /// The box at `offset`; `nil` where there is none, or it ends past `end`.
    static func box(at offset: Int, before end: Int, in bytes: PictureBytes) -> Box? {
        guard offset <= end - 8, let short = bytes.bigEndian(at: offset, bytes: 4),
            let name = bytes.bigEndian(at: offset + 4, bytes: 4)
        else { return nil }
        // 0 means up to the end, 1 that the length follows the name in 8 bytes.
        let long = short == 1 ? bytes.bigEndian(at: offset + 8, bytes: 8) : nil
        let length = short == 0 ? end - offset : long ?? short
        let header = long == nil ? 8 : 16
        guard length >= header, length <= end - offset else { return nil }
        return Box(name: name, content: offset + header..<offset + length)
    }

    /// The boxes that fill `range`, as many as `limit` before the first that is cut or none.
    static func boxes(in range: Range<Int>, _ bytes: PictureBytes, limit: Int = 10_000) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while boxes.count < limit, let box = box(at: offset, before: range.upperBound, in: bytes) {
            boxes.append(box)
            offset = box.content.upperBound
        }
        return boxes
    }

    /// The content of the box at the end of a path of names, each in the one before it.
    static func descend(
        _ path: [StaticString], from range: Range<Int>, _ bytes: PictureBytes
    ) -> Range<Int>? {
        path.reduce(range) { range, name in range.flatMap { boxes(in: $0, bytes)[name] } }
    }

    // MARK: - Index

    /// Where a file says what it holds: its items and its tracks.
    struct Index {
        /// The boxes of `meta`; `nil` where there is none.
        let items: [Box]?
        let tracks: [Range<Int>]
        /// A box of the index that is there in part.
        let isCut: Bool
        let needsItems: Bool
        let needsTracks: Bool

        init(_ bytes: PictureBytes) {
            let boxes = ISOMedia.boxes(in: 0..<bytes.count, bytes)
            isCut = bytes.matches("meta", "moov", at: (boxes.last?.content.upperBound ?? 0) + 4)
            // Version and flags precede the boxes in it.
            items = boxes["meta"].map { ISOMedia.boxes(in: $0.dropFirst(4), bytes) }
            let movie = boxes["moov"].map { ISOMedia.boxes(in: $0, bytes) } ?? []
            tracks = movie.filter { $0.name == ISOMedia.name("trak") }.prefix(64).map(\.content)
            needsTracks = PictureSignature.brands(["avis", "hevc", "hevx", "crx "]).isAtStart(of: bytes)
            needsItems = PictureSignature.brands(["avif", "heic", "heix", "mif1"]).isAtStart(of: bytes)
        }
    }

    // MARK: - End

    private static let isDamaged = "its index is damaged"
    private static let isCut = "it ends within its pixels"

    static func fault(_ bytes: PictureBytes) -> String? {
        let index = Index(bytes)
        if index.isCut { return "it ends within its index" }
        if index.needsItems && index.items == nil || index.needsTracks && index.tracks.isEmpty {
            return "its index is missing"
        }
        var hasPixels = false
        if let items = index.items {
            guard let extents = ItemLocations(items, bytes) else { return isDamaged }
            guard extents.isInside(count: bytes.count) else { return isCut }
            hasPixels = !extents.isEmpty
        }
        for track in index.tracks {
            switch SampleTable.check(track, bytes) {
            case nil: continue
            case .damaged: return isDamaged
            case .cut: return isCut
            case .whole(let samples): hasPixels = hasPixels || samples > 0
            }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    // MARK: - Size

    /// The size of the primary item (a file holds tiles, previews and masks besides), or else of the first
    /// track.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        let index = Index(bytes)
        if let items = index.items, let size = itemSize(items, bytes) { return size }
        for track in index.tracks {
            if let size = trackSize(track, bytes) { return size }
        }
        return nil
    }

    private static func itemSize(_ items: [Box], _ bytes: PictureBytes) -> PixelSize? {
        guard let primary = items["pitm"], let version = bytes.byte(at: primary.lowerBound),
            let item = bytes.bigEndian(at: primary.lowerBound + 4, bytes: version == 0 ? 2 : 4),
            let properties = items["iprp"].map({ boxes(in: $0, bytes) }), let values = properties["ipco"],
            let owners = properties["ipma"]
        else { return nil }
        let wanted = propertyNumbers(of: item, in: owners, bytes)
        var (width, height, quarterTurns): (Int?, Int?, UInt8) = (nil, nil, 0)
        for (index, box) in boxes(in: values, bytes).enumerated() where wanted.contains(index + 1) {
            if box.name == name("ispe") {
                width = bytes.bigEndian(at: box.content.lowerBound + 4, bytes: 4)
                height = bytes.bigEndian(at: box.content.lowerBound + 8, bytes: 4)
            } else if box.name == name("irot") {
                quarterTurns = bytes.byte(at: box.content.lowerBound) ?? 0
            }
        }
        // A mirror (`imir`) changes no size.
        return PixelSize(width: width, height: height)?.upright(quarterTurns & 1 == 0 ? 1 : 6)
    }

    /// The positions, from 1, of the properties that belong to `item`.
    private static func propertyNumbers(
        of item: Int, in content: Range<Int>, _ bytes: PictureBytes
    ) -> Set<Int> {
        var reader = BoxReader(rest: content)
        guard let header = reader.number(4, bytes), let items = reader.number(4, bytes) else { return [] }
        let idBytes = header >> 24 == 0 ? 2 : 4
        let numberBytes = header & 1 == 0 ? 1 : 2
        for _ in 0..<min(items, mostItems) {
            guard let id = reader.number(idBytes, bytes), let count = reader.number(1, bytes) else {
                return []
            }
            if id == item {
                // The highest bit says that the property must be understood.
                return Set(
                    (0..<count).compactMap { _ in
                        reader.number(numberBytes, bytes).map { $0 & (numberBytes == 1 ? 0x7F : 0x7FFF) }
                    })
            }
            reader.skip(count * numberBytes)
        }
        return []
    }

    static let mostItems = 65_536

    /// Width and height at the end of the track's header, in 65,536ths of a pixel.
    private static func trackSize(_ track: Range<Int>, _ bytes: PictureBytes) -> PixelSize? {
        guard let header = boxes(in: track, bytes)["tkhd"], header.count >= 8 else { return nil }
        return PixelSize(
            width: bytes.bigEndian(at: header.upperBound - 8, bytes: 4).map { $0 >> 16 },
            height: bytes.bigEndian(at: header.upperBound - 4, bytes: 4).map { $0 >> 16 })
    }

    // MARK: - Metadata

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var blocks = MetadataBlocks()
        guard let items = Index(bytes).items, let locations = ItemLocations(items, bytes) else {
            return blocks
        }
        for (id, isEXIF) in describedItems(items, bytes) {
            guard let range = locations.range(of: id)?.clamped(to: 0..<bytes.count) else { continue }
            if isEXIF {
                blocks.exif = blocks.exif ?? exif(in: range, bytes)
            } else {
                blocks.xmp = blocks.xmp ?? range
            }
        }
        blocks.profile = profile(items, bytes)
        return blocks
    }

    /// The first color profile among the properties of items.
    private static func profile(_ items: [Box], _ bytes: PictureBytes) -> Range<Int>? {
        guard let properties = items["iprp"], let values = boxes(in: properties, bytes)["ipco"] else {
            return nil
        }
        return boxes(in: values, bytes)
            .first { $0.name == name("colr") && bytes.matches("prof", "rICC", at: $0.content.lowerBound) }?
            .content.dropFirst(4)
    }

    /// The directory in a block of EXIF, whose offset within the block comes first.
    static func exif(in range: Range<Int>, _ bytes: PictureBytes) -> Range<Int> {
        range.dropFirst(4).dropFirst(bytes.bigEndian(at: range.lowerBound, bytes: 4) ?? 0)
    }

    /// The items that describe the picture, by number: EXIF, or XMP.
    private static func describedItems(_ items: [Box], _ bytes: PictureBytes) -> [(id: Int, isEXIF: Bool)] {
        guard let info = items["iinf"], let version = bytes.byte(at: info.lowerBound) else { return [] }
        var found: [(id: Int, isEXIF: Bool)] = []
        let entries = boxes(in: info.dropFirst(version == 0 ? 6 : 8), bytes)
        for entry in entries where entry.name == name("infe") {
            let start = entry.content.lowerBound
            guard let version = bytes.byte(at: start), version >= 2 else { continue }
            let idBytes = version == 2 ? 2 : 4
            guard let id = bytes.bigEndian(at: start + 4, bytes: idBytes) else { continue }
            let kind = start + 4 + idBytes + 2
            if bytes.matches("Exif", at: kind) {
                found.append((id, isEXIF: true))
            } else if bytes.matches("mime", at: kind),
                // The item's name and a zero, then the type of its content.
                let end = bytes.offset(of: 0, from: kind + 4, before: entry.content.upperBound),
                bytes.matches("application/rdf+xml", at: end + 1)
            {
                found.append((id, isEXIF: false))
            }
        }
        return found
    }
}

extension [ISOMedia.Box] {
    /// The content of the first box called `name`.
    subscript(_ name: StaticString) -> Range<Int>? {
        first { $0.name == ISOMedia.name(name) }?.content
    }
}

/// The `iloc` box: where the bytes of each item are, in the file or in the `idat` box.
struct ItemLocations {
    private struct Extent {
        let item: Int
        let start: Int
        /// 0 means up to the end.
        let length: Int
        let isInItemData: Bool
    }

    private var extents: [Extent] = []
    private let itemData: Range<Int>?

    private static let mostExtents = 1_000_000

    var isEmpty: Bool { extents.isEmpty }

    /// `nil` where the box is missing, or its numbers make no sense.
    init?(_ items: [ISOMedia.Box], _ bytes: PictureBytes) {
        itemData = items["idat"]
        guard let content = items["iloc"] else { return nil }
        var reader = BoxReader(rest: content)
        guard let version = reader.number(1, bytes), version <= 2, reader.number(3, bytes) != nil,
            let sizes = reader.number(2, bytes),
            let count = reader.number(version == 2 ? 4 : 2, bytes), count <= ISOMedia.mostItems
        else { return nil }
        let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
        let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else {
            return nil
        }
        for _ in 0..<count {
            guard let item = reader.number(version == 2 ? 4 : 2, bytes),
                let method = version == 0 ? 0 : reader.number(2, bytes),
                let source = reader.number(2, bytes), let base = reader.number(baseBytes, bytes),
                let parts = reader.number(2, bytes), extents.count + parts <= Self.mostExtents
            else { return nil }
            for _ in 0..<parts {
                guard reader.number(indexBytes, bytes) != nil,
                    let offset = reader.number(offsetBytes, bytes),
                    let length = reader.number(lengthBytes, bytes)
                else { return nil }
                let (start, isTooMuch) = base.addingReportingOverflow(offset)
                guard !isTooMuch else { return nil }
                // Bytes of another file, or made of another item, are not ours to look for.
                guard source == 0, method & 15 <= 1 else { continue }
                extents.append(
                    Extent(item: item, start: start, length: length, isInItemData: method & 15 == 1))
            }
        }
    }

    /// Whether every extent lies in a file of `count` bytes, or in the item data.
    func isInside(count: Int) -> Bool {
        extents.allSatisfy { extent in
            let limit = extent.isInItemData ? itemData?.count ?? 0 : count
            let (end, isTooMuch) = extent.start.addingReportingOverflow(max(1, extent.length))
            return !isTooMuch && end <= limit
        }
    }

    /// The bytes of an item's first extent.
    func range(of item: Int) -> Range<Int>? {
        guard let extent = extents.first(where: { $0.item == item }) else { return nil }
        let base = extent.isInItemData ? itemData?.lowerBound ?? 0 : 0
        let (start, isBeyond) = extent.start.addingReportingOverflow(base)
        let (end, isTooMuch) = start.addingReportingOverflow(extent.length)
        return isBeyond || isTooMuch ? nil : start..<end
    }
}

/// A track's sample table: where the bytes of each of its pictures are.
enum SampleTable {
    enum Verdict {
        case whole(samples: Int)
        case cut, damaged
    }

    private static let mostEntries = 1_000_000

    /// Whether every chunk's samples lie in the file; `nil` where the track has no table, as one of text may.
    static func check(_ track: Range<Int>, _ bytes: PictureBytes) -> Verdict? {
        guard let range = ISOMedia.descend(["mdia", "minf", "stbl"], from: track, bytes) else { return nil }
        let table = ISOMedia.boxes(in: range, bytes)
        guard var sizes = table["stsz"].map({ BoxReader(rest: $0) }),
            var runs = table["stsc"].map({ BoxReader(rest: $0) }),
            let offsets = table["stco"] ?? table["co64"]
        else { return nil }
        var chunks = BoxReader(rest: offsets)
        let offsetBytes = table["stco"] == nil ? 8 : 4
        // Each list follows version and flags; one size may stand for all.
        guard sizes.number(4, bytes) != nil, let common = sizes.number(4, bytes),
            let samples = common > 0 ? sizes.number(4, bytes) : sizes.entries(of: 4, bytes),
            samples <= mostEntries, chunks.number(4, bytes) != nil,
            let chunkCount = chunks.entries(of: offsetBytes, bytes), chunkCount <= mostEntries,
            runs.number(4, bytes) != nil, runs.entries(of: 12, bytes) != nil
        else { return .damaged }
        // A run holds from the chunk it names, from 1, to the next run.
        var (sample, samplesPerChunk, nextRun) = (0, 0, runs.number(4, bytes))
        for chunk in 0..<chunkCount where sample < samples {
            while let first = nextRun, first <= chunk + 1 {
                samplesPerChunk = runs.number(4, bytes) ?? 0
                _ = runs.number(4, bytes)
                nextRun = runs.number(4, bytes)
            }
            guard var end = chunks.number(offsetBytes, bytes) else { return .damaged }
            for _ in 0..<min(samplesPerChunk, samples - sample) {
                let size = common > 0 ? common : sizes.number(4, bytes) ?? 0
                guard end <= bytes.count, size <= bytes.count - end else { return .cut }
                end += size
                sample += 1
            }
        }
        return sample == samples ? .whole(samples: sample) : .damaged
    }
}

/// Numbers one after the other in a box's content.
private struct BoxReader {
    var rest: Range<Int>

    /// The next number of `length` bytes, 0 where that is 0; `nil` past the end.
    mutating func number(_ length: Int, _ bytes: PictureBytes) -> Int? {
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return bytes.bigEndian(at: rest.lowerBound, bytes: length)
    }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    /// How many entries of `length` bytes follow, which this reads first; `nil` where there is no room for so many.
    mutating func entries(of length: Int, _ bytes: PictureBytes) -> Int? {
        guard let count = number(4, bytes), count <= rest.count / length else { return nil }
        rest = rest.prefix(count * length)
        return count
    }
}

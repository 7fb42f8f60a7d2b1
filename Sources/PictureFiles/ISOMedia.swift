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

    /// The four letters that are a number in a file, one for each byte.
    static func text(of name: Int) -> String {
        String(String.UnicodeScalarView([24, 16, 8, 0].map { Unicode.Scalar(UInt8(name >> $0 & 0xFF)) }))
    }

    /// A box of that name.
    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [UInt8](big: content.count + 8, 4) + name.utf8 + content
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

    /// The size of the primary item (besides tiles, previews, and masks), or else of the first track.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        let index = Index(bytes)
        if let items = index.items, let size = itemSize(items, bytes) { return size }
        for track in index.tracks {
            if let size = trackSize(track, bytes) { return size }
        }
        return nil
    }

    private static func itemSize(_ items: [Box], _ bytes: PictureBytes) -> PixelSize? {
        guard let item = primary(items, bytes), let wanted = properties(items, bytes).byItem[item] else {
            return nil
        }
        var (width, height, quarterTurns): (Int?, Int?, UInt8) = (nil, nil, 0)
        for (box, _) in wanted {
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

    // MARK: - Items

    /// What is said of an item, and whether it must be understood.
    typealias Property = (box: Box, isEssential: Bool)

    /// The item that is the picture.
    static func primary(_ items: [Box], _ bytes: PictureBytes) -> Int? {
        guard let primary = items["pitm"], let version = bytes.byte(at: primary.lowerBound) else {
            return nil
        }
        return bytes.bigEndian(at: primary.lowerBound + 4, bytes: version == 0 ? 2 : 4)
    }

    /// The properties of items, in their order, and where the numbers end that say so, by where they begin.
    static func properties(
        _ items: [Box], _ bytes: PictureBytes
    ) -> (byItem: [Int: [Property]], owners: [Int: Int]) {
        let boxes = items["iprp"].map { self.boxes(in: $0, bytes) } ?? []
        let values = boxes["ipco"].map { self.boxes(in: $0, bytes) } ?? []
        var (properties, ends) = ([Int: [Property]](), [Int: Int]())
        for owners in boxes where owners.name == name("ipma") {
            var reader = BoxReader(rest: owners.content)
            guard let header = reader.number(4, bytes), let count = reader.number(4, bytes) else { continue }
            // The highest bit of a property's number says that it must be understood.
            let (idBytes, numberBytes) = (header >> 24 == 0 ? 2 : 4, header & 1 == 0 ? 1 : 2)
            let highest = 1 << (8 * numberBytes - 1)
            for _ in 0..<min(count, mostItems) {
                guard let id = reader.number(idBytes, bytes), let count = reader.number(1, bytes) else {
                    break
                }
                for _ in 0..<count {
                    guard let number = reader.number(numberBytes, bytes) else { break }
                    let place = number & (highest - 1) - 1
                    guard values.indices.contains(place) else { continue }
                    properties[id, default: []].append((values[place], number & highest != 0))
                }
            }
            ends[owners.content.lowerBound] = reader.rest.lowerBound
        }
        return (properties, ends)
    }

    /// The items with their kinds, and what follows these.
    static func entries(
        _ items: [Box], _ bytes: PictureBytes
    ) -> [(id: Int, kind: String, more: Range<Int>, box: Box)] {
        guard let info = items["iinf"], let version = bytes.byte(at: info.lowerBound) else { return [] }
        return boxes(in: info.dropFirst(version == 0 ? 6 : 8), bytes, limit: mostItems).compactMap { entry in
            var reader = BoxReader(rest: entry.content)
            guard entry.name == name("infe"), let header = reader.number(4, bytes), header >> 24 >= 2,
                let id = reader.number(header >> 24 == 2 ? 2 : 4, bytes), reader.number(2, bytes) != nil,
                let kind = reader.number(4, bytes)
            else { return nil }
            return (id, text(of: kind), reader.rest, entry)
        }
    }

    /// What items have to do with each other, and how many bytes say so.
    static func references(
        _ items: [Box], _ bytes: PictureBytes
    ) -> [(name: String, from: Int, to: [Int], box: Box, length: Int)] {
        guard let links = items["iref"], let version = bytes.byte(at: links.lowerBound) else { return [] }
        let idBytes = version == 0 ? 2 : 4
        return boxes(in: links.dropFirst(4), bytes).compactMap { link in
            var reader = BoxReader(rest: link.content)
            guard let from = reader.number(idBytes, bytes), let count = reader.number(2, bytes) else {
                return nil
            }
            let to = (0..<count).compactMap { _ in reader.number(idBytes, bytes) }
            return (text(of: link.name), from, to, link, link.content.count - reader.rest.count)
        }
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
            guard let range = locations.ranges(of: id).first?.clamped(to: 0..<bytes.count) else { continue }
            if isEXIF {
                blocks.exif = blocks.exif ?? exif(in: range, bytes)
            } else {
                blocks.xmp = blocks.xmp ?? range
            }
        }
        blocks.profile = profile(items, bytes)
        return blocks
    }

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
    static func describedItems(_ items: [Box], _ bytes: PictureBytes) -> [(id: Int, isEXIF: Bool)] {
        entries(items, bytes).compactMap { entry in
            if entry.kind == "Exif" { return (entry.id, true) }
            // The item's name and a zero, then the type of its content.
            guard entry.kind == "mime",
                let end = bytes.offset(of: 0, from: entry.more.lowerBound, before: entry.more.upperBound),
                bytes.matches("application/rdf+xml", at: end + 1)
            else { return nil }
            return (entry.id, false)
        }
    }
}

extension [ISOMedia.Box] {
    /// The content of the first box called `name`.
    subscript(_ name: StaticString) -> Range<Int>? { first { $0.name == ISOMedia.name(name) }?.content }
}

/// The `iloc` box: where the bytes of each item are, in the file or in the `idat` box.
struct ItemLocations {
    private struct Extent {
        let start: Int
        /// 0 means up to the end.
        let length: Int
        let isInItemData: Bool
    }

    private var extents: [Int: [Extent]] = [:]
    private let itemData: Range<Int>?
    private let count: Int
    /// Where the numbers end that say it.
    let end: Int

    private static let mostExtents = 1_000_000

    var isEmpty: Bool { extents.isEmpty }

    /// `nil` where the box is missing, or its numbers make no sense.
    init?(_ items: [ISOMedia.Box], _ bytes: PictureBytes) {
        (itemData, count) = (items["idat"], bytes.count)
        guard let content = items["iloc"] else { return nil }
        var reader = BoxReader(rest: content)
        guard let version = reader.number(1, bytes), version <= 2, reader.number(3, bytes) != nil,
            let sizes = reader.number(2, bytes),
            let items = reader.number(version == 2 ? 4 : 2, bytes), items <= ISOMedia.mostItems
        else { return nil }
        let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
        let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else {
            return nil
        }
        var partsLeft = Self.mostExtents
        for _ in 0..<items {
            guard let item = reader.number(version == 2 ? 4 : 2, bytes),
                let method = version == 0 ? 0 : reader.number(2, bytes),
                let source = reader.number(2, bytes), let base = reader.number(baseBytes, bytes),
                let parts = reader.number(2, bytes), parts <= partsLeft
            else { return nil }
            partsLeft -= parts
            for _ in 0..<parts {
                guard reader.number(indexBytes, bytes) != nil, let offset = reader.number(offsetBytes, bytes),
                    let length = reader.number(lengthBytes, bytes)
                else { return nil }
                let (start, isTooMuch) = base.addingReportingOverflow(offset)
                guard !isTooMuch else { return nil }
                // Bytes of another file, or made of another item, are not ours to look for.
                guard source == 0, method & 15 <= 1 else { continue }
                extents[item, default: []].append(
                    Extent(start: start, length: length, isInItemData: method & 15 == 1))
            }
        }
        end = reader.rest.lowerBound
    }

    /// Whether every extent lies in a file of `count` bytes, or in the item data.
    func isInside(count: Int) -> Bool {
        extents.values.joined().allSatisfy { extent in
            let limit = extent.isInItemData ? itemData?.count ?? 0 : count
            let (end, isTooMuch) = extent.start.addingReportingOverflow(max(1, extent.length))
            return !isTooMuch && end <= limit
        }
    }

    /// The bytes of an item, part by part; those of a damaged file may be anywhere.
    func ranges(of item: Int) -> [Range<Int>] {
        (extents[item] ?? []).compactMap { extent in
            let data = extent.isInItemData ? itemData ?? 0..<0 : 0..<count
            let (start, isBeyond) = extent.start.addingReportingOverflow(data.lowerBound)
            let (end, isTooMuch) = start.addingReportingOverflow(extent.length)
            guard !isBeyond, !isTooMuch else { return nil }
            return start..<(extent.length == 0 ? max(start, data.upperBound) : end)
        }
    }
}

/// A track's sample table: where the bytes of each of its pictures are.
enum SampleTable {
    enum Verdict {
        case whole(samples: Int)
        case cut, damaged
    }

    private static let mostEntries = 1_000_000

    /// Whether every chunk's samples, handed to `each`, lie in the file; `nil` for a track without a table, as of text.
    static func check(
        _ track: Range<Int>, _ bytes: PictureBytes, each: (_ sample: Range<Int>) -> Void = { _ in }
    ) -> Verdict? {
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
                each(end..<end + size)
                end += size
                sample += 1
            }
        }
        return sample == samples ? .whole(samples: sample) : .damaged
    }
}

/// Numbers one after the other in a box's content.
struct BoxReader {
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

extension ISOMedia {
    /// A whole AVIF or HEIC of the boxes that show its picture, written anew, with the EXIF block `exif` and the packet
    /// `xmp` if there are any: without films, thumbnails, depth, gain maps, and names, and without what coders note.
    ///
    /// - Returns: `nil` for one that needs something else to be shown.
    static func cleaned(_ file: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]?) -> [UInt8]? {
        let bytes = PictureBytes(file)
        guard fault(bytes) == nil, let start = boxes(in: 0..<bytes.count, bytes, limit: 1)["ftyp"] else {
            return nil
        }
        let (index, parts) = (Index(bytes), ShownBoxes(file: file, bytes: bytes))
        let still = index.items.flatMap { StillItems($0, parts, exif, xmp) }
        let movie = index.needsTracks ? ShownTracks(parts) : nil
        let isPictured = index.needsItems || index.items?["pitm"] != nil
        guard isPictured == (still != nil), index.needsTracks == (movie != nil), isPictured || movie != nil
        else { return nil }
        let brands = ([start.lowerBound]
            + stride(from: start.lowerBound + 8, through: start.upperBound - 4, by: 4))
            .compactMap { bytes.bigEndian(at: $0, bytes: 4).map(text) }.filter(ShownBoxes.brands.contains)
        guard let brand = brands.first else { return nil }
        let type = Array(brand.utf8) + [0, 0, 0, 0] + brands.dropFirst().joined().utf8
        func head(pixelsAt place: Int) -> [UInt8] {
            box("ftyp", type) + (still?.box(pixelsAt: place) ?? [])
                + (movie?.box(pixelsAt: place + (still?.pixels.count ?? 0)) ?? [])
        }
        let length = head(pixelsAt: 0).count + 8
        return head(pixelsAt: length) + box("mdat", (still?.pixels ?? []) + (movie?.pixels ?? []))
    }
}

/// Boxes that say how a picture is shown, each with nothing but what is known of it.
///
/// Source: ISO/IEC 23008-12, 6.5; ISO/IEC 14496-15, 8.3; AV1-ISOBMFF, 2.3; AVIF, 4.
private struct ShownBoxes {
    let file: [UInt8]
    let bytes: PictureBytes

    static let brands: Set = [
        "avif", "avis", "avio", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1",
        "mif2", "msf1", "miaf", "MA1A", "MA1B", "MiHB", "MiHE", "isom", "iso4", "iso5", "iso6", "iso8", "iso9",
    ]

    /// Bytes that are kept of properties that have always as many.
    private static let lengths = [
        "irot": 1, "imir": 1, "a1op": 1, "lsel": 2, "clli": 4, "av1C": 4, "pasp": 8, "ccst": 8, "amve": 8,
        "ispe": 12, "mdcv": 24, "clap": 32,
    ]
    private static let alpha = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]

    /// A property of an item, or of what a track holds; `nil` for one that is not needed.
    func property(_ box: ISOMedia.Box) -> [UInt8]? {
        let (name, content) = (ISOMedia.text(of: box.name), box.content)
        func byte(_ offset: Int) -> Int { Int(bytes.byte(at: content.lowerBound + offset) ?? 0) }
        func kept(_ count: Int) -> [UInt8]? {
            content.count < count ? nil : ISOMedia.box(name, Array(file[content.prefix(count)]))
        }
        switch name {
        case "a1lx": return kept(byte(0) & 1 == 0 ? 7 : 13)
        case "pixi": return kept(5 + byte(4))
        case "hvcC": return parameters(content).map { ISOMedia.box(name, $0) }
        case "colr" where bytes.matches("nclx", at: content.lowerBound): return kept(11)
        case "colr":
            guard bytes.matches("prof", "rICC", at: content.lowerBound) else { return nil }
            return ColorProfile.cleaned(Array(file[content.dropFirst(4)])).map {
                ISOMedia.box(name, Array("prof".utf8) + $0)
            }
        case "auxC", "auxi":
            return Self.alpha.first { file[content.dropFirst(4)].starts(with: Array($0.utf8) + [0]) }.map {
                ISOMedia.box(name, [0, 0, 0, 0] + $0.utf8 + [0])
            }
        default: return Self.lengths[name].flatMap(kept)
        }
    }

    /// HEVC's configuration with its sets of parameters alone.
    private func parameters(_ content: Range<Int>) -> [UInt8]? {
        var (reader, kept) = (BoxReader(rest: content.dropFirst(22)), [ArraySlice<UInt8>]())
        guard let count = reader.number(1, bytes) else { return nil }
        for _ in 0..<count {
            let start = reader.rest.lowerBound
            guard let kind = reader.number(1, bytes), let units = reader.number(2, bytes) else { return nil }
            for _ in 0..<units {
                guard let length = reader.number(2, bytes), length <= reader.rest.count else { return nil }
                reader.skip(length)
            }
            if (32...34).contains(kind & 0x3F) { kept.append(file[start..<reader.rest.lowerBound]) }
        }
        return file[content.prefix(22)] + [UInt8(kept.count)] + kept.joined()
    }

    /// How many bytes the length before each of HEVC's units has; `nil` where `properties` are AV1's.
    func lengthBytes(_ properties: [ISOMedia.Box]) -> Int? {
        properties["hvcC"].flatMap { bytes.byte(at: $0.lowerBound + 21) }.map { Int($0 & 3) + 1 }
    }

    /// Whether a property says that its picture is the transparency of another.
    func isAlpha(_ box: ISOMedia.Box) -> Bool {
        ["auxC", "auxi"].contains(ISOMedia.text(of: box.name)) && property(box) != nil
    }

    /// The properties of an item that are needed; `nil` where one is not known that has to be understood.
    func kept(_ properties: [ISOMedia.Property]) -> [(value: [UInt8], isEssential: Bool)]? {
        var kept: [(value: [UInt8], isEssential: Bool)] = []
        for (box, isEssential) in properties {
            if let value = property(box) {
                kept.append((value, isEssential))
            } else if isEssential, box.name != ISOMedia.name("colr") {
                return nil
            }
        }
        return kept
    }

    /// What an item of that kind holds; `nil` for a kind that is not known.
    func content(of kind: String, _ ranges: [Range<Int>], _ properties: [ISOMedia.Property]) -> [UInt8]? {
        guard !ranges.isEmpty, ranges.reduce(0, { $0 + $1.count }) <= bytes.count else { return nil }
        switch kind {
        case "av01": return quiet(ranges, lengthBytes: nil)
        case "hvc1": return lengthBytes(properties.map(\.box)).map { quiet(ranges, lengthBytes: $0) }
        case "grid":
            let content = ranges.flatMap { file[$0] }
            return Array(content.prefix(content.dropFirst().first.map { $0 & 1 } == 1 ? 12 : 8))
        default: return nil
        }
    }

    /// Coded pixels, in which what coders note of themselves has become filler of the same length.
    func quiet(_ ranges: [Range<Int>], lengthBytes: Int?) -> [UInt8] {
        var data = Array(ranges.map { file[$0] }.joined())
        let whole = PictureBytes(data)
        var offset = 0
        while offset < data.count {
            guard let unit = lengthBytes.map({ Self.unit(at: offset, whole, $0) }) ?? Self.unit(at: offset, whole)
            else { break }
            if unit.isNote {
                data.replaceSubrange(unit.head, with: lengthBytes == nil ? [15 << 3 | data[offset] & 6] : [38 << 1, 1])
                for place in unit.content { data[place] = lengthBytes == nil ? 0 : 0xFF }
                if let last = unit.content.last { data[last] = 0x80 }
            }
            offset = unit.content.upperBound
        }
        return data
    }

    /// One of AV1's or HEVC's units, and whether it is none of those that decoders need.
    private typealias Unit = (head: Range<Int>, content: Range<Int>, isNote: Bool)

    private static func unit(at offset: Int, _ data: PictureBytes, _ lengthBytes: Int) -> Unit? {
        let start = offset + lengthBytes
        guard let length = data.bigEndian(at: offset, bytes: lengthBytes), length >= 2,
            length <= data.count - start, let kind = data.byte(at: start).map({ $0 >> 1 & 0x3F })
        else { return nil }
        return (start..<start + 2, start + 2..<start + length, kind == 35 || kind > 37)
    }

    private static func unit(at offset: Int, _ data: PictureBytes) -> Unit? {
        guard let head = data.byte(at: offset) else { return nil }
        var (start, length, shift) = (offset + (head & 4 == 0 ? 1 : 2), 0, 0)
        if head & 2 == 0 { length = data.count - start }
        while head & 2 != 0, shift < 35 {
            guard let byte = data.byte(at: start) else { return nil }
            length |= Int(byte & 0x7F) << shift
            (start, shift) = (start + 1, byte & 0x80 == 0 ? 35 : shift + 7)
        }
        guard length >= 0, length <= data.count - start else { return nil }
        let isNeeded = [1, 2, 3, 4, 6, 7, 8].contains(head >> 3 & 15)
        return (offset..<offset + 1, start..<start + length, !isNeeded)
    }
}

/// The items of a still picture that show it: the primary one, those that it is made of, and their transparency.
private struct StillItems {
    private var (infos, references) = ([UInt8](), [UInt8]())
    private var lengths: [Int] = []
    /// The properties, each once, and whose they are.
    private var (values, numbers, owners, owning) = ([UInt8](), [[UInt8]: Int](), [UInt8](), 0)
    private(set) var pixels: [UInt8] = []

    /// More tiles than any camera makes.
    private static let most = 4096

    init?(_ boxes: [ISOMedia.Box], _ parts: ShownBoxes, _ exif: [UInt8]?, _ xmp: [UInt8]?) {
        let bytes = parts.bytes
        guard let primary = ISOMedia.primary(boxes, bytes), let locations = ItemLocations(boxes, bytes) else {
            return nil
        }
        let properties = ISOMedia.properties(boxes, bytes)
        let entries = Dictionary(ISOMedia.entries(boxes, bytes).map { ($0.id, $0) }) { first, _ in first }
        let links = ISOMedia.references(boxes, bytes)
        // What an item is made of, and what makes it transparent.
        var parents: [Int: [Int]] = [:]
        for link in links where link.name == "dimg" { parents[link.from, default: []] += link.to }
        for link in links where link.name == "auxl" {
            guard (properties[link.from] ?? []).contains(where: { parts.isAlpha($0.box) }) else { continue }
            for item in link.to { parents[item, default: []].append(link.from) }
        }
        var (wanted, places) = ([primary], [primary: 1])
        var next = 0
        while next < wanted.count {
            for item in parents[wanted[next]] ?? [] where places[item] == nil {
                wanted.append(item)
                places[item] = wanted.count
            }
            next += 1
            guard wanted.count <= Self.most else { return nil }
        }
        for item in wanted {
            guard let entry = entries[item], let content = parts.content(of: entry.kind, locations.ranges(of: item), properties[item] ?? []) ,
                pixels.count + content.count <= 2 * bytes.count, let kept = parts.kept(properties[item] ?? [])
            else { return nil }
            add(entry.kind, content, isHidden: entry.isHidden, kept)
        }
        for link in links where ["dimg", "auxl", "prem"].contains(link.name) {
            let others = link.to.compactMap { places[$0] }
            guard let from = places[link.from], !others.isEmpty else { continue }
            refer(link.name, from, others)
        }
        for case (let kind, let content?) in [
            ("Exif", exif.map { [0, 0, 0, 0] + $0 }), ("mime\0application/rdf+xml", xmp),
        ] {
            add(kind, content, isHidden: false, [])
            refer("cdsc", lengths.count, [1])
        }
    }

    private mutating func refer(_ name: String, _ from: Int, _ to: [Int]) {
        let numbers = [from, to.count] + to
        references += ISOMedia.box(name, numbers.flatMap { [UInt8](big: $0, 2) })
    }

    private mutating func add(
        _ kind: String, _ content: [UInt8], isHidden: Bool, _ properties: [(value: [UInt8], isEssential: Bool)]
    ) {
        pixels += content
        lengths.append(content.count)
        let id = [UInt8](big: lengths.count, 2)
        infos += ISOMedia.box("infe", [2, 0, 0, isHidden ? 1 : 0] + id + [0, 0] + kind.utf8 + [0])
        guard !properties.isEmpty else { return }
        owning += 1
        owners += id + [UInt8(clamping: properties.count)]
        for (value, isEssential) in properties.prefix(255) {
            let number = numbers[value] ?? numbers.count + 1
            if numbers.updateValue(number, forKey: value) == nil { values += value }
            owners += [UInt8](big: number | (isEssential ? 0x8000 : 0), 2)
        }
    }

    /// The index of these items, whose bytes begin at `place`.
    func box(pixelsAt place: Int) -> [UInt8] {
        var (locations, start) = ([UInt8](), place)
        for (offset, length) in lengths.enumerated() {
            locations += [UInt8](big: offset + 1, 2) + [0, 0, 0, 1]
            locations += [UInt8](big: start, 4) + [UInt8](big: length, 4)
            start += length
        }
        let (count, none) = ([UInt8](big: lengths.count, 2), [0, 0, 0, 0] as [UInt8])
        let index = [
            ISOMedia.handler("pict"), ISOMedia.box("pitm", none + [0, 1]),
            ISOMedia.box("iloc", none + [0x44, 0] + count + locations),
            ISOMedia.box("iinf", none + count + infos),
            references.isEmpty ? [] : ISOMedia.box("iref", none + references),
            ISOMedia.box(
                "iprp",
                ISOMedia.box("ipco", values)
                    + ISOMedia.box("ipma", [0, 0, 0, 1] + [UInt8](big: owning, 4) + owners)),
        ]
        return ISOMedia.box("meta", none + index.joined())
    }
}

/// The tracks of a sequence that show it, and their samples, one after the other.
///
/// Source: ISO/IEC 14496-12, 8.2 to 8.7 and 12.1.
private struct ShownTracks {
    private let parts: ShownBoxes
    private let movie: ISOMedia.Box
    /// Where each chunk of a track begins among the pixels, by where the track begins.
    private var chunks: [Int: [Int]] = [:]
    private(set) var pixels: [UInt8] = []

    init?(_ parts: ShownBoxes) {
        let bytes = parts.bytes
        let boxes = ISOMedia.boxes(in: 0..<bytes.count, bytes)
        guard let movie = boxes.first(where: { $0.name == ISOMedia.name("moov") }), boxes["moof"] == nil else {
            return nil
        }
        (self.parts, self.movie) = (parts, movie)
        var (pixels, isTooMuch) = ([UInt8](), false)
        for track in ISOMedia.boxes(in: movie.content, bytes) where track.name == ISOMedia.name("trak") {
            let kinds = Self.entries(of: track.content, bytes).flatMap { $0.properties }
            guard let handler = ISOMedia.descend(["mdia", "hdlr"], from: track.content, bytes)?.lowerBound,
                bytes.matches("pict", at: handler + 8)
                    || bytes.matches("auxv", at: handler + 8) && kinds.contains(where: parts.isAlpha)
            else { continue }
            var starts: [Int] = []
            _ = SampleTable.check(track.content, bytes) { chunk, sample in
                while starts.count <= chunk { starts.append(pixels.count) }
                isTooMuch = isTooMuch || pixels.count + sample.count > 2 * bytes.count
                if !isTooMuch { pixels += parts.quiet([sample], lengthBytes: parts.lengthBytes(kinds)) }
            }
            chunks[track.content.lowerBound] = starts
        }
        guard !chunks.isEmpty, !isTooMuch else { return nil }
        self.pixels = pixels
    }

    /// What a track's samples are, and the properties of each kind of them.
    private static func entries(
        of track: Range<Int>, _ bytes: PictureBytes
    ) -> [(kind: ISOMedia.Box, properties: [ISOMedia.Box])] {
        let list = ISOMedia.descend(["mdia", "minf", "stbl", "stsd"], from: track, bytes)
        return entries(in: list ?? 0..<0, bytes)
    }

    private static func entries(
        in list: Range<Int>, _ bytes: PictureBytes
    ) -> [(kind: ISOMedia.Box, properties: [ISOMedia.Box])] {
        ISOMedia.boxes(in: list.dropFirst(8), bytes, limit: 16).map {
            ($0, ISOMedia.boxes(in: $0.content.dropFirst(78), bytes))
        }
    }

    /// The index of these tracks, whose samples begin at `place`.
    func box(pixelsAt place: Int) -> [UInt8] { kept(movie, [], place, depth: 0) }

    /// A box with what is needed in it; nothing for one that is not needed.
    private func kept(_ box: ISOMedia.Box, _ starts: [Int], _ place: Int, depth: Int) -> [UInt8] {
        let (name, content, bytes) = (ISOMedia.text(of: box.name), box.content, parts.bytes)
        let starts = name == "trak" ? chunks[content.lowerBound] : starts
        guard let starts, depth < 6 else { return [] }
        switch name {
        case "moov", "trak", "mdia", "minf", "stbl", "edts", "tref":
            let inner = ISOMedia.boxes(in: content, bytes)
            return ISOMedia.box(name, inner.flatMap { kept($0, starts, place, depth: depth + 1) })
        case "hdlr":
            return ISOMedia.handler(ISOMedia.text(of: bytes.bigEndian(at: content.lowerBound + 8, bytes: 4) ?? 0))
        case "dinf":
            let own = ISOMedia.box("url ", [0, 0, 0, 1])
            return ISOMedia.box(name, ISOMedia.box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + own))
        case "stco", "co64":
            let list = starts.flatMap { [UInt8](big: place + $0, 4) }
            return ISOMedia.box("stco", [0, 0, 0, 0] + [UInt8](big: starts.count, 4) + list)
        case "stsd":
            let entries = Self.entries(in: content, bytes)
            return ISOMedia.box(
                name, [0, 0, 0, 0] + [UInt8](big: entries.count, 4) + entries.flatMap(described))
        default: return table(name, content).map { ISOMedia.box(name, $0) } ?? []
        }
    }

    /// What samples are, without the name of what coded them.
    private func described(_ kind: ISOMedia.Box, _ properties: [ISOMedia.Box]) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: 78)
        let known = Array(parts.file[kind.content.prefix(78)])
        for place in [6..<8, 24..<32, 32..<36, 40..<42, 74..<78].joined() where place < known.count {
            head[place] = known[place]
        }
        return ISOMedia.box(
            ISOMedia.text(of: kind.name), head + properties.compactMap(parts.property).joined())
    }

    /// A box of numbers without what follows them, times, and what is reserved; `nil` for one that is not needed.
    private func table(_ name: String, _ content: Range<Int>) -> [UInt8]? {
        let (bytes, start) = (parts.bytes, content.lowerBound)
        let isLong = bytes.byte(at: start) == 1
        func rows(_ length: Int, at place: Int = 4) -> Int {
            place + 4 + length * (bytes.bigEndian(at: start + place, bytes: 4) ?? 0)
        }
        let isHeader = ["mvhd", "tkhd", "mdhd"].contains(name)
        let length: Int
        switch name {
        case "mvhd": length = isLong ? 112 : 100
        case "tkhd": length = isLong ? 96 : 84
        case "mdhd": length = isLong ? 36 : 24
        case "vmhd": length = 12
        case "elst": length = rows(isLong ? 20 : 12)
        case "stts", "ctts": length = rows(8)
        case "stsc": length = rows(12)
        case "stss": length = rows(4)
        case "stsz": length = bytes.bigEndian(at: start + 4, bytes: 4) == 0 ? rows(4, at: 8) : 12
        case "auxl", "prem": length = 4
        default: return nil
        }
        guard content.count >= length else { return nil }
        var kept = Array(parts.file[content.prefix(length)])
        // When it was made, and language or what is reserved.
        let empty: [Range<Int>] =
            switch name {
            case "mvhd": [length - 74..<length - 64, length - 28..<length - 4]
            case "tkhd": [length - 60..<length - 52]
            case "mdhd": [length - 4..<length]
            default: []
            }
        for place in (empty + (isHeader ? [4..<(isLong ? 20 : 12)] : [])).joined() { kept[place] = 0 }
        return kept
    }
}

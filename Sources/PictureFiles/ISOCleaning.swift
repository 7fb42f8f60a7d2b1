extension ISOMedia {
    /// A whole AVIF or HEIC in which all is zeros but the boxes that show its picture: no films, thumbnails, depth, gain
    /// maps, and names. These stay where they are, so that no offset changes; what the file said of its author is
    /// replaced by the EXIF block `exif` and the packet `xmp`, where these are no longer.
    ///
    /// - Returns: `nil` for one that needs something else to be shown.
    static func cleaned(_ file: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]?) -> [UInt8]? {
        var cleaning = ISOCleaning(file)
        return cleaning.run(exif, xmp)
    }
}

/// Copies of a file what is known to show its picture.
///
/// Source: ISO/IEC 14496-12, 8.2 to 8.11 and 12.1; ISO/IEC 23008-12, 6.5 and 9.3; AV1-ISOBMFF, 2.3; AVIF, 4.
private struct ISOCleaning {
    private typealias Box = ISOMedia.Box
    private let file: [UInt8]
    private let bytes: PictureBytes
    private var cleaned: [UInt8]

    init(_ file: [UInt8]) {
        (self.file, bytes, cleaned) = (file, PictureBytes(file), [UInt8](repeating: 0, count: file.count))
    }

    mutating func run(_ exif: [UInt8]?, _ xmp: [UInt8]?) -> [UInt8]? {
        let (index, all) = (ISOMedia.Index(bytes), ISOMedia.boxes(in: 0..<bytes.count, bytes))
        guard ISOMedia.fault(bytes) == nil else { return nil }
        var (end, known) = (0, Set<Int>())
        for box in all {
            let isFirst = known.insert(box.name).inserted
            hide(box)
            switch ISOMedia.text(of: box.name) {
            case "ftyp" where isFirst:
                keep(box, 0..<4)
                for place in stride(from: 8, through: box.content.count - 4, by: 4)
                where bytes.bigEndian(at: box.content.lowerBound + place, bytes: 4).map({
                    Self.brands.contains(ISOMedia.text(of: $0))
                }) == true { copy(box.content.lowerBound + place..<box.content.lowerBound + place + 4) }
            case "meta" where isFirst && (index.needsItems || index.items?["pitm"] != nil):
                keep(box, 0..<4)
                guard keepItems(index.items ?? [], exif, xmp) else { return nil }
            case "moov" where isFirst && index.needsTracks: keepTracks(box)
            case "mdat": keep(box, 0..<0)
            default: continue
            }
            end = box.content.upperBound
        }
        cleaned.removeSubrange(end...)
        return ISOMedia.fault(PictureBytes(cleaned)) == nil ? cleaned : nil
    }

    private static let brands: Set = [
        "avif", "avis", "avio", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1",
        "mif2", "msf1",
        "miaf", "MA1A", "MA1B", "MiHB", "MiHE", "isom", "iso4", "iso5", "iso6", "iso8", "iso9",
    ]

    // MARK: - Boxes

    private mutating func copy(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<file.count)
        cleaned.replaceSubrange(range, with: file[range])
    }

    /// Keeps a box, and of its content what is in `range`.
    private mutating func keep(_ box: Box, _ range: Range<Int>) {
        // The name comes last, or the length in eight bytes.
        let isShort = bytes.bigEndian(at: box.content.lowerBound - 4, bytes: 4) == box.name
        copy(box.content.lowerBound - (isShort ? 8 : 16)..<box.content.lowerBound)
        copy(box.content.dropFirst(range.lowerBound).prefix(range.count))
    }

    /// Makes a box one of no meaning, whatever is in it.
    private mutating func hide(_ box: Box) {
        keep(box, 0..<0)
        let isShort = bytes.bigEndian(at: box.content.lowerBound - 4, bytes: 4) == box.name
        let place = box.content.lowerBound - (isShort ? 4 : 12)
        cleaned.replaceSubrange(place..<place + 4, with: "free".utf8)
    }

    private mutating func write(_ content: [UInt8], over range: Range<Int>) {
        guard content.count <= range.count else { return }
        cleaned.replaceSubrange(range.prefix(content.count), with: content)
    }

    /// Bytes that are known of boxes that have always as many, or where they begin with a one, others.
    private static let lengths: [String: (Int, Int)] = [
        "irot": (1, 1), "imir": (1, 1), "a1op": (1, 1), "lsel": (2, 2), "clli": (4, 4), "av1C": (4, 4),
        "pasp": (8, 8), "ccst": (8, 8), "amve": (8, 8), "ispe": (12, 12), "mdcv": (24, 24), "clap": (32, 32),
        "a1lx": (7, 13), "mvhd": (100, 112), "tkhd": (84, 96), "mdhd": (24, 36), "vmhd": (12, 12),
        "auxl": (4, 4), "prem": (4, 4),
    ]
    /// Bytes of each row of boxes that are tables.
    private static let rows: [String: (Int, Int)] = [
        "elst": (12, 20), "stts": (8, 8), "ctts": (8, 8), "stsc": (12, 12), "stss": (4, 4), "stco": (4, 4),
        "co64": (8, 8),
    ]

    /// How many bytes of a box are known; `nil` for one that is not needed.
    private func knownLength(_ box: Box) -> Int? {
        let (name, start) = (ISOMedia.text(of: box.name), box.content.lowerBound)
        let isLong = bytes.byte(at: start) == 1
        func number(_ place: Int) -> Int { bytes.bigEndian(at: start + place, bytes: 4) ?? 0 }
        if let length = Self.lengths[name] { return isLong ? length.1 : length.0 }
        if let row = Self.rows[name] { return 8 + number(4) * (isLong ? row.1 : row.0) }
        return switch name {
        case "pixi": 5 + Int(bytes.byte(at: start + 4) ?? 0)
        case "hvcC": box.content.count
        case "stsz": 12 + (number(4) == 0 ? 4 * number(8) : 0)
        case "colr" where bytes.matches("nclx", at: start): 11
        default: nil
        }
    }

    /// Keeps a property, or what is like one; whether it is needed.
    private mutating func keepProperty(_ box: Box) -> Bool {
        if isAlpha(box),
            let end = bytes.offset(of: 0, from: box.content.lowerBound + 4, before: box.content.upperBound)
        {
            keep(box, 4..<end - box.content.lowerBound)
        } else if bytes.matches("colrprof", "colrrICC", at: box.content.lowerBound - 4) {
            guard let profile = ColorProfile.cleaned(Array(file[box.content.dropFirst(4)])),
                profile.count <= box.content.count - 4
            else { return true }
            keep(box, 0..<4)
            write(profile, over: box.content.dropFirst(4))
        } else {
            guard let length = knownLength(box), length <= box.content.count else { return false }
            keep(box, 0..<length)
        }
        return true
    }

    /// Whether a property says that its picture is the transparency of another.
    private func isAlpha(_ box: Box) -> Bool {
        ["auxC", "auxi"].contains(ISOMedia.text(of: box.name))
            && bytes.matches(
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", "urn:mpeg:hevc:2015:auxid:1\0",
                at: box.content.lowerBound + 4)
    }

    // MARK: - Items

    /// Keeps the primary item, those that it is made of, and their transparency.
    private mutating func keepItems(_ boxes: [Box], _ exif: [UInt8]?, _ xmp: [UInt8]?) -> Bool {
        guard let primary = ISOMedia.primary(boxes, bytes), let locations = ItemLocations(boxes, bytes) else {
            return false
        }
        let (properties, owners) = ISOMedia.properties(boxes, bytes)
        let entries = Dictionary(ISOMedia.entries(boxes, bytes).map { ($0.id, $0) }) { first, _ in first }
        let links = ISOMedia.references(boxes, bytes)
        var parts: [Int: [Int]] = [:]
        for link in links where link.name == "dimg" { parts[link.from, default: []] += link.to }
        for link in links
        where link.name == "auxl" && (properties[link.from] ?? []).contains(where: { isAlpha($0.box) }) {
            for item in link.to { parts[item, default: []].append(link.from) }
        }
        var (wanted, known, next) = ([primary], Set([primary]), 0)
        while next < wanted.count {
            for item in parts[wanted[next]] ?? [] where known.insert(item).inserted { wanted.append(item) }
            next += 1
        }
        for box in boxes {
            hide(box)
            switch ISOMedia.text(of: box.name) {
            case "hdlr": keep(box, 8..<12)
            case "pitm": keep(box, 0..<(bytes.byte(at: box.content.lowerBound) == 0 ? 6 : 8))
            case "iloc" where box.content == boxes["iloc"]:
                keep(box, 0..<locations.end - box.content.lowerBound)
            case "iinf": keep(box, 0..<(bytes.byte(at: box.content.lowerBound) == 0 ? 6 : 8))
            case "iref": keep(box, 0..<4)
            case "iprp", "idat": keep(box, 0..<0)
            default: continue
            }
        }
        for inner in boxes["iprp"].map({ ISOMedia.boxes(in: $0, bytes) }) ?? [] {
            hide(inner)
            if let end = owners[inner.content.lowerBound] { keep(inner, 0..<end - inner.content.lowerBound) }
            guard inner.name == ISOMedia.name("ipco") else { continue }
            keep(inner, 0..<0)
            for property in ISOMedia.boxes(in: inner.content, bytes) { hide(property) }
        }
        for link in links {
            hide(link.box)
            copy(link.box.content.prefix(link.length))
            if ["dimg", "auxl", "prem", "cdsc", "thmb"].contains(link.name) { keep(link.box, 0..<0) }
        }
        for entry in entries.values {
            keep(entry.box, 0..<entry.more.lowerBound - 4 - entry.box.content.lowerBound)
        }
        for (id, isEXIF) in ISOMedia.describedItems(boxes, bytes) {
            guard let content = isEXIF ? exif.map({ [0, 0, 0, 0] + $0 }) : xmp, let entry = entries[id],
                case let ranges = locations.ranges(of: id), ranges.count == 1,
                content.count <= ranges[0].count
            else { continue }
            copy(entry.more.lowerBound - 4..<entry.more.lowerBound)
            if !isEXIF { write([0] + "application/rdf+xml".utf8, over: entry.more) }
            let filler = [UInt8](repeating: isEXIF ? 0 : 0x20, count: ranges[0].count - content.count)
            write(content + filler, over: ranges[0])
        }
        for item in wanted {
            let ranges = locations.ranges(of: item)
            guard let entry = entries[item], !ranges.isEmpty, ["av01", "hvc1", "grid"].contains(entry.kind)
            else {
                return false
            }
            copy(entry.more.lowerBound - 4..<entry.more.lowerBound)
            // The longest description of a grid.
            for range in ranges { copy(entry.kind == "grid" ? range.prefix(12) : range) }
            for (box, isEssential) in properties[item] ?? [] where !keepProperty(box) && isEssential {
                return false
            }
        }
        return true
    }

    // MARK: - Tracks

    /// Keeps the tracks of `movie` that are pictures or transparency, and their samples.
    private mutating func keepTracks(_ movie: Box) {
        keep(movie, 0..<0)
        for box in ISOMedia.boxes(in: movie.content, bytes) {
            hide(box)
            if box.name == ISOMedia.name("mvhd") { keepInner(box, depth: 0) }
            guard box.name == ISOMedia.name("trak"),
                let handler = ISOMedia.descend(["mdia", "hdlr"], from: box.content, bytes)?.lowerBound,
                let entries = ISOMedia.descend(["mdia", "minf", "stbl", "stsd"], from: box.content, bytes)
            else { continue }
            let kinds = ISOMedia.boxes(in: entries.dropFirst(8), bytes).flatMap { entry in
                ISOMedia.boxes(in: entry.content.dropFirst(78), bytes)
            }
            guard
                bytes.matches("pict", at: handler + 8)
                    || bytes.matches("auxv", at: handler + 8) && kinds.contains(where: isAlpha)
            else { continue }
            keepInner(box, depth: 0)
            var samples: [Range<Int>] = []
            _ = SampleTable.check(box.content, bytes) { samples.append($0) }
            for sample in samples { copy(sample) }
        }
    }

    /// Keeps what is needed of a box in a track.
    private mutating func keepInner(_ box: Box, depth: Int) {
        let (name, start) = (ISOMedia.text(of: box.name), box.content.lowerBound)
        var inner = box.content
        switch name {
        case "trak", "mdia", "minf", "stbl", "edts", "tref", "dinf": keep(box, 0..<0)
        case "hdlr": return keep(box, 8..<12)
        case "dref", "stsd":
            keep(box, 0..<8)
            inner = inner.dropFirst(8)
        // A file's own samples: no address follows.
        case "url ": return keep(box, 0..<4)
        case "av01", "hvc1", "hev1":
            // What it is without reserved bytes and the name of what coded it.
            for range in [6..<8, 24..<36, 40..<42, 74..<78] { keep(box, range) }
            inner = inner.dropFirst(78)
        default:
            guard keepProperty(box) else { return }
            // When it was made, its language, and what is reserved.
            let (isLong, end) = (bytes.byte(at: start) == 1, start + (knownLength(box) ?? 0))
            let empty: [Range<Int>] =
                switch name {
                case "mvhd": [end - 74..<end - 64, end - 28..<end - 4]
                case "tkhd": [end - 60..<end - 52]
                case "mdhd": [end - 4..<end]
                default: []
                }
            for range in empty + (empty.isEmpty ? [] : [start + 4..<start + (isLong ? 20 : 12)]) {
                cleaned.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
            }
            return
        }
        guard depth < 8 else { return }
        for box in ISOMedia.boxes(in: inner, bytes) {
            hide(box)
            keepInner(box, depth: depth + 1)
        }
    }
}

import Foundation

/// Where a file keeps its metadata; any of it may be damaged.
struct MetadataBlocks {
    /// A TIFF of its own, with the tags of camera, author and position below it.
    var exif: Range<Int>?
    /// CR3: the tags of the exposure and of the position, each a TIFF of its own.
    var exifDetails: Range<Int>?
    var position: Range<Int>?
    /// A packet of XML.
    var xmp: Range<Int>?
    /// Photoshop's resources, one of them IPTC's.
    var photoshop: Range<Int>?
    /// IPTC's records themselves.
    var iptc: Range<Int>?
}

/// What a picture's file says of itself: when, with what, by whom, where, and about what.
///
/// All text is untrusted. Reading is bounded, whatever the file: some hundred directory entries, 1 MiB of
/// XMP, 256 KiB of IPTC.
struct PictureMetadata: Hashable, Sendable {
    var taken: CameraTime?
    var camera: String?
    var lens: String?
    /// Such as `50 mm`.
    var focalLength: String?
    var iso: String?
    /// Seconds, such as `1/640`.
    var shutterSpeed: String?
    /// Such as `f/2.8`.
    var aperture: String?
    var artist: String?
    var copyright: String?
    /// Degrees north and east.
    var latitude: Double?
    var longitude: Double?
    var title: String?
    var description: String?
    var keywords: [String] = []
    /// The orientation of the stored pixels, 1 to 8.
    var orientation: Int?
    /// The small JPEG that the camera stored.
    var thumbnail: Range<Int>?

    /// No text is longer than so many bytes, and no list longer than so many keywords.
    static let (longestText, mostKeywords) = (4096, 256)

    /// The metadata of the first `length` bytes of an open file; empty where it has none. This blocks.
    init(descriptor: Int32, length: Int64, type: PictureType) {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        self = (try? PictureMetadata(&bytes, type)) ?? PictureMetadata()
    }

    init() {}

    init<Bytes: PictureBytes>(_ bytes: inout Bytes, _ type: PictureType) throws(Bytes.Failure) {
        let blocks: MetadataBlocks =
            switch type {
            case .jpeg: try JPEG.metadata(&bytes)
            case .png: try PNG.metadata(&bytes)
            case .gif, .bmp: MetadataBlocks()
            case .webp: try WebP.metadata(&bytes)
            case .avif, .heic, .heif: try ISOMedia.metadata(&bytes)
            case .jxl: try JPEGXL.metadata(&bytes)
            case .tiff: try TIFF.metadata(&bytes)
            case .cr2, .cr3, .nef, .arw, .dng, .raf, .orf, .rw2: try CameraRaw.metadata(&bytes, type)
            }
        if let exif = blocks.exif { try EXIF.read(exif, into: &self, &bytes) }
        if let details = blocks.exifDetails { try EXIF.readDetails(details, into: &self, &bytes) }
        if let position = blocks.position { try EXIF.readPosition(position, into: &self, &bytes) }
        if let xmp = blocks.xmp {
            complete(with: XMP(try bytes.array(xmp, limit: 1 << 20)).metadata)
        }
        var records = blocks.iptc
        if records == nil, let photoshop = blocks.photoshop {
            records = try IPTC.range(inPhotoshop: photoshop, &bytes)
        }
        if let records { complete(with: IPTC.metadata(try bytes.array(records, limit: 1 << 18))) }
    }

    /// Fills what is unknown so far; keywords of all blocks count.
    private mutating func complete(with other: PictureMetadata) {
        taken = taken ?? other.taken
        camera = camera ?? other.camera
        lens = lens ?? other.lens
        artist = artist ?? other.artist
        copyright = copyright ?? other.copyright
        // What somebody typed counts more than what a camera writes on every picture.
        title = other.title ?? title
        description = other.description ?? description
        for keyword in other.keywords where !keywords.contains(keyword) && keywords.count < Self.mostKeywords
        {
            keywords.append(keyword)
        }
    }

    /// A text as files hold it: UTF-8, or else Latin-1; up to its first zero, trimmed; `nil` where empty.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 }.prefix(longestText))
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// A moment as a camera notes it: the clock on the wall, and the zone where it is known.
struct CameraTime: Hashable, Sendable {
    /// Such as `2011-11-05T15:54:37`.
    let clock: String
    /// Such as `+02:00` or `Z`; `nil` where unknown.
    let zone: String?

    /// The moment itself; in UTC where the zone is unknown.
    var date: Date? { try? Date(clock + (zone ?? "Z"), strategy: .iso8601) }

    /// A time in EXIF's form (`2011:11:05 15:54:37`) or ISO 8601's; `nil` for anything else.
    ///
    /// - Parameter zone: where the text itself names none.
    init?(_ text: String, zone: String? = nil) {
        guard
            let match = text.wholeMatch(
                of: #/(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?/#)
        else { return nil }
        let (year, month, day, hour, minute) = (match.1, match.2, match.3, match.4, match.5)
        let date = "\(year)-\(month)-\(day)T\(hour):\(minute):\(match.6 ?? "00")"
        let own = (match.7.map(String.init) ?? zone).flatMap { Self.isZone($0) ? $0 : nil }
        // Cameras without a clock write zeros.
        guard let moment = try? Date(date + "Z", strategy: .iso8601), year != "0000",
            moment.formatted(.iso8601).hasPrefix(date)
        else { return nil }
        (clock, self.zone) = (date, own)
    }

    private static func isZone(_ text: String) -> Bool {
        text.wholeMatch(of: #/Z|[+-](0\d|1[0-4]):[0-5]\d/#) != nil
    }
}

/// EXIF's tags, each of which may be missing, of another type, or out of bounds.
///
/// Source: Exif 2.32, 4.6; tags `XP…` as Windows writes them.
enum EXIF {
    static func read<Bytes: PictureBytes>(
        _ range: Range<Int>, into metadata: inout PictureMetadata, _ bytes: inout Bytes
    ) throws(Bytes.Failure) {
        guard var tiff = try TIFF(&bytes, in: range) else { return }
        let main = try tiff.directory(at: tiff.first, &bytes)
        metadata.orientation = try tiff.orientation(main, &bytes)
        let make = try text(main[0x10F], &bytes)
        metadata.camera = camera(make: make, model: try text(main[0x110], &bytes))
        metadata.artist = try text(main[0x13B], &bytes)
        if metadata.artist == nil { metadata.artist = try wideText(main[0x9C9D], &bytes) }
        metadata.copyright = try text(main[0x8298], &bytes)
        metadata.description = try text(main[0x10E], &bytes)
        metadata.title = try wideText(main[0x9C9B], &bytes)
        let keywords = try wideText(main[0x9C9E], &bytes)?.split(separator: ";") ?? []
        metadata.keywords = keywords.compactMap { PictureMetadata.text($0.utf8) }
        if let offset = try tiff.numbers(main[0x8769], &bytes).first.flatMap(tiff.absolute) {
            try readDetails(try tiff.directory(at: offset, &bytes), tiff, into: &metadata, &bytes)
        }
        if let offset = try tiff.numbers(main[0x8825], &bytes).first.flatMap(tiff.absolute) {
            try readPosition(try tiff.directory(at: offset, &bytes), tiff, into: &metadata, &bytes)
        }
        if let next = main.next, next != 0, let offset = tiff.absolute(next) {
            let second = try tiff.directory(at: offset, &bytes)
            metadata.thumbnail = try thumbnail(second, tiff, &bytes)
        }
    }

    static func readDetails<Bytes: PictureBytes>(
        _ range: Range<Int>, into metadata: inout PictureMetadata, _ bytes: inout Bytes
    ) throws(Bytes.Failure) {
        guard var tiff = try TIFF(&bytes, in: range) else { return }
        try readDetails(try tiff.directory(at: tiff.first, &bytes), tiff, into: &metadata, &bytes)
    }

    static func readPosition<Bytes: PictureBytes>(
        _ range: Range<Int>, into metadata: inout PictureMetadata, _ bytes: inout Bytes
    ) throws(Bytes.Failure) {
        guard var tiff = try TIFF(&bytes, in: range) else { return }
        try readPosition(try tiff.directory(at: tiff.first, &bytes), tiff, into: &metadata, &bytes)
    }

    private static func readDetails<Bytes: PictureBytes>(
        _ directory: TIFF.Directory, _ tiff: TIFF, into metadata: inout PictureMetadata,
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) {
        metadata.taken = try time(directory[0x9003], zone: directory[0x9011], &bytes)
        if metadata.taken == nil {
            metadata.taken = try time(directory[0x9004], zone: directory[0x9012], &bytes)
        }
        metadata.lens = try text(directory[0xA434], &bytes)
        metadata.iso = try tiff.numbers(directory[0x8827], &bytes).first.flatMap { $0 > 0 ? "\($0)" : nil }
        if let (number, divisor) = try fractions(directory[0x829A], tiff, &bytes).first, number > 0 {
            metadata.shutterSpeed = exposure(number, divisor)
        }
        if let (number, divisor) = try fractions(directory[0x829D], tiff, &bytes).first, number > 0 {
            metadata.aperture = "f/" + decimal(number / divisor)
        }
        if let (number, divisor) = try fractions(directory[0x920A], tiff, &bytes).first, number > 0 {
            metadata.focalLength = decimal(number / divisor) + " mm"
        }
    }

    private static func readPosition<Bytes: PictureBytes>(
        _ directory: TIFF.Directory, _ tiff: TIFF, into metadata: inout PictureMetadata,
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) {
        func degrees(_ entry: TIFF.Entry?, _ limit: Double) throws(Bytes.Failure) -> Double? {
            let parts = try fractions(entry, tiff, &bytes)
            guard parts.count == 3 else { return nil }
            let sum = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0.0 / $1.0.1 / $1.1 }
            return sum <= limit ? (sum * 1e6).rounded() / 1e6 : nil
        }
        guard let north = try degrees(directory[2], 90), let east = try degrees(directory[4], 180) else {
            return
        }
        metadata.latitude = try text(directory[1], &bytes) == "S" ? -north : north
        metadata.longitude = try text(directory[3], &bytes) == "W" ? -east : east
    }

    private static func thumbnail<Bytes: PictureBytes>(
        _ directory: TIFF.Directory, _ tiff: TIFF, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Range<Int>? {
        guard let offset = try tiff.numbers(directory[0x201], &bytes).first,
            let length = try tiff.numbers(directory[0x202], &bytes).first, length > 0,
            let start = tiff.absolute(offset), length <= tiff.range.upperBound - start
        else { return nil }
        return start..<start + length
    }

    // MARK: - Values

    private static func text<Bytes: PictureBytes>(
        _ entry: TIFF.Entry?, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> String? {
        // Text, or bytes of any use, as some write text that is not ASCII; 129 is UTF-8.
        guard let entry, [1, 2, 7, 129].contains(entry.type) else { return nil }
        return PictureMetadata.text(try raw(entry, &bytes))
    }

    /// A text in UTF-16, least significant byte first.
    private static func wideText<Bytes: PictureBytes>(
        _ entry: TIFF.Entry?, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> String? {
        guard let entry, entry.type == 1 else { return nil }
        let raw = try raw(entry, &bytes)
        let units = stride(from: 0, to: raw.count - 1, by: 2).map {
            UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8
        }
        return PictureMetadata.text(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func raw<Bytes: PictureBytes>(
        _ entry: TIFF.Entry, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> [UInt8] {
        let length = min(entry.count, PictureMetadata.longestText)
        return try bytes.array(entry.offset..<entry.offset + length, limit: length)
    }

    private static func time<Bytes: PictureBytes>(
        _ entry: TIFF.Entry?, zone: TIFF.Entry?, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> CameraTime? {
        guard let text = try text(entry, &bytes) else { return nil }
        return CameraTime(text, zone: try self.text(zone, &bytes))
    }

    /// Up to three fractions, their divisors above 0.
    private static func fractions<Bytes: PictureBytes>(
        _ entry: TIFF.Entry?, _ tiff: TIFF, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> [(Double, Double)] {
        guard let entry, entry.type == 5 else { return [] }
        var fractions: [(Double, Double)] = []
        for index in 0..<min(entry.count, 3) {
            guard let number = try tiff.number(at: entry.offset + 8 * index, 4, &bytes),
                let divisor = try tiff.number(at: entry.offset + 8 * index + 4, 4, &bytes), divisor > 0
            else { break }
            fractions.append((Double(number), Double(divisor)))
        }
        return fractions
    }

    private static func exposure(_ number: Double, _ divisor: Double) -> String {
        let seconds = number / divisor
        // Below a third of a second people speak of fractions.
        return seconds < 0.3 ? "1/\(Int((1 / seconds).rounded()))" : decimal(seconds)
    }

    private static func decimal(_ number: Double) -> String {
        let rounded = (number * 10).rounded() / 10
        return rounded == rounded.rounded() && rounded < 1e9 ? "\(Int(rounded))" : "\(rounded)"
    }

    /// The camera's name, its maker's once.
    static func camera(make: String?, model: String?) -> String? {
        guard let model else { return make }
        guard let make, let word = make.split(separator: " ").first else { return model }
        return model.lowercased().hasPrefix(word.lowercased()) ? model : "\(make) \(model)"
    }
}

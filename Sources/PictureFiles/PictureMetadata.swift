import Basics
import Foundation

/// Where a file keeps its metadata; any of it may be damaged.
package struct MetadataBlocks {
    /// A TIFF of its own, with the tags of camera, author and position below it.
    package var exif: Range<Int>?
    /// CR3: the tags of the exposure and of the position, each a TIFF of its own.
    var exifDetails: Range<Int>?
    var position: Range<Int>?
    /// A packet of XML.
    package var xmp: Range<Int>?
    /// Photoshop's resources, one of them IPTC's.
    var photoshop: Range<Int>?
    var iptc: Range<Int>?
    /// What a PNG says in texts of its own.
    var texts = PictureMetadata()
    /// A color profile, or its beginning.
    var profile: Range<Int>?
    /// The name of a color profile, where the profile itself is compressed.
    var profileName: Range<Int>?

    var hasProfile: Bool { profile != nil || profileName != nil }
}

/// What a picture's file says of itself: when, with what, by whom, where, and about what.
///
/// All text is untrusted. Reading is bounded: some hundred directory entries, 1 MiB of XMP, 256 KiB of IPTC.
package struct PictureMetadata: Hashable, Sendable {
    /// When it was taken, or else made: the clock on the wall, and its zone where that is known.
    package var taken: WrittenDate? {
        get { original ?? made }
        set { original = newValue }
    }
    /// When it was taken, and when the file was made or uploaded, which counts only where no source has the former.
    private var original: WrittenDate?
    package var made: WrittenDate?
    package var camera: String?
    package var lens: String?
    /// Such as `50 mm`.
    package var focalLength: String?
    package var iso: String?
    /// Seconds, such as `1/640`.
    package var shutterSpeed: String?
    /// Such as `f/2.8`.
    package var aperture: String?
    package var artist: String?
    package var copyright: String?
    /// What is to be printed beside it, the terms of its use, and where those can be read.
    var (credit, usageTerms, rightsPage): (String?, String?, String?)
    /// Degrees north and east.
    package var latitude: Double?
    package var longitude: Double?
    package var title: String?
    package var description: String?
    /// What it shows, for those who do not see it.
    package var alt: String?
    package var keywords: [String] = []
    /// What its color profile calls itself, such as `Display P3`.
    package var colorProfile: String?
    /// Stars from 0 to 5, where 0 says that there are none.
    package var rating: Int?
    /// The orientation of the stored pixels, 1 to 8.
    package var orientation: Int?
    /// The small JPEG that the camera stored.
    package var thumbnail: Range<Int>?
    /// Which source has which fields, in the order in which sources count; empty for what one source says.
    package private(set) var origins: [MetadataOrigin] = []

    /// No text is longer than so many bytes, and no list longer than so many keywords.
    static let (longestText, mostKeywords) = (4096, 256)

    package init() {}

    /// The metadata of a picture; empty where it has none, or reading fails.
    ///
    /// What somebody typed counts more than what a camera writes on every picture: XMP, then IPTC, EXIF, and a PNG's
    /// texts. The keywords of all count.
    package init(_ bytes: PictureBytes, _ type: PictureType) {
        let blocks = type.format.reader.metadata(bytes)
        func directory(_ range: Range<Int>?) -> EXIF? { range.flatMap { EXIF(bytes, in: $0) } }
        if let xmp = blocks.xmp {
            complete(with: XMP(bytes.array(xmp, limit: 1 << 20)).metadata, from: "XMP")
        }
        if let records = blocks.iptc ?? blocks.photoshop.flatMap({ IPTC.range(inPhotoshop: $0, bytes) }) {
            complete(with: IPTC.metadata(bytes.array(records, limit: 1 << 18)), from: "IPTC")
        }
        var exif = PictureMetadata()
        directory(blocks.exif)?.read(into: &exif)
        directory(blocks.exifDetails)?.readDetails(into: &exif)
        directory(blocks.position)?.readPosition(into: &exif)
        complete(with: exif, from: "EXIF")
        if type == .png { complete(with: blocks.texts, from: "PNG") }
        colorProfile =
            blocks.profile.flatMap { ColorProfile.name(bytes, in: $0) }
            ?? blocks.profileName.flatMap { PictureMetadata.text(bytes.array($0, limit: 80)) }
        if bytes.failure != nil { self = PictureMetadata() }
    }

    /// Fills what is unknown so far with what a source says that counts less.
    ///
    /// - Parameters:
    ///   - source: What to call it, unless it is made of several, which it names itself.
    ///   - addsKeywords: Whether its keywords count beside those that are known.
    package mutating func complete(
        with other: PictureMetadata, from source: String, addsKeywords: Bool = true
    ) {
        var origin = MetadataOrigin(source: source)
        func fill<Value>(_ mine: inout Value?, _ theirs: Value?, _ field: MetadataField? = nil) {
            guard let theirs else { return }
            if mine == nil { mine = theirs }
            if let field { origin.fields |= 1 << field.rawValue }
        }
        fill(&title, Self.written(other.title), .title)
        fill(&description, Self.written(other.description), .description)
        fill(&alt, other.alt, .alt)
        fill(&artist, other.artist, .author)
        fill(&copyright, other.copyright, .rights)
        // Of two sources with the same clock, that which knows its zone.
        if let mine = original, let theirs = other.original, mine.offset == nil,
            mine.precision == theirs.precision,
            mine.date == theirs.date + Double(theirs.offset ?? 0)
        {
            original = theirs
        }
        fill(&original, other.original, .taken)
        fill(&made, other.made, .made)
        fill(&rating, other.rating, .stars)
        fill(&camera, other.camera.flatMap(Self.naming), .camera)
        fill(&lens, other.lens.flatMap(Self.naming), .lens)
        fill(&shutterSpeed, other.shutterSpeed, .exposure)
        fill(&aperture, other.aperture, .exposure)
        fill(&iso, other.iso, .exposure)
        fill(&focalLength, other.focalLength, .exposure)
        if latitude == nil || longitude == nil { (latitude, longitude) = (other.latitude, other.longitude) }
        if other.latitude != nil { origin.fields |= 1 << MetadataField.place.rawValue }
        fill(&credit, other.credit)
        fill(&usageTerms, other.usageTerms)
        fill(&rightsPage, other.rightsPage)
        fill(&colorProfile, other.colorProfile)
        fill(&orientation, other.orientation)
        fill(&thumbnail, other.thumbnail)
        if !other.keywords.isEmpty { origin.fields |= 1 << MetadataField.tags.rawValue }
        let takesKeywords = addsKeywords || keywords.isEmpty
        for keyword in other.keywords
        where takesKeywords && !keywords.contains(keyword) && keywords.count < Self.mostKeywords {
            keywords.append(keyword)
        }
        if !other.origins.isEmpty {
            origins += other.origins
        } else if origin.fields != 0 {
            origins.append(origin)
        }
    }

    /// A title or a description, unless a camera or a program writes it on every picture.
    private static func written(_ text: String?) -> String? {
        guard let text, text.utf8.count < 64 else { return text }
        let folded = text.lowercased()
        let isPath = folded.hasPrefix("dcim\\") || folded.hasPrefix("dcim/")
        return isPath || machines.contains(folded) ? nil : text
    }

    private static let machines: Set = [
        "olympus digital camera", "minolta digital camera", "konica minolta digital camera", "digital camera",
        "samsung camera pictures", "samsung", "sony dsc", "kodak digital still camera", "exif_jpeg_picture",
        "exif_jpeg_t422", "jpeg_t422", "created by imlib", "default title", "binary comment", "charset=ascii",
        "untitled", "dav", "edf", "mde", "btf", "cof", "hdr", "rhdr", "hdrpl", "oznor", "oznorwo", "sdr_hdrb",
        "burst", "ptr", "rbt", "fbt", "fshbty", "qrf", "rpt", "nor",
    ]

    /// The name of a camera or a lens, unless it is only dashes.
    private static func naming(_ name: String) -> String? {
        name.contains { $0.isLetter || $0.isNumber } ? name : nil
    }

    /// A text as files hold it: UTF-8, or else Latin-1; up to its first zero, trimmed; `nil` where empty.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 }.prefix(longestText))
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        // Most have nothing to trim, and Foundation takes longer to see that than all else takes here.
        if let first = text.utf8.first, let last = text.utf8.last, (0x21...0x7E).contains(first),
            (0x21...0x7E).contains(last)
        {
            return text
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// A field of ``PictureMetadata`` that several sources may have; the raw value is its bit.
package enum MetadataField: UInt16, CaseIterable, Sendable {
    case title, description, alt, author, rights, tags, taken, made, stars, camera, lens, exposure, place
}

/// A source of metadata: a block such as `EXIF`, or a file beside the picture. The name is untrusted text.
package struct MetadataOrigin: Hashable, Sendable {
    package let source: String
    fileprivate(set) var fields: UInt16 = 0

    package func has(_ field: MetadataField) -> Bool { fields >> field.rawValue & 1 == 1 }
}

/// A directory of EXIF's tags, each of which may be missing, of another type, or out of bounds.
///
/// Source: Exif 2.32, 4.6; tags `XP…` as Windows writes them.
struct EXIF {
    private let bytes: PictureBytes
    private let tiff: TIFF
    private let directory: TIFF.Directory

    /// The first directory of a TIFF that fills `range`.
    init?(_ bytes: PictureBytes, in range: Range<Int>) {
        guard let tiff = TIFF(bytes, in: range) else { return nil }
        (self.bytes, self.tiff, directory) = (bytes, tiff, tiff.directory(at: tiff.first))
    }

    /// The directory that another one names; `nil` where `offset` is, or leads nowhere.
    private init?(at offset: Int?, of other: EXIF) {
        guard let start = offset.flatMap(other.tiff.absolute) else { return nil }
        (bytes, tiff, directory) = (other.bytes, other.tiff, other.tiff.directory(at: start))
    }

    func read(into metadata: inout PictureMetadata) {
        metadata.orientation = tiff.orientation(directory)
        metadata.camera = Self.camera(make: text(0x10F), model: text(0x110))
        metadata.artist = text(0x13B) ?? wideText(0x9C9D)
        metadata.copyright = text(0x8298)
        metadata.description = text(0x10E)
        metadata.title = wideText(0x9C9B)
        let keywords = wideText(0x9C9E)?.split(separator: ";") ?? []
        metadata.keywords = keywords.prefix(PictureMetadata.mostKeywords)
            .compactMap { PictureMetadata.text($0.utf8) }
        EXIF(at: tiff.number(directory[0x8769]), of: self)?.readDetails(into: &metadata)
        EXIF(at: tiff.number(directory[0x8825]), of: self)?.readPosition(into: &metadata)
        // The next directory is the thumbnail's; 0 means that there is none.
        metadata.thumbnail = EXIF(at: directory.next.flatMap { $0 == 0 ? nil : $0 }, of: self)?.thumbnail
    }

    func readDetails(into metadata: inout PictureMetadata) {
        metadata.taken = time(0x9003, zone: 0x9011) ?? time(0x9004, zone: 0x9012)
        metadata.lens = text(0xA434)
        metadata.iso = tiff.number(directory[0x8827]).flatMap { $0 > 0 ? "\($0)" : nil }
        metadata.shutterSpeed = fraction(0x829A).map(Self.exposure)
        metadata.aperture = fraction(0x829D).map { "f/" + Self.decimal($0) }
        metadata.focalLength = fraction(0x920A).map { Self.decimal($0) + " mm" }
    }

    func readPosition(into metadata: inout PictureMetadata) {
        guard let north = degrees(2, limit: 90), let east = degrees(4, limit: 180) else { return }
        metadata.latitude = text(1) == "S" ? -north : north
        metadata.longitude = text(3) == "W" ? -east : east
    }

    private var thumbnail: Range<Int>? {
        guard let offset = tiff.number(directory[0x201]), let length = tiff.number(directory[0x202]),
            length > 0, let start = tiff.absolute(offset), length <= tiff.range.upperBound - start
        else { return nil }
        return start..<start + length
    }

    // MARK: - Values

    private func text(_ tag: Int) -> String? {
        // Text, or bytes of any use, as some write text that is not ASCII; 129 is UTF-8.
        raw(tag, ofTypes: [1, 2, 7, 129]).flatMap { PictureMetadata.text($0) }
    }

    /// A text in UTF-16, least significant byte first.
    private func wideText(_ tag: Int) -> String? {
        guard let raw = raw(tag, ofTypes: [1]) else { return nil }
        let units = stride(from: 0, to: raw.count - 1, by: 2).map {
            UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8
        }
        return PictureMetadata.text(String(decoding: units, as: UTF16.self).utf8)
    }

    private func raw(_ tag: Int, ofTypes types: [Int]) -> [UInt8]? {
        guard let entry = directory[tag], types.contains(entry.type) else { return nil }
        return bytes.array(entry.offset..<entry.offset + entry.count, limit: PictureMetadata.longestText)
    }

    private func time(_ tag: Int, zone: Int) -> WrittenDate? {
        text(tag).flatMap { WrittenDate($0, zone: text(zone)) }
    }

    private func degrees(_ tag: Int, limit: Double) -> Double? {
        let parts = fractions(tag)
        guard parts.count == 3 else { return nil }
        let sum = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        return sum <= limit ? (sum * 1e6).rounded() / 1e6 : nil
    }

    private func fraction(_ tag: Int) -> Double? { fractions(tag).first.flatMap { $0 > 0 ? $0 : nil } }

    /// Up to three fractions, up to the first without a value.
    private func fractions(_ tag: Int) -> [Double] {
        guard let entry = directory[tag], entry.type == 5 else { return [] }
        var fractions: [Double] = []
        for index in 0..<min(entry.count, 3) {
            guard let number = tiff.number(at: entry.offset + 8 * index, 4),
                let divisor = tiff.number(at: entry.offset + 8 * index + 4, 4), divisor > 0,
                // What is unknown is so written.
                number < 0xFFFF_FFFF, divisor < 0xFFFF_FFFF
            else { break }
            fractions.append(Double(number) / Double(divisor))
        }
        return fractions
    }

    private static func exposure(_ seconds: Double) -> String {
        // Below a third of a second people speak of fractions.
        seconds < 0.3 ? "1/\(Int((1 / seconds).rounded()))" : decimal(seconds)
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

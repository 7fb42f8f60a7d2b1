import Foundation
import PictureFiles

/// What the files next to a picture say of it: XMP files, and one JSON file that `fetch` or Google Takeout wrote.
struct FilesBeside: Sendable {
    /// Kinds of files, as bits: most pictures have none beside them, and what is not there is not looked for.
    static let (json, xmp): (UInt32, UInt32) = (1, 2)

    static func kind(of name: String) -> UInt32 {
        name.hasSuffix(".json") ? json : name.hasSuffix(XMPSidecar.ending) ? xmp : 0
    }

    /// The photo that was fetched.
    private(set) var note: Photo?
    /// What counts more than what the picture's file says, and what fills its gaps.
    private(set) var (before, behind) = (PictureMetadata(), PictureMetadata())

    /// The maximum of a JSON file in bytes: a page of a hundred photos with notes must stay below a list's size limit.
    private static let longest: Int64 = 256 * 1024

    /// Reads those of the picture at `path`.
    ///
    /// - Parameter triesTakeouts: Whether any JSON file may be Takeout's, which has thirty names for each picture's.
    init(_ path: String, below root: String, _ kinds: UInt32, triesTakeouts: Bool = true) {
        let name = FolderFile.name(path)
        let folder = path.dropLast(name.count)
        for sidecar in kinds & Self.xmp != 0 ? XMPSidecar.names(of: name) : [] {
            guard let packet = FolderFile.text(at: folder + sidecar, below: root, limit: XMPSidecar.longest)
            else { continue }
            before.complete(with: XMP(packet).metadata, from: sidecar, addsKeywords: false)
        }
        let takeouts = kinds & Self.json != 0 && triesTakeouts ? Self.takeouts(of: name) : []
        for json in kinds & Self.json != 0 ? Self.notes(of: name) + takeouts : [] {
            guard let text = FolderFile.text(at: folder + json, below: root, limit: Self.longest),
                let fields = JSONDocument(Data(text)).root
            else { continue }
            if let photo = DescribedPhoto(fields)?.entry.photo {
                note = photo
                before.complete(with: PictureMetadata(photo), from: json, addsKeywords: false)
            } else if let taken = fields.object("photoTakenTime") {
                behind.complete(with: PictureMetadata(takeout: fields, taken), from: json)
            } else {
                continue
            }
            break
        }
    }

    // MARK: - Names

    /// For `a.jpg`, `a.json`, which `fetch` writes, or others' `a.jpg.json`.
    private static func notes(of picture: String) -> [String] {
        [picture.lastIndex(of: ".").map { String(picture[..<$0]) } ?? picture, picture].map { $0 + ".json" }
    }

    /// Takeout's names: any beginning of its word, a copy's number before or after that, an edited picture's as the
    /// original's, and no more than 46 characters before the ending.
    static func takeouts(of picture: String) -> [String] {
        let dot = picture.lastIndex(of: ".") ?? picture.endIndex
        let (stem, ending) = (picture[..<dot], picture[dot...])
        var copies: [(name: String, number: Substring)] = [(picture, "")]
        func add(_ stem: Substring) {
            guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex else {
                return
            }
            copies.append((String(stem[..<open] + ending), stem[open...]))
        }
        add(stem)
        if let edited = stem.range(of: "-edited", options: .backwards) {
            let original = stem[..<edited.lowerBound] + stem[edited.upperBound...]
            copies.append((String(original + ending), ""))
            add(original)
        }
        let word = ".supplemental-metadata"
        return copies.flatMap { name, number in
            (0..<word.count).map { "\(name)\(word.dropLast($0))\(number).json" }
                + (name.count > 46 ? ["\(name.prefix(46))\(number).json"] : ["\(name)\(number).json"])
        }
    }

    /// What the names of a picture and of the files beside it have in common, hashed: those of other pictures may too.
    static func hash(of name: String) -> Int {
        var (bytes, hasher) = (Array(name.utf8.prefix { ![0x28, 0x2E].contains($0) }), Hasher())
        if let edited = bytes.firstRange(of: Array("-edited".utf8)) {
            bytes.removeSubrange(edited.lowerBound...)
        }
        Array(bytes.prefix(30)).withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

extension PictureMetadata {
    /// What is known of a photo that was fetched. Its stars are those that it had then.
    fileprivate init(_ photo: Photo) {
        self.init()
        title = photo.title.isEmpty ? nil : photo.title
        (description, alt, keywords, taken) = (photo.description, photo.alt, photo.tags, photo.takenDate)
        (artist, copyright) = (photo.author?.name, photo.attribution)
    }

    /// Takeout tells the moment in UTC, wherever that was, and knows no place as 0, 0.
    fileprivate init(takeout fields: JSONNode, _ taken: JSONNode) {
        self.init()
        description = fields.string("description").flatMap { $0.isEmpty ? nil : $0 }
        // 0 stands for unknown; scans of old prints are before 1970.
        made = taken.int("timestamp").flatMap { seconds in
            guard seconds != 0, (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
            return WrittenDate(Date(timeIntervalSince1970: Double(seconds)), offset: 0)
        }
        let place = fields.object("geoData")
        guard let north = place?.double("latitude"), let east = place?.double("longitude"),
            (-90...90).contains(north), (-180...180).contains(east), (north, east) != (0, 0)
        else { return }
        (latitude, longitude) = (north, east)
    }
}

import Foundation

/// Which files of a folder are its site's: what each of them said when it was written, as digests by path.
struct SiteRecord {
    /// The record's own path in the site's folder.
    static let name = PageMark.name
    private static let title = PageMark.title

    /// Where a picture came from, as far as others may know: of what file, by a digest of its identity, with what
    /// content.
    struct Picture: Hashable, Sendable {
        let path: String
        /// The digest of the file that came.
        let origin: String
        /// How much of what it says of itself was kept, and whether that was all.
        let metadata: PublishedMetadata
        let isIntact: Bool
    }

    private var digests: [String: Set<String>] = [:]
    /// By the digest of what they are of.
    private(set) var pictures: [String: Picture] = [:]
    /// Which of them is at a path.
    private var keys: [String: String] = [:]

    /// A record of no file.
    init() {}

    /// The record in a site's folder.
    ///
    /// - Throws: ``PublishError/foreign(path:)`` where somebody else's file has its name.
    init(of folder: DestinationFolder) throws(PublishError) {
        guard let text = Self.content(of: Self.name, in: folder) else {
            guard ((try? SystemCall.status(of: Self.name, in: folder.root)) ?? nil) == nil else {
                throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
            }
            self = Self.unrecorded(in: folder)
            return
        }
        let lines = text.split(separator: "\n")
        guard lines.first == Self.title[...] else {
            throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
        }
        for line in lines.dropFirst() { add(line: line) }
    }

    private mutating func add(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return }
        guard parts[0] == Self.picture else { return add(parts[1], parts[0]) }
        let facts = parts[1].split(separator: " ", maxSplits: 3).map(String.init)
        guard facts.count == 4, let metadata = PublishedMetadata(rawValue: facts[2].replacing("+", with: ""))
        else { return }
        add(
            Picture(
                path: facts[3], origin: facts[1], metadata: metadata, isIntact: facts[2].hasSuffix("+")),
            facts[0])
    }

    mutating func add(_ picture: Picture, _ key: String) {
        pictures[key] = picture
        keys[picture.path] = key
    }

    /// Whether a path is that of a picture.
    static func isPicture(_ path: String) -> Bool { ["full/", "thumbs/"].contains(where: path.hasPrefix) }

    /// The picture at `path`.
    func picture(at path: String) -> Picture? {
        keys[path].flatMap { pictures[$0] }.flatMap { $0.path == path ? $0 : nil }
    }

    private static let picture = "picture"

    /// The lines of a picture file, to be added to a record.
    static func lines(of path: String, _ digest: String, _ key: String?, _ picture: Picture?) -> String {
        var lines = "\(digest) \(path)\n"
        if let key, let picture {
            let kept = picture.metadata.rawValue + (picture.isIntact ? "+" : "")
            lines += "\(Self.picture) \(key) \(picture.origin) \(kept) \(picture.path)\n"
        }
        return lines
    }

    /// Adds what ``lines(of:_:_:_:)`` says.
    mutating func add(lines: String) { lines.split(separator: "\n").forEach { add(line: $0) } }

    /// A site from before records were kept: its pages bear the mark, and what else a site has was replaced
    /// by each run.
    private static func unrecorded(in folder: DestinationFolder) -> SiteRecord {
        var record = SiteRecord()
        func isMarked(_ path: String) -> Bool {
            content(of: path, in: folder)?.prefix(512).contains(PageHead.mark) ?? false
        }
        guard isMarked("index.html") else { return record }
        let names = ["", "photo/"].flatMap { prefix in
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: folder.url.appending(path: prefix).path)
            return (names ?? []).filter { $0.hasSuffix(".html") }.map { prefix + $0 }
        }
        for path in ["style.css", "sizes.css", "script.js", "feed.xml", "photos.json"]
            + names.filter(isMarked)
        {
            if let text = content(of: path, in: folder) { record.add(path, digest(text)) }
        }
        return record
    }

    static func content(of path: String, in folder: DestinationFolder) -> String? {
        guard let file = (try? folder.open(path)) ?? nil, let status = try? SystemCall.status(of: file),
            status.isRegular,
            let bytes = try? SystemCall.read(file, at: 0, count: Int(clamping: status.length))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(Digest.hash(bytes)) }

    var paths: Set<String> { Set(digests.keys) }

    /// Whether the file at `path` was written with this digest.
    func has(_ path: String, _ digest: String?) -> Bool {
        digest.map { digests[path, default: []].contains($0) } ?? false
    }

    mutating func add(_ path: String, _ digest: String) { digests[path, default: []].insert(digest) }

    /// Adds a file as another record has it.
    mutating func add(_ path: String, of other: SiteRecord) {
        digests[path] = other.digests[path]
        if let picture = other.picture(at: path), let key = other.keys[path] { add(picture, key) }
    }

    /// The files of both records.
    func merging(_ other: SiteRecord) -> SiteRecord {
        var record = self
        record.digests.merge(other.digests) { $0.union($1) }
        for (key, picture) in other.pictures where pictures[key] == nil { record.add(picture, key) }
        return record
    }

    var text: String {
        let files = digests.flatMap { path, digests in
            digests.map { Self.lines(of: path, $0, nil, nil) }
        }
        let pictures = pictures.map { key, picture in
            Self.lines(of: "", "", key, picture).split(separator: "\n").last.map { $0 + "\n" } ?? ""
        }
        return Self.title + "\n" + files.sorted { $0.dropFirst(17) < $1.dropFirst(17) }.joined()
            + pictures.sorted().joined()
    }
}

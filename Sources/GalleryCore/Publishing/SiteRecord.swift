import Foundation

/// Which files of a folder are its site's: what each of them said when it was written, as digests by path.
struct SiteRecord {
    /// The record's own path in the site's folder.
    static let name = "gallery-web"
    private static let title =
        "What 'gallery web' wrote here. Files that have changed since are not replaced."

    private var digests: [String: Set<String>] = [:]

    /// A record of no file.
    init() {}

    /// The record in a site's folder.
    ///
    /// - Throws: ``PublishError/foreign(path:)`` where somebody else's file has its name.
    init(of folder: DestinationFolder) throws(PublishError) {
        guard let text = Self.content(of: Self.name, in: folder) else {
            self = Self.unrecorded(in: folder)
            return
        }
        let lines = text.split(separator: "\n")
        guard lines.first == Self.title[...] else {
            throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
        }
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { add(String(parts[1]), String(parts[0])) }
        }
    }

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
        for path in ["style.css", "script.js", "feed.xml", "photos.json"] + names.filter(isMarked) {
            if let text = content(of: path, in: folder) { record.add(path, digest(text)) }
        }
        return record
    }

    private static func content(of path: String, in folder: DestinationFolder) -> String? {
        guard let file = (try? folder.open(path)) ?? nil, let status = try? SystemCall.status(of: file),
            status.isRegular,
            let bytes = try? SystemCall.read(file, at: 0, count: Int(clamping: status.length))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func digest(_ text: String) -> String { Hexadecimal.text(Digest.hash(Array(text.utf8))) }

    var paths: Set<String> { Set(digests.keys) }

    /// Whether the file at `path` was written with this digest.
    func has(_ path: String, _ digest: String?) -> Bool {
        digest.map { digests[path, default: []].contains($0) } ?? false
    }

    mutating func add(_ path: String, _ digest: String) { digests[path, default: []].insert(digest) }

    /// Adds a file as another record has it.
    mutating func add(_ path: String, of other: SiteRecord) { digests[path] = other.digests[path] }

    /// The files of both records.
    func merging(_ other: SiteRecord) -> SiteRecord {
        var record = self
        record.digests.merge(other.digests) { $0.union($1) }
        return record
    }

    var text: String {
        let lines = digests.flatMap { path, digests in digests.map { "\($0) \(path)" } }
        return ([Self.title] + lines.sorted { $0.dropFirst(17) < $1.dropFirst(17) }).joined(separator: "\n")
            + "\n"
    }
}

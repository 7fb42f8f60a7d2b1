import Foundation
import GalleryCore
import PictureFiles

/// Which files of a folder are its site's: what each of them said when it was written, as digests by path.
///
/// Digests are kept as numbers: a site may have some hundred thousand files.
struct SiteRecord: Sendable {
    static let name = PageMark.name

    /// Where a picture came from, as far as others may know: its file, by a digest of its identity, and content.
    struct Picture: Hashable, Sendable {
        let path: String
        private let number: UInt64
        /// How much of what it says of itself was kept, and whether that was all.
        let metadata: PublishedMetadata
        let isIntact: Bool

        /// The digest of the file that came.
        var origin: String { Hexadecimal.text(number) }

        init(path: String, origin: String, metadata: PublishedMetadata, isIntact: Bool) {
            (self.path, number) = (path, SiteRecord.number(origin) ?? 0)
            (self.metadata, self.isIntact) = (metadata, isIntact)
        }
    }

    private struct File {
        let digest: UInt64
        /// Those that it was written with later: a run that is killed leaves files of two sites.
        var others: [UInt64] = []

        var digests: [UInt64] { [digest] + others }
    }

    /// By path.
    private var files: [String: File] = [:]
    /// By what they are of, and what that is by their paths.
    private var pictures: [UInt64: Picture] = [:]
    private var keys: [String: UInt64] = [:]
    /// When photos came to the site, by what its feed calls them.
    private(set) var dates: [String: String] = [:]

    init() {}

    /// The record in a site's folder.
    ///
    /// - Throws: ``PublishError/foreign(path:)`` where somebody else's file has its name.
    init(of folder: DestinationFolder) throws(PublishError) {
        guard let (file, length) = Self.file(at: Self.name, in: folder) else {
            guard ((try? SystemCall.status(of: Self.name, in: folder.root)) ?? nil) == nil else {
                throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
            }
            return
        }
        do {
            var lines = FileLines(of: file, to: length)
            let title = try lines.next()
            guard (title ?? lines.rest).elementsEqual(PageMark.title.utf8) else {
                throw SystemCall.Failure(code: EINVAL)
            }
            while let line = try lines.next() { add(line: String(decoding: line, as: UTF8.self)[...]) }
            // One that a killed run has not ended.
            if title != nil { add(line: String(decoding: lines.rest, as: UTF8.self)[...]) }
        } catch {
            throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
        }
    }

    // MARK: - Lines

    private static let picture = "picture"
    private static let dated = "dated"
    /// Which rules of cleaning a picture was published by.
    private static let rules = "2"

    /// What the record's file says of a file, and of the picture that it is.
    static func lines(of path: String, _ digest: String, _ key: String?, _ picture: Picture?) -> String {
        var lines = "\(digest) \(path)\n"
        if let key, let picture { lines += line(of: picture, key) }
        return lines
    }

    private static func line(of picture: Picture, _ key: String) -> String {
        let kept = picture.metadata.rawValue + rules + (picture.isIntact ? "+" : "")
        return "\(Self.picture) \(key) \(picture.origin) \(kept) \(picture.path)\n"
    }

    mutating func add(lines: String) {
        for line in lines.split(separator: "\n") { add(line: line) }
    }

    private mutating func add(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return }
        switch words[0] {
        case Self.picture: add(picture: words[1])
        case Self.dated:
            let words = words[1].split(separator: " ", maxSplits: 1).map(String.init)
            if words.count == 2 { add(date: words[0], of: words[1]) }
        default: add(words[1], words[0])
        }
    }

    private mutating func add(picture line: String) {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        let mark = words.count == 4 ? words[2].replacing("+", with: "") : ""
        // Under older rules more was left.
        guard let kept = PublishedMetadata(rawValue: mark.replacing(Self.rules, with: "")) else { return }
        let picture = Picture(
            path: words[3], origin: words[1], metadata: mark.hasSuffix(Self.rules) ? kept : .keep,
            isIntact: words[2].hasSuffix("+"))
        add(picture, words[0])
    }

    /// What a file says for this record, and for another one beside it: lines of files by their paths, of pictures, and
    /// of dates, each sorted.
    func text(with other: SiteRecord = SiteRecord()) -> [UInt8] {
        var text = Array((PageMark.title + "\n").utf8)
        for path in (files.keys + other.files.keys.filter { files[$0] == nil }).sorted() {
            let own = files[path]?.digests ?? []
            let others = other.files[path]?.digests ?? []
            for digest in own + others.filter({ !own.contains($0) }) {
                text += "\(Hexadecimal.text(digest)) \(path)\n".utf8
            }
        }
        for key in (pictures.keys + other.pictures.keys.filter { pictures[$0] == nil }).sorted() {
            guard let picture = pictures[key] ?? other.pictures[key] else { continue }
            text += Self.line(of: picture, Hexadecimal.text(key)).utf8
        }
        let ofOther = other.dates.filter { dates[$0.key] == nil }
        let lines = [dates, ofOther].joined().map { "\(Self.dated) \($0.value) \($0.key)\n" }
        for line in lines.sorted() { text += line.utf8 }
        return text
    }

    // MARK: - Files

    static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(Digest.hash(bytes)) }

    private static func number(_ digest: String) -> UInt64? { UInt64(digest, radix: 16) }

    var paths: some Sequence<String> { files.keys }

    func hasFile(at path: String) -> Bool { files[path] != nil }

    func has(_ path: String, _ digest: String?) -> Bool {
        guard let digest = digest.flatMap(Self.number) else { return false }
        return files[path]?.digests.contains(digest) == true
    }

    mutating func add(_ path: String, _ digest: String) {
        guard let digest = Self.number(digest) else { return }
        if files[path] == nil { files[path] = File(digest: digest) }
        if files[path]?.digests.contains(digest) == false { files[path]?.others.append(digest) }
    }

    /// Removes a file, with what is known of it as a picture.
    mutating func remove(_ path: String) {
        files[path] = nil
        guard let key = keys.removeValue(forKey: path), pictures[key]?.path == path else { return }
        pictures[key] = nil
    }

    static func content(of path: String, in folder: DestinationFolder) -> String? {
        guard let (file, length) = file(at: path, in: folder) else { return nil }
        return (try? SystemCall.read(file, at: 0, count: Int(clamping: length))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func file(
        at path: String, in folder: DestinationFolder
    ) -> (file: Descriptor, length: Int64)? {
        guard let file = (try? folder.open(path)) ?? nil, let status = try? SystemCall.status(of: file),
            status.isRegular
        else { return nil }
        return (file, status.length)
    }

    // MARK: - Pictures

    static func isPicture(_ path: String) -> Bool { ["full/", "thumbs/"].contains(where: path.hasPrefix) }

    func picture(of key: String) -> Picture? { Self.number(key).flatMap { pictures[$0] } }

    func picture(at path: String) -> Picture? {
        keys[path].flatMap { pictures[$0] }.flatMap { $0.path == path ? $0 : nil }
    }

    mutating func add(_ picture: Picture, _ key: String) {
        guard let key = Self.number(key) else { return }
        pictures[key] = picture
        keys[picture.path] = key
    }

    // MARK: - Dates

    /// Adds when a photo came to the site; the first date stays.
    mutating func add(date: String, of id: String) {
        guard !date.contains(where: \.isWhitespace), !id.contains(where: \.isNewline), dates[id] == nil
        else { return }
        dates[id] = date
    }

    mutating func addDates(of other: SiteRecord) { dates.merge(other.dates) { own, _ in own } }
}

import Foundation
import GalleryCore
import PictureFiles

/// Which files of a folder are its site's: what each of them said when it was written, as digests by path.
struct SiteRecord {
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

    /// Its lines below the title, as the file has them.
    private var lines: [UInt8] = []
    /// Hashes of those that are of files, and of the paths of these.
    private var files: Set<Int> = []
    private var names: Set<Int> = []
    /// The offsets of the last lines of pictures, by the hashes of what they are of, and of their paths.
    private var keys: [Int: Int] = [:]
    private var places: [Int: Int] = [:]
    /// The offsets of lines that say when photos came to the site, by the hashes of what its feed calls them.
    private var dates: [Int: Int] = [:]

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
            self.lines.reserveCapacity(Int(clamping: length))
            let title = try lines.next()
            guard (title ?? lines.rest).elementsEqual(Self.title.utf8) else {
                throw SystemCall.Failure(code: EINVAL)
            }
            while let line = try lines.next() { add(line: line) }
            // One that a killed run has not ended.
            if title != nil { add(line: lines.rest) }
        } catch {
            throw .foreign(path: PublishError.shown(folder.url.appending(path: Self.name)))
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    private mutating func add(line: ArraySlice<UInt8>) {
        guard let space = line.firstIndex(of: Self.space), space > line.startIndex, space + 1 < line.endIndex
        else { return }
        guard !line[..<space].elementsEqual(Self.picture.utf8) else {
            if let (key, picture) = Self.picture(in: line) { add(picture, key) }
            return
        }
        guard Self.isOfFile(line) else {
            if let (id, date) = Self.date(in: line) { add(date: date, of: id) }
            return
        }
        let hash = Self.hash(line)
        guard files.insert(hash).inserted else { return }
        names.insert(Self.hash(line[(space + 1)...]))
        append(line)
    }

    private mutating func append(_ line: some Collection<UInt8>) {
        lines += line
        lines.append(Self.lineFeed)
    }

    private static func date(in line: ArraySlice<UInt8>) -> (id: String, date: String)? {
        let parts = line.split(separator: space, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
        return parts.count == 3 && parts[0] == dated ? (parts[2], parts[1]) : nil
    }

    /// When the photo that the feed calls `id` came to the site, where it was in the feed once.
    func date(of id: String) -> String? {
        guard let offset = dates[Self.hash(id)], let found = Self.date(in: line(at: offset)), found.id == id
        else { return nil }
        return found.date
    }

    /// Adds when a photo came to the site; the first date stays.
    mutating func add(date: String, of id: String) {
        guard !date.contains(where: \.isWhitespace), !id.contains(where: \.isNewline),
            self.date(of: id) == nil
        else { return }
        dates[Self.hash(id)] = lines.count
        append("\(Self.dated) \(date) \(id)".utf8)
    }

    mutating func addDates(of other: SiteRecord) {
        other.forEachLine { line in
            if let (id, date) = Self.date(in: line) { add(date: date, of: id) }
        }
    }

    private static func picture(in line: ArraySlice<UInt8>) -> (key: String, picture: Picture)? {
        let parts = line.split(separator: space, maxSplits: 4).map { String(decoding: $0, as: UTF8.self) }
        let mark = parts.count == 5 ? parts[3].replacing("+", with: "") : ""
        // Under older rules more was left.
        guard let kept = PublishedMetadata(rawValue: mark.replacing(rules, with: "")) else { return nil }
        return (
            parts[1],
            Picture(
                path: parts[4], origin: parts[2], metadata: mark.hasSuffix(rules) ? kept : .keep,
                isIntact: parts[3].hasSuffix("+"))
        )
    }

    mutating func add(_ picture: Picture, _ key: String) {
        guard entry(at: picture.path).map({ $0 == (key, picture) }) != true else { return }
        keys[Self.hash(key)] = lines.count
        places[Self.hash(picture.path)] = lines.count
        append(Self.line(of: picture, key).utf8)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            return hasher.finalize()
        }
    }

    private static func hash(_ text: String) -> Int { hash(Array(text.utf8)[...]) }

    static func isPicture(_ path: String) -> Bool { ["full/", "thumbs/"].contains(where: path.hasPrefix) }

    func picture(of key: String) -> Picture? {
        guard let offset = keys[Self.hash(key)], let found = Self.picture(in: line(at: offset)),
            found.key == key
        else { return nil }
        return found.picture
    }

    private func line(at offset: Int) -> ArraySlice<UInt8> { lines[offset...].prefix { $0 != Self.lineFeed } }

    func picture(at path: String) -> Picture? { entry(at: path)?.picture }

    private func entry(at path: String) -> (key: String, picture: Picture)? {
        guard let offset = places[Self.hash(path)], let (key, _) = Self.picture(in: line(at: offset)),
            let picture = picture(of: key), picture.path == path
        else { return nil }
        return (key, picture)
    }

    private static let picture = "picture"
    /// Which rules of cleaning a picture was published by.
    private static let rules = "2"
    private static let dated = "dated"

    private static func line(of picture: Picture, _ key: String) -> String {
        let kept = picture.metadata.rawValue + rules + (picture.isIntact ? "+" : "")
        return "\(Self.picture) \(key) \(picture.origin) \(kept) \(picture.path)"
    }

    static func lines(of path: String, _ digest: String, _ key: String?, _ picture: Picture?) -> String {
        var lines = "\(digest) \(path)\n"
        if let key, let picture { lines += line(of: picture, key) + "\n" }
        return lines
    }

    mutating func add(lines: String) {
        for line in Array(lines.utf8).split(separator: Self.lineFeed) { add(line: line) }
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

    static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(Digest.hash(bytes)) }

    /// Calls `body` with each path and one of the digests that its file was written with, perhaps more than once.
    func forEachFile(_ body: (_ path: String, _ digest: String) -> Void) {
        forEachLine { line in
            guard let space = line.firstIndex(of: Self.space), Self.isOfFile(line) else { return }
            body(
                String(decoding: line[(space + 1)...], as: UTF8.self),
                String(decoding: line[..<space], as: UTF8.self))
        }
    }

    private func forEachLine(_ body: (_ line: ArraySlice<UInt8>) -> Void) {
        var offset = 0
        while offset < lines.count {
            let line = self.line(at: offset)
            body(line)
            offset = line.endIndex + 1
        }
    }

    private static func isOfPicture(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: picture.utf8) }

    private static func isOfFile(_ line: ArraySlice<UInt8>) -> Bool {
        !isOfPicture(line) && !line.starts(with: dated.utf8)
    }

    func hasFile(at path: String) -> Bool { names.contains(Self.hash(path)) }

    func has(_ path: String, _ digest: String?) -> Bool {
        digest.map { files.contains(Self.hash("\($0) \(path)")) } ?? false
    }

    mutating func add(_ path: String, _ digest: String) { add(line: Array("\(digest) \(path)".utf8)[...]) }

    /// Adds a file of another record, with what that knows of it as a picture.
    mutating func add(_ path: String, _ digest: String, of other: SiteRecord) {
        add(path, digest)
        if let (key, picture) = other.entry(at: path) { add(picture, key) }
    }

    /// What a file says for this record, and for another one beside it: lines of files, of pictures, and of dates, each
    /// sorted.
    func text(with other: SiteRecord = SiteRecord()) -> [UInt8] {
        var (ofFiles, ofPictures, ofDates): ([ArraySlice<UInt8>], [ArraySlice<UInt8>], [ArraySlice<UInt8>])
        (ofFiles, ofPictures, ofDates) = ([], [], [])
        for (record, known) in [(self, SiteRecord()), (other, self)] {
            record.forEachLine { line in
                if Self.isOfFile(line) {
                    if !known.files.contains(Self.hash(line)) { ofFiles.append(line) }
                } else if let (id, _) = Self.date(in: line) {
                    if known.date(of: id) == nil { ofDates.append(line) }
                } else if let (key, _) = Self.picture(in: line),
                    record.keys[Self.hash(key)] == line.startIndex, known.picture(of: key) == nil
                {
                    ofPictures.append(line)
                }
            }
        }
        // By their paths: a digest has sixteen digits.
        ofFiles.sort { $0.dropFirst(17).precedes($1.dropFirst(17)) }
        ofPictures.sort { $0.precedes($1) }
        ofDates.sort { $0.precedes($1) }
        var text = Array((Self.title + "\n").utf8)
        text.reserveCapacity(text.count + lines.count + other.lines.count)
        for line in ofFiles + ofPictures + ofDates {
            text += line
            text.append(Self.lineFeed)
        }
        return text
    }
}

extension ArraySlice<UInt8> {
    fileprivate func precedes(_ other: Self) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { one.lexicographicallyPrecedes($0) } }
    }
}

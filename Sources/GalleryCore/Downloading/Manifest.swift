import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The manifest of a folder, `.gallery.jsonl`: a line for every file that was ever completed there.
///
/// Lines are only appended, each in one write under a lock, so several processes can share a manifest.
/// The last line about a file counts, and a line torn by a crash is skipped. In memory there is only a
/// hash and an offset per file: a few megabytes for a hundred thousand.
final class Manifest: Sendable {
    static let name = ".gallery.jsonl"

    private struct State {
        var file: Descriptor?
        /// Whether `file` can be written too; reading does not require write permission.
        var isWritable = false
        /// The offset of the last line about each file, by the hash of its path as written.
        var files = HashIndex<Int64>()
        /// The same for files that were left out, by the hash of their key.
        var leftOut = HashIndex<Int64>()
        /// The same for files that their host sent broken.
        var broken = HashIndex<Int64>()
        /// How far the manifest has been read, always at the start of a line.
        var scanned: Int64 = 0
        /// Whether it has been read to its end.
        var isRead = false
        /// Whether somebody else has added to it since.
        var isShared = false
    }

    private let folder: DestinationFolder
    private let state = Mutex(State())
    /// Held while appending; the file lock only excludes other processes.
    private let appending = Mutex(())

    init(of folder: DestinationFolder) {
        self.folder = folder
    }

    // MARK: - Reading

    /// The entry of the file at `path`. Includes lines that other processes have just added.
    ///
    /// - Parameter start: ignores lines before this offset.
    func entry(for path: String, from start: Int64 = 0) throws(DownloadError) -> ManifestEntry? {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard let file = state.file, let offset = state.files[Self.hash(of: path)], offset >= start else {
                return nil
            }
            let entry = ManifestEntry(line: try Self.line(in: file, at: offset))
            return entry?.file == path ? entry : nil
        }
    }

    /// Whether somebody else has added lines since the manifest was first read, as far as one can tell.
    func isShared() throws(DownloadError) -> Bool {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            return state.isShared
        }
    }

    /// The entry of `item` if it was left out.
    func omittedEntry(for item: DownloadItem) throws(DownloadError) -> OmittedEntry? {
        let key = OmittedEntry.key(of: item)
        return try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard let file = state.file, let offset = state.leftOut[Self.hash(of: key)] else { return nil }
            let entry = OmittedEntry(line: try Self.line(in: file, at: offset))
            return entry?.leftOut == key ? entry : nil
        }
    }

    /// The entry of `item` if its host sent it broken.
    func brokenEntry(for item: DownloadItem) throws(DownloadError) -> BrokenEntry? {
        let key = OmittedEntry.key(of: item)
        return try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard let file = state.file, let offset = state.broken[Self.hash(of: key)] else { return nil }
            let entry = BrokenEntry(line: try Self.line(in: file, at: offset))
            return entry?.broken == key ? entry : nil
        }
    }

    /// Adds that the host sent `item` complete and broken.
    func noteBroken(
        _ item: DownloadItem, _ part: PartFile, length: Int64, reason: String
    ) throws(DownloadError) {
        guard let digest = try? Digest.text(of: part.file, length: length) else { return }
        let known = try brokenEntry(for: item)
        let entry = BrokenEntry(item, bytes: length, digest: digest, reason: reason, after: known)
        try add(entry.line)
    }

    /// The offset of the last entry of each file, in the order they were added.
    func offsets() throws(DownloadError) -> [Int64] {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            return state.files.all.sorted()
        }
    }

    /// The entry at `offset`; `nil` if its line is torn.
    func entry(at offset: Int64) throws(DownloadError) -> ManifestEntry? {
        try locked { state throws(SystemCall.Failure) in
            guard let file = state.file else { return nil }
            return ManifestEntry(line: try Self.line(in: file, at: offset))
        }
    }

    /// Calls `body` for every file in the manifest, including those that were left out.
    func forEachFile(
        _ body: (_ photo: PhotoID, _ page: Int, _ size: PhotoFileSize) -> Void
    ) throws(DownloadError) {
        for offset in try offsets() {
            if let entry = try entry(at: offset) { body(entry.photo, entry.page, entry.size) }
        }
        for offset in try omittedOffsets() {
            if let file = try omittedEntry(at: offset)?.file { body(file.photo, file.page, file.size) }
        }
    }

    private func omittedOffsets() throws(DownloadError) -> [Int64] {
        try locked { state throws(SystemCall.Failure) in state.leftOut.all }
    }

    private func omittedEntry(at offset: Int64) throws(DownloadError) -> OmittedEntry? {
        try locked { state throws(SystemCall.Failure) in
            guard let file = state.file else { return nil }
            return OmittedEntry(line: try Self.line(in: file, at: offset))
        }
    }

    /// Reads the lines that were added since the last time.
    private func refresh(_ state: inout State) throws(SystemCall.Failure) {
        if state.file == nil { state.file = try Self.open(in: folder, O_RDONLY) }
        guard let file = state.file else { return state.isRead = true }
        let length = try SystemCall.status(of: file).length
        if state.isRead, length > state.scanned { state.isShared = true }
        state.isRead = true
        var line: [UInt8] = []
        var offset = state.scanned
        while offset < length {
            let piece = try SystemCall.read(file, at: offset, count: 65_536)
            if piece.isEmpty { break }
            offset += Int64(piece.count)
            for part in piece.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
                line += part
                Self.index(line, in: &state)
                state.scanned += Int64(line.count) + 1
                line.removeAll(keepingCapacity: true)
            }
            line += piece.suffix(while: { $0 != 0x0A })
        }
    }

    private static func index(_ line: [UInt8], in state: inout State) {
        if let hash = hash(ofLine: line, fileKey) { state.files.put(state.scanned, at: hash) }
        if let hash = hash(ofLine: line, leftOutKey) { state.leftOut.put(state.scanned, at: hash) }
        if let hash = hash(ofLine: line, brokenKey) { state.broken.put(state.scanned, at: hash) }
    }

    // MARK: - Appending

    /// Appends an entry.
    func add(_ entry: ManifestEntry) throws(DownloadError) { try add(entry.line) }

    /// Appends a line, including its line feed.
    func add(_ line: [UInt8]) throws(DownloadError) {
        try exclusively { add throws(DownloadError) in try add(line) }
    }

    /// Runs `body` while no one else appends, in this process or another; `body` appends with its argument.
    func exclusively<Value: Sendable>(
        _ body: (_ add: ([UInt8]) throws(DownloadError) -> Void) throws(DownloadError) -> Value
    ) throws(DownloadError) -> Value {
        let result = appending.withLock { _ in
            Result { () throws(DownloadError) -> Value in
                let file = try locked { state throws(SystemCall.Failure) in try writable(&state) }
                // Not while `state` is locked, so that others can read in the meantime.
                do throws(SystemCall.Failure) {
                    try SystemCall.lock(file, LOCK_EX)
                } catch {
                    throw failure(error)
                }
                defer { try? SystemCall.lock(file, LOCK_UN) }
                return try body { line throws(DownloadError) in
                    try locked { state throws(SystemCall.Failure) in
                        try append(line, to: file, &state)
                    }
                }
            }
        }
        return try result.get()
    }

    private func append(
        _ line: [UInt8], to file: Descriptor, _ state: inout State
    ) throws(SystemCall.Failure) {
        try refresh(&state)
        let length = try SystemCall.status(of: file).length
        let isTorn = state.scanned < length
        // In one write, so that a killed process leaves at most one torn line.
        try SystemCall.write((isTorn ? [0x0A] : []) + line, to: file)
        // It need not be read again.
        guard !isTorn else { return }
        Self.index(Array(line.dropLast()), in: &state)
        state.scanned += Int64(line.count)
    }

    /// Waits until all lines are on the storage device.
    func sync() throws(DownloadError) {
        try locked { state throws(SystemCall.Failure) in
            if let file = state.file { try SystemCall.sync(file) }
        }
    }

    // MARK: - The file

    private static func open(
        in folder: DestinationFolder, _ flags: Int32
    ) throws(SystemCall.Failure) -> Descriptor? {
        do {
            // As readable as the files beside it.
            let file = try SystemCall.open(name, in: folder.root, flags, mode: 0o666)
            if try SystemCall.status(of: file).isRegular { return file }
        } catch  where error.code == ENOENT {
            return nil
        }
        throw SystemCall.Failure(code: EEXIST)
    }

    /// The manifest open for appending, created if it is missing.
    private func writable(_ state: inout State) throws(SystemCall.Failure) -> Descriptor {
        if state.isWritable, let file = state.file { return file }
        guard let file = try Self.open(in: folder, O_RDWR | O_APPEND | O_CREAT) else {
            throw SystemCall.Failure(code: ENOENT)
        }
        if let known = state.file,
            try SystemCall.status(of: known).st_ino != SystemCall.status(of: file).st_ino
        {
            // It has been replaced, so nothing read so far applies.
            state = State()
            state.isShared = true
        }
        state.file = file
        state.isWritable = true
        return file
    }

    private func locked<Value: Sendable>(
        _ body: (inout State) throws(SystemCall.Failure) -> Value
    ) throws(DownloadError) -> Value {
        let result = state.withLock { state in
            Result { () throws(SystemCall.Failure) in try body(&state) }
        }
        do { return try result.get() } catch { throw failure(error) }
    }

    private func failure(_ error: SystemCall.Failure) -> DownloadError {
        let path = folder.url.appending(path: Self.name).path(percentEncoded: false)
        return .cannotWrite(path: PlainText.line(path), reason: error.reason, code: error.code)
    }

    // MARK: - Lines

    private static func line(
        in file: Descriptor, at offset: Int64
    ) throws(SystemCall.Failure) -> ArraySlice<UInt8> {
        try SystemCall.read(file, at: offset, count: 16_384).prefix { $0 != 0x0A }
    }

    /// The hash of the value of `key`, which must be the first in the line.
    private static func hash(ofLine line: [UInt8], _ key: [UInt8]) -> Int? {
        // A torn line must not hide an earlier complete one.
        guard line.starts(with: key), line.last == UInt8(ascii: "}") else { return nil }
        var end = key.count
        while end < line.count, line[end] != UInt8(ascii: "\"") {
            end += line[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < line.count else { return nil }
        return Array(line[key.count..<end]).hashValue
    }

    private static func hash(of text: String) -> Int {
        Array(JSONValue.string(text).text.utf8.dropFirst().dropLast()).hashValue
    }

    private static let fileKey = Array(#"{"file":""#.utf8)
    private static let leftOutKey = Array(#"{"leftOut":""#.utf8)
    private static let brokenKey = Array(#"{"broken":""#.utf8)
}

extension Array<UInt8> {
    /// The longest suffix whose elements all satisfy `condition`.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) } ?? -1) + 1..<count]
    }
}

// MARK: - Entries

/// A line of a manifest: which photo a file is.
package struct ManifestEntry: Hashable, Sendable, Decodable {
    /// The path below the folder.
    package let file: String
    /// The name of the photo's service.
    package let service: String
    /// The photo's identifier. Untrusted text.
    package let id: String
    /// The page of the photo, from 0.
    package let page: Int
    /// Which of the photo's files.
    package let size: PhotoFileSize
    /// The file's length in bytes when it was completed.
    package let bytes: Int64
    /// The XXH64 of its bytes when it was completed, as 16 hexadecimal digits.
    package let digest: String?
    /// The entity tag or date it was sent with.
    package let validator: String?
    /// What its format lacks, if it was accepted although it is incomplete; `nil` for a complete picture.
    package let missing: String?
    /// Where the service was that it came from; `nil` for its official address, and in lines of earlier versions.
    /// Untrusted text.
    package let base: String?

    init(
        _ item: DownloadItem, file: String, bytes: Int64, digest: String?, validator: String?,
        missing: String? = nil
    ) {
        self.file = file
        service = item.photo.service
        id = item.photo.value
        page = item.page
        size = item.size
        self.bytes = bytes
        self.digest = digest
        self.validator = validator
        self.missing = missing
        base = item.base.flatMap(Self.withoutSecrets)
    }

    /// `base` if there is nothing in it that only its user should know, for others may read a manifest, and it is
    /// short enough for a line.
    private static func withoutSecrets(_ base: URL) -> String? {
        let isOpen = base.user == nil && base.password == nil && base.query == nil && base.fragment == nil
        let text = base.absoluteString
        return isOpen && text.utf8.count <= 2048 ? text : nil
    }

    /// The photo.
    package var photo: PhotoID { PhotoID(service: service, value: id) }

    /// Whether it is the photo and page that `item` asks for, in any size.
    func isPhoto(of item: DownloadItem) -> Bool { photo == item.photo && page == item.page }

    /// The line, including its line feed. `file` must come first, since ``Manifest`` finds it there.
    var line: [UInt8] {
        let known: KeyValuePairs<String, JSONValue> = [
            "file": .string(file), "service": .string(service), "id": .string(id), "page": .int(page),
            "size": .string(size.rawValue), "bytes": .int(Int(bytes)), "digest": .optional(digest),
            "validator": .optional(validator),
        ]
        var members = known.map { JSONValue.Member(key: $0.key, value: $0.value) }
        if let missing { members.append(JSONValue.Member(key: "missing", value: .string(missing))) }
        if let base { members.append(JSONValue.Member(key: "base", value: .string(base))) }
        return Array(JSONValue.object(members).text.utf8) + [0x0A]
    }

    /// Parses a line; `nil` if it is torn.
    init?(line: some Collection<UInt8>) {
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(line)) else { return nil }
        self = entry
    }
}

/// A line of a manifest: a file that was left out since it is identical to another.
///
/// The next run need not transfer it again to find that out.
struct OmittedEntry: Hashable, Decodable {
    /// The file; see ``key(of:)``.
    let leftOut: String
    /// The path of the identical file, below the folder.
    let sameAs: String
    /// Its length.
    let bytes: Int64
    /// The XXH64 of its bytes.
    let digest: String

    init(_ item: DownloadItem, sameAs: String, _ fingerprint: UniqueFiles.Fingerprint) {
        leftOut = Self.key(of: item)
        self.sameAs = sameAs
        bytes = fingerprint.bytes
        digest = fingerprint.digest
    }

    /// Identifies a file: size, page and photo.
    static func key(of item: DownloadItem) -> String {
        "\(item.size.rawValue) \(item.page) \(item.photo)"
    }

    /// The file, from its key.
    var file: (photo: PhotoID, page: Int, size: PhotoFileSize)? {
        let parts = leftOut.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let size = PhotoFileSize(rawValue: String(parts[0])),
            let page = Int(parts[1]), let colon = parts[2].firstIndex(of: ":")
        else { return nil }
        let value = parts[2][parts[2].index(after: colon)...]
        return (PhotoID(service: String(parts[2][..<colon]), value: String(value)), page, size)
    }

    /// The line, including its line feed. `leftOut` must come first, since ``Manifest`` finds it there.
    var line: [UInt8] {
        let value = JSONValue.members([
            "leftOut": .string(leftOut), "sameAs": .string(sameAs), "bytes": .int(Int(bytes)),
            "digest": .string(digest),
        ])
        return Array(value.text.utf8) + [0x0A]
    }

    /// Parses a line; `nil` if it is torn.
    init?(line: some Collection<UInt8>) {
        guard let entry = try? JSONDecoder().decode(OmittedEntry.self, from: Data(line)) else { return nil }
        self = entry
    }
}

/// A line of a manifest: a file that its host sent complete and broken.
///
/// Once a second transfer has brought the same bytes, a third one is pointless.
struct BrokenEntry: Hashable, Decodable {
    /// The file; see ``OmittedEntry/key(of:)``.
    let broken: String
    /// The URL without query and secrets: at another address the file may be complete.
    let source: String
    /// Its length.
    let bytes: Int64
    /// The XXH64 of its bytes.
    let digest: String
    /// What is missing.
    let reason: String
    /// How many transfers in a row brought these bytes.
    let transfers: Int

    init(_ item: DownloadItem, bytes: Int64, digest: String, reason: String, after known: BrokenEntry?) {
        broken = OmittedEntry.key(of: item)
        source = PartNote.source(of: item)
        self.bytes = bytes
        self.digest = digest
        self.reason = reason
        let isSame = known?.digest == digest && known?.bytes == bytes && known?.source == source
        transfers = isSame ? min((known?.transfers ?? 0), 1000) + 1 : 1
    }

    /// Whether a second transfer from the same address brought the same bytes.
    func isConfirmed(for item: DownloadItem) -> Bool {
        transfers >= 2 && source == PartNote.source(of: item)
    }

    /// The line, including its line feed. `broken` must come first, since ``Manifest`` finds it there.
    var line: [UInt8] {
        let value = JSONValue.members([
            "broken": .string(broken), "source": .string(source), "bytes": .int(Int(bytes)),
            "digest": .string(digest), "reason": .string(reason), "transfers": .int(transfers),
        ])
        return Array(value.text.utf8) + [0x0A]
    }

    /// Parses a line; `nil` if it is torn.
    init?(line: some Collection<UInt8>) {
        guard let entry = try? JSONDecoder().decode(BrokenEntry.self, from: Data(line)) else { return nil }
        self = entry
    }
}

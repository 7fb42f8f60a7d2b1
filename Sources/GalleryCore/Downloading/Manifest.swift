import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The record of a folder, `.gallery.jsonl`: one line for each file that was ever finished there.
///
/// Lines are only ever added, each in one write under a lock, so that several processes may add
/// theirs; the last line about a file counts. A line that a crash cut short is passed over.
/// Of each file only a hash and a place are held: a hundred thousand take a few megabytes.
final class Manifest: Sendable {
    /// The record's name.
    static let name = ".gallery.jsonl"

    private struct State {
        var file: Descriptor?
        /// Whether `file` is open for adding lines too: reading needs no leave to write.
        var isWritable = false
        /// Where the last line about a file begins, by the hash of the file's path as it is written.
        var places = HashIndex<Int64>()
        /// The same of what was left out, by the hash of its key.
        var leftOut = HashIndex<Int64>()
        /// How far the record has been read, always at the start of a line.
        var scanned: Int64 = 0
    }

    private let folder: DestinationFolder
    private let state = Mutex(State())
    /// Held by the one who adds: the system's lock keeps out other processes only.
    private let adding = Mutex(())

    init(of folder: DestinationFolder) {
        self.folder = folder
    }

    /// What the record says of the file at `path`; `nil` for nothing. Other processes' lines are seen too.
    ///
    /// - Parameter start: where a line begins at the earliest, that counts.
    func entry(for path: String, from start: Int64 = 0) throws(DownloadError) -> ManifestEntry? {
        try guarded { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard let file = state.file, let place = state.places[Self.hash(of: path)], place >= start else {
                return nil
            }
            let entry = try Self.entry(in: file, at: place)
            return entry?.file == path ? entry : nil
        }
    }

    /// What the record says of `item` where it was left out; `nil` for nothing.
    func leftOut(_ item: DownloadItem) throws(DownloadError) -> OmittedEntry? {
        let key = OmittedEntry.key(of: item)
        return try guarded { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard let file = state.file, let place = state.leftOut[Self.hash(of: key)] else { return nil }
            let entry = OmittedEntry(line: try Self.line(in: file, at: place))
            return entry?.leftOut == key ? entry : nil
        }
    }

    /// Adds the line of a file.
    func add(_ entry: ManifestEntry) throws(DownloadError) { try add(entry.line) }

    /// Adds a line, which ends with its end.
    func add(_ line: [UInt8]) throws(DownloadError) {
        try exclusively { add throws(DownloadError) in try add(line) }
    }

    /// Runs `body` while nobody else adds to the record, in this process or another; it adds by what it is given.
    func exclusively<Value: Sendable>(
        _ body: (_ add: ([UInt8]) throws(DownloadError) -> Void) throws(DownloadError) -> Value
    ) throws(DownloadError) -> Value {
        let result = adding.withLock { _ in
            Result { () throws(DownloadError) -> Value in
                let file = try guarded { state throws(SystemCall.Failure) in try writable(&state) }
                // Not under the lock on `state`: others may read while this one waits.
                do throws(SystemCall.Failure) { try file.lock(LOCK_EX) } catch { throw failure(error) }
                defer { flock(file.number, LOCK_UN) }
                return try body { line throws(DownloadError) in
                    try guarded { _ throws(SystemCall.Failure) in try Self.append(line, to: file) }
                }
            }
        }
        return try result.get()
    }

    private static func append(_ line: [UInt8], to file: Descriptor) throws(SystemCall.Failure) {
        let length = try SystemCall.status(of: file).length
        let isTorn = try SystemCall.read(file, at: max(0, length - 1), count: 1) != [0x0A] && length > 0
        // In one write: a process killed here leaves at most one torn line.
        try SystemCall.write((isTorn ? [0x0A] : []) + line, to: file)
    }

    /// The record, made where it is missing.
    private func writable(_ state: inout State) throws(SystemCall.Failure) -> Descriptor {
        if state.isWritable, let file = state.file { return file }
        guard let file = try Self.open(in: folder, O_RDWR | O_APPEND | O_CREAT) else {
            throw SystemCall.Failure(code: ENOENT)
        }
        if let known = state.file,
            try SystemCall.status(of: known).st_ino != SystemCall.status(of: file).st_ino
        {
            // Another took its place: what was read of the former says nothing of this one.
            state = State()
        }
        state.file = file
        state.isWritable = true
        return file
    }

    /// Waits until every line is on the medium.
    func sync() throws(DownloadError) {
        try guarded { state throws(SystemCall.Failure) in
            if let file = state.file { try SystemCall.check { fsync(file.number) } }
        }
    }

    /// The last entry of each file, in the order they were added.
    func places() throws(DownloadError) -> [Int64] {
        try guarded { state throws(SystemCall.Failure) in
            try refresh(&state)
            return state.places.all.sorted()
        }
    }

    /// The entry whose line begins at `place`; `nil` for a torn one.
    func entry(at place: Int64) throws(DownloadError) -> ManifestEntry? {
        try guarded { state throws(SystemCall.Failure) in
            guard let file = state.file else { return nil }
            return try Self.entry(in: file, at: place)
        }
    }

    private func guarded<Value: Sendable>(
        _ body: (inout State) throws(SystemCall.Failure) -> Value
    ) throws(DownloadError) -> Value {
        let result = state.withLock { state in
            Result { () throws(SystemCall.Failure) in try body(&state) }
        }
        do { return try result.get() } catch { throw failure(error) }
    }

    private func failure(_ error: SystemCall.Failure) -> DownloadError {
        let path = folder.url.appending(path: Self.name).path(percentEncoded: false)
        return .cannotWrite(path: PlainText.line(path), reason: error.reason)
    }

    // MARK: - Lines

    /// Reads what was added since the last time, by whomever.
    private func refresh(_ state: inout State) throws(SystemCall.Failure) {
        if state.file == nil { state.file = try Self.open(in: folder, O_RDONLY) }
        guard let file = state.file else { return }
        let length = try SystemCall.status(of: file).length
        var line: [UInt8] = []
        var position = state.scanned
        while position < length {
            let piece = try SystemCall.read(file, at: position, count: 65_536)
            if piece.isEmpty { break }
            position += Int64(piece.count)
            for part in piece.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
                line += part
                if let hash = Self.hash(ofLine: line, Self.fileKey) {
                    state.places.put(state.scanned, at: hash)
                }
                if let hash = Self.hash(ofLine: line, Self.leftOutKey) {
                    state.leftOut.put(state.scanned, at: hash)
                }
                state.scanned += Int64(line.count) + 1
                line.removeAll(keepingCapacity: true)
            }
            line += piece.suffix(while: { $0 != 0x0A })
        }
    }

    private static func open(
        in folder: DestinationFolder, _ flags: Int32
    ) throws(SystemCall.Failure) -> Descriptor? {
        do {
            let file = try SystemCall.open(name, in: folder.root, flags, mode: 0o600)
            if try SystemCall.status(of: file).isRegular { return file }
        } catch  where error.code == ENOENT {
            return nil
        }
        throw SystemCall.Failure(code: EEXIST)
    }

    private static func entry(in file: Descriptor, at place: Int64) throws(SystemCall.Failure)
        -> ManifestEntry?
    {
        ManifestEntry(line: try line(in: file, at: place))
    }

    private static func line(in file: Descriptor, at place: Int64) throws(SystemCall.Failure) -> ArraySlice<
        UInt8
    > {
        try SystemCall.read(file, at: place, count: 16_384).prefix { $0 != 0x0A }
    }

    /// Of the value of `key` as it stands in the line, whose first key that is.
    private static func hash(ofLine line: [UInt8], _ key: [UInt8]) -> Int? {
        // A torn line must not hide the whole one before it.
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
}

extension Array<UInt8> {
    /// The last elements for which `condition` holds, in a row.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) } ?? -1) + 1..<count]
    }
}

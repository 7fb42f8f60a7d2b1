import Foundation
import Synchronization

/// The manifest of a folder, `.gallery.jsonl`: a line for every file that was ever completed there.
///
/// Lines are only appended, each in one write under a lock, so several processes can share a manifest.
/// The last line about a subject counts, and a line torn by a crash is skipped. What is known of the lines is
/// their hashes and offsets.
final class Manifest: Sendable {
    /// The name of a folder's manifest.
    static let name = ".gallery.jsonl"

    private struct State {
        var file: Descriptor?
        /// Whether `file` can be written too; reading does not require write permission.
        var isWritable = false
        /// The offset of the last line about each subject, by the hash of the line's beginning.
        var lines = HashIndex<Int64>()
        /// How far the manifest has been read, always at the start of a line.
        var scanned: Int64 = 0
        /// Whether it has been read to its end.
        var isRead = false
        /// Whether somebody else has added to it since.
        var isShared = false
        /// What can be read of a damaged manifest, until that is written anew; offsets are offsets in it.
        var mended: [UInt8]?
    }

    private let folder: DestinationFolder
    private let name: String
    private let state = Mutex(State())
    /// Held while appending; the file lock only excludes other processes.
    private let appending = Mutex(())
    /// The numbers of the lines that could not be read, from 1.
    private let unreadable = Mutex<[Int]>([])

    init(of folder: DestinationFolder, named name: String = name) {
        self.folder = folder
        self.name = name
    }

    // MARK: - Reading

    /// The last line of one kind about `subject`. Includes lines that other processes have just added.
    ///
    /// - Parameter start: ignores lines before this offset.
    func last<Line: ManifestLine>(
        _ kind: Line.Type = Line.self, about subject: String, from start: Int64 = 0
    ) throws(DownloadError) -> Line? {
        let text = try locked { state throws(SystemCall.Failure) -> [UInt8]? in
            try refresh(&state)
            guard let offset = state.lines[Self.hash(kind.key, subject)], offset >= start else { return nil }
            return try Self.line(at: offset, in: state)
        }
        // What it says is read while others may ask.
        guard let line = text.flatMap(Line.init(line:)), line.subject == subject else { return nil }
        return line
    }

    /// The entry of the file at `path`.
    func entry(for path: String, from start: Int64 = 0) throws(DownloadError) -> ManifestEntry? {
        try last(about: path, from: start)
    }

    /// Whether somebody else has added lines since the manifest was first read, as far as one can tell.
    func isShared() throws(DownloadError) -> Bool {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            return state.isShared
        }
    }

    /// Somebody else is at work in the folder, and may have added lines just before the manifest was first read.
    func noteOthers() { state.withLock { $0.isShared = true } }

    /// The numbers of the lines that could not be read when the manifest was first read, from 1.
    func unreadableLines() throws(DownloadError) -> [Int] {
        _ = try lines()
        return unreadable.withLock(\.self)
    }

    /// The last line about each subject, in the order they were added, of those that are there now.
    func lines() throws(DownloadError) -> ManifestLines {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            guard state.mended == nil, let file = state.file else {
                return ManifestLines(manifest: self, lines: FileLines(of: nil, then: state.mended ?? []))
            }
            return ManifestLines(manifest: self, lines: FileLines(of: file, to: state.scanned))
        }
    }

    /// Whether no later line is about the same subject as the one at `offset`.
    fileprivate func isLast(_ line: ArraySlice<UInt8>, at offset: Int64) -> Bool {
        Self.hash(ofLine: line).map { hash in state.withLock { $0.lines[hash] } } == offset
    }

    /// Reads the lines that were added since the last time.
    private func refresh(_ state: inout State) throws(SystemCall.Failure) {
        guard state.mended == nil else { return }
        if state.file == nil { state.file = try open(O_RDONLY) }
        guard let file = state.file else { return state.isRead = true }
        let length = try SystemCall.status(of: file).length
        let isFirst = !state.isRead
        if !isFirst, length > state.scanned { state.isShared = true }
        state.isRead = true
        var isDamaged = false
        var lines = FileLines(of: file, from: state.scanned, to: length)
        while let line = try lines.next() {
            if !Self.index(line, in: &state), !line.isEmpty { isDamaged = true }
        }
        // A last line without its end is not finished yet, unless another program ends its lines otherwise.
        if isFirst, isDamaged || lines.rest.contains(0x0D) || lines.rest.starts(with: MendedManifest.mark) {
            guard length <= WholeFile.state else { throw SystemCall.Failure(code: EOVERFLOW) }
            mend(&state, try SystemCall.read(file, at: 0, count: Int(length)))
        }
    }

    /// Goes on with what can be read of a manifest that is not as it was written.
    private func mend(_ state: inout State, _ bytes: [UInt8]) {
        let mended = MendedManifest(bytes)
        unreadable.withLock { $0 = mended.unreadable }
        (state.lines, state.scanned) = (HashIndex(), 0)
        for line in mended.text.split(separator: 0x0A) { _ = Self.index(line, in: &state) }
        state.mended = mended.text
    }

    /// Adds the next line to the index. False if it cannot be read.
    private static func index(_ line: ArraySlice<UInt8>, in state: inout State) -> Bool {
        defer { state.scanned += Int64(line.count) + 1 }
        guard let hash = hash(ofLine: line) else { return false }
        state.lines.put(state.scanned, at: hash)
        return true
    }

    // MARK: - Appending

    /// Appends a line.
    func add(_ line: some ManifestLine) throws(DownloadError) {
        try exclusively { add throws(DownloadError) in try add(line.line) }
    }

    /// Adds that the host sent `item` complete and broken.
    func noteBroken(
        _ item: DownloadItem, _ part: PartFile, length: Int64, reason: String
    ) throws(DownloadError) {
        guard let digest = try? Digest.text(of: part.file, length: length) else { return }
        let known: BrokenEntry? = try last(about: item.key)
        try add(BrokenEntry(item, bytes: length, digest: digest, reason: reason, after: known))
    }

    /// Runs `body` while no one else appends, in this process or another; `body` appends with its argument.
    func exclusively<Value: Sendable>(
        _ body: (_ add: ([UInt8]) throws(DownloadError) -> Void) throws(DownloadError) -> Value
    ) throws(DownloadError) -> Value {
        try appending.withLock { _ throws(DownloadError) in
            let file = try lockedFile()
            defer { try? SystemCall.lock(file, LOCK_UN) }
            return try body { line throws(DownloadError) in
                try locked { state throws(SystemCall.Failure) in try append(line, to: file, &state) }
            }
        }
    }

    /// The manifest, open for appending and locked against other processes.
    private func lockedFile() throws(DownloadError) -> Descriptor {
        while true {
            let file = try locked { state throws(SystemCall.Failure) in try writable(&state) }
            // Not while `state` is locked, so that others can read in the meantime.
            do throws(SystemCall.Failure) { try SystemCall.lock(file, LOCK_EX) } catch {
                throw failure(error)
            }
            let isCurrent = try locked { state throws(SystemCall.Failure) in
                let named = try SystemCall.status(of: name, in: folder.root)
                if try named?.st_ino == SystemCall.status(of: file).st_ino {
                    try refresh(&state)
                    guard let mended = state.mended else { return true }
                    try replace(file, with: mended)
                }
                // It has been replaced, so nothing read so far applies.
                state = State(isShared: true)
                return false
            }
            if isCurrent { return file }
            try? SystemCall.lock(file, LOCK_UN)
        }
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
        if !isTorn { _ = Self.index(line.dropLast(), in: &state) }
    }

    /// Writes a damaged manifest anew. What it was is kept under another name.
    private func replace(_ file: Descriptor, with text: [UInt8]) throws(SystemCall.Failure) {
        let damaged = try SystemCall.read(file, at: 0, count: Int(SystemCall.status(of: file).length))
        for (name, bytes) in [(name + ".damaged", damaged), (name, text)] {
            let draft = try FileDraft(of: name, in: folder.root, mode: 0o666)
            try SystemCall.write(bytes, to: draft.file)
            try draft.finish(isDurable: true)
        }
    }

    /// Waits until all lines are on the storage device.
    func sync() throws(DownloadError) {
        try locked { state throws(SystemCall.Failure) in
            if let file = state.file { try SystemCall.sync(file) }
        }
    }

    // MARK: - The file

    private func open(_ flags: Int32) throws(SystemCall.Failure) -> Descriptor? {
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
        guard let file = try open(O_RDWR | O_APPEND | O_CREAT) else {
            throw SystemCall.Failure(code: ENOENT)
        }
        if let known = state.file,
            try SystemCall.status(of: known).st_ino != SystemCall.status(of: file).st_ino
        {
            // It has been replaced, so nothing read so far applies.
            state = State(isShared: true)
        }
        state.file = file
        state.isWritable = true
        return file
    }

    private func locked<Value: Sendable>(
        _ body: (inout State) throws(SystemCall.Failure) -> Value
    ) throws(DownloadError) -> Value {
        do { return try state.withLock { state throws(SystemCall.Failure) in try body(&state) } } catch {
            throw failure(error)
        }
    }

    fileprivate func failure(_ error: SystemCall.Failure) -> DownloadError {
        let path = folder.url.appending(path: name).path(percentEncoded: false)
        return .cannotWrite(path: PlainText.line(path), reason: error.reason, code: error.code)
    }

    // MARK: - Lines

    private static func line(at offset: Int64, in state: State) throws(SystemCall.Failure) -> [UInt8] {
        if let mended = state.mended { return Array(mended[Int(offset)...].prefix { $0 != 0x0A }) }
        guard let file = state.file else { return [] }
        // Few lines are longer than the first of these, and none than the second.
        for count in [1024, 16_384] {
            let bytes = try SystemCall.read(file, at: offset, count: count)
            if bytes.count < count || bytes.contains(0x0A) { return Array(bytes.prefix { $0 != 0x0A }) }
        }
        return []
    }

    /// The hash of a line's beginning: its first key and the value of that.
    private static func hash(ofLine line: ArraySlice<UInt8>) -> Int? {
        line.withUnsafeBytes { line in
            // A torn line must not hide an earlier complete one.
            guard line.count > 2, line[0] == UInt8(ascii: "{"), line[1] == UInt8(ascii: "\""),
                line[line.count - 1] == UInt8(ascii: "}")
            else { return nil }
            var end = 2
            var quotes = 1
            while end < line.count {
                if line[end] == UInt8(ascii: "\"") { quotes += 1 }
                if quotes == 4 { return hash(UnsafeRawBufferPointer(rebasing: line[..<end])) }
                end += line[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            return nil
        }
    }

    private static func hash(_ key: String, _ subject: String) -> Int {
        let beginning = "{\"\(key)\":\(JSONValue.string(subject).text)".utf8.dropLast()
        return Array(beginning).withUnsafeBytes(hash)
    }

    private static func hash(_ beginning: UnsafeRawBufferPointer) -> Int {
        var digest = Digest(seed: seed)
        digest.add(beginning)
        return Int(truncatingIfNeeded: digest.value)
    }

    /// Another one in each process, so that nobody can choose names whose hashes are the same.
    private static let seed = UInt64.random(in: .min ... .max)
}

/// The last line about each subject of a manifest, in the order they were added, read as they are asked for.
struct ManifestLines: Sendable {
    fileprivate let manifest: Manifest
    fileprivate var lines: FileLines

    /// The next line, without its end, and its offset; `nil` at the end. Blocks.
    mutating func next() throws(DownloadError) -> (text: ArraySlice<UInt8>, offset: Int64)? {
        while true {
            let offset = lines.offset
            let line: ArraySlice<UInt8>?
            do { line = try lines.next() } catch { throw manifest.failure(error) }
            guard let line else { return nil }
            if manifest.isLast(line, at: offset) { return (line, offset) }
        }
    }
}

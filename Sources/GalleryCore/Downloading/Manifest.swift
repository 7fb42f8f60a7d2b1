import Foundation
import Synchronization

/// The manifest of a folder, `.gallery.jsonl`: a line for every file that was ever completed there.
///
/// Lines are only appended, each in one write under a lock, so several processes can share a manifest. The last line
/// about a subject counts, and a line torn by a crash is skipped. Memory holds only hashes and offsets of them.
package final class Manifest: Sendable {
    package static let name = ".gallery.jsonl"

    private struct State {
        var file: Descriptor?
        /// Whether `file` can be written too; reading does not require write permission.
        var isWritable = false
        /// The offset of the last line about each subject, by the hash of the line's beginning.
        var lines: [Int: Int64] = [:]
        /// How far the manifest has been read, always at the start of a line.
        var scanned: Int64 = 0
        var isRead = false
        /// Whether somebody else has added to it since.
        var isShared = false
        /// Whether there were lines that could not be read, until it is written anew without them.
        var isDamaged = false
    }

    private let folder: DestinationFolder
    private let name: String
    private let state = Mutex(State())
    /// Held while appending; the file lock only excludes other processes.
    private let appending = Mutex(())
    /// The numbers of the lines that could not be read, from 1.
    private let unreadable = Mutex<[Int]>([])

    package init(of folder: DestinationFolder, named name: String = name) {
        (self.folder, self.name) = (folder, name)
    }

    // MARK: - Reading

    /// The last line of one kind about `subject`, at offset `start` or later, even one that another process just added.
    package func last<Line: ManifestLine>(
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

    package func entry(for path: String, from start: Int64 = 0) throws(DownloadError) -> ManifestEntry? {
        try last(about: path, from: start)
    }

    /// Whether somebody else has added lines since the manifest was first read, as far as one can tell.
    func isShared() throws(DownloadError) -> Bool {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            return state.isShared
        }
    }

    /// The same, once whoever is about to add a line has added it.
    func isSharedAndCurrent() throws(DownloadError) -> Bool {
        guard try isShared() else { return false }
        try exclusively { _ in }
        return true
    }

    /// Somebody else is at work in the folder, and may have added lines just before the manifest was first read.
    func noteOthers() { state.withLock { $0.isShared = true } }

    /// The numbers of the lines that could not be read when the manifest was first read, from 1.
    func unreadableLines() throws(DownloadError) -> [Int] {
        _ = try lines()
        return unreadable.withLock(\.self)
    }

    /// The last line about each subject, in the order they were added, of those that are there now.
    package func lines() throws(DownloadError) -> ManifestLines {
        try locked { state throws(SystemCall.Failure) in
            try refresh(&state)
            return ManifestLines(manifest: self, lines: FileLines(of: state.file, to: state.scanned))
        }
    }

    /// Whether no later line is about the same subject as the one at `offset`.
    fileprivate func isLast(_ line: ArraySlice<UInt8>, at offset: Int64) -> Bool {
        Self.hash(ofLine: line).map { hash in state.withLock { $0.lines[hash] } } == offset
    }

    /// Reads the lines added since the last time; throws `EBADMSG` where there is something of which none can be read.
    private func refresh(_ state: inout State) throws(SystemCall.Failure) {
        if state.file == nil { state.file = try open(O_RDONLY) }
        guard let file = state.file else { return state.isRead = true }
        let length = try SystemCall.status(of: file).length
        if state.isRead, length > state.scanned { state.isShared = true }
        var (number, damaged) = (0, [Int]())
        var lines = FileLines(of: file, from: state.scanned, to: length)
        while let line = try lines.next() {
            number += 1
            if !Self.index(line, in: &state) { damaged.append(number) }
        }
        guard !state.isRead else { return }
        // A last line without its end is not finished yet.
        let isBegun = lines.rest.isEmpty || lines.rest.starts(with: [UInt8(ascii: "{"), UInt8(ascii: "\"")])
        if state.lines.isEmpty, !isBegun || !damaged.isEmpty {
            state.scanned = 0
            throw SystemCall.Failure(code: EBADMSG)
        }
        (state.isRead, state.isDamaged) = (true, !damaged.isEmpty)
        if state.isDamaged { unreadable.withLock { $0 = damaged } }
    }

    /// Adds the next line to the index. False if there is anything in it that cannot be read.
    private static func index(_ line: ArraySlice<UInt8>, in state: inout State) -> Bool {
        let text = trimmed(line)
        defer { state.scanned += Int64(line.count) + 1 }
        guard let hash = hash(ofLine: text) else { return line.allSatisfy { $0 == 0x20 || $0 == 0x0D } }
        state.lines[hash] = state.scanned + Int64(text.startIndex - line.startIndex)
        return line.first != 0
    }

    /// A line without what editors put around it, and without zeros that a power failure leaves of those before.
    fileprivate static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = line
        if text.first == 0xEF, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.first == 0 { text = text.drop { $0 == 0 } }
        while text.last == 0x0D || text.last == 0x20 { text.removeLast() }
        return text
    }

    // MARK: - Appending

    package func add(_ line: some ManifestLine) throws(DownloadError) {
        try exclusively { add throws(DownloadError) in try add(line.line) }
    }

    func noteBroken(
        _ item: DownloadItem, _ part: PartFile, length: Int64, reason: String, validator: String?, day: Int
    ) throws(DownloadError) {
        guard let digest = try? Digest.text(of: part.file, length: length) else { return }
        let known: BrokenEntry? = try last(about: item.key)
        try add(
            BrokenEntry(
                item, bytes: length, digest: digest, reason: reason, validator: validator, day: day,
                after: known))
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

    private func lockedFile() throws(DownloadError) -> Descriptor {
        while true {
            let file = try locked { state throws(SystemCall.Failure) in try writable(&state) }
            // Not while `state` is locked, so that others can read in the meantime.
            do throws(SystemCall.Failure) { try SystemCall.lock(file, LOCK_EX) } catch {
                throw failure(error)
            }
            let isCurrent: Bool
            do throws(DownloadError) {
                isCurrent = try prepare(file)
            } catch {
                // Nobody else may wait for what was in vain.
                try? SystemCall.lock(file, LOCK_UN)
                throw error
            }
            if isCurrent { return file }
            try? SystemCall.lock(file, LOCK_UN)
        }
    }

    /// Reads what is new in the manifest, which is locked, and mends it if it is damaged. False if it was replaced.
    private func prepare(_ file: Descriptor) throws(DownloadError) -> Bool {
        try locked { state throws(SystemCall.Failure) in
            let named = try SystemCall.status(of: name, in: folder.root)
            if try named?.st_ino == SystemCall.status(of: file).st_ino {
                try refresh(&state)
                guard state.isDamaged else { return true }
                try replace(file)
            }
            // It has been replaced, so nothing read so far applies.
            state = State(isShared: true)
            return false
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

    /// Writes a damaged manifest anew, without the lines that cannot be read. What it was is kept under another name.
    private func replace(_ file: Descriptor) throws(SystemCall.Failure) {
        let copy = try FileDraft(of: nameForDamaged(), in: folder.root, mode: 0o666)
        var offset: Int64 = 0
        while case let piece = try SystemCall.read(file, at: offset, count: 65_536), !piece.isEmpty {
            try SystemCall.write(piece, to: copy.file)
            offset += Int64(piece.count)
        }
        try copy.finish(over: .nothing, isDurable: true)
        let draft = try FileDraft(of: name, in: folder.root, mode: 0o666)
        var (lines, text) = (FileLines(of: file), [UInt8]())
        while let line = try lines.next() {
            let line = Self.trimmed(line)
            guard Self.hash(ofLine: line) != nil else { continue }
            text += line + [0x0A]
            guard text.count >= 65_536 else { continue }
            try SystemCall.write(text, to: draft.file)
            text = []
        }
        try SystemCall.write(text, to: draft.file)
        try draft.finish(over: .own(nil), isDurable: true)
    }

    /// Gives a manifest of which nothing can be read another name, and returns that; `nil` for any other.
    func setAside() throws(DownloadError) -> String? {
        do throws(DownloadError) { _ = try lines() } catch .unreadableManifest {
            return try locked { state throws(SystemCall.Failure) in
                let aside = try nameForDamaged()
                try Replacement.nothing.put(name, of: folder.root, as: aside, in: folder.root)
                state = State()
                return aside
            }
        }
        return nil
    }

    /// A name that nothing has: what was damaged earlier stays.
    private func nameForDamaged() throws(SystemCall.Failure) -> String {
        for number in 1..<1000 {
            let name = name + ".damaged" + (number == 1 ? "" : "\(number)")
            if try SystemCall.status(of: name, in: folder.root) == nil { return name }
        }
        throw SystemCall.Failure(code: EEXIST)
    }

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

    private func writable(_ state: inout State) throws(SystemCall.Failure) -> Descriptor {
        if state.isWritable, let file = state.file { return file }
        guard let file = try open(O_RDWR | O_APPEND | O_CREAT) else { throw SystemCall.Failure(code: ENOENT) }
        if let known = state.file,
            try SystemCall.status(of: known).st_ino != SystemCall.status(of: file).st_ino
        {
            // It has been replaced, so nothing read so far applies.
            state = State(isShared: true)
        }
        (state.file, state.isWritable) = (file, true)
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
        if error.code == EBADMSG { return .unreadableManifest(path: PlainText.line(path)) }
        let reason = error.code == EOVERFLOW ? "a line in it is longer than 64 MiB" : error.reason
        return .cannotWrite(path: PlainText.line(path), reason: reason, code: error.code)
    }

    // MARK: - Lines

    private static func line(at offset: Int64, in state: State) throws(SystemCall.Failure) -> [UInt8] {
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
            var (end, quotes) = (2, 1)
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
package struct ManifestLines: Sendable {
    fileprivate let manifest: Manifest
    fileprivate var lines: FileLines

    /// The next line, without its end, and its offset; `nil` at the end. Blocks.
    package mutating func next() throws(DownloadError) -> (text: ArraySlice<UInt8>, offset: Int64)? {
        while true {
            let start = lines.offset
            let line: ArraySlice<UInt8>?
            do { line = try lines.next() } catch { throw manifest.failure(error) }
            guard let line else { return nil }
            let text = Manifest.trimmed(line)
            let offset = start + Int64(text.startIndex - line.startIndex)
            if manifest.isLast(text, at: offset) { return (text, offset) }
        }
    }
}

import Foundation
import PictureFiles
import Synchronization

/// An unfinished file, `NAME.part`, locked by this process, with a note beside it that says what it is.
package final class PartFile: Sendable {
    let destination: Destination
    let file: Descriptor
    /// Whether there may be a note, which nobody else writes while the part is locked.
    private let mayHaveNote = Mutex(true)
    /// Whether it has its final name: what has the part's name from then on is another process's.
    private let isNamed = Atomic(false)

    private init(destination: Destination, file: Descriptor) {
        (self.destination, self.file) = (destination, file)
    }

    // MARK: - Opening

    /// Opens and locks the part of `destination`, creating it if missing; `nil` if another process has it locked.
    ///
    /// A link, or a file that does not begin as a picture, is somebody else's and stays: the part gets another name.
    /// So does a file with a second name, unless it is a part of ours: then the copy stays, and the part begins anew.
    package static func open(_ destination: Destination) throws(DownloadError) -> PartFile? {
        var destination = destination
        let folder = destination.folder
        do throws(SystemCall.Failure) {
            // Each repetition needs somebody to interfere; a hundred of them is an attack.
            for _ in 0..<100 {
                let name = destination.part
                guard hasOwnNote(destination), let file = try openOrCreate(name, in: folder) else {
                    destination.partNumber += 1
                    continue
                }
                guard try lock(file) else { return nil }
                // It may have been renamed or replaced before it was locked.
                let status = try SystemCall.status(of: file)
                let named = try SystemCall.status(of: name, in: folder)
                guard named?.st_ino == status.st_ino else { continue }
                let isMarked = PartMark.isOn(status, of: name) || PartNote(of: destination) != nil
                let isPicture = status.isRegular ? try isPicture(file) : false
                guard isPicture && status.st_nlink < 2 || isMarked && status.isRegular else {
                    destination.partNumber += 1
                    continue
                }
                if status.st_nlink > 1 {
                    try SystemCall.remove(name, from: folder)
                    continue
                }
                if status.length == 0 { PartMark.put(on: file, of: name, length: 0) }
                return PartFile(destination: destination, file: file)
            }
            throw SystemCall.Failure(code: EBUSY)
        } catch {
            throw .cannotCreate(
                path: destination.shown(destination.part), reason: error.reason, code: error.code)
        }
    }

    /// Whether what has the name of a part's note, if anything has, is the beginning of one.
    private static func hasOwnNote(_ destination: Destination) -> Bool {
        do throws(SystemCall.Failure) {
            let file = try SystemCall.open(destination.note, in: destination.folder, O_RDONLY)
            guard try SystemCall.status(of: file).isRegular else { return false }
            let start = try SystemCall.read(file, at: 0, count: 9)
            return start.allSatisfy { $0 == 0 } || #"{"photo":"#.utf8.starts(with: start)
        } catch {
            return ![ELOOP, EMLINK, ENXIO].contains(error.code) && !error.isRefusal
        }
    }

    /// Whether a part is new or begins as a picture, or as a power failure leaves one: a kill may precede the mark.
    private static func isPicture(_ file: Descriptor) throws(SystemCall.Failure) -> Bool {
        let start = try SystemCall.read(file, at: 0, count: PictureType.bytesNeeded)
        return PictureType(firstBytes: start) != nil || start.allSatisfy { $0 == 0 }
            || start.count < PictureType.bytesNeeded && start[0] == 0xFF
    }

    /// `nil` for what is no file that the user may write.
    private static func openOrCreate(
        _ name: String, in folder: Descriptor
    ) throws(SystemCall.Failure) -> Descriptor? {
        do { return try SystemCall.open(name, in: folder, O_RDWR | O_CREAT, mode: 0o666) } catch {
            let isOfName = [ELOOP, EMLINK, EISDIR, ENXIO].contains(error.code) || error.isRefusal
            guard isOfName, try SystemCall.status(of: name, in: folder) != nil else { throw error }
            return nil
        }
    }

    private static func lock(_ file: Descriptor) throws(SystemCall.Failure) -> Bool {
        do {
            try SystemCall.lock(file, LOCK_EX | LOCK_NB)
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
        return true
    }

    /// Lets other processes have the part. The last reference does so too.
    func unlock() { try? SystemCall.lock(file, LOCK_UN) }

    // MARK: - Contents

    func length() throws(DownloadError) -> Int64 {
        do { return try SystemCall.status(of: file).length } catch { throw failure(error) }
    }

    func truncate(to length: Int64) throws(DownloadError) {
        do { try SystemCall.truncate(file, to: length) } catch { throw failure(error) }
        if length == 0 { mark(length: 0) }
    }

    func mark(length: Int64) { PartMark.put(on: file, of: destination.part, length: length) }

    func sync() throws(DownloadError) {
        do { try SystemCall.sync(file, inOrder: true) } catch { throw failure(error) }
    }

    var arriving: ArrivingFile {
        ArrivingFile(file: file) { [destination] in destination.shown(destination.part) }
    }

    // MARK: - The note

    /// Replaces the note. A torn one cannot be decoded, which is the same as none.
    func write(_ note: PartNote) throws(DownloadError) {
        do throws(SystemCall.Failure) {
            try removeNote()
            mayHaveNote.withLock { $0 = true }
            let file = try SystemCall.open(
                destination.note, in: destination.folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try SystemCall.write([UInt8](note.text.utf8), to: file)
        } catch {
            throw .cannotWrite(
                path: destination.shown(destination.note), reason: error.reason, code: error.code)
        }
    }

    func removeNote() throws(SystemCall.Failure) {
        guard mayHaveNote.withLock(\.self) else { return }
        try SystemCall.remove(destination.note, from: destination.folder)
        mayHaveNote.withLock { $0 = false }
    }

    // MARK: - Endings

    /// Empties the part. The note goes first, so that it never describes other bytes.
    func empty() throws(DownloadError) {
        do throws(SystemCall.Failure) {
            try removeNote()
            guard try SystemCall.status(of: file).length > 0 else { return }
            try SystemCall.truncate(file, to: 0)
            mark(length: 0)
        } catch {
            throw failure(error)
        }
    }

    /// Leaves the part for a later run, synced, or removes it if it cannot be resumed.
    func keep(_ note: PartNote?) {
        guard !isNamed.load(ordering: .relaxed) else { return }
        guard var note, var length = try? length(), note.offer(length: length) != nil else {
            return discard()
        }
        if note.synced < length, (try? sync()) != nil { note.synced = length }
        while (try? write(note)) == nil {
            // On a full disk, give up some bytes to make room for the note.
            length -= 65_536
            guard length > 0, (try? truncate(to: length)) != nil else { return discard() }
            note.synced = min(note.synced, length)
        }
    }

    /// Gives the part its final name, over `replaced`, and removes the note first: once the part's name is free,
    /// another process may write its own.
    func rename(to name: String, over replaced: Replacement) throws(DownloadError) {
        try? removeNote()
        do {
            try replaced.put(destination.part, of: destination.folder, as: name, in: destination.folder)
            isNamed.store(true, ordering: .relaxed)
        } catch {
            throw .cannotCreate(path: destination.shown(name), reason: error.reason, code: error.code)
        }
    }

    /// Removes the part and its note, as far as possible.
    package func discard() {
        guard !isNamed.load(ordering: .relaxed) else { return }
        try? removeNote()
        try? SystemCall.remove(destination.part, from: destination.folder)
    }

    private func failure(_ error: SystemCall.Failure) -> DownloadError {
        .cannotWrite(path: destination.shown(destination.part), reason: error.reason, code: error.code)
    }
}

// MARK: - Resuming

/// A locked part, and how much of it can be resumed.
struct ResumablePart: Sendable {
    let item: DownloadItem
    let file: PartFile
    /// What the host can resume from; `nil` to start over.
    var offer: ResumeOffer?
    /// What the part's bytes are; `nil` to start over.
    var note: PartNote?
    /// What the host sent before, which is not wanted again.
    var broken: BrokenEntry?

    /// The header fields for the bytes that are not here.
    var conditions: [String: String] { offer?.headers ?? broken?.conditions ?? [:] }

    /// Whether only the name is missing.
    var isWhole: Bool { offer.map { $0.total == $0.length } ?? false }

    /// Opens the part of `destination` and cuts off what cannot be trusted, all of it unless `mayResume`; `nil` if
    /// another process has it locked.
    static func open(
        _ destination: Destination, for item: DownloadItem, mayResume: Bool
    ) throws(DownloadError) -> ResumablePart? {
        guard let file = try PartFile.open(destination) else { return nil }
        var part = ResumablePart(item: item, file: file)
        let length = try file.length()
        guard length > 0 else { return part }
        guard mayResume, let note = PartNote(of: file.destination), note.describes(item) else {
            try file.truncate(to: 0)
            return part
        }
        let trusted = note.trusted(length: length, boot: System.bootSession)
        if trusted < length { try file.truncate(to: trusted) }
        part.offer = note.offer(length: trusted)
        part.note = part.offer == nil ? nil : note
        return part
    }
}

/// The note beside a part, `NAME.part.json`: which file its bytes are from. A part without one is worthless.
package struct PartNote: Hashable, Decodable {
    /// `service:value` of the photo.
    let photo: String
    /// The page of the photo, from 0.
    let page: Int
    /// The URL without query and secrets, so that a thumbnail is not resumed as the full size.
    let source: String
    /// The strong entity tag, or the date, that the bytes were sent with.
    let validator: String?
    /// The announced length of the whole file, in bytes.
    let total: Int64?
    /// The ``System/bootSession`` in which the bytes were written.
    let boot: String
    /// How many bytes are known to be on the storage device.
    var synced: Int64

    init(_ item: DownloadItem, head: HTTPHead, boot: String, now: Date) {
        (photo, page, source) = (item.photo.description, item.page, Self.source(of: item))
        validator = head.isEncoded ? nil : Validator.strong(in: head, now: now)
        total = head.isEncoded ? nil : head.contentLength
        (self.boot, synced) = (boot, 0)
    }

    /// The note beside the part of `destination`; `nil` if it is missing or unreadable.
    package init?(of destination: Destination) {
        guard let file = try? SystemCall.open(destination.note, in: destination.folder, O_RDONLY),
            (try? SystemCall.status(of: file))?.isRegular == true,
            let bytes = try? SystemCall.read(file, at: 0, count: 16_384),
            let note = try? JSONDecoder().decode(PartNote.self, from: Data(bytes))
        else { return nil }
        self = note
    }

    var text: String {
        let total = total.map { JSONValue.int(Int($0)) } ?? .null
        return JSONValue.members([
            "photo": .string(photo), "page": .int(page), "source": .string(source),
            "validator": .optional(validator), "total": total, "boot": .string(boot),
            "synced": .int(Int(synced)),
        ]).text
    }

    func describes(_ item: DownloadItem) -> Bool {
        photo == item.photo.description && page == item.page && source == Self.source(of: item)
    }

    /// How many of a part's `length` bytes are as received. What a killed process wrote stays; a power failure may
    /// leave zeros for bytes, so only what was synced counts.
    func trusted(length: Int64, boot: String) -> Int64 { boot == self.boot ? length : min(length, synced) }

    func offer(length: Int64) -> ResumeOffer? {
        guard length > 0, let validator, total.map({ length <= $0 }) ?? true else { return nil }
        return ResumeOffer(length: length, validator: validator, total: total)
    }

    static func source(of item: DownloadItem) -> String {
        let url = item.source.url
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(url.scheme ?? "")://\(url.host ?? "")\(port)\(url.path(percentEncoded: true))"
    }
}

/// What identifies one version of a file, byte for byte: RFC 9110, 8.8.
enum Validator {
    /// The strong entity tag, or else a date old enough that no two versions share it.
    static func strong(in head: HTTPHead, now: Date) -> String? {
        if let tag = head["ETag"], tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""), isPlain(tag) {
            return tag
        }
        guard let field = head["Last-Modified"], isPlain(field), let modified = HTTPDate.parse(field)
        else { return nil }
        // RFC 9110, 8.8.2.2: at least a second before the host's own clock; two, because of rounding.
        let date = head["Date"].flatMap { HTTPDate.parse($0) } ?? now
        return date.timeIntervalSince(modified) >= 2 ? field : nil
    }

    /// The entity tag, even a weak one, or else the date: enough to ask whether there is another version.
    static func any(in head: HTTPHead) -> String? {
        [head["ETag"], head["Last-Modified"]].compactMap(\.self).first { isPlain($0) && !$0.isEmpty }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 1000 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

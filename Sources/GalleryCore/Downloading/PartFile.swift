import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A `.part` that this process alone may write, with the note beside it; the lock goes with the last reference.
final class PartFile: Sendable {
    let place: Destination
    let file: Descriptor

    private init(place: Destination, file: Descriptor) {
        self.place = place
        self.file = file
    }

    /// Opens and locks the part of `place`, making it where missing; `nil` while another process has it.
    ///
    /// What stands under its name and is a link, or has a second name elsewhere, is removed and not written to.
    static func open(_ place: Destination) throws(DownloadError) -> PartFile? {
        do throws(SystemCall.Failure) {
            // Each round ends by something another process did meanwhile; a hundred of them is malice.
            for _ in 0..<100 {
                guard let file = try openOrCreate(place) else { continue }
                let status = try SystemCall.status(of: file)
                guard status.isRegular else { throw SystemCall.Failure(code: EEXIST) }
                if status.st_nlink > 1 {
                    try SystemCall.remove(place.part, from: place.folder)
                    continue
                }
                guard try lock(file) else { return nil }
                // It may have been renamed, or removed and made anew, before the lock was ours.
                let named = try SystemCall.status(of: place.part, in: place.folder)
                if named?.st_ino == status.st_ino { return PartFile(place: place, file: file) }
            }
            throw SystemCall.Failure(code: EBUSY)
        } catch {
            throw .cannotCreate(path: place.shown(place.part), reason: error.reason)
        }
    }

    private static func openOrCreate(_ place: Destination) throws(SystemCall.Failure) -> Descriptor? {
        do {
            return try SystemCall.open(place.part, in: place.folder, O_RDWR | O_CREAT | O_EXCL, mode: 0o666)
        } catch  where error.code == EEXIST {}
        do {
            return try SystemCall.open(place.part, in: place.folder, O_RDWR)
        } catch  where error.code == ELOOP || error.code == EMLINK {
            try SystemCall.remove(place.part, from: place.folder)
        } catch  where error.code == ENOENT {}
        return nil
    }

    /// Whether the lock is ours now.
    private static func lock(_ file: Descriptor) throws(SystemCall.Failure) -> Bool {
        do { try file.lock(LOCK_EX | LOCK_NB) } catch  where error.code == EWOULDBLOCK { return false }
        return true
    }

    /// Lets other processes have the part.
    func unlock() {
        _ = flock(file.number, LOCK_UN)
    }

    /// Bytes in the part.
    func length() throws(DownloadError) -> Int64 {
        do { return Int64(try SystemCall.status(of: file).st_size) } catch { throw failure(error) }
    }

    func truncate(to length: Int64) throws(DownloadError) {
        do { try SystemCall.check { ftruncate(file.number, off_t(length)) } } catch { throw failure(error) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadError) {
        do { try SystemCall.write(bytes, to: file, at: offset) } catch { throw failure(error) }
    }

    func read(at offset: Int64, count: Int) throws(DownloadError) -> [UInt8] {
        do { return try SystemCall.read(file, at: offset, count: count) } catch { throw failure(error) }
    }

    /// Waits until the bytes are on the medium.
    func sync() throws(DownloadError) {
        do { try SystemCall.check { fsync(file.number) } } catch { throw failure(error) }
    }

    /// The note beside the part; `nil` where there is none that can be read.
    func note() -> PartNote? {
        guard let note = try? SystemCall.open(place.note, in: place.folder, O_RDONLY),
            (try? SystemCall.status(of: note))?.isRegular == true,
            let bytes = try? SystemCall.read(note, at: 0, count: 16_384)
        else { return nil }
        return try? JSONDecoder().decode(PartNote.self, from: Data(bytes))
    }

    /// Replaces the note. A torn one does not parse, which is the same as none.
    func write(_ note: PartNote) throws(DownloadError) {
        do throws(SystemCall.Failure) {
            try SystemCall.remove(place.note, from: place.folder)
            let file = try SystemCall.open(
                place.note, in: place.folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try SystemCall.write([UInt8](note.text.utf8), to: file)
        } catch {
            throw .cannotWrite(path: place.shown(place.note), reason: error.reason)
        }
    }

    /// Throws away what is there: first the note, so that old bytes never stand beside one of new bytes.
    func empty() throws(DownloadError) {
        do throws(SystemCall.Failure) {
            try SystemCall.remove(place.note, from: place.folder)
            if try SystemCall.status(of: file).length > 0 {
                try SystemCall.check { ftruncate(file.number, 0) }
            }
        } catch {
            throw failure(error)
        }
    }

    /// Leaves the part for a later run, on the medium if there is anything in it; nothing where no run can
    /// go on from it.
    func keep(_ note: PartNote?) {
        guard var note, var length = try? length(), note.offer(length: length) != nil else {
            return discard()
        }
        if note.synced < length, (try? sync()) != nil { note.synced = length }
        while (try? write(note)) == nil {
            // A full disk: some bytes less, and there is room for what tells of the others.
            length -= Self.noteRoom
            guard length > 0, (try? truncate(to: length)) != nil else { return discard() }
            note.synced = min(note.synced, length)
        }
    }

    private static let noteRoom: Int64 = 65_536

    /// Gives the part its final name, in one step, and takes the note away.
    ///
    /// The note goes first: once the name is free another process may put its own there.
    func rename(to name: String) throws(DownloadError) {
        try? SystemCall.remove(place.note, from: place.folder)
        do throws(SystemCall.Failure) {
            try SystemCall.check { renameat(place.folder.number, place.part, place.folder.number, name) }
        } catch {
            throw .cannotCreate(path: place.shown(name), reason: error.reason)
        }
    }

    /// Takes part and note away. Where that fails they are worth nothing all the same.
    func discard() {
        try? SystemCall.remove(place.note, from: place.folder)
        try? SystemCall.remove(place.part, from: place.folder)
    }

    private func failure(_ error: SystemCall.Failure) -> DownloadError {
        .cannotWrite(path: place.shown(place.part), reason: error.reason)
    }
}

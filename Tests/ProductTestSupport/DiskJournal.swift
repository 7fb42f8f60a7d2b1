import Foundation
import Synchronization

/// Records what this process does to the files below a folder, so that tests can replay a power failure at
/// any point.
///
/// The test program defines the C library's functions that change files itself, at the end of this file:
/// whatever in it calls `fsync` comes here, and is passed on. So the product has no part in it, and code
/// that goes past its `SystemCall` is recorded too.
///
/// Swift's `openat` is called by its library for C, out of reach: a file is taken to be created when it is
/// first written, synced, or renamed, as every one here is at once.
package final class DiskJournal: Sendable {
    /// Identifies a file or folder, even if its inode is used again.
    package typealias FileID = Int

    package enum Event: Hashable, Sendable {
        case create(FileID, name: String, in: FileID)
        case makeFolder(FileID, name: String, in: FileID)
        case write(FileID, [UInt8], at: Int64)
        case truncate(FileID, to: Int64)
        case rename(FileID, from: String, to: String, in: FileID)
        case remove(name: String, in: FileID)
        case sync(FileID)
    }

    private struct State {
        var events: [Event] = []
        /// The files and folders that were created below the folder, and the folder itself.
        var ids: [ino_t: FileID] = [:]
        var next = 0

        mutating func add(_ inode: ino_t) -> FileID {
            defer { next += 1 }
            ids[inode] = next
            return next
        }
    }

    private let state = Mutex(State())
    private static let current = Mutex<DiskJournal?>(nil)
    private static let isRecording = Atomic(false)

    /// The name that no file may be given now, which no other test gives one: they run at the same time.
    fileprivate static let refused = Mutex<String?>(nil)

    /// Lets every attempt to call a file `name` fail meanwhile, as where a run ends there.
    package static func refusing(_ name: String, _ body: () async throws -> Void) async rethrows {
        refused.withLock { $0 = name }
        defer { refused.withLock { $0 = nil } }
        try await body()
    }

    /// What is called once, after a thread's next sync of anything.
    private static let afterSync = Mutex<(thread: ObjectIdentifier, call: @Sendable () -> Void)?>(nil)

    /// Calls `meanwhile` once, as soon as `body` has synced something: other tests sync in threads of their own.
    package static func afterSync(_ meanwhile: @escaping @Sendable () -> Void, _ body: () throws -> Void)
        rethrows
    {
        afterSync.withLock { $0 = (ObjectIdentifier(Thread.current), meanwhile) }
        defer { afterSync.withLock { $0 = nil } }
        try body()
    }

    /// This thread has synced something.
    fileprivate static func noteSync() {
        let call = afterSync.withLock { hook -> (@Sendable () -> Void)? in
            guard let (thread, call) = hook, thread == ObjectIdentifier(Thread.current) else { return nil }
            hook = nil
            return call
        }
        call?()
    }

    /// Whether anything is recorded on this system.
    package static var isAvailable: Bool {
        #if canImport(Glibc)
            true
        #else
            false
        #endif
    }

    /// What happened so far. The folder itself is file 0.
    package var events: [Event] { state.withLock { $0.events } }

    /// A journal of what happens below `folder` from now on. Only one records at a time.
    package init(of folder: URL) {
        if let inode = Self.status(AT_FDCWD, folder.path)?.st_ino { _ = state.withLock { $0.add(inode) } }
        Self.current.withLock { $0 = self }
        Self.isRecording.store(true, ordering: .sequentiallyConsistent)
    }

    /// Stops recording.
    package func detach() {
        Self.isRecording.store(false, ordering: .sequentiallyConsistent)
        Self.current.withLock { $0 = nil }
    }

    // MARK: - Recording

    /// The journal that records; `nil` where none does.
    fileprivate static var now: DiskJournal? {
        isRecording.load(ordering: .relaxed) ? current.withLock { $0 } : nil
    }

    /// Adds what `event` makes of a folder that is recorded.
    fileprivate func record(in folder: Int32, _ event: (FileID, (ino_t) -> FileID) -> Event?) {
        guard let parent = Self.status(folder)?.st_ino else { return }
        state.withLock { state in
            guard let parent = state.ids[parent] else { return }
            if let event = event(parent, { state.add($0) }) { state.events.append(event) }
        }
    }

    /// Adds what `event` makes of an open file, if that is below the folder.
    fileprivate func record(_ file: Int32, _ event: (FileID, _ length: Int64) -> Event) {
        guard let status = Self.status(file) else { return }
        let place = status.st_mode & S_IFMT == S_IFREG ? Self.place(of: file) : nil
        state.withLock { state in
            if state.ids[status.st_ino] == nil, let place, let parent = state.ids[place.folder] {
                state.events.append(.create(state.add(status.st_ino), name: place.name, in: parent))
            }
            guard let id = state.ids[status.st_ino] else { return }
            state.events.append(event(id, Int64(status.st_size)))
        }
    }

    /// The folder and the name of an open file, while it has them.
    private static func place(of file: Int32) -> (folder: ino_t, name: String)? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)"),
            path.hasPrefix("/"), !path.hasSuffix(" (deleted)")
        else { return nil }
        let url = URL(filePath: path)
        let folder = status(AT_FDCWD, url.deletingLastPathComponent().path)?.st_ino
        return folder.map { ($0, url.lastPathComponent) }
    }

    fileprivate func renamed(_ name: String, to newName: String, in folder: Int32, over old: ino_t?) {
        guard let file = Self.status(folder, newName)?.st_ino, let parent = Self.status(folder)?.st_ino
        else { return }
        state.withLock { state in
            guard let parent = state.ids[parent] else { return }
            if let old, old != file { state.ids[old] = nil }
            if state.ids[file] == nil {
                state.events.append(.create(state.add(file), name: name, in: parent))
            }
            guard let id = state.ids[file] else { return }
            state.events.append(.rename(id, from: name, to: newName, in: parent))
        }
    }

    /// The number of a removed file may be given to another one, which is not ours.
    fileprivate func forget(_ inode: ino_t?) {
        if let inode { state.withLock { $0.ids[inode] = nil } }
    }

    fileprivate static func status(_ folder: Int32, _ name: String) -> stat? {
        var result = stat()
        return fstatat(folder, name, &result, AT_SYMLINK_NOFOLLOW) == 0 ? result : nil
    }

    private static func status(_ file: Int32) -> stat? {
        var result = stat()
        return fstat(file, &result) == 0 ? result : nil
    }
}

#if canImport(Glibc)
    // MARK: - The C library's functions

    /// The next definition of a function that this program defines too: the C library's.
    private func original<Function>(_ name: String, _ type: Function.Type) -> Function {
        // RTLD_NEXT, which is not imported.
        guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else {
            preconditionFailure("the C library has no \(name)")
        }
        return unsafeBitCast(address, to: type)
    }

    private typealias FileCall = @convention(c) (Int32) -> Int32
    private typealias NameCall = @convention(c) (Int32, UnsafePointer<CChar>, Int32) -> Int32
    private typealias FolderCall = @convention(c) (Int32, UnsafePointer<CChar>, mode_t) -> Int32
    private typealias PathCall = @convention(c) (UnsafePointer<CChar>, mode_t) -> Int32
    private typealias RenameCall =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
    private typealias LengthCall = @convention(c) (Int32, off_t) -> Int32
    private typealias WriteCall = @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
    private typealias PlacedWriteCall = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

    private let systemSync = original("fsync", FileCall.self)
    private let systemUnlink = original("unlinkat", NameCall.self)
    private let systemMakeFolder = original("mkdirat", FolderCall.self)
    private let systemMakeFolderAt = original("mkdir", PathCall.self)
    private let systemRename = original("renameat", RenameCall.self)
    private let systemTruncate = original("ftruncate", LengthCall.self)
    private let systemWrite = original("write", WriteCall.self)
    private let systemPlacedWrite = original("pwrite", PlacedWriteCall.self)

    /// Passes a call on; where it succeeds and a journal records, notes it. `errno` stays the call's.
    private func passedOn<Number: BinaryInteger>(
        _ call: () -> Number, then note: (DiskJournal, Number) -> Void
    ) -> Number {
        let result = call()
        guard result >= 0, let journal = DiskJournal.now else { return result }
        let number = errno
        note(journal, result)
        errno = number
        return result
    }

    /// The system call, recorded.
    @_cdecl("fsync") public func recordedSync(_ file: Int32) -> Int32 {
        defer { DiskJournal.noteSync() }
        return passedOn({ systemSync(file) }) { journal, _ in journal.record(file) { id, _ in .sync(id) } }
    }

    /// The system call, recorded.
    @_cdecl("ftruncate") public func recordedTruncate(_ file: Int32, _ length: off_t) -> Int32 {
        passedOn({ systemTruncate(file, length) }) { journal, _ in
            journal.record(file) { id, _ in .truncate(id, to: Int64(length)) }
        }
    }

    /// The system call, recorded.
    @_cdecl("write") public func recordedWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int
    {
        passedOn({ systemWrite(file, bytes, count) }) { journal, done in
            // Where files are written without an offset, they are appended to.
            journal.record(file) { id, length in
                .write(id, Array(UnsafeRawBufferPointer(start: bytes, count: done)), at: length - Int64(done))
            }
        }
    }

    /// The system call, recorded.
    @_cdecl("pwrite") public func recordedPlacedWrite(
        _ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t
    ) -> Int {
        passedOn({ systemPlacedWrite(file, bytes, count, offset) }) { journal, done in
            journal.record(file) { id, _ in
                .write(id, Array(UnsafeRawBufferPointer(start: bytes, count: done)), at: Int64(offset))
            }
        }
    }

    /// The system call, recorded.
    @_cdecl("mkdirat") public func recordedMakeFolder(
        _ folder: Int32, _ name: UnsafePointer<CChar>, _ mode: mode_t
    ) -> Int32 {
        passedOn({ systemMakeFolder(folder, name, mode) }) { journal, _ in
            let text = String(cString: name)
            guard let inode = DiskJournal.status(folder, text)?.st_ino else { return }
            journal.record(in: folder) { parent, add in .makeFolder(add(inode), name: text, in: parent) }
        }
    }

    /// The system call, recorded.
    @_cdecl("mkdir") public func recordedMakeFolder(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> Int32 {
        passedOn({ systemMakeFolderAt(path, mode) }) { journal, _ in
            let folder = URL(filePath: String(cString: path), directoryHint: .isDirectory)
            let parent = open(folder.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
            defer { close(parent) }
            guard let inode = DiskJournal.status(AT_FDCWD, folder.path)?.st_ino else { return }
            journal.record(in: parent) { parent, add in
                .makeFolder(add(inode), name: folder.lastPathComponent, in: parent)
            }
        }
    }

    /// The system call, recorded.
    @_cdecl("unlinkat") public func recordedUnlink(
        _ folder: Int32, _ name: UnsafePointer<CChar>, _ flags: Int32
    ) -> Int32 {
        let inode = DiskJournal.now == nil ? nil : DiskJournal.status(folder, String(cString: name))?.st_ino
        return passedOn({ systemUnlink(folder, name, flags) }) { journal, _ in
            journal.record(in: folder) { parent, _ in .remove(name: String(cString: name), in: parent) }
            journal.forget(inode)
        }
    }

    /// The system call, recorded.
    @_cdecl("renameat") public func recordedRename(
        _ folder: Int32, _ name: UnsafePointer<CChar>, _ newFolder: Int32, _ newName: UnsafePointer<CChar>
    ) -> Int32 {
        if let refused = DiskJournal.refused.withLock(\.self), refused == String(cString: newName) {
            errno = EIO
            return -1
        }
        let old =
            DiskJournal.now == nil ? nil : DiskJournal.status(newFolder, String(cString: newName))?.st_ino
        return passedOn({ systemRename(folder, name, newFolder, newName) }) { journal, _ in
            guard folder == newFolder else { return }
            journal.renamed(String(cString: name), to: String(cString: newName), in: folder, over: old)
        }
    }
#endif

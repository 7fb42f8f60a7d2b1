import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Records what is done to the files below a folder, so that tests can replay a power failure at any point.
///
/// A descriptor opened by path gets the journal attached to that path, and passes it on to what is opened
/// through it. Without an attached journal nothing is recorded.
final class DiskJournal: Sendable {
    /// Identifies a file or folder, even if its inode is used again.
    typealias FileID = Int

    enum Event: Hashable, Sendable {
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
        var ids: [ino_t: FileID] = [:]
        var next = 0

        mutating func id(_ inode: ino_t, isNew: Bool = false) -> FileID {
            if !isNew, let id = ids[inode] { return id }
            defer { next += 1 }
            ids[inode] = next
            return next
        }
    }

    private let state = Mutex(State())
    private static let attached = Mutex<[String: DiskJournal]>([:])

    /// What happened so far. The folder itself is file 0.
    var events: [Event] { state.withLock { $0.events } }

    /// A journal of everything that is opened below `folder` from now on.
    init(of folder: URL) throws(SystemCall.Failure) {
        let path = Self.path(folder)
        let root = try SystemCall.openFolder(path)
        let inode = try SystemCall.status(of: root).st_ino
        state.withLock { _ = $0.id(inode) }
        Self.attached.withLock { $0[path] = self }
    }

    /// Stops recording.
    func detach() {
        Self.attached.withLock { attached in attached = attached.filter { $0.value !== self } }
    }

    /// The journal for a file or folder opened by path.
    static func attached(to path: String) -> DiskJournal? {
        attached.withLock { attached in
            guard !attached.isEmpty else { return nil }
            let path = Self.path(URL(filePath: path))
            return attached.first { path == $0.key || path.hasPrefix($0.key + "/") }?.value
        }
    }

    private static func path(_ url: URL) -> String {
        let path = url.standardizedFileURL.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    // MARK: - Recording

    func created(_ file: Descriptor, _ name: String, in folder: Descriptor) {
        record(file, folder) { .create($0, name: name, in: $1) }
    }

    func madeFolder(_ name: String, in folder: Descriptor) {
        guard let made = try? SystemCall.open(name, in: folder, O_RDONLY | O_DIRECTORY) else { return }
        record(made, folder) { .makeFolder($0, name: name, in: $1) }
    }

    func wrote(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64?) {
        guard let status = try? SystemCall.status(of: file) else { return }
        // Without an offset, the bytes were appended.
        let offset = offset ?? status.length - Int64(bytes.count)
        record(status) { .write($0, Array(bytes), at: offset) }
    }

    func truncated(_ file: Descriptor, to length: Int64) {
        guard let status = try? SystemCall.status(of: file) else { return }
        record(status) { .truncate($0, to: length) }
    }

    func renamed(_ name: String, to newName: String, in folder: Descriptor) {
        guard let file = try? SystemCall.status(of: newName, in: folder),
            let parent = try? SystemCall.status(of: folder)
        else { return }
        state.withLock { state in
            let event = Event.rename(
                state.id(file.st_ino), from: name, to: newName, in: state.id(parent.st_ino))
            state.events.append(event)
        }
    }

    func removed(_ name: String, from folder: Descriptor) {
        guard let parent = try? SystemCall.status(of: folder) else { return }
        record(parent) { .remove(name: name, in: $0) }
    }

    func synced(_ file: Descriptor) {
        guard let status = try? SystemCall.status(of: file) else { return }
        record(status) { .sync($0) }
    }

    private func record(_ status: stat, _ event: (FileID) -> Event) {
        state.withLock { $0.events.append(event($0.id(status.st_ino))) }
    }

    private func record(
        _ file: Descriptor, _ folder: Descriptor, _ event: (FileID, FileID) -> Event
    ) {
        guard let status = try? SystemCall.status(of: file), let parent = try? SystemCall.status(of: folder)
        else { return }
        state.withLock { state in
            let parent = state.id(parent.st_ino)
            state.events.append(event(state.id(status.st_ino, isNew: true), parent))
        }
    }
}

import Foundation
import PictureFiles
import Synchronization

/// The completed files of a folder, and the manifest that says which photos they are.
package final class DownloadFolder: Sendable {
    package let folder: DestinationFolder
    package let manifest: Manifest
    private let unsynced = Mutex(Unsynced())
    /// Held while they are being synced: who asks for that meanwhile waits, and then finds it done.
    private let syncing = Mutex(())
    private let mostUnsynced = OpenFileLimit.folders(limit: System.openFileLimit)
    private let names = FolderNames()

    private struct Unsynced {
        /// By inode, since each item opens its folder anew.
        var folders: [ino_t: Descriptor] = [:]
        var since: ContinuousClock.Instant?
        let group = SyncGroup()
    }

    init(_ folder: DestinationFolder) {
        self.folder = folder
        manifest = Manifest(of: folder)
    }

    // MARK: - Existing files

    /// What there is of `item`'s photo under a name that its file could have; of its complete file, that too.
    ///
    /// A complete picture that is not as the manifest says was changed by its owner and stays; ``existingFile(of:at:)``
    /// tells one that nobody has written to. A file not in the manifest is the photo's if its name identifies that.
    func holding(
        of item: DownloadItem, at destination: Destination
    ) throws(DownloadError) -> (Holding, ExistingFile?) {
        var (isPartial, isForeign) = (false, true)
        for leaf in Self.leaves(of: item, at: destination) {
            let mayAdopt = isForeign
            isForeign = false
            for file in try files(called: leaf, at: destination) {
                switch file.claim(of: item) {
                case .ours:
                    if file.isAccepted { return (.whole, file) }
                    isPartial = true
                case .unclaimed where mayAdopt:
                    if file.isWhole { return (.whole, file) }
                    isPartial = true
                case .foreign: isForeign = true
                case .unclaimed: break
                }
            }
        }
        return (isPartial ? .partial : .nothing, nil)
    }

    /// The file of `item` if it exists, complete and in the requested size.
    ///
    /// - Throws: ``DownloadError/damaged(path:)`` for one whose bytes are others though nobody has written to it. They
    ///   are read where something of the file has changed since it was recorded; `verify` reads all.
    func existingFile(
        of item: DownloadItem, at destination: Destination
    ) throws(DownloadError) -> DownloadedFile? {
        guard let file = try holding(of: item, at: destination).1 else { return nil }
        let path = destination.relative(file.name)
        if let entry = file.entry {
            guard entry.isUntouched(file.status), !entry.isUnchanged(file.status) else { return file.kept }
            let digest = try? Digest.text(of: file.file, length: file.length)
            guard file.length == entry.bytes, entry.digest == nil || digest == entry.digest else {
                throw .damaged(path: destination.shown(file.name))
            }
            // It need not be read again. Should this fail, as in a folder that is read-only by now, it is all the same.
            try? manifest.add(entry.dated(file.status))
            return file.kept
        }
        let kept = file.kept(digest: try? Digest.text(of: file.file, length: file.length))
        return try manifest.exclusively { add throws(DownloadError) in
            // A process that has just named the file has added its own line by now.
            guard let entry = try manifest.entry(for: path) else {
                let entry = ManifestEntry(
                    item, file: path, bytes: file.length, digest: kept.digest, validator: nil,
                    pixels: kept.pixels, file.status)
                try add(entry.line)
                return kept
            }
            return entry.isFile(of: item) ? kept : nil
        }
    }

    private func files(
        called leaf: String, at destination: Destination
    ) throws(DownloadError) -> [ExistingFile] {
        // What other processes add to the folder, they add to its manifest first.
        let types =
            try manifest.isShared() ? PictureType.allCases : names.types(called: leaf, at: destination)
        return try types.map { type throws(DownloadError) in
            try file(leaf + "." + type.fileExtension, type, at: destination)
        }.compactMap(\.self)
    }

    private func file(
        _ name: String, _ type: PictureType, at destination: Destination
    ) throws(DownloadError) -> ExistingFile? {
        guard let file = try? SystemCall.open(name, in: destination.folder, O_RDONLY),
            let status = try? SystemCall.status(of: file), status.isRegular
        else { return nil }
        let entry = try manifest.entry(for: destination.relative(name))
        return ExistingFile(
            destination: destination, name: name, type: type, file: file, status: status, entry: entry)
    }

    // MARK: - New files

    /// Gives a completed part its name, and then adds it to the manifest: what is recorded has been there.
    ///
    /// Other processes see both or neither, since they choose names under the same lock. One killed in between leaves
    /// a file without an entry: the next run adopts it by a name that identifies the photo, or by its bytes.
    func store(_ completed: CompletedPart, overwrites: Bool) throws(DownloadError) -> DownloadedFile {
        let (item, part, destination) = (completed.item, completed.part, completed.part.destination)
        let (name, isDue) = try manifest.exclusively { add throws(DownloadError) in
            let (name, replaced) = try freeName(for: completed, overwrites: overwrites)
            if let replaced { try part.rename(to: name, over: replaced) } else { part.discard() }
            if let date = item.date {
                let named = try? SystemCall.open(name, in: destination.folder, O_RDONLY)
                if let named { try? SystemCall.setTimes(of: named, to: date) }
            }
            names.add(name, at: destination)
            // Before the line, so that a sync that covers its group covers the name.
            let (group, isDue) = noteChange(in: destination)
            let entry = ManifestEntry(
                item, file: destination.relative(name), bytes: completed.length, digest: completed.digest,
                validator: completed.validator, missing: completed.contents.missing,
                pixels: completed.contents.size, group: group,
                (try? SystemCall.status(of: name, in: destination.folder)) ?? nil)
            try add(entry.line)
            return (name, isDue)
        }
        // The file is complete; without the sync, a power failure may undo its name, but not damage it.
        if isDue { try? sync() }
        return DownloadedFile(
            in: destination.top, path: destination.relative(name), bytes: completed.length,
            status: completed.status, digest: completed.digest, warning: completed.warning,
            pixels: completed.contents.size, standIn: item.standIn)
    }

    /// Removes a file that proved to be nobody's photo, and its metadata, if they are as written; false if it stays.
    /// The manifest is then as if the file had never been there.
    func takeBack(_ file: DownloadedFile, of item: DownloadItem) throws(DownloadError) -> Bool {
        let destination = try folder.destination(for: item.name)
        let name = String(file.name)
        let isGone = try manifest.exclusively { add throws(DownloadError) in
            guard try manifest.entry(for: destination.relative(name))?.isFile(of: item) == true,
                Self.remove(name, of: file.digest, from: destination)
            else { return false }
            try add(RevokedEntry(file: destination.relative(name)).line)
            return true
        }
        let beside = file.url.deletingPathExtension().lastPathComponent + ".json"
        if isGone, let known: SidecarEntry = try manifest.last(about: destination.relative(beside)) {
            _ = Self.remove(beside, of: known.digest, from: destination)
        }
        return isGone
    }

    private static func remove(_ name: String, of digest: String?, from destination: Destination) -> Bool {
        let isOwn = Replacement.own { file, status throws(SystemCall.Failure) in
            try Digest.text(of: file, length: status.length) == digest
        }
        guard digest != nil, (try? isOwn.check(name, in: destination.folder)) == true else { return false }
        return (try? SystemCall.remove(name, from: destination.folder)) != nil
    }

    /// Writes the item's metadata beside its file, atomically, through no link, over only its own that nobody changed.
    func write(_ metadata: Data, of item: DownloadItem, beside file: DownloadedFile) throws(DownloadError) {
        let destination = try folder.destination(for: item.name)
        let name = file.url.deletingPathExtension().lastPathComponent + ".json"
        let path = destination.relative(name)
        let bytes = [UInt8](metadata)
        let known = try manifest.last(SidecarEntry.self, about: path)
        let new = SidecarEntry(beside: path, digest: Hexadecimal.text(Digest.hash(bytes)))
        do throws(SystemCall.Failure) {
            let found = (try? SystemCall.open(name, in: destination.folder, O_RDONLY)).flatMap {
                try? Digest.text(of: $0, length: SystemCall.status(of: $0).length)
            }
            if found == new.digest { return }
            let draft = try FileDraft(of: name, in: destination.folder, mode: 0o666)
            try SystemCall.write(bytes, to: draft.file)
            let isOwn = Replacement.own { file, status throws(SystemCall.Failure) in
                if let known { return try Digest.text(of: file, length: status.length) == known.digest }
                // Written before the manifest had such lines.
                let text = try SystemCall.read(file, at: 0, count: Int(min(status.length, 1 << 20)))
                return DescribedPhoto(json: Data(text))?.entry.photo.id == item.photo
            }
            try draft.finish(over: isOwn, isDurable: false)
        } catch {
            throw .cannotWrite(path: destination.shown(name), reason: error.reason, code: error.code)
        }
        try manifest.add(new)
    }

    func setDate(_ date: Date, of file: DownloadedFile) {
        let path = file.url.path(percentEncoded: false)
        guard let opened = try? SystemCall.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let old = try? SystemCall.status(of: opened),
            (try? SystemCall.setTimes(of: opened, to: date)) != nil,
            let entry = try? manifest.entry(for: file.path), entry.isUntouched(old),
            let new = try? SystemCall.status(of: opened)
        else { return }
        // Should this fail, the file passes for one that its owner has changed.
        try? manifest.add(entry.dated(new))
    }

    /// A name of no other photo and no file outside the manifest, unless that is a picture cut short; and what may be
    /// replaced, `nil` where a file of these very bytes has it, as after a process killed before it added the line.
    private func freeName(
        for completed: CompletedPart, overwrites: Bool
    ) throws(DownloadError) -> (String, over: Replacement?) {
        let (item, type) = (completed.item, completed.contents.type)
        let destination = completed.part.destination
        for leaf in Self.leaves(of: item, at: destination) {
            let name = leaf + "." + type.fileExtension
            guard let status = (try? SystemCall.status(of: name, in: destination.folder)) ?? nil else {
                return (name, .nothing)
            }
            // A link, or a file that cannot be opened, is somebody's all the same.
            guard status.isRegular, let file = try file(name, type, at: destination) else { continue }
            if file.claim(of: item) == .ours { return (name, .current(status)) }
            guard file.entry == nil else { continue }
            let isSame = file.hasBytes(of: completed)
            if isSame, file.length == completed.length { return (name, nil) }
            if overwrites || isSame || file.isTorso { return (name, .current(status)) }
        }
        throw .cannotCreate(path: destination.shown(destination.leaf), reason: "another file has its name")
    }

    /// The name, and the one to use if another picture has it: with the photo's identifier and the size added.
    private static func leaves(of item: DownloadItem, at destination: Destination) -> some Sequence<String> {
        // Lazily, since the second one is seldom needed.
        [false, true].lazy.map { isAlternative in
            guard isAlternative else { return destination.leaf }
            let page = item.page > 0 ? "_p\(item.page)" : ""
            let size = item.size == .full ? "" : "_" + item.size.rawValue
            let suffix = "_" + FileName.identifier(of: item.photo) + size + page
            return FileName.shortened(destination.leaf, to: FileName.longest - suffix.utf8.count) + suffix
        }
    }

    // MARK: - Syncing

    /// Waits until all names are on the storage device, then says so in the manifest, and waits for that.
    package func sync() throws(DownloadError) {
        try syncing.withLock { _ throws(DownloadError) in try syncAlone() }
    }

    private func syncAlone() throws(DownloadError) {
        let changes = unsynced.withLock { unsynced in
            defer { unsynced = Unsynced() }
            return unsynced
        }
        guard !changes.folders.isEmpty else { return }
        do throws(DownloadError) {
            for folder in changes.folders.values { try sync(folder) }
            try manifest.add(SyncedEntry(synced: changes.group.text))
            try manifest.sync()
        } catch {
            unsynced.withLock { $0.folders.merge(changes.folders) { now, _ in now } }
            throw error
        }
    }

    private func sync(_ folder: Descriptor) throws(DownloadError) {
        do { try SystemCall.sync(folder) } catch {
            // A file system that cannot sync folders does so by itself.
            if [EINVAL, ENOTSUP, EOPNOTSUPP, EBADF].contains(error.code) { return }
            let path = PlainText.line(self.folder.url.path(percentEncoded: false))
            throw .cannotWrite(path: path, reason: error.reason, code: error.code)
        }
    }

    /// The group of a name that has just changed, and whether a sync is due: a power failure before only undoes names.
    private func noteChange(in destination: Destination) -> (SyncGroup, isDue: Bool) {
        // The folders above too: one of them may be new, and the manifest is in the topmost.
        let folders = (destination.parents + [destination.folder]).compactMap { folder in
            (try? SystemCall.status(of: folder)).map { ($0.st_ino, folder) }
        }
        let now = ContinuousClock.now
        return unsynced.withLock { unsynced in
            for (inode, folder) in folders { unsynced.folders[inode] = folder }
            let since = unsynced.since ?? now
            unsynced.since = since
            let isDue = now - since > .seconds(1) || unsynced.folders.count >= mostUnsynced
            return (unsynced.group, isDue)
        }
    }
}

/// What a folder has of a photo: an incomplete file, which a download replaces, or the whole one, which stays.
enum Holding: Hashable {
    case nothing, partial, whole
}

/// A complete part that is on the storage device and only needs its name.
struct CompletedPart: Sendable {
    let item: DownloadItem
    let part: PartFile
    let contents: ArrivingFile.Contents
    /// In bytes.
    let length: Int64
    let status: DownloadedFile.Status
    let validator: String?
    /// `nil` if the part cannot be read.
    let digest: String?

    var warning: String? {
        contents.missing.map { "the picture is incomplete, as is the host's copy: \($0)" }
            ?? contents.companionFault
    }
}

/// An open file under a final name.
struct ExistingFile {
    fileprivate let destination: Destination
    fileprivate let name: String
    /// By its extension.
    fileprivate let type: PictureType
    fileprivate let file: Descriptor
    fileprivate let status: stat
    fileprivate let entry: ManifestEntry?

    fileprivate var length: Int64 { status.length }

    enum Claim {
        case ours
        /// It is not in the manifest, but its name identifies the photo.
        case unclaimed
        case foreign
    }

    fileprivate func claim(of item: DownloadItem) -> Claim {
        switch entry {
        case let entry? where entry.isFile(of: item): .ours
        case nil where item.isNameUnique: .unclaimed
        default: .foreign
        }
    }

    fileprivate var isWhole: Bool { wholeType == type }

    /// Whether it is a picture that is cut short.
    fileprivate var isTorso: Bool { if case .damaged? = found { true } else { false } }

    /// Whether it is a complete picture, or recorded as what its host has.
    fileprivate var isAccepted: Bool { entry?.missing != nil && entry?.bytes == length || wholeType != nil }

    /// Whether it is, byte for byte, what has just been downloaded, or the beginning of that.
    fileprivate func hasBytes(of completed: CompletedPart) -> Bool {
        length <= completed.length
            && (try? SystemCall.isSame(file, completed.part.file, length: length)) == true
    }

    private var wholeType: PictureType? { if case .whole(let type, _)? = found { type } else { nil } }

    private var found: PictureFile? {
        try? PictureFile.examine(descriptor: file.number, length: length, named: name)
    }

    /// The file, with the digest that it had when it was completed.
    var kept: DownloadedFile { kept(digest: entry?.bytes == length ? entry?.digest : nil) }

    fileprivate func kept(digest: String?) -> DownloadedFile {
        var pixels = entry?.bytes == length ? entry?.pixels : nil
        // Lines of earlier versions do not say it.
        if pixels == nil, case .whole(_, let size)? = found { pixels = size }
        return DownloadedFile(
            in: destination.top, path: destination.relative(name), bytes: length, status: .kept,
            digest: digest, pixels: pixels, standIn: entry?.standIn)
    }
}

/// The names of pictures in a folder and its subfolders when first asked for, so that not every extension is tried.
/// It may take a name to be there that is not, but not the reverse, unless somebody else has added it since.
private final class FolderNames: Sendable {
    private struct Names {
        var hashes: Set<Int> = []
        /// The types that there are: of most folders it is one, and the others need not be looked for.
        var types: Set<PictureType> = []

        mutating func add(_ name: String) {
            guard let dot = name.lastIndex(of: "."),
                let type = PictureType(fileExtension: name[dot...].dropFirst())
            else { return }
            types.insert(type)
            hashes.insert(FolderNames.hash(name))
        }
    }

    private struct State {
        /// By the prefix of their folder.
        var folders: [String: Names] = [:]
        var questions = 0
    }

    /// For fewer items, trying is quicker than reading a folder.
    private static let questionsBeforeReading = 16
    private static let mostFolders = 64

    private let state = Mutex(State())

    /// The types of the files called `leaf`, with an extension, that may be in `destination`'s folder. Blocks briefly.
    func types(called leaf: String, at destination: Destination) -> [PictureType] {
        // Other spellings may be the same to a file system.
        guard leaf.utf8.allSatisfy({ $0 < 0x80 }) else { return PictureType.allCases }
        return state.withLock { state in
            state.questions += 1
            guard state.questions > Self.questionsBeforeReading,
                let names = names(at: destination, in: &state)
            else { return PictureType.allCases }
            return PictureType.allCases.filter { type in
                names.types.contains(type)
                    && names.hashes.contains(Self.hash(leaf + "." + type.fileExtension))
            }
        }
    }

    private func names(at destination: Destination, in state: inout State) -> Names? {
        if let names = state.folders[destination.prefix] { return names }
        var names = Names()
        // Taken as they come: all of them would be many.
        let isRead = try? SystemCall.names(in: destination.folder) { name, _ in
            names.add(name)
            return false
        }
        guard isRead != nil else { return nil }
        if state.folders.count >= Self.mostFolders { state.folders = [:] }
        state.folders[destination.prefix] = names
        return names
    }

    func add(_ name: String, at destination: Destination) {
        state.withLock { $0.folders[destination.prefix]?.add(name) }
    }

    /// The same for names that differ in the case of their letters only.
    private static func hash(_ name: String) -> Int { name.lowercased().hashValue }
}

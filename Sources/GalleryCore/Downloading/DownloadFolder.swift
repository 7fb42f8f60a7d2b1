import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The finished files of one folder, and the record of whose they are.
final class DownloadFolder: Sendable {
    let folder: DestinationFolder
    let record: Manifest
    /// Folders in which names changed since they were last put on the medium.
    private let unsynced = Mutex(Unsynced())

    private struct Unsynced {
        /// By number, since each item opens its folder anew.
        var folders: [ino_t: Descriptor] = [:]
        var since: ContinuousClock.Instant?
    }

    init(_ folder: DestinationFolder) {
        self.folder = folder
        record = Manifest(of: folder)
    }

    // MARK: - What is there

    /// The file of `item`, where it is there, whole, and in the size that is asked for.
    func kept(_ item: DownloadItem, at place: Destination) throws(DownloadError) -> DownloadedFile? {
        for leaf in [place.leaf, Self.otherLeaf(of: item, at: place)] {
            var isStranger = false
            for type in PictureType.allCases {
                let name = leaf + "." + type.fileExtension
                guard let file = try regularFile(name, at: place) else { continue }
                let entry = try record.entry(for: place.relative(name))
                switch FileClaim(entry, item: item, length: file.length) {
                case .stranger: isStranger = true
                case .ours(isAsked: false): break
                case .ours(isAsked: true):
                    if file.isWhole(type) { return file.kept(digest: entry?.digest) }
                case .unclaimed:
                    if file.isWhole(type) { return try adopt(file, for: item) }
                }
            }
            if !isStranger { return nil }
        }
        return nil
    }

    /// From now on the file is this photo's by the record too.
    private func adopt(_ file: ListedFile, for item: DownloadItem) throws(DownloadError) -> DownloadedFile {
        let digest = try? Digest.text(of: file.file, length: file.length)
        try record.add(
            ManifestEntry(
                item, file: file.place.relative(file.name), bytes: file.length, digest: digest,
                validator: nil))
        return file.kept(digest: digest)
    }

    private func regularFile(_ name: String, at place: Destination) throws(DownloadError) -> ListedFile? {
        guard let file = try? SystemCall.open(name, in: place.folder, O_RDONLY),
            let status = try? SystemCall.status(of: file), status.isRegular
        else { return nil }
        return ListedFile(place: place, name: name, file: file, length: status.length)
    }

    // MARK: - What comes

    /// A whole part that is to have its name.
    struct Arrival: Sendable {
        let item: DownloadItem
        let part: PartFile
        let type: PictureType
        /// Bytes.
        let length: Int64
        let status: DownloadedFile.Status
        let validator: String?
        /// Of its bytes; `nil` where they cannot be read.
        let digest: String?

        /// A whole part, put on the medium.
        init(
            _ item: DownloadItem, _ part: PartFile, _ type: PictureType, length: Int64, isResumed: Bool,
            validator: String?
        ) throws(DownloadError) {
            self.item = item
            self.part = part
            self.type = type
            self.length = length
            self.validator = validator
            status = isResumed ? .resumed : .fetched
            digest = try? Digest.text(of: part.file, length: length)
            try part.sync()
        }
    }

    /// What of `item`'s photo stands under a name that its file would have.
    func own(_ item: DownloadItem, at place: Destination) throws(DownloadError) -> UniqueFiles.Own {
        for leaf in [place.leaf, Self.otherLeaf(of: item, at: place)] {
            for type in PictureType.allCases {
                let name = leaf + "." + type.fileExtension
                guard let file = try regularFile(name, at: place) else { continue }
                switch FileClaim(try record.entry(for: place.relative(name)), item: item, length: file.length)
                {
                case .ours(isAsked: true), .unclaimed: return file.isWhole(type) ? .whole : .torso
                case .ours(isAsked: false): return .torso
                case .stranger: continue
                }
            }
        }
        return .nothing
    }

    /// Gives a whole part its name: first in the record, then on disk, so that no
    /// crash leaves a file that nobody knows.
    func put(_ arrival: Arrival, overwrites: Bool) throws(DownloadError) -> DownloadedFile {
        let (item, part, place) = (arrival.item, arrival.part, arrival.part.place)
        // Alone from the choice of a name to its being taken: another process may want the same.
        let name = try record.exclusively { add throws(DownloadError) in
            let name = try freeName(for: item, type: arrival.type, at: place, overwrites: overwrites)
            let entry = ManifestEntry(
                item, file: place.relative(name), bytes: arrival.length, digest: arrival.digest,
                validator: arrival.validator)
            try add(entry.line)
            try part.rename(to: name)
            return name
        }
        // The file is there and whole; should this fail, a power cut may take its name back, no more.
        try? noteChange(in: place.folder)
        return DownloadedFile(
            url: place.url(name), bytes: arrival.length, status: arrival.status, digest: arrival.digest)
    }

    /// Puts the item's metadata beside its file, in one step and through no link.
    func put(_ metadata: Data, of item: DownloadItem, beside file: DownloadedFile) throws(DownloadError) {
        let place = try folder.place(for: item.name)
        let leaf = file.url.deletingPathExtension().lastPathComponent
        // No longer than a part's note, for which names leave room.
        let draft = leaf + "." + Hexadecimal.text(UInt16.random(in: .min ... .max)) + ".new"
        do throws(SystemCall.Failure) {
            let file = try SystemCall.open(
                draft, in: place.folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            do throws(SystemCall.Failure) {
                try SystemCall.write([UInt8](metadata), to: file)
                try SystemCall.check {
                    renameat(place.folder.number, draft, place.folder.number, leaf + ".json")
                }
            } catch {
                try? SystemCall.remove(draft, from: place.folder)
                throw error
            }
        } catch {
            throw .cannotWrite(path: place.shown(leaf + ".json"), reason: error.reason)
        }
    }

    /// A name that no other photo's file has, nor anyone's that is whole and in no record.
    private func freeName(
        for item: DownloadItem, type: PictureType, at place: Destination, overwrites: Bool
    ) throws(DownloadError) -> String {
        for leaf in [place.leaf, Self.otherLeaf(of: item, at: place)] {
            let name = leaf + "." + type.fileExtension
            guard let file = try regularFile(name, at: place) else {
                // One that may not be read is somebody's all the same.
                let status = try? SystemCall.status(of: name, in: place.folder)
                if status?.isRegular == true { continue }
                return name
            }
            let entry = try record.entry(for: place.relative(name))
            switch FileClaim(entry, item: item, length: file.length) {
            case .ours, .unclaimed: return name
            case .stranger where entry == nil && (overwrites || !file.isWhole(type)): return name
            case .stranger: continue
            }
        }
        throw .cannotCreate(path: place.shown(place.leaf), reason: "another photo has its name")
    }

    /// The name with the photo's identifier added.
    private static func otherLeaf(of item: DownloadItem, at place: Destination) -> String {
        let page = item.page > 0 ? "_p\(item.page)" : ""
        let suffix = "_" + FileName.identifier(item.photo.value) + page
        return FileName.shortened(place.leaf, to: FileName.longest - suffix.utf8.count) + suffix
    }

    // MARK: - The medium

    /// Waits until all names and the record are on the medium.
    func sync() throws(DownloadError) {
        let folders = unsynced.withLock { unsynced in
            defer { unsynced = Unsynced() }
            return unsynced.folders.values
        }
        guard !folders.isEmpty else { return }
        try record.sync()
        // A file system that cannot sync a folder does it by itself.
        for folder in folders { _ = fsync(folder.number) }
    }

    /// Once a second is enough: until then a power cut may take names back, never tear a file.
    private func noteChange(in folder: Descriptor) throws(DownloadError) {
        guard let number = (try? SystemCall.status(of: folder))?.st_ino else { return }
        let now = ContinuousClock.now
        let isDue = unsynced.withLock { unsynced in
            unsynced.folders[number] = folder
            let since = unsynced.since ?? now
            unsynced.since = since
            return now - since > .seconds(1) || unsynced.folders.count >= 16
        }
        if isDue { try sync() }
    }
}

/// A file under a final name, open.
private struct ListedFile {
    let place: Destination
    let name: String
    let file: Descriptor
    /// Bytes.
    let length: Int64

    /// Whether it is a picture with its end, and its name says which kind.
    func isWhole(_ type: PictureType) -> Bool {
        guard case .whole(type, _)? = try? PictureFile.examine(descriptor: file.number, length: length)
        else { return false }
        return true
    }

    func kept(digest: String?) -> DownloadedFile {
        DownloadedFile(url: place.url(name), bytes: length, status: .kept, digest: digest)
    }
}

import Foundation
import Synchronization

/// A folder that stores identical files once: the first of the batch, or one that already existed. It is asked in the
/// order of the batch, so that the choice does not depend on which arrives first.
final class UniqueFolder: Sendable {
    private let folder: DownloadFolder
    private let files: Mutex<UniqueFiles>

    init(_ folder: DownloadFolder) throws(DownloadError) {
        self.folder = folder
        var files = UniqueFiles()
        var lines = try folder.manifest.lines()
        while let line = try lines.next() {
            guard let entry = ManifestEntry(line: line.text), let digest = entry.digest else { continue }
            files.addExisting(entry.file, .init(bytes: entry.bytes, digest: digest))
        }
        self.files = Mutex(files)
    }

    /// The file for which an earlier run left `item` out, if that still applies.
    func knownOriginal(of item: DownloadItem, at destination: Destination) throws(DownloadError) -> URL? {
        guard !item.isNamed, let known: DuplicateEntry = try folder.manifest.last(about: item.key),
            let entry = try folder.manifest.entry(for: known.sameAs),
            entry.bytes == known.bytes, entry.digest == known.digest,
            folder.folder.open(known.sameAs, length: known.bytes) != nil,
            try folder.holding(of: item, at: destination).0 == .nothing
        else { return nil }
        // A part was left by an interrupted run.
        if (try? SystemCall.status(of: destination.part, in: destination.folder)) != nil {
            try PartFile.open(destination)?.discard()
        }
        return url(known.sameAs)
    }

    func accept(_ file: DownloadedFile, of item: DownloadItem, at destination: Destination) -> ItemOutcome {
        let path = destination.relative(String(file.name))
        guard let own = folder.folder.open(path, length: file.bytes),
            let digest = file.digest ?? (try? Digest.text(of: own, length: file.bytes))
        else { return .stored(file) }
        let fingerprint = UniqueFiles.Fingerprint(bytes: file.bytes, digest: digest)
        if let original = original(of: fingerprint, own, for: item, existing: .whole) {
            return .duplicate(of: url(original))
        }
        files.withLock { $0.add(path, fingerprint) }
        return .stored(file)
    }

    func store(_ completed: CompletedPart, overwrites: Bool) throws(DownloadError) -> ItemOutcome {
        let (item, part, destination) = (completed.item, completed.part, completed.part.destination)
        let fingerprint = completed.digest.map {
            UniqueFiles.Fingerprint(bytes: completed.length, digest: $0)
        }
        let (existing, _) = try folder.holding(of: item, at: destination)
        if let fingerprint, let original = original(of: fingerprint, part.file, for: item, existing: existing)
        {
            // In this order, so that a file that the manifest says was left out does not exist.
            part.discard()
            // If this fails, the next run transfers the file again.
            try? folder.manifest.add(DuplicateEntry(item, sameAs: original, fingerprint))
            return .duplicate(of: url(original))
        }
        let file = try folder.store(completed, overwrites: overwrites)
        if let fingerprint { files.withLock { $0.add(destination.relative(String(file.name)), fingerprint) } }
        return .stored(file)
    }

    private func original(
        of fingerprint: UniqueFiles.Fingerprint, _ file: Descriptor, for item: DownloadItem, existing: Holding
    ) -> String? {
        let files = files.withLock { $0 }
        return files.original(of: fingerprint, isNamed: item.isNamed, existing: existing) { path in
            guard let other = folder.folder.open(path, length: fingerprint.bytes) else { return false }
            return (try? SystemCall.isSame(file, other, length: fingerprint.bytes)) == true
        }
    }

    private func url(_ path: String) -> URL { folder.folder.url.appending(path: path) }
}

/// Finds identical files, asked about one after another in the order of the batch: those with equal fingerprints are
/// compared byte for byte.
package struct UniqueFiles {
    /// Equal for identical files, and hardly ever for others unless somebody constructs them.
    package struct Fingerprint: Hashable {
        package let bytes: Int64
        package let digest: String

        package init(bytes: Int64, digest: String) { (self.bytes, self.digest) = (bytes, digest) }
    }

    private var before: [Fingerprint: [String]] = [:]
    private var batch: [Fingerprint: [String]] = [:]

    mutating func addExisting(_ path: String, _ fingerprint: Fingerprint) {
        before[fingerprint, default: []].append(path)
    }

    mutating func add(_ path: String, _ fingerprint: Fingerprint) {
        batch[fingerprint, default: []].append(path)
    }

    /// The file that the next one duplicates; `nil` if it is to be stored, as is one that was named individually.
    func original(
        of fingerprint: Fingerprint, isNamed: Bool, existing: Holding, isSame: (String) -> Bool
    ) -> String? {
        guard !isNamed else { return nil }
        let earlier = batch[fingerprint] ?? []
        switch existing {
        case .nothing: return (earlier + (before[fingerprint] ?? [])).first(where: isSame)
        // Otherwise each of two identical existing files would be left out for the other.
        case .whole: return earlier.first(where: isSame)
        case .partial: return nil
        }
    }
}

/// Finds identical files among the pictures of several photos.
package final class PictureComparison: Sendable {
    private let known = Mutex(UniqueFiles())

    package init() {}

    /// Whether any of one photo's `files` differs from all files taken before, or is unreadable; if so, takes them all.
    package func take(_ files: [DownloadedFile]) async -> Bool {
        await Disk.run {
            let prints = files.map(Self.print)
            return self.known.withLock { known in
                let isNew = zip(files, prints).contains { file, print in
                    guard let print, let own = Self.open(file.url.path) else { return true }
                    let twin = known.original(of: print, isNamed: false, existing: .nothing) { path in
                        guard let other = Self.open(path) else { return false }
                        return (try? SystemCall.isSame(own, other, length: print.bytes)) == true
                    }
                    return twin == nil
                }
                guard isNew else { return false }
                for (file, print) in zip(files, prints) { if let print { known.add(file.url.path, print) } }
                return true
            }
        }
    }

    private static func print(_ file: DownloadedFile) -> UniqueFiles.Fingerprint? {
        let digest =
            file.digest ?? open(file.url.path).flatMap { try? Digest.text(of: $0, length: file.bytes) }
        return digest.map { UniqueFiles.Fingerprint(bytes: file.bytes, digest: $0) }
    }

    private static func open(_ path: String) -> Descriptor? {
        try? SystemCall.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }
}

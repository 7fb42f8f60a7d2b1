import Foundation
import Synchronization

/// Tells pictures on disk apart by their bytes, in the order they are shown to it.
public final class PictureComparison: Sendable {
    private let known = Mutex(UniqueFiles())

    /// A comparison that has seen nothing.
    public init() {}

    /// Whether one of `files`, those of one photo, differs from every file taken before; then they are taken.
    ///
    /// A file that cannot be read differs from all others.
    public func take(_ files: [DownloadedFile]) async -> Bool {
        await Disk.run { self.takeNow(files) }
    }

    private func takeNow(_ files: [DownloadedFile]) -> Bool {
        let prints = files.map(Self.print)
        return known.withLock { known in
            let isNew = zip(files, prints).contains { file, print in
                guard let print, let own = Self.open(file.url) else { return true }
                let twin = known.original(of: print, isNamed: false, existing: .nothing) { path in
                    guard let other = Self.open(URL(filePath: path)) else { return false }
                    return (try? SystemCall.isSame(own, other, length: print.bytes)) == true
                }
                return twin == nil
            }
            guard isNew else { return false }
            for (file, print) in zip(files, prints) { if let print { known.add(file.url.path, print) } }
            return true
        }
    }

    private static func print(_ file: DownloadedFile) -> UniqueFiles.Fingerprint? {
        let digest = file.digest ?? open(file.url).flatMap { try? Digest.text(of: $0, length: file.bytes) }
        return digest.map { UniqueFiles.Fingerprint(bytes: file.bytes, digest: $0) }
    }

    private static func open(_ url: URL) -> Descriptor? {
        guard let folder = try? DestinationFolder(existing: url.deletingLastPathComponent()) else {
            return nil
        }
        return (try? folder.open(url.lastPathComponent)) ?? nil
    }
}

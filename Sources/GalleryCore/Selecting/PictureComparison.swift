import Foundation
import Synchronization

/// Finds identical files among the pictures of several photos.
package final class PictureComparison: Sendable {
    private let known = Mutex(UniqueFiles())

    /// A comparison that knows no file.
    package init() {}

    /// Whether any of one photo's `files` differs from every file taken before; if so, takes them all.
    ///
    /// A file that cannot be read counts as different.
    package func take(_ files: [DownloadedFile]) async -> Bool {
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

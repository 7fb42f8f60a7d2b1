import Foundation
import Synchronization

/// A manifest of every file that was ever downloaded, whatever its folder.
package final class DownloadArchive: Sendable {
    private let file: URL
    private let manifest = Mutex<Manifest?>(nil)

    /// The archive at `file`, which is created with its folder once there is a file to add. A link is followed.
    package init(_ file: URL) { self.file = (try? Replacement.followed(file)) ?? file }

    /// Adds the photos that it has in a size. Blocks.
    func add(to history: inout DownloadHistory, _ size: PhotoFileSize) throws(DownloadError) {
        let folder: DestinationFolder
        do throws(SystemCall.Failure) {
            folder = try DestinationFolder(existing: file.deletingLastPathComponent())
        } catch {
            // Else all that it has would be downloaded again.
            guard error.code == ENOENT else {
                throw .cannotWrite(path: PlainText.line(file.path), reason: error.reason, code: error.code)
            }
            return
        }
        let manifest = try opened { () throws(DownloadError) in folder }
        var lines = try manifest.lines()
        while let line = try lines.next() {
            guard let entry = ArchiveEntry(line: line.text), let file = DownloadItem.file(of: entry.had),
                file.size.serves(size), entry.isRevoked != true
            else { continue }
            history.add(file.photo, page: file.page)
        }
    }

    /// Adds a file whose name is on the storage device. Blocks.
    func add(_ item: DownloadItem) throws(DownloadError) {
        let manifest = try opened { () throws(DownloadError) in
            try DestinationFolder(creating: file.deletingLastPathComponent())
        }
        let known: ArchiveEntry? = try manifest.last(about: item.key)
        guard known == nil || known?.isRevoked == true else { return }
        try manifest.add(ArchiveEntry(had: item.key))
    }

    /// Adds that a file proved to be nobody's photo. Blocks.
    func takeBack(_ item: DownloadItem) throws(DownloadError) {
        try manifest.withLock(\.self)?.add(ArchiveEntry(had: item.key, isRevoked: true))
    }

    /// - Throws: Also where the file is there and has no line of a manifest: it would be written anew.
    private func opened(
        in folder: () throws(DownloadError) -> DestinationFolder
    ) throws(DownloadError) -> Manifest {
        try manifest.withLock { manifest throws(DownloadError) in
            if let manifest { return manifest }
            let new = Manifest(of: try folder(), named: file.lastPathComponent)
            do throws(DownloadError) { _ = try new.lines() } catch .unreadableManifest(let path) {
                throw .cannotWrite(path: path, reason: "it is no archive of downloads", code: EINVAL)
            }
            manifest = new
            return new
        }
    }
}

struct ArchiveEntry: Hashable, ManifestLine {
    static let key = "had"
    /// The file; see ``DownloadItem/key``.
    let had: String
    /// Whether what came proved to be nobody's photo.
    var isRevoked: Bool?

    var subject: String { had }
    var facts: KeyValuePairs<String, JSONValue?> { ["isRevoked": isRevoked.map(JSONValue.bool)] }
}

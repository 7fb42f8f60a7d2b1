import Foundation

/// A manifest of every file that was ever downloaded, whatever its folder.
package final class DownloadArchive: Sendable {
    private let manifest: Manifest

    /// The archive at `file`, whose folder is created if it is missing.
    package init(_ file: URL) async throws(DownloadError) {
        manifest = try await Disk.run { () throws(DownloadError) in
            let folder = try DestinationFolder(creating: file.deletingLastPathComponent())
            return Manifest(of: folder, named: file.lastPathComponent)
        }
    }

    /// Adds the photos that it has in a size. Blocks.
    func add(to history: inout DownloadHistory, _ size: PhotoFileSize) throws(DownloadError) {
        for offset in try manifest.offsets() {
            guard let entry = try manifest.line(ArchiveEntry.self, at: offset),
                let file = DownloadItem.file(of: entry.had), file.size.serves(size)
            else { continue }
            history.add(file.photo, page: file.page)
        }
    }

    /// Adds a file that is now on disk.
    package func add(_ item: DownloadItem) async throws(DownloadError) {
        try await Disk.run { [manifest] () throws(DownloadError) in
            guard try manifest.last(ArchiveEntry.self, about: item.key) == nil else { return }
            try manifest.add(ArchiveEntry(had: item.key))
        }
    }
}

/// A line of an archive: a file that was downloaded.
struct ArchiveEntry: Hashable, ManifestLine {
    static let key = "had"

    /// The file; see ``DownloadItem/key``.
    let had: String

    var subject: String { had }
    var facts: KeyValuePairs<String, JSONValue?> { [:] }
}

import Foundation
import GalleryCore

/// Where the files of a page are until the page has them: private, and in the cache.
package struct IncomingFiles: Sendable {
    package let folder: TargetFolder

    /// Those of the site at `site`, which exists, in a folder of their own in `cache`.
    package init(of site: URL, in cache: URL) {
        let path = site.path(percentEncoded: false)
        folder = TargetFolder(cache.appending(path: SiteRecord.digest(FolderScan.resolve(path) ?? path)))
    }

    /// Removes what the page has. Parts of files that did not come stay, for the next run to go on with.
    package func clear() async {
        let url = folder.url
        await Disk.run {
            guard let folder = try? DestinationFolder(existing: url) else { return }
            var files: [String] = []
            folder.forEachFile { path, _ in files.append(path) }
            let parts = files.filter { $0.hasSuffix(".part") || $0.hasSuffix(".part.json") }
            guard !parts.isEmpty else { return _ = try? FileManager.default.removeItem(at: url) }
            for path in Set(files).subtracting(parts) {
                guard let file = folder.existingDestination(for: path) else { continue }
                try? SystemCall.remove(file.leaf, from: file.folder)
            }
        }
    }
}

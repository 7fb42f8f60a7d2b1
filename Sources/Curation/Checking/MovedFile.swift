import Foundation
import GalleryCore

/// Files that were moved within a folder whose manifest knows their digests.
package enum MovedFile {
    /// Where the file that was at `path` is now: below a folder that was fetched into, with the bytes of which its
    /// manifest knows. `nil` where it is still there, where no manifest knows it, or where nothing has these bytes.
    ///
    /// Blocks: it reads the folder's files of that length.
    package static func find(_ path: String) -> String? {
        guard access(path, F_OK) != 0 else { return nil }
        var folder = URL(filePath: path)
        // Names make folders below the one with the manifest.
        for _ in 0..<4 where folder.path != "/" {
            folder.deleteLastPathComponent()
            let name = String(path.dropFirst(folder.path.count).drop { $0 == "/" })
            if let found = find(name, in: folder) { return found }
        }
        return nil
    }

    private static func find(_ name: String, in folder: URL) -> String? {
        guard access(folder.path + "/" + Manifest.name, R_OK) == 0,
            let top = try? DestinationFolder(existing: folder),
            let entry = (try? Manifest(of: top).entry(for: name)) ?? nil, let digest = entry.digest
        else { return nil }
        var found: String?
        top.forEachFile { path, status in
            guard found == nil, status.length == entry.bytes, let file = (try? top.open(path)) ?? nil,
                (try? Digest.text(of: file, length: entry.bytes)) == digest
            else { return }
            found = folder.path + "/" + path
        }
        return found
    }
}

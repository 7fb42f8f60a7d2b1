import Foundation
import GalleryCore

/// Files that were moved within folders whose manifests know their digests.
package enum MovedFile {
    private struct Folder {
        let top: DestinationFolder
        let manifest: Manifest
        /// The files that are looked for, by their lengths in bytes.
        var sought: [Int64: [(path: String, digest: String)]] = [:]
    }

    /// Where those of `paths` are now at which nothing is: below a folder that was fetched into, with the bytes of which
    /// its manifest knows. Those that no manifest knows, or that are nowhere, are left out.
    ///
    /// Blocks: it goes through each such folder once, and reads the files of the lengths that are looked for.
    package static func find(_ paths: [String]) -> [String: String] {
        var folders: [String: Folder] = [:]
        for path in paths where access(path, F_OK) != 0 { seek(path, in: &folders) }
        var found: [String: String] = [:]
        for (place, folder) in folders where !folder.sought.isEmpty {
            folder.top.forEachFile { name, status in
                guard let sought = folder.sought[status.length],
                    let file = (try? folder.top.open(name)) ?? nil,
                    let digest = try? Digest.text(of: file, length: status.length)
                else { return }
                for file in sought where file.digest == digest { found[file.path] = place + "/" + name }
            }
        }
        return found
    }

    /// Adds a file to what is looked for in the folder whose manifest knows it.
    private static func seek(_ path: String, in folders: inout [String: Folder]) {
        var url = URL(filePath: path)
        // Names make folders below the one with the manifest.
        for _ in 0..<4 where url.path != "/" {
            url.deleteLastPathComponent()
            let place = url.path
            if folders[place] == nil, access(place + "/" + Manifest.name, R_OK) == 0,
                let top = try? DestinationFolder(existing: url)
            {
                folders[place] = Folder(top: top, manifest: Manifest(of: top))
            }
            let name = String(path.dropFirst(place.count).drop { $0 == "/" })
            guard let entry = (try? folders[place]?.manifest.entry(for: name)) ?? nil,
                let digest = entry.digest
            else { continue }
            folders[place]?.sought[entry.bytes, default: []].append((path, digest))
            return
        }
    }
}

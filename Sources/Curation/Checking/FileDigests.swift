import Foundation
import GalleryCore

/// The digests of files where they are, each kept for as long as its file has the same length and date.
package actor FileDigests {
    private struct Known: Codable {
        let bytes: Int64
        let modified: Date
        let digest: String
    }

    private let store: URL
    /// By path; `nil` before they are read.
    private var known: [String: Known]?

    /// The digests kept in the file `store`, which need not exist.
    package init(_ store: URL) { self.store = store }

    /// The files at `urls` with their digests, without those that cannot be read.
    package func files(at urls: [URL]) async -> [URL: DownloadedFile] {
        let (files, all) = await Disk.run { [store, known] in
            let read = { try JSONDecoder().decode([String: Known].self, from: Data(contentsOf: store)) }
            var all = known ?? (try? read()) ?? [:]
            var files: [URL: DownloadedFile] = [:]
            var isChanged = false
            for url in urls {
                guard let file = try? SystemCall.open(url.path, O_RDONLY | O_NONBLOCK),
                    let status = try? SystemCall.status(of: file), status.isRegular
                else { continue }
                let (bytes, modified) = (status.length, status.lastModified)
                var digest = all[url.path].flatMap {
                    $0.bytes == bytes && $0.modified == modified ? $0.digest : nil
                }
                if digest == nil, let new = try? Digest.text(of: file, length: bytes) {
                    digest = new
                    all[url.path] = Known(bytes: bytes, modified: modified, digest: new)
                    isChanged = true
                }
                files[url] = DownloadedFile(url: url, bytes: bytes, status: .kept, digest: digest)
            }
            if isChanged, let data = try? JSONEncoder().encode(all) {
                try? PrivateFile.replace(store, with: data, isDurable: false)
            }
            return (files, all)
        }
        known = all
        return files
    }
}

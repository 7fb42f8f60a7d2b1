import Foundation
import GalleryCore
import PictureFiles

/// The manifest that earlier versions kept among a page's files: it names addresses, and files of this machine.
///
/// What it says is taken over, and the file goes once a new page is there.
struct FormerManifest {
    /// What it says of the page's pictures.
    let record: SiteRecord
    private let folder: DestinationFolder

    /// The manifest in `folder`; `nil` where there is none, or no page that `record` knows of, or it is of other files
    /// too: then it is one of `fetch`.
    init?(in folder: DestinationFolder, _ record: SiteRecord) {
        guard record.hasFile(at: "index.html"),
            (try? SystemCall.status(of: Manifest.name, in: folder.root))?.isRegular == true
        else { return nil }
        let manifest = Manifest(of: folder)
        var found = SiteRecord()
        var lines = try? manifest.lines()
        while let line = (try? lines?.next()) ?? nil {
            guard let entry = ManifestEntry(line: line.text) else { continue }
            guard SiteRecord.isPicture(entry.file) else { return nil }
            guard let digest = entry.digest else { continue }
            found.add(entry.file, digest)
            let key = SitePictures.key(
                of: DownloadItem.key(of: entry.photo, page: entry.page, size: entry.size))
            found.add(.init(path: entry.file, origin: digest, metadata: .keep, isIntact: true), key)
        }
        folder.forEachFile { path, status in
            // Their names say what they are made of.
            guard SiteRecord.isPicture(path), path.wholeMatch(of: PublishedPicture.madeName) != nil,
                !found.hasFile(at: path),
                let file = folder.open(path, length: status.length),
                let digest = try? Digest.text(of: file, length: status.length)
            else { return }
            found.add(path, digest)
        }
        (self.record, self.folder) = (found, folder)
    }

    /// Removes it, and the parts of files that it knows of: their notes say where these come from.
    func remove() {
        try? SystemCall.remove(Manifest.name, from: folder.root)
        folder.forEachFile { path, _ in
            guard SiteRecord.isPicture(path), path.hasSuffix(".part") || path.hasSuffix(".part.json"),
                let file = folder.existingDestination(for: path)
            else { return }
            try? SystemCall.remove(file.leaf, from: file.folder)
        }
    }
}

extension PublishedPicture {
    /// The path of a picture that was made of another: a name, the digest of that, and the longer edge.
    static var madeName: Regex<Substring> { /thumbs\/[^\/]+\.[0-9a-f]{16}(?:-[0-9]+)?\.[a-z]+/ }
}

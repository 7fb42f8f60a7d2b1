import Foundation
import Synchronization

/// What a command may read of this machine besides the folder it lists: files and folders that its line names, and
/// files that the program itself noted, such as those of marked photos. What others say of files adds nothing.
package final class NotedFiles: Sendable {
    private let files = Mutex<Set<String>>([])
    /// With all links resolved.
    private let folders = Mutex<[String]>([])

    package init() {}

    /// Adds files, and folders with all that they hold, by absolute paths. Blocks briefly.
    package func add(_ paths: [String]) {
        files.withLock { $0.formUnion(paths) }
        let found = paths.filter(FolderScan.isFolder).compactMap { FolderScan.resolve($0) }
        folders.withLock { $0 += found }
    }

    /// Where the file at `path` really is; `nil` if nothing is there, or it is not among these.
    package func resolve(_ path: String) -> String? {
        guard let target = FolderScan.resolve(path) else { return nil }
        let isNoted = files.withLock { $0.contains(path) }
        return isNoted || folders.withLock { $0.contains { FolderScan.contains($0, target) } } ? target : nil
    }
}

extension PhotoID {
    /// What the photo is called wherever it is met: of a folder's picture its path, since names repeat from folder to
    /// folder.
    func lasting(in folder: URL?) -> PhotoID {
        guard service == Folder.word, !value.hasPrefix("/"), let folder, folder.isFileURL else { return self }
        return PhotoID(service: service, value: FolderReader.path(of: folder) + "/" + value)
    }
}

extension Photo {
    /// See ``PhotoID/lasting(in:)``.
    package var lastingID: PhotoID {
        ownFile.map { PhotoID(service: id.service, value: $0.path(percentEncoded: false)) } ?? id
    }

    /// The photo under the identifier that it has in lists of several folders.
    package var lasting: Photo { lastingID == id ? self : completed(by: Photo(id: lastingID, title: "")) }
}

import Foundation

/// Pictures kept for looking at: each fetched once, by the downloader, into a folder of the user's own.
package struct PictureFolder: Sendable {
    /// Where the files are.
    package let folder: URL
    private let downloader: Downloader

    /// A folder whose files `downloader` brings.
    package init(_ folder: URL, downloader: Downloader) {
        self.folder = folder
        self.downloader = downloader
    }

    /// The file that `request` stands for, from disk where it is there. Cancelling keeps its part.
    package func file(
        of photo: PhotoID, _ request: HTTPRequest, progress: CursorSource.Progress
    ) async throws(DownloadError) -> DownloadedFile {
        let item = DownloadItem(
            number: 0, photo: photo, source: request, name: Self.name(of: photo, request.url),
            isNameUnique: true)
        for await event in downloader.fetch([item], into: folder) {
            switch event {
            case .started(_, let offset, let expected): progress(offset, expected)
            case .progress(_, let received, let expected): progress(received, expected)
            case .waiting, .leftOut: continue
            case .finished(_, let file): return file
            case .failed(_, let error): throw error
            }
        }
        throw .cancelled
    }

    /// The file where it is there already; `nil` where it is not, or not whole. Asks the disk, briefly.
    package func kept(of photo: PhotoID, _ request: HTTPRequest) -> URL? {
        let name = Self.name(of: photo, request.url)
        return PictureType.allCases.lazy.map { folder.appending(path: "\(name).\($0.fileExtension)") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Makes the folder, for the user alone, and removes what was not looked at longest, down to `limit` bytes.
    package func prepare(limit: Int = 512 << 20) async {
        let folder = folder
        await Disk.run { Self.prepare(folder, limit: limit) }
    }

    private static func prepare(_ folder: URL, limit: Int) {
        let manager = FileManager.default
        try? manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey, .isRegularFileKey]
        let files = (try? manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys)))
        let entries = (files ?? []).compactMap { file -> (url: URL, size: Int, date: Date)? in
            guard let values = try? file.resourceValues(forKeys: keys), values.isRegularFile == true,
                let size = values.fileSize, let date = values.contentModificationDate
            else { return nil }
            return (file, size, date)
        }
        var excess = entries.reduce(0) { $0 + $1.size } - limit
        for entry in entries.sorted(by: { $0.date < $1.date }) {
            guard excess > 0 else { break }
            // A part that another process writes right now is its newest file.
            guard (try? manager.removeItem(at: entry.url)) != nil else { continue }
            excess -= entry.size
        }
    }

    /// One name for a photo's file at one address: where the address changes, so does the file.
    private static func name(of photo: PhotoID, _ url: URL) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in url.absoluteString.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        let service = FileName.identifier(photo.service)
        return "\(service)_\(FileName.identifier(photo.value))_\(digits)"
    }
}

import Foundation

/// Pictures kept for viewing: each is downloaded once into a private folder.
package struct PictureFolder: Sendable {
    /// The folder.
    package let folder: URL
    private let downloader: Downloader

    /// A folder that `downloader` fills.
    package init(_ folder: URL, downloader: Downloader) {
        self.folder = folder
        self.downloader = downloader
    }

    /// The file for `request`, downloaded if it is not in the folder. Cancelling keeps its part.
    package func file(
        of photo: PhotoID, _ request: HTTPRequest, progress: CursorSource.Progress
    ) async throws(DownloadError) -> DownloadedFile {
        let item = DownloadItem(
            number: 0, photo: photo, source: request, name: Self.name(of: photo, request.url),
            isNameUnique: true)
        return try await downloader.file(item, into: TargetFolder(folder)) { event in
            switch event {
            case .started(_, let received, let expected), .progress(_, let received, let expected):
                progress(received, expected)
            case .waiting, .finished, .duplicate, .failed: break
            }
        }
    }

    /// The file for `request` if it is in the folder. Blocks briefly.
    package func kept(of photo: PhotoID, _ request: HTTPRequest) -> URL? {
        let name = Self.name(of: photo, request.url)
        return PictureType.allCases.lazy.map { folder.appending(path: "\(name).\($0.fileExtension)") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Creates the folder, for the user only, and removes the least recently used files above `limit` bytes.
    package func prepare(limit: Int = 512 << 20) async {
        let folder = folder
        await Disk.run { Self.prepare(folder, limit: Int64(limit)) }
    }

    private static func prepare(_ folder: URL, limit: Int64) {
        let manager = FileManager.default
        try? manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let names = try? manager.contentsOfDirectory(atPath: folder.path),
            let opened = try? SystemCall.openFolder(folder.path)
        else { return }
        let entries = names.compactMap { name -> EvictionPlan.Entry? in
            guard let status = try? SystemCall.status(of: name, in: opened), status.isRegular else {
                return nil
            }
            return .init(name: name, bytes: status.length, lastUse: status.lastModified)
        }
        // A part that another process is writing is the newest file.
        for victim in EvictionPlan(entries, limit: limit, oldest: .distantPast).victims {
            try? SystemCall.remove(victim, from: opened)
        }
    }

    /// A name for a photo's file at one URL: if the URL changes, so does the file.
    static func name(of photo: PhotoID, _ url: URL) -> String {
        let hash = String(FNV1a.hash(url.absoluteString.utf8), radix: 16)
        return "\(FileName.identifier(photo.service))_\(FileName.identifier(photo.value))_\(hash)"
    }
}

/// Takes files from a picture folder that were viewed before, and sends every other request.
package struct KeptPictureTransport: HTTPTransport {
    private let otherwise: any HTTPTransport
    private let local: FileTransport
    /// The folder's files, by the hash of their address.
    private let files: [Substring: URL]

    /// A transport that takes files from `folder`, as it is now. Blocks briefly.
    package init(_ folder: URL, otherwise: any HTTPTransport) {
        self.otherwise = otherwise
        local = FileTransport(roots: [folder])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        files = Dictionary(
            names.compactMap { name in
                guard let dot = name.lastIndex(of: "."), let bar = name[..<dot].lastIndex(of: "_"),
                    PictureType.allCases.contains(where: { name[dot...] == "." + $0.fileExtension })
                else { return nil }
                return (name[name.index(after: bar)..<dot], folder.appending(path: name))
            }, uniquingKeysWith: { first, _ in first })
    }

    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let hash = String(FNV1a.hash(request.url.absoluteString.utf8), radix: 16)[...]
        // A part is resumed from its server, which knows whether the file has changed.
        guard request.headers["Range"] == nil, let file = files[hash],
            FileManager.default.fileExists(atPath: file.path)
        else { return try await otherwise.send(request, idleTimeout: idleTimeout, to: sink) }
        return try await local.send(HTTPRequest(url: file), idleTimeout: idleTimeout, to: sink)
    }
}

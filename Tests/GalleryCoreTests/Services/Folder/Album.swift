import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// A folder with a loader over it.
final class Album: Sendable {
    let folder: URL
    let loader: PhotoLoader
    let transport: FolderTransport
    let reader: FolderReader
    private let told = Lines()

    init(_ folder: URL) {
        self.folder = folder
        // Its desktop's cache is in the folder itself, where no picture is looked for.
        let thumbnails = DesktopThumbnails(["XDG_CACHE_HOME": folder.path + "/.cache"])
        transport = FolderTransport(
            folder: folder, files: FileTransport(roots: [folder]), thumbnails: thumbnails)
        let service = Folder(folder: folder, thumbnails: thumbnails)
        reader = service.reader
        let client = APIClient(transport: transport) { [told] event in
            guard case .leftOut(_, let errors) = event else { return }
            errors.forEach { told.add($0.description) }
        }
        loader = PhotoLoader(service: service, client: client)
    }

    /// What was left out, in the order in which it was told.
    var warnings: [String] { told.all }

    /// Puts a file there, last changed `age` seconds before a fixed moment.
    @discardableResult
    func add(_ path: String, _ data: Data, age: Int = 0) throws -> URL {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        try setAge(url, age)
        return url
    }

    func setAge(_ url: URL, _ age: Int) throws {
        let date = Date(timeIntervalSince1970: TimeInterval(1_600_000_000 - age))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: path).path, withDestinationPath: target)
    }

    func list(_ feed: Feed = .popular(), _ range: ClosedRange<Int> = 1...100) async throws -> Page {
        try await loader.photos(range, of: feed)
    }

    func paths(_ feed: Feed = .popular(), _ range: ClosedRange<Int> = 1...100) async throws -> [String] {
        try await list(feed, range).photos.map(\.photo.id.value)
    }

    func bytes(of rendition: Rendition?) async throws -> Data {
        let sink = MemorySink()
        let request = loader.service.image(try #require(rendition))
        let head = try await transport.send(request, idleTimeout: 30, to: sink)
        #expect(head.status == 200)
        return sink.data
    }

    func detail(_ path: String) async throws -> PhotoDetail {
        let id = PhotoID(service: "folder", value: path)
        return try #require(try await loader.details(of: [Photo(id: id, title: "")])[id]).get()
    }
}

/// Runs the body with an empty album.
func withAlbum(_ body: (Album) async throws -> Void) async throws {
    try await withTemporaryDirectory { try await body(Album($0)) }
}

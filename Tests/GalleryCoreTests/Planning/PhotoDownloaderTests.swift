import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite("Photo downloader", .fewAtOnce, .timeLimit(.minutes(1)))
struct PhotoDownloaderTests {
    private func photo(_ number: Int, _ server: LocalServer, title: String = "") -> Photo {
        Photo(
            id: PhotoID(service: "500px", value: "\(number)"), title: title,
            full: Rendition(url: server.url("/\(number)"), size: nil))
    }

    private func loader(_ server: LocalServer) throws -> PhotoLoader {
        try PhotoLoader(service: "500px", key: "key", at: server.url("v1"))
    }

    @Test func `the manifest says where the service of a photo is`() async throws {
        try await withLocalServer(.file(Pictures.jpeg(bytes: 5_000, seed: 1))) { server in
            try await withTemporaryDirectory { folder in
                let file = try await PhotoDownloader(loader(server)).file(of: photo(1, server), into: folder)
                let manifest = Manifest(of: try DestinationFolder(existing: folder))
                let entry = try manifest.entry(for: file.url.lastPathComponent)
                #expect(entry?.base == server.url("v1").absoluteString)
            }
        }
    }

    @Test func `a folder's manifest is read once for all its photos`() async throws {
        try await withLocalServer(.file(Pictures.jpeg(bytes: 5_000, seed: 1))) { server in
            try await withTemporaryDirectory { folder in
                let url = folder.appending(path: ".gallery.jsonl")
                let line = #"{"file":"9_Same.jpg","service":"x","id":"9","page":0,"size":"full","bytes":1}"#
                try Data((line + "\n").utf8).write(to: url)
                let downloader = PhotoDownloader(try loader(server))
                _ = try await downloader.file(of: photo(1, server, title: "Same"), into: folder)
                // In place: who reads it again finds that another photo has the name of the next one.
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data(line.replacing("9_Same", with: "2_Same").utf8))
                try handle.close()
                let second = try await downloader.file(of: photo(2, server, title: "Same"), into: folder)
                #expect(second.url.lastPathComponent == "2_Same.jpg")
                let other = try await PhotoDownloader(loader(server))
                    .file(of: photo(2, server, title: "Same"), into: folder)
                #expect(other.status == .kept)
            }
        }
    }

    @Test func `a folder that is put in the place of another is read`() async throws {
        try await withLocalServer(.file(Pictures.jpeg(bytes: 5_000, seed: 1))) { server in
            try await withTemporaryDirectory { top in
                let folder = top.appending(path: "in")
                let downloader = PhotoDownloader(try loader(server))
                for _ in 1...2 {
                    let file = try await downloader.file(of: photo(1, server), into: folder)
                    #expect(file.status == .fetched)
                    try FileManager.default.moveItem(
                        at: folder, to: top.appending(path: UUID().uuidString))
                }
            }
        }
    }
}

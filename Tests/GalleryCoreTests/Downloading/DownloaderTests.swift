import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite("Downloader", .timeLimit(.minutes(1)))
struct DownloaderTests {
    @Test func `brings many files to disk, byte for byte`() async throws {
        let photos = (0..<20).map { Pictures.jpeg(bytes: 40_000 + $0 * 1111, seed: UInt64($0)) }
        try await withLocalServer({ .file(photos[Int($0.path.dropFirst()) ?? 0]) }) { server in
            try await withTemporaryDirectory { folder in
                let items = photos.indices.map { item($0, at: server.url("/\($0)")) }
                let result = await collect(
                    Downloader(transport: URLSessionTransport()).fetch(items, into: folder))
                #expect(result.failures.isEmpty)
                for (number, photo) in photos.enumerated() {
                    let file = folder.appending(path: "\(number)_photo.jpg")
                    let bytes = try Data(contentsOf: file)
                    #expect(bytes == photo)
                }
                let found = try names(in: folder)
                #expect(found.count == photos.count)
            }
        }
    }
}

/// A wish for photo `number`, whose name is `<number>_photo`.
func item(_ number: Int, at url: URL, name: String? = nil, isNameUnique: Bool = true) -> DownloadItem {
    DownloadItem(
        number: number, photo: PhotoID(service: "test", value: "\(number)"), source: HTTPRequest(url: url),
        name: name ?? "\(number)_photo", isNameUnique: isNameUnique)
}

/// What a batch came to.
struct BatchResult {
    var files: [Int: DownloadedFile] = [:]
    var failures: [Int: DownloadError] = [:]
    var events: [DownloadEvent] = []
}

/// Iterates to the end.
func collect(_ events: AsyncStream<DownloadEvent>) async -> BatchResult {
    var result = BatchResult()
    for await event in events {
        result.events.append(event)
        switch event {
        case .finished(let item, let file): result.files[item.number] = file
        case .failed(let item, let error): result.failures[item.number] = error
        default: break
        }
    }
    return result
}

/// Everything in a folder but the record.
func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != ".gallery.jsonl" }
        .sorted()
}

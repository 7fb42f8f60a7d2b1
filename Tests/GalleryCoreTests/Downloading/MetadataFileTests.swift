import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// What stands beside a file as `NAME.json`.
@Suite("Metadata beside files", .timeLimit(.minutes(1)))
struct MetadataFileTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let metadata = Data("{\"title\":\"x\"}\n".utf8)

    private func wish(_ name: String, at url: URL) -> DownloadItem {
        DownloadItem(
            number: 1, photo: PhotoID(service: "test", value: "1"), source: HTTPRequest(url: url), name: name,
            isNameUnique: true, metadata: Self.metadata)
    }

    @Test(arguments: ["a", "sub/b", "v1.2", String(repeating: "漢", count: 80)])
    func `is there once the file is, fetched or kept`(name: String) async throws {
        try await withLocalServer(.file(Self.photo, tag: #""v1""#)) { server in
            try await withTemporaryDirectory { folder in
                for outcome in ["fetched", "kept"] {
                    let result = await collect(
                        downloader().fetch([wish(name, at: server.url("/a"))], into: folder))
                    #expect(result.outcome(1) == outcome)
                    #expect(bytes(name + ".json", in: folder) == Self.metadata)
                    try FileManager.default.removeItem(at: folder.appending(path: name + ".json"))
                }
                let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                #expect(left.filter { !$0.hasSuffix(".jpg") && $0 != "sub" } == [".gallery.jsonl"])
            }
        }
    }

    @Test func `is written through no link, and where the file is though the folder has moved`() async throws
    {
        let gate = Gate()
        try await withLocalServer(.file(Self.photo, tag: #""v1""#).stalled(at: .half, until: gate)) {
            server in
            try await withTemporaryDirectory { top in
                let files = FileManager.default
                let (folder, moved) = (top.appending(path: "in"), top.appending(path: "moved"))
                let elsewhere = top.appending(path: "elsewhere")
                for url in [folder, elsewhere] {
                    try files.createDirectory(at: url, withIntermediateDirectories: true)
                }
                let precious = elsewhere.appending(path: "precious")
                try Data("precious".utf8).write(to: precious)
                try files.createSymbolicLink(
                    at: folder.appending(path: "a.json"), withDestinationURL: precious)
                let fetch = Task {
                    await collect(downloader().fetch([wish("a", at: server.url("/a"))], into: folder))
                }
                try await server.waitForRequests(1)
                try files.moveItem(at: folder, to: moved)
                try files.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
                gate.open()
                #expect(await fetch.value.outcome(1) == "fetched")
                #expect(bytes("a.json", in: moved) == Self.metadata)
                #expect(
                    try files.attributesOfItem(atPath: moved.appending(path: "a.json").path)[.type]
                        as? FileAttributeType == .typeRegular)
                #expect(try files.contentsOfDirectory(atPath: elsewhere.path) == ["precious"])
                #expect(try Data(contentsOf: precious) == Data("precious".utf8))
            }
        }
    }

    @Test func `where it cannot be written, the file has failed and nothing else is left`() async throws {
        try await withLocalServer(.file(Self.photo, tag: #""v1""#)) { server in
            try await withTemporaryDirectory { folder in
                let obstacle = folder.appending(path: "a.json/x")
                try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
                let result = await collect(
                    downloader().fetch([wish("a", at: server.url("/a"))], into: folder))
                #expect(result.outcome(1) == "cannot write: Is a directory")
                let left = try names(in: folder)
                #expect(left == ["a.jpg", "a.json"])
            }
        }
    }
}

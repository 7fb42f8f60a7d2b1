import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What downloads do not do to the folder they write into, and beyond it.
@Suite("Downloader and folders", .timeLimit(.minutes(1)))
struct DownloaderFolderTests {
    private static let photo = Pictures.jpeg(bytes: 100_000, seed: 1)

    @Test func `writes through no link and into no other file`() async throws {
        try await withLocalServer(.file(Self.photo, tag: #""v1""#)) { server in
            try await withTemporaryDirectory { folder in
                let files = FileManager.default
                let target = folder.appending(path: "target")
                let inside = folder.appending(path: "in")
                try files.createDirectory(at: inside, withIntermediateDirectories: true)
                try Data("precious".utf8).write(to: target)
                for name in ["a.part", "a.jpg", "a.part.json", "b.jpg"] {
                    let link = inside.appending(path: name)
                    try files.createSymbolicLink(at: link, withDestinationURL: target)
                }
                try files.linkItem(at: target, to: inside.appending(path: "b.part"))
                let items = [
                    item(1, at: server.url("/a"), name: "a"), item(2, at: server.url("/b"), name: "b"),
                    item(3, at: server.url("/c"), name: "../c"),
                ]
                let result = await collect(downloader().fetch(items, into: inside))
                #expect(
                    [1, 2, 3].map(result.outcome) == [
                        "fetched", "fetched", "cannot create: the name leads out of the folder",
                    ])
                #expect(bytes("a.jpg", in: inside) == Self.photo)
                #expect(bytes("b.jpg", in: inside) == Self.photo)
                #expect(bytes("target", in: folder) == Data("precious".utf8))
                let left = try names(in: inside)
                #expect(left == ["a.jpg", "b.jpg"])
            }
        }
    }

    @Test func `follows no link among the folders of a name`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let outside = folder.appending(path: "outside")
                let inside = folder.appending(path: "in")
                for one in [outside, inside] {
                    try FileManager.default.createDirectory(at: one, withIntermediateDirectories: true)
                }
                try FileManager.default.createSymbolicLink(
                    at: inside.appending(path: "Ann"), withDestinationURL: outside)
                let items = [
                    item(1, at: server.url("/a"), name: "Ann/a"),
                    item(2, at: server.url("/b"), name: "Bob/2020/b"),
                ]
                let result = await collect(downloader().fetch(items, into: inside))
                #expect(result.outcome(1).hasPrefix("cannot create"))
                #expect(result.outcome(2) == "fetched")
                let found = try names(in: outside)
                #expect(found.isEmpty)
                #expect(bytes("Bob/2020/b.jpg", in: inside) == Self.photo)
            }
        }
    }

    @Test func `a folder that cannot be made fails each item and says why`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let result = await collect(
                downloader().fetch([item(1, at: url)], into: file.appending(path: "sub")))
            #expect(result.outcome(1) == "cannot create: Not a directory")
        }
    }
}

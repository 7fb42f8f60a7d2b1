import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What becomes of files that stand there already.
@Suite("Kept files", .timeLimit(.minutes(1)))
struct KeptFileTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let older = Pictures.jpeg(bytes: 15_000, seed: 2)

    /// Fetches photo 1 as `a` into a folder in which `planted` stands as `a.jpg`.
    private func fetch(
        over planted: Data, name: String = "a.jpg", isNameUnique: Bool, overwrites: Bool = false
    ) async throws -> (outcome: String, requests: Int, files: [String: Data?]) {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                try planted.write(to: folder.appending(path: name))
                let wish = item(1, at: server.url("/a"), name: "a", isNameUnique: isNameUnique)
                let result = await collect(downloader(overwrites: overwrites).fetch([wish], into: folder))
                let files = try names(in: folder).map { ($0, bytes($0, in: folder)) }
                return (result.outcome(1), server.requests.count, Dictionary(uniqueKeysWithValues: files))
            }
        }
    }

    @Test func `a whole picture without a record is adopted where its name says whose it is`() async throws {
        let (outcome, requests, files) = try await fetch(over: Self.older, isNameUnique: true)
        #expect(outcome == "kept" && requests == 0)
        #expect(files == ["a.jpg": Self.older])
    }

    @Test func `where the name does not say so it stays, and the photo gets its id added`() async throws {
        let (outcome, requests, files) = try await fetch(over: Self.older, isNameUnique: false)
        #expect(outcome == "fetched" && requests == 1)
        #expect(files == ["a.jpg": Self.older, "a_1.jpg": Self.photo])
    }

    @Test(arguments: [Data(), Data([0xFF]), Self.older.dropLast(2), Data("<html>".utf8)], [true, false])
    func `a torso is fetched anew`(torso: Data, isNameUnique: Bool) async throws {
        let (outcome, _, files) = try await fetch(over: torso, isNameUnique: isNameUnique)
        #expect(outcome == "fetched")
        #expect(files == ["a.jpg": Self.photo])
    }

    @Test(arguments: [true, false])
    func `overwriting fetches anew`(isNameUnique: Bool) async throws {
        let (outcome, _, files) = try await fetch(
            over: Self.older, isNameUnique: isNameUnique, overwrites: true)
        #expect(outcome == "fetched")
        #expect(files == ["a.jpg": Self.photo])
    }

    @Test func `a file of another kind of picture is seen too`() async throws {
        let png = Pictures.png(width: 8, height: 8)
        let (outcome, _, files) = try await fetch(over: png, name: "a.png", isNameUnique: true)
        #expect(outcome == "kept")
        #expect(files == ["a.png": png])
    }

    @Test func `a picture under the wrong extension is not taken for one`() async throws {
        let png = Pictures.png(width: 8, height: 8)
        let (outcome, _, files) = try await fetch(over: png, isNameUnique: true)
        #expect(outcome == "fetched")
        #expect(files == ["a.jpg": Self.photo])
    }

    @Test func `a folder under the name is an error and stays`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let inside = folder.appending(path: "a.jpg/inside")
                try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
                let wish = item(1, at: server.url("/a"), name: "a")
                #expect(
                    await collect(downloader().fetch([wish], into: folder)).outcome(1).hasPrefix(
                        "cannot create"))
                #expect(FileManager.default.fileExists(atPath: inside.path))
            }
        }
    }

    @Test func `two photos of one title both arrive, and are both kept from then on`() async throws {
        let photos = [Self.photo, Self.older]
        try await withLocalServer({ .file(photos[$0.path == "/1" ? 0 : 1]) }) { server in
            try await withTemporaryDirectory { folder in
                for _ in 0..<2 {
                    for number in 1...2 {
                        let wish = item(
                            number, at: server.url("/\(number)"), name: "Sunset", isNameUnique: false)
                        _ = await collect(downloader().fetch([wish], into: folder))
                    }
                }
                #expect(server.requests.count == 2)
                #expect(bytes("Sunset.jpg", in: folder) == Self.photo)
                #expect(bytes("Sunset_2.jpg", in: folder) == Self.older)
            }
        }
    }

    @Test func `the thumbnail is no full size`() async throws {
        try await withLocalServer({ .file($0.path == "/small" ? Self.older : Self.photo) }) { server in
            try await withTemporaryDirectory { folder in
                let small = item(1, at: server.url("/small"), name: "a", size: .thumbnail)
                #expect(await collect(downloader().fetch([small], into: folder)).outcome(1) == "fetched")
                #expect(await collect(downloader().fetch([small], into: folder)).outcome(1) == "kept")
                let full = item(1, at: server.url("/full"), name: "a")
                #expect(await collect(downloader().fetch([full], into: folder)).outcome(1) == "fetched")
                #expect(bytes("a.jpg", in: folder) == Self.photo)
                let found = try names(in: folder)
                #expect(found == ["a.jpg"])
            }
        }
    }

    @Test func `a check finds what is whole, broken and missing`() async throws {
        try await withLocalServer({
            .file(Pictures.jpeg(bytes: 20_000, seed: UInt64($0.path.dropFirst()) ?? 0))
        }) {
            server in
            try await withTemporaryDirectory { folder in
                let items = (1...5).map { item($0, at: server.url("/\($0)"), name: "sub/\($0)") }
                _ = await collect(downloader(jobs: 1).fetch(items, into: folder))
                let sub = folder.appending(path: "sub")
                var changed = try #require(bytes("2.jpg", in: sub))
                changed[10_000] ^= 1
                try changed.write(to: sub.appending(path: "2.jpg"))
                try changed.dropLast().write(to: sub.appending(path: "3.jpg"))
                try FileManager.default.removeItem(at: sub.appending(path: "4.jpg"))
                var findings: [String] = []
                for try await finding in try FolderCheck(of: folder).findings() {
                    switch finding {
                    case .whole(let entry): findings.append("\(entry.photo) whole")
                    case .broken(let entry, let reason): findings.append("\(entry.photo) broken: \(reason)")
                    case .missing(let entry): findings.append("\(entry.photo) missing")
                    }
                }
                #expect(
                    findings.sorted() == [
                        "test:1 whole", "test:2 broken: its bytes have changed",
                        "test:3 broken: it has 19999 of 20000 bytes", "test:4 missing", "test:5 whole",
                    ])
                var names = try await FolderCheck(of: folder).names(NameTemplate("sub/1"))
                let stranger = Photo(id: PhotoID(service: "test", value: "9"), title: "")
                #expect(names.names(of: stranger).map(\.path) == ["sub/1_9"])
            }
        }
    }
}

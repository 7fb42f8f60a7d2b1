import Curation
import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore

/// What becomes of files that stand there already.
@Suite("Kept files", .fewAtOnce, .timeLimit(.minutes(1)))
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

    @Test func `a whole picture without an entry is adopted where its name says whose it is`() async throws {
        let (outcome, requests, files) = try await fetch(over: Self.older, isNameUnique: true)
        #expect(outcome == "kept" && requests == 0)
        #expect(files == ["a.jpg": Self.older])
    }

    @Test func `where the name does not say so it stays, and the photo gets its id added`() async throws {
        let (outcome, requests, files) = try await fetch(over: Self.older, isNameUnique: false)
        #expect(outcome == "fetched" && requests == 1)
        #expect(files == ["a.jpg": Self.older, "a_1.jpg": Self.photo])
    }

    @Test(arguments: [true, false])
    func `a file that is no picture is somebody's, and the photo gets its id added`(isNameUnique: Bool)
        async throws
    {
        let page = Data("<html>".utf8)
        let (outcome, _, files) = try await fetch(over: page, isNameUnique: isNameUnique)
        #expect(outcome == "fetched")
        #expect(files == ["a.jpg": page, "a_1.jpg": Self.photo])
    }

    @Test(arguments: [Data(), Data([0xFF]), Self.older.dropLast(2)], [true, false])
    func `an incomplete file is downloaded again`(incomplete: Data, isNameUnique: Bool) async throws {
        let (outcome, _, files) = try await fetch(over: incomplete, isNameUnique: isNameUnique)
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
        #expect(files == ["a.jpg": png, "a_1.jpg": Self.photo])
    }

    @Test func `among many items those that are there are found, whatever their case and kind`() async throws
    {
        let png = Pictures.png(width: 8, height: 8)
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let wishes = (1...60).map { item($0, at: server.url("/\($0)"), name: "a\($0)") }
                for number in stride(from: 2, through: 60, by: 2) {
                    let (name, file) =
                        number % 4 == 0 ? ("a\(number).png", png) : ("a\(number).jpg", Self.older)
                    try file.write(to: folder.appending(path: name))
                    // Says nothing of the picture before it.
                    try Data("{}".utf8).write(to: folder.appending(path: "a\(number - 1).json"))
                }
                let result = await collect(downloader().fetch(wishes, into: folder))
                #expect((1...60).allSatisfy { result.outcome($0) == ($0 % 2 == 0 ? "kept" : "fetched") })
                #expect(server.requests.count == 30)
            }
        }
    }

    @Test func `among many items one that comes twice is transferred once`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                // The first was there before the folder's names were read, the thirtieth was not.
                let wishes = (Array(1...40) + [1, 30]).enumerated().map { position, photo in
                    DownloadItem(
                        number: position + 1, photo: PhotoID(service: "test", value: "\(photo)"),
                        source: HTTPRequest(url: server.url("/a")), name: "a\(photo)", isNameUnique: true)
                }
                let result = await collect(downloader(jobs: 1).fetch(wishes, into: folder))
                #expect([41, 42].map(result.outcome) == ["kept", "kept"])
                #expect(server.requests.count == 40)
            }
        }
    }

    @Test(arguments: ["nothing", "edited", "link", "of another", "gone"])
    func `what is taken back is removed only as it was written, and has then never been had`(
        meanwhile: String
    )
        async throws
    {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let target = try DestinationFolder(creating: folder)
                let (mine, wish) = (DownloadFolder(target), item(1, at: server.url("/a"), name: "a"))
                let result = await collect(downloader().fetch([wish], into: folder))
                let file = try #require(result.files[1])
                switch meanwhile {
                case "edited": try Self.older.write(to: file.url)
                case "link":
                    try FileManager.default.moveItem(at: file.url, to: folder.appending(path: "mine.jpg"))
                    try FileManager.default.createSymbolicLink(
                        atPath: file.url.path, withDestinationPath: "mine.jpg")
                case "gone": try FileManager.default.removeItem(at: file.url)
                default: break
                }
                let other = item(meanwhile == "of another" ? 2 : 1, at: server.url("/a"), name: "a")
                #expect(try mine.takeBack(file, of: other) == (meanwhile == "nothing"))
                #expect(try names(in: folder).isEmpty == ["nothing", "gone"].contains(meanwhile))
                #expect(try (mine.manifest.entry(for: "a.jpg") == nil) == (meanwhile == "nothing"))
                let record = try FolderRecord(
                    of: mine, named: NameTemplate("{id}"), size: .full, looksForFiles: false)
                let photo = Photo(id: wish.photo, title: "")
                #expect(record.history.contains(photo) == (meanwhile != "nothing"))
            }
        }
    }

    @Test func `what another process adds meanwhile is found`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let target = try DestinationFolder(creating: folder)
                let mine = DownloadFolder(target)
                for number in 1...40 {
                    let wish = item(number, at: server.url("/a"))
                    #expect(try mine.existingFile(of: wish, at: target.destination(for: wish.name)) == nil)
                }
                let wish = item(7, at: server.url("/a"))
                #expect(await collect(downloader().fetch([wish], into: folder)).outcome(7) == "fetched")
                let file = try mine.existingFile(of: wish, at: target.destination(for: wish.name))
                #expect(file?.bytes == Int64(Self.photo.count))
            }
        }
    }

    /// What another process may do between a look at the folder and the opening of a part.
    enum Interference: CaseIterable {
        case names, leavesOut, findsBroken

        /// Does so with the item and its picture, which has the bytes of `original.jpg`.
        func happen(to item: DownloadItem, in folder: URL) throws {
            let target = try DestinationFolder(creating: folder)
            let other = DownloadFolder(target)
            let destination = try target.destination(for: item.name)
            let part = try #require(try PartFile.open(destination))
            defer { part.unlock() }
            let bytes = Int64(KeptFileTests.photo.count)
            try SystemCall.write([UInt8](KeptFileTests.photo), to: part.file)
            let digest = try Digest.text(of: part.file, length: bytes)
            switch self {
            case .names:
                let completed = CompletedPart(
                    item: item, part: part, contents: .init(type: .jpeg), length: bytes, status: .fetched,
                    validator: nil, digest: digest)
                _ = try other.store(completed, overwrites: false)
                return
            case .leavesOut:
                try other.manifest.add(
                    DuplicateEntry(item, sameAs: "original.jpg", .init(bytes: bytes, digest: digest)))
            case .findsBroken:
                for _ in 1...2 {
                    try other.manifest.noteBroken(
                        item, part, length: bytes, reason: "gray", validator: nil, day: 784_111_777 / 86_400)
                }
            }
            part.discard()
        }
    }

    @Test(arguments: Interference.allCases, [1, 30])
    func `what another process ends just before a part is opened is not transferred again`(
        interference: Interference, earlier: Int
    ) async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                // So that nothing is tried that the folder did not have when it was read.
                let items = (1...earlier).map { item($0, at: server.url("/\($0)")) }
                let original = item(100, at: server.url("/100"), name: "original")
                let wish = item(101, at: server.url("/101"))
                _ = await collect(downloader().fetch(items + [original], into: folder))
                // It is read at the start, for each item, and once more after the look: is its host left alone?
                let readings = Counter()
                let clock = ClockWithReader {
                    guard readings.increment() == earlier + 3 else { return }
                    #expect(throws: Never.self) { try interference.happen(to: wish, in: folder) }
                }
                let batch = downloader(jobs: 1, clock: clock, skipsDuplicates: interference == .leavesOut)
                let result = await collect(batch.fetch(items + [wish], into: folder))
                let outcomes: [Interference: String] = [
                    .names: "kept", .leavesOut: "copy of original.jpg", .findsBroken: "incomplete: gray",
                ]
                #expect(result.outcome(101) == outcomes[interference])
                #expect(server.requests(to: "/101").isEmpty)
                let left = try names(in: folder)
                #expect(!left.contains { $0.contains(".part") })
            }
        }
    }

    @Test func `what another process noted before and names while it is waited for is found`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let items = (1...30).map { item($0, at: server.url("/\($0)")) }
                let wish = item(101, at: server.url("/101"))
                _ = await collect(downloader().fetch(items, into: folder))
                let target = try DestinationFolder(creating: folder)
                let part = try #require(try PartFile.open(target.destination(for: wish.name)))
                try SystemCall.write([UInt8](Self.photo), to: part.file)
                try Manifest(of: target).add(
                    ManifestEntry(
                        wish, file: "101_photo.jpg", bytes: Int64(Self.photo.count), digest: nil,
                        validator: nil))
                // It is read at the start, for each item, for the pauses of hosts, and once the part is seen locked.
                let readings = Counter()
                let clock = ClockWithReader {
                    guard readings.increment() == 34 else { return }
                    #expect(throws: Never.self) { try part.rename(to: "101_photo.jpg", over: .nothing) }
                    part.unlock()
                }
                let result = await collect(
                    downloader(jobs: 1, clock: clock).fetch(items + [wish], into: folder))
                #expect(result.outcome(101) == "kept")
                #expect(server.requests(to: "/101").isEmpty)
            }
        }
    }

    @Test(arguments: [(0, 1), (20, 1), (24, 1), (47, 5), (64, 9), (256, 47), (1024, 201)])
    func `few open files are few downloads at once`(limit: Int, items: Int) {
        #expect(OpenFileLimit.items(limit: limit) == items)
        #expect(OpenFileLimit.jobs(6, limit: limit) == min(6, items))
        #expect((1...16).contains(OpenFileLimit.folders(limit: limit)))
    }

    @Test func `a folder under the name stays, and the file gets another one`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let inside = folder.appending(path: "a.jpg/inside")
                try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
                let wish = item(1, at: server.url("/a"), name: "a")
                #expect(await collect(downloader().fetch([wish], into: folder)).outcome(1) == "fetched")
                #expect(FileManager.default.fileExists(atPath: inside.path))
                #expect(bytes("a_1.jpg", in: folder) == Self.photo)
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
                #expect(bytes("a.jpg", in: folder) == Self.older)
                #expect(bytes("a_1.jpg", in: folder) == Self.photo)
                let middle = item(1, at: server.url("/full"), name: "a", size: .pixels(9))
                #expect(await collect(downloader().fetch([middle], into: folder)).outcome(1) == "fetched")
                let found = try names(in: folder)
                #expect(found.sorted() == ["a.jpg", "a_1.jpg", "a_1_9.jpg"])
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
                let target = TargetFolder(folder)
                try await FolderCheck(of: target).forEachFinding { finding in
                    findings.append("\(finding.entry.photo) \(finding.state)")
                }
                #expect(
                    findings.sorted() == [
                        "test:1 whole", "test:2 changed",
                        #"test:3 broken("it has 19999 of 20000 bytes")"#, "test:4 missing", "test:5 whole",
                    ])
                var names = try FolderRecord(
                    of: target.existing(), named: NameTemplate("sub/1"), size: .full, looksForFiles: false
                ).names
                let other = Photo(id: PhotoID(service: "test", value: "9"), title: "")
                #expect(names.names(of: other).map(\.path) == ["sub/1_9"])
            }
        }
    }
}

/// What stands beside a file as `NAME.json`.
@Suite("Metadata beside files", .fewAtOnce, .timeLimit(.minutes(1)))
struct MetadataFileTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let metadata = Data("{\"title\":\"x\"}\n".utf8)

    private func wish(_ name: String, at url: URL, _ number: Int = 1) -> DownloadItem {
        DownloadItem(
            number: number, photo: PhotoID(service: "test", value: "\(number)"),
            source: HTTPRequest(url: url),
            name: name, isNameUnique: true, metadata: Self.metadata)
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
                let wishes = [wish("a", at: server.url("/a")), wish("b", at: server.url("/b"), 2)]
                let fetch = Task { await collect(downloader().fetch(wishes, into: folder)) }
                try await server.waitForRequests(2)
                try files.moveItem(at: folder, to: moved)
                try files.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
                gate.open()
                #expect(await fetch.value.outcome(1).hasSuffix("It is a symbolic link"))
                #expect(await fetch.value.outcome(2) == "fetched")
                #expect(bytes("a.jpg", in: moved) != nil)
                #expect(bytes("b.json", in: moved) == Self.metadata)
                #expect(
                    try files.attributesOfItem(atPath: moved.appending(path: "a.json").path)[.type]
                        as? FileAttributeType == .typeSymbolicLink)
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

/// What downloads do not do to the folder they write into, and beyond it.
@Suite("Downloader and folders", .fewAtOnce, .timeLimit(.minutes(1)))
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
                for name in ["a.part", "b.part.json", "d.jpg"] {
                    let link = inside.appending(path: name)
                    try files.createSymbolicLink(at: link, withDestinationURL: target)
                }
                try files.linkItem(at: target, to: inside.appending(path: "b.part"))
                let items = [
                    item(1, at: server.url("/a"), name: "a"), item(2, at: server.url("/b"), name: "b"),
                    item(3, at: server.url("/c"), name: "../c"), item(4, at: server.url("/d"), name: "d"),
                ]
                let result = await collect(downloader().fetch(items, into: inside))
                #expect(
                    [1, 2, 3, 4].map(result.outcome) == [
                        "fetched", "fetched", "cannot create: the name leads out of the folder", "fetched",
                    ])
                for name in ["a.jpg", "b.jpg", "d_4.jpg"] { #expect(bytes(name, in: inside) == Self.photo) }
                #expect(bytes("target", in: folder) == Data("precious".utf8))
                let left = try names(in: inside)
                #expect(
                    left == ["a.jpg", "a.part", "b.jpg", "b.part", "b.part.json", "d.jpg", "d_4.jpg"])
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

/// A clock that stands still, and calls a closure each time it is read.
private struct ClockWithReader: Clock {
    let clock = TestClock.skipping()
    let onReading: @Sendable () -> Void

    var minimumResolution: Duration { clock.minimumResolution }
    var now: TestClock.Instant {
        onReading()
        return clock.now
    }

    /// Without real time, as the clock that it passes this to: nothing here waits by the time.
    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

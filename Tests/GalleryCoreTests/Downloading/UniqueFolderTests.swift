import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Which of several files of the same bytes is taken.
@Suite("Unique files")
struct UniqueFilesTests {
    private static let print = UniqueFiles.Fingerprint(bytes: 10, digest: "00000000000000aa")

    /// A file of print `print`, where `same` are the paths that have its bytes.
    private static func original(
        standing: [String] = [], taken: [String] = [], same: [String], isNamed: Bool = false,
        own: Holding = .nothing, print: UniqueFiles.Fingerprint = print
    ) -> String? {
        var files = UniqueFiles()
        for path in standing { files.addExisting(path, Self.print) }
        for path in taken { files.add(path, Self.print) }
        return files.original(of: print, isNamed: isNamed, existing: own) { same.contains($0) }
    }

    @Test func `a file is a copy of one before it, else of one that stood there`() {
        #expect(Self.original(same: ["a"]) == nil)
        #expect(Self.original(standing: ["a"], same: ["a"]) == "a")
        #expect(Self.original(taken: ["a"], same: ["a"]) == "a")
        #expect(Self.original(standing: ["b"], taken: ["a"], same: ["a", "b"]) == "a")
    }

    @Test func `an equal print alone makes no copy`() {
        #expect(Self.original(standing: ["a", "b"], taken: ["c"], same: []) == nil)
        #expect(Self.original(standing: ["a", "b"], taken: ["c"], same: ["b"]) == "b")
    }

    @Test(arguments: [(Int64(11), "00000000000000aa"), (10, "00000000000000ab")])
    func `bytes are compared only where length and digest are equal`(bytes: Int64, digest: String) {
        let other = UniqueFiles.Fingerprint(bytes: bytes, digest: digest)
        #expect(Self.original(standing: ["a"], taken: ["a"], same: ["a"], print: other) == nil)
    }

    @Test func `what stands whole gives way to those before it in the batch alone`() {
        #expect(Self.original(standing: ["a"], same: ["a"], own: .whole) == nil)
        #expect(Self.original(taken: ["a"], same: ["a"], own: .whole) == "a")
    }

    @Test func `a partial file is completed, whatever has its bytes`() {
        #expect(Self.original(standing: ["a"], taken: ["b"], same: ["a", "b"], own: .partial) == nil)
    }

    @Test(arguments: [Holding.nothing, .whole, .partial])
    func `a photo named by itself is taken`(own: Holding) {
        #expect(
            Self.original(standing: ["a"], taken: ["b"], same: ["a", "b"], isNamed: true, own: own) == nil)
    }
}

/// Batches that leave out copies, against a server that has the same bytes under several addresses.
@Suite("Unique downloads", .fewAtOnce, .timeLimit(.minutes(2)))
struct UniqueDownloadTests {
    /// All pictures have one length: nothing but their bytes tells them apart.
    private static func picture(_ kind: Int) -> Data { Pictures.jpeg(bytes: 20_000, seed: UInt64(kind)) }

    private static func kinds(_ kinds: [Int]) -> LocalServer.Handler {
        { request in
            guard let number = Int(request.path.dropFirst()), kinds.indices.contains(number - 1) else {
                return .status(404)
            }
            return .file(picture(kinds[number - 1]), tag: "\"\(number)\"")
        }
    }

    private func unique(jobs: Int = 6, overwrites: Bool = false, retries: Int = 4) -> Downloader {
        downloader(
            retries: retries, jobs: jobs, overwrites: overwrites,
            transport: URLSessionTransport(connections: jobs), skipsDuplicates: true)
    }

    private func items(_ numbers: some Sequence<Int>, _ server: LocalServer) -> [DownloadItem] {
        numbers.map { item($0, at: server.url("/\($0)")) }
    }

    private func outcomes(_ result: BatchResult, _ count: Int) -> [String] {
        (1...count).map(result.outcome)
    }

    @Test func `what was left out as a copy comes once its photo is named by itself`() async throws {
        try await withLocalServer(Self.kinds([1, 1])) { server in
            try await withTemporaryDirectory { folder in
                let items = items(1...2, server)
                let first = await collect(unique().fetch(items, into: folder))
                #expect(outcomes(first, 2) == ["fetched", "copy of 1_photo.jpg"])
                let again = await collect(unique().fetch(items, into: folder))
                #expect(outcomes(again, 2) == ["kept", "copy of 1_photo.jpg"])
                #expect(server.requests.count == 2)
                let second = DownloadItem(
                    number: 2, photo: items[1].photo, source: items[1].source, name: items[1].name,
                    isNameUnique: true, isNamed: true)
                let named = await collect(unique().fetch([items[0], second], into: folder))
                #expect(outcomes(named, 2) == ["kept", "fetched"])
            }
        }
    }

    @Test(arguments: Thorough.cases(1...12, few: 2))
    func `it is the first in order that stays, in whichever order they arrive`(
        seed: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let kinds = (0..<12).map { _ in Int.random(in: 1...4, using: &random) }
        let arrival = (1...12).shuffled(using: &random)
        let gates = (0...12).map { _ in Gate() }
        let files = Self.kinds(kinds)
        let handler: LocalServer.Handler = { files($0).delayed(until: gates[Int($0.path.dropFirst()) ?? 0]) }
        try await withLocalServer(handler) { server in
            try await withTemporaryDirectory { folder in
                var result = BatchResult()
                var next = 0
                gates[arrival[0]].open()
                for await event in unique(jobs: 12).fetch(items(1...12, server), into: folder) {
                    result.take(event)
                    if case .progress(_, let received, let expected) = event, received == expected {
                        next += 1
                        if next < 12 { gates[arrival[next]].open() }
                    }
                }
                let first = kinds.map { kinds.firstIndex(of: $0) ?? 0 }
                let expected = first.enumerated().map { $0 == $1 ? "fetched" : "copy of \($1 + 1)_photo.jpg" }
                #expect(outcomes(result, 12) == expected, "\(kinds) \(arrival)")
                let there = try names(in: folder)
                #expect(there == Set(first).map { "\($0 + 1)_photo.jpg" }.sorted())
                try await FolderCheck(of: TargetFolder(folder)).forEachFinding { #expect($0.state == .whole) }
                // Nobody is asked again, and it comes to the same.
                let again = await collect(unique().fetch(items(1...12, server), into: folder))
                #expect(
                    outcomes(again, 12) == expected.map { $0 == "fetched" ? "kept" : $0 })
                #expect(server.requests.count == 12)
            }
        }
    }

    @Test func `what an earlier run brought stays, and makes the first a copy`() async throws {
        try await withLocalServer(Self.kinds([1, 1, 1])) { server in
            try await withTemporaryDirectory { folder in
                _ = await collect(downloader().fetch(items([2], server), into: folder))
                let result = await collect(unique().fetch(items(1...3, server), into: folder))
                #expect(outcomes(result, 3) == ["copy of 2_photo.jpg", "kept", "copy of 2_photo.jpg"])
                let found = try names(in: folder)
                #expect(found == ["2_photo.jpg"])
            }
        }
    }

    @Test func `copies that stood before stay on disk, and the later is left out`() async throws {
        try await withLocalServer(Self.kinds([1, 1])) { server in
            try await withTemporaryDirectory { folder in
                _ = await collect(downloader().fetch(items(1...2, server), into: folder))
                for overwrites in [false, true] {
                    let result = await collect(
                        unique(overwrites: overwrites).fetch(items(1...2, server), into: folder))
                    #expect(
                        outcomes(result, 2) == [overwrites ? "fetched" : "kept", "copy of 1_photo.jpg"])
                    let found = try names(in: folder)
                    #expect(found == ["1_photo.jpg", "2_photo.jpg"])
                }
            }
        }
    }

    @Test func `a digest that lies leaves nothing out`() async throws {
        try await withLocalServer(Self.kinds([1, 2])) { server in
            try await withTemporaryDirectory { folder in
                _ = await collect(downloader().fetch(items([1], server), into: folder))
                // As if the first file had been made to have the second one's digest.
                var digest = Digest()
                Self.picture(2).withUnsafeBytes { digest.add($0) }
                let record = folder.appending(path: ".gallery.jsonl")
                let line = try String(contentsOf: record, encoding: .utf8)
                    .replacing(/"digest":"[0-9a-f]{16}"/, with: #""digest":"\#(digest.text)""#)
                try Data(line.utf8).write(to: record)
                let result = await collect(unique().fetch(items([2], server), into: folder))
                #expect(result.outcome(2) == "fetched")
                #expect(bytes("2_photo.jpg", in: folder) == Self.picture(2))
            }
        }
    }

    @Test func `what was left out comes once the file it equals is gone or changed`() async throws {
        try await withLocalServer(Self.kinds([1, 1])) { server in
            for isRemoved in [true, false] {
                try await withTemporaryDirectory { folder in
                    let before = server.requests(to: "/2").count
                    _ = await collect(unique().fetch(items(1...2, server), into: folder))
                    let first = folder.appending(path: "1_photo.jpg")
                    try isRemoved
                        ? FileManager.default.removeItem(at: first)
                        : Self.picture(1).dropLast().write(to: first)
                    let result = await collect(unique().fetch(items([2], server), into: folder))
                    #expect(result.outcome(2) == "fetched")
                    #expect(server.requests(to: "/2").count == before + 2)
                }
            }
        }
    }

    @Test func `a partial file under its name is completed though there is a copy`() async throws {
        try await withLocalServer(Self.kinds([1, 1])) { server in
            try await withTemporaryDirectory { folder in
                _ = await collect(downloader().fetch(items(1...2, server), into: folder))
                try Self.picture(1).prefix(9_000).write(to: folder.appending(path: "2_photo.jpg"))
                let result = await collect(unique().fetch(items(1...2, server), into: folder))
                #expect(outcomes(result, 2) == ["kept", "fetched"])
                #expect(bytes("2_photo.jpg", in: folder) == Self.picture(1))
            }
        }
    }

    @Test func `photos named by themselves are taken`() async throws {
        try await withLocalServer(Self.kinds([1, 1, 1])) { server in
            try await withTemporaryDirectory { folder in
                let wishes = items(1...3, server).map { wish in
                    DownloadItem(
                        number: wish.number, photo: wish.photo, source: wish.source, name: wish.name,
                        isNameUnique: true, isNamed: wish.number == 2)
                }
                let result = await collect(unique().fetch(wishes, into: folder))
                #expect(outcomes(result, 3) == ["fetched", "fetched", "copy of 1_photo.jpg"])
            }
        }
    }

    @Test func `where the first fails the next of its bytes is taken, and stays`() async throws {
        let files = Self.kinds([1, 1])
        try await withLocalServer({
            $0.path == "/1" && $0.attempt == 1 ? .status(404) : files($0)
        }) { server in
            try await withTemporaryDirectory { folder in
                let result = await collect(unique().fetch(items(1...2, server), into: folder))
                #expect(outcomes(result, 2) == ["404", "fetched"])
                let again = await collect(unique().fetch(items(1...2, server), into: folder))
                #expect(outcomes(again, 2) == ["copy of 2_photo.jpg", "kept"])
                let found = try names(in: folder)
                #expect(found == ["2_photo.jpg"])
            }
        }
    }

    /// Returns once nobody writes these parts: a batch that was ended lets go of them when it comes to it, and
    /// tells nobody. Without this the next run, whose waits take no time, would soon have waited for long enough.
    private func waitForRelease(of names: [String], in folder: URL) async throws {
        for name in names {
            let destination = try DestinationFolder(existing: folder).destination(for: name)
            try await until { try PartFile.open(destination) != nil }
        }
    }

    @Test func `ended while one waits for those before it, the next run comes to the same`() async throws {
        let gate = Gate()
        let files = Self.kinds([1, 1])
        try await withLocalServer({
            $0.path == "/1" && $0.attempt == 1 ? files($0).delayed(until: gate) : files($0)
        }) { server in
            try await withTemporaryDirectory { folder in
                for await event in unique().fetch(items(1...2, server), into: folder) {
                    if case .progress(let item, let received, let expected) = event, item.number == 2,
                        received == expected
                    {
                        break
                    }
                }
                try await waitForRelease(of: ["1_photo", "2_photo"], in: folder)
                // The first transfer is still held: else it might bring bytes to go on with.
                let result = await collect(unique().fetch(items(1...2, server), into: folder))
                gate.open()
                #expect(outcomes(result, 2) == ["fetched", "copy of 1_photo.jpg"])
                let found = try names(in: folder)
                #expect(found == ["1_photo.jpg"])
            }
        }
    }
}

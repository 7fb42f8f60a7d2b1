import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite("Downloader", .fewAtOnce, .timeLimit(.minutes(1)))
struct DownloaderTests {
    private static let photo = Pictures.jpeg(bytes: 100_000, seed: 1)

    @Test func `an interrupted fetch goes on in the next run`() async throws {
        try await withServer({ request in
            let whole = LocalReply.file(Self.photo, tag: #""v1""#)
            return request.attempt == 1 ? whole.cut(at: .half) : whole
        }) { server, folder in
            let items = [item(1, at: server.url("/a?signature=abc"), name: "a")]
            let first = await collect(downloader(retries: 0).fetch(items, into: folder))
            #expect(first.outcome(1) == "cut short")
            let left = try names(in: folder)
            #expect(left == ["a.part", "a.part.json"])
            let note = bytes("a.part.json", in: folder).map { String(decoding: $0, as: UTF8.self) }
            #expect(note?.contains("signature") == false)
            let second = await collect(downloader().fetch(items, into: folder))
            #expect(second.outcome(1) == "resumed")
            #expect(bytes("a.jpg", in: folder) == Self.photo)
            #expect(server.requests.map { $0.headers["If-Range"] } == [nil, #""v1""#])
            let third = await collect(downloader().fetch(items, into: folder))
            #expect(third.outcome(1) == "kept")
            #expect(server.requests.count == 2)
        }
    }

    @Test func `of a file that is shorter by now nothing older stays`() async throws {
        let shorter = Pictures.jpeg(bytes: 20_000, seed: 9)
        try await withServer({ request in
            request.attempt == 1
                ? .file(Self.photo, tag: #""v1""#).cut(at: .half) : .file(shorter, tag: #""v2""#)
        }) { server, folder in
            let items = [item(1, at: server.url("/a"), name: "a")]
            #expect(await collect(downloader().fetch(items, into: folder)).outcome(1) == "fetched")
            #expect(server.requests.map { $0.headers["If-Range"] } == [nil, #""v1""#])
            #expect(bytes("a.jpg", in: folder) == shorter)
        }
    }

    @Test func `a part without a note, or of another address, starts anew`() async throws {
        try await withServer({ request in
            let whole = LocalReply.file(Self.photo, tag: #""v1""#)
            return request.path == "/small" ? whole.cut(at: .half) : whole
        }) { server, folder in
            try Data("planted".utf8).write(to: folder.appending(path: "a.part"))
            let small = item(1, at: server.url("/small"), name: "a")
            #expect(
                await collect(downloader(retries: 0).fetch([small], into: folder)).outcome(1)
                    == "cut short")
            let full = item(1, at: server.url("/full"), name: "a")
            #expect(await collect(downloader().fetch([full], into: folder)).outcome(1) == "fetched")
            #expect(bytes("a.jpg", in: folder) == Self.photo)
            #expect(server.requests.map { $0.headers["Range"] } == [nil, nil])
        }
    }

    @Test func `a whole part without its name gets it, and is not asked for again`() async throws {
        try await withServer({ _ in LocalReply.file(Self.photo, tag: #""v1""#).cut(at: .half) }) {
            server, folder in
            let items = [item(1, at: server.url("/a"), name: "a")]
            #expect(
                await collect(downloader(retries: 0).fetch(items, into: folder)).outcome(1) == "cut short")
            // The rest, as where the program was killed right before it gave the file its name.
            let part = folder.appending(path: "a.part")
            let file = try FileHandle(forWritingTo: part)
            let count = try Int(file.seekToEnd())
            try file.write(contentsOf: Self.photo.dropFirst(count))
            try file.close()
            #expect(await collect(downloader().fetch(items, into: folder)).outcome(1) == "resumed")
            #expect(bytes("a.jpg", in: folder) == Self.photo)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a join that is no picture is not kept, even where incomplete ones are`() async throws {
        let (whole, half) = (LocalReply.file(Self.photo, tag: #""v1""#), Self.photo.count / 2)
        let range = "bytes \(half)-\(Self.photo.count - 1)/\(Self.photo.count)"
        try await withServer({ request in
            switch request.attempt {
            case 1: whole.cut(at: .half)
            case 2:
                .status(
                    206, headers: ["Content-Range": range, "ETag": #""v1""#],
                    body: LocalBody(Data(count: Self.photo.count - half)))
            default: whole
            }
        }) { server, folder in
            var configuration = Downloader.Configuration()
            configuration.acceptsIncomplete = true
            let downloader = Downloader(
                transport: URLSessionTransport(), configuration: configuration,
                timekeeper: Timekeeper(clock: TestClock.skipping()))
            let items = [item(1, at: server.url("/a"), name: "a")]
            #expect(await collect(downloader.fetch(items, into: folder)).outcome(1) == "fetched")
            #expect(bytes("a.jpg", in: folder) == Self.photo)
            #expect(server.requests.count == 3)
        }
    }

    @Test func `the end of the process that carries a file is no failed try`() async throws {
        try await withServer(.file(Self.photo)) { server, folder in
            let downloader = downloader(retries: 0, transport: InterruptedOnce())
            let items = [item(1, at: server.url("/a"))]
            #expect(await collect(downloader.fetch(items, into: folder)).outcome(1) == "fetched")
        }
    }

    @Test func `one host that fails does not hold up the others`() async throws {
        try await withServer({ $0.path.hasPrefix("/bad") ? .status(503) : .file(Self.photo) }) {
            server, folder in
            let clock = TestClock()
            let bad = (0..<40).map { item($0, at: server.url("/bad\($0)")) }
            let good = try (40..<50).map { number in
                let address = server.url("/good\(number)").absoluteString
                let other = address.replacing("127.0.0.1", with: "localhost")
                return item(number, at: try #require(URL(string: other)))
            }
            let finished = Counter()
            let fetch = Task {
                for await event in downloader(jobs: 2, clock: clock).fetch(bad + good, into: folder) {
                    if case .finished = event { finished.increment() }
                }
            }
            // Nobody moves the clock: the other host's files come while all of this one's wait.
            try await finished.wait(for: good.count)
            #expect(server.requests.count { $0.path.hasPrefix("/good") } == good.count)
            #expect(server.requests.count { $0.path.hasPrefix("/bad") } < bad.count)
            fetch.cancel()
            await fetch.value
        }
    }

    @Test func `a host that asks to wait is left alone by all`() async throws {
        try await withServer({ request in
            request.number == 1 ? .status(429, headers: ["Retry-After": "3"]) : .file(Self.photo)
        }) { server, folder in
            let clock = TestClock()
            let items = (0..<3).map { item($0, at: server.url("/\($0)")) }
            let fetch = Task {
                await collect(downloader(jobs: 1, clock: clock).fetch(items, into: folder))
            }
            try await clock.waitForSleepers(3)
            #expect(server.requests.count == 1)
            // From here on requests are spaced, which takes time of its own.
            clock.skip()
            let result = await fetch.value
            #expect(result.files.count == 3)
            #expect(server.requests.count == 4)
            let waits = result.events.compactMap { event in
                if case .waiting(_, let delay, .refused(_, 429, _)) = event { delay } else { nil }
            }
            #expect(waits == Array(repeating: .seconds(3), count: 3))
        }
    }

    @Test func `takes up no more items than its reader keeps up with`() async throws {
        try await withTemporaryDirectory { folder in
            for number in 0..<3 { try Self.photo.write(to: folder.appending(path: "\(number).jpg")) }
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let (items, input) = AsyncStream<DownloadItem>.makeStream()
            let taken = Counter()
            let counted = items.map { item in
                taken.increment()
                return item
            }
            for number in 0..<800 { input.yield(item(number % 3, at: url, name: "\(number % 3)")) }
            input.finish()
            var ends = 0
            for await event in downloader().fetch(counted, into: TargetFolder(folder)) {
                guard case .finished = event else { continue }
                ends += 1
                #expect(taken.value <= ends + 6 + 512 + 1)
            }
            #expect(ends == 800)
        }
    }

    @Test func `ending the iteration cancels and keeps the part`() async throws {
        try await withServer(.file(Self.photo, tag: #""v1""#).stalled(at: .half)) { server, folder in
            for await event in downloader().fetch(
                [item(1, at: server.url("/a"), name: "a")], into: folder)
            {
                if case .progress = event { break }
            }
            try await server.waitForDisconnection()
            let part = try #require(bytes("a.part", in: folder))
            #expect(!part.isEmpty && part == Self.photo.prefix(part.count))
        }
    }
}

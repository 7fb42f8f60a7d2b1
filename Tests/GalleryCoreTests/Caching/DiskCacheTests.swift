import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct DiskCacheTests {
    private func withBench(_ body: (CacheBench) async throws -> Void) async throws {
        try await withTemporaryDirectory {
            try await body(CacheBench(folder: $0.appending(path: "cache/gallery")))
        }
    }

    @Test func `what was stored is there for the next process`() async throws {
        try await withBench { bench in
            let reply = CacheBench.reply(
                "{}",
                headers: ["ETag": #""v1""#, "Last-Modified": "then", "Link": "</2>; rel=next", "X-A": "b"]
            )
            await bench.cache().store(reply, to: CacheBench.request(), lifetime: .seconds(60))
            let entry = try #require(await bench.cache().entry(for: CacheBench.request()))
            #expect(entry.body == Data("{}".utf8))
            #expect(entry.conditions == ["If-None-Match": #""v1""#, "If-Modified-Since": "then"])
            #expect(entry.stored == CacheBench.start)
            let again = entry.reply(from: CacheBench.request().url)
            #expect(again.head.status == 200)
            #expect(again.head["etag"] == #""v1""#)
            #expect(again.head["link"] == "</2>; rel=next")
            #expect(again.head["x-a"] == nil)
            #expect(await bench.cache().entry(for: CacheBench.request(2)) == nil)
        }
    }

    @Test(arguments: ["ETag", "Link"])
    func `a reply whose header repeats the key is not kept`(name: String) async throws {
        try await withBench { bench in
            let request = CacheBench.request(secret: "hush-hush")
            let reply = CacheBench.reply("a", headers: [name: "</2?key=hush-hush>; rel=next"])
            await bench.cache().store(reply, to: request, lifetime: .seconds(60))
            #expect(await bench.cache().entry(for: request) == nil)
        }
    }

    @Test func `an entry is fresh for its lifetime, the shorter of then and now`() async throws {
        try await withBench { bench in
            let cache = bench.cache()
            await cache.store(CacheBench.reply("a"), to: CacheBench.request(), lifetime: .seconds(60))
            let entry = try #require(await cache.entry(for: CacheBench.request()))
            let at = { CacheBench.start.addingTimeInterval($0) }
            #expect(entry.isFresh(at: at(0), lifetime: .seconds(60)))
            #expect(entry.isFresh(at: at(59.9), lifetime: .seconds(3600)))
            #expect(!entry.isFresh(at: at(60), lifetime: .seconds(3600)))
            #expect(!entry.isFresh(at: at(30), lifetime: .seconds(30)))
            // The clock was set back: nothing is known of its age.
            #expect(!entry.isFresh(at: at(-1), lifetime: .seconds(60)))
        }
    }

    @Test func `nothing is used after a day, or from a time to come`() async throws {
        try await withBench { bench in
            await bench.cache().store(CacheBench.reply("a"), to: CacheBench.request(), lifetime: .seconds(60))
            bench.clock.advance(by: .seconds(86_400))
            #expect(await bench.cache().entry(for: CacheBench.request()) != nil)
            bench.clock.advance(by: .seconds(1))
            #expect(await bench.cache().entry(for: CacheBench.request()) == nil)
            #expect(bench.entry == nil)
            let ahead = DiskCache(
                folder: bench.folder,
                timekeeper: Timekeeper(
                    clock: bench.clock, date: { CacheBench.start.addingTimeInterval(1e6) }))
            await ahead.store(CacheBench.reply("a"), to: CacheBench.request(), lifetime: .seconds(60))
            #expect(await bench.cache().entry(for: CacheBench.request()) == nil)
        }
    }

    @Test func `a confirmed entry holds anew`() async throws {
        try await withBench { bench in
            let cache = bench.cache()
            await cache.store(CacheBench.reply("a"), to: CacheBench.request(), lifetime: .seconds(60))
            bench.clock.advance(by: .seconds(100))
            let stale = try #require(await cache.entry(for: CacheBench.request()))
            await cache.renew(stale, lifetime: .seconds(30))
            let entry = try #require(await cache.entry(for: CacheBench.request()))
            #expect(entry.stored == CacheBench.start.addingTimeInterval(100))
            #expect(entry.lifetime == 30)
            #expect(entry.body == stale.body)
        }
    }

    @Test func `files and folder are the user's alone`() async throws {
        try await withBench { bench in
            await bench.cache().store(
                CacheBench.reply("a"), to: CacheBench.request(secret: "k"), lifetime: .seconds(60))
            let mode = { (url: URL) in
                (try? FileManager.default.attributesOfItem(atPath: url.path))?[.posixPermissions] as? Int
            }
            #expect(mode(bench.folder) == 0o700)
            #expect(bench.names.count == 2)
            for name in bench.names { #expect(mode(bench.folder.appending(path: name)) == 0o600) }
        }
    }

    @Test func `the limit holds, and what was read last stays`() async throws {
        try await withBench { bench in
            let cache = bench.cache(limit: 20_000)
            let body = String(repeating: "x", count: 1000)
            for number in 0..<60 {
                bench.clock.advance(by: .seconds(1))
                await cache.store(
                    CacheBench.reply(body), to: CacheBench.request(number), lifetime: .seconds(60))
                _ = await cache.entry(for: CacheBench.request(0))
                let info = try await cache.info()
                #expect(info.bytes <= info.limit)
            }
            #expect(await cache.entry(for: CacheBench.request(0)) != nil)
            #expect(await cache.entry(for: CacheBench.request(59)) != nil)
            #expect(await cache.entry(for: CacheBench.request(1)) == nil)
        }
    }

    @Test func `a reply larger than the limit is not kept`() async throws {
        try await withBench { bench in
            let cache = bench.cache(limit: 1000)
            let body = String(repeating: "x", count: 1000)
            await cache.store(CacheBench.reply(body), to: CacheBench.request(), lifetime: .seconds(60))
            #expect(bench.names == [])
            #expect(bench.warnings.value == [])
        }
    }

    @Test func `the first sweep of a process removes what is a day old and what killed writers left`()
        async throws
    {
        try await withBench { bench in
            await bench.cache().store(CacheBench.reply("a"), to: CacheBench.request(), lifetime: .seconds(60))
            let draft = try #require(bench.entry).lastPathComponent + ".4711.new"
            try Data("torn".utf8).write(to: bench.folder.appending(path: draft))
            try FileManager.default.setAttributes(
                [.modificationDate: CacheBench.start], ofItemAtPath: bench.folder.appending(path: draft).path)
            bench.clock.advance(by: .seconds(90_000))
            await bench.cache().store(
                CacheBench.reply("b"), to: CacheBench.request(2), lifetime: .seconds(60))
            #expect(bench.names.count == 1)
            #expect(await bench.cache().entry(for: CacheBench.request(2)) != nil)
        }
    }

    @Test func `info and clear count replies, and leave others' files alone`() async throws {
        try await withBench { bench in
            let cache = bench.cache()
            var info = try await cache.info()
            #expect((info.entries, info.bytes, info.oldestUse) == (0, 0, nil))
            #expect(try await cache.clear().entries == 0)
            #expect(!FileManager.default.fileExists(atPath: bench.folder.path))

            for number in 1...3 {
                bench.clock.advance(by: .seconds(1))
                let request = CacheBench.request(number, secret: "k")
                await cache.store(CacheBench.reply("abc"), to: request, lifetime: .seconds(60))
            }
            let other = bench.folder.appending(path: "notes.reply")
            try Data("mine".utf8).write(to: other)
            info = try await cache.info()
            #expect(info.entries == 3)
            #expect(info.bytes > 9)
            #expect(info.limit == DiskCache.defaultLimit)
            #expect(info.oldestUse == CacheBench.start.addingTimeInterval(1))
            #expect(info.folder == bench.folder)

            let freed = try await cache.clear()
            #expect((freed.entries, freed.bytes) == (info.entries, info.bytes))
            #expect(bench.names == ["notes.reply"])
            // It goes on afterwards, with a salt of its own.
            await cache.store(
                CacheBench.reply("a"), to: CacheBench.request(secret: "k"), lifetime: .seconds(60))
            #expect(await bench.cache().entry(for: CacheBench.request(secret: "k")) != nil)
        }
    }

    @Test func `without a usable folder all goes on, and one warning says so`() async throws {
        try await withBench { bench in
            try Data().write(
                to: bench.folder.deletingLastPathComponent().deletingLastPathComponent()
                    .appending(path: "cache"))
            let cache = bench.cache()
            for number in 1...3 {
                let request = CacheBench.request(number, secret: number == 2 ? "k" : nil)
                await cache.store(CacheBench.reply("a"), to: request, lifetime: .seconds(60))
                #expect(await cache.entry(for: request) == nil)
            }
            #expect(bench.warnings.value.count == 1)
            #expect(
                bench.warnings.value.first?.description.contains("/cache/gallery' cannot be used") == true)
            await #expect(throws: CacheError.self) { try await cache.info() }
            await #expect(throws: CacheError.self) { try await cache.clear() }
        }
    }
}

/// Whatever happens to the folder: a miss, never a wrong answer and never an end.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct DiskCacheDamageTests {
    private static let body = #"{"photos":[{"id":1,"name":"Œuvre"}]}"#

    /// Runs the body with a stored reply and its file.
    private func withEntry(
        _ body: (CacheBench, DiskCache, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let bench = CacheBench(folder: folder)
            let cache = bench.cache()
            let reply = CacheBench.reply(Self.body, headers: ["ETag": #"W/"1""#])
            await cache.store(reply, to: CacheBench.request(), lifetime: .seconds(60))
            try await body(bench, cache, try #require(bench.entry))
        }
    }

    @Test func `an entry cut anywhere is a miss and removed`() async throws {
        try await withEntry { bench, cache, file in
            let whole = try Data(contentsOf: file)
            for length in 0..<whole.count {
                try whole.prefix(length).write(to: file)
                #expect(await cache.entry(for: CacheBench.request()) == nil, "cut at \(length)")
                #expect(bench.names == [], "cut at \(length)")
            }
            try (whole + [0]).write(to: file)
            #expect(await cache.entry(for: CacheBench.request()) == nil)
            try whole.write(to: file)
            #expect(await cache.entry(for: CacheBench.request())?.body == Data(Self.body.utf8))
        }
    }

    @Test(arguments: [0x01, 0x20, 0x80, 0xFF] as [UInt8])
    func `an entry changed anywhere is a miss and removed`(mask: UInt8) async throws {
        try await withEntry { bench, cache, file in
            let whole = try Data(contentsOf: file)
            for offset in whole.indices {
                var changed = whole
                changed[offset] ^= mask
                try changed.write(to: file)
                #expect(await cache.entry(for: CacheBench.request()) == nil, "changed at \(offset)")
                #expect(bench.names == [], "changed at \(offset)")
            }
        }
    }

    @Test func `ten thousand mutations give the entry or none`() throws {
        let key = try #require(CacheKey(CacheBench.request(), salt: nil))
        let entry = CacheEntry(
            key: key, reply: CacheBench.reply(Self.body), stored: CacheBench.start, lifetime: .seconds(60))
        let whole = try entry.encodedBytes()
        var chance = SeededGenerator(seed: 42)
        for _ in 0..<10_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                let at = bytes.indices.randomElement(using: &chance) ?? 0
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: bytes[at] = .random(in: .min ... .max, using: &chance)
                case 1: bytes.insert(.random(in: .min ... .max, using: &chance), at: at)
                case 2: bytes.remove(at: at)
                default: bytes.swapAt(at, bytes.indices.randomElement(using: &chance) ?? 0)
                }
            }
            let read = CacheEntry(encoded: bytes)
            #expect(read == nil || bytes == whole && read == entry)
        }
    }

    @Test func `another request's entry under this name is a miss`() async throws {
        try await withEntry { bench, cache, file in
            let other = try Data(contentsOf: file)
            await cache.store(CacheBench.reply("other"), to: CacheBench.request(2), lifetime: .seconds(60))
            let name = try #require(CacheKey(CacheBench.request(2), salt: nil)).fileName
            try other.write(to: bench.folder.appending(path: name))
            #expect(await cache.entry(for: CacheBench.request(2)) == nil)
            #expect(await cache.entry(for: CacheBench.request())?.body == Data(Self.body.utf8))
        }
    }

    @Test func `what is no plain file is neither read nor waited for`() async throws {
        try await withEntry { bench, cache, file in
            let whole = try Data(contentsOf: file)
            let elsewhere = bench.folder.appending(path: "elsewhere")
            try whole.write(to: elsewhere)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
            #expect(await cache.entry(for: CacheBench.request()) == nil)
            try FileManager.default.removeItem(at: file)
            #expect(mkfifo(file.path, 0o600) == 0)
            #expect(await cache.entry(for: CacheBench.request()) == nil)
            #expect(try await cache.info().entries == 0)
            // A new reply takes the name, and the link's target is as it was.
            await cache.store(CacheBench.reply("new"), to: CacheBench.request(), lifetime: .seconds(60))
            #expect(await cache.entry(for: CacheBench.request())?.body == Data("new".utf8))
            #expect(try Data(contentsOf: elsewhere) == whole)
        }
    }

    @Test func `a folder under an entry's name loses that entry alone`() async throws {
        try await withEntry { bench, cache, file in
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            #expect(await cache.entry(for: CacheBench.request()) == nil)
            _ = try await cache.clear()
            #expect(await cache.entry(for: CacheBench.request()) == nil)
            await bench.cache().store(
                CacheBench.reply("b"), to: CacheBench.request(2), lifetime: .seconds(60))
            #expect(await cache.entry(for: CacheBench.request(2))?.body == Data("b".utf8))
        }
    }

    @Test(arguments: [0, 15, 17])
    func `a salt of another length is replaced, and what was marked with it is not found`(
        length: Int
    ) async throws {
        try await withTemporaryDirectory { folder in
            let bench = CacheBench(folder: folder)
            let request = CacheBench.request(secret: "k")
            await bench.cache().store(CacheBench.reply("a"), to: request, lifetime: .seconds(60))
            try Data(count: length).write(to: folder.appending(path: "salt"))
            #expect(await bench.cache().entry(for: request) == nil)
            await bench.cache().store(CacheBench.reply("b"), to: request, lifetime: .seconds(60))
            #expect(await bench.cache().entry(for: request)?.body == Data("b".utf8))
        }
    }

    @Test func `several processes write, read and clear at once, and every answer is a whole one`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let bench = CacheBench(folder: folder)
            // Two caches are what two processes have: nothing is shared but the folder.
            let caches = [bench.cache(limit: 40_000), bench.cache(limit: 40_000)]
            let answers = Counter()
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var chance = SeededGenerator(seed: UInt64(worker))
                        let cache = caches[worker % 2]
                        for step in 0..<60 {
                            let number = Int.random(in: 0..<8, using: &chance)
                            let request = CacheBench.request(number, secret: number < 4 ? "secret" : nil)
                            let text = String(repeating: "\(number)", count: 500 + (worker * step) % 4000)
                            await cache.store(CacheBench.reply(text), to: request, lifetime: .seconds(60))
                            if let entry = await caches[step % 2].entry(for: request) {
                                answers.increment()
                                let digit = UInt8(ascii: "0") + UInt8(number)
                                #expect(entry.body.count >= 500 && entry.body.allSatisfy { $0 == digit })
                            }
                            if Int.random(in: 0..<40, using: &chance) == 0 { _ = try? await cache.clear() }
                        }
                    }
                }
            }
            // Of 960 questions: only a few find that somebody has just cleared the folder or made room.
            #expect(answers.value > 480)
            #expect(bench.warnings.value == [])
            #expect(!bench.names.contains { $0.hasSuffix(".new") })
        }
    }
}

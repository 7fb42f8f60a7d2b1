import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Pages of a feed that only goes forward, over real sockets: what they cost, in this process and the next.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct CursorLoaderTests {
    /// Runs the body with a wiki, and a bench for each process that keeps its cache in one folder.
    private func withWiki(
        _ wiki: WikiServer, run body: (LocalServer, _ process: () -> ClientBench) async throws -> Void
    ) async throws {
        try await withServer({ wiki.reply(to: $0) }) { server, folder in
            try await body(server) { ClientBench(server, folder: folder.appending(path: "gallery")) }
        }
    }

    private func loader(_ bench: ClientBench, refreshes: Bool = false) -> PhotoLoader {
        let base = bench.server.url("w/api.php")
        return PhotoLoader(
            service: Commons(base: base),
            client: bench.client(.named("commons", base: base), refreshes: refreshes))
    }

    private func page(_ number: Int, _ size: Int = 20) -> PageSlice { PageSlice(number: number, size: size) }

    private func ids(_ page: Page) -> [Int] { page.photos.compactMap { Int($0.photo.id.value) } }

    @Test func `the page after one that was seen costs one request, in a new process too`() async throws {
        try await withWiki(WikiServer(count: 1000)) { server, process in
            for number in 1...4 {
                let page = try await loader(process()).page(page(number), of: .popular())
                #expect(ids(page) == Array((981 - 20 * (number - 1)...1000 - 20 * (number - 1)).reversed()))
                #expect(server.requests.count == number)
            }
            // By its index, and whatever the size of a page was.
            #expect(ids(try await loader(process()).photos(81...81, of: .popular())) == [920])
            #expect(ids(try await loader(process()).photos(41...90, of: .popular())).first == 960)
            #expect(server.requests.count == 7)
            #expect(server.requests.allSatisfy { $0.query("list") == nil })
        }
    }

    @Test func `from the nearest place that is known the way is short`() async throws {
        try await withWiki(WikiServer(count: 3000)) { server, process in
            _ = try await loader(process()).page(page(100), of: .popular())
            #expect(server.requests.count == 5)
            #expect(ids(try await loader(process()).page(page(103), of: .popular())).first == 960)
            #expect(server.requests.dropFirst(5).map { $0.query("cmlimit") } == ["40", nil])
        }
    }

    @Test func `a list that has moved goes on where it was, and repeats nothing`() async throws {
        let joined = Counter()
        try await withWiki(WikiServer(count: 100 + joined.value)) { _, process in
            let first = try await loader(process()).page(page(1), of: .popular())
            joined.increment()
            let second = try await loader(process()).page(page(2), of: .popular())
            #expect([ids(first).last, ids(second).first] == [81, 80])
        }
    }

    @Test func `a cursor holds as long as a list`() async throws {
        try await withWiki(WikiServer(count: 100)) { server, process in
            let bench = process()
            _ = try await loader(bench).page(page(1), of: .popular())
            bench.clock.advance(by: .seconds(1799))
            _ = try await loader(bench).page(page(2), of: .popular())
            #expect(server.requests.count == 2)
            bench.clock.advance(by: .seconds(1))
            _ = try await loader(bench).page(page(2, 10), of: .popular())
            #expect(server.requests.dropFirst(2).map { $0.query("list") } == ["categorymembers", nil])
        }
    }

    @Test func `a cursor that is refused is walked around, and not tried again`() async throws {
        let refused = Counter()
        var wiki = WikiServer(count: 100)
        wiki.takes = { _ in refused.value == 0 }
        wiki.fault = { request in
            // What walks comes to cursors that are good.
            request.query("list") == nil || refused.value == 0
                ? nil : WikiServer(count: 100).reply(to: request)
        }
        try await withWiki(wiki) { server, process in
            _ = try await loader(process()).page(page(1), of: .popular())
            refused.increment()
            let error = await #expect(throws: ServiceError.self) {
                try await loader(process()).page(page(2), of: .popular())
            }
            #expect(error?.description == "commons answered: Invalid continue param.")
            // The remembered one, the walk, and the one that the walk gave.
            #expect(server.requests.dropFirst().map { $0.query("gcmcontinue") } == ["80", nil, "80"])
            // The walk again, whose answer is in the cache, and what it gave.
            _ = try? await loader(process()).page(page(2), of: .popular())
            #expect(server.requests.count == 5)
        }
    }

    @Test func `a cursor that has become another is found by walking`() async throws {
        let moved = Counter()
        var wiki = WikiServer(count: 100)
        wiki.takes = { $0 != "80" || moved.value == 0 }
        wiki.count = { moved.value == 0 ? 100 : 101 }
        try await withWiki(wiki) { server, process in
            _ = try await loader(process()).page(page(1), of: .popular())
            moved.increment()
            #expect(ids(try await loader(process()).page(page(2), of: .popular())).first == 81)
            #expect(server.requests.count == 4)
        }
    }

    @Test func `who asks anew trusts no cursor but its own`() async throws {
        try await withWiki(WikiServer(count: 100)) { server, process in
            _ = try await loader(process()).page(page(1), of: .popular())
            let bench = process()
            _ = try await loader(bench, refreshes: true).page(page(2), of: .popular())
            #expect(server.requests.map { $0.query("list") } == [nil, "categorymembers", nil])
            _ = try await loader(bench, refreshes: true).page(page(3), of: .popular())
            #expect(server.requests.count == 4)
        }
    }

    @Test func `each feed and each address has its own cursors`() async throws {
        try await withWiki(WikiServer(count: 100)) { server, process in
            _ = try await loader(process()).page(page(1), of: .popular())
            _ = try await loader(process()).page(page(2), of: .popular(ranking: "quality"))
            let elsewhere = PhotoLoader(
                service: Commons(base: server.url("other/api.php")),
                client: process().client(.named("commons", base: server.url)))
            _ = try await elsewhere.page(page(2), of: .popular())
            #expect(server.requests.count { $0.query("list") != nil } == 2)
        }
    }
}

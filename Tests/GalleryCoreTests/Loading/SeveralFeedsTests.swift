import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Feeds of three services as one list, over real sockets.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct SeveralFeedsTests {
    /// A new process, which shares at most a cache with another one.
    private func bench(_ server: LocalServer, folder: URL? = nil) -> ClientBench {
        ClientBench(server, folder: folder)
    }

    private func list(
        _ bench: ClientBench, _ services: String = "commons,openverse,picsum", _ feed: Feed = .popular()
    ) throws -> PhotoList {
        let loaders = ServiceLoaders(
            ServiceCatalog(), at: ServiceAddress(service: services, base: nil),
            bases: SeveralServer.bases(bench.server), client: bench.client(retries: 0))
        return try loaders.list(feed, at: loaders.address)
    }

    private func words(_ page: Page) -> [String] {
        page.photos.map { "\($0.index ?? 0) \($0.photo.id.service.prefix(1))\($0.photo.id.value)" }
    }

    /// What `range` holds as long as no list ends: 45 files of Commons, the last first, and 1, 2, … of the others.
    private func expected(_ range: ClosedRange<Int>) -> [String] {
        range.map { index in
            let round = (index - 1) / 3
            return "\(index) " + ["c\(45 - round)", "oo\(round + 1)", "p\(round + 1)"][(index - 1) % 3]
        }
    }

    private func told(_ bench: ClientBench) -> [String] {
        bench.events.value.compactMap {
            if case .passedOver(_, let reason, let isFault) = $0 { "\(isFault) \(reason)" } else { nil }
        }
    }

    private func asked(_ server: LocalServer) -> [Int] {
        ["/w/", "/v1/", "/v2/"].map { path in server.requests.count { $0.path.hasPrefix(path) } }
    }

    @Test func `each is asked for what its turns need, and no page twice`() async throws {
        let several = SeveralServer()
        try await withLocalServer({ several.reply(to: $0) }) { server in
            let list = try list(bench(server))
            #expect(server.requests.isEmpty)
            #expect(try await words(list.photos(1...2)) == expected(1...2))
            #expect(asked(server) == [1, 1, 0])
            #expect(try await words(list.photos(1...20)) == expected(1...20))
            #expect(try await words(list.photos(21...40)) == expected(21...40))
            #expect(try await words(list.page(PageSlice(number: 3, size: 20))) == expected(41...60))
            #expect(asked(server) == [1, 1, 1])
            #expect(try await words(list.photos(61...61)) == expected(61...61))
            #expect(asked(server) == [2, 1, 1])
        }
    }

    @Test func `another process goes on where this one ended, out of the cache`() async throws {
        let several = SeveralServer()
        try await withTemporaryDirectory { folder in
            try await withLocalServer({ several.reply(to: $0) }) { server in
                _ = try await list(bench(server, folder: folder)).photos(1...20)
                let page = try await list(bench(server, folder: folder)).photos(21...40)
                #expect(words(page) == expected(21...40))
                #expect(page.hasMore && page.total == nil)
                #expect(asked(server) == [1, 1, 1])
            }
        }
    }

    @Test func `one that ends early is passed over, and the end is the last one's`() async throws {
        var several = SeveralServer()
        (several.openverse, several.picsum) = (2, 50)
        let server = several
        try await withLocalServer({ server.reply(to: $0) }) { server in
            let list = try list(bench(server))
            let first = try await list.photos(1...9)
            #expect(words(first).suffix(4) == ["6 p2", "7 c43", "8 p3", "9 c42"])
            let last = try await list.photos(90...120)
            let rest = ["90 p44", "91 c1", "92 p45", "93 p46", "94 p47", "95 p48", "96 p49", "97 p50"]
            #expect(words(last) == rest)
            #expect(!last.hasMore && last.total == 97)
            #expect(try await words(list.photos(1...9)) == words(first))
        }
    }

    @Test(arguments: [LocalReply.status(500), .html("<html>down</html>"), .json("[]"), .status(403)])
    func `one that fails is told once and passed over, and what was given stays`(fault: LocalReply)
        async throws
    {
        var several = SeveralServer()
        several.fault = { $0.path.hasPrefix("/v1/") && $0.query("page") == "2" ? fault : nil }
        let faulty = several
        try await withLocalServer({ faulty.reply(to: $0) }) { server in
            let bench = bench(server)
            let list = try list(bench)
            #expect(try await words(list.photos(1...60)) == expected(1...60))
            #expect(told(bench).isEmpty)
            let after = try await words(list.photos(61...66))
            #expect(after == ["61 c25", "62 p21", "63 c24", "64 p22", "65 c23", "66 p23"])
            #expect(try await words(list.photos(1...60)) == expected(1...60))
            #expect(told(bench).count == 1 && told(bench)[0].hasPrefix("true "))
            #expect(asked(server)[1] == 2)
        }
    }

    @Test func `one that fails at once leaves its turns to the others`() async throws {
        var several = SeveralServer()
        several.fault = { $0.path.hasPrefix("/w/") ? .status(500) : nil }
        let faulty = several
        try await withLocalServer({ faulty.reply(to: $0) }) { server in
            let bench = bench(server)
            let page = try await list(bench).photos(1...4)
            #expect(words(page) == ["1 oo1", "2 p1", "3 oo2", "4 p2"])
            #expect(told(bench) == ["true commons failed with status 500."])
        }
    }

    @Test func `where all fail, the first one's error is theirs`() async throws {
        let several: LocalServer.Handler = { request in
            LocalReply.status(request.path.hasPrefix("/w/") ? 403 : 500)
        }
        try await withLocalServer(several) { server in
            let bench = bench(server)
            let list = try list(bench)
            for _ in 1...2 {
                let error = await #expect(throws: ServiceError.self) { try await list.photos(1...20) }
                #expect(error?.description == "commons refused the request: status 403.")
            }
            #expect(
                told(bench) == [
                    "true openverse failed with status 500.", "true picsum failed with status 500.",
                ])
            #expect(asked(server) == [1, 1, 1])
        }
    }

    @Test func `those that lack the feed are left out, unless all do`() async throws {
        let several = SeveralServer()
        try await withLocalServer({ several.reply(to: $0) }) { server in
            let bench = bench(server)
            let page = try await list(bench, "picsum,openverse", .search("sea")).photos(1...2)
            #expect(words(page) == ["1 oo1", "2 oo2"])
            #expect(told(bench) == ["false picsum has no feed 'search'."])
            let error = #expect(throws: ServiceError.self) {
                try list(bench, "picsum,openverse", .favorites(of: nil))
            }
            #expect(error?.description == "picsum has no feed 'favorites'.")
        }
    }

    @Test func `ranges asked for at once are the same list`() async throws {
        let several = SeveralServer()
        try await withLocalServer({ several.reply(to: $0) }) { server in
            let list = try list(bench(server))
            async let second = list.photos(21...40)
            async let third = list.photos(41...60)
            async let first = list.photos(1...20)
            let pages = try await [first, second, third]
            #expect(pages.flatMap(words) == expected(1...60))
            #expect(asked(server) == [1, 1, 1])
        }
    }

    @Test func `who leaves takes no service along`() async throws {
        let gate = Gate()
        let several = SeveralServer()
        try await withLocalServer { request in
            let reply = several.reply(to: request)
            return request.path.hasPrefix("/v1/") && request.attempt == 1 ? reply.delayed(until: gate) : reply
        } run: { server in
            let bench = bench(server)
            let list = try list(bench)
            let task = Task { try await list.photos(1...20) }
            try await server.waitForRequests(1, to: "/v1/images/")
            task.cancel()
            await #expect(throws: ServiceError.self) { try await task.value }
            gate.open()
            #expect(try await words(list.photos(1...20)) == expected(1...20))
            #expect(told(bench).isEmpty)
        }
    }

    @Test func `a work that two have is there once`() async throws {
        var several = SeveralServer()
        several.page = { "https://commons.wikimedia.org/w/index.php?curid=\(46 - $0)" }
        let server = several
        try await withLocalServer({ server.reply(to: $0) }) { server in
            let page = try await list(bench(server), "commons,openverse").photos(1...6)
            // Openverse's first has just been had; its others come before those of Commons, which are left out.
            #expect(words(page) == ["1 c45", "2 oo2", "3 c43", "4 oo4", "5 c41", "6 oo6"])
        }
    }
}

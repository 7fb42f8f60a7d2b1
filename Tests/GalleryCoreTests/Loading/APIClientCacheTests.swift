import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct APIClientCacheTests {
    /// Runs the body with a server, and a bench that keeps replies in an empty folder.
    private func withBench(
        _ handler: @escaping LocalServer.Handler, run body: (ClientBench) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            try await withLocalServer(handler) { server in
                try await body(ClientBench(server, folder: folder.appending(path: "gallery")))
            }
        }
    }

    @Test func `an answer is asked for once within its time`() async throws {
        try await withBench {
            .json("[\($0.number)]")
        } run: { bench in
            let client = bench.client()
            #expect(await client.reply(to: bench.request()).text == "[1]")
            bench.clock.advance(by: .seconds(299))
            #expect(await client.reply(to: bench.request()).text == "[1]")
            #expect(await client.reply(to: bench.request()).status == 200)
            #expect(bench.server.requests.count == 1)
            #expect(bench.wasReused == 2)
            bench.clock.advance(by: .seconds(1))
            #expect(await client.reply(to: bench.request()).text == "[2]")
            #expect(await client.reply(to: bench.request("else")).text == "[3]")
        }
    }

    @Test func `details hold longer than lists`() async throws {
        try await withBench {
            .json("[\($0.number)]")
        } run: { bench in
            let client = bench.client()
            _ = await client.reply(to: bench.request("photo"), for: .details)
            bench.clock.advance(by: .seconds(3599))
            #expect(await client.reply(to: bench.request("photo"), for: .details).text == "[1]")
            // The same bytes wanted as a list are too old.
            #expect(await client.reply(to: bench.request("photo"), for: .list).text == "[2]")
        }
    }

    @Test(
        arguments: [
            (#""v1""#, nil), (#"W/"v1""#, nil), (nil, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (#""v1""#, "Sun, 06 Nov 1994 08:49:37 GMT"),
        ] as [(String?, String?)])
    func `a stale answer is asked for again only if it has changed`(tag: String?, modified: String?)
        async throws
    {
        let list = Data(#"{"photos":[1]}"#.utf8)
        try await withBench { _ in
            .file(list, tag: tag, lastModified: modified, contentType: "application/json")
        } run: { bench in
            let client = bench.client()
            for _ in 1...3 {
                #expect(await client.reply(to: bench.request()).text == #"{"photos":[1]}"#)
                // Renewed by the 304: no request the second time.
                #expect(await client.reply(to: bench.request()).status == 200)
                bench.clock.advance(by: .seconds(301))
            }
            let requests = bench.server.requests
            #expect(requests.map { $0.headers["If-None-Match"] } == [nil, tag, tag])
            #expect(requests.map { $0.headers["If-Modified-Since"] } == [nil, modified, modified])
        }
    }

    @Test func `an answer that has changed takes the old one's place`() async throws {
        try await withBench { request in
            .file(Data("[\(request.number)]".utf8), tag: "\"v\(request.number)\"")
        } run: { bench in
            let client = bench.client()
            #expect(await client.reply(to: bench.request()).text == "[1]")
            bench.clock.advance(by: .seconds(301))
            #expect(await client.reply(to: bench.request()).text == "[2]")
            #expect(await client.reply(to: bench.request()).text == "[2]")
            bench.clock.advance(by: .seconds(301))
            #expect(await client.reply(to: bench.request()).text == "[3]")
            #expect(bench.server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\"", "\"v2\""])
        }
    }

    @Test func `a service that is away is said to be, whatever the cache holds of old`() async throws {
        try await withBench {
            $0.number == 1 ? .json("[1]") : .noAnswer()
        } run: { bench in
            _ = await bench.reply()
            bench.clock.advance(by: .seconds(301))
            #expect(await bench.reply(retries: 1).transportError != nil)
        }
    }

    @Test func `a refresh asks whatever the cache holds, and stores`() async throws {
        try await withBench {
            .json("[\($0.number)]").header("ETag", "\"same\"")
        } run: { bench in
            #expect(await bench.reply().text == "[1]")
            #expect(await bench.client(refreshes: true).reply(to: bench.request()).text == "[2]")
            #expect(bench.server.requests.last?.headers["If-None-Match"] == nil)
            #expect(await bench.reply().text == "[2]")
        }
    }

    @Test(arguments: [
        LocalReply.json("[1]", status: 201), .json("[1]", status: 404), .json("[1]", status: 403),
        .html("<p>Log in"), .json(#"{"error":"busy"}"#), .json(#"{"stat":"fail","code":1}"#), .json(""),
    ])
    func `what is no good answer is asked for again`(reply: LocalReply) async throws {
        try await withBench { _ in
            reply
        } run: { bench in
            let first = await bench.reply()
            #expect(await bench.reply().status == first.status)
            #expect(bench.server.requests.count == 2)
        }
    }

    @Test func `what the service cannot read is asked for again`() async throws {
        try await withBench { _ in
            .json(#"{"photos":7}"#)
        } run: { bench in
            let loader = PhotoLoader(
                service: FiveHundredPixels(base: bench.server.url("v1"), key: nil), client: bench.client())
            for _ in 1...2 {
                await #expect(throws: ServiceError.self) {
                    try await loader.page(PageSlice(number: 1, size: 20), of: .popular())
                }
            }
            #expect(bench.server.requests.count == 2)
        }
    }

    @Test func `a policy without times keeps nothing`() async throws {
        try await withBench {
            .json("[\($0.number)]")
        } run: { bench in
            _ = await bench.client(.local).reply(to: bench.request())
            #expect(await bench.client(.local).reply(to: bench.request()).text == "[2]")
            let cache = try #require(bench.shared.cache)
            #expect(try await cache.info().entries == 0)
        }
    }

    @Test func `keys and sessions do not see each other's answers`() async throws {
        try await withBench {
            .json("[\($0.number)]")
        } run: { bench in
            let client = bench.client()
            let keys = [nil, "alice", "bob"].map { $0.flatMap { Secret($0) } }
            for place in [HTTPRequest.SecretPosition.query(name: "key"), .header(name: "Cookie")] {
                let requests = keys.map { key in
                    HTTPRequest(url: bench.server.url("me"), secrets: key.map { [place: $0] } ?? [:])
                }
                let first = await client.replies(to: requests).map(\.text)
                #expect(Set(first).count == 3)
                #expect(await client.replies(to: requests).map(\.text) == first)
            }
            // Without a secret there is no place for one: that request is the same in both rounds.
            #expect(bench.server.requests.count == 5)
        }
    }

    @Test func `without a usable folder all is asked, and answered`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "gallery")
            try Data().write(to: file)
            try await withLocalServer(.json("[1]")) { server in
                let bench = ClientBench(server, folder: file)
                #expect(await bench.reply().text == "[1]")
                #expect(await bench.reply().text == "[1]")
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test func `no secret is in any file's name or bytes`() async throws {
        let secrets = ["hunter2-key/+=", "session_4711", "pass-word"]
        try await withBench { request in
            // One service that repeats what it was asked with, plainly, escaped, in JSON, and in its tag.
            switch request.path {
            case "/echo": .json(#"{"you":"\#(request.target)"}"#)
            case "/escaped": .json(#"{"you":"hunter2-key\/+="}"#)
            case "/tag": .json("[1]").header("ETag", #""session_4711""#)
            default: .json("[1]")
            }
        } run: { bench in
            let client = bench.client()
            for path in ["quiet", "echo", "escaped", "tag"] {
                var request = bench.request(path)
                request.secrets = [
                    .query(name: "key"): Secret(secrets[0]), .header(name: "Cookie"): Secret(secrets[1]),
                ].compactMapValues(\.self)
                #expect(await client.reply(to: request).status == 200)
            }
            let address =
                bench.server.url.absoluteString.replacing("//", with: "//me:\(secrets[2])@") + "/own"
            _ = await client.reply(to: HTTPRequest(url: try #require(URL(string: address))))
            let cache = try #require(bench.shared.cache)
            let folder = try await cache.info().folder
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            // All, since what has the key, be it a tag, is blanked; and the salt.
            #expect(names.count == 6)
            for name in names {
                let bytes = try Data(contentsOf: folder.appending(path: name))
                for secret in secrets + secrets.map(HTTPRequest.escaped) {
                    #expect(!name.contains(secret))
                    #expect(bytes.range(of: Data(secret.utf8)) == nil)
                }
            }
        }
    }
}

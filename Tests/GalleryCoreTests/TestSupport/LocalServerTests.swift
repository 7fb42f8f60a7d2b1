import Foundation
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct LocalServerTests {
    private let photo = Data((0..<1000).map { UInt8($0 % 251) })

    @Test func `keeps a connection for the next request`() async throws {
        try await withLocalServer(["/a": .body(Data("one".utf8)), "/b": .body(Data("two".utf8))]) { server in
            let client = try RawClient(port: server.port)
            client.ask("/a?x=1&y=a%20b")
            #expect(await client.read(bodyBytes: 3).body == Data("one".utf8))
            client.ask("/b", "Connection: close")
            #expect(await client.readToEnd().body == Data("two".utf8))
            #expect(server.requests.map(\.path) == ["/a", "/b"])
            #expect(server.requests.map(\.connection) == [1, 1])
            #expect(server.requests[0].query("y") == "a b")
            #expect(server.requests[0].headers["hOST"] == "localhost")
        }
    }

    @Test(arguments: [
        ("bytes=0-9", 206, "bytes 0-9/1000", 0..<10),
        ("bytes=990-", 206, "bytes 990-999/1000", 990..<1000),
        ("bytes=990-5000", 206, "bytes 990-999/1000", 990..<1000),
        ("bytes=-1", 206, "bytes 999-999/1000", 999..<1000),
        ("bytes=1000-", 416, "bytes */1000", 0..<0),
        ("bytes=-0", 416, "bytes */1000", 0..<0),
        ("bytes=9-0", 200, nil, 0..<1000),
        ("lines=0-9", 200, nil, 0..<1000),
        ("bytes=0-1,5-6", 200, nil, 0..<1000),
    ])
    func `a file honours a range`(
        range: String, status: Int, reported: String?, bytes: Range<Int>
    ) async throws {
        try await withLocalServer(.file(photo)) { server in
            let reply = try await exchange(with: server.port, "/", "Range: \(range)")
            #expect(reply.status == status)
            #expect(reply.header("Content-Range") == reported)
            #expect(reply.body == photo[bytes])
        }
    }

    @Test(arguments: [
        (#""v1""#, #"If-Range: "v1""#, 206), (#""v1""#, #"If-Range: "v2""#, 200),
        (#"W/"v1""#, #"If-Range: W/"v1""#, 200), (#""v1""#, "If-Range: Mon, 06 Mar 2017 10:00:00 GMT", 206),
        (#""v1""#, #"If-None-Match: "v0", W/"v1""#, 304), (#""v1""#, #"If-None-Match: "v2""#, 206),
        (#""v1""#, "If-None-Match: *", 304),
        (#""v1""#, "If-Modified-Since: Mon, 06 Mar 2017 10:00:00 GMT", 304),
    ])
    func `a file honours a condition`(tag: String, condition: String, status: Int) async throws {
        try await withLocalServer(
            .file(photo, tag: tag, lastModified: "Mon, 06 Mar 2017 10:00:00 GMT")
        ) { server in
            let reply = try await exchange(with: server.port, "/", "Range: bytes=5-", condition)
            #expect(reply.status == status)
            #expect(reply.header("ETag") == tag)
        }
    }

    @Test func `a server without ranges sends the whole file`() async throws {
        try await withLocalServer(.file(photo, ranges: false)) { server in
            let reply = try await exchange(with: server.port, "/", "Range: bytes=5-")
            #expect(reply.status == 200)
            #expect(reply.header("Accept-Ranges") == nil)
            #expect(reply.body == photo)
        }
    }

    @Test func `a request without a body gets the head alone`() async throws {
        try await withLocalServer(.file(photo)) { server in
            let reply = try await exchange(with: server.port, method: "HEAD")
            #expect(reply.header("Content-Length") == "1000")
            #expect(reply.body.isEmpty)
        }
    }

    @Test func `a handler sees the attempt and the server's address`() async throws {
        try await withLocalServer { request in
            request.attempt == 1 ? .status(503) : .json(#"{"url":"\#(request.serverURL)/1.jpg"}"#)
        } run: { server in
            for path in ["/x", "/y"] {
                let first = try await exchange(with: server.port, path)
                #expect(first.status == 503)
            }
            let reply = try await exchange(with: server.port, "/x")
            #expect(String(decoding: reply.body, as: UTF8.self) == #"{"url":"\#(server.url)/1.jpg"}"#)
        }
    }

    @Test func `tells how many requests and connections there were at once`() async throws {
        let gate = Gate()
        try await withLocalServer(.body(photo).delayed(until: gate)) { server in
            let clients = try (0..<5).map { _ in try RawClient(port: server.port) }
            for client in clients { client.ask("/", "Connection: close") }
            try await server.waitForRequestsInFlight(5)
            gate.open()
            for client in clients { #expect(await client.readToEnd().body == photo) }
            try await server.waitForDisconnection()
            #expect(server.peakRequestsInFlight == 5)
            #expect(server.peakConnections == 5)
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func `one client that comes again and again was never two at once`() async throws {
        try await withLocalServer(.body(photo)) { server in
            for _ in 0..<50 { _ = try await exchange(with: server.port) }
            #expect(server.connectionCount == 50)
            #expect(server.peakConnections == 1)
            #expect(server.peakRequestsInFlight == 1)
        }
    }

    @Test func `stopping ends connections that are idle or stalled`() async throws {
        let (idle, stalled) = try await withLocalServer(.silence()) { server in
            let clients = (try RawClient(port: server.port), try RawClient(port: server.port))
            clients.1.ask("/")
            try await server.waitForRequests(1)
            return clients
        }
        #expect(await idle.readToEnd() == Received(ending: .closed))
        #expect(await stalled.readToEnd() == Received(ending: .closed))
    }

    @Test func `a server comes back on the same port`() async throws {
        let port = try await withLocalServer(.status(503)) { server in
            let received = try await exchange(with: server.port)
            #expect(received.status == 503)
            return server.port
        }
        #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: port) }
        try await withLocalServer(port: port, { _ in .status(200) }) { server in
            let received = try await exchange(with: server.port)
            #expect(received.status == 200)
        }
    }

    @Test func `the refusing port refuses`() throws {
        #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: try refusingPort()) }
    }
}

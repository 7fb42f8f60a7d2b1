import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// HTTP over real sockets, in the process and by a worker: what they do must not differ.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct HTTPTransportTests {
    private static let photo = Pictures.jpeg(bytes: 100_000)

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: LocalReply
        let outcome: String

        init(_ description: String, _ reply: LocalReply, _ outcome: String) {
            testDescription = description
            self.reply = reply
            self.outcome = outcome
        }
    }

    static let faults: [Fault] = [
        Fault("whole", .file(photo), "200"),
        Fault("whole in chunks", .file(photo).chunked(), "200"),
        Fault("whole, without a length", .file(photo).withoutLength(), "200"),
        Fault("empty", .body(Data()), "200"),
        Fault("compressed all the same", .gzip(photo), "200"),
        Fault("not found", .status(404), "404"),
        Fault("asks to log in", .status(401, headers: ["WWW-Authenticate": "Basic realm=x"]), "401"),
        Fault("asks to log in with a token", .status(401, headers: ["WWW-Authenticate": "Bearer"]), "401"),
        Fault("unavailable", .status(503, headers: ["Retry-After": "1"]), "503"),
        Fault("no bytes", .noAnswer(), "cut short 0/?"),
        Fault("reset at once", .noAnswer(.reset), "cut short 0/?"),
        Fault("reset before the body", .file(photo).cut(at: 0, by: .reset), "cut short 0/100000"),
        Fault("reset after a byte", .file(photo).cut(at: 1, by: .reset), "cut short 1/100000"),
        Fault("reset at half", .file(photo).cut(at: .half, by: .reset), "cut short 50000/100000"),
        Fault("reset before the last", .file(photo).cut(at: .last, by: .reset), "cut short 99999/100000"),
        Fault("cut at half", .file(photo).cut(at: .half), "cut short 50000/100000"),
        Fault("cut before the last", .file(photo).cut(at: .last), "cut short 99999/100000"),
        Fault("chunks cut", .file(photo).chunked(size: 10_000).cut(at: .half), "cut short 50000/?"),
        Fault(
            "chunks without an end", .file(photo).chunked(size: 10_000).cut(at: .end), "cut short 100000/?"),
        Fault("silence", .silence(), "timed out after 1"),
        Fault("silence at half", .file(photo).stalled(at: .half), "timed out after 1"),
        Fault("no HTTP", .raw("hello\r\n\r\n"), "malformed: it does not speak HTTP"),
        Fault(
            "hints first",
            .raw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
            "200"),
        Fault(
            "chunks, and a length besides",
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99999\r\n\r\n2\r\nok\r\n0\r\n\r\n"
            ),
            "200"),
        Fault("a header that is no text", .file(photo).header("X", bytes: [0xE9]), "200"),
        Fault(
            "two blanks before the status", .raw("HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok"),
            "200"),
        Fault("no blank after a colon", .raw("HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\nok"), "200"),
        Fault("nowhere", .redirect(to: ""), "302"),
        Fault("no address", .redirect(to: "http://[x"), "302"),
        Fault("a file", .redirect(to: "file:///etc/passwd"), "redirect: its target is not a web address"),
        Fault("ftp", .redirect(to: "ftp://127.0.0.1/x"), "redirect: its target is not a web address"),
        Fault("itself", .redirect(to: "/"), "redirect: it redirects more than 10 times"),
    ]

    @Test(arguments: TransportKind.allCases, Thorough.cases(faults, few: 8))
    func `says what became of a reply`(kind: TransportKind, fault: Fault) async throws {
        try await withLocalServer(fault.reply) { server in
            let request = HTTPRequest(url: server.url("/"))
            // Real seconds, for the limit is URLSession's own. One, the least, where the host is silent: a busy
            // machine cannot make that come out otherwise. Elsewhere many, which nobody waits for.
            let idleTimeout = fault.outcome.hasPrefix("timed out") ? 1 : 20
            let transport = try kind.transport()
            let outcome = await outcome(of: request, over: transport, idleTimeout: idleTimeout)
            #expect(outcome == fault.outcome)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `hands over each byte once and in order`(kind: TransportKind) async throws {
        let body = Pictures.jpeg(bytes: 3_000_000, seed: 7)
        try await withLocalServer(.file(body)) { server in
            let sink = RecordingSink()
            let request = HTTPRequest(url: server.url("/a.jpg"))
            let transport = try kind.transport()
            #expect(await outcome(of: request, over: transport, to: sink) == "200")
            #expect(sink.body == body)
            #expect(sink.heads.map(\.contentLength) == [3_000_000])
        }
    }

    @Test(.thorough, arguments: TransportKind.allCases)
    func `a slow reply that moves is waited for`(kind: TransportKind) async throws {
        // Real time, for the limit is URLSession's own: longer in all than the host may be silent; and twenty
        // pieces must be late in a row to seem so.
        let reply = LocalReply.body(Data(count: 24)).dripping(bytes: 1, every: .milliseconds(100))
        try await withLocalServer(reply) { server in
            let request = HTTPRequest(url: server.url("/"))
            let start = ContinuousClock.now
            let transport = try kind.transport()
            #expect(await outcome(of: request, over: transport, idleTimeout: 2) == "200")
            #expect(ContinuousClock.now - start > .seconds(2))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `nobody listening is unreachable`(kind: TransportKind) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusingPort())/"))
        let transport = try kind.transport()
        #expect(await outcome(of: HTTPRequest(url: url), over: transport) == "unreachable")
    }

    @Test(arguments: TransportKind.allCases)
    func `sends name, version and address, and asks for bytes as they are`(kind: TransportKind) async throws {
        try await withLocalServer(.status(200)) { server in
            let transport = try kind.transport()
            _ = await outcome(of: HTTPRequest(url: server.url("/")), over: transport)
            let headers = try #require(server.requests.first).headers
            #expect(headers["User-Agent"] == "gallery/0.1.0 (https://github.com/gallery-swift/gallery)")
            #expect(headers["Accept-Encoding"] == "identity")
            #expect(headers["Cookie"] == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `puts secrets in their places and nowhere else`(kind: TransportKind) async throws {
        let key = try #require(Secret("a b&c=d"))
        try await withLocalServer(.status(200)) { server in
            let lines = Lines()
            let request = HTTPRequest(
                url: server.url("/v1/photos?feature=a%2Fb"), headers: ["Cookie": "theme=dark"],
                secrets: [.query(name: "consumer_key"): key, .header(name: "X-Key", prefix: "Key "): key])
            let sink = RecordingSink()
            let transport = try kind.transport(log: lines.add)
            _ = await outcome(of: request, over: transport, to: sink)
            let received = try #require(server.requests.first)
            #expect(received.target == "/v1/photos?feature=a%2Fb&consumer_key=a%20b%26c%3Dd")
            #expect(received.headers["X-Key"] == "Key a b&c=d")
            #expect(received.headers["Cookie"] == "theme=dark")
            #expect(sink.heads.map(\.url) == [server.url("/v1/photos?feature=a%2Fb")])
            let address = "http://127.0.0.1:\(server.port)/v1/photos?feature=a%2Fb&consumer_key=•••"
            #expect(lines.all == ["GET \(address)", "200 \(address)"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `follows redirects as written, and takes keys along to the same host only`(kind: TransportKind)
        async throws
    {
        let key = try #require(Secret("s3cret"))
        try await withLocalServer(.file(Self.photo)) { other in
            try await withLocalServer([
                "/a": .redirect(to: "b%2Fc/", status: 301),
                "/b%2Fc/": .redirect(to: other.url("/q%3D80/x?sig=%2B1").absoluteString, status: 307),
            ]) { server in
                let request = HTTPRequest(
                    url: server.url("/a"),
                    headers: ["Referer": "https://www.pixiv.net/", "Range": "bytes=5-", "X-Own": "1"],
                    secrets: [.header(name: "Authorization"): key])
                let sink = RecordingSink()
                let transport = try kind.transport()
                #expect(await outcome(of: request, over: transport, to: sink) == "206")
                #expect(server.requests.map(\.target) == ["/a", "/b%2Fc/"])
                #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "s3cret" })
                let last = try #require(other.requests.first)
                #expect(last.target == "/q%3D80/x?sig=%2B1")
                #expect(last.headers["Range"] == "bytes=5-")
                for name in ["Authorization", "Referer", "X-Own", "Cookie"] {
                    #expect(last.headers[name] == nil)
                }
                #expect(sink.body == Self.photo.dropFirst(5))
                #expect(sink.heads.map(\.status) == [206])
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a receiver that will not go on ends the transfer`(kind: TransportKind) async throws {
        try await withLocalServer(.file(Self.photo).stalled(at: .half)) { server in
            let sink = RecordingSink(limit: 10_000)
            let request = HTTPRequest(url: server.url("/"))
            let transport = try kind.transport()
            #expect(await outcome(of: request, over: transport, to: sink) == "rejected")
            try await server.waitForDisconnection()
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a cancelled caller leaves at once and lets the next one in`(kind: TransportKind) async throws {
        try await withLocalServer({ $0.path == "/held" ? .silence() : .status(204) }) { server in
            let transport = try kind.transport(connections: 1)
            let ask = { @Sendable (target: String) in
                await outcome(of: HTTPRequest(url: server.url(target)), over: transport, idleTimeout: 600)
            }
            let held = Task { await ask("/held") }
            try await server.waitForRequests(1)
            let queued = Task { await ask("/queued") }
            let next = Task { await ask("/next") }
            queued.cancel()
            #expect(await queued.value == "cancelled")
            held.cancel()
            #expect(await held.value == "cancelled")
            #expect(await next.value == "204")
            #expect(server.requests(to: "/queued").isEmpty)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `keeps no more requests on the wire than it has connections`(kind: TransportKind) async throws {
        let gate = Gate()
        try await withLocalServer(.file(Self.photo).delayed(until: gate)) { server in
            let transport = try kind.transport(connections: 3)
            let tasks = (0..<12).map { number in
                Task { await outcome(of: HTTPRequest(url: server.url("/\(number)")), over: transport) }
            }
            try await server.waitForRequestsInFlight(3)
            gate.open()
            for task in tasks { #expect(await task.value == "200") }
            #expect(server.peakRequestsInFlight == 3)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `cookies go back within one chain of redirects, and are not kept`(kind: TransportKind) async throws {
        let reply = LocalReply.redirect(to: "/next").header("Set-Cookie", "id=1; Path=/")
        try await withLocalServer([
            "/": reply, "/next": .file(Self.photo).header("Set-Cookie", "id=2; Path=/"),
        ]) {
            server in
            let transport = try kind.transport()
            for _ in 0..<2 {
                #expect(await outcome(of: HTTPRequest(url: server.url("/")), over: transport) == "200")
            }
            #expect(server.requests.map(\.path) == ["/", "/next", "/", "/next"])
            #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "id=1", nil, "id=1"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a cookie opens the address that set it, and no other origin has it`(kind: TransportKind)
        async throws
    {
        try await withLocalServer(.file(Self.photo)) { other in
            let far = other.url("/x").absoluteString
            try await withLocalServer({ request in
                let isKnown = request.headers["Cookie"] == "a=1; b=2"
                return switch request.path {
                case "/far": .redirect(to: far).header("Set-Cookie", "a=1")
                case _ where isKnown: .file(Self.photo)
                default:
                    .redirect(to: request.path).header(
                        "Set-Cookie", "b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT, a=1")
                }
            }) { server in
                let transport = try kind.transport()
                for path in ["/one", "/far"] {
                    #expect(await outcome(of: HTTPRequest(url: server.url(path)), over: transport) == "200")
                }
                #expect(server.requests.map(\.path) == ["/one", "/one", "/far"])
                #expect(other.requests.map { $0.headers["Cookie"] } == [nil])
            }
        }
    }
}

import Foundation
import Testing

@testable import GalleryCore

@Suite struct DeliveryTests {
    private let sink = RecordingSink()

    private func delivery(_ address: String = "http://h/a") throws -> Delivery {
        let request = HTTPRequest(url: try #require(URL(string: address)))
        return Delivery(Transfer(request, idleTimeout: 30, sink: sink))
    }

    private func receive(_ count: Int, _ delivery: inout Delivery) {
        [UInt8](repeating: 1, count: count).withUnsafeBytes { delivery.receive($0) }
    }

    private func outcome(_ delivery: inout Delivery, _ failure: RequestFailure?) -> String {
        switch delivery.finish(failure) {
        case nil: "again"
        case .success(let head)?: "\(head.status)"
        case .failure(let error)?: error.description
        }
    }

    @Test(
        arguments: [
            (["Content-Length": "10"], 10, "200"),
            (["Content-Length": "10"], 9, "'h' closed the connection after 9 of 10 bytes."),
            (["Content-Length": "10"], 11, "'h' closed the connection after 11 of 10 bytes."),
            (["Content-Length": "10", "Transfer-Encoding": "chunked"], 4, "200"),
            (["Content-Length": "10", "Content-Encoding": "gzip"], 40, "200"),
            (["Content-Length": "-1"], 4, "200"), (["Content-Length": "1e3"], 4, "200"), ([:], 4, "200"),
        ] as [([String: String], Int, String)])
    func `a body has the length that was announced`(headers: [String: String], count: Int, end: String) throws
    {
        var delivery = try delivery()
        delivery.receive(status: 200, headers: headers)
        receive(count, &delivery)
        #expect(sink.heads.map(\.status) == [200])
        #expect(sink.body.count == count)
        #expect(outcome(&delivery, nil) == end)
    }

    @Test func `a reply without a body may announce one`() throws {
        for status in [204, 304] {
            var delivery = try delivery()
            delivery.receive(status: status, headers: ["Content-Length": "10"])
            #expect(sink.heads.last?.status == status)
            #expect(outcome(&delivery, nil) == "\(status)")
        }
    }

    @Test(arguments: [
        (-999, "", "The transfer was canceled."), (-1001, "", "'h' sent nothing for 30 seconds."),
        (
            -1004, "Failed to connect to h port 80 after 0 ms",
            "'h' could not be reached: the connection was refused."
        ),
        (
            -1, "transfer closed with 5 bytes remaining to read",
            "'h' closed the connection after 0 bytes, before the end."
        ),
        (
            -1, "transfer closed with outstanding read data remaining",
            "'h' closed the connection after 0 bytes, before the end."
        ),
        (-1, "Failed writing header", "'h' sent a header that cannot be read."),
        (-1, "Out of memory", "'h' sent a header that cannot be read."),
        (-1, "Couldn't connect: too many open files", "'h' could not be reached: too many files are open."),
        (-1, "No route, cannot connect", "'h' could not be reached: no connection could be made."),
        (-1, "SSL: self-signed\u{1B}[31m", "'h' did not answer properly: SSL: self-signed[31m."),
        (
            -1017, "x",
            "'h' sent an answer that Swift's HTTP library cannot read (a trailer, or a broken head)."
        ),
        (-1018, "x", "'h' could not be reached: there is no network."),
        (-1022, "x", "'h' did not answer properly: macOS allows no connection without encryption."),
        (-1200, "x", "'h' could not be reached: no secure connection could be made."),
        (-1202, "x", "'h' did not answer properly: its certificate cannot be trusted."),
        (-1206, "x", "'h' did not answer properly: it wants a certificate of yours."),
        (310, "x", "The proxy could not be reached."),
        (-1, "Could not resolve proxy: p", "The proxy 'p' could not be reached: there is no such host."),
        (-1, "CONNECT tunnel failed, response 403", "The proxy refused to connect to 'h' (status 403)."),
        (-1, "CONNECT tunnel failed, response 407", "The proxy asks for a name and a password (status 407)."),
    ])
    func `an error without a head names its culprit`(code: Int, text: String, end: String) throws {
        var delivery = try delivery()
        delivery.isPlain = true
        #expect(outcome(&delivery, .session(code: code, text: text)) == end)
    }

    @Test(
        arguments: [
            ([], 0, -1, "Failed writing header", true), (["utf-8"], 0, -1, "Unrecognized", true),
            (["gzip"], 0, -1015, "x", true), (["gzip"], 5, -1, "Unrecognized", false),
            (["gzip"], 0, -1, "transfer closed with 5 bytes remaining to read", false),
            ([], 0, -1001, "", false), ([], 0, -1, "SSL: self-signed", false),
        ] as [([String], Int, Int, String, Bool)])
    func `what URLSession refuses is asked for once more, without it`(
        encoding: [String], count: Int, code: Int, text: String, isAsked: Bool
    ) throws {
        var delivery = try delivery()
        for name in encoding { delivery.receive(status: 200, headers: ["Content-Encoding": name]) }
        if count > 0 { receive(count, &delivery) }
        let failure = RequestFailure.session(code: code, text: text)
        #expect((outcome(&delivery, failure) == "again") == isAsked)
        #expect(delivery.isPlain == isAsked)
        #expect(sink.heads.isEmpty == (isAsked || encoding.isEmpty))
        #expect(outcome(&delivery, failure) != "again")
    }

    @Test(arguments: [true, false])
    func `a name without an address is asked for once, one that could not be looked up again`(isUnknown: Bool)
        throws
    {
        var delivery = try delivery()
        delivery.isUnknown = { $0 == "h" && isUnknown }
        guard case .failure(let error)? = delivery.finish(.session(code: -1003, text: "")) else {
            Issue.record("It did not fail.")
            return
        }
        let reason = isUnknown ? "there is no such host" : "its name could not be looked up"
        #expect(error.description == "'h' could not be reached: \(reason).")
        #expect(error.isPassing == !isUnknown)
    }

    @Test func `what became of a worker is told of the host`() throws {
        let sentence =
            "'h' sent an answer that Swift's HTTP library cannot read (a trailer, or a broken head)."
        var early = try delivery()
        #expect(outcome(&early, .unreadable) == sentence)
        var late = try delivery()
        late.receive(status: 200, headers: [:])
        #expect(outcome(&late, .unreadable) == sentence)
        guard case .failure(let passing)? = early.finish(.unreadable),
            case .failure(let final)? = late.finish(.unreadable)
        else {
            Issue.record("They did not fail.")
            return
        }
        // The host may have been cut off in its head; a trailer comes again.
        #expect(passing.isPassing)
        #expect(!final.isPassing)
    }

    @Test func `a redirect is followed even where its own body fails`() throws {
        var delivery = try delivery()
        delivery.receive(status: 302, headers: ["Location": "/b%2Fc d"])
        receive(5, &delivery)
        #expect(outcome(&delivery, .interrupted) == "again")
        #expect(sink.heads.isEmpty && sink.body.isEmpty)
        #expect(delivery.request.url.absoluteString == "http://h/b%2Fc%20d")
    }

    @Test(arguments: ["", "http://[x", "http://h:x/"])
    func `a redirect to nowhere is known by its status`(location: String) throws {
        var delivery = try delivery()
        delivery.receive(status: 302, headers: ["Location": location])
        #expect(sink.heads.map(\.status) == [302])
        #expect(outcome(&delivery, nil) == "302")
    }
}

@Suite struct MemorySinkTests {
    @Test func `a reply in memory has a limit, announced or not`() throws {
        let url = try #require(URL(string: "http://h/"))
        let announced = ["Content-Length": "\(MemorySink.limit + 1)"]
        #expect(throws: MemorySink.TooLarge.self) {
            try MemorySink().begin(HTTPHead(status: 200, url: url, headers: announced))
        }
        let sink = MemorySink()
        try sink.begin(HTTPHead(status: 200, url: url))
        let piece = [UInt8](repeating: 0, count: MemorySink.limit / 4)
        for _ in 0..<4 { try piece.withUnsafeBytes { try sink.receive($0) } }
        #expect(throws: MemorySink.TooLarge.self) { try [0].withUnsafeBytes { try sink.receive($0) } }
        #expect(sink.data.count == MemorySink.limit)
    }
}

@Suite struct ProxyTests {
    @Test(
        arguments: [
            ([:], "http://h/", nil), (["http_proxy": "p:3128"], "http://h/", "p:3128"),
            (["http_proxy": "http://u:secret@p:3128/"], "http://h/", "p:3128"),
            (["http_proxy": "p"], "https://h/", nil), (["HTTP_PROXY": "p"], "http://h/", nil),
            (["HTTPS_PROXY": "p"], "https://h/", "p"), (["all_proxy": "socks5://p:1"], "https://h/", "p:1"),
            (["https_proxy": "", "ALL_PROXY": "q"], "https://h/", "q"),
            (["http_proxy": "p", "no_proxy": "*"], "http://h/", nil),
            (["http_proxy": "p", "no_proxy": "a.b, H"], "http://h/", nil),
            (["http_proxy": "p", "NO_PROXY": ".b.c"], "http://a.b.c:8080/", nil),
            (["http_proxy": "p", "no_proxy": "b.c"], "http://ab.c/", "p"),
            (["http_proxy": "p", "no_proxy": "127.0.0.0/8"], "http://127.0.0.1/", nil),
            (["http_proxy": "p", "no_proxy": "10.0.0.0/8"], "http://127.0.0.1/", "p"),
        ] as [([String: String], String, String?)])
    func `is the one that the environment names`(
        environment: [String: String], address: String, proxy: String?
    ) throws {
        #expect(Proxy.host(for: try #require(URL(string: address)), environment: environment) == proxy)
    }

    @Test(
        arguments: [
            ([:], nil), (["http_proxy": "p", "no_proxy": "*"], [:]),
            (
                ["http_proxy": "u:s@p:3128", "HTTPS_PROXY": "https://q", "no_proxy": ".b.c, 10.0.0.0/8"],
                [
                    "HTTPEnable": "1", "HTTPProxy": "p", "HTTPPort": "3128", "HTTPSEnable": "1",
                    "HTTPSProxy": "q",
                    "HTTPSPort": "1080", "ExceptionsList": #"["b.c", "10.0.0.0/8", "*.b.c", "*.10.0.0.0/8"]"#,
                ]
            ),
            (
                ["ALL_PROXY": "socks5h://p:1"],
                ["SOCKSEnable": "1", "SOCKSProxy": "p", "SOCKSPort": "1", "ExceptionsList": "[]"]
            ),
        ] as [([String: String], [String: String]?)])
    func `is told to a URLSession that does not read the environment`(
        environment: [String: String], settings: [String: String]?
    ) {
        #expect(Proxy.settings(environment)?.mapValues { "\($0)" } == settings)
    }
}

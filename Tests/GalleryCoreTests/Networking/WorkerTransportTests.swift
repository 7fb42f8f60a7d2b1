import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Workers that die, or are none, over real sockets and real processes.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct WorkerTransportTests {
    private static let photo = Pictures.jpeg(bytes: 100_000)
    /// A legal trailer, which ends the process that reads it.
    private static let trailer = LocalReply.raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n")
    /// A head that ends after its status line, which does so too.
    private static let cutHead = LocalReply.raw("HTTP/1.1 200 OK\r\nContent-Ty")

    private func ask(
        _ server: LocalServer, _ path: String, _ transport: URLSessionTransport,
        _ sink: RecordingSink = RecordingSink()
    ) async -> String {
        await outcome(of: HTTPRequest(url: server.url(path)), over: transport, idleTimeout: 20, to: sink)
    }

    /// As a caller does: what was interrupted is asked for again.
    private func askUntilDone(
        _ server: LocalServer, _ path: String, _ transport: URLSessionTransport
    ) async -> (outcome: String, body: Data) {
        while true {
            let sink = RecordingSink()
            let outcome = await ask(server, path, transport, sink)
            if outcome != "interrupted" { return (outcome, sink.body) }
        }
    }

    #if os(Linux)
        @Test func `a reply that ends its reader fails alone; all others arrive`() async throws {
            try await withLocalServer({ request in
                switch request.path {
                case "/trailer": Self.trailer
                case "/head": Self.cutHead
                default: .file(Self.photo)
                }
            }) { server in
                let workers = try TestWorkers()
                let transport = URLSessionTransport(workers: workers.workers(), connections: 6)
                let paths = (0..<30).map { $0 == 3 ? "/trailer" : $0 == 11 ? "/head" : "/\($0)" }
                await withTaskGroup(of: (String, String, Data).self) { group in
                    for path in paths {
                        group.addTask {
                            let (outcome, body) = await askUntilDone(server, path, transport)
                            return (path, outcome, body)
                        }
                    }
                    for await (path, outcome, body) in group {
                        switch path {
                        case "/trailer": #expect(outcome == "unreadable")
                        case "/head": #expect(outcome == "unreadable so far")
                        default:
                            #expect(outcome == "200", "\(path)")
                            #expect(body == Self.photo)
                        }
                    }
                }
                #expect(await ask(server, "/after", transport) == "200")
                for path in paths { #expect(server.requests(to: path).count == 1, "\(path)") }
            }
        }
    #endif

    @Test func `killed in mid-transfer it is replaced, and everything arrives`() async throws {
        let gate = Gate()
        try await withLocalServer({ request in
            request.attempt == 1 ? .file(Self.photo).stalled(at: .half, until: gate) : .file(Self.photo)
        }) { server in
            let workers = try TestWorkers()
            let transport = URLSessionTransport(workers: workers.workers(), connections: 4)
            let tasks = (0..<8).map { number in
                Task { await askUntilDone(server, "/\(number)", transport) }
            }
            try await server.waitForRequestsInFlight(4)
            let first = try #require(workers.processes.first)
            #expect(kill(first, SIGKILL) == 0)
            // Of the first tries those of the later four may still come: they are let go.
            try await workers.waitForProcesses(2)
            gate.open()
            for task in tasks {
                let (outcome, body) = await task.value
                #expect(outcome == "200" || outcome.hasPrefix("cut short"), "\(outcome)")
                #expect(outcome != "200" || body == Self.photo)
            }
            for number in 0..<8 {
                #expect(await askUntilDone(server, "/\(number)", transport).body == Self.photo)
            }
        }
    }

    @Test func `stopped, it is replaced once its requests must have timed out`() async throws {
        try await withLocalServer({ request in
            request.attempt == 1 ? .silence() : .file(Self.photo)
        }) { server in
            let workers = try TestWorkers()
            let transport = URLSessionTransport(workers: workers.workers(grace: .milliseconds(200)))
            let sink = RecordingSink()
            let request = HTTPRequest(url: server.url("/"))
            let answer = Task { await outcome(of: request, over: transport, idleTimeout: 1, to: sink) }
            try await server.waitForRequestsInFlight(1)
            let first = try #require(workers.processes.first)
            #expect(kill(first, SIGSTOP) == 0)
            #expect(await answer.value == "200")
            #expect(sink.body == Self.photo)
            #expect(workers.processes.count == 2)
        }
    }

    /// In real time: long enough for a machine that is busy with others.
    @Test(.thorough)
    func `a worker that was idle for longer than a request may last is asked again in peace`()
        async throws
    {
        let gate = Gate()
        try await withLocalServer({ request in
            request.path == "/slow" ? .file(Self.photo).delayed(until: gate) : .file(Self.photo)
        }) { server in
            let workers = try TestWorkers()
            let transport = URLSessionTransport(workers: workers.workers(grace: .milliseconds(200)))
            let quick = HTTPRequest(url: server.url("/quick"))
            #expect(await outcome(of: quick, over: transport, idleTimeout: 5) == "200")
            let idle = ContinuousClock.now
            try await until { idle.duration(to: .now) > .milliseconds(5300) }
            let slow = HTTPRequest(url: server.url("/slow"))
            let answer = Task { await outcome(of: slow, over: transport, idleTimeout: 5) }
            try await server.waitForRequests(1, to: "/slow")
            // Its silence is looked at every 40 ms.
            let asked = ContinuousClock.now
            try await until { asked.duration(to: .now) > .milliseconds(200) }
            gate.open()
            #expect(await answer.value == "200")
            #expect(server.requests(to: "/slow").count == 1)
            #expect(workers.processes.count == 1)
        }
    }

    @Test(arguments: [LocalReply.silence(), .file(Self.photo).stalled(at: .half)])
    func `a canceled request ends at its host at once, and not with its worker`(reply: LocalReply)
        async throws
    {
        try await withLocalServer(reply) { server in
            // By itself a worker would be looked at after 20 s.
            let workers = try TestWorkers().workers(grace: .seconds(100))
            let transport = URLSessionTransport(workers: workers)
            let answer = Task { await ask(server, "/", transport) }
            try await server.waitForRequestsInFlight(1)
            let canceled = ContinuousClock.now
            answer.cancel()
            #expect(await answer.value == "cancelled")
            try await server.waitForDisconnection()
            #expect(canceled.duration(to: .now) < .seconds(10))
        }
    }

    @Test func `a request may be longer than a socket holds, but not endless`() async throws {
        try await withLocalServer(.status(204)) { server in
            let transport = URLSessionTransport(workers: try TestWorkers().workers())
            for (length, expected) in [(900_000, "204"), (1 << 20, "malformed: the address is not valid")] {
                let request = HTTPRequest(
                    url: server.url("/"), headers: ["X-Long": String(repeating: "x", count: length)])
                #expect(await outcome(of: request, over: transport) == expected)
            }
        }
    }

    /// Takes its time with the first bytes.
    private final class SlowSink: BodySink {
        let hasBegun = Gate()
        let isInside = Gate()
        let mayGoOn = DispatchSemaphore(value: 0)
        private let count = Watched(0)

        var received: Int { count.value }

        func begin(_ head: HTTPHead) { hasBegun.open() }

        func receive(_ bytes: UnsafeRawBufferPointer) {
            if count.value == 0 {
                isInside.open()
                mayGoOn.wait()
            }
            let length = bytes.count
            count.update { $0 += length }
        }
    }

    @Test func `a sink that takes its time holds up its own reply and no other`() async throws {
        // More than sockets hold.
        let photo = Pictures.jpeg(bytes: 6_000_000)
        try await withLocalServer(.file(photo)) { server in
            let transport = URLSessionTransport(workers: try TestWorkers().workers())
            let sinks = (0..<6).map { _ in SlowSink() }
            try await withThrowingTaskGroup { group in
                for (number, sink) in sinks.enumerated() {
                    let request = HTTPRequest(url: server.url("/\(number)"))
                    group.addTask { _ = try await transport.send(request, idleTimeout: 60, to: sink) }
                }
                for sink in sinks { try await sink.hasBegun.wait() }
                for sink in sinks { sink.mayGoOn.signal() }
                try await group.waitForAll()
            }
            #expect(sinks.allSatisfy { $0.received == photo.count })
        }
    }

    @Test func `who is canceled leaves once the sink is done, and not before`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            let transport = URLSessionTransport(workers: try TestWorkers().workers())
            let sink = SlowSink()
            let hasLeft = Watched(false)
            let request = HTTPRequest(url: server.url("/"))
            let task = Task {
                defer { hasLeft.update { $0 = true } }
                _ = try await transport.send(request, idleTimeout: 20, to: sink)
            }
            try await sink.isInside.wait()
            let canceled = ContinuousClock.now
            task.cancel()
            try await until { hasLeft.value || canceled.duration(to: .now) > .milliseconds(100) }
            #expect(!hasLeft.value)
            sink.mayGoOn.signal()
            await #expect(throws: TransportError.self) { try await task.value }
        }
    }

    @Test func `a host is asked over the connection that is there`() async throws {
        let gate = Gate()
        let handler: LocalServer.Handler = { request in
            request.path == "/first" ? .file(Self.photo).delayed(until: gate) : .file(Self.photo)
        }
        try await withLocalServer(handler) { one in
            try await withLocalServer(handler) { other in
                let transport = URLSessionTransport(workers: try TestWorkers().workers())
                // Two at once, so that each has a worker of its own.
                async let first = ask(one, "/first", transport)
                try await one.waitForRequestsInFlight(1)
                async let second = ask(other, "/first", transport)
                try await other.waitForRequestsInFlight(1)
                gate.open()
                #expect(await [first, second] == ["200", "200"])
                for _ in 0..<3 {
                    for server in [one, other, other, one] {
                        #expect(await ask(server, "/", transport) == "200")
                    }
                }
                #expect([one, other].map(\.connectionCount) == [1, 1])
            }
        }
    }

    @Test(arguments: ["99", "2 0", "200\\0Name", ""])
    func `a worker that says what none says is no worker`(head: String) async throws {
        let length = String(head == "200\\0Name" ? 8 : head.count, radix: 8)
        let script =
            #"printf '\0\0\0\0\1' >&0; head -c 5 <&0 >/dev/null; printf '\#(length)\0\0\0\4\#(head)' >&0"#
        try await withLocalServer(.status(204)) { server in
            let workers = TestWorkers("/bin/sh", ["sh", "-c", script])
            let transport = URLSessionTransport(workers: workers.workers())
            #expect(await ask(server, "/", transport) == "unreachable")
            #expect(workers.processes.count == 3)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ("/no/such/program", ["none"]), ("/bin/false", ["false"]), ("/bin/echo", ["echo", "hello"]),
        ("/bin/sh", ["sh", "-c", "echo not a frame >&0"]),
    ])
    func `where no worker starts it works without`(program: String, words: [String]) async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            let transport = URLSessionTransport(workers: TestWorkers(program, words).workers())
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let sink = RecordingSink()
                        #expect(await ask(server, "/", transport, sink) == "200")
                        #expect(sink.body == Self.photo)
                    }
                }
            }
        }
    }

    @Test func `a worker is replaced in time, in mid-traffic`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            let workers = try TestWorkers()
            let transport = URLSessionTransport(workers: workers.workers(lifetime: 5), connections: 3)
            await withTaskGroup(of: String.self) { group in
                for number in 0..<20 { group.addTask { await ask(server, "/\(number)", transport) } }
                for await outcome in group { #expect(outcome == "200") }
            }
            #expect((4...6).contains(workers.processes.count))
        }
    }

    @Test func `there are no more workers than processors while no host holds them up`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            let workers = try TestWorkers()
            let transport = URLSessionTransport(
                workers: workers.workers(patience: .seconds(1000)), connections: 16)
            await withTaskGroup(of: String.self) { group in
                for number in 0..<16 { group.addTask { await ask(server, "/\(number)", transport) } }
                for await outcome in group { #expect(outcome == "200") }
            }
            #expect(workers.processes.count <= ProcessInfo.processInfo.activeProcessorCount)
        }
    }

    @Test func `no worker is started before it is needed, and none outlives its transport`() async throws {
        let workers = try TestWorkers()
        do {
            let transport = URLSessionTransport(workers: workers.workers())
            #expect(workers.processes.isEmpty)
            try await withLocalServer(.status(204)) { server in
                #expect(await ask(server, "/", transport) == "204")
            }
        }
        let process = try #require(workers.processes.first)
        // It is reaped where it was started, so that it is gone and no zombie.
        await Task.detached { while kill(process, 0) == 0 { await Task.yield() } }.value
    }
}

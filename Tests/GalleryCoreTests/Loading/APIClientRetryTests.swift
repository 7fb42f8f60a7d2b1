import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct APIClientRetryTests {
    private static let good = LocalReply.json(#"{"photos":[]}"#)

    @Test func `a passing status is asked again, and the last answer is handed on`() async throws {
        try await withLocalServer(.status(503, body: "sorry")) { server in
            let bench = ClientBench(server)
            let outcome = await bench.reply(retries: 3)
            #expect(outcome.status == 503 && outcome.text == "sorry")
            #expect(server.requests.count == 4)
            // Without chance, half of each of 0.5, 1 and 2 seconds.
            #expect(bench.clock.sleeps == [.milliseconds(250), .milliseconds(500), .seconds(1)])
            #expect(bench.waits == [0.25, 0.5, 1])
        }
    }

    @Test func `other failures are final`() async throws {
        try await withLocalServer(.status(418)) { server in
            let bench = ClientBench(server)
            #expect(await bench.reply().status == 418)
            #expect(server.requests.count == 1 && bench.clock.sleeps == [])
        }
    }

    @Test func `the end of the process that carries a request is no failed try`() async throws {
        try await withLocalServer(Self.good) { server in
            let bench = ClientBench(server)
            let outcome = await bench.client(retries: 0, over: InterruptedOnce()).reply(to: bench.request())
            #expect(outcome.status == 200)
            #expect(bench.clock.sleeps == [])
        }
    }

    @Test func `no retries is one try`() async throws {
        try await withLocalServer(.status(503, headers: ["Retry-After": "5"])) { server in
            let bench = ClientBench(server)
            #expect(await bench.reply(retries: 0).status == 503)
            #expect(server.requests.count == 1)
            #expect(bench.clock.sleeps == [])
            // The host asked everyone, so the others wait.
            #expect(bench.shared.paces.pause(of: WebOrigin(server.url)) != nil)
        }
    }

    @Test(
        arguments: [
            ("0", []), ("Sun, 06 Nov 1994 08:49:46 GMT", [9]), ("soon", [0.25]), ("3600", [3600]),
        ] as [(String, [Double])])
    func `Retry-After is honored in both forms`(field: String, waits: [Double]) async throws {
        try await withLocalServer {
            $0.attempt == 1 ? .status(429, headers: ["Retry-After": "\(field)"]) : Self.good
        } run: { server in
            let bench = ClientBench(server)
            #expect(await bench.reply().status == 200)
            #expect(server.requests.count == 2)
            #expect(bench.waits == waits)
            // A host that refused has its requests spaced, even if it asks for no wait.
            let spaced = waits.isEmpty ? [0.02] : waits
            #expect(bench.clock.sleeps == spaced.map { .milliseconds(Int($0 * 1000)) })
        }
    }

    @Test(arguments: ["3601", "999999999999999999999999", "Sun, 06 Nov 2094 08:49:37 GMT"])
    func `a host that asks for hours is given up at once`(field: String) async throws {
        try await withLocalServer(.status(503, headers: ["Retry-After": "\(field)"])) { server in
            let bench = ClientBench(server)
            #expect(await bench.reply().status == 503)
            #expect(server.requests.count == 1)
            #expect(bench.clock.sleeps == [])
        }
    }

    @Test(
        arguments: [
            (ServicePolicy.flickr, #"{"stat":"fail","code":105}"#, [0.25]),
            (.commons, #"{"error":{"code":"maxlag","info":"lagged"}}"#, [5]),
        ] as [(ServicePolicy, String, [Double])])
    func `a service that is busy with status 200 is asked again`(
        policy: ServicePolicy, body: String, waits: [Double]
    ) async throws {
        try await withLocalServer {
            $0.attempt == 1 ? .json(body) : Self.good
        } run: { server in
            let bench = ClientBench(server)
            #expect(await bench.client(policy).reply(to: bench.request()).text == #"{"photos":[]}"#)
            #expect(server.requests.count == 2)
            #expect(bench.waits == waits)
        }
        try await withLocalServer(.json(body)) { server in
            let bench = ClientBench(server)
            #expect(await bench.client(policy, retries: 2).reply(to: bench.request()).text == body)
            #expect(server.requests.count == 3)
        }
    }

    @Test(arguments: [(429, nil), (429, "3"), (503, "3")] as [(Int, String?)])
    func `a service that keeps asking to wait is said to do so`(status: Int, field: String?) async throws {
        let reply = LocalReply.status(status).header("Retry-After", field)
        try await withLocalServer(reply) { server in
            let loader = PhotoLoader(
                service: FiveHundredPixels(base: server.url("v1"), key: nil),
                client: ClientBench(server).client(retries: 1))
            let error = await #expect(throws: ServiceError.self) {
                try await loader.page(PageSlice(number: 1, size: 20), of: .popular())
            }
            guard case .rateLimited("500px", let seconds) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(seconds == field.flatMap { Int($0) })
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a wait ends at once when the task is cancelled`() async throws {
        try await withLocalServer(.status(503, headers: ["Retry-After": "60"])) { server in
            let bench = ClientBench(server, clock: TestClock())
            let task = Task { await bench.reply() }
            try await bench.clock.waitForSleepers(1)
            task.cancel()
            #expect(await task.value.isCanceled)
            #expect(server.requests.count == 1)
        }
    }
}

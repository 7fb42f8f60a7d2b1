import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct APIClientPaceTests {
    private static let good = LocalReply.json("{}")

    @Test func `a host that asks one request to wait is left alone by all, and the wait is told once`()
        async throws
    {
        let gate = Gate()
        try await withLocalServer { request in
            request.number <= 4
                ? .status(429, headers: ["Retry-After": "5"]).delayed(until: gate) : Self.good
        } run: { server in
            let bench = ClientBench(server, clock: TestClock())
            let client = bench.client()
            let requests = (1...4).map { bench.request("photos/\($0)") }
            async let outcomes = client.replies(to: requests)
            try await server.waitForRequestsInFlight(4)
            gate.open()
            try await bench.clock.waitForSleepers(4)
            // Another client of the same process, as for another feed, finds the pause standing.
            async let other = bench.client(.pixiv).reply(to: bench.request("other"))
            try await bench.clock.waitForSleepers(5)
            #expect(bench.waits == [5])
            #expect(server.requests.count == 4)
            // From here on requests are spaced, which takes time of its own.
            bench.clock.skip()
            #expect(await outcomes.map(\.status) == [200, 200, 200, 200])
            #expect(await other.status == 200)
            #expect(server.requests.count == 9)
        }
    }

    @Test func `a wait for another reason is the one request's own`() async throws {
        try await withLocalServer {
            $0.path == "/a" && $0.attempt == 1 ? .status(500, headers: ["Retry-After": "5"]) : Self.good
        } run: { server in
            let bench = ClientBench(server, clock: TestClock())
            async let outcome = bench.reply(to: "a")
            try await bench.clock.waitForSleepers(1)
            #expect(await bench.reply(to: "b").status == 200)
            #expect(bench.waits == [5])
            bench.clock.advance(by: .seconds(5))
            #expect(await outcome.status == 200)
        }
    }

    @Test func `requests that fail together tell of one wait, and of each later one`() async throws {
        let gate = Gate()
        try await withLocalServer { request in
            request.attempt <= 2 ? .status(500).delayed(until: gate) : Self.good
        } run: { server in
            let bench = ClientBench(server, clock: TestClock())
            let client = bench.client()
            async let outcomes = client.replies(to: (1...4).map { bench.request("\($0)") })
            try await server.waitForRequestsInFlight(4)
            gate.open()
            try await bench.clock.waitForSleepers(4)
            #expect(bench.waits.count == 1)
            bench.clock.advance(by: .seconds(bench.waits[0]))
            try await bench.clock.waitForSleepers(4)
            #expect(bench.waits.count == 2)
            bench.clock.skip()
            #expect(await outcomes.map(\.status) == [200, 200, 200, 200])
        }
    }

    @Test func `a pause that a download was asked for holds requests up too`() async throws {
        try await withLocalServer(Self.good) { server in
            let bench = ClientBench(server, clock: TestClock())
            bench.shared.paces.pause(WebOrigin(server.url), for: .seconds(30), status: 503)
            async let outcome = bench.reply()
            try await bench.clock.waitForSleepers(1)
            #expect(
                bench.events.value == [
                    .waiting(
                        host: "127.0.0.1", duration: .seconds(30),
                        reason: "'127.0.0.1' asks to wait (status 503)")
                ])
            #expect(server.requests.isEmpty)
            bench.clock.advance(by: .seconds(30))
            #expect(await outcome.status == 200)
        }
    }

    @Test(arguments: [1, 2, 4])
    func `no more are asked at once than the service wants, by all clients together`(
        most: Int
    ) async throws {
        let gate = Gate()
        try await withLocalServer { _ in
            Self.good.delayed(until: gate)
        } run: { server in
            let bench = ClientBench(server)
            var policy = ServicePolicy.polite
            policy.requestsAtOnce = most
            let shared = policy
            let tasks = (1...3).map { feed in
                Task {
                    await bench.client(shared).replies(to: (1...6).map { bench.request("\(feed)/\($0)") })
                }
            }
            try await server.waitForRequestsInFlight(most)
            gate.open()
            for task in tasks { #expect(await task.value.allSatisfy { $0.status == 200 }) }
            #expect(server.requests.count == 18)
            #expect(server.peakRequestsInFlight == most && server.peakConnections >= most)
        }
    }

    @Test func `requests go at the service's pace`() async throws {
        try await withLocalServer(Self.good) { server in
            let bench = ClientBench(server)
            let requests = (1...4).map { bench.request("\($0)") }
            let outcomes = await bench.client(.pixiv).replies(to: requests)
            #expect(outcomes.map(\.status) == [200, 200, 200, 200])
            #expect(bench.clock.sleeps == [.seconds(1), .seconds(1), .seconds(1)])
            // The next client of the process goes on where this one was.
            _ = await bench.client(.pixiv).reply(to: bench.request("5"))
            #expect(bench.clock.sleeps.count == 4)
            // Keeping a pace is nothing to tell.
            #expect(bench.waits == [])
        }
    }

    @Test func `tries after a fault keep the pace too`() async throws {
        try await withLocalServer {
            $0.attempt == 1 ? .status(500) : Self.good
        } run: { server in
            let bench = ClientBench(server)
            #expect(await bench.client(.pixiv).reply(to: bench.request()).status == 200)
            #expect(bench.clock.sleeps == [.milliseconds(250), .milliseconds(750)])
        }
    }

    @Test func `two wishes for the same are one request on the wire`() async throws {
        let gate = Gate()
        try await withLocalServer { _ in
            LocalReply.json("[7]").delayed(until: gate)
        } run: { server in
            let bench = ClientBench(server)
            let request = bench.request()
            let wishes = (0..<2).map { _ in Task { await bench.client().reply(to: request) } }
            try await bench.shared.flights.waitForWaiters(2, for: request)
            gate.open()
            for wish in wishes { #expect(await wish.value.text == "[7]") }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `who leaves does so at once, and the last one ends the transfer`() async throws {
        try await withLocalServer(.silence()) { server in
            let bench = ClientBench(server)
            let request = bench.request()
            let wishes = (0..<2).map { _ in Task { await bench.client().reply(to: request) } }
            try await bench.shared.flights.waitForWaiters(2, for: request)
            try await server.waitForRequests(1)
            for wish in wishes {
                wish.cancel()
                #expect(await wish.value.isCanceled)
            }
            try await server.waitForDisconnection()
            #expect(server.requests.count == 1)
        }
    }

    @Test func `outcomes come in the order of the requests, each its own`() async throws {
        try await withLocalServer { request in
            request.path.hasSuffix("3") ? .status(404) : .json("[\(request.path.dropFirst())]")
        } run: { server in
            let bench = ClientBench(server)
            let outcomes = await bench.client().replies(to: (0..<20).map { bench.request("\($0)") })
            for (number, outcome) in outcomes.enumerated() {
                #expect(outcome.status == ("\(number)".hasSuffix("3") ? 404 : 200))
                if outcome.status == 200 { #expect(outcome.text == "[\(number)]") }
            }
            #expect(await bench.client().replies(to: []).isEmpty)
        }
    }
}

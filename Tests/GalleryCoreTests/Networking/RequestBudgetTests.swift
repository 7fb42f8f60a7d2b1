import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// How many more requests a host takes, by its own word.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct RequestBudgetTests {
    private func budgets(_ headers: [String: String]) throws -> [RequestBudget] {
        RequestBudget.all(
            in: HTTPHead(status: 200, url: try #require(URL(string: "https://a.example/")), headers: headers))
    }

    @Test func `Openverse's two, the shorter period first`() throws {
        let found = try budgets([
            "X-Ratelimit-Limit-Anon_sustained": "200/day", "X-Ratelimit-Available-Anon_sustained": "199",
            "x-ratelimit-limit-anon_burst": "20/min", "x-ratelimit-available-anon_burst": "0",
        ])
        #expect(found.map(\.text) == ["0 of 20 per minute", "199 of 200 per day"])
        #expect(found.map(\.pause) == [.seconds(3), nil])
    }

    @Test(arguments: [
        ("45", "44", "44 of 45", nil), ("45", "0", "0 of 45", nil), ("2/s", "0", "0 of 2 per second", 0.5),
        ("60/hour", "0", "0 of 60 per hour", 60), ("1/d", "0", "0 of 1 per day", 86_400),
        // Lies, and what is none of these.
        ("20/min", "-1", nil, nil), ("20/min", "21", nil, nil), ("-20/min", "0", nil, nil),
        ("0/min", "0", nil, nil), ("20/min", "99999999999999999999999", nil, nil),
        ("99999999999999999999999/min", "0", nil, nil), ("9999999999/min", "0", nil, nil),
        ("20/min", "many", nil, nil), ("many/min", "0", nil, nil), ("20/fortnight", "0", nil, nil),
        ("1000/month", "0", nil, nil), ("5/mo", "0", nil, nil), ("5/ minutes", "5", "5 of 5 per minute", nil),
        ("20/", "0", "0 of 20", nil), ("/", "0", nil, nil), ("", "", nil, nil), ("20/min", "", nil, nil),
        ("+20/min", "+1", nil, nil), ("20/min", "1.5", nil, nil), ("2०/min", "1", nil, nil),
    ])
    func `a limit and what is left of it`(limit: String, left: String, text: String?, pause: Double?) throws {
        let found = try budgets(["X-RateLimit-Limit": limit, "X-RateLimit-Remaining": left])
        #expect(found.map(\.text) == [text].compactMap(\.self))
        #expect(found.first?.pause == pause.map { .seconds($0) })
    }

    @Test func `a limit alone, or what is left alone, says nothing`() throws {
        #expect(try budgets(["X-RateLimit-Limit-a": "20/min", "X-RateLimit-Available-b": "0"]).isEmpty)
    }

    @Test func `a host without requests left is not asked until it has some, and the wait is told once`()
        async throws
    {
        try await withLocalServer { request in
            .status(
                200,
                headers: ["X-RateLimit-Limit": "20/min", "X-RateLimit-Available": "\(2 - request.number)"],
                body: "{}")
        } run: { server in
            let bench = ClientBench(server)
            #expect(await bench.reply(to: "1").status == 200)
            #expect(bench.clock.sleeps.isEmpty && bench.waits.isEmpty)
            #expect(await bench.reply(to: "2").status == 200)
            // The third reply's -1 is none, and so no reason to wait.
            for target in ["3", "4"] { #expect(await bench.reply(to: target).status == 200) }
            #expect(bench.clock.sleeps == [.seconds(3)])
            #expect(
                bench.events.value.filter { if case .waiting = $0 { true } else { false } } == [
                    .waiting(
                        host: "127.0.0.1", duration: .seconds(3),
                        reason: "'127.0.0.1' takes no more requests until then")
                ])
            #expect(server.requests.count == 4)
        }
    }

    @Test func `a host that is done for the day is not asked again`() async throws {
        let headers: LocalHeaders = ["X-RateLimit-Limit": "1/day", "X-RateLimit-Available": "0"]
        try await withLocalServer(.status(200, headers: headers, body: "{}")) { server in
            let bench = ClientBench(server)
            #expect(await bench.reply(to: "1").status == 200)
            #expect(await bench.reply(to: "2").status == 429)
            #expect(server.requests.count == 1 && bench.clock.sleeps.isEmpty)
        }
    }

    @Test func `a refusal's own wait stands`() async throws {
        try await withLocalServer { request in
            request.number == 1
                ? .status(
                    429,
                    headers: [
                        "Retry-After": "5", "X-RateLimit-Limit": "1/hour", "X-RateLimit-Available": "0",
                    ])
                : .json("{}")
        } run: { server in
            let bench = ClientBench(server)
            #expect(await bench.reply().status == 200)
            #expect(bench.waits == [5])
        }
    }
}

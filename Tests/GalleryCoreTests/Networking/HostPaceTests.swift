import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("HostPauses")
struct HostPausesTests {
    @Test func `keeps the longer pause, each host its own, until it is over`() {
        let clock = TestClock()
        let pauses = HostPauses(timekeeper: Timekeeper(clock: clock))
        pauses.pause("a", for: .seconds(5), status: 429)
        pauses.pause("a", for: .seconds(2), status: 503)
        #expect(pauses.pause(of: "a") == HostPauses.Pause(remaining: .seconds(5), status: 429))
        #expect(pauses.pause(of: "b") == nil)
        clock.advance(by: .seconds(4))
        #expect(pauses.pause(of: "a")?.remaining == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(pauses.pause(of: "a") == nil)
    }

    @Test func `a pause is news to the first who meets it, and again once it is another`() throws {
        let clock = TestClock()
        let pauses = HostPauses(timekeeper: Timekeeper(clock: clock))
        let request = HTTPRequest(url: try #require(URL(string: "http://a/1")))
        #expect(pauses.news(of: request) == nil)
        pauses.pause("a", for: .seconds(5), status: 429)
        #expect(pauses.news(of: request) == HostPauses.Pause(remaining: .seconds(5), status: 429))
        #expect(pauses.news(of: request) == nil)
        // Whoever was under way already is asked for the same, a moment later.
        clock.advance(by: .milliseconds(150))
        pauses.pause("a", for: .seconds(5), status: 429)
        #expect(pauses.news(of: request) == nil)
        clock.advance(by: .seconds(4))
        pauses.pause("a", for: .seconds(5), status: 503)
        #expect(pauses.news(of: request) == HostPauses.Pause(remaining: .seconds(5), status: 503))
        let other = HTTPRequest(url: try #require(URL(string: "http://b/1")))
        pauses.pause("b", for: .seconds(1), status: 503)
        #expect(pauses.news(of: other)?.remaining == .seconds(1))
    }
}

@Suite struct RateLimitTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        var limit: RateLimit
        /// Moments at which a token is taken, and the waits that follow, in milliseconds.
        let takes: [(at: Int, wait: Int)]
    }

    @Test(arguments: [
        Case(
            testDescription: "one a second, asked all at once", limit: RateLimit(every: .seconds(1)),
            takes: [(0, 0), (0, 1000), (0, 2000), (0, 3000)]),
        Case(
            testDescription: "one a second, asked slower", limit: RateLimit(every: .seconds(1)),
            takes: [(0, 0), (1000, 0), (2500, 0), (9000, 0)]),
        Case(
            testDescription: "one a second, asked a little too early", limit: RateLimit(every: .seconds(1)),
            takes: [(0, 0), (400, 600), (1000, 1000), (2999, 1), (4000, 0)]),
        Case(
            testDescription: "a burst of three, then one a second",
            limit: RateLimit(every: .seconds(1), burst: 3),
            takes: [(0, 0), (0, 0), (0, 0), (0, 1000), (0, 2000)]),
        Case(
            testDescription: "a rest fills the burst again, and no more than that",
            limit: RateLimit(every: .seconds(1), burst: 2),
            takes: [(0, 0), (0, 0), (60_000, 0), (60_000, 0), (60_000, 1000)]),
        Case(
            testDescription: "a short rest fills a part", limit: RateLimit(every: .seconds(1), burst: 2),
            takes: [(0, 0), (0, 0), (1000, 0), (1000, 1000), (2000, 1000)]),
        Case(
            testDescription: "no interval is no limit", limit: RateLimit(every: .zero),
            takes: [(0, 0), (0, 0), (0, 0)]),
        Case(
            testDescription: "nonsense is made sense of", limit: RateLimit(every: .seconds(-1), burst: -5),
            takes: [(0, 0), (0, 0)]),
    ])
    func `gives tokens at its pace`(test: Case) {
        var limit = test.limit
        for (at, wait) in test.takes {
            #expect(limit.take(at: .milliseconds(at)) == .milliseconds(wait))
        }
    }

    @Test func `an hour at full speed is an hour's requests and the burst`() {
        var limit = RateLimit(every: .seconds(1), burst: 10)
        var now = Duration.zero
        var count = 0
        // An end of its own, for a limit that lets everybody through.
        while count < 10_000 {
            now += limit.take(at: now)
            guard now < .seconds(3600) else { break }
            count += 1
        }
        #expect(count == 3600 + 9)
    }
}

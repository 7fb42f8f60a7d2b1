import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct HostPaceTests {
    /// How long a request that begins now must wait; `nil` where too many are running.
    private static func begin(_ pace: inout HostPace, at milliseconds: Int) -> Duration? {
        pace.begin() ? pace.send(at: .milliseconds(milliseconds)) : nil
    }

    @Test func `nothing is limited while a host takes everything`() {
        var pace = HostPace()
        for number in 0..<1000 {
            let start = Self.begin(&pace, at: 0)
            #expect(start == .zero)
            if number % 2 == 0 { pace.end(.good, startedAt: .zero, at: .zero) }
        }
        for answer in [HostPace.Answer.faulty, .unsent, .silent] {
            pace.end(answer, startedAt: .zero, at: .zero)
        }
        #expect(pace.limit == .infinity)
        #expect(pace.rate == nil)
    }

    @Test func `a refusal halves what runs at once, and spaces what follows`() {
        var pace = HostPace()
        for _ in 0..<6 { _ = Self.begin(&pace, at: 0) }
        pace.end(.refused, startedAt: .zero, at: .milliseconds(5))
        #expect(pace.limit == 3)
        #expect(pace.rate == 50)
        // Those under way knew nothing of it.
        for _ in 0..<5 { pace.end(.refused, startedAt: .zero, at: .milliseconds(6)) }
        #expect(pace.limit == 3)
        #expect(pace.rate == 50)
        let waits = [25, 25, 45, 50].map { Self.begin(&pace, at: $0) }
        #expect(waits == [.zero, .milliseconds(20), .zero, nil])
        pace.end(.refused, startedAt: .milliseconds(25), at: .milliseconds(50))
        #expect(pace.limit == 1.5)
        #expect(pace.rate == 25)
    }

    @Test func `what a process without time for it sends late is spaced all the same`() {
        var pace = HostPace()
        _ = Self.begin(&pace, at: 0)
        #expect(pace.send(at: .zero) == .zero)
        pace.end(.refused, startedAt: .zero, at: .zero)
        #expect(Self.begin(&pace, at: 0) == .milliseconds(20))
        #expect(pace.send(at: .milliseconds(20)) == .zero)
        pace.end(.good, startedAt: .milliseconds(20), at: .milliseconds(20))
        let spacing = Duration.seconds(1 / (pace.rate ?? 0))
        for _ in 0..<2 { _ = pace.begin() }
        #expect(pace.send(at: .milliseconds(500)) == .zero)
        #expect(pace.send(at: .milliseconds(500)) == spacing)
        #expect(pace.send(at: .milliseconds(500) + spacing) == .zero)
    }

    @Test func `both grow again with good answers, until nothing is limited`() {
        var pace = HostPace()
        _ = Self.begin(&pace, at: 0)
        pace.end(.refused, startedAt: .zero, at: .zero)
        #expect(pace.limit == 1)
        var now = Duration.zero
        var count = 0
        while pace.rate != nil || pace.limit < .infinity {
            guard pace.begin(), count < 100_000 else { break }
            while case let wait = pace.send(at: now), wait > .zero { now += wait }
            pace.end(.good, startedAt: now, at: now)
            count += 1
        }
        #expect(pace.limit == .infinity)
        #expect(pace.rate == nil)
        #expect((1000..<20_000).contains(count), "\(count)")
    }

    @Test func `silence slows only a host that has answered before, and only from the second on`() {
        var dead = HostPace()
        var busy = HostPace()
        for _ in 0..<10 { _ = (Self.begin(&dead, at: 0), Self.begin(&busy, at: 0)) }
        busy.end(.good, startedAt: .zero, at: .zero)
        for _ in 0..<3 { dead.end(.silent, startedAt: .zero, at: .milliseconds(1)) }
        #expect(dead.rate == nil)
        busy.end(.silent, startedAt: .zero, at: .milliseconds(1))
        #expect(busy.rate == nil)
        busy.end(.silent, startedAt: .zero, at: .milliseconds(2))
        #expect(busy.rate != nil)
    }

    /// A host as a simulation needs one.
    private protocol Host {
        mutating func reply(at now: Duration) -> Reply
    }

    private struct Reply {
        let answer: HostPace.Answer
        let isWhole: Bool
        var latency = Duration.milliseconds(2)
    }

    /// A host as nginx is with `limit_req`: one request in `interval` and a burst, the others refused; and a share
    /// of all refused by chance.
    private struct LimitedHost: Host {
        let interval: Duration
        let burst: Int
        let unluckyShare: Double
        /// When everything is refused.
        var outage = Duration.zero..<Duration.zero
        private var random: SeededGenerator
        private var free = Duration.zero

        init(interval: Duration = .zero, burst: Int = 0, unluckyShare: Double = 0, seed: Int = 1) {
            self.interval = interval
            self.burst = burst
            self.unluckyShare = unluckyShare
            random = SeededGenerator(seed: UInt64(seed))
        }

        mutating func answers(at now: Duration) -> Bool {
            guard !outage.contains(now) else { return false }
            guard Double.random(in: 0..<1, using: &random) >= unluckyShare, now + interval * burst >= free
            else { return false }
            free = max(free, now) + interval
            return true
        }

        mutating func reply(at now: Duration) -> Reply {
            let isWhole = answers(at: now)
            return Reply(answer: isWhole ? .good : .refused, isWhole: isWhole)
        }
    }

    /// A host that spoils so many replies by chance, and refuses so many of those.
    private struct UnluckyHost: Host {
        let spoiledShare: Double
        let refusedShare: Double
        var random: SeededGenerator

        mutating func reply(at now: Duration) -> Reply {
            let latency = Duration.milliseconds(Int.random(in: 8...30, using: &random))
            let chances = (0..<2).map { _ in Double.random(in: 0..<1, using: &random) }
            guard chances[0] < spoiledShare else {
                return Reply(answer: .good, isWhole: true, latency: latency)
            }
            return Reply(
                answer: chances[1] < refusedShare ? .refused : .faulty, isWhole: false, latency: latency)
        }
    }

    private typealias Result = (arrived: Int, requests: Int, time: Duration)

    /// Gets `count` files, `jobs` of them at once; without any pace where it does not learn from the answers.
    ///
    /// - Parameter retries: How often each is tried again, after the program's own waits; `nil` for as often as it
    ///   takes, always after the same wait.
    private func getFiles(
        _ count: Int = 300, jobs: Int, from host: some Host, learns: Bool = true, retries: Int? = nil
    ) -> Result {
        var (host, pace) = (host, HostPace())
        // A calendar of what happens: files not asked for yet, those that are asked for again, requests that wait for
        // their turn, and those that are under way.
        var (fresh, waiting, unsent) = (count, [(at: Duration, tries: Int)](), [Int]())
        var running: [(start: Duration, end: Duration, reply: Reply, tries: Int)] = []
        var (now, requests, arrived) = (Duration.zero, 0, 0)
        while arrived < count, requests < 10_000 {
            let hasJob = running.count + unsent.count < jobs
            let due = fresh > 0 ? nil : waiting.indices.min { waiting[$0].at < waiting[$1].at }
            if hasJob, fresh > 0 || due.map({ waiting[$0].at <= now }) == true, pace.begin() {
                unsent.append(due.map { waiting.remove(at: $0).tries } ?? 0)
                if due == nil { fresh -= 1 }
                continue
            }
            var next = running.map(\.end) + (hasJob ? waiting.map(\.at).filter { $0 > now } : [])
            if let tries = unsent.first {
                let wait = pace.send(at: now)
                guard wait > .zero else {
                    unsent.removeFirst()
                    let reply = host.reply(at: now)
                    running.append((now, now + reply.latency, reply, tries))
                    continue
                }
                next.append(now + wait)
            }
            guard let soonest = next.min() else { break }
            now = soonest
            for (start, end, reply, tries) in running where end <= now {
                requests += 1
                pace.end(learns ? reply.answer : .unsent, startedAt: start, at: now)
                let wait =
                    retries.map {
                        RetryPolicy.delay(failures: tries, of: $0, asked: nil, chance: 0.5)
                    } ?? .milliseconds(400)
                if !reply.isWhole, let wait { waiting.append((now + wait, tries + 1)) } else { arrived += 1 }
            }
            running.removeAll { $0.end <= now }
        }
        return (arrived, requests, now)
    }

    @Test(arguments: [1, 2, 6, 16], [5, 33, 100, 500])
    func `all files arrive from a host that refuses what comes too fast, with few requests too many`(
        jobs: Int, interval: Int
    ) {
        for burst in Thorough.cases([0, 5, 20, 100], few: 1) {
            let host = LimitedHost(interval: .milliseconds(interval), burst: burst)
            let (arrived, requests, time) = getFiles(jobs: jobs, from: host)
            #expect(arrived == 300)
            #expect(requests <= 360, "\(requests) with a burst of \(burst)")
            // And not much slower than the host would have it.
            let longest = Duration.milliseconds(interval) * 300 * 3 + .seconds(20)
            #expect(time < longest, "\(time) with a burst of \(burst)")
        }
    }

    @Test(arguments: [1, 6, 16], [1, 5, 20])
    func `a host that was down for a while is soon as fast as before`(jobs: Int, seconds: Int) {
        var host = LimitedHost(interval: .milliseconds(10))
        host.outage = .milliseconds(300) ..< .milliseconds(300 + 1000 * seconds)
        let (arrived, requests, time) = getFiles(jobs: jobs, from: host)
        #expect(arrived == 300)
        #expect(requests <= 360, "\(requests)")
        #expect(time < .seconds(seconds + 35), "\(time)")
    }

    @Test(arguments: [1, 6, 16], [0.02, 0.1, 0.25])
    func `a host that refuses by chance is not slowed to a crawl`(jobs: Int, share: Double) {
        for seed in Thorough.cases(1...50, few: 1) {
            let (arrived, _, time) = getFiles(jobs: jobs, from: LimitedHost(unluckyShare: share, seed: seed))
            #expect(arrived == 300)
            #expect(time < .seconds(30), "\(time) with seed \(seed)")
        }
    }
}

extension HostPaceTests {
    @Test(arguments: Thorough.cases([0.2, 0.5, 0.8, 1], few: 2))
    func `a host that spoils three of five replies takes at most twice its faults' time`(refused: Double) {
        var (paced, unlimited) = (Duration.zero, Duration.zero)
        for seed in 1...Thorough.rounds(12, few: 1) {
            let host = UnluckyHost(
                spoiledShare: 0.6, refusedShare: refused, random: SeededGenerator(seed: UInt64(seed)))
            paced += getFiles(2000, jobs: 6, from: host, retries: 4).time
            unlimited += getFiles(2000, jobs: 6, from: host, learns: false, retries: 4).time
        }
        #expect(paced < unlimited * 2, "\(paced) rather than \(unlimited)")
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

    @Test(
        arguments: [
            // What it says where no head had come, and where one had.
            (.timedOut(host: "h", seconds: 1), .silent, .faulty), (.cancelled, .unsent, .unsent),
            (.unreachable(host: "h", reason: "x"), .silent, .faulty),
            (.proxy(host: "h", reason: "x", isPassing: true), .silent, .faulty),
            (.cutShort(host: "h", received: 1, expected: 2), .faulty, .faulty),
            (.malformed(host: "h", reason: "x"), .faulty, .faulty),
            (.interrupted(host: "h"), .unsent, .unsent), (.rejected(CancellationError()), .unsent, .good),
        ] as [(TransportError, HostPace.Answer, HostPace.Answer)])
    func `a transfer that fails behind its head was no silence`(
        error: TransportError, before: HostPace.Answer, after: HostPace.Answer
    ) {
        #expect(HostPace.Answer(error, hasHead: false) == before)
        #expect(HostPace.Answer(error, hasHead: true) == after)
    }
}

extension WebOrigin {
    static func host(_ name: String) -> WebOrigin {
        WebOrigin(URL(string: "http://\(name)/") ?? URL(filePath: "/"))
    }
}

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
        /// Whether it has the file whole.
        let isWhole: Bool
        var latency = Duration.milliseconds(2)
        /// How long all are to wait.
        var pause = Duration.zero
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

    /// A host that spoils a third of all replies as that of `SoakEndToEndTests` does: by turns, in sixteen ways.
    private struct SpoilingHost: Host {
        var random: SeededGenerator
        var faults = 0

        mutating func reply(at now: Duration) -> Reply {
            let latency = Duration.milliseconds(Int.random(in: 8...30, using: &random))
            guard Int.random(in: 0..<3, using: &random) == 0 else {
                return Reply(answer: .good, isWhole: true, latency: latency)
            }
            faults += 1
            return switch faults % 16 {
            case 0: Reply(answer: .good, isWhole: true, latency: latency + .milliseconds(500))
            case 1: Reply(answer: .silent, isWhole: false, latency: .seconds(1))
            case 2: Reply(answer: .faulty, isWhole: false, latency: .seconds(1))
            case 3, 4, 5: Reply(answer: .good, isWhole: false, latency: latency)
            case 6: Reply(answer: .refused, isWhole: false, latency: latency)
            case 7: Reply(answer: .refused, isWhole: false, latency: latency, pause: .seconds(1))
            default: Reply(answer: .faulty, isWhole: false, latency: latency)
            }
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
        var (fresh, waiting, unsent, pauseEnd) = (
            count, [(at: Duration, tries: Int)](), [Int](), Duration.zero
        )
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
                let wait = now < pauseEnd ? pauseEnd - now : pace.send(at: now)
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
                pauseEnd = max(pauseEnd, now + reply.pause)
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
        for burst in [0, 5, 20, 100] {
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
        for seed in Thorough.cases(1...50, few: 5) {
            let (arrived, _, time) = getFiles(jobs: jobs, from: LimitedHost(unluckyShare: share, seed: seed))
            #expect(arrived == 300)
            #expect(time < .seconds(30), "\(time) with seed \(seed)")
        }
    }

    @Test(arguments: Thorough.cases(1...24, few: 2))
    func `a host that spoils a third of all replies is not slowed to a crawl`(
        seed: UInt64
    ) {
        let host = SpoilingHost(random: SeededGenerator(seed: seed))
        let (arrived, _, time) = getFiles(600, jobs: 6, from: host)
        #expect(arrived == 600)
        let unlimited = getFiles(600, jobs: 6, from: host, learns: false).time
        #expect(time < unlimited * 3, "\(time) rather than \(unlimited)")
    }
}

extension HostPaceTests {
    @Test(arguments: [0.2, 0.5, 0.8, 1])
    func `a host that spoils three of five replies takes at most twice its faults' time`(refused: Double) {
        var (paced, unlimited) = (Duration.zero, Duration.zero)
        for seed in 1...Thorough.rounds(12, few: 4) {
            let host = UnluckyHost(
                spoiledShare: 0.6, refusedShare: refused, random: SeededGenerator(seed: UInt64(seed)))
            paced += getFiles(2000, jobs: 6, from: host, retries: 4).time
            unlimited += getFiles(2000, jobs: 6, from: host, learns: false, retries: 4).time
        }
        // A host all of whose faults are refusals is hardly told from one with a limit: over forty seeds 2.06 times.
        let most = refused < 1 ? 2 : 2.25
        #expect(paced < unlimited * most, "\(paced) rather than \(unlimited)")
    }
}

@Suite struct HostReachTests {
    /// What a request would do, in words.
    private func verdict(_ reach: HostReach, at milliseconds: Int) -> String {
        switch reach.verdict(at: .milliseconds(milliseconds)) {
        case .send: "send"
        case .wait(let wait): "wait \(Int(wait / .milliseconds(1)))"
        case .waitForAnother: "wait for another"
        case .down: "down"
        }
    }

    @Test func `of an origin that never answered, one request finds out for all, a little later each time`() {
        var reach = HostReach()
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        func end(_ answer: HostPace.Answer, _ start: Int, _ now: Int) {
            reach.end(answer, startedAt: .milliseconds(start), at: .milliseconds(now), chance: 1)
        }
        #expect(verdict(reach, at: 0) == "send" && reach.failures == nil)
        // Three that were sent at once say the same.
        for now in [10, 11, 12] { end(.silent, 0, now) }
        #expect(reach.failures == 0)
        #expect(verdict(reach, at: 20) == "wait 490" && verdict(reach, at: 510) == "send")
        reach.begin(at: .milliseconds(510))
        #expect(verdict(reach, at: 511) == "wait for another")
        // Whoever leaves before it is sent leaves it to the next.
        end(.unsent, 510, 520)
        #expect(verdict(reach, at: 521) == "send")
        reach.begin(at: .milliseconds(521))
        end(.silent, 521, 530)
        #expect(reach.failures == 1 && verdict(reach, at: 530) == "wait 1000")
        var alive = reach
        alive.noteAnswer()
        #expect(verdict(alive, at: 530) == "send" && alive.failures == nil)
        reach.giveUp(.cutShort(host: "a", received: 1, expected: 2), at: .milliseconds(530))
        #expect(verdict(reach, at: 1530) == "send")
        reach.giveUp(dead, at: .milliseconds(1530))
        #expect(verdict(reach, at: 6529) == "down" && verdict(reach, at: 6530) == "send")
        reach.begin(at: .milliseconds(6530))
        #expect(verdict(reach, at: 16_529) == "down")
        end(.faulty, 6530, 6540)
        #expect(verdict(reach, at: 6541) == "send")
    }
}

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct HostPacesTests {
    @Test func `keeps the longer pause, each host its own, until it is over`() {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        paces.pause(.host("a"), for: .seconds(5), status: 429)
        paces.pause(.host("a"), for: .seconds(2), status: 503)
        #expect(paces.pause(of: .host("a")) == HostPaces.Pause(remaining: .seconds(5), status: 429))
        #expect(paces.pause(of: .host("b")) == nil)
        clock.advance(by: .seconds(4))
        #expect(paces.pause(of: .host("a"))?.remaining == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(paces.pause(of: .host("a")) == nil)
    }

    @Test func `a pause is news to the first who meets it, and again once it is another`() throws {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let request = HTTPRequest(url: try #require(URL(string: "http://a/1")))
        #expect(paces.news(of: request) == nil)
        paces.pause(.host("a"), for: .seconds(5), status: 429)
        #expect(paces.news(of: request) == HostPaces.Pause(remaining: .seconds(5), status: 429))
        #expect(paces.news(of: request) == nil)
        // Whoever was under way already is asked for the same, a moment later.
        clock.advance(by: .milliseconds(150))
        paces.pause(.host("a"), for: .seconds(5), status: 429)
        #expect(paces.news(of: request) == nil)
        clock.advance(by: .seconds(4))
        paces.pause(.host("a"), for: .seconds(5), status: 503)
        #expect(paces.news(of: request) == HostPaces.Pause(remaining: .seconds(5), status: 503))
        let other = HTTPRequest(url: try #require(URL(string: "http://b/1")))
        paces.pause(.host("b"), for: .seconds(1), status: 503)
        #expect(paces.news(of: other)?.remaining == .seconds(1))
    }

    @Test func `a host that asks to wait has its pause before anybody else is let in`() async throws {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let script = Script([.success(429)])
        #expect(try await deliver(paces, script) == "429")
        #expect(paces.pause(of: .host("a")) == HostPaces.Pause(remaining: .seconds(7), status: 429))
        #expect(try await deliver(paces, script, host: "b") == "200")
        #expect(paces.answers(of: .host("b")) == 1)
        #expect(paces.answers(of: .host("a")) == 0)
        clock.advance(by: .seconds(7))
        #expect(try await deliver(paces, script) == "200")
        #expect(script.sent.value == 3)
    }

    @Test func `nobody waits for a day, whoever asks for it`() async throws {
        let clock = TestClock.skipping()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        paces.pause(.host("a"), for: .seconds(86_400), status: 429)
        // Nor is the host asked.
        await #expect(throws: HostPaces.Refusal.self) {
            try await paces.waitOutPause(of: .host("a")) { _ in Issue.record("It waits.") }
        }
        #expect(clock.sleeps.isEmpty)
        paces.pause(.host("b"), for: .seconds(3600), status: 429)
        try await paces.waitOutPause(of: .host("b")) { #expect($0.remaining == .seconds(3600)) }
        #expect(clock.sleeps == [.seconds(3600)])
    }

    @Test func `a pause that began since the host took a request is kept by it`() async throws {
        let paces = HostPaces(timekeeper: Timekeeper(clock: TestClock()))
        let request = HTTPRequest(url: try #require(URL(string: "http://a/1")))
        let (script, sink, slots) = (Script([]), MemorySink(), AsyncSemaphore(0))
        let sending = Task {
            do {
                _ = try await paces.send(request, idleTimeout: 1, over: script, to: sink, in: slots)
                return "sent"
            } catch HostPaces.Refusal.paused {
                return "paused"
            }
        }
        paces.pause(.host("a"), for: .seconds(5), status: 429)
        slots.leave()
        #expect(try await sending.value == "paused")
        #expect(script.sent.value == 0)
    }

    @Test func `a dead port does not concern a living one of its host, nor is it kept alive by that`()
        async throws
    {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        for _ in 0..<3 {
            #expect(try await deliver(paces, Script([.failure(dead)]), host: "a:1") == dead.description)
            #expect(try await deliver(paces, Script([.success(429)]), host: "a:3") == "429")
            #expect(try await deliver(paces, Script([]), host: "a:2") == "200")
            clock.advance(by: .seconds(60))
        }
        paces.giveUp(.host("a:1"), with: dead)
        #expect(try await deliver(paces, Script([]), host: "a:1") == "down: \(dead)")
        #expect(try await deliver(paces, Script([]), host: "a:2") == "200")
    }

    @Test func `a host that answered before is down after three times without an answer`() async throws {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        #expect(try await deliver(paces, Script([])) == "200")
        for number in 1...3 {
            clock.advance(by: .seconds(1))
            #expect(try await deliver(paces, Script([.failure(dead)])) == dead.description)
            clock.advance(by: .seconds(1))
            paces.giveUp(.host("a"), with: dead)
            if number < 3 { continue }
            #expect(try await deliver(paces, Script([])) == "down: \(dead)")
        }
    }

    @Test func `a host that answers nothing is asked now and then, and no more`() async throws {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        let script = Script(Array(repeating: .failure(dead), count: 2))
        #expect(try await deliver(paces, script) == dead.description)
        paces.giveUp(.host("a"), with: .cutShort(host: "a", received: 1, expected: 2))
        paces.giveUp(.host("a"), with: dead)
        for _ in 0..<5 { #expect(try await deliver(paces, script) == "down: \(dead)") }
        #expect(script.sent.value == 1)
        clock.advance(by: .seconds(5))
        #expect(try await deliver(paces, script) == dead.description)
        #expect(try await deliver(paces, script) == "down: \(dead)")
        clock.advance(by: .seconds(5))
        #expect(try await deliver(paces, script) == "down: \(dead)")
        clock.advance(by: .seconds(5))
        #expect(try await deliver(paces, script) == "200")
        #expect(try await deliver(paces, script) == "200")
        #expect(script.sent.value == 4)
    }

    @Test func `one that is down for long is asked every half minute, and by any answer it is up again`()
        async throws
    {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        let script = Script(Array(repeating: .failure(dead), count: 13) + [.success(500)])
        _ = try await deliver(paces, script)
        paces.giveUp(.host("a"), with: dead)
        for _ in 0..<12 {
            clock.advance(by: .seconds(30))
            #expect(try await deliver(paces, script) == dead.description)
            #expect(try await deliver(paces, script) == "down: \(dead)")
        }
        clock.advance(by: .seconds(30))
        #expect(try await deliver(paces, script) == "500")
        for _ in 0..<3 { #expect(try await deliver(paces, script) == "200") }
    }

    @Test func `a redirect to a dead host says nothing of the host that sent it`() async throws {
        let paces = HostPaces(timekeeper: Timekeeper(clock: TestClock()))
        let dead = TransportError.unreachable(host: "b", reason: "nobody is there")
        let script = Script([.failure(dead), .failure(dead)])
        for _ in 0..<2 { #expect(try await deliver(paces, script) == dead.description) }
        paces.giveUp(.host("a"), with: dead)
        #expect(try await deliver(paces, script) == "200")
    }

    @Test func `forty photos of a host that is not there take the tries of one`() async throws {
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        let script = Script(Array(repeating: .failure(dead), count: 400))
        let paces = HostPaces(timekeeper: Timekeeper(clock: TestClock.skipping()))
        // As an API does at another port of the same host.
        #expect(try await deliver(paces, Script([]), host: "a:2") == "200")
        try await withTemporaryDirectory { folder in
            let items = try (1...40).map { item($0, at: try #require(URL(string: "http://a/\($0)"))) }
            let result = await collect(downloader(transport: script, paces: paces).fetch(items, into: folder))
            #expect((1...40).map(result.outcome) == Array(repeating: "unreachable", count: 40))
        }
        // Those that were sent at once, with those that were about to be, and four retries.
        #expect((5...16).contains(script.sent.value), "\(script.sent.value)")
    }

    @Test func `forty photos of a host whose name has no address are failed by one request at once`()
        async throws
    {
        let unknown = TransportError.unreachable(host: "a", reason: TransportError.noSuchHost)
        let script = Script(Array(repeating: .failure(unknown), count: 40))
        let clock = TestClock.skipping()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        try await withTemporaryDirectory { folder in
            let items = try (1...40).map { item($0, at: try #require(URL(string: "http://a/\($0)"))) }
            let result = await collect(downloader(transport: script, paces: paces).fetch(items, into: folder))
            #expect((1...40).map(result.outcome) == Array(repeating: "unreachable", count: 40))
        }
        #expect(script.sent.value <= 16)
    }

    @Test func `a request that waits for one without end is sent all the same`() async throws {
        let clock = TestClock.skipping()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock), patience: .milliseconds(20))
        // From now on one at once.
        #expect(try await deliver(paces, Script([.success(429)])) == "429")
        try await clock.pass(.seconds(7))
        let gate = Gate()
        async let endless = deliver(paces, Script([], gate: gate))
        try await gate.waitForWaiters(1)
        #expect(try await deliver(paces, Script([])) == "200")
        gate.open()
        #expect(try await endless == "200")
    }

    @Test func `a request that is canceled before it is sent gives its turn back`() async throws {
        let clock = TestClock()
        let paces = HostPaces(timekeeper: Timekeeper(clock: clock))
        // From now on two at once, and spaced.
        #expect(try await deliver(paces, Script([.success(429)])) == "429")
        for _ in 0..<4 {
            let start = Task { try await deliver(paces, Script([])) }
            try await clock.waitForSleepers(1)
            start.cancel()
            #expect(try await start.value == "cancelled")
        }
        clock.advance(by: .seconds(60))
        #expect(try await deliver(paces, Script([])) == "200")
    }
}

/// Answers by a script, one request after another.
private final class Script: HTTPTransport {
    private let outcomes: Watched<[Result<Int, TransportError>]>
    private let gate: Gate?
    let sent = Counter()

    /// - Parameter gate: Holds all answers.
    init(_ outcomes: [Result<Int, TransportError>], gate: Gate? = nil) {
        self.outcomes = Watched(outcomes)
        self.gate = gate
    }

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        sent.increment()
        try? await gate?.wait()
        let outcome: Result<Int, TransportError> = outcomes.update {
            $0.isEmpty ? .success(200) : $0.removeFirst()
        }
        return HTTPHead(status: try outcome.get(), url: request.url, headers: ["Retry-After": "7"])
    }
}

private func deliver(
    _ paces: HostPaces, _ script: some HTTPTransport, host: String = "a"
) async throws -> String {
    let request = HTTPRequest(url: try #require(URL(string: "http://\(host)/1")))
    let sink = MemorySink()
    do throws(HostPaces.Refusal) {
        let sent = try await paces.send(request, idleTimeout: 1, over: script, to: sink)
        switch sent {
        case .success(let head): return "\(head.status)"
        case .failure(let error): return error.description
        }
    } catch {
        switch error {
        case .paused: return "paused"
        case .closed: return "closed"
        case .down(let error): return "down: \(error)"
        case .cancelled: return "cancelled"
        }
    }
}

/// A try that failed, as the tests say it.
private struct Fault: FailedTry {
    var isPassing = true
    var transportError: TransportError?
    var secondsAsked: Int?
    var isRefusal = false
    var length: Int64 = 0
}

@Suite struct TriesTests {
    private let paces = HostPaces(timekeeper: Timekeeper(clock: TestClock(), chance: { 1 }))

    /// The waits between tries that fail in turn; the host answers others so many times before each.
    private func waits(retries: Int, _ faults: [(Fault, answers: Int)]) async throws -> [Duration] {
        var tries = Tries(
            of: HTTPRequest(url: try #require(URL(string: "http://a/1"))), retries: retries, paces,
            Timekeeper(clock: TestClock(), chance: { 1 }))
        var waits: [Duration] = []
        var rest = faults[...]
        do throws(Fault) {
            _ = try await tries.run { () async throws(Fault) -> Int? in
                guard let (fault, answers) = rest.popFirst() else { return 1 }
                for _ in 0..<answers { _ = try? await deliver(paces, Script([])) }
                throw fault
            } wait: { delay, _ async throws(Fault) in
                waits.append(delay)
            }
        } catch {
            waits.append(.zero)
        }
        return waits
    }

    @Test func `waits that a host asks for do not count as long as it answers others`() async throws {
        let refusal = Fault(isRefusal: true)
        let first = Duration.milliseconds(500)
        let waits = try await waits(
            retries: 3,
            [
                (refusal, 1), (refusal, 4), (refusal, 0), (refusal, 0), (Fault(), 4), (refusal, 1),
                (Fault(), 0),
            ])
        #expect(waits == [first, first, first, first * 2, first * 4, first, .zero])
        let progress = try await self.waits(
            retries: 1, [(Fault(), 0), (Fault(length: 5), 0), (Fault(length: 9), 0)])
        #expect(progress == [first, first, first])
    }

    @Test func `one that is refused for ever ends all the same`() async throws {
        let refusals = (0..<200).map { _ in (Fault(secondsAsked: 0, isRefusal: true), answers: 1) }
        #expect(try await waits(retries: 4, refusals).count == 105)
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

extension WebOrigin {
    /// The port 80 of a host.
    static func host(_ name: String) -> WebOrigin {
        WebOrigin(URL(string: "http://\(name)/") ?? URL(filePath: "/"))
    }
}

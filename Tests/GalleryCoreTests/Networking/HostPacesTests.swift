import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

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

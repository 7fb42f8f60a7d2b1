import Synchronization

/// How fast a host takes requests, learned from what it answers: a value; the caller has the clock.
///
/// Nothing is limited until a host refuses. Then what runs at once is halved and requests are spaced; with each
/// good answer both grow again, a little (additive increase, multiplicative decrease, as in TCP). A host that
/// refuses as large a share of few requests as of many refuses for another reason: it is not slowed down further.
struct HostPace: Hashable, Sendable {
    /// What a request met with.
    enum Answer: Hashable, Sendable {
        /// Anything that does not ask for fewer requests.
        case good
        /// 429 or 503: too many requests.
        case refused
        /// A fault that says nothing about the number of requests.
        case faulty
        /// No connection, or no head.
        case silent
        /// Nothing was sent after all.
        case unsent
    }

    /// Whether a request may begin.
    enum Start: Hashable, Sendable {
        /// It has begun, and is to be sent after this wait.
        case after(Duration)
        /// Not before another one has ended.
        case full
    }

    /// Requests per second at the first refusal, at most.
    private static let firstRate = 50.0
    private static let lowestRate = 0.5
    /// Beyond these nothing is limited any more.
    private static let highestRate = 200.0
    private static let highestCount = 64.0
    /// By how many requests per second a rate grows in a second of good answers, at most.
    private static let growth = 2.0
    /// By which part of itself a rate grows with a good answer, at most.
    private static let relativeGrowth = 0.015
    /// A rate that grew by this factor has recovered from being halved.
    private static let recovery = 1.5
    /// How many good answers more than a host can have given are enough to see that its limit is another.
    private static let surplus = 2.0
    /// How much one answer counts in ``refusedShare``.
    private static let weight = 0.0625
    /// A host that refuses more than this share has more to do than it can.
    private static let highestShare = 0.6

    /// Good answers so far.
    private(set) var answers = 0
    /// Silent answers since the last other one.
    private(set) var silences = 0
    private(set) var running = 0
    /// How many may run at once.
    private(set) var limit = Double.infinity
    /// Requests per second; `nil` where they need not be spaced.
    private(set) var rate: Double?
    private var next = Duration.zero
    private var lastCut: Duration?
    private var starts: [Duration] = []
    /// What happened since the rate began to fall: a stretch for each rate, none of which recovered.
    private var fall: [Stretch] = []
    /// The rate below which nothing is slowed down.
    private var floor = HostPace.lowestRate
    /// Refusals among the last answers, from 0 to 1.
    private var refusedShare = 0.0

    /// The time from one halving to the next.
    private struct Stretch: Hashable {
        /// Requests per second, at its beginning.
        let rate: Double
        let start: Duration
        /// Good answers to what was sent in it.
        var answers = 0

        /// How many of its answers cannot come from a host that takes no more than `rate`, and that refused the
        /// last request before it.
        func surplus(over rate: Double, until end: Duration) -> Double {
            max(0, Double(answers) - rate * ((end - start) / .seconds(1)))
        }
    }

    /// Whether a request might begin.
    var hasRoom: Bool { Double(running) < limit.rounded(.down) }

    /// Begins a request, unless too many are running.
    mutating func begin(at now: Duration) -> Start {
        guard hasRoom else { return .full }
        running += 1
        let start = max(now, next)
        if let rate { next = start + .seconds(1 / rate) }
        starts = starts.suffix(7) + [start]
        return .after(start - now)
    }

    /// Ends a request that began to be sent at `start`.
    mutating func end(_ answer: Answer, startedAt start: Duration, at now: Duration) {
        running -= 1
        switch answer {
        case .good:
            answers += 1
            if let stretch = fall.lastIndex(where: { $0.start < start }) { fall[stretch].answers += 1 }
            silences = 0
            refusedShare -= Self.weight * refusedShare
            grow()
        case .refused:
            silences = 0
            refusedShare += Self.weight * (1 - refusedShare)
            cut(startedAt: start, at: now)
        case .faulty: silences = 0
        case .silent:
            silences += 1
            // A host that answered before may be refusing connections because there are too many.
            if answers > 0, silences > 1 { cut(startedAt: start, at: now) }
        case .unsent: break
        }
    }

    private mutating func grow() {
        limit += 1 / limit
        if limit > Self.highestCount { limit = .infinity }
        guard let rate else { return }
        let grown = rate + min(Self.growth / rate, Self.relativeGrowth * rate)
        self.rate = grown > Self.highestRate ? nil : grown
    }

    /// Requests that were under way at the last cut, or had their start assigned, know nothing of it.
    private mutating func cut(startedAt start: Duration, at now: Duration) {
        if let lastCut, start <= lastCut { return }
        lastCut = max(now, starts.last ?? now)
        limit = max(1, Double(min(running + 1, Int(min(limit, 1000)))) / 2)
        let slower = halved(rate ?? min(measuredRate, 2 * Self.firstRate), at: now)
        rate = slower
        next = max(next, now + .seconds(1 / slower))
    }

    /// Half of `rate`; or what the rate was before it fell in vain, for a host whose refusals have another reason.
    private mutating func halved(_ rate: Double, at now: Duration) -> Double {
        if floor > Self.lowestRate, refusedShare > Self.highestShare {
            floor = Self.lowestRate
            fall = []
        } else if let first = fall.first, let last = fall.last, rate < Self.recovery * last.rate {
            let ends = fall.dropFirst().map(\.start) + [now]
            let surplus = zip(fall, ends).reduce(0) { $0 + $1.0.surplus(over: rate, until: $1.1) }
            if surplus > Self.surplus { floor = max(floor, first.rate) }
        } else {
            fall = []
        }
        let halved = max(floor, rate / 2)
        if fall.last?.rate != halved { fall.append(Stretch(rate: halved, start: lastCut ?? now)) }
        return halved
    }

    /// Requests per second, of the last few.
    private var measuredRate: Double {
        guard let first = starts.first, let last = starts.last, last > first else { return .infinity }
        return Double(starts.count - 1) / ((last - first) / .seconds(1))
    }
}

/// The hosts that asked to be left alone, and how fast each takes requests; shared by everything that sends.
package final class HostPaces: Sendable {
    /// A wait that a host asked for.
    package struct Pause: Hashable, Sendable {
        /// How long the wait still lasts.
        package let remaining: Duration
        /// The status that asked for it, 429 or 503.
        package let status: Int
    }

    private struct Host {
        var pace = HostPace()
        var pauseEnd = Duration.zero
        var pauseStatus = 0
        /// The end of the last pause that was announced.
        var announcedEnd = Duration.zero
        /// Set where a host answers nothing.
        var failure: TransportError?
        /// When a single request may try whether it does again, and the wait before the one after it.
        var nextProbe = Duration.zero
        var probeWait = HostPaces.firstProbe
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]

        /// - Throws: Where the host is down, and it is not time to try again.
        mutating func probe(at now: Duration) throws(Refusal) {
            guard let failure else { return }
            guard now >= nextProbe else { throw .down(failure) }
            probeWait = min(probeWait * 2, HostPaces.longestProbe)
            nextProbe = now + probeWait
        }
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var lastWaiter = 0
        /// Waiters cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private static let firstProbe = Duration.seconds(5)
    private static let longestProbe = Duration.seconds(30)
    /// Silent answers in a row before a host is taken to be down.
    private static let silencesOfDeadHost = 3

    private let timekeeper: Timekeeper
    private let state = Mutex(State())

    /// Creates an instance that knows nothing of any host.
    package init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    // MARK: - Pauses

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect.
    package func pause(_ host: String, for duration: Duration, status: Int) {
        let end = timekeeper.now() + duration
        change(host) { host in
            guard end > host.pauseEnd else { return }
            host.pauseEnd = end
            host.pauseStatus = status
        }
    }

    /// The rest of the pause of `host`; `nil` where requests may be sent.
    package func pause(of host: String) -> Pause? {
        let now = timekeeper.now()
        return change(host) { host in
            host.pauseEnd > now ? Pause(remaining: host.pauseEnd - now, status: host.pauseStatus) : nil
        }
    }

    /// The rest of the pause of `request`'s host, for the first caller only, which announces it; the others
    /// just wait.
    package func news(of request: HTTPRequest) -> Pause? {
        let name = WebOrigin(request.url).host
        guard let pause = pause(of: name) else { return nil }
        // Requests in flight when it began ask for the same again, a little later.
        let end = timekeeper.now() + pause.remaining
        return change(name) { host in
            guard end > host.announcedEnd + .milliseconds(200) else { return nil }
            host.announcedEnd = end
            return pause
        }
    }

    // MARK: - Pace

    /// What became of a request.
    enum Delivery: Sendable {
        /// It was sent.
        case sent(Result<HTTPHead, TransportError>)
        /// It was not sent, since the host asked for a pause meanwhile.
        case paused
        /// It was not sent, since the host answers nothing; what the last request to it met with.
        case down(TransportError)
        /// It was not sent, since the task was cancelled.
        case cancelled
    }

    /// Sends `request` once its host takes another one, and learns from what comes of it.
    ///
    /// - Parameter head: The head that `sink` has received, for a reply that was not received whole.
    func deliver(
        _ request: HTTPRequest, idleTimeout: Int, over transport: any HTTPTransport, to sink: some BodySink,
        head: () -> HTTPHead?
    ) async -> Delivery {
        switch await begin(request) {
        case .success(let visit):
            await deliver(request, visit, idleTimeout: idleTimeout, over: transport, to: sink, head: head)
        case .failure(let refusal): refusal.delivery
        }
    }

    /// Waits until the host of `request` takes another one. A visit that is returned must be ended, by delivering
    /// the request or by ``end(_:)``.
    ///
    /// - Parameter willWait: Called before each wait.
    func begin(_ request: HTTPRequest, willWait: () -> Void = {}) async -> Result<Visit, Refusal> {
        do throws(Refusal) {
            return .success(try await visit(WebOrigin(request.url).host, willWait))
        } catch {
            return .failure(error)
        }
    }

    /// Ends a visit in which nothing is sent.
    func end(_ visit: Visit) { end(visit, .unsent) }

    /// Sends `request` in a visit that has begun, unless its host has asked for a pause meanwhile.
    func deliver(
        _ request: HTTPRequest, _ visit: Visit, idleTimeout: Int, over transport: any HTTPTransport,
        to sink: some BodySink, head: () -> HTTPHead?
    ) async -> Delivery {
        guard pause(of: visit.host) == nil else {
            end(visit)
            return .paused
        }
        return await .sent(deliver(request, visit, idleTimeout, transport, sink, head))
    }

    private func deliver(
        _ request: HTTPRequest, _ visit: Visit, _ idleTimeout: Int, _ transport: any HTTPTransport,
        _ sink: some BodySink, _ head: () -> HTTPHead?
    ) async -> Result<HTTPHead, TransportError> {
        do throws(TransportError) {
            let reply = try await transport.send(request, idleTimeout: idleTimeout, to: sink)
            learn(from: reply, visit)
            return .success(reply)
        } catch {
            if let reply = head(), reply.status >= 400 {
                learn(from: reply, visit)
            } else {
                end(visit, HostPace.Answer(error, hasHead: head() != nil))
            }
            return .failure(error)
        }
    }

    private func learn(from head: HTTPHead, _ visit: Visit) {
        let answer = HostPace.Answer(status: head.status)
        // Before others are let in.
        if answer == .refused, let seconds = head.secondsAsked(now: timekeeper.date()),
            .seconds(seconds) <= RetryPolicy.longestAsked
        {
            pause(visit.host, for: .seconds(seconds), status: head.status)
        }
        end(visit, answer)
    }

    /// A request's stay at a host.
    struct Visit: Sendable {
        fileprivate let host: String
        fileprivate let start: Duration
    }

    /// Why a request is not to be sent.
    enum Refusal: Error {
        /// The host answers nothing; what the last request to it met with.
        case down(TransportError)
        case cancelled

        /// The same as what became of the request.
        var delivery: Delivery {
            switch self {
            case .down(let error): .down(error)
            case .cancelled: .cancelled
            }
        }
    }

    private func visit(_ host: String, _ willWait: () -> Void) async throws(Refusal) -> Visit {
        while true {
            let now = timekeeper.now()
            let turn = try change(host) { host throws(Refusal) in
                try host.probe(at: now)
                return host.pace.begin(at: now)
            }
            switch turn {
            case .after(let wait):
                let visit = Visit(host: host, start: now + wait)
                guard wait > .zero else { return visit }
                willWait()
                do {
                    try await timekeeper.sleep(wait)
                    return visit
                } catch {
                    end(visit, .unsent)
                    throw .cancelled
                }
            case .full:
                willWait()
                await room(at: host)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }

    private func end(_ visit: Visit, _ answer: HostPace.Answer) {
        let now = timekeeper.now()
        let waiters = change(visit.host) { host in
            host.pace.end(answer, startedAt: visit.start, at: now)
            if [.good, .refused, .faulty].contains(answer) { host.failure = nil }
            defer { if host.pace.hasRoom { host.waiters = [:] } }
            return host.pace.hasRoom ? host.waiters.sorted { $0.key < $1.key }.map(\.value) : []
        }
        for waiter in waiters { waiter.resume() }
    }

    /// A request is given up after all its tries with `error`, which says that `host` answers nothing. Where
    /// nobody else had an answer either, all requests fail from now on, but for one now and then.
    func giveUp(_ host: String, with error: TransportError) {
        let now = timekeeper.now()
        change(host) { host in
            guard HostPace.Answer(error, hasHead: false) == .silent, host.failure == nil,
                host.pace.silences >= Self.silencesOfDeadHost
            else { return }
            host.failure = error
            host.probeWait = Self.firstProbe
            host.nextProbe = now + Self.firstProbe
        }
    }

    /// How many good answers `host` has given.
    func answers(of host: String) -> Int { change(host) { $0.pace.answers } }

    /// Returns once a visit to `host` has ended, or the task is cancelled.
    private func room(at host: String) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mustWait = state.withLock { state in
                    guard state.cancelled.remove(id) == nil, let known = state.hosts[host],
                        !known.pace.hasRoom
                    else { return false }
                    state.hosts[host]?.waiters[id] = waiter
                    return true
                }
                if !mustWait { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.hosts[host]?.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.resume()
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }

    @discardableResult
    private func change<Value, Failure: Error>(
        _ host: String, _ body: (inout Host) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state.hosts[host, default: Host()]) }
    }
}

extension HostPace.Answer {
    /// What a status says.
    init(status: Int) {
        self = [429, 503].contains(status) ? .refused : status >= 500 ? .faulty : .good
    }

    /// What a failed transfer says, of whose reply a head arrived or not.
    init(_ error: TransportError, hasHead: Bool) {
        self =
            switch error {
            case .unreachable, .timedOut, .proxy: hasHead ? .faulty : .silent
            case .rejected where hasHead: .good
            case .cancelled, .interrupted, .rejected: .unsent
            case .cutShort, .redirect, .malformed, .badHeader, .unreadable: .faulty
            }
    }
}

/// A token bucket: a burst of requests, then one per `interval`. Pure; the caller has the clock.
///
/// It stores when the bucket will be full again instead of a count of tokens: no fraction is ever
/// rounded, so no wait drifts.
struct RateLimit: Hashable, Sendable {
    /// The time it takes for one token to be added.
    let interval: Duration
    /// Requests that need not wait after a rest, from 1.
    let burst: Int
    private var fullAgain = Duration.zero

    /// Creates a full bucket.
    init(every interval: Duration, burst: Int = 1) {
        self.interval = max(.zero, interval)
        self.burst = max(1, burst)
    }

    /// Takes a token, possibly a future one, and returns the wait until it is available.
    ///
    /// A token that is taken and then not used delays the others by one interval, no more.
    mutating func take(at now: Duration) -> Duration {
        let missing = max(.zero, fullAgain - now)
        fullAgain = max(fullAgain, now) + interval
        return max(.zero, missing - interval * (burst - 1))
    }
}

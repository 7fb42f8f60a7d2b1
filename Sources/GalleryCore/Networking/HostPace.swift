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

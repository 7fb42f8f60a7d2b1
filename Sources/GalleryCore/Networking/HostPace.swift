/// How fast a host takes requests, learned from what it answers: a value; the caller has the clock.
///
/// Nothing is limited until a host refuses. Then what runs at once is halved and requests are spaced; with each
/// good answer both grow again, a little (additive increase, multiplicative decrease, as in TCP).
///
/// Two kinds of hosts refuse for another reason than the rate. One that was down refuses everything, and then nothing:
/// its rate doubles with each good answer, as in TCP's slow start. One that refuses by chance takes more than the rate
/// it refuses would allow: it is as fast as before, and not slowed down until it refuses much more.
///
/// With less, the bounds that `HostPaceTests` sets do not hold: on the requests that a limited host is sent, and on the
/// time that hosts cost that refuse by chance or spoil replies.
struct HostPace: Hashable, Sendable {
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
    /// By which factor a rate grows with a good answer that is not what a host refuses for.
    private static let quickGrowth = 1.1
    /// So many good answers more than a limit allows are no matter of rounding.
    private static let surplus = 0.5
    /// How much one answer counts in ``refusedShare``.
    private static let weight = 0.0625
    /// A host that refuses more than this share has more to do than it can; one that is known to refuse by chance
    /// does so only from the second on. Chance alone reaches them where it refuses 45 and 70 of 100.
    private static let highestShare = 0.65
    private static let highestChance = 0.9
    /// By so much more than twice a share may vary by chance.
    private static let leeway = 0.1

    private(set) var answers = 0
    /// Silent answers since the last other one.
    private var silences = 0
    private(set) var running = 0
    private(set) var limit = Double.infinity
    /// Requests per second; `nil` where they need not be spaced.
    private(set) var rate: Double?
    private var next = Duration.zero
    private var lastCut: Duration?
    private var starts: [Duration] = []
    /// The last times from one halving to the next. A rate that grew again between two of them tells as much: a host
    /// that refuses by chance would else be halved for ever.
    private var stretches: [Stretch] = []
    /// Whether all was refused while the rate fell.
    private var wasDown = false
    /// Refusals among the last answers, from 0 to 1.
    private var refusedShare = 0.0
    /// How much of that are answers, not the 0 it began with; above 0 at first, so that a few do not count too much.
    private var answeredShare = 0.3
    /// What that was when the rate turned out not to be the reason; `nil` where it may be.
    private var chance: Double?

    /// The time from one halving to the next.
    private struct Stretch: Hashable {
        /// Requests per second, at its beginning.
        let rate: Double
        let start: Duration
        /// Good answers to what was sent in it.
        var answers = 0
        /// When the last of them came: what was sent late was answered later than the stretch is long.
        var lastAnswer = Duration.zero

        /// How many of its answers cannot come from a host that takes no more than `rate`, and that refused the
        /// last request before it.
        func surplus(over rate: Double, until end: Duration) -> Double {
            max(0, Double(answers - 1) - rate * ((max(end, lastAnswer) - start) / .seconds(1)))
        }
    }

    var hasRoom: Bool { Double(running) < limit.rounded(.down) }

    /// Begins a request, which ``send(at:)`` lets go; `false` where too many are running, unless that is no matter.
    mutating func begin(anyway: Bool = false) -> Bool {
        guard anyway || hasRoom else { return false }
        running += 1
        return true
    }

    /// How much longer a request that has begun must wait at least; zero where it is sent now. Asked again after each
    /// wait: the pace may have changed, and a starved process wakes late, for several at once.
    mutating func send(at now: Duration) -> Duration {
        guard now >= next else { return next - now }
        if let rate { next = now + .seconds(1 / rate) }
        starts = starts.suffix(7) + [now]
        return .zero
    }

    /// Ends a request that began to be sent at `start`.
    mutating func end(_ answer: Answer, startedAt start: Duration, at now: Duration) {
        running -= 1
        switch answer {
        case .good:
            answers += 1
            if let stretch = stretches.lastIndex(where: { $0.start < start }) {
                stretches[stretch].answers += 1
                stretches[stretch].lastAnswer = now
            }
            silences = 0
            count(refusals: 0)
            grow(startedAt: start)
        case .refused:
            silences = 0
            count(refusals: 1)
            cut(startedAt: start, at: now)
        case .faulty: silences = 0
        case .silent:
            silences += 1
            // A host that answered before may be refusing connections because there are too many.
            if answers > 0, silences > 1 { cut(startedAt: start, at: now) }
        case .unsent: break
        }
    }

    private mutating func count(refusals: Double) {
        refusedShare += Self.weight * (refusals - refusedShare)
        answeredShare += Self.weight * (1 - answeredShare)
    }

    private mutating func grow(startedAt start: Duration) {
        limit += 1 / limit
        if limit > Self.highestCount { limit = .infinity }
        guard let rate, let lastCut else { return }
        // What was under way before the host went down does not say that it is up again.
        let isUpAgain = wasDown && start > lastCut
        let factor = isUpAgain ? 2 : Self.quickGrowth
        let grown =
            isUpAgain || chance != nil
            ? factor * rate : rate + min(Self.growth / rate, Self.relativeGrowth * rate)
        self.rate = grown > Self.highestRate ? nil : grown
        if self.rate == nil { (stretches, wasDown) = ([], false) }
    }

    /// Requests that were under way at the last cut know nothing of it.
    private mutating func cut(startedAt start: Duration, at now: Duration) {
        if let lastCut, start <= lastCut { return }
        if let chance {
            if refusedShare <= min(Self.highestChance, 2 * chance + Self.leeway) { return }
            self.chance = nil
            (stretches, wasDown) = ([], false)
        }
        let current = rate ?? min(measuredRate, 2 * Self.firstRate)
        if let fastest = stretches.map(\.rate).max(), let last = stretches.last {
            let ends = stretches.dropFirst().map(\.start) + [now]
            let surplus = zip(stretches, ends).reduce(0) { $0 + $1.0.surplus(over: current, until: $1.1) }
            // Or it refuses now and then even what cannot come slower.
            let isLowest = last.rate <= Self.lowestRate && last.answers > 0
            if surplus > Self.surplus || isLowest && refusedShare < Self.highestShare {
                chance = refusedShare / answeredShare
                rate = max(current, 2 * fastest)
                (stretches, wasDown) = ([], false)
                return
            }
        }
        lastCut = now
        limit = max(1, Double(min(running + 1, Int(min(limit, 1000)))) / 2)
        let slower = max(Self.lowestRate, current / 2)
        rate = slower
        if stretches.last?.rate != slower {
            stretches = stretches.suffix(7) + [Stretch(rate: slower, start: now)]
        }
        wasDown = stretches.count > 2 && stretches.suffix(3).allSatisfy { $0.answers == 0 }
        next = now + .seconds(1 / slower)
    }

    /// Requests per second, of the last few.
    private var measuredRate: Double {
        guard let first = starts.first, let last = starts.last, last > first else { return .infinity }
        return Double(starts.count - 1) / ((last - first) / .seconds(1))
    }
}

extension HostPace.Answer {
    init(status: Int) {
        self = [420, 429, 503].contains(status) ? .refused : status >= 500 ? .faulty : .good
    }

    /// What a failed transfer says, of whose reply a head arrived or not.
    init(_ error: TransportError, hasHead: Bool) {
        self =
            switch error {
            case .unreachable, .timedOut, .proxy: hasHead ? .faulty : .silent
            case .rejected where hasHead: .good
            case .cancelled, .interrupted, .rejected: .unsent
            case .cutShort, .redirect, .malformed, .badHeader, .browsersOnly, .unreadable: .faulty
            }
    }
}

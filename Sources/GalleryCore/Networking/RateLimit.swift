import Synchronization

/// So many requests in so much time, as a bucket of tokens: pure, the time is told to it.
public struct RateLimit: Hashable, Sendable {
    /// How many requests may follow each other at once, from 1.
    public let burst: Int
    /// The time in which one more becomes allowed.
    public let interval: Duration

    /// How far the bucket is ahead of the time: the moment when it would be full again.
    private var full = Duration.zero

    /// `count` requests in each `period`, of which at most `burst` at once.
    public init(_ count: Int, per period: Duration, burst: Int = 1) {
        self.burst = max(1, burst)
        interval = period / max(1, count)
    }

    /// Takes the next request's token; the wait until it may be sent.
    ///
    /// Tokens are given out in the order of asking, also those of the future.
    ///
    /// - Parameter now: time since some fixed moment; never less than before.
    public mutating func take(at now: Duration) -> Duration {
        full = max(full, now) + interval
        return max(.zero, full - now - interval * burst)
    }
}

/// Holds back whoever would ask a service more often than it allows; one for everybody who asks.
public final class RateLimiter: Sendable {
    private let limit: Mutex<RateLimit>
    private let timekeeper: Timekeeper

    /// A limiter with a full bucket.
    public init(_ limit: RateLimit, timekeeper: Timekeeper = .system) {
        self.limit = Mutex(limit)
        self.timekeeper = timekeeper
    }

    /// Returns when the next request may be sent.
    ///
    /// - Throws: `CancellationError`.
    public func wait() async throws {
        let delay = limit.withLock { $0.take(at: timekeeper.now()) }
        if delay > .zero { try await timekeeper.sleep(delay) }
    }
}

/// A token bucket: so many requests at once, then one each `interval`. Pure; the clock is the caller's.
///
/// It holds the moment at which the bucket will be full again instead of a count of tokens:
/// no fraction is ever rounded, so no wait drifts.
struct RateLimit: Hashable, Sendable {
    /// The time in which one token drips in.
    let interval: Duration
    /// Requests that may go off without a wait after a rest, from 1.
    let burst: Int
    private var fullAgain = Duration.zero

    /// A full bucket.
    init(every interval: Duration, burst: Int = 1) {
        self.interval = max(.zero, interval)
        self.burst = max(1, burst)
    }

    /// Takes a token, which may be one that has yet to drip in: the wait until it is there.
    ///
    /// Whoever takes one and then does not use it has slowed the others down by one interval, no more.
    mutating func take(at now: Duration) -> Duration {
        let missing = max(.zero, fullAgain - now)
        fullAgain = max(fullAgain, now) + interval
        return max(.zero, missing - interval * (burst - 1))
    }
}

/// A token bucket: a burst, then one token per `interval`. Pure; the caller has the clock.
///
/// It stores when the bucket will be full again, not a count of tokens: no fraction is rounded, so no wait drifts.
struct RateLimit: Hashable, Sendable {
    let interval: Duration
    /// Tokens that need not be waited for after a rest, from 1.
    let burst: Int
    private var fullAgain = Duration.zero

    init(every interval: Duration, burst: Int = 1) {
        (self.interval, self.burst) = (max(.zero, interval), max(1, burst))
    }

    /// Takes tokens, possibly future ones, and returns the wait until all of them are available. One that is taken and
    /// then not used delays the others by one interval, no more.
    mutating func take(_ count: Int = 1, at now: Duration) -> Duration {
        fullAgain = max(fullAgain, now) + interval * count
        return max(.zero, fullAgain - now - interval * burst)
    }
}

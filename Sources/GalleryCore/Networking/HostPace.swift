import Synchronization

/// The hosts that asked to be left alone, and until when; shared by everything that sends.
public final class HostPauses: Sendable {
    /// A wait that a host asked for.
    public struct Pause: Hashable, Sendable {
        /// How long the wait still lasts.
        public let remaining: Duration
        /// The status that asked for it, 429 or 503.
        public let status: Int
    }

    private struct Entry {
        let until: Duration
        let status: Int
    }

    private let timekeeper: Timekeeper
    private let entries = Mutex<[String: Entry]>([:])
    /// The end of the last pause that was announced, by host.
    private let told = Mutex<[String: Duration]>([:])

    /// Creates an instance without any pause.
    public init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect.
    public func pause(_ host: String, for duration: Duration, status: Int) {
        let until = timekeeper.now() + duration
        entries.withLock { entries in
            if until > entries[host]?.until ?? .zero { entries[host] = Entry(until: until, status: status) }
        }
    }

    /// The rest of the pause of `host`; `nil` where requests may be sent.
    public func pause(of host: String) -> Pause? {
        let now = timekeeper.now()
        return entries.withLock { entries in
            guard let entry = entries[host] else { return nil }
            guard entry.until > now else {
                entries[host] = nil
                return nil
            }
            return Pause(remaining: entry.until - now, status: entry.status)
        }
    }

    /// The rest of the pause of `request`'s host, for the first caller only, which announces it; the others
    /// just wait.
    public func news(of request: HTTPRequest) -> Pause? {
        let host = WebOrigin(request.url).host
        guard let pause = pause(of: host) else { return nil }
        // Requests in flight when it began ask for the same again, a little later.
        let end = timekeeper.now() + pause.remaining
        let isNews = told.withLock { told in
            guard end > (told[host] ?? .zero) + .milliseconds(200) else { return false }
            told[host] = end
            return true
        }
        return isNews ? pause : nil
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

import Foundation
import Synchronization

/// When the bytes of all transfers have to wait to stay within a rate: a token bucket, as a pure value.
struct TokenBucket: Hashable {
    /// Bytes per second, from 1.
    let rate: Int
    /// How far transfers may be ahead after a pause.
    let burst: Duration
    /// When everything taken so far is paid for.
    private var paid: Duration?

    init(rate: Int, burst: Duration = .milliseconds(250)) {
        self.rate = max(1, rate)
        self.burst = burst
    }

    /// Takes `count` bytes and returns how long to wait before taking more.
    ///
    /// - Parameter now: monotonic time.
    mutating func take(_ count: Int, at now: Duration) -> Duration {
        let start = now - burst
        let next = max(paid ?? start, start) + .seconds(Double(count) / Double(rate))
        paid = next
        return max(.zero, next - now)
    }
}

/// Limits the bytes per second of all transfers of a downloader together.
final class BandwidthLimit: Sendable {
    /// Bytes per second.
    let rate: Int
    private let bucket: Mutex<TokenBucket>
    private let start = ContinuousClock.now

    init(rate: Int) {
        self.rate = rate
        bucket = Mutex(TokenBucket(rate: rate))
    }

    /// Blocks until `count` received bytes are within the limit, which holds the sender back.
    ///
    /// For sinks only: transports pass bytes to them on threads of their own, never on those that tasks share.
    func wait(for count: Int) {
        let delay = bucket.withLock { $0.take(count, at: start.duration(to: .now)) }
        guard delay > .zero else { return }
        // While it sleeps nothing is read from the host, so that the host sends no faster.
        Thread.sleep(forTimeInterval: delay / .seconds(1))  // On purpose: the thread is the transport's own.
    }

    /// How many of `jobs` transfers can run so that each receives something well within its idle timeout.
    func jobs(_ jobs: Int, idleTimeout: Int) -> Int {
        // Transports deliver 16 KiB at a time.
        let possible = Double(rate) * Double(idleTimeout) / (4 * 16_384)
        return possible < Double(jobs) ? max(1, Int(possible)) : jobs
    }
}

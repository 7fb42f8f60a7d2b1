import Foundation
import Synchronization

/// Limits the bytes per second of all transfers of a downloader together.
final class BandwidthLimit: Sendable {
    let rate: Int
    private let bucket: Mutex<RateLimit>
    private let start = ContinuousClock.now

    init(rate: Int) {
        self.rate = rate
        // A quarter of a second's bytes after a pause.
        bucket = Mutex(RateLimit(every: .seconds(1) / max(1, rate), burst: rate / 4))
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

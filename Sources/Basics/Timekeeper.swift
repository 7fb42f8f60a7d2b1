import Foundation

/// Clock and randomness, injectable for tests.
package struct Timekeeper: Sendable {
    /// Monotonic time since an arbitrary moment.
    package let now: @Sendable () -> Duration
    /// The current date, for dates in headers.
    package let date: @Sendable () -> Date
    /// Sleeps; throws `CancellationError` if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 up to 1.
    package let chance: @Sendable () -> Double

    /// A timekeeper with the given clock, dates and random numbers.
    package init(
        clock: some Clock<Duration>, date: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        (self.date, self.chance) = (date, chance)
    }

    /// The number of the day, from 1970.
    package var day: Int {
        // A clock may be set to anything.
        Int(min(max(0, date().timeIntervalSince1970 / 86_400), 1_000_000))
    }

    package static let system = Timekeeper(clock: ContinuousClock())
}

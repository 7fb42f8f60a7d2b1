import Foundation

/// Clock and randomness, injectable for tests.
public struct Timekeeper: Sendable {
    /// Monotonic time since an arbitrary moment.
    public let now: @Sendable () -> Duration
    /// The current date, for dates in headers.
    public let date: @Sendable () -> Date
    /// Sleeps; throws `CancellationError` if the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 up to 1.
    public let chance: @Sendable () -> Double

    /// A timekeeper with the given clock, dates and random numbers.
    public init(
        clock: some Clock<Duration>, date: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        self.date = date
        self.chance = chance
    }

    /// The system's clock and random numbers.
    public static let system = Timekeeper(clock: ContinuousClock())
}

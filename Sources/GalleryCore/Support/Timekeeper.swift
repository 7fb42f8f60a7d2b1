import Foundation

/// Time and chance, so that tests can hold both in their hand.
public struct Timekeeper: Sendable {
    /// Time since some fixed moment; never goes back.
    public let now: @Sendable () -> Duration
    /// The calendar's time, for dates in headers.
    public let date: @Sendable () -> Date
    /// Waits; throws `CancellationError` as soon as the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// Chance, from 0 up to 1.
    public let chance: @Sendable () -> Double

    /// Time by `clock`, dates and chance as given.
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

    /// The system's own.
    public static let system = Timekeeper(clock: ContinuousClock())
}

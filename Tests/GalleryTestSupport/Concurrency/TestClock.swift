/// A clock that stands still until a test advances it.
///
///     let clock = TestClock()
///     async let reply = loader.load(retryingOn: clock)
///     try await clock.waitForSleepers(1)
///     clock.advance(by: .seconds(1))
///     #expect(clock.sleeps == [.seconds(1)])
///
/// A test that only checks how long code slept uses ``skipping()``: a clock on
/// which every sleep ends at once and advances the time.
public final class TestClock: Clock {
    /// An instant, relative to the clock's creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock's creation.
        public var offset: Swift.Duration

        /// Creates an instant at an offset from the clock's creation.
        public init(offset: Swift.Duration = .zero) {
            self.offset = offset
        }

        /// The instant that is `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct State {
        var now = Instant()
        var deadlines: [Int: Instant] = [:]
        var sleeps: [Swift.Duration] = []
        var isSkipping: Bool
    }

    private let state: Watched<State>

    private init(isSkipping: Bool) {
        state = Watched(State(isSkipping: isSkipping))
    }

    /// Creates a clock at offset zero that only ``advance(by:)`` moves.
    public convenience init() {
        self.init(isSkipping: false)
    }

    /// Creates a clock that advances itself to the end of each sleep.
    public static func skipping() -> TestClock {
        TestClock(isSkipping: true)
    }

    /// The clock's current instant.
    public var now: Instant { state.value.now }
    /// Zero: every deadline is met exactly.
    public var minimumResolution: Swift.Duration { .zero }

    /// The duration of every sleep so far, in the order requested.
    public var sleeps: [Swift.Duration] { state.value.sleeps }

    /// Sleeps until the clock reaches the deadline; throws if the task is canceled first.
    ///
    /// No real time passes: a test advances this clock, or ``skipping()`` makes it advance itself.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try Task.checkCancellation()
        let id = state.update { state in
            state.sleeps.append(state.now.duration(to: deadline))
            if state.isSkipping { state.now = max(state.now, deadline) }
            if state.now < deadline { state.deadlines[state.sleeps.count] = deadline }
            return state.sleeps.count
        }
        defer { state.update { $0.deadlines[id] = nil } }
        try await state.first { $0.now >= deadline }
    }

    /// Sleeps for `duration` on this clock; throws if the task is canceled first.
    /// Like ``sleep(until:tolerance:)``, without real time.
    public func pass(_ duration: Swift.Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }

    /// Advances the time and wakes every task whose deadline has passed, earliest first.
    ///
    /// A woken task that sleeps again counts from the new time: between
    /// two calls, wait for it with ``waitForSleepers(_:)``.
    public func advance(by duration: Swift.Duration) {
        let target = now.advanced(by: duration)
        while let deadline = state.value.deadlines.values.min(), deadline <= target {
            move(to: deadline)
        }
        move(to: target)
    }

    /// Wakes all tasks, and from now on advances itself to the end of each sleep.
    public func skip() {
        state.update { $0.isSkipping = true }
        if let last = state.value.deadlines.values.max() { move(to: last) }
    }

    /// Waits until at least `count` tasks are sleeping.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func waitForSleepers(_ count: Int) async throws(CancellationError) {
        try await state.first { $0.deadlines.count >= count }
    }

    private func move(to instant: Instant) {
        state.update { state in
            state.now = max(state.now, instant)
            let now = state.now
            state.deadlines = state.deadlines.filter { $0.value > now }
        }
    }
}

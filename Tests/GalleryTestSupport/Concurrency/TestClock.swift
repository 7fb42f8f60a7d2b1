/// A clock that stands still until a test moves it.
///
///     let clock = TestClock()
///     async let reply = loader.load(retryingOn: clock)
///     try await clock.waitForSleepers(1)
///     clock.advance(by: .seconds(1))
///     #expect(clock.sleeps == [.seconds(1)])
///
/// A test that only asks how long was slept takes ``skipping()``, a clock on
/// which every sleep ends at once and moves the time.
public final class TestClock: Clock {
    /// A moment, counted from the clock's creation.
    public struct Instant: InstantProtocol {
        /// Time since the clock was made.
        public var offset: Swift.Duration

        /// The moment this long after the clock was made.
        public init(offset: Swift.Duration = .zero) {
            self.offset = offset
        }

        /// The moment this much later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from here to there.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Whether it comes earlier.
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

    /// A clock at offset zero that only ``advance(by:)`` moves.
    public convenience init() {
        self.init(isSkipping: false)
    }

    /// A clock that moves itself to the end of each sleep.
    public static func skipping() -> TestClock {
        TestClock(isSkipping: true)
    }

    /// The moment the clock shows.
    public var now: Instant { state.value.now }
    /// Zero: every deadline is met exactly.
    public var minimumResolution: Swift.Duration { .zero }

    /// How many tasks sleep at this moment.
    public var sleeperCount: Int { state.value.deadlines.count }

    /// Every sleep asked for so far, in order of asking, as lengths.
    public var sleeps: [Swift.Duration] { state.value.sleeps }

    /// Returns once the clock shows the deadline; throws when the task is cancelled first.
    ///
    /// No real time is waited for: a test moves this clock by hand, or ``skipping()`` makes it move itself.
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

    /// Returns once the clock shows this much more; throws when the task is cancelled first. As
    /// ``sleep(until:tolerance:)``, without real time.
    public func pass(_ duration: Swift.Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }

    /// Moves the time and wakes, earliest first, all whose deadline it passes.
    ///
    /// A woken task that goes to sleep again counts from the new time: between
    /// two moves wait for it with ``waitForSleepers(_:)``.
    public func advance(by duration: Swift.Duration) {
        let target = now.advanced(by: duration)
        while let deadline = state.value.deadlines.values.min(), deadline <= target {
            move(to: deadline)
        }
        move(to: target)
    }

    /// Wakes all, and from now on moves itself to the end of each sleep.
    public func skip() {
        state.update { $0.isSkipping = true }
        if let last = state.value.deadlines.values.max() { move(to: last) }
    }

    /// Returns once at least this many tasks sleep.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
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

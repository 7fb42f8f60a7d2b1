/// Counts from any task or thread and remembers the peak.
///
/// Incremented on entry and decremented on exit, `peak` is the highest concurrency.
public final class Counter: Sendable {
    private struct State {
        var value = 0
        var peak = 0
    }

    private let state = Watched(State())

    /// Creates a counter at zero.
    public init() {}

    /// The current count.
    public var value: Int { state.value.value }

    /// The highest count so far.
    public var peak: Int { state.value.peak }

    /// Adds one and returns the new count.
    @discardableResult
    public func increment() -> Int {
        state.update { state in
            state.value += 1
            state.peak = max(state.peak, state.value)
            return state.value
        }
    }

    /// Subtracts one and returns the new count.
    @discardableResult
    public func decrement() -> Int {
        state.update { state in
            state.value -= 1
            return state.value
        }
    }

    /// Waits until the count is at least `count`.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func wait(for count: Int) async throws(CancellationError) {
        try await state.first { $0.value >= count }
    }
}

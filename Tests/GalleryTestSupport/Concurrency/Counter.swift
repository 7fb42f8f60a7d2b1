/// Counts from any task or thread, and remembers the highest it reached.
///
/// Counted up on entry and down on exit, `peak` is how many were inside at once.
public final class Counter: Sendable {
    private struct State {
        var value = 0
        var peak = 0
    }

    private let state = Watched(State())

    /// A counter at zero.
    public init() {}

    /// The count at this moment.
    public var value: Int { state.value.value }

    /// The highest count there ever was.
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

    /// Takes one away and returns the new count.
    @discardableResult
    public func decrement() -> Int {
        state.update { state in
            state.value -= 1
            return state.value
        }
    }

    /// Returns once the count is at least this.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait(for count: Int) async throws(CancellationError) {
        try await state.first { $0.value >= count }
    }
}

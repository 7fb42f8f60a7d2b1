/// Holds tasks, and the server's stalled replies, until somebody opens it.
///
///     let gate = Gate()
///     async let first = loader.load { try await gate.wait(); return 7 }
///     try await gate.waitForWaiters(1)
///     gate.open()
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters = 0
    }

    private let state = Watched(State())

    /// A closed gate.
    public init() {}

    /// Whether ``open()`` was called.
    public var isOpen: Bool { state.value.isOpen }

    /// How many are being held at this moment.
    public var waiterCount: Int { state.value.waiters }

    /// Lets everybody through, now and from now on.
    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Returns once the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait() async throws(CancellationError) {
        state.update { $0.waiters += 1 }
        defer { state.update { $0.waiters -= 1 } }
        try await state.first { $0.isOpen }
    }

    /// Returns once at least this many are being held.
    public func waitForWaiters(_ count: Int) async throws(CancellationError) {
        try await state.first { $0.waiters >= count }
    }

    /// Calls back when the gate opens; until then the caller counts as held.
    func whenOpen(_ action: @escaping @Sendable () -> Void) {
        state.update { $0.waiters += 1 }
        state.once({ $0.isOpen }) { [state] in
            state.update { $0.waiters -= 1 }
            action()
        }
    }
}

/// Holds tasks, and stalled replies of the server, until it is opened.
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

    /// Creates a closed gate.
    public init() {}

    /// Whether ``open()`` has been called.
    public var isOpen: Bool { state.value.isOpen }

    /// The current number of waiters.
    public var waiterCount: Int { state.value.waiters }

    /// Releases all current and future waiters.
    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func wait() async throws(CancellationError) {
        state.update { $0.waiters += 1 }
        defer { state.update { $0.waiters -= 1 } }
        try await state.first { $0.isOpen }
    }

    /// Waits until there are at least `count` waiters.
    public func waitForWaiters(_ count: Int) async throws(CancellationError) {
        try await state.first { $0.waiters >= count }
    }

    /// Calls `action` when the gate opens; the caller counts as a waiter until then.
    func whenOpen(_ action: @escaping @Sendable () -> Void) {
        state.update { $0.waiters += 1 }
        state.once({ $0.isOpen }) { [state] in
            state.update { $0.waiters -= 1 }
            action()
        }
    }
}

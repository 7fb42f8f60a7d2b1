/// A value that tasks can wait on; every wait in the tests is built on it.
///
/// Nothing here polls or sleeps. A wait whose condition never holds ends when its
/// task is canceled, as Swift Testing's `.timeLimit` trait does.
///
///     let finished = Watched(0)
///     finished.update { $0 += 1 }
///     try await finished.first { $0 >= 3 }
public final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        let condition: @Sendable (Value) -> Bool
        let resume: @Sendable (Value?) -> Void
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var lastID = 0
    }

    private let state: Locked<State>

    /// Creates a watched value.
    public init(_ value: Value) {
        state = Locked(State(value: value))
    }

    /// The current value.
    public var value: Value {
        state.withLock { $0.value }
    }

    /// Changes the value and resumes, in order of arrival, the waiters whose condition now holds.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, value, satisfied) = state.withLock { state in
            let result = change(&state.value)
            let value = state.value
            let satisfied = state.waiters.filter { $0.condition(value) }
            let ids = Set(satisfied.map(\.id))
            state.waiters.removeAll { ids.contains($0.id) }
            return (result, value, satisfied.map(\.resume))
        }
        // Outside the lock: a resumed waiter may read the value at once.
        for resume in satisfied { resume(value) }
        return result
    }

    /// The first value, present or future, that satisfies the condition.
    ///
    /// - Throws: `CancellationError` if the waiting task is canceled first.
    @discardableResult
    public func first(
        where condition: @escaping @Sendable (Value) -> Bool
    ) async throws(CancellationError) -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let value: Value? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(id, condition) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            leave(id)
        }
        guard let value else { throw CancellationError() }
        return value
    }

    /// Like ``first(where:)``, but keeps waiting in a canceled task: for cleanup.
    @discardableResult
    public func firstIgnoringCancellation(
        where condition: @escaping @Sendable (Value) -> Bool
    ) async -> Value? {
        await Task { try? await first(where: condition) }.value
    }

    /// Calls `action` once, on whichever thread makes the condition true: for threads, which cannot await.
    func once(_ condition: @escaping @Sendable (Value) -> Bool, do action: @escaping @Sendable () -> Void) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        add(id, condition) { _ in action() }
    }

    private func add(
        _ id: Int, _ condition: @escaping @Sendable (Value) -> Bool,
        resume: @escaping @Sendable (Value?) -> Void
    ) {
        let immediate: Value?? = state.withLock { state in
            if condition(state.value) { return .some(state.value) }
            // A task canceled before this point has already called `leave`,
            // which found no waiter; only the task's flag still tells.
            if Task.isCancelled { return .some(nil) }
            state.waiters.append(Waiter(id: id, condition: condition, resume: resume))
            return nil
        }
        if let immediate { resume(immediate) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.resume(nil)
    }
}

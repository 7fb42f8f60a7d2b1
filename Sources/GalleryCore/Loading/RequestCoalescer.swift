/// Shares one load among all who request the same value at the same time.
///
/// A canceled waiter leaves at once, and the load continues for the others; when the last one has left, the load is
/// canceled. Nothing is kept after a load has ended.
actor RequestCoalescer<Key: Hashable & Sendable, Value: Sendable> {
    private struct Flight {
        let number: Int
        let load: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private var flights: [Key: Flight] = [:]
    private var lastNumber = 0

    func waiterCount(for key: Key) -> Int { flights[key]?.waiters.count ?? 0 }

    /// What `load` gives, or what the load that already runs for `key` gives; throws the load's error, or
    /// `CancellationError` as soon as the calling task is cancelled.
    func value(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = nextNumber()
        return try await withTaskCancellationHandler {
            // Whoever was cancelled before this line starts no load: `leave` may have come and gone.
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                var flight = flights[key] ?? start(load, for: key)
                flight.waiters[waiter] = continuation
                flights[key] = flight
            }
        } onCancel: {
            // Cannot come between the check and the registration: the actor is not released from one to the other.
            Task { await self.leave(key, waiter) }
        }
    }

    private func start(_ load: @escaping @Sendable () async throws -> Value, for key: Key) -> Flight {
        let number = nextNumber()
        // Not a child of the first waiter's task: the others' wish outlives its cancellation.
        let task = Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await load()) } catch { outcome = .failure(error) }
            land(key, number, outcome)
        }
        return Flight(number: number, load: task)
    }

    private func land(_ key: Key, _ number: Int, _ outcome: Result<Value, any Error>) {
        // A load that everybody left may land after a new one has taken its key.
        guard flights[key]?.number == number, let flight = flights.removeValue(forKey: key) else { return }
        for waiter in flight.waiters.values { waiter.resume(with: outcome) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        // The load may have landed meanwhile, which has resumed everybody.
        guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
        continuation.resume(throwing: CancellationError())
        guard flights[key]?.waiters.isEmpty == true else { return }
        // Forgotten before it ends: a wish that comes now must not join a load that is given up.
        flights.removeValue(forKey: key)?.load.cancel()
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

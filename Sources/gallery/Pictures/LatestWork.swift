import Synchronization

/// The result of the work that was asked for last, kept until other work is.
///
/// Those who ask for the same share it. All of them leave together: who cancels does so for the others, too.
final class LatestWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Work: Sendable {
        let key: Key
        let task: Task<Value, Never>
    }

    private let latest = Mutex<Work?>(nil)

    /// The result for a key: the kept one, or that of `work`.
    func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = latest.withLock { latest in
            if let latest, latest.key == key, !latest.task.isCancelled { return latest.task }
            latest?.task.cancel()
            let task = Task { await work() }
            latest = Work(key: key, task: task)
            return task
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    var isEmpty: Bool { latest.withLock { $0 == nil } }

    /// Forgets the result, so that the next one is made anew.
    func forget() { latest.withLock { $0 = nil } }
}

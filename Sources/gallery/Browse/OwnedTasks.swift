import Synchronization

/// Tasks that end with their owner.
final class OwnedTasks: Sendable {
    private struct State {
        var running: [Int: Task<Void, Never>] = [:]
        var last = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Runs `work`, unless ``end()`` was called.
    func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.last += 1
            let number = state.last
            state.running[number] = Task {
                await work()
                self.state.withLock { $0.running[number] = nil }
            }
        }
    }

    /// Runs `work` after a while.
    func run(after duration: Duration, _ work: @escaping @Sendable () -> Void) {
        run { if (try? await Task.sleep(for: duration)) != nil { work() } }
    }

    /// Cancels all tasks, and returns once they have ended.
    func end() async {
        let running = state.withLock { state in
            state.isOver = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }
}

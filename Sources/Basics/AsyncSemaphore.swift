import Synchronization

/// Limits how many tasks proceed at once; the others wait in order.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Numbers of tasks that have left before they waited.
        var gone: Set<Int> = []
        /// The number of the last task that came, and of the last that waits no more.
        var last = 0
        var served = 0

        mutating func takeNext() -> CheckedContinuation<Bool, Never>? {
            while served < last {
                served += 1
                if let waiter = waiting.removeValue(forKey: served) { return waiter }
            }
            return nil
        }
    }

    private let state: Mutex<State>

    /// A semaphore with `slots`; with 0 it is closed until ``leave()`` is called.
    package init(_ slots: Int) { state = Mutex(State(free: slots)) }

    /// Waits for a slot. Returns false, without a slot, if the task is cancelled.
    package func enter() async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        // The cancellation may have come after the slot was granted.
        defer { state.withLock { _ = $0.gone.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { state -> Bool? in
                    if state.gone.remove(number) != nil { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting[number] = waiter
                    // A later one may have been let in since this one came.
                    state.served = min(state.served, number - 1)
                    return nil
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                // If it is not waiting yet, it will find this and not wait.
                if state.waiting[number] == nil { state.gone.insert(number) }
                return state.waiting.removeValue(forKey: number)
            }
            waiter?.resume(returning: false)
        }
    }

    /// Returns a slot, to the next waiting task if there is one.
    package func leave() {
        let waiter = state.withLock { state in
            let waiter = state.takeNext()
            if waiter == nil { state.free += 1 }
            return waiter
        }
        waiter?.resume(returning: true)
    }
}

import Synchronization

/// Limits how many tasks proceed at once; the others wait in order.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// The numbers of waiting tasks, and of some that have left.
        var order: [Int] = []
        var head = 0
        var next = 0
        var gone: Set<Int> = []

        mutating func compact() {
            guard head > 64, head * 2 > order.count else { return }
            order.removeFirst(head)
            head = 0
        }
    }

    private let state: Mutex<State>

    /// A semaphore with `slots`; with 0 it is closed until ``leave()`` is called.
    init(_ slots: Int) {
        state = Mutex(State(free: slots))
    }

    /// Waits for a slot. Returns false, without a slot, if the task is cancelled.
    func enter() async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
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
                    state.order.append(number)
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
    func leave() {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while state.head < state.order.count {
                let number = state.order[state.head]
                state.head += 1
                if let waiter = state.waiting.removeValue(forKey: number) {
                    state.compact()
                    return waiter
                }
            }
            state.order.removeAll(keepingCapacity: true)
            state.head = 0
            state.free += 1
            return nil
        }
        waiter?.resume(returning: true)
    }
}

import Synchronization

/// Lets a fixed number through at once; the others wait in order.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// The numbers of those who wait, and of some who left.
        var order: [Int] = []
        var head = 0
        var next = 0
        var gone: Set<Int> = []

        mutating func forgetServed() {
            guard head > 64, head * 2 > order.count else { return }
            order.removeFirst(head)
            head = 0
        }
    }

    private let state: Mutex<State>

    /// A gate with `slots`, from 0: then it is closed until somebody gives it one.
    init(_ slots: Int) {
        state = Mutex(State(free: slots))
    }

    /// Waits for a slot; false, and no slot, where the task is cancelled meanwhile.
    func enter() async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        // A cancellation may come after the slot: its mark is of no use to anyone then.
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
                // The waiter may not have come yet: then it finds that it need not.
                if state.waiting[number] == nil { state.gone.insert(number) }
                return state.waiting.removeValue(forKey: number)
            }
            waiter?.resume(returning: false)
        }
    }

    /// Gives a slot back: to the next in order, if someone waits.
    func leave() {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while state.head < state.order.count {
                let number = state.order[state.head]
                state.head += 1
                if let waiter = state.waiting.removeValue(forKey: number) {
                    state.forgetServed()
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

import Synchronization

/// Lets tasks through one by one in the order in which they were announced, whoever is ready first.
final class Turns: Sendable {
    private struct State {
        var issued = 0
        var current = 0
        /// Those after the current one that have ended already.
        var ended: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var gone: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The next turn in order. Every one must be ended, or nobody after it has theirs.
    func next() -> Turn {
        state.withLock { state in
            defer { state.issued += 1 }
            return Turn(number: state.issued, turns: self)
        }
    }

    fileprivate func isCurrent(_ number: Int) -> Bool {
        state.withLock { number <= $0.current }
    }

    fileprivate func wait(for number: Int) async -> Bool {
        // A cancellation may come after the turn: its mark is of no use to anyone then.
        defer { state.withLock { _ = $0.gone.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { state -> Bool? in
                    if state.gone.remove(number) != nil { return false }
                    if number <= state.current { return true }
                    state.waiting[number] = waiter
                    return nil
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if state.waiting[number] == nil { state.gone.insert(number) }
                return state.waiting.removeValue(forKey: number)
            }
            waiter?.resume(returning: false)
        }
    }

    fileprivate func end(_ number: Int) {
        let waiter = state.withLock { state in
            guard number >= state.current else { return nil as CheckedContinuation<Bool, Never>? }
            state.ended.insert(number)
            while state.ended.remove(state.current) != nil { state.current += 1 }
            return state.waiting.removeValue(forKey: state.current)
        }
        waiter?.resume(returning: true)
    }
}

/// One task's place in the order.
struct Turn: Sendable {
    fileprivate let number: Int
    fileprivate let turns: Turns

    /// Whether all before it have ended.
    var isCurrent: Bool { turns.isCurrent(number) }

    /// Returns once all before it have ended; false where the task is cancelled meanwhile.
    func wait() async -> Bool { await turns.wait(for: number) }

    /// Lets the next one through, once all before this one have ended too.
    func end() { turns.end(number) }
}

import Synchronization

/// Lets tasks through one by one in the order in which they were announced, whoever is ready first.
final class OrderedTurns: Sendable {
    private struct State {
        var issued = 0
        var current = 0
        /// Those after the current one that have ended already.
        var ended: Set<Int> = []
        /// Of the current one and those after it, each closed until its turn.
        var gates: [Int: AsyncSemaphore] = [:]
    }

    private let state = Mutex(State())

    /// The next turn in order. Every one must be ended, or nobody after it has theirs.
    func next() -> Turn {
        state.withLock { state in
            let number = state.issued
            let gate = AsyncSemaphore(number == state.current ? 1 : 0)
            state.gates[number] = gate
            state.issued += 1
            return Turn(number: number, gate: gate, turns: self)
        }
    }

    fileprivate func isCurrent(_ number: Int) -> Bool {
        state.withLock { number <= $0.current }
    }

    fileprivate func end(_ number: Int) {
        let next = state.withLock { state -> AsyncSemaphore? in
            guard state.gates.removeValue(forKey: number) != nil else { return nil }
            state.ended.insert(number)
            guard number == state.current else { return nil }
            while state.ended.remove(state.current) != nil { state.current += 1 }
            return state.gates[state.current]
        }
        next?.leave()
    }
}

/// One task's place in the order.
struct Turn: Sendable {
    fileprivate let number: Int
    fileprivate let gate: AsyncSemaphore
    fileprivate let turns: OrderedTurns

    /// Whether all before it have ended.
    var isCurrent: Bool { turns.isCurrent(number) }

    /// Returns once all before it have ended; false where the task is cancelled meanwhile.
    func wait() async -> Bool {
        guard await gate.enter() else { return false }
        // It may be waited for again: a file that could not be written is tried once more.
        gate.leave()
        return true
    }

    /// Lets the next one through, once all before this one have ended too.
    func end() { turns.end(number) }
}

import Synchronization

/// Lets tasks through one by one in a fixed order, whichever is ready first.
final class OrderedTurns: Sendable {
    fileprivate struct State {
        var issued = 0
        var current = 0
        var ended: Set<Int> = []
        /// For the current turn and later ones, each closed until its turn comes.
        var gates: [Int: AsyncSemaphore] = [:]
    }

    fileprivate let state = Mutex(State())

    /// The next turn in order. Each must be ended, or no later one will come.
    func next() -> Turn {
        state.withLock { state in
            let number = state.issued
            let gate = AsyncSemaphore(number == state.current ? 1 : 0)
            state.gates[number] = gate
            state.issued += 1
            return Turn(number: number, gate: gate, turns: self)
        }
    }
}

struct Turn: Sendable {
    fileprivate let number: Int
    fileprivate let gate: AsyncSemaphore
    fileprivate let turns: OrderedTurns

    var isCurrent: Bool { turns.state.withLock { number <= $0.current } }

    /// Waits until all earlier turns have ended. Returns false if the task is cancelled.
    func wait() async -> Bool {
        guard await gate.enter() else { return false }
        // So that it can be waited for again, when a file is retried.
        gate.leave()
        return true
    }

    func end() {
        let next = turns.state.withLock { state -> AsyncSemaphore? in
            guard state.gates.removeValue(forKey: number) != nil else { return nil }
            state.ended.insert(number)
            guard number == state.current else { return nil }
            while state.ended.remove(state.current) != nil { state.current += 1 }
            return state.gates[state.current]
        }
        next?.leave()
    }
}

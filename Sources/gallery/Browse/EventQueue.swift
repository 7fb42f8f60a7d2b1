import Synchronization

/// Events in the order in which they came; whoever takes them takes all that are there.
///
/// So a fast run of key presses becomes one move, and one drawing.
final class EventQueue<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func send(_ event: Event) {
        let waiter = state.withLock { state in
            state.events.append(event)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// What has come since the last call; waits for the first. For one caller.
    func next() async -> [Event] {
        await withCheckedContinuation { waiter in
            let isReady = state.withLock { state in
                guard state.events.isEmpty else { return true }
                state.waiter = waiter
                return false
            }
            if isReady { waiter.resume() }
        }
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }
}

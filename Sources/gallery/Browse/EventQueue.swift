import Synchronization

/// Events in their order of arrival, taken in batches: a burst of key presses becomes one move and one redraw.
final class EventQueue: Sendable {
    private let events = Mutex<[BrowseSession.Event]>([])
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func send(_ event: BrowseSession.Event) {
        events.withLock { $0.append(event) }
        wake.yield()
    }

    /// The events since the last call; waits for the first. There must be one caller only.
    func next() async -> [BrowseSession.Event] {
        for await _ in wakes {
            let events = waiting
            if !events.isEmpty { return events }
        }
        return []
    }

    /// The events since the last call.
    var waiting: [BrowseSession.Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    func change(_ change: @escaping @Sendable (inout BrowseModel) -> Void) {
        send(
            .change { model in
                change(&model)
                return []
            })
    }
}

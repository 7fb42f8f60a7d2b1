import Foundation
import Synchronization

extension APIClient {
    /// What all clients of a process have in common: hosts that asked to wait, the cache, requests
    /// that are under way, and whose turn it is at which host.
    package actor Shared {
        /// Hosts that asked to be left alone: for a ``Downloader`` to respect too.
        package nonisolated let pauses: HostPauses
        /// Replies on disk, if any are kept.
        package nonisolated let cache: DiskCache?

        private nonisolated let reuse = Mutex(false)
        nonisolated let timekeeper: Timekeeper
        nonisolated let flights = RequestCoalescer<HTTPRequest, Result<HTTPReply, ServiceError>>()

        private struct DoorKey: Hashable {
            let host: String
            let policy: ServicePolicy
        }

        private var doors: [DoorKey: ServiceDoor] = [:]
        /// Cursors that services gave in this process, by what their feed is known by.
        private var cursors: [HTTPRequest: FeedCursors] = [:]

        /// Nothing under way; without a cache, nothing is kept.
        ///
        /// - Parameter timekeeper: time and chance, for tests.
        package init(cache: DiskCache? = nil, timekeeper: Timekeeper = .system) {
            self.cache = cache
            self.timekeeper = timekeeper
            pauses = HostPauses(timekeeper: timekeeper)
        }

        /// Whether any reply came from the cache, so that addresses in it may have expired.
        nonisolated var hasReused: Bool { reuse.withLock(\.self) }

        nonisolated func noteReuse() { reuse.withLock { $0 = true } }

        func door(to host: String, _ policy: ServicePolicy) -> ServiceDoor {
            let key = DoorKey(host: host, policy: policy)
            let door = doors[key] ?? ServiceDoor(policy)
            doors[key] = door
            return door
        }

        func cursors(of feed: HTTPRequest) -> FeedCursors { cursors[feed] ?? FeedCursors() }

        func keep(_ known: FeedCursors, of feed: HTTPRequest) { cursors[feed] = known }
    }
}

/// A service's door: so many inside at once, and one after the other at its pace.
actor ServiceDoor {
    /// Who is inside.
    nonisolated let slots: AsyncSemaphore
    private var rate: RateLimit?

    init(_ policy: ServicePolicy) {
        slots = AsyncSemaphore(policy.requestsAtOnce)
        rate = policy.rate
    }

    /// Takes the next turn: how long it is until then.
    func turn(at now: Duration) -> Duration { rate?.take(at: now) ?? .zero }
}

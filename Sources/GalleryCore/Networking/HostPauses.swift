import Synchronization

/// Which hosts asked to be left alone, and until when; one for everybody who sends.
public final class HostPauses: Sendable {
    /// A wait that a host asked for.
    public struct Pause: Hashable, Sendable {
        /// How long it still lasts.
        public let remaining: Duration
        /// The status that asked for it, 429 or 503.
        public let status: Int
    }

    private struct Entry {
        let until: Duration
        let status: Int
    }

    private let timekeeper: Timekeeper
    private let entries = Mutex<[String: Entry]>([:])
    /// The end of the last pause that was news, by host.
    private let told = Mutex<[String: Duration]>([:])

    /// No pauses yet.
    public init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    /// Leaves `host` alone for `duration`; a longer pause that stands already stays.
    public func pause(_ host: String, for duration: Duration, status: Int) {
        let until = timekeeper.now() + duration
        entries.withLock { entries in
            if until > entries[host]?.until ?? .zero { entries[host] = Entry(until: until, status: status) }
        }
    }

    /// What is left of the pause of `host`; `nil` where it may be asked.
    public func pause(of host: String) -> Pause? {
        let now = timekeeper.now()
        return entries.withLock { entries in
            guard let entry = entries[host] else { return nil }
            guard entry.until > now else {
                entries[host] = nil
                return nil
            }
            return Pause(remaining: entry.until - now, status: entry.status)
        }
    }

    /// What is left of the pause of the host that `request` goes to, for the first who meets it and tells it;
    /// the others only wait.
    public func news(of request: HTTPRequest) -> Pause? {
        let host = WebOrigin(request.url).host
        guard let pause = pause(of: host) else { return nil }
        // Those who were under way when it began have asked for the same again, a little later.
        let end = timekeeper.now() + pause.remaining
        let isNews = told.withLock { told in
            guard end > (told[host] ?? .zero) + .milliseconds(200) else { return false }
            told[host] = end
            return true
        }
        return isNews ? pause : nil
    }
}

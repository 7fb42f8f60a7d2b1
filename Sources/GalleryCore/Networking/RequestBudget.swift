/// How many more requests a service takes, as the head of a reply says.
///
/// Openverse sends `X-RateLimit-Limit-anon_burst: 20/min` and `X-RateLimit-Available-anon_burst: 19`, and the same
/// for a day; many others `X-RateLimit-Limit: 45` and `X-RateLimit-Remaining: 44`.
package struct RequestBudget: Hashable, Sendable {
    /// The time that a limit is for.
    enum Period: String, CaseIterable {
        case second, minute, hour, day

        /// The period that hosts call so: in full, or as `min`, `m`.
        init?(named word: Substring) {
            let word = word.trimmingPrefix(" ").lowercased()
            let found = Self.allCases.first { period in
                let name = period.rawValue
                return [name, name + "s", String(name.prefix(3)), String(name.prefix(1))].contains(word)
            }
            guard let found else { return nil }
            self = found
        }

        var duration: Duration {
            switch self {
            case .second: .seconds(1)
            case .minute: .seconds(60)
            case .hour: .seconds(3600)
            case .day: .seconds(86_400)
            }
        }
    }

    /// Requests in each period, from 1.
    let limit: Int
    /// Requests left, from 0 to ``limit``.
    let left: Int
    /// `nil` if the service does not say.
    let period: Period?

    /// Those that a head has, the shortest period first; none of what makes no sense.
    static func all(in head: HTTPHead) -> [RequestBudget] {
        let prefix = "x-ratelimit-limit"
        let found = head.all.compactMap { name, value -> RequestBudget? in
            guard name.hasPrefix(prefix) else { return nil }
            let scope = name.dropFirst(prefix.count)
            let left = head["x-ratelimit-available\(scope)"] ?? head["x-ratelimit-remaining\(scope)"]
            return left.flatMap { RequestBudget(limit: value, left: $0) }
        }
        return found.sorted { one, other in
            let periods = (one.period?.duration ?? .zero, other.period?.duration ?? .zero)
            return periods.0 == periods.1 ? one.limit < other.limit : periods.0 < periods.1
        }
    }

    private init?(limit: String, left: String) {
        let parts = limit.split(separator: "/", maxSplits: 1)
        let period = parts.count == 2 ? Period(named: parts[1]) : nil
        guard let limit = parts.first.flatMap({ Self.count($0) }), let left = Self.count(left[...]),
            (1...Int(Int32.max)).contains(limit), left <= limit, parts.count == 1 || period != nil
        else { return nil }
        (self.limit, self.left, self.period) = (limit, left, period)
    }

    /// Digits alone: `Int` would take a sign.
    private static func count(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// How long to send nothing, since it would be refused: until one of the requests is too old to count, if they
    /// were spread evenly. If it takes longer, the service says so.
    var pause: Duration? { left == 0 ? period.map { $0.duration / limit } : nil }

    /// `19 of 20 per minute`.
    package var text: String { "\(left) of \(limit)" + (period.map { " per \($0.rawValue)" } ?? "") }
}

import Foundation

/// When to try again after a temporary fault: a pure function of what happened and of chance.
package struct RetryPolicy: Hashable, Sendable {
    /// Retries after a fault, from 0; progress restarts the count.
    package var retries: Int
    /// The longest first wait; each later one may take twice as long.
    package var first = Duration.milliseconds(500)
    /// The longest wait that the host did not ask for.
    package var longest = Duration.seconds(30)
    /// The longest wait that a host may ask for; one that asks for more is given up at once.
    static let longestAsked = Duration.seconds(3600)

    /// Creates a policy with this many retries, from 0.
    package init(retries: Int = 4) {
        self.retries = max(0, retries)
    }

    /// Returns the wait before the next try; `nil` where there is to be none.
    ///
    /// - Parameters:
    ///   - failures: Faults in a row before this one, from 0.
    ///   - asked: The host's `Retry-After` in seconds; `nil` where it asked for nothing sensible.
    ///   - chance: From 0 up to 1; spreads the tries of many over the second half of the wait.
    package func delay(failures: Int, asked: Int?, chance: Double) -> Duration? {
        guard failures < retries else { return nil }
        if let asked {
            let wish = Duration.seconds(asked)
            return wish <= Self.longestAsked ? wish : nil
        }
        let doubled = first * (1 << min(max(0, failures), 20))
        return min(doubled, longest) * (0.5 + 0.5 * min(1, max(0, chance)))
    }

    /// Whether a status is likely to be temporary: 408, 429, 500, 502 to 504, and 520 to 530, which hosts in
    /// front of others use for what these do not answer.
    package static func isPassing(status: Int) -> Bool {
        [408, 429, 500, 502, 503, 504].contains(status) || (520...530).contains(status)
    }

    /// Returns the seconds that a `Retry-After` asks for, in either of its forms: RFC 9110, 10.2.3.
    ///
    /// - Returns: From 0; `nil` for what is neither seconds nor a date. A date in the past is 0.
    package static func seconds(retryAfter field: String, now: Date) -> Int? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Too many digits ask for longer than anyone waits.
            return min(Int(text) ?? .max, 1 << 40)
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        return max(0, Int(min(date.timeIntervalSince(now).rounded(.up), 1e12)))
    }
}

/// A try that failed.
protocol FailedTry: Error {
    /// Whether another one may not.
    var isPassing: Bool { get }
    /// What the request met with, where there was no reply; its host may be down.
    var transportError: TransportError? { get }
    /// The seconds that the host asked for.
    var secondsAsked: Int? { get }
    /// Whether the reply was none of the host's good answers, but asked to wait.
    var isRefusal: Bool { get }
    /// How far it came, in bytes: progress restarts the count.
    var length: Int64 { get }
}

/// The tries of one request: the only loop around tries, and the only place that decides whether there is another one,
/// and when.
struct Tries {
    private let origin: WebOrigin
    private let paces: HostPaces
    private let timekeeper: Timekeeper
    private let policy: RetryPolicy
    private var failed: FailedTries
    private var farthest: Int64 = 0

    init(of request: HTTPRequest, retries: Int, _ paces: HostPaces, _ timekeeper: Timekeeper) {
        origin = WebOrigin(request.url)
        self.paces = paces
        self.timekeeper = timekeeper
        policy = RetryPolicy(retries: retries)
        failed = FailedTries(answers: paces.answers(of: origin.host))
    }

    /// What comes of `attempt`, made as often as it takes; the last failure where it is given up.
    ///
    /// - Parameters:
    ///   - attempt: Returns `nil` where nobody failed, so that it is made again at once.
    ///   - wait: Waits before the next one.
    mutating func run<Value, Failure: FailedTry>(
        _ attempt: () async throws(Failure) -> Value?,
        wait: (Duration, Failure) async throws(Failure) -> Void
    ) async throws(Failure) -> Value {
        while true {
            do throws(Failure) {
                if let value = try await attempt() { return value }
            } catch {
                guard error.isPassing, let delay = delay(after: error) else { throw error }
                try await wait(delay, error)
            }
        }
    }

    /// The wait before the next try; `nil` where there is to be none.
    private mutating func delay(after failure: some FailedTry) -> Duration? {
        if failure.length > farthest {
            failed.restart()
            farthest = failure.length
        }
        let failures = failed.add(isAsked: failure.isRefusal, answers: paces.answers(of: origin.host))
        let delay = policy.delay(
            failures: failures, asked: failure.secondsAsked, chance: timekeeper.chance())
        if delay == nil, let error = failure.transportError { paces.giveUp(origin, with: error) }
        return delay
    }
}

/// The failed tries of one request, for ``RetryPolicy``.
struct FailedTries: Hashable {
    /// In case a host refuses one request for ever and answers all others.
    private static let mostUncounted = 100

    /// Tries that count.
    private(set) var count = 0
    private var uncounted = 0
    private var answers: Int

    /// - Parameter answers: How many good answers the host has given, to anyone.
    init(answers: Int) {
        self.answers = answers
    }

    /// Adds a try, and returns how many count that failed before it.
    ///
    /// A wait that the host asked for is no failure as long as it answers others.
    mutating func add(isAsked: Bool, answers: Int) -> Int {
        defer { self.answers = answers }
        if isAsked, answers > self.answers, uncounted < Self.mostUncounted {
            uncounted += 1
            return 0
        }
        count += 1
        return count - 1
    }

    /// Progress was made.
    mutating func restart() { count = 0 }
}

/// Dates as HTTP writes them: RFC 9110, 5.6.7. Parsed by hand, since `DateFormatter` adds 8 ms to a start.
enum HTTPDate {
    /// The moment that a date names in any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT`, or `Sun Nov  6 08:49:37 1994`; `nil` for anything else.
    ///
    /// - Parameter now: A year of two digits is the last that is not over 50 years after this.
    static func parse(_ text: String, now: Date) -> Date? {
        let words = text.split(separator: " ")
        if words.count == 6, words[0].hasSuffix(","), words[5] == "GMT" {
            guard words[0].count == 4, let year = number(words[3], digits: 4) else { return nil }
            return date(year, words[2], number(words[1], digits: 2), words[4])
        }
        if words.count == 4, words[0].hasSuffix("day,"), words[3] == "GMT" {
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let year = number(parts[2], digits: 2) else { return nil }
            return date(fullYear(year, now: now), parts[1], number(parts[0], digits: 2), words[2])
        }
        guard words.count == 5, words[0].count == 3, let year = number(words[4], digits: 4) else {
            return nil
        }
        return date(year, words[1], number(words[2], digits: words[2].utf8.count), words[3])
    }

    /// The same with the present time.
    static func parse(_ text: String) -> Date? { parse(text, now: Date()) }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func date(_ year: Int, _ month: Substring, _ day: Int?, _ clock: Substring) -> Date? {
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { number($0, digits: 2) }
        guard let month = months.firstIndex(of: String(month)), let day, (1...31).contains(day), year >= 1970,
            clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        let days = dayNumber(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]))
    }

    private static func fullYear(_ digits: Int, now: Date) -> Int {
        let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
        let year = thisYear / 100 * 100 + digits
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard (1...4).contains(digits), text.utf8.count == digits,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// Days since 1970-01-01, counted in years that begin in March, so that a leap day is a year's last.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let daysBefore = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return year * 365 + year / 4 - year / 100 + year / 400 + daysBefore + day - 1 - 719_468
    }
}

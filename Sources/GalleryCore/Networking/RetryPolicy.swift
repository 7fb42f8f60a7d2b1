import Foundation

/// When to try again after a temporary fault.
package enum RetryPolicy {
    /// The longest first wait; each later one may take twice as long.
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(30)
    /// The longest wait that a host may ask for; one that asks for more is given up at once.
    static let longestAsked = Duration.seconds(3600)

    /// The wait before the next try, after `failures` faults in a row before this one, from 0; `nil` where they are as
    /// many as `retries`, or the host's `Retry-After` of `asked` seconds is too long. `chance`, from 0 up to 1, spreads
    /// the tries of many over the second half of the wait.
    static func delay(failures: Int, of retries: Int, asked: Int?, chance: Double) -> Duration? {
        guard failures < retries else { return nil }
        if let asked {
            let wish = Duration.seconds(asked)
            return wish <= longestAsked ? wish : nil
        }
        let doubled = first * (1 << min(max(0, failures), 20))
        return min(doubled, longest) * (0.5 + 0.5 * min(1, max(0, chance)))
    }

    /// Whether a status is likely to be temporary: 408, 429 and 420, 500, 502 to 504, 520 to 530, which hosts in front
    /// of others use for what these do not answer, and 202 of a picture that is still being made.
    package static func isPassing(status: Int) -> Bool {
        [202, 408, 420, 429, 500, 502, 503, 504].contains(status) || (520...530).contains(status)
    }
}

protocol FailedTry: Error {
    /// Whether another one may not.
    var isPassing: Bool { get }
    /// What the request met with, where there was no reply; its host may be down.
    var transportError: TransportError? { get }
    var secondsAsked: Int? { get }
    /// Whether the reply was none of the host's good answers, but asked to wait.
    var isRefusal: Bool { get }
    /// How far it came, in bytes: progress restarts the count.
    var length: Int64 { get }
    /// The request that met with it, where that was not the one that is tried.
    var asked: HTTPRequest? { get }
}

extension FailedTry {
    var asked: HTTPRequest? { nil }
}

/// The tries of one request: the only loop around tries, and the only code that decides whether and when to go on.
struct Tries {
    /// In case a host refuses one request for ever and answers all others.
    private static let mostUncounted = 100

    private var host: WebOrigin
    private let paces: HostPaces
    private let timekeeper: Timekeeper
    /// Retries after a fault, from 0; progress restarts the count.
    private let retries: Int
    /// Failed tries that count, and those that do not.
    private var failures = 0
    private var uncounted = 0
    /// How many good answers the host had given, to anyone, at the last failure.
    private var answers: Int
    private var farthest: Int64 = 0

    init(of request: HTTPRequest, retries: Int, _ paces: HostPaces, _ timekeeper: Timekeeper) {
        host = WebOrigin(request.url)
        (self.paces, self.timekeeper, self.retries) = (paces, timekeeper, retries)
        answers = paces.answers(of: host)
    }

    /// What comes of `attempt`, made as often as it takes: at once where it returns `nil`, since nothing is at fault,
    /// or after `wait`; the last failure where it is given up.
    mutating func run<Value, Failure: FailedTry>(
        _ attempt: () async throws(Failure) -> Value?, wait: (Duration, Failure) async throws(Failure) -> Void
    ) async throws(Failure) -> Value {
        while true {
            do throws(Failure) {
                if let value = try await attempt() { return value }
            } catch {
                note(error.asked)
                guard error.isPassing, let delay = delay(after: error) else {
                    if let error = error.transportError { paces.giveUp(host, with: error) }
                    throw error
                }
                try await wait(delay, error)
            }
        }
    }

    /// Another host was asked than the first request is for.
    private mutating func note(_ asked: HTTPRequest?) {
        guard let asked = asked.map({ WebOrigin($0.url) }), asked != host else { return }
        (host, answers) = (asked, 0)
    }

    private mutating func delay(after failure: some FailedTry) -> Duration? {
        if failure.length > farthest { (failures, farthest) = (0, failure.length) }
        let (before, chance) = (answers, timekeeper.chance())
        answers = paces.answers(of: host)
        // A wait that the host asked for is no failure as long as it answers others.
        let counts = !failure.isRefusal || answers == before || uncounted == Self.mostUncounted
        // Where nothing has ever answered, the tries of others are as good as its own.
        let shared = failure.transportError == nil ? nil : paces.sharedFailures(at: host)
        let delay = RetryPolicy.delay(
            failures: counts ? max(failures, shared ?? 0) : 0, of: retries, asked: failure.secondsAsked,
            chance: chance)
        if counts { failures += 1 } else { uncounted += 1 }
        return delay
    }
}

/// Dates as HTTP writes them: RFC 9110, 5.6.7. Parsed by hand, since `DateFormatter` adds 8 ms to a start.
enum HTTPDate {
    /// The moment that a date names in any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT`, or `Sun Nov  6 08:49:37 1994`; `nil` for anything else.
    /// A year of two digits is the last that is not over 50 years after `now`.
    static func parse(_ text: String, now: Date = Date()) -> Date? {
        var words = text.split { " ,-".contains($0) }
        if words.count == 5 { words = [words[0], words[2], words[1], words[4], words[3], "GMT"] }
        guard words.count == 6, let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), var year = UInt16(words[3]).map({ Int($0) }),
            words[4].utf8.count == 8, words[4] < "24:"
        else { return nil }
        func padded(_ number: Int, _ zero: String = "0") -> String {
            number < 10 ? zero + "\(number)" : "\(number)"
        }
        // Written again, it is one of the three to the letter.
        let forms = [
            "\(words[0]), \(padded(day)) \(words[2]) \(year) \(words[4]) GMT",
            "\(words[0]), \(padded(day))-\(words[2])-\(padded(year)) \(words[4]) GMT",
            "\(words[0]) \(words[2]) \(padded(day, " ")) \(words[4]) \(year)",
        ]
        guard let form = forms.firstIndex(of: text),
            form == 1 ? words[0].hasSuffix("day") && year < 100 : words[0].count == 3
        else { return nil }
        if form == 1 {
            let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        let date = "\(year)-\(padded(month + 1))-\(padded(day))T\(words[4])Z"
        return year < 1970 ? nil : WrittenDate(date)?.date
    }

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

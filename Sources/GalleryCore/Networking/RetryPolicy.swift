import Foundation

/// When to try again after a passing fault: a pure function of what happened and of chance.
public struct RetryPolicy: Hashable, Sendable {
    /// Further tries after a fault, from 0; progress made starts the count anew.
    public var retries: Int
    /// The longest first wait; each later one may be twice as long.
    public var first = Duration.milliseconds(500)
    /// The longest wait of our own choosing.
    public var longest = Duration.seconds(30)
    /// The longest wait that a host may ask for. One that asks for more is given up at once.
    public var longestAsked = Duration.seconds(3600)

    /// A policy with this many further tries, from 0.
    public init(retries: Int = 4) {
        self.retries = max(0, retries)
    }

    /// The wait before the next try; `nil` where there is to be none.
    ///
    /// - Parameters:
    ///   - failures: faults in a row before this one, from 0.
    ///   - asked: the host's `Retry-After` in seconds; `nil` where it asked for nothing sensible.
    ///   - chance: from 0 up to 1; spreads the tries of many over the second half of the wait.
    public func delay(failures: Int, asked: Int?, chance: Double) -> Duration? {
        guard failures < retries else { return nil }
        if let asked {
            let wish = Duration.seconds(asked)
            return wish <= longestAsked ? wish : nil
        }
        let doubled = first * (1 << min(max(0, failures), 20))
        return min(doubled, longest) * (0.5 + 0.5 * min(1, max(0, chance)))
    }

    /// Whether a status may be another the next time: 408, 429, 500, 502, 503, 504.
    public static func isPassing(status: Int) -> Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    /// The seconds that a `Retry-After` asks for, in either of its forms: RFC 9110, 10.2.3.
    ///
    /// - Returns: from 0; `nil` for what is neither seconds nor a date. A date gone by is 0.
    public static func seconds(retryAfter field: String, now: Date) -> Int? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Too many digits ask for longer than anyone waits.
            return min(Int(text) ?? .max, 1 << 40)
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        return max(0, Int(min(date.timeIntervalSince(now).rounded(.up), 1e12)))
    }
}

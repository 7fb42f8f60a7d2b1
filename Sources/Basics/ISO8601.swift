import Foundation

/// Dates and times in ISO 8601, in UTC.
///
/// The usual spellings are read and written by arithmetic. Foundation, which is asked for all others, makes
/// calendars and time zones first, which takes a twentieth of a short list's time.
package enum ISO8601 {
    /// Such as `2012-02-09T07:27:16Z`.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard arithmetic.contains(seconds) else { return date.formatted(.iso8601) }
        let days = Int((seconds / 86_400).rounded(.down))
        let second = Int(seconds) - days * 86_400
        let (year, month, day) = day(days)
        var text = [UInt8]("0000-00-00T00:00:00Z".utf8)
        func write(_ number: Int, _ digits: Int, at end: Int) {
            var rest = number
            for place in 1...digits {
                text[end - place] += UInt8(rest % 10)
                rest /= 10
            }
        }
        write(year, 4, at: 4)
        write(month, 2, at: 7)
        write(day, 2, at: 10)
        write(second / 3600, 2, at: 13)
        write(second / 60 % 60, 2, at: 16)
        write(second % 60, 2, at: 19)
        return String(decoding: text, as: UTF8.self)
    }

    /// The moment that a date and time with any offset means; `nil` for any other text.
    package static func date(_ text: String) -> Date? {
        usual(text.utf8) ?? (try? Date(text, strategy: .iso8601))
    }

    /// What is read and written by arithmetic, in seconds since 1970: the years 1600 to 9999.
    private static let arithmetic = -11_676_096_000..<253_402_300_800.0

    /// `YYYY-MM-DDThh:mm:ss` with `Z`, `±hh:mm`, or `±hhmm`.
    private static func usual(_ text: String.UTF8View) -> Date? {
        let bytes = Array(text.prefix(26))
        guard (20...25).contains(bytes.count) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            return range.reduce(0 as Int?) { number, place in
                (0x30...0x39).contains(bytes[place]) ? number.map { $0 * 10 + Int(bytes[place] - 0x30) } : nil
            }
        }
        func mark(_ place: Int, _ mark: Unicode.Scalar) -> Bool { bytes[place] == UInt8(ascii: mark) }
        guard mark(4, "-"), mark(7, "-"), mark(10, "T"), mark(13, ":"), mark(16, ":"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1600, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
        else { return nil }
        var offset = 0
        if bytes.count > 20 {
            let hasColon = bytes.count == 25 && mark(22, ":")
            guard mark(19, "+") || mark(19, "-"), hasColon || bytes.count == 24,
                let hours = number(20..<22), let minutes = number(bytes.count - 2..<bytes.count),
                hours < 15, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (mark(19, "-") ? -60 : 60)
        } else if !mark(19, "Z") {
            return nil
        }
        let days = days(year, month, day)
        // A day that the month lacks would be one of the next month.
        guard self.day(days) == (year, month, day) else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds))
    }

    // MARK: - The calendar

    // In years that begin in March, a leap day is the last one, and the months before it have 153 days in five.
    // Days are counted from 1 March of the year 0, which is so long before 1970.
    private static let epoch = 719_468

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - epoch
    }

    private static func day(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + epoch
        let inEra = days % 146_097
        let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let year = days / 146_097 * 400 + yearOfEra
        let inYear = inEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * inYear + 2) / 153
        let day = inYear - (153 * month + 2) / 5 + 1
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }
}

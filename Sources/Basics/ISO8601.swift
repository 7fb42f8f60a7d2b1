import Foundation

/// Dates and times in ISO 8601, in UTC; ``WrittenDate`` reads them.
///
/// They are written by arithmetic: Foundation makes calendars and time zones first, which takes a twentieth of a short
/// list's time.
package enum ISO8601 {
    /// Such as `2012-02-09T07:27:16Z`, or its beginning where less is known.
    package static func text(_ date: Date, _ precision: WrittenDate.Precision = .moment) -> String {
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
        let lengths: [WrittenDate.Precision: Int] = [.year: 4, .month: 7, .day: 10]
        return String(decoding: text.prefix(lengths[precision] ?? text.count), as: UTF8.self)
    }

    /// What is written by arithmetic, in seconds since 1970: the years 1 to 9999.
    static let arithmetic = -62_135_596_800..<253_402_300_800.0

    // MARK: - The calendar

    // In years that begin in March, a leap day is the last one, and the months before it have 153 days in five.
    // Days are counted from 1 March of the year 0, which is so long before 1970.
    private static let epoch = 719_468

    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - epoch
    }

    static func day(_ days: Int) -> (year: Int, month: Int, day: Int) {
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

import Foundation

/// Dates as HTTP writes them: RFC 9110, 5.6.7. By hand, because `DateFormatter` costs a start 8 ms.
enum HTTPDate {
    /// The moment that `Sun, 06 Nov 1994 08:49:37 GMT` names; `nil` for anything else, the two forms
    /// of before 1995 included.
    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let month = months.firstIndex(of: String(words[2])),
            let day = number(words[1], digits: 2), let year = number(words[3], digits: 4)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { number($0, digits: 2) }
        guard clock.count == 3, (1...31).contains(day), year >= 1970, clock[0] < 24, clock[1] < 60,
            clock[2] <= 60
        else { return nil }
        let days = dayNumber(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Days since 1970-01-01, counted in years that begin in March, so that a leap day ends one.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let daysBefore = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return year * 365 + year / 4 - year / 100 + year / 400 + daysBefore + day - 1 - 719_468
    }
}

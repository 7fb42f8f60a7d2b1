import Foundation

/// A date as a service, a camera, or a person wrote it: as exact as that, with its time zone where it names one.
package struct WrittenDate: Hashable, Sendable {
    package enum Precision: Int, Sendable {
        case year, month, day, moment
    }

    /// Its beginning, as if in UTC if ``offset`` is unknown.
    package let date: Date
    package let precision: Precision
    /// The time zone, in seconds east of UTC; `nil` if unknown.
    package let offset: Int?

    package init(_ date: Date, _ precision: Precision = .moment, offset: Int?) {
        (self.date, self.precision, self.offset) = (date, precision, offset)
    }

    /// Reads a year, with or without a month, a day, and a time with or without a zone.
    ///
    /// Colons and slashes pass for hyphens, as cameras write them. What is `00` is unknown, but for the year. A minute
    /// of 61 seconds and the hour 24 go over into the next one. `nil` for any other text, and for days that there are not.
    ///
    /// - Parameter zone: The zone where the text itself names none.
    package init?(_ text: String, zone: String? = nil) {
        var rest = DateScanner(text)
        guard let year = rest.number(4), year > 0, let month = rest.part(upTo: 12),
            let day = rest.part(upTo: 31), month > 0 || day == 0
        else { return nil }
        let hasClock = !rest.isEmpty
        guard let clock = hasClock ? rest.clock() : 0 else { return nil }
        var ending = rest.isEmpty ? DateScanner(zone ?? "") : rest
        let named = ending.offset()
        guard rest.isEmpty || named != nil && ending.isEmpty else { return nil }
        precision = month == 0 ? .year : day == 0 ? .month : hasClock ? .moment : .day
        // Whoever writes more hours has made them up.
        let isZone = precision == .moment && ending.isEmpty && named.map { abs($0) < 15 * 3600 } ?? false
        offset = isZone ? named : nil
        let first = (year, max(1, month), max(1, day))
        let days = ISO8601.days(first.0, first.1, first.2)
        // A day that the month lacks would be one of the next month.
        guard ISO8601.day(days) == first else { return nil }
        let seconds = days * 86_400 + (precision == .moment ? clock - (offset ?? 0) : 0)
        guard ISO8601.arithmetic.contains(Double(seconds)) else { return nil }
        date = Date(timeIntervalSince1970: Double(seconds))
    }
}

/// The rest of a date's text. By hand: a regular expression is compiled anew for each picture, which takes longer than
/// its file.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    var isEmpty: Bool { rest.isEmpty }

    private mutating func take(_ marks: String) -> Bool {
        guard let byte = rest.first, marks.utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// The number that so many digits spell.
    mutating func number(_ digits: Int, upTo most: Int = .max) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number <= most ? number : nil
    }

    /// The month or the day; 0 if the text does not go on with one.
    mutating func part(upTo most: Int) -> Int? { take("-:/") ? number(2, upTo: most) : 0 }

    /// The time, in seconds since midnight, without fractions.
    mutating func clock() -> Int? {
        guard take("T t"), let hour = number(2, upTo: 24), take(":"), let minute = number(2, upTo: 59),
            let second = take(":") ? number(2, upTo: 60) : 0
        else { return nil }
        if take(".,") {
            guard number(1) != nil else { return nil }
            rest = rest.drop { (0x30...0x39).contains($0) }
        }
        let seconds = hour * 3600 + minute * 60 + second
        return seconds <= 86_400 ? seconds : nil
    }

    /// `Z`, `UTC`, `±hh`, `±hhmm`, or `±hh:mm`, in seconds.
    mutating func offset() -> Int? {
        _ = take(" ")
        if take("Zz") { return 0 }
        if rest.elementsEqual("UTC".utf8) {
            rest = rest.suffix(0)
            return 0
        }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+-"), let hours = number(2),
            let minutes = take(":") || !rest.isEmpty ? number(2, upTo: 59) : 0
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}

import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct ISO8601Tests {
    @Test func `times are written as Foundation writes them`() {
        var generator = SeededGenerator(seed: 8601)
        let edges = [-11_676_096_000.0, -0.5, 0, 951_782_399, 951_782_400, 4_107_542_400, 253_402_300_799.9]
        let random = (0..<Thorough.rounds(20_000, few: 2_000)).map { _ in
            Double.random(in: -12_000_000_000...254_000_000_000, using: &generator)
        }
        for seconds in edges + random {
            let date = Date(timeIntervalSince1970: seconds)
            let text = ISO8601.text(date)
            #expect(text == date.formatted(.iso8601), "\(seconds)")
            if text.count == 20 {
                #expect(WrittenDate(text)?.date == (try? Date(text, strategy: .iso8601)), "\(text)")
            }
        }
    }
}

@Suite struct WrittenDateTests {
    @Test(arguments: [
        ("2012-02-09T02:27:16-05:00", "2012-02-09T07:27:16Z"),
        ("2012-02-09T02:27:16-0500", "2012-02-09T07:27:16Z"),
        ("2012-02-09T12:57:16+05:30", "2012-02-09T07:27:16Z"),
        ("2012-02-09T09:27+02", "2012-02-09T07:27:00Z"),
        ("2025:01:14 18:31:30+0000", "2025-01-14T18:31:30Z"),
        ("2025:01:14 18:31:30 UTC", "2025-01-14T18:31:30Z"),
        ("2012-02-09T07:27:16.5z", "2012-02-09T07:27:16Z"), ("2024/06/15 10:00:00", "2024-06-15T10:00:00"),
        ("2024:06:15 24:00:00", "2024-06-16T00:00:00"), ("2016:12:31 23:59:60", "2017-01-01T00:00:00"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("2024-06-15T10:00:00+99:00", "2024-06-15T10:00:00"), ("1965", "1965"), ("1965-07", "1965-07"),
        ("2024:06:15", "2024-06-15"), ("1965-00-00", "1965"), ("1965-07-00 00:00:00", "1965-07"),
        ("2000-02-29", "2000-02-29"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
    func `a date is as exact as it was written`(text: String, shown: String) throws {
        let date = try #require(WrittenDate(text))
        let whole = ISO8601.text(date.date, date.precision)
        #expect((date.offset == nil && whole.hasSuffix("Z") ? String(whole.dropLast()) : whole) == shown)
    }

    @Test(arguments: [
        ("1965", "1965-01-01T00:00:00Z"), ("1965-07", "1965-07-01T00:00:00Z"),
        ("2024:06:15", "2024-06-15T00:00:00Z"),
    ])
    func `it counts at its beginning`(text: String, begins: String) {
        #expect(WrittenDate(text).map { ISO8601.text($0.date) } == begins)
    }

    @Test(arguments: [
        "", "12", "20120209", "1965-", "1965-7", "1965-13", "1965-00-12", "0000:00:00 00:00:00",
        "    :  :     :  :  ",
        "2012-02-30", "1900-02-29", "2012-02-09T", "2012-02-09T24:00:01", "2012-02-09T25:00:00",
        "2012-02-09T07:60:00",
        "2012-02-09T07:27:61", "2012-02-09T07:27:16.", "2012-02-09T07:27:16+0:000", "２０１２-02-09",
        "2012-02-09T-1:27:16Z",
        "2012-02-09T07:27:16Zjunk", "2012-2-9", "9999-12-31T24:00:00Z", "0001-01-01T00:00:00+01:00",
        "yesterday",
    ])
    func `what is no date is none`(text: String) {
        #expect(WrittenDate(text) == nil)
    }

    @Test(
        arguments: [
            ("2011:11:05 15:54:37", nil, nil), ("2011:11:05 15:54:37", "-09:30", -34_200),
            ("2011:11:05 15:54:37", "+2", nil),
            ("2011:11:05 15:54:37", "+99:00", nil), ("2011-11-05T15:54Z", "+01:00", 0),
            ("2011:11:05", "+01:00", nil),
        ] as [(String, String?, Int?)])
    func `the zone that a camera notes elsewhere counts where the date has none`(
        text: String, zone: String?, offset: Int?
    ) throws {
        #expect(try #require(WrittenDate(text, zone: zone)).offset == offset)
    }
}

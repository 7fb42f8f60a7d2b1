import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct ISO8601Tests {
    @Test func `times are written as Foundation writes them`() {
        var generator = SeededGenerator(seed: 8601)
        let edges = [-11_676_096_000.0, -0.5, 0, 951_782_399, 951_782_400, 4_107_542_400, 253_402_300_799.9]
        let random = (0..<20_000).map { _ in
            Double.random(in: -12_000_000_000...254_000_000_000, using: &generator)
        }
        for seconds in edges + random {
            let date = Date(timeIntervalSince1970: seconds)
            let text = ISO8601.text(date)
            #expect(text == date.formatted(.iso8601), "\(seconds)")
            #expect(ISO8601.date(text) == (try? Date(text, strategy: .iso8601)), "\(text)")
        }
    }

    @Test(arguments: [
        ("2012-02-09T02:27:16-05:00", 1_328_772_436.0), ("2012-02-09T07:27:16Z", 1_328_772_436),
        ("2012-02-09T02:27:16-0500", 1_328_772_436), ("2012-02-09T12:57:16+05:30", 1_328_772_436),
        ("2000-02-29T00:00:00Z", 951_782_400), ("1600-01-01T00:00:00Z", -11_676_096_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `an offset counts`(text: String, seconds: Double) {
        #expect(ISO8601.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2012", "2012-02-09", "2012-02-30T00:00:00Z", "2012-00-10T00:00:00Z", "2012-13-10T00:00:00Z",
        "1900-02-29T00:00:00Z", "2012-02-09T24:00:00Z", "2012-02-09T07:60:00Z", "2012-02-09T07:27:60Z",
        "2012-02-09T07:27:16", "2012-02-09T07:27:16+99:00", "2012-02-09T07:27:16+0:000",
        "2012-02-09T07:27:16.5Z", "2012-02-09 07:27:16Z", "２０１２-02-09T07:27:16Z", "2012-02-09T07:27:16Zjunk",
        "0001-01-01T00:00:00Z", "2012-02-09T07:27:16 Z", "2012-2-9T7:27:16Z", "2012-02-09T-1:27:16Z",
    ])
    func `what is spelled otherwise means what Foundation says`(text: String) {
        #expect(ISO8601.date(text) == (try? Date(text, strategy: .iso8601)))
    }
}

import Foundation
import Testing

@testable import GalleryCore

@Suite("RetryPolicy")
struct RetryPolicyTests {
    @Test(
        arguments: [
            (0, nil, 0.0, Duration.milliseconds(250)), (0, nil, 1, .milliseconds(500)),
            (1, nil, 1, .seconds(1)),
            (2, nil, 1, .seconds(2)), (3, nil, 0.5, .seconds(3)), (4, nil, 1, nil), (100, nil, 1, nil),
            (0, 0, 0.5, .zero), (0, 7, 0.5, .seconds(7)), (3, 3600, 0.5, .seconds(3600)), (0, 3601, 0.5, nil),
            (4, 1, 0.5, nil),
        ] as [(Int, Int?, Double, Duration?)])
    func `waits longer each time, or as long as it is asked to`(
        failures: Int, asked: Int?, chance: Double, delay: Duration?
    ) {
        #expect(RetryPolicy.delay(failures: failures, of: 4, asked: asked, chance: chance) == delay)
    }

    @Test func `never waits longer than its limit, however often it failed`() {
        for failures in [10, 60, 64, 999] {
            #expect(RetryPolicy.delay(failures: failures, of: 1000, asked: nil, chance: 1) == .seconds(30))
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("  7", 7), ("7 ", 7), (" ", nil), ("7 8", nil),
            ("99999999999999999999", 1 << 40), ("-1", nil), ("1.5", nil),
            ("soon", nil), ("", nil), ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
            ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
            ("Sun Nov  6 08:50:07 1994", 30),
        ] as [(String, Int?)])
    func `reads both forms of Retry-After`(field: String, seconds: Int?) throws {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let head = HTTPHead(
            status: 429, url: try #require(URL(string: "http://h/")), headers: ["Retry-After": field])
        #expect(head.secondsAsked(now: now) == seconds)
    }

    @Test func `counts as passing what a second try may mend`() {
        let passing = (100..<600).filter(RetryPolicy.isPassing)
        #expect(passing == [202, 408, 420, 429, 500, 502, 503, 504] + Array(520...530))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Sat, 01 Mar 2025 00:00:00 GMT", 1_740_787_200),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Thu, 32 Jan 1970 00:00:00 GMT", nil),
            ("Thu, 01 Jan 1970 00:00 GMT", nil), ("Thu 01 Jan 1970 00:00:00 GMT", nil), ("", nil),
            (", , , , ,", nil),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Tuesday, 19-Jan-38 03:14:07 GMT", 2_147_483_647),
            ("Monday, 01-Jan-80 00:00:00 GMT", 315_532_800),
            ("Sunday, 06-Nov-1994 08:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov 6 08:49:37 1994", nil),
            ("Sunday, 06-Nov 08:49:37 GMT", nil), ("Sun Nov 06 08:49 1994", nil),
            ("Sun Nov 99999 08:49:37 1994", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
            ("Sun, 06 Nov 1994 08:49:7 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 00 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 94949 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1869 08:49:37 GMT", nil), ("Sun, 06 Nov -994 08:49:37 GMT", nil),
        ] as [(String, Double?)])
    func `reads the three forms of a date`(text: String, seconds: Double?) {
        // In 2026.
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            ("7", nil, 7), ("Sun, 06 Nov 1994 08:50:07 GMT", nil, 0),
            ("Sun, 06 Nov 1994 08:50:07 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 30),
            ("Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:49:37 1994", 30),
            ("Sun, 06 Nov 1994 08:50:07 GMT", "yesterday", 0), ("soon", "Sun, 06 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, String?, Int?)])
    func `measures a date against the reply's own`(field: String, date: String?, seconds: Int?) throws {
        let url = try #require(URL(string: "http://h/"))
        let head = HTTPHead(
            status: 503, url: url,
            headers: ["Retry-After": field].merging(date.map { ["Date": $0] } ?? [:]) { $1 })
        #expect(head.secondsAsked(now: Date(timeIntervalSince1970: 1_795_000_000)) == seconds)
    }
}

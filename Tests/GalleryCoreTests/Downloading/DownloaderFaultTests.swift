import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Each way a host may fail, and what is on disk and on the wire afterwards.
@Suite("Downloader against faults", .fewAtOnce, .timeLimit(.minutes(2)))
struct DownloaderFaultTests {
    private static let photo = Pictures.jpeg(bytes: 100_000, seed: 1)
    private static let other = Pictures.jpeg(bytes: 90_000, seed: 2)
    private static let tag = #""v1""#

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The replies in order; the last one again and again.
        let replies: [LocalReply]
        let outcome: String
        /// The `Range` of each request.
        let ranges: [String?]
        let bytes: Data?
        var retries = 4
        /// What is waited between the requests; `nil` where that is no matter.
        var waits: [Duration]?
        /// Whether the host falls silent, in its first reply or, where there is but one, in each.
        var isSilent = false

        init(
            _ description: String, _ replies: LocalReply..., outcome: String, ranges: [String?],
            bytes: Data? = photo, retries: Int = 4, waits: [Duration]? = nil,
            isSilent: Bool = false
        ) {
            testDescription = description
            self.replies = replies
            self.outcome = outcome
            self.ranges = ranges
            self.bytes = bytes
            self.retries = retries
            self.waits = waits
            self.isSilent = isSilent
        }

        static func fails(
            _ description: String, _ reply: LocalReply, outcome: String, requests: Int = 1, retries: Int = 4,
            isSilent: Bool = false
        ) -> Case {
            Case(
                description, reply, outcome: outcome, ranges: Array(repeating: nil, count: requests),
                bytes: nil, retries: retries, isSilent: isSilent)
        }
    }

    private static var whole: LocalReply { .file(photo, tag: tag) }

    static let passing: [Case] = [
        Case("whole", whole, outcome: "fetched", ranges: [nil]),
        Case("reset at once, then whole", .noAnswer(.reset), whole, outcome: "fetched", ranges: [nil, nil]),
        Case(
            "reset before the body, then whole", whole.cut(at: 0, by: .reset), whole, outcome: "fetched",
            ranges: [nil, nil]),
        Case(
            "reset at 1, goes on", whole.cut(at: 1, by: .reset), whole, outcome: "resumed",
            ranges: [nil, "bytes=1-"]),
        Case(
            "reset before the last, goes on", whole.cut(at: .last, by: .reset), whole, outcome: "resumed",
            ranges: [nil, "bytes=99999-"]),
        Case("closed at once, then whole", .noAnswer(), whole, outcome: "fetched", ranges: [nil, nil]),
        Case(
            "reset at half, goes on", whole.cut(at: .half, by: .reset), whole, outcome: "resumed",
            ranges: [nil, "bytes=50000-"]),
        Case("cut at 1, goes on", whole.cut(at: 1), whole, outcome: "resumed", ranges: [nil, "bytes=1-"]),
        Case(
            "cut before the last, goes on", whole.cut(at: .last), whole, outcome: "resumed",
            ranges: [nil, "bytes=99999-"]),
        Case(
            "cut in every reply, goes on each time", whole.cut(at: .byte(20_000)), outcome: "resumed",
            ranges: [nil, "bytes=20000-", "bytes=40000-", "bytes=60000-", "bytes=80000-"], retries: 1),
        Case(
            "chunks cut, goes on", whole.chunked().cut(at: .half), whole, outcome: "resumed",
            ranges: [nil, "bytes=50000-"]),
        Case(
            "chunks all there but the end", whole.chunked().cut(at: .end), whole, outcome: "resumed",
            ranges: [nil, "bytes=100000-"]),
        Case(
            "without a length and cut, goes on", whole.withoutLength().cut(at: .half), whole,
            outcome: "resumed",
            ranges: [nil, "bytes=50000-"]),
        Case("without a length", whole.withoutLength(), outcome: "fetched", ranges: [nil]),
        Case(
            "drips", whole.dripping(bytes: 5_000, every: .milliseconds(1)), outcome: "fetched", ranges: [nil]),
        Case(
            "said to be a text", .file(photo, tag: tag, contentType: "text/plain"), outcome: "fetched",
            ranges: [nil]),
        Case(
            "longer announced than sent, goes on", whole.announcing(length: 100_010), whole,
            outcome: "fetched", ranges: [nil, "bytes=100000-", nil]),
        Case(
            "goes on by date", .file(photo, lastModified: "Mon, 06 Mar 2017 10:00:00 GMT").cut(at: .half),
            .file(photo, lastModified: "Mon, 06 Mar 2017 10:00:00 GMT"), outcome: "resumed",
            ranges: [nil, "bytes=50000-"]),
        Case(
            "a weak tag starts anew", .file(photo, tag: #"W/"v1""#).cut(at: .half),
            .file(photo, tag: #"W/"v1""#),
            outcome: "fetched", ranges: [nil, nil]),
        Case(
            "no tag starts anew", .file(photo).cut(at: .half), .file(photo), outcome: "fetched",
            ranges: [nil, nil]),
        Case(
            "a changed tag starts anew", .file(other, tag: #""v0""#).cut(at: .half), whole,
            outcome: "fetched",
            ranges: [nil, "bytes=45000-"]),
        Case(
            "a host without ranges starts anew", whole.cut(at: .half), .file(photo, tag: tag, ranges: false),
            outcome: "fetched", ranges: [nil, "bytes=50000-"]),
        Case(
            "other bytes than asked for start anew", whole.cut(at: .half),
            .status(206, headers: ["Content-Range": "bytes 0-99999/100000"], body: LocalBody(photo)), whole,
            outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "no word on which bytes starts anew", whole.cut(at: .half), .status(206, body: LocalBody(photo)),
            whole,
            outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "a part of a file of another length starts anew", whole.cut(at: .half),
            .status(
                206, headers: ["Content-Range": "bytes 50000-89999/90000"],
                body: LocalBody(other.dropFirst(50_000))),
            whole, outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "a part under another tag starts anew", whole.cut(at: .half),
            .status(
                206, headers: ["Content-Range": "bytes 50000-99999/100000", "ETag": #""v2""#],
                body: LocalBody(photo.dropFirst(50_000))), whole,
            outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "a part of no named version starts anew", .file(photo, tag: #""v0""#).cut(at: .half),
            .status(
                206, headers: ["Content-Range": "bytes 50000-99999/100000"],
                body: LocalBody(photo.dropFirst(50_000))), whole,
            outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "a part that ends in no picture starts anew", whole.cut(at: .half),
            .file(photo.dropLast(2) + [0, 1], tag: tag), whole,
            outcome: "fetched", ranges: [nil, "bytes=50000-", nil]),
        Case(
            "416 starts anew", whole.cut(at: .half), .status(416), whole, outcome: "fetched",
            ranges: [nil, "bytes=50000-", nil]),
        Case(
            "503 whose page stalls",
            .status(503, headers: ["Retry-After": "3"], body: "Busy").stalled(at: .half),
            whole, outcome: "fetched", ranges: [nil, nil], waits: [.seconds(3)], isSilent: true),
        Case("503, then whole", .status(503), whole, outcome: "fetched", ranges: [nil, nil]),
        Case(
            "202 while it is made, then whole", .status(202, headers: ["Retry-After": "3"]), whole,
            outcome: "fetched", ranges: [nil, nil], waits: [.seconds(3)]),
        Case("420, then whole", .status(420), whole, outcome: "fetched", ranges: [nil, nil]),
        Case(
            "all of it as a part that nobody asked for",
            .status(206, headers: ["Content-Range": "bytes 0-99999/100000"], body: LocalBody(photo)),
            outcome: "fetched", ranges: [nil]),
        Case(
            "503 keeps the part", whole.cut(at: .half), .status(503), whole, outcome: "resumed",
            ranges: [nil, "bytes=50000-", "bytes=50000-"]),
        Case(
            "429 with seconds", .status(429, headers: ["Retry-After": "3"]), whole, outcome: "fetched",
            ranges: [nil, nil], waits: [.seconds(3)]),
        Case(
            "429 with a date", .status(429, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:46 GMT"]),
            whole, outcome: "fetched", ranges: [nil, nil], waits: [.seconds(9)]),
        Case(
            "429 with a date gone by",
            .status(429, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]), whole,
            outcome: "fetched", ranges: [nil, nil]),
        Case(
            "503 with seconds", .status(503, headers: ["Retry-After": "3"]), whole, outcome: "fetched",
            ranges: [nil, nil], waits: [.seconds(3)]),
        Case(
            "408, 500, then whole", .status(408), .status(500), whole, outcome: "fetched",
            ranges: [nil, nil, nil]),
        Case(
            "silence, then whole", .silence(), whole, outcome: "fetched", ranges: [nil, nil], isSilent: true),
        Case(
            "silence at half, goes on", whole.stalled(at: .half), whole, outcome: "resumed",
            ranges: [nil, "bytes=50000-"], isSilent: true),
        Case("compressed all the same", .gzip(photo), outcome: "fetched", ranges: [nil]),
        Case(
            "compressed and cut, then whole", .gzip(photo, cut: 40_000), whole, outcome: "fetched",
            ranges: [nil, nil]),
    ]

    static let final: [Case] = [
        .fails("always 503", .status(503), outcome: "503", requests: 5),
        .fails("always 202", .status(202), outcome: "202", requests: 5),
        .fails(
            "always a part that nobody asked for",
            .status(
                206, headers: ["Content-Range": "bytes 1-99999/100000"], body: LocalBody(photo.dropFirst())),
            outcome: "incomplete", requests: 2),
        .fails("always reset", .noAnswer(.reset), outcome: "cut short", requests: 5),
        .fails("always silent", .silence(), outcome: "timed out", requests: 2, retries: 1, isSilent: true),
        .fails(
            "always cut, nothing to go on from", .file(photo).cut(at: .half), outcome: "cut short",
            requests: 5),
        .fails("401", .status(401, headers: ["WWW-Authenticate": "Basic realm=x"]), outcome: "401"),
        .fails("403", .status(403), outcome: "403"),
        .fails("404", .status(404), outcome: "404"),
        .fails("410", .status(410), outcome: "410"),
        .fails("404 whose page is cut", .status(404, body: "Not here").cut(at: .half), outcome: "404"),
        .fails("416 unasked", .status(416), outcome: "416"),
        .fails("304 unasked", .status(304), outcome: "304"),
        .fails(
            "429 for ten years", .status(429, headers: ["Retry-After": "315360000"]),
            outcome: "429 after 315360000"),
        .fails("redirects for ever", .redirect(to: "/photo"), outcome: "redirect", requests: 11),
        .fails("a redirect to a file", .redirect(to: "file:///etc/passwd"), outcome: "redirect"),
        .fails(
            "an HTML page", .html("<!DOCTYPE html><html><body>Log in</body></html>"), outcome: "an HTML page"),
        .fails("JSON", .json(#"{"error":"Not today."}"#), outcome: "JSON"),
        .fails(
            "shorter announced than sent", whole.announcing(length: 50_000).closing(), outcome: "incomplete"),
        .fails(
            "always 429", .status(429, headers: ["Retry-After": "3"]), outcome: "429 after 3", requests: 5),
        .fails("a short text", .body(Data("no".utf8)), outcome: "text"),
        .fails("an empty body", .body(Data()), outcome: "empty"),
        .fails("nothing at all", .status(204), outcome: "204"),
        .fails(
            "a picture that is broken on the host", .file(photo.dropLast(2), tag: tag), outcome: "incomplete"),
        .fails("always compressed and cut", .gzip(photo, cut: 40_000), outcome: "incomplete", requests: 5),
    ]

    @Test(
        arguments: Thorough.cases(passing, few: 10),
        Thorough.cases([PhotoFileSize.full, .pixels(2048)], few: 1))
    func `a passing fault ends in the right bytes`(case: Case, size: PhotoFileSize) async throws {
        try await check(`case`, size)
    }

    @Test(
        arguments: Thorough.cases(final, few: 6), Thorough.cases([PhotoFileSize.full, .pixels(2048)], few: 1))
    func `a lasting fault ends in an error and no file`(case: Case, size: PhotoFileSize) async throws {
        try await check(`case`, size)
    }

    /// What other programs read, and URLSession does not, or not as it is meant: once more, without it.
    static let odd: [Case] =
        ["aws-chunked", "utf-8", "binary", "gzip", "br", "none", "identity"].map { (name: String) in
            let isKnown = ["none", "identity"].contains(name)
            return Case(
                "\(name) is none", whole.header("Content-Encoding", name), outcome: "fetched",
                ranges: isKnown ? [nil] : [nil, nil])
        } + [
            Case(
                "aws-chunked,gzip is gzip", .gzip(photo).header("Content-Encoding", "aws-chunked,gzip"),
                outcome: "fetched", ranges: [nil, nil]),
            Case(
                "aws-chunked, in chunks", whole.header("Content-Encoding", "aws-chunked").chunked(size: 999),
                outcome: "fetched", ranges: [nil, nil]),
            Case(
                "utf-8 cut at half goes on", whole.header("Content-Encoding", "utf-8"),
                whole.header("Content-Encoding", "utf-8").cut(at: .half), whole, outcome: "resumed",
                ranges: [nil, nil, "bytes=50000-"]),
            .fails(
                "aws-chunked, and broken",
                .file(photo.dropLast(2), tag: tag).header("Content-Encoding", "aws-chunked"),
                outcome: "incomplete", requests: 2),
            .fails(
                "aws-chunked, and a page",
                .html("<!DOCTYPE html><html>No").header("Content-Encoding", "aws-chunked"),
                outcome: "an HTML page", requests: 2),
            .fails(
                "aws-chunked,gzip, and cut",
                .gzip(photo, cut: 40_000).header("Content-Encoding", "aws-chunked,gzip"),
                outcome: "'127.0.0.1' did not answer properly: its compressed answer is damaged.", requests: 2
            ),
            Case("no reason phrase", .raw(bare), outcome: "fetched", ranges: [nil, nil]),
            Case(
                "a name in Latin-1",
                whole.header(
                    "Content-Disposition", bytes: Array("inline; filename=\"caf".utf8) + [0xE9, 0x22]),
                outcome: "fetched", ranges: [nil, nil]),
            Case(
                "a field in Shift JIS", whole.header("X-Note", bytes: [0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
                outcome: "fetched", ranges: [nil, nil]),
            .fails(
                "a cookie that does not help", .redirect(to: "/photo").header("Set-Cookie", "sid=1; Path=/"),
                outcome: "redirect", requests: 3),
            .fails(
                "for browsers only",
                .html("<head><title>Just a moment...</title>", status: 403).header(
                    "cf-mitigated", "challenge"),
                outcome: "'127.0.0.1' lets only browsers in."),
            .fails(
                "busy, for all but browsers", .status(503, headers: ["CF-Mitigated": "challenge"]),
                outcome: "'127.0.0.1' lets only browsers in."),
            .fails(
                "a check of Amazon's", .status(202, headers: ["x-amzn-waf-action": "Captcha"]),
                outcome: "'127.0.0.1' lets only browsers in."),
        ]

    private static var bare: Data {
        Data("HTTP/1.1 200\r\nContent-Length: \(photo.count)\r\n\r\n".utf8) + photo
    }

    @Test(arguments: odd)
    func `a reply that only URLSession refuses is read all the same`(case: Case) async throws {
        try await check(`case`, .full)
    }

    private func check(_ expected: Case, _ size: PhotoFileSize) async throws {
        let replies = expected.replies
        try await withLocalServer({ replies[min($0.attempt, replies.count) - 1] }) { server in
            try await withTemporaryDirectory { folder in
                let clock = TestClock.skipping()
                // Where the host is silent, one second of patience; else a busy machine has time enough.
                let transport = try Detour(
                    expected.isSilent ? .impatient : .usual, for: replies.count > 1 ? 1 : .max)
                let downloader = downloader(
                    retries: expected.retries, idleTimeout: 60, clock: clock, transport: transport)
                let result = await collect(
                    downloader.fetch(
                        [item(1, at: server.url("/photo"), name: "photo", size: size)], into: folder))
                #expect(result.outcome(1).hasPrefix(expected.outcome), "\(result.outcome(1))")
                #expect(server.requests.map { $0.headers["Range"] } == expected.ranges)
                if let waits = expected.waits { #expect(clock.sleeps == waits) }
                #expect(bytes("photo.jpg", in: folder) == expected.bytes)
                let there = try names(in: folder)
                #expect(there == (expected.bytes == nil ? [] : ["photo.jpg"]))
            }
        }
    }
}

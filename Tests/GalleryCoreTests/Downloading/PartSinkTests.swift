import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct PartSinkTests {
    private func withSink(_ body: (PartSink, PartFile) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let target = try DestinationFolder(creating: folder)
            let destination = try target.destination(for: "a")
            guard case .ours(let start) = try ResumablePart.open(destination, for: wish, mayResume: true)
            else {
                Issue.record("somebody else has the part")
                return
            }
            let sink = PartSink(wish, start: start, segments: nil) { _, _, _ in }
            try sink.begin(
                HTTPHead(
                    status: 200, url: wish.source.url,
                    headers: ["ETag": #""v1""#, "Content-Length": "1000000"]))
            try body(sink, start.file)
        }
    }

    private let wish = item(1, at: URL(filePath: "/a"))

    private func receive(_ bytes: Data, _ sink: PartSink) throws {
        try bytes.withUnsafeBytes { try sink.receive($0) }
    }

    @Test func `the note stands before the part is longer than a small photo`() throws {
        let photo = Pictures.jpeg(bytes: 1_000_000)
        try withSink { sink, part in
            // No note for so few bytes, unless they took their time; then it is this one too.
            try receive(photo.prefix(100_000), sink)
            try receive(photo.dropFirst(100_000).prefix(170_000), sink)
            let note = try #require(part.note())
            #expect(note.validator == #""v1""#)
            #expect(note.total == 1_000_000)
            #expect(note.describes(wish))
            #expect(try part.length() == 270_000)
        }
    }
}

@Suite struct SegmentPlanTests {
    private let plan = SegmentPlan(length: 100)
    private static let ranges = ["Accept-Ranges": "bytes"]

    private func end(
        _ decision: ResumeDecision, _ headers: [String: String] = ranges, offer length: Int64? = nil,
        total: Int64? = nil, validator: String? = #""v1""#
    ) throws -> Int64? {
        let url = try #require(URL(string: "http://host/a"))
        let head = HTTPHead(status: length == nil ? 200 : 206, url: url, headers: headers)
        let offer = length.map { ResumeOffer(length: $0, validator: #""v1""#, total: total) }
        return plan.end(of: head, decision, offer: offer, validator: validator)
    }

    @Test(
        arguments: [
            (0, nil), (100, nil), (101, 100), (1_000, 100), (nil, nil),
        ] as [(Int64?, Int64?)])
    func `a file longer than a segment is taken up to its first one's end`(
        total: Int64?, expected: Int64?
    ) throws {
        #expect(try end(.startOver(total: total)) == expected)
    }

    @Test(
        arguments: [
            (1, 101, nil), (1, 102, 101), (350, 450, nil), (350, 451, 450), (350, nil, nil),
        ] as [(Int64, Int64?, Int64?)])
    func `a part is gone on from by a segment`(length: Int64, total: Int64?, expected: Int64?) throws {
        let offer = ResumeOffer(length: length, validator: #""v1""#, total: total)
        #expect(plan.end(from: offer) == expected)
        #expect(try end(.append(total: total), [:], offer: length, total: total) == expected)
    }

    @Test func `the reply may know a length that the part did not`() throws {
        #expect(try end(.append(total: 1_000), [:], offer: 350, total: nil) == 450)
    }

    @Test(
        arguments: [
            [:], ["Accept-Ranges": "none"], ["Accept-Ranges": ""], ["Accept-Ranges": "kilobytes"],
        ])
    func `who does not say that it serves ranges is not asked for one`(headers: [String: String]) throws {
        #expect(try end(.startOver(total: 1_000), headers) == nil)
    }

    @Test(arguments: ["bytes", "Bytes", " bytes ", "other, bytes"])
    func `who says so is`(field: String) throws {
        #expect(try end(.startOver(total: 1_000), ["Accept-Ranges": field]) == 100)
    }

    @Test func `bytes that nothing names may be another file's by the next request`() throws {
        #expect(try end(.startOver(total: 1_000), validator: nil) == nil)
    }

    @Test func `who sent everything though asked for the rest would do so again`() throws {
        #expect(try end(.startOver(total: 1_000), offer: 350, total: 1_000) == nil)
    }

    @Test(arguments: [.complete, .discard, .refuse(status: 404)] as [ResumeDecision])
    func `what brings no bytes has no end`(decision: ResumeDecision) throws {
        #expect(try end(decision, offer: 350, total: 1_000) == nil)
    }
}

/// Files that are longer than one request is to bring.
@Suite("Downloader, files in segments", .timeLimit(.minutes(1)))
struct DownloaderSegmentTests {
    private static let photo = Pictures.jpeg(bytes: 100_000, seed: 1)
    private static let other = Pictures.jpeg(bytes: 90_000, seed: 2)
    private static let tag = #""v1""#
    private static var whole: LocalReply { .file(photo, tag: tag) }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The replies in order; the last one again and again.
        let replies: [LocalReply]
        var segment: Int64 = 40_000
        var outcome = "fetched"
        /// The `Range` of each request.
        let ranges: [String?]

        init(
            _ description: String, _ replies: LocalReply..., segment: Int64 = 40_000,
            outcome: String = "fetched", ranges: [String?]
        ) {
            testDescription = description
            self.replies = replies
            self.segment = segment
            self.outcome = outcome
            self.ranges = ranges
        }
    }

    static let cases: [Case] = [
        Case("three", whole, ranges: [nil, "bytes=40000-79999", "bytes=80000-"]),
        Case("as long as one", whole, segment: 100_000, ranges: [nil]),
        Case("a byte longer than one", whole, segment: 99_999, ranges: [nil, "bytes=99999-"]),
        Case(
            "named by a date", .file(photo, lastModified: "Mon, 06 Mar 2017 10:00:00 GMT"),
            segment: 60_000, ranges: [nil, "bytes=60000-"]),
        Case("no word on ranges", .file(photo, tag: tag, ranges: false), ranges: [nil]),
        Case("a weak tag", .file(photo, tag: #"W/"v1""#), ranges: [nil]),
        Case("no tag", .file(photo), ranges: [nil]),
        Case("no length", whole.chunked(), ranges: [nil]),
        Case(
            "ranges promised and not kept", whole,
            .file(photo, tag: tag, ranges: false).header("Accept-Ranges", "bytes"),
            ranges: [nil, "bytes=40000-79999"]),
        Case(
            "another file by then", .file(other, tag: #""v0""#), whole, ranges: [nil, "bytes=40000-79999"]),
        Case(
            "other bytes than asked for", whole,
            .status(206, headers: ["Content-Range": "bytes 0-99999/100000"], body: LocalBody(photo)), whole,
            ranges: [nil, "bytes=40000-79999", nil]),
        Case(
            "more than asked for", whole,
            .status(
                206, headers: ["Content-Range": "bytes 40000-99999/100000", "ETag": tag],
                body: LocalBody(photo.dropFirst(40_000))), whole,
            ranges: [nil, "bytes=40000-79999", "bytes=80000-"]),
        Case(
            "less than asked for", whole,
            .status(
                206, headers: ["Content-Range": "bytes 40000-49999/100000", "ETag": tag],
                body: LocalBody(photo.dropFirst(40_000).prefix(10_000))), whole,
            outcome: "resumed",
            ranges: [nil, "bytes=40000-79999", "bytes=50000-89999", "bytes=90000-"]),
        Case(
            "cut in the first", whole.cut(at: .byte(10_000)), whole, outcome: "resumed",
            ranges: [nil, "bytes=10000-49999", "bytes=50000-89999", "bytes=90000-"]),
        Case(
            "cut in the second", whole, whole.cut(at: .half), whole, outcome: "resumed",
            ranges: [nil, "bytes=40000-79999", "bytes=60000-"]),
        Case(
            "busy at the second", whole, .status(503), whole, outcome: "resumed",
            ranges: [nil, "bytes=40000-79999", "bytes=40000-79999", "bytes=80000-"]),
    ]

    @Test(arguments: cases)
    func `a long file comes in segments, where its host can be trusted with them`(
        expected: Case
    ) async throws {
        let replies = expected.replies
        try await withLocalServer({ replies[min($0.attempt, replies.count) - 1] }) { server in
            try await withTemporaryDirectory { folder in
                let wish = item(1, at: server.url("/a"), name: "a")
                let result = await collect(
                    downloader(segments: SegmentPlan(length: expected.segment)).fetch([wish], into: folder))
                #expect(result.outcome(1) == expected.outcome)
                #expect(server.requests.map { $0.headers["Range"] } == expected.ranges)
                #expect(bytes("a.jpg", in: folder) == Self.photo)
                let left = try names(in: folder)
                #expect(left == ["a.jpg"])
            }
        }
    }

    @Test func `where it ends for good, what has come is kept`() async throws {
        try await withLocalServer({ $0.attempt == 1 ? Self.whole : .status(404) }) { server in
            try await withTemporaryDirectory { folder in
                let wish = item(1, at: server.url("/a"), name: "a")
                let result = await collect(
                    downloader(segments: SegmentPlan(length: 40_000)).fetch([wish], into: folder))
                #expect(result.outcome(1) == "404")
                #expect(bytes("a.part", in: folder) == Self.photo.prefix(40_000))
                let left = try names(in: folder)
                #expect(left == ["a.part", "a.part.json"])
            }
        }
    }

    @Test func `a file that is begun goes before those behind it`() async throws {
        try await withLocalServer(Self.whole) { server in
            try await withTemporaryDirectory { folder in
                let wishes = (1...3).map { item($0, at: server.url("/\($0)")) }
                let result = await collect(
                    downloader(jobs: 1, segments: SegmentPlan(length: 40_000)).fetch(wishes, into: folder))
                #expect(result.files.count == 3)
                let paths = server.requests.map(\.path)
                #expect(paths.count == 9)
                for start in stride(from: 0, to: paths.count, by: 3) {
                    #expect(Set(paths[start..<min(start + 3, paths.count)]).count == 1, "\(paths)")
                }
            }
        }
    }

    @Test func `segments are one transfer to whoever looks on`() async throws {
        try await withLocalServer(Self.whole) { server in
            try await withTemporaryDirectory { folder in
                let wish = item(1, at: server.url("/a"), name: "a")
                let result = await collect(
                    downloader(segments: SegmentPlan(length: 10_000)).fetch([wish], into: folder))
                #expect(server.requests.count == 10)
                let starts = result.events.filter { if case .started = $0 { true } else { false } }
                #expect(starts.count == 1)
                let amounts = result.events.compactMap { event in
                    if case .progress(_, let received, 100_000) = event { received } else { nil }
                }
                #expect(amounts == amounts.sorted())
                #expect(amounts.last == 100_000)
            }
        }
    }
}

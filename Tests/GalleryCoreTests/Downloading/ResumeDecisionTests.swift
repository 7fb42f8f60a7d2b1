import Foundation
import Testing

@testable import GalleryCore

@Suite("ResumeDecision")
struct ResumeDecisionTests {
    private static let tagged = ResumeOffer(length: 100, validator: #""v1""#, total: 300)
    private static let dated = ResumeOffer(
        length: 100, validator: "Mon, 06 Mar 2017 10:00:00 GMT", total: nil)

    private func decide(_ status: Int, _ headers: [String: String], _ offer: ResumeOffer?) throws
        -> ResumeDecision
    {
        let url = try #require(URL(string: "http://h/"))
        return ResumeDecision(HTTPHead(status: status, url: url, headers: headers), offer: offer)
    }

    @Test(
        arguments: [
            (200, [:], .startOver(total: nil)),
            (200, ["Content-Length": "300"], .startOver(total: 300)),
            (200, ["Content-Length": "300", "Content-Encoding": "gzip"], .startOver(total: nil)),
            (200, ["Content-Length": "-3"], .startOver(total: nil)),
            (206, ["Content-Range": "bytes 100-299/300", "ETag": #""v1""#], .append(total: 300)),
            (206, ["Content-Range": "bytes 100-199/300", "ETag": #""v1""#], .append(total: 300)),
            (206, ["Content-Range": "Bytes 100-299/*", "ETag": #""v1""#], .append(total: 300)),
            (
                206, ["Content-Range": "bytes 100-299/300", "ETag": #""v1""#, "Content-Length": "200"],
                .append(total: 300)
            ),
            (
                206, ["Content-Range": "bytes 100-299/300", "ETag": #""v1""#, "Content-Length": "199"],
                .discard
            ),
            // Heeded `Range` and says not of which version: it may have ignored `If-Range`.
            (206, ["Content-Range": "bytes 100-299/300"], .discard),
            (206, ["Content-Range": "bytes 100-299/300", "ETag": #""v2""#], .discard),
            (206, ["Content-Range": "bytes 100-299/300", "ETag": #"W/"v1""#], .discard),
            (
                206, ["Content-Range": "bytes 100-299/300", "ETag": #""v1""#, "Content-Encoding": "gzip"],
                .discard
            ),
            (206, ["Content-Range": "bytes 100-300/301", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes 0-299/300", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes 101-299/300", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes 100-299/200", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes 100-99/300", "ETag": #""v1""#], .discard),
            // More bytes than the file has.
            (206, ["Content-Range": "bytes 100-300/300", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes 100-9223372036854775807/*", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "bytes */300", "ETag": #""v1""#], .discard),
            (206, ["Content-Range": "pixels 100-299/300", "ETag": #""v1""#], .discard),
            (206, ["Content-Type": "multipart/byteranges; boundary=x"], .discard),
            (416, ["Content-Range": "bytes */100"], .discard),
            (416, ["Content-Range": "bytes */300"], .discard),
            (416, [:], .discard),
            (204, [:], .refuse(status: 204)), (304, [:], .refuse(status: 304)),
            (404, [:], .refuse(status: 404)),
            (503, ["Content-Range": "bytes 100-299/300"], .refuse(status: 503)),
        ] as [(Int, [String: String], ResumeDecision)])
    func `goes on only from what surely fits`(
        status: Int, headers: [String: String], decision: ResumeDecision
    )
        throws
    {
        #expect(try decide(status, headers, Self.tagged) == decision)
    }

    @Test(
        arguments: [
            (
                206,
                ["Content-Range": "bytes 100-299/300", "Last-Modified": "Mon, 06 Mar 2017 10:00:00 GMT"],
                .append(total: 300)
            ),
            (206, ["Content-Range": "bytes 100-299/300"], .discard),
            (
                206,
                ["Content-Range": "bytes 100-299/300", "Last-Modified": "Mon, 06 Mar 2017 10:00:01 GMT"],
                .discard
            ),
            (416, ["Content-Range": "bytes */100"], .complete),
            (416, ["Content-Range": "bytes */99"], .discard),
        ] as [(Int, [String: String], ResumeDecision)])
    func `without a known length takes the host's word`(
        status: Int, headers: [String: String], decision: ResumeDecision
    ) throws {
        #expect(try decide(status, headers, Self.dated) == decision)
    }

    @Test func `a part of the file that nobody asked for is no use`() throws {
        for range in ["bytes 0-8/10", "bytes 1-9/10", "bytes 0-9/*", "bytes */10", "bytes 0-9/9", ""] {
            #expect(try decide(206, ["Content-Range": range], nil) == .discard)
        }
        let lying = ["Content-Range": "bytes 0-9/10", "Content-Length": "9"]
        #expect(try decide(206, lying, nil) == .discard)
        let encoded = ["Content-Range": "bytes 0-9/10", "Content-Encoding": "gzip"]
        #expect(try decide(206, encoded, nil) == .discard)
        #expect(try decide(416, ["Content-Range": "bytes */0"], nil) == .refuse(status: 416))
    }

    @Test func `all of the file, as a part that nobody asked for, is the file`() throws {
        let fields = ["Content-Range": "bytes 0-9/10"]
        #expect(try decide(206, fields, nil) == .startOver(total: 10))
        #expect(
            try decide(206, fields.merging(["Content-Length": "10"]) { $1 }, nil) == .startOver(total: 10))
    }

    @Test(
        arguments: [
            ([:], nil),
            (["ETag": #""v1""#], #""v1""#),
            (["ETag": #"W/"v1""#], nil),
            (["ETag": "v1"], nil),
            (["ETag": "\""], nil),
            (["ETag": "\"\u{1B}[2J\""], nil),
            (
                ["ETag": #"W/"v1""#, "Last-Modified": "Mon, 06 Mar 2017 10:00:00 GMT"],
                "Mon, 06 Mar 2017 10:00:00 GMT"
            ),
            (["Last-Modified": "yesterday"], nil),
            (["Last-Modified": "Fri, 01 Jan 2100 00:00:00 GMT"], nil),
            (
                ["Last-Modified": "Mon, 06 Mar 2017 10:00:00 GMT", "Date": "Mon, 06 Mar 2017 10:00:01 GMT"],
                nil
            ),
        ] as [([String: String], String?)])
    func `a validator names one version, byte for byte`(headers: [String: String], validator: String?) throws
    {
        let url = try #require(URL(string: "http://h/"))
        let head = HTTPHead(status: 200, url: url, headers: headers)
        #expect(Validator.strong(in: head, now: Date(timeIntervalSince1970: 1_700_000_000)) == validator)
    }

    @Test func `after a restart of the system only what was synced counts`() throws {
        let url = try #require(URL(string: "http://h/a?signature=x"))
        let item = DownloadItem(
            number: 1, photo: PhotoID(service: "s", value: "1"), source: HTTPRequest(url: url), name: "a",
            isNameUnique: true)
        let head = HTTPHead(status: 200, url: url, headers: ["ETag": #""v1""#, "Content-Length": "300"])
        var note = PartNote(item, head: head, boot: "one", now: Date())
        note.synced = 40
        #expect(note.trusted(length: 100, boot: "one") == 100)
        #expect(note.trusted(length: 100, boot: "two") == 40)
        #expect(note.trusted(length: 30, boot: "two") == 30)
        #expect(note.offer(length: 300)?.headers == ["Range": "bytes=300-", "If-Range": #""v1""#])
        #expect(note.offer(length: 301) == nil)
        #expect(note.offer(length: 0) == nil)
        #expect(try JSONDecoder().decode(PartNote.self, from: Data(note.text.utf8)) == note)
        #expect(!note.text.contains("signature"))
    }
}

import Foundation
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct LocalReplyTests {
    private static let photo = Data((0..<1000).map { UInt8($0 % 251) })

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LocalReply
        let body: Data
        var ending = Received.Ending.closed
        var length: String? = "1000"

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "whole", reply: .file(photo), body: photo),
        Case(name: "cut at 10", reply: .file(photo).cut(at: 10), body: photo.prefix(10)),
        Case(name: "cut at half", reply: .file(photo).cut(at: .half), body: photo.prefix(500)),
        Case(
            name: "reset at 0", reply: .file(photo).cut(at: 0, by: .reset), body: Data(), ending: .reset),
        Case(
            name: "reset at 1", reply: .file(photo).cut(at: 1, by: .reset), body: photo.prefix(1),
            ending: .reset),
        Case(
            name: "reset at half", reply: .file(photo).cut(at: .half, by: .reset), body: photo.prefix(500),
            ending: .reset),
        Case(
            name: "reset at last", reply: .file(photo).cut(at: .last, by: .reset), body: photo.prefix(999),
            ending: .reset),
        Case(name: "no length", reply: .file(photo).withoutLength(), body: photo, length: nil),
        Case(
            name: "no length, cut", reply: .file(photo).withoutLength().cut(at: .half),
            body: photo.prefix(500), length: nil),
        Case(name: "too long", reply: .file(photo).announcing(length: 1001), body: photo, length: "1001"),
        Case(name: "too short", reply: .file(photo).announcing(length: 7), body: photo, length: "7"),
        Case(
            name: "dripping", reply: .file(photo).dripping(bytes: 300, every: .milliseconds(1)), body: photo),
        Case(name: "delayed", reply: .file(photo).delayed(by: .milliseconds(1)), body: photo),
        Case(name: "silent end", reply: .noAnswer(), body: Data(), length: nil),
        Case(name: "silent reset", reply: .noAnswer(.reset), body: Data(), ending: .reset, length: nil),
    ])
    func `plays what it says`(_ sample: Case) async throws {
        try await withLocalServer(sample.reply) { server in
            let received = try await exchange(with: server.port)
            #expect(received.body == sample.body)
            #expect(received.ending == sample.ending)
            #expect(received.header("Content-Length") == sample.length)
        }
    }

    @Test(arguments: [
        (BodyPoint?.none, "4\r\nabcd\r\n4\r\nefgh\r\n2\r\nij\r\n0\r\n\r\n"),
        (.byte(0), ""), (.byte(2), "4\r\nab"), (.byte(4), "4\r\nabcd"), (.half, "4\r\nabcd\r\n4\r\ne"),
        (.last, "4\r\nabcd\r\n4\r\nefgh\r\n2\r\ni"), (.end, "4\r\nabcd\r\n4\r\nefgh\r\n2\r\nij"),
    ])
    func `chunks are whole, or cut where it says`(cut: BodyPoint?, wire: String) async throws {
        let whole = LocalReply.body(Data("abcdefghij".utf8)).chunked(size: 4)
        try await withLocalServer(cut.map { whole.cut(at: $0) } ?? whole) { server in
            let received = try await exchange(with: server.port)
            #expect(String(decoding: received.body, as: UTF8.self) == wire)
            #expect(received.header("Transfer-Encoding") == "chunked")
            #expect(received.header("Content-Length") == nil)
        }
    }

    @Test func `a stalled body goes on when the gate opens`() async throws {
        let gate = Gate()
        try await withLocalServer(.file(Self.photo).stalled(at: 300, until: gate)) { server in
            let client = try RawClient(port: server.port)
            client.ask("/", "Connection: close")
            #expect(await client.read(bodyBytes: 300).body == Self.photo.prefix(300))
            try await gate.waitForWaiters(1)
            gate.open()
            #expect(await client.readToEnd().bytes == Self.photo.dropFirst(300))
        }
    }

    @Test func `a stalled reply ends when the client goes`() async throws {
        try await withLocalServer(.file(Self.photo).stalled(at: .half)) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.ask("/")
            #expect(await client?.read(bodyBytes: 500).body.count == 500)
            client = nil
            try await server.waitForDisconnection()
        }
    }

    @Test func `a reset comes after all the bytes before it`() async throws {
        let large = LocalBody(count: 3_000_000) { Data(repeating: 7, count: $0.count) }
        try await withLocalServer(.file(large).cut(at: 2_000_000, by: .reset)) { server in
            let received = try await exchange(with: server.port)
            #expect(received.body.count == 2_000_000)
            #expect(received.ending == .reset)
        }
    }

    @Test func `header lines can be replaced, removed and made of any bytes`() async throws {
        let reply = LocalReply.file(Self.photo, tag: #""v1""#)
            .header("Content-Range", "bytes 5-9/7").header("ETag", nil).header("X-Odd", bytes: [0xFF, 7])
            .reason([0x1B, 0x5B, 0x41])
        try await withLocalServer(reply) { server in
            let received = try await exchange(with: server.port)
            #expect(received.header("Content-Range") == "bytes 5-9/7")
            #expect(received.header("ETag") == nil)
            #expect(received.bytes.range(of: Data("X-Odd: ".utf8) + [0xFF, 7]) != nil)
            #expect(received.bytes.starts(with: Data("HTTP/1.1 200 \u{1B}[A\r\n".utf8)))
        }
    }

    @Test func `raw bytes are all there is`() async throws {
        try await withLocalServer(.raw("HTTP/1.1 200 O")) { server in
            let received = try await exchange(with: server.port)
            #expect(received.text == "HTTP/1.1 200 O")
        }
    }

    @Test func `a redirect sends its location as written`() async throws {
        try await withLocalServer(.redirect(to: "../a%2Fb c", status: 308)) { server in
            let received = try await exchange(with: server.port)
            #expect(received.status == 308)
            #expect(received.header("Location") == "../a%2Fb c")
        }
    }
}

import Foundation
import Testing

@testable import GalleryCore

@Suite struct BrowserCheckTests {
    private let page = Array("<!DOCTYPE html><html><head><title> Just a moment...</title>".utf8)

    @Test(
        arguments: [
            (403, ["cf-mitigated": "challenge"], "", true), (503, ["CF-Mitigated": "Challenge"], "", true),
            (202, ["x-amzn-waf-action": "challenge"], "", true),
            (405, ["X-Amzn-WAF-Action": "captcha"], "", true),
            (403, ["cf-mitigated": "block"], "", false), (403, ["cf-mitigated": ""], "", false),
            (403, ["Content-Type": "text/html"], "<title>Just a moment…</title>", true),
            (503, ["Content-Type": "text/html; charset=utf-8"], "<TITLE>\nChecking your browser", true),
            (403, ["Content-Type": "text/html"], "<title>DDoS-Guard</title>", true),
            (403, ["Content-Type": "text/html"], "<title>Forbidden</title>Just a moment", false),
            (403, [:], "<title>Just a moment...</title>", false),
            (404, ["Content-Type": "text/html"], "<title>Just a moment...</title>", false),
        ] as [(Int, [String: String], String, Bool)])
    func `is known by its fields, or by the title of its page`(
        status: Int, headers: [String: String], body: String, isTold: Bool
    ) throws {
        let head = HTTPHead(status: status, url: try #require(URL(string: "http://h/")), headers: headers)
        let isInBody = BrowserCheck.mayFollow(head) && BrowserCheck.isTold(by: Array(body.utf8))
        #expect((BrowserCheck.isTold(by: head) || isInBody) == isTold)
    }

    private func delivery(_ sink: RecordingSink) throws -> Delivery {
        Delivery(
            Transfer(HTTPRequest(url: try #require(URL(string: "http://h/"))), idleTimeout: 30, sink: sink))
    }

    private func receive(_ bytes: [UInt8], by count: Int, _ delivery: inout Delivery) {
        delivery.receive(status: 403, headers: ["Content-Type": "text/html"])
        for start in stride(from: 0, to: bytes.count, by: count) {
            bytes[start..<min(bytes.count, start + count)].withUnsafeBytes { delivery.receive($0) }
        }
    }

    @Test(arguments: [1, 7, 5000])
    func `a page that comes in pieces is known, and nothing of it is passed on`(count: Int) throws {
        let sink = RecordingSink()
        var delivery = try delivery(sink)
        receive(page + Array(repeating: 0x20, count: 4000), by: count, &delivery)
        guard case .failure(.browsersOnly("h"))? = delivery.finish(nil) else {
            Issue.record("It was not known.")
            return
        }
        #expect(sink.heads.isEmpty && sink.body.isEmpty)
    }

    @Test(arguments: [0, 3, 1023, 1024, 3000], [1, 700])
    func `any other page is passed on, each byte once`(length: Int, count: Int) throws {
        let sink = RecordingSink()
        var delivery = try delivery(sink)
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        receive(bytes, by: count, &delivery)
        guard case .success(let head)? = delivery.finish(nil) else {
            Issue.record("It failed.")
            return
        }
        #expect(head.status == 403 && sink.heads.map(\.status) == [403])
        #expect(Array(sink.body) == bytes)
    }
}

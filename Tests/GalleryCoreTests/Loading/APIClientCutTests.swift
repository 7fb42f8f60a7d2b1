import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct APIClientCutTests {
    @Test(arguments: [
        "{}", "[]", "7", "null", #"{"a":"}"}"#, #"["\""]"#, #"["\\"]"#, "call({});", " {\n}\n", "busy",
        "<p>(Log in", "\r\n <", "]", "}}{",
    ])
    func `a text that ends is whole`(text: String) {
        #expect(!JSONEnd.isMissing(in: text.utf8))
    }

    @Test(arguments: [
        "", " \n", "{", #"{"a":1"#, #"{"a":[]"#, #"{"a":"}"#, #"["\"]"#, #"["\\\"]"#, "[[]", "call({}",
        #"{"a":"\"#,
    ])
    func `a text with something open is cut`(text: String) {
        #expect(JSONEnd.isMissing(in: text.utf8))
    }

    @Test func `every beginning of an answer is cut`() throws {
        let whole = Data(FaultyHost.photos[0].utf8)
        for length in 0..<whole.count { #expect(JSONEnd.isMissing(in: whole.prefix(length))) }
        #expect(!JSONEnd.isMissing(in: whole))
    }

    @Test(
        arguments: [
            (200, [:], true), (200, ["Content-Length": "1"], false),
            (200, ["Transfer-Encoding": "chunked"], false),
            (200, ["Content-Length": "1", "Content-Encoding": "gzip"], true),
            (200, ["Content-Length": "1", "Content-Encoding": "identity"], false),
            (200, ["Content-Length": "many"], true), (404, [:], false),
        ] as [(Int, [String: String], Bool)])
    func `only a body whose end nobody tells is looked at`(
        status: Int, headers: [String: String], isCut: Bool
    ) {
        let head = HTTPHead(status: status, url: URL(filePath: "/"), headers: headers)
        #expect(HTTPReply(head: head, body: Data("{".utf8)).isCutShort == isCut)
    }
}

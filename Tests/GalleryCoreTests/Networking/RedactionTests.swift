import Foundation
import Testing

@testable import GalleryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redaction")
struct RedactionTests {
    @Test(arguments: [
        ("https://h/v1/photos?feature=popular&page=2", "https://h/v1/photos?feature=popular&page=2"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("https://user:pass@h:8080/a#top", "https://h:8080/a"),
        (
            "https://h/a.jpg?md5=abc&X-Amz-Credential=AKIA&Access=x&w=2",
            "https://h/a.jpg?md5=…&X-Amz-Credential=…&Access=…&w=2"
        ),
        ("https://h/a.jpg?sig=abc&w=200", "https://h/a.jpg?sig=…&w=200"),
        (
            "https://h/a.jpg?X-Amz-Signature=1&Key-Pair-Id=2&Expires=3",
            "https://h/a.jpg?X-Amz-Signature=…&Key-Pair-Id=…&Expires=3"
        ),
        ("https://h/a.jpg?v=0123456789012345678901234567890123456789x", "https://h/a.jpg?v=…"),
        ("https://h/a.jpg?0123456789012345678901234567890123456789x", "https://h/a.jpg?…"),
    ])
    func `shows where a request goes, and nothing that is signed`(address: String, shown: String) throws {
        let url = try #require(URL(string: address))
        #expect(Redaction.address(of: HTTPRequest(url: url)) == shown)
    }

    @Test func `shows that there is a secret, not which`() throws {
        let url = try #require(URL(string: "https://h/a?b=c"))
        let key = try #require(Secret("s3cret"))
        let request = HTTPRequest(url: url, secrets: [.query(name: "key"): key, .header(name: "X"): key])
        #expect(Redaction.address(of: request) == "https://h/a?b=c&key=•••")
        #expect(!"\(request)".contains("s3cret"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test func `a scheme in capitals is one all the same`() throws {
        let url = try #require(URL(string: "HTTP://h/A?B"))
        #expect(HTTPRequest(url: url).urlRequest(idleTimeout: 5).url?.absoluteString == "http://h/A?B")
    }

    @Test func `a line break in a header's value starts no header of its own`() throws {
        let url = try #require(URL(string: "https://h/"))
        let key = try #require(Secret("s3cret\r\nX-Evil: 1"))
        let request = HTTPRequest(url: url, headers: ["A": "b\nc"], secrets: [.header(name: "X"): key])
        let sent = request.urlRequest(idleTimeout: 5)
        #expect(sent.value(forHTTPHeaderField: "X") == "s3cretX-Evil: 1")
        #expect(sent.value(forHTTPHeaderField: "A") == "bc")
        #expect(sent.timeoutInterval == 5)
    }
}

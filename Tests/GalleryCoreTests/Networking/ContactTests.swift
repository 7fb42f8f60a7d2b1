import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Who answers for requests, as hosts are told.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct ContactTests {
    @Test(arguments: [
        "me@example.org", "a.b+c@mail.example.co.uk", "https://example.org/", "http://example.org/~me/bot",
        "https://en.wikipedia.org/wiki/User:Someone",
    ])
    func `a mail address or a web address`(text: String) {
        #expect(Contact(text)?.text == text)
    }

    @Test(arguments: [
        "", "me", "me@", "@example.org", "me@example", "a@b@example.org", "me@example..org", "example.org",
        "me@example.org\r\nX-Evil: 1", "me@example.org\u{0}", "me@exa\u{1B}mple.org", "me@example.org)",
        "https://example.org/a b", "https://example.org/(a)", "https://example.org/;x",
        "https://exämple.org/",
        "ftp://example.org/", "https://", "https://me:secret@example.org/", "mailto:me@example.org",
        "https://example.org/" + String(repeating: "a", count: 200),
    ])
    func `anything else is refused`(text: String) {
        #expect(Contact(text) == nil)
    }

    @Test func `it is sent to every host, over redirects too, but for a User-Agent of the request's own`()
        async throws
    {
        let contact = try #require(Contact("me@example.org"))
        let named = "gallery/\(Release.version) (https://github.com/gallery-swift/gallery; me@example.org)"
        #expect(HTTPRequest.userAgent(of: contact) == named)
        try await withLocalServer(.status(200)) { other in
            let target = other.url("/there").absoluteString
            try await withLocalServer(.redirect(to: target)) { server in
                let transport = URLSessionTransport(workers: NetworkWorkers(launch: nil), contact: contact)
                for headers in [[:], ["User-Agent": "own"]] {
                    _ = try await transport.send(
                        HTTPRequest(url: server.url("/here"), headers: headers), idleTimeout: 10,
                        to: MemorySink())
                }
                for requests in [server.requests, other.requests] {
                    #expect(requests.map { $0.headers["User-Agent"] } == [named, "own"])
                }
            }
        }
    }
}

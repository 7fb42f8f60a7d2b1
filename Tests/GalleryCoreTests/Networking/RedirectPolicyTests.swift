import Foundation
import Testing

@testable import GalleryCore

@Suite("RedirectPolicy")
struct RedirectPolicyTests {
    private static let key = Secret("s3cret/key")

    private func decide(_ from: String, to location: String, hops: Int = 0) throws -> String {
        let url = try #require(URL(string: from))
        let request = HTTPRequest(url: url, headers: ["Accept": "image/*", "Referer": "https://x.org/"])
        return follow(request, to: location, hops: hops)
    }

    /// Where it leads, or why it is not followed.
    private func follow(_ request: HTTPRequest, to location: String, hops: Int = 0) -> String {
        do throws(TransportError) {
            return try RedirectPolicy.follow(location, from: request, hops: hops).url.absoluteString
        } catch {
            guard case .redirect(host: _, let reason) = error else { return "\(error)" }
            return reason
        }
    }

    @Test(arguments: [
        ("/b", "http://h/b"), ("b", "http://h/dir/b"), ("../b", "http://h/b"), ("?q=1", "http://h/dir/a?q=1"),
        ("/a%2Fb", "http://h/a%2Fb"), ("/q%3D80_m%3D2000/x", "http://h/q%3D80_m%3D2000/x"),
        ("/dir/", "http://h/dir/"),
        ("//other/x", "http://other/x"), ("https://h/x?sig=%2B%3D", "https://h/x?sig=%2B%3D"),
        ("HTTP://h/x", "HTTP://h/x"), ("/x#top", "http://h/x"), ("/a b", "http://h/a%20b"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ])
    func `resolves a location as it is written`(location: String, target: String) throws {
        #expect(try decide("http://h/dir/a", to: location) == target)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://h/x", "data:image/gif;base64,R0lGOD", "javascript:alert(1)",
        "gopher://h/",
        "http:///x", "http://user:pass@h/x", "http://user@h/x", "",
    ])
    func `goes nowhere but to web addresses without a user's name`(location: String) throws {
        #expect(try decide("http://h/dir/a", to: location).hasPrefix("its target "))
    }

    @Test func `follows ten in a row and no more`() throws {
        #expect(try decide("http://h/a", to: "/b", hops: 9) == "http://h/b")
        #expect(try decide("http://h/a", to: "/b", hops: 10) == "it redirects more than 10 times")
    }

    /// `https` to `http` depends on the credential; see below.
    @Test(arguments: [
        ("https://h/a", "https://h/b", true), ("https://h/a", "https://h:443/b", true),
        ("https://h/a", "https://H/b", true), ("https://h/a", "https://h:8443/b", false),
        ("https://h/a", "https://sub.h/b", false), ("http://h/a", "https://h/b", false),
        ("http://h:80/a", "http://h/b", true), ("http://h/a", "http://other/b", false),
    ])
    func `keeps credentials for the same scheme, host and port`(
        from: String, to location: String, keeps: Bool
    )
        throws
    {
        let key = try #require(Self.key)
        let request = HTTPRequest(
            url: try #require(URL(string: from)),
            headers: [
                "Accept": "image/*", "Range": "bytes=5-", "If-Range": "\"v1\"", "Referer": "https://x.org/",
                "Cookie": "a=b", "authorization": "Basic x", "X-Api-Key": "k", "Proxy-Authorization": "p",
            ],
            secrets: [.header(name: "X-Key"): key, .query(name: "key"): key])
        let next = try RedirectPolicy.follow(location, from: request, hops: 0)
        if keeps {
            #expect(next.headers == request.headers)
            // That of a query is kept for where a host repeats it.
            #expect(next.secrets == [.header(name: "X-Key"): key, .address: key])
        } else {
            #expect(next.headers == ["Accept": "image/*", "Range": "bytes=5-", "If-Range": "\"v1\""])
            #expect(next.secrets.isEmpty)
        }
    }

    @Test func `leaves https with nothing aboard, never with a credential`() throws {
        let url = try #require(URL(string: "https://h/a"))
        let key = try #require(Self.key)
        let leaving = "it leads from https to http"
        let aboard = [
            HTTPRequest(url: url, headers: ["Cookie": "a=b"]),
            HTTPRequest(url: url, headers: ["AUTHORIZATION": "x"]),
            HTTPRequest(url: url, secrets: [.query(name: "key"): key]),
            HTTPRequest(url: url, secrets: [.header(name: "X-Key"): key]),
            HTTPRequest(url: try #require(URL(string: "https://user:pass@h/a"))),
        ]
        for request in aboard {
            #expect(follow(request, to: "http://h/b") == leaving)
        }
        #expect(follow(HTTPRequest(url: url), to: "http://h/b") == "http://h/b")
    }

    @Test(arguments: ["https://other/?k=s3cret/key", "https://other/?k=s3cret%2Fkey"])
    func `does not repeat a key that a host put into the address of another`(location: String) throws {
        let key = try #require(Self.key)
        let request = HTTPRequest(
            url: try #require(URL(string: "https://h/a")), secrets: [.query(name: "key"): key])
        #expect(follow(request, to: location) == "it would tell a key to 'other'")
    }

    @Test(arguments: [
        ("/b?key=s3cret/key&p=2", "https://h/b?key=…&p=2", "https://h/b?key=s3cret%2Fkey&p=2"),
        ("/s3cret%2fkey/b", "https://h/•••/b", "https://h/s3cret%2Fkey/b"),
        ("/b?p=%73%33cret/key", "https://h/b?p=•••", "https://h/b?p=s3cret%2Fkey"),
    ])
    func `a key that a host puts into its own address is sent, and never shown`(
        location: String, shown: String, sent: String
    ) throws {
        let key = try #require(Self.key)
        let request = HTTPRequest(
            url: try #require(URL(string: "https://h/a")), secrets: [.query(name: "key"): key])
        let first = try RedirectPolicy.follow(location, from: request, hops: 0)
        for next in [first, try RedirectPolicy.follow(location, from: first, hops: 1)] {
            #expect(Redaction.address(of: next) == shown)
            #expect(next.addressWithSecrets.absoluteString == sent)
        }
    }
}

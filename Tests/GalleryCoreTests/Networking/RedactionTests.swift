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
        #expect(HTTPRequest(url: url).addressWithSecrets.absoluteString == "http://h/A?B")
    }

    @Test func `a field is sent once, whatever the case of its name`() throws {
        let url = try #require(URL(string: "https://h/"))
        let key = try #require(Secret("s3cret"))
        let request = HTTPRequest(
            url: url, headers: ["user-agent": "other", "x-key": "none"],
            secrets: [.header(name: "X-Key"): key])
        let fields = request.fieldsWithSecrets
        #expect(Set(fields.keys.map { $0.lowercased() }) == ["user-agent", "accept-encoding", "x-key"])
        #expect(fields["User-Agent"] == "other")
        #expect(fields["x-key"] == "s3cret")
    }

    @Test func `a line break in a header's value starts no header of its own`() throws {
        let url = try #require(URL(string: "https://h/"))
        let key = try #require(Secret("s3cret\r\nX-Evil: 1"))
        let request = HTTPRequest(url: url, headers: ["A": "b\nc"], secrets: [.header(name: "X"): key])
        #expect(request.fieldsWithSecrets["X"] == "s3cretX-Evil: 1")
        #expect(request.fieldsWithSecrets["A"] == "bc")
    }
}

/// A service that repeats the key it was asked with.
@Suite struct BlankingTests {
    private func request(_ secrets: String...) throws -> HTTPRequest {
        let places = secrets.enumerated().map {
            (HTTPRequest.SecretPosition.query(name: "key\($0)"), Secret($1))
        }
        return HTTPRequest(
            url: try #require(URL(string: "https://h/a")),
            secrets: Dictionary(uniqueKeysWithValues: places).compactMapValues(\.self))
    }

    private func blanked(_ body: String, _ secrets: String...) throws -> String {
        let request = try secrets.count == 1 ? request(secrets[0]) : request(secrets[0], secrets[1])
        return String(decoding: request.blanking(Data(body.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"error":"no s3cret/k+y here"}"#, #"{"error":"no ••• here"}"#),
        (#"{"a":["s3cret\/k+y","s3cret\u002fk\u002By"]}"#, #"{"a":["•••","•••"]}"#),
        (#"{"url":"http://h/?k=s3cret%2Fk%2By&w=1"}"#, #"{"url":"http://h/?k=•••&w=1"}"#),
        (#"{"url":"http://h/?k=s3cret%2fk%2by&w=1"}"#, #"{"url":"http://h/?k=•••&w=1"}"#),
        (#"{"url":"http://h/?k=%733cret%252Fk+y"}"#, #"{"url":"http://h/?k=•••"}"#),
        (#"{"s3cret/k+y":{"a s3cret\/k+y" : 1}}"#, #"{"•••":{"a •••" : 1}}"#),
        ("<p title='s3&#99;ret&#x2F;k&#x2b;y'>&#115;&#000051cret/k+y;</p>", "<p title='•••'>•••;</p>"),
        ("<p>s3cret/k+y</p>", "<p>•••</p>"),
        ("[error] no s3cret/k+y here", "[error] no ••• here"),
        (#"{"cut":"s3cret/k+y"#, #"{"cut":"•••"#),
        (#"{"cut":"s3cret/k+y\"#, #"{"cut":"•••\"#),
    ])
    func `brings it no further, however it is escaped`(body: String, shown: String) throws {
        #expect(try blanked(body, "s3cret/k+y") == shown)
    }

    @Test(arguments: [
        (
            #"{"photos":[{"id":4000301,"title":"my photos"}]}"#, "photos",
            #"{"photos":[{"id":4000301,"title":"my •••"}]}"#
        ),
        (#"{"photos" : 1}"#, "photos", #"{"photos" : 1}"#),
        (#"[{"id":4000301}]"#, "400030", #"[{"id":4000301}]"#),
        (#"{"a":"photo ••••••••"}"#, "photo", #"{"a":"photo ••••••••"}"#),
        (#"{"a":"x\n\u00e9\"y"}"#, "s3cret/k+y", #"{"a":"x\n\u00e9\"y"}"#),
        ("", "s3cret/k+y", ""), ("[", "s3cret/k+y", "["), (#"["#, "s3cret/k+y", #"["#),
    ])
    func `what can be read can be read after it`(body: String, key: String, shown: String) throws {
        #expect(try blanked(body, key) == shown)
    }

    @Test(arguments: [
        ("123456", #"{"id":123456,"a":"123456"}"#, #"{"id":123456,"a":"•••"}"#),
        (
            "photos", #"{"photos" : ["my photos"],"photos":"photos"}"#,
            #"{"photos" : ["my •••"],"photos":"•••"}"#
        ),
    ])
    func `a key that is a number or a word leaves JSON what it is`(
        key: String, body: String, shown: String
    ) throws {
        #expect(try blanked(body, key) == shown)
    }

    @Test(arguments: [
        "clé-sécret", #"cl\u00e9-s\u00E9cret"#, "cl%C3%A9-s%c3%a9cret", "cl&#233;-s&#xe9;cret",
        "cl%25C3%25A9-s%C3%A9cret",
    ])
    func `a key of other letters than ASCII's is found in each spelling`(spelled: String) throws {
        #expect(try blanked("x \(spelled) y", "clé-sécret") == "x ••• y")
        // Half of such a letter, and another one.
        for other in [#"cl\u00c3-s\u00e9cret"#, "cl%C3-s%C3%A9cret", #"cl\ud83d-s"#] {
            #expect(try blanked(other, "clé-sécret") == other)
        }
    }

    @Test func `a key of quotes and bullets ends, and stays JSON`() throws {
        #expect(try blanked(#"{"a":"x\"\\\"key y"}"#, #""\"key"#) == #"{"a":"x••• y"}"#)
        #expect(try blanked(#"{"a":"x••••••••"}"#, "•••") == #"{"a":"x••••••••"}"#)
        #expect(
            try blanked(#"{"a":"first-key second-key"}"#, "first-key", "second-key") == #"{"a":"••• •••"}"#)
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian,
        .utf32LittleEndian,
    ])
    func `brings it no further, however many bytes a character has`(encoding: String.Encoding) throws {
        for (text, shown) in [
            (
                "<?xml version='1.0'?><a>s3cret/k+y, s3&#99;ret%2Fk+y</a>",
                "<?xml version='1.0'?><a>•••, •••</a>"
            ),
            (#"{"photos":"s3cret\/k+y","id":4000301}"#, #"{"photos":"•••","id":4000301}"#),
        ] {
            let body = try #require(text.data(using: encoding))
            #expect(String(data: try request("s3cret/k+y").blanking(body), encoding: encoding) == shown)
        }
    }

    @Test(arguments: ["/?s3cret/k+y", "/?s3cret%2Fk%2By", "/?s3cret%2fk%2by", "/?%733cret%2Fk+y"])
    func `an address tells it however it is escaped`(location: String) throws {
        #expect(try request("s3cret/k+y").isTold(in: location))
        #expect(try !request("s3cret/k+y").isTold(in: "/?s3cret"))
    }
}

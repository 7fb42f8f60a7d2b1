import Foundation
import Testing

@testable import GalleryCore

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
        (#"{"url":"http://h/?k=s3cret%2fk%2by&w=1"}"#, #"{"url":"•••"}"#),
        (#"{"url":"http://h/?k=%733cret%2Fk+y"}"#, #"{"url":"•••"}"#),
        ("<p>s3cret/k+y</p>", "<p>•••</p>"),
        (#"{"cut":"s3cret/k+y"#, #"{"cut":"•••"#),
        (#"{"cut":"s3cret/k+y\"#, #"{"cut":"•••\\"#),
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

    @Test func `a key of quotes and bullets ends, and stays JSON`() throws {
        #expect(try blanked(#"{"a":"x\"\\\"key y"}"#, #""\"key"#) == #"{"a":"x••• y"}"#)
        #expect(try blanked(#"{"a":"x••••••••"}"#, "•••") == #"{"a":"•••"}"#)
        #expect(
            try blanked(#"{"a":"first-key second-key"}"#, "first-key", "second-key") == #"{"a":"••• •••"}"#)
    }

    @Test(arguments: ["/?s3cret/k+y", "/?s3cret%2Fk%2By", "/?s3cret%2fk%2by", "/?%733cret%2Fk+y"])
    func `an address tells it however it is escaped`(location: String) throws {
        #expect(try request("s3cret/k+y").isTold(in: location))
        #expect(try !request("s3cret/k+y").isTold(in: "/?s3cret"))
    }
}

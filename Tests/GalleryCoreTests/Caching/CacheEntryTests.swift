import Foundation
import Testing

@testable import GalleryCore

@Suite struct CacheEntryTests {
    private let url = URL(string: "https://api.example.org/v1/photos?feature=popular") ?? URL(filePath: "/")

    private func salt(_ byte: UInt8 = 7) -> [UInt8] { [UInt8](repeating: byte, count: 16) }

    private func request(
        _ secret: String, at place: HTTPRequest.SecretPosition = .query(name: "key")
    ) -> HTTPRequest {
        HTTPRequest(url: url, secrets: Secret(secret).map { [place: $0] } ?? [:])
    }

    @Test func `a request without secrets needs no salt and is the same in every process`() throws {
        let key = try #require(CacheKey(HTTPRequest(url: url, headers: ["Accept": "text/*"]), salt: nil))
        #expect(key.request == "GET \(url.absoluteString)")
        #expect(key.headers == ["accept: text/*"])
        #expect(key.credential == "")
        #expect(key.fileName == "953afc1cc92d39f120032cabf9febeda.reply")
    }

    @Test func `address and headers make a difference, their order and case do not`() {
        let requests = [
            HTTPRequest(url: url), HTTPRequest(url: url.appending(path: "x")),
            HTTPRequest(url: url, headers: ["Accept": "a"]), HTTPRequest(url: url, headers: ["Accept": "b"]),
            HTTPRequest(url: url, headers: ["Accept": "a", "Referer": "c"]),
        ]
        #expect(Set(requests.compactMap { CacheKey($0, salt: nil)?.fileName }).count == requests.count)
        let spelled = ["accept": "a", "REFERER": "c"]
        #expect(
            CacheKey(HTTPRequest(url: url, headers: spelled), salt: nil)
                == CacheKey(HTTPRequest(url: url, headers: ["Referer": "c", "Accept": "a"]), salt: nil))
    }

    @Test func `a request with a secret is not kept where there is no salt`() {
        #expect(CacheKey(request("k1"), salt: nil) == nil)
    }

    @Test func `each secret, place and folder has its own mark`() {
        let keys = [
            CacheKey(HTTPRequest(url: url), salt: salt()), CacheKey(request("k1"), salt: salt()),
            CacheKey(request("k2"), salt: salt()), CacheKey(request("k1"), salt: salt(8)),
            CacheKey(request("k1", at: .query(name: "other")), salt: salt()),
            CacheKey(request("k1", at: .header(name: "Cookie")), salt: salt()),
            CacheKey(request("k1", at: .header(name: "Cookie", prefix: "a=")), salt: salt()),
        ]
        #expect(Set(keys.compactMap { $0?.fileName }).count == keys.count)
        #expect(CacheKey(request("k1"), salt: salt()) == CacheKey(request("k1"), salt: salt()))
    }

    @Test(arguments: [
        ["Authorization": "Bearer hunter2"], ["cookie": "session=hunter2"], ["X-Api-Key": "hunter2"],
    ])
    func `a secret in a plain header is not written down`(headers: [String: String]) throws {
        let request = HTTPRequest(url: url, headers: headers)
        #expect(CacheKey(request, salt: nil) == nil)
        let key = try #require(CacheKey(request, salt: salt()))
        #expect(key.headers.isEmpty)
        #expect(!"\(key)".contains("hunter2"))
    }

    @Test func `a password in the address is not written down`() throws {
        let address = try #require(URL(string: "https://me:hunter2@example.org/v1?q=a%2Fb"))
        let key = try #require(CacheKey(HTTPRequest(url: address), salt: salt()))
        #expect(key.request == "GET https://example.org/v1?q=a%2Fb")
        #expect(key.credential != "")
        #expect(CacheKey(HTTPRequest(url: address), salt: nil) == nil)
    }
}

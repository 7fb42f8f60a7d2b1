import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite("Downloader and secrets", .fewAtOnce, .timeLimit(.minutes(1)))
struct DownloaderSecretTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)

    /// Every byte that a run leaves behind: files beside the photos, errors, log.
    private func traces(of replies: LocalReply...) async throws -> String {
        try await withServer({ replies[min($0.attempt, replies.count) - 1] }) { server, folder in
            let lines = Lines()
            let key = try #require(Secret("s3cret-key"))
            let source = HTTPRequest(
                url: server.url("/a.jpg?w=200&signature=s1gned"),
                secrets: [.header(name: "X-Key", prefix: "Key "): key, .query(name: "api_key"): key])
            let wish = DownloadItem(
                number: 1, photo: PhotoID(service: "test", value: "1"), source: source, name: "a",
                isNameUnique: true)
            let downloader = downloader(
                retries: replies.count - 1, transport: URLSessionTransport(log: lines.add))
            let result = await collect(downloader.fetch([wish], into: folder))
            #expect(server.requests.allSatisfy { $0.headers["X-Key"] == "Key s3cret-key" })
            #expect(server.requests.allSatisfy { $0.query("api_key") == "s3cret-key" })
            var traces = lines.all + result.failures.values.map { "\($0) \($0.hint ?? "")" }
            traces += result.events.map { "\($0)" }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                traces.append(name)
                traces.append(String(decoding: bytes(name, in: folder) ?? Data(), as: UTF8.self))
            }
            return traces.joined(separator: "\n")
        }
    }

    @Test func `no key is left behind, however the transfer ends`() async throws {
        let whole = LocalReply.file(Self.photo, tag: #""v1""#)
        let ends = [
            try await traces(of: whole), try await traces(of: whole.cut(at: .half)),
            try await traces(of: .status(503), whole.cut(at: .half, by: .reset), whole),
            try await traces(of: .status(403)), try await traces(of: .html("<html>s3cret</html>")),
            try await traces(of: .redirect(to: "http://127.0.0.1:1/?k=s3cret-key")),
            try await traces(of: .raw("s3cret-key\r\n\r\n")), try await traces(of: .noAnswer()),
        ]
        for end in ends { #expect(!end.contains("s3cret-key")) }
    }

    @Test func `an address's signature is in no log, error, note or record`() async throws {
        let whole = LocalReply.file(Self.photo, tag: #""v1""#)
        for end in [try await traces(of: whole), try await traces(of: whole.cut(at: .half))] {
            // The events hold the request itself, for whoever fetches; they are not printed.
            let shown = end.split(separator: "\n").filter { !$0.contains("DownloadItem(") }
            #expect(!shown.joined().contains("s1gned"))
            #expect(shown.contains { $0.contains("/a.jpg?w=200&signature=…&api_key=•••") })
        }
    }
}

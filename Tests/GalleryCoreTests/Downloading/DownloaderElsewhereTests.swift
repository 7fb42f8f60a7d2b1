import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Hosts that are away, and hosts that send elsewhere.
@Suite("Downloader against hosts that are elsewhere", .fewAtOnce, .timeLimit(.minutes(1)))
struct DownloaderElsewhereTests {
    private static let photo = Pictures.jpeg(bytes: 100_000, seed: 1)
    private static let whole = LocalReply.file(photo, tag: #""v1""#)

    @Test(arguments: [PhotoFileSize.full, .pixels(2048)])
    func `a host that refuses connections is tried again, and named`(size: PhotoFileSize) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusingPort())/photo"))
        try await withTemporaryDirectory { folder in
            let clock = TestClock.skipping()
            let wish = item(1, at: url, name: "photo", size: size)
            let result = await collect(downloader(clock: clock).fetch([wish], into: folder))
            #expect(result.outcome(1) == "unreachable")
            #expect(clock.sleeps.count == 4)
            let left = try names(in: folder)
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: [PhotoFileSize.full, .pixels(2048)])
    func `a redirect to another host brings the picture, and takes no key along`(
        size: PhotoFileSize
    ) async throws {
        let key = "k3y-of-ours"
        try await withLocalServer(Self.whole) { other in
            try await withServer(.redirect(to: other.url("/moved").absoluteString)) { server, folder in
                let secret = try #require(Secret(key))
                let source = HTTPRequest(
                    url: server.url("/photo"),
                    secrets: [.query(name: "key"): secret, .header(name: "X"): secret])
                let wish = DownloadItem(
                    number: 1, photo: PhotoID(service: "test", value: "1"), size: size, source: source,
                    name: "photo", isNameUnique: true)
                let result = await collect(downloader().fetch([wish], into: folder))
                #expect(result.outcome(1) == "fetched")
                #expect(bytes("photo.jpg", in: folder) == Self.photo)
                #expect(server.requests.map(\.path) == ["/photo"])
                #expect(!other.requests.contains { "\($0.target) \($0.headers)".contains(key) })
            }
        }
    }
}

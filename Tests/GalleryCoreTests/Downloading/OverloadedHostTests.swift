import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// A host that takes so many requests a second and refuses all others, over real sockets and in real time.
@Suite(.alone, .timeLimit(.minutes(2))) struct OverloadedHostTests {
    private static let photo = Pictures.jpeg(bytes: 5_000)

    /// Refuses what comes sooner than an interval after the last request that was answered.
    private final class Host: Sendable {
        private let interval: Duration
        private let next: Watched<ContinuousClock.Instant?> = Watched(nil)

        init(interval: Duration) {
            self.interval = interval
        }

        func reply(to request: LocalRequest) -> LocalReply {
            let isEarly = next.update { next in
                if let next, request.arrival < next { return true }
                next = request.arrival + interval
                return false
            }
            return isEarly ? .status(503) : .file(OverloadedHostTests.photo)
        }
    }

    @Test(.thorough, arguments: [1, 6])
    func `all files arrive, with few requests that are refused`(jobs: Int) async throws {
        let host = Host(interval: .milliseconds(10))
        try await withLocalServer({ host.reply(to: $0) }) { server in
            try await withTemporaryDirectory { folder in
                var configuration = Downloader.Configuration()
                configuration.jobs = jobs
                let downloader = Downloader(transport: URLSessionTransport(), configuration: configuration)
                let wishes = (1...300).map { item($0, at: server.url("/\($0)")) }
                let result = await collect(downloader.fetch(wishes, into: folder))
                #expect(result.files.count == 300, "\(result.failures)")
                #expect(server.requests.count <= 360)
            }
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct BandwidthLimitTests {
    /// Bytes taken, milliseconds at which they are, and milliseconds to wait; at 1000 bytes a second, of which
    /// 250 may be ahead.
    @Test(arguments: [
        [(250, 0, 0), (100, 0, 100), (100, 0, 200)],
        [(1250, 0, 1000), (0, 500, 500), (0, 1000, 0)],
        [(250, 0, 0), (250, 250, 0), (250, 500, 0)],
        [(100, 0, 0), (250, 60_000, 0), (1, 60_000, 1)],
        [(5000, 0, 4750), (1000, 4750, 1000)],
    ])
    func `waits as long as the rate asks`(steps: [(count: Int, now: Int, wait: Int)]) {
        var bucket = RateLimit(every: .milliseconds(1), burst: 250)
        for step in steps {
            let wait = bucket.take(step.count, at: .milliseconds(step.now))
            #expect(abs(wait / .milliseconds(1) - Double(step.wait)) < 0.001, "\(step)")
        }
    }

    @Test(arguments: [(1_000, 64, 30, 1), (10_000, 6, 30, 4), (1_000_000, 6, 30, 6), (1_000, 6, 1, 1)])
    func `few transfers run where each would starve`(rate: Int, jobs: Int, timeout: Int, expected: Int) {
        #expect(BandwidthLimit(rate: rate).jobs(jobs, idleTimeout: timeout) == expected)
    }

    @Test func `all transfers together keep to the rate`() async throws {
        let photo = Pictures.jpeg(bytes: 100_000, seed: 1)
        try await withServer(.file(photo)) { server, folder in
            var configuration = Downloader.Configuration()
            configuration.bytesPerSecond = 400_000
            let downloader = Downloader(transport: URLSessionTransport(), configuration: configuration)
            let start = ContinuousClock.now
            let items = (1...3).map { item($0, at: server.url("/\($0)")) }
            let result = await collect(downloader.fetch(items, into: folder))
            let time = start.duration(to: .now)
            #expect((1...3).map(result.outcome) == ["fetched", "fetched", "fetched"])
            // 300,000 bytes, of which a quarter of a second's may be ahead. A slow machine takes longer.
            #expect(time > .milliseconds(495))
        }
    }
}

import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// A host on a very bad day, and still every byte right.
@Suite("Downloader against chaos", .fewAtOnce, .timeLimit(.minutes(2)))
struct DownloaderChaosTests {
    /// Deals out faults: of each four requests about three get one, always the same for one seed.
    private final class BadDay: Sendable {
        private let generator: Watched<SeededGenerator>
        private let photos: [Data]

        init(seed: UInt64, photos: [Data]) {
            generator = Watched(SeededGenerator(seed: seed))
            self.photos = photos
        }

        func reply(_ request: LocalRequest) -> LocalReply {
            let number = Int(request.path.dropFirst()) ?? 0
            let (fault, point) = generator.update {
                (Int.random(in: 0..<8, using: &$0), Int.random(in: 0..<60_000, using: &$0))
            }
            // Some hosts tag their files, some date them, some know no ranges.
            let whole =
                switch number % 4 {
                case 0: LocalReply.file(photos[number], tag: "\"\(number)\"")
                case 1: LocalReply.file(photos[number], lastModified: "Mon, 06 Mar 2017 10:00:00 GMT")
                case 2: LocalReply.file(photos[number], tag: "\"\(number)\"", ranges: false)
                default: LocalReply.file(photos[number])
                }
            // Faults in a row end somewhere, or a host without ranges would never be done with.
            guard request.attempt % 4 != 0 else { return whole }
            return switch fault {
            case 0: whole.cut(at: .byte(point))
            case 1: whole.cut(at: .byte(point), by: .reset)
            case 2: whole.chunked(size: 5000).cut(at: .byte(point))
            case 3: .noAnswer(.reset)
            case 4: .status(503)
            case 5: .status(429, headers: ["Retry-After": "0"])
            default: whole
            }
        }
    }

    @Test(arguments: Thorough.cases([1, 2, 3] as [UInt64], few: 1))
    func `sixty files all arrive, byte for byte`(seed: UInt64) async throws {
        let photos = (0..<60).map { Pictures.jpeg(bytes: 30_000 + $0 * 500, seed: seed &* 100 &+ UInt64($0)) }
        let day = BadDay(seed: seed, photos: photos)
        try await withServer({ day.reply($0) }) { server, folder in
            let items = photos.indices.map { item($0, at: server.url("/\($0)"), name: "\($0)") }
            let result = await collect(downloader().fetch(items, into: folder))
            #expect(result.failures.isEmpty)
            try expectAll(photos, in: folder)
        }
    }

    /// Each finds parts that the other writes, waits, and looks again; as two processes do, but that neither
    /// waits for real time: whenever one has finished a file, the other's time goes on.
    @Test func `two downloaders in one folder bring each file whole, and both have it`() async throws {
        let photos = (0..<30).map { Pictures.jpeg(bytes: 60_000, seed: UInt64($0)) }
        let clocks = [TestClock(), TestClock()]
        try await withServer({ .file(photos[Int($0.path.dropFirst()) ?? 0], tag: "\"x\"") }) {
            server, folder in
            let items = photos.indices.map { item($0, at: server.url("/\($0)"), name: "\($0)") }
            let results = await withTaskGroup(of: BatchResult.self) { group in
                for (own, other) in [(clocks[0], clocks[1]), (clocks[1], clocks[0])] {
                    group.addTask {
                        var result = BatchResult()
                        for await event in downloader(clock: own).fetch(items, into: folder) {
                            result.take(event)
                            if case .finished = event { other.advance(by: .milliseconds(200)) }
                        }
                        other.skip()
                        return result
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results { #expect(Set(result.files.keys) == Set(photos.indices)) }
            #expect(results.flatMap(\.failures).isEmpty)
            try expectAll(photos, in: folder)
        }
    }

    private func expectAll(_ photos: [Data], in folder: URL) throws {
        let wrong = photos.indices.filter { bytes("\($0).jpg", in: folder) != photos[$0] }
        #expect(wrong.isEmpty)
        let left = try names(in: folder).filter { !$0.hasSuffix(".jpg") }
        #expect(left.isEmpty)
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and a host that spoils a third of all replies, in sixteen ways by turns.
///
/// `GALLERY_THOROUGH=20 swift test --filter Soak` has 2,000 photos and prints what each run took.
@Suite(.fewAtOnce, .timeLimit(.minutes(30))) struct SoakEndToEndTests {
    /// What becomes of a reply.
    private enum Fault: Int, CaseIterable {
        case cut, cutInHead, cutInChunk, reset, resetAtOnce, noAnswer, stall, silence
        case page, requestTimeout, tooManyRequests, unavailable, serverError, trailer, empty, slow

        func spoil(_ reply: LocalReply) -> LocalReply {
            switch self {
            case .cut: reply.cut(at: .half)
            case .cutInHead: .raw("HTTP/1.1 200 OK\r\nContent-Ty")
            case .cutInChunk: reply.chunked(size: 5000).cut(at: .half)
            case .reset: reply.cut(at: .half, by: .reset)
            case .resetAtOnce: .noAnswer(.reset)
            case .noAnswer: .noAnswer()
            case .stall: reply.stalled(at: .half)
            case .silence: .silence()
            case .page: .html("<!doctype html><title>Please wait</title>")
            case .requestTimeout: .status(408)
            case .tooManyRequests: .status(429)
            case .unavailable: .status(503, headers: ["Retry-After": "1"])
            case .serverError: .status(500)
            case .trailer:
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n")
            case .empty: .body(Data(), contentType: "image/jpeg")
            case .slow: reply.dripping(bytes: 8_000, every: .milliseconds(100))
            }
        }
    }

    @Test(arguments: Thorough.cases([1, 2], few: 1))
    func `every photo arrives whole, kills in between and all`(seed: UInt64)
        async throws
    {
        let count = Thorough.rounds(100, few: 20)
        let pixels = PixelServer(count: count)
        let (faults, random) = (Counter(), Locked(SeededGenerator(seed: seed)))
        try await withGallery(
            of: "500px", at: "v1",
            { request in
                let reply = pixels.reply(to: request)
                guard random.withLock({ Int.random(in: 0..<3, using: &$0) }) == 0 else { return reply }
                let turn = faults.increment() % Fault.allCases.count
                return Fault(rawValue: turn)?.spoil(reply) ?? reply
            }
        ) { gallery, server, source in
            let line = ["fetch", "1-\(count)", "-q", "--timeout", "1"] + source
            let start = ContinuousClock.now
            for _ in 0..<Thorough.size(4, small: 2) {
                let run = try gallery.start(line, timeLimit: .seconds(1800))
                let most = random.withLock { Int.random(in: 1...max(2, count / 4), using: &$0) }
                try await killAfter(server.requests.count + most, server, run)
            }
            var runs = 0
            var outcome: ProductOutcome
            repeat {
                outcome = try await gallery.run(line, timeLimit: .seconds(1800))
                runs += 1
                if Thorough.isOn {
                    let files = try gallery.names()
                    print(
                        "seed \(seed), run \(runs): status \(outcome.status ?? -1)",
                        "\(files.count { $0.hasSuffix(".jpg") }) of \(count) files",
                        "\(server.requests.count) requests, \(faults.value) spoiled", start.duration(to: .now)
                    )
                }
            } while outcome.status != 0 && runs < 20
            #expect(outcome.status == 0, "\(outcome.errors)")
            for id in 1...count {
                let file = gallery.folder.appending(path: "\(id)_Photo \(id).jpg")
                #expect(FileManager.default.contents(atPath: file.path) == PixelServer.picture(id), "\(id)")
            }
            let names = try gallery.names()
            #expect(names.count { $0.hasSuffix(".jpg") } == count && !names.contains { $0.contains(".part") })
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and the signals that end it.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct InterruptEndToEndTests {
    /// What a fetch waits for while it knows no file yet.
    enum Phase: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case list, details, pause

        var testDescription: String { rawValue }

        /// A server that never gets beyond it.
        var pixels: PixelServer {
            PixelServer(
                listsFullSizes: self != .details,
                fault: { request in
                    let isDetails = request.query("ids") != nil || request.path != "/v1/photos"
                    return switch self {
                    case .list: .silence()
                    case .details: isDetails ? .silence() : nil
                    case .pause: .status(503, headers: ["Retry-After": "30"])
                    }
                })
        }

        /// Returns once the program waits for it.
        func isReached(by run: RunningProduct, _ server: LocalServer) async throws {
            switch self {
            case .list: try await server.waitForRequests(1)
            case .details: try await server.waitForRequests(2)
            case .pause: _ = try await run.waitForErrors("Waiting 30 s: ")
            }
        }
    }

    private static let farewell = "Interrupted: nothing was fetched yet.\n"

    @Test(arguments: Phase.allCases)
    func `a fetch that is interrupted before the first file says so, status 130`(phase: Phase) async throws {
        try await withGallery(phase.pixels) { gallery, server, source in
            let run = try gallery.start(["fetch", "1-3"] + source)
            try await phase.isReached(by: run, server)
            run.send(SIGTERM)
            let outcome = try await run.outcome()
            #expect(outcome.exit == .status(130), "\(outcome.all)")
            #expect(outcome.errors.hasSuffix(Self.farewell), "\(outcome.all)")
        }
    }

    /// `timeout` tells its child first and then the child's group. Equal signals that wait are one already, so
    /// here they are two; and both wait, since a stopped program takes none.
    @Test func `two signals in a row are one`() async throws {
        try await withGallery(Phase.list.pixels) { gallery, server, source in
            let run = try gallery.start(["fetch", "1"] + source)
            try await Phase.list.isReached(by: run, server)
            for signal in [SIGSTOP, SIGTERM, SIGINT, SIGCONT] { run.send(signal) }
            let outcome = try await run.outcome()
            #expect(outcome.exit == .status(130) && outcome.errors == Self.farewell, "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ["fetch", "1", "-q"], ["fetch", "1", "--dry-run"], ["popular"], ["search", "x"], ["show", "1"],
        ["mark", "1"],
    ])
    func `other commands, and quiet ones, end with 130 and no word`(line: [String]) async throws {
        try await withGallery(Phase.list.pixels) { gallery, server, source in
            for signal in [SIGINT, SIGTERM] {
                let seen = server.requests.count
                let run = try gallery.start(line + source)
                try await server.waitForRequests(seen + 1)
                run.send(signal)
                let outcome = try await run.outcome()
                #expect(outcome.exit == .status(130), "\(outcome.all)")
                #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.all)")
            }
        }
    }

    @Test func `a repair that is interrupted before the first file says so`() async throws {
        let isOver = Watched(false)
        let whole = PixelServer()
        let pixels = PixelServer(fault: { request in
            isOver.value && request.path.hasPrefix("/v1") ? .silence() : whole.reply(to: request)
        })
        try await withGallery(pixels) { gallery, server, source in
            _ = try await gallery.run(["fetch", "1"] + source)
            try gallery.remove("1_Photo 1.jpg")
            isOver.update { $0 = true }
            let seen = server.requests.count
            let run = try gallery.start(["verify", "--repair", "--refresh"] + source)
            try await server.waitForRequests(seen + 1)
            run.send(SIGINT)
            let outcome = try await run.outcome()
            #expect(outcome.exit == .status(130), "\(outcome.all)")
            #expect(outcome.errors.hasSuffix(Self.farewell), "\(outcome.all)")
        }
    }

    @Test(arguments: [["fetch", "1"], ["popular"]])
    func `a signal that was ignored from the start stays so`(line: [String]) async throws {
        let gate = Gate()
        let pixels = PixelServer()
        let held: LocalServer.Handler = { request in
            let reply = pixels.reply(to: request)
            // The list of one, the picture of the other: a fetch has its own signals by then.
            return request.path == (line[0] == "fetch" ? "/full/1" : "/v1/photos")
                ? reply.delayed(until: gate) : reply
        }
        try await withLocalServer(held) { server in
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let product = try ProductLocation.executable("gallery").path
                let source = ["-s", "500px", "--base-url", server.url("v1").absoluteString]
                let run = try shell.start(
                    ["-c", #"trap '' INT TERM; exec "$0" "$@""#, product] + line + source)
                try await server.waitForRequests(line[0] == "fetch" ? 2 : 1)
                run.send(SIGINT)
                run.send(SIGTERM)
                gate.open()
                let outcome = try await run.outcome()
                #expect(outcome.exit == .status(0), "\(outcome.all)")
                #expect(!outcome.output.isEmpty)
            }
        }
    }
}

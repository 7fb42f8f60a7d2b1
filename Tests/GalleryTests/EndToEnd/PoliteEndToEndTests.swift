import Foundation
import GalleryTestSupport
import Testing

/// The built program and what it owes a host: no more connections than it was told, and the wait that was asked for.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct PoliteEndToEndTests {
    @Test(arguments: [(1, true), (1, false), (3, false)])
    func `lists, details and images share the connections that --jobs allows`(
        jobs: Int, listsFullSizes: Bool
    ) async throws {
        let count = Thorough.size(130, small: 30)
        let pixels = PixelServer(count: count, listsFullSizes: listsFullSizes, hasBatch: false)
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-\(count)", "-j", "\(jobs)"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == count, "\(outcome.errors)")
            #expect(server.peakConnections <= jobs)
        }
    }

    @Test func `a repair keeps to the configuration's connections`() async throws {
        let pixels = PixelServer(count: 8, listsFullSizes: false, hasBatch: false)
        try await withGallery(pixels) { gallery, server, source in
            try gallery.configure(#"{"jobs":1}"#)
            _ = try await gallery.run(["fetch", "1-8"] + source)
            for id in 1...8 { try gallery.remove("\(id)_Photo \(id).jpg") }
            let outcome = try await gallery.run(["verify", "--repair", "--refresh"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 16, "\(outcome.all)")
            #expect(server.peakConnections == 1)
        }
    }

    @Test func `a host that asks to wait for days is told, and neither asked nor waited for`() async throws {
        let pixels = PixelServer(
            count: 200,
            fault: { request in
                request.path.hasPrefix("/full/") ? .status(429, headers: ["Retry-After": "100000"]) : nil
            })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-200"] + source, timeLimit: .seconds(30))
            #expect(outcome.status == 75, "\(outcome.all)")
            #expect(
                outcome.errors.contains("'127.0.0.1' asks to wait 100000 seconds (status 429)."),
                "\(outcome.errors)")
            // Those that were under way at the first refusal.
            #expect(server.requests.count { $0.path.hasPrefix("/full/") } <= 6)
        }
    }

    /// Nobody is asked twice, so that one wait is all there is.
    private var pausing: PixelServer {
        PixelServer(fault: { request in
            request.path == "/full/1" && request.attempt == 1
                ? .status(429, headers: ["Retry-After": "1"]) : nil
        })
    }

    @Test(arguments: [([], 1), (["-v"], 1), (["-q"], 0)])
    func `a wait that an image host asks for is told once where no bar shows it`(
        flags: [String], lines: Int
    ) async throws {
        try await withGallery(pausing) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "1-6", "-j", "1"] + flags + source)
            #expect(outcome.status == 0 && outcome.lines.count == 6 * lines, "\(outcome.all)")
            let told = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Waiting ") }
            let line = "Waiting 1 s: '127.0.0.1' asks to wait (status 429)."
            #expect(told == Array(repeating: Substring(line), count: lines))
        }
    }

    @Test func `on a terminal its bar shows the wait and no line does`() async throws {
        try await withGallery(pausing) { gallery, _, source in
            let outcome = try await gallery.run(
                ["fetch", "1", "-j", "1"] + source, terminal: TerminalSize())
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains(" waits ") && !outcome.output.contains("Waiting "))
        }
    }
}

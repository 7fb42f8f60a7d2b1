import Foundation
import GalleryTestSupport
import Testing

/// The built program's bars, on a terminal without a screen.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct ProgressEndToEndTests {
    @Test func `bars never reach beyond the terminal's rows, and are gone at the end`() async throws {
        let gate = Gate()
        let pixels = PixelServer()
        let held: LocalServer.Handler = { request in
            let reply = pixels.reply(to: request)
            return request.path.hasPrefix("/full") ? reply.stalled(at: .half, until: gate) : reply
        }
        try await withGallery(of: "500px", at: "v1", held) { gallery, server, source in
            let run = try gallery.start(
                ["fetch", "1-6", "--retries", "0"] + source, terminal: TerminalSize(columns: 60, rows: 5))
            try await server.waitForRequestsInFlight(6)
            // Two more drawings at least, once all run.
            for _ in 1...2 {
                _ = try await run.waitForOutput(longerThan: run.output.utf8.count + 100)
            }
            gate.open()
            let output = try await run.outcome().output
            // The cursor goes up over what was drawn: further than that nothing can be taken away.
            let ways = output.matches(of: /\e\[(\d+)A/).compactMap { Int($0.output.1) }
            #expect(ways.max() == 4, "\(ways)")
            // What is cleared at once from the first row on, tmux keeps in its history.
            #expect(!output.contains("\u{1B}[J"))
        }
    }

    @Test func `a line that is told while bars stand goes above them`() async throws {
        let list = Gate()
        let pixels = PixelServer(count: 200)
        let held: LocalServer.Handler = { request in
            let reply = pixels.reply(to: request)
            // Not all: the list needs a connection too.
            if ["/full/1", "/full/2"].contains(request.path) {
                return reply.stalled(at: .half)
            }
            guard request.query("page") == "2", request.attempt == 1 else { return reply }
            return .status(429, headers: ["Retry-After": "1"]).delayed(until: list)
        }
        try await withGallery(of: "500px", at: "v1", held) { gallery, server, source in
            let run = try gallery.start(
                ["fetch", "1-200"] + source,
                terminal: TerminalSize())
            #expect(try await run.waitForOutput("/200 · "))
            list.open()
            #expect(try await run.waitForOutput("Waiting 1 s: "))
            let output = run.output
            let told = try #require(output.range(of: "Waiting 1 s: "))
            // Where the cursor has just gone up to, over what was drawn.
            #expect(output[..<told.lowerBound].hasSuffix("A"), "\(output.prefix(2_000).debugDescription)")
        }
    }
}

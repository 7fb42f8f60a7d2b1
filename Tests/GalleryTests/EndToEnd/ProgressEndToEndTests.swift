import Foundation
import GalleryTestSupport
import Testing

/// The built program's bars, on a terminal without a screen.
@Suite(.timeLimit(.minutes(2))) struct ProgressEndToEndTests {
    @Test func `bars never reach beyond the terminal's rows, and are gone at the end`() async throws {
        let gate = Gate()
        let pixels = PixelServer()
        let held: LocalServer.Handler = { request in
            let reply = pixels.reply(to: request)
            return request.path.hasPrefix("/full") ? reply.stalled(at: .half, until: gate) : reply
        }
        try await withLocalServer(held) { server in
            try await withBuiltProduct { gallery in
                let run = try gallery.start(
                    [
                        "fetch", "1-6", "--retries", "0", "-s", "500px", "--base-url",
                        server.url("v1").absoluteString,
                    ], terminal: TerminalSize(columns: 60, rows: 5))
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
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and feeds longer than memory: what is known is printed and fetched before the rest is.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct StreamEndToEndTests {
    /// 130 photos; `second` answers for the list's second page.
    private func pixels(_ second: @escaping @Sendable (LocalRequest) -> LocalReply) -> PixelServer {
        PixelServer(
            count: 130,
            fault: { $0.path == "/v1/photos" && $0.query("page") == "2" ? second($0) : nil })
    }

    /// Starts the program on 130 photos, whose list's second page is held until the gate opens.
    private func withSecondHundredHeld(
        _ line: [String], _ body: (_ run: RunningProduct, _ gate: Gate) async throws -> Void
    ) async throws {
        let gate = Gate()
        let held = pixels { PixelServer(count: 130).reply(to: $0).delayed(until: gate) }
        try await withGallery(held) { gallery, _, source in
            try await body(try gallery.start(line + source), gate)
        }
    }

    @Test func `a list is printed as far as it is known`() async throws {
        try await withSecondHundredHeld(["popular", "--range", "1-200", "--format", "jsonl"]) { run, gate in
            #expect(try await run.waitForOutput("{\"index\":100,"))
            #expect(!run.output.contains("{\"index\":101,"))
            gate.open()
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && outcome.lines.count == 130, "\(outcome.errors)")
        }
    }

    @Test func `files are fetched while the list goes on`() async throws {
        try await withSecondHundredHeld(["fetch", "1-", "--size", "thumbnail"]) { run, gate in
            #expect(try await run.waitForOutput("100_Photo 100_thumbnail.jpg\n"))
            gate.open()
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && outcome.lines.count == 130, "\(outcome.errors)")
            #expect(outcome.lines.last == "130_Photo 130_thumbnail.jpg")
        }
    }

    @Test func `what was listed before a failure is remembered`() async throws {
        try await withGallery(pixels { _ in .status(500) }) { gallery, server, source in
            let list = try await gallery.run(
                ["popular", "--range", "1-200", "--format", "url", "--retries", "0"] + source)
            #expect(list.status == 69 && list.lines.count == 100, "\(list.all)")
            let asked = server.requests.count
            let plan = try await gallery.run(["fetch", "99-100", "--dry-run"])
            #expect(plan.lines.map { $0.prefix { $0 != "\t" } } == ["99_Photo 99", "100_Photo 100"])
            #expect(server.requests.count == asked)
        }
    }

    @Test func `what has come stays where the list fails half way`() async throws {
        try await withGallery(pixels { _ in .status(500) }) { gallery, server, source in
            let line = ["fetch", "1-200", "-d", "p", "--size", "thumbnail", "--retries", "0"] + source
            let outcome = try await gallery.run(line, expecting: 1)
            #expect(outcome.lines.count == 100)
            #expect(outcome.errors.contains("Error: further photos: 500px failed with status 500"))
            #expect(outcome.errors.contains("100 fetched, 0 kept, 1 failed"))
            // Where nothing had come the failure is the command's.
            let first = try await gallery.run(["fetch", "101-200", "--retries", "0", "--refresh"] + source)
            #expect(first.status == 69 && first.lines.isEmpty, "\(first.all)")
        }
    }

    @Test func `with a limit, too, what has come stays where the list fails half way`() async throws {
        let pixels = PixelServer(
            count: 300,
            fault: { request in
                request.path == "/v1/photos" && request.query("page") == "3" ? .status(500) : nil
            })
        try await withGallery(pixels) { gallery, server, source in
            let line = ["fetch", "1-", "--limit", "50", "--size", "thumbnail", "--retries", "0"] + source
            for (words, summary) in [(["--dry-run"], ""), ([], "40 fetched, 0 kept, 1 failed, ")] {
                let outcome = try await gallery.run(line + words)
                #expect(outcome.status == 1 && outcome.lines.count == 40, "\(outcome.all)")
                #expect(
                    outcome.errors.hasPrefix(
                        "Error: further photos: 500px failed with status 500.\nHelp: Try again later.\n\(summary)"
                    ),
                    "\(outcome.errors)")
            }
            let list = try await gallery.run(
                ["popular", "--limit", "50", "--format", "url", "--retries", "0"] + source)
            #expect(list.status == 69 && list.lines.count == 40, "\(list.all)")
        }
    }

    @Test func `what has come is shown and marked where the list fails half way`() async throws {
        try await withGallery(pixels { _ in .status(500) }) { gallery, server, source in
            let words = ["1-", "--feed", "popular", "--retries", "0"] + source
            let shown = try await gallery.run(["show", "--format", "jsonl"] + words)
            #expect(shown.status == 1 && shown.lines.count == 100, "\(shown.all)")
            let marked = try await gallery.run(["mark"] + words)
            #expect(
                marked.errors
                    == "100 marked\nError: further photos: 500px failed with status 500.\nHelp: Try again later.\n"
            )
            #expect(marked.status == 1)
        }
    }

    @Test func `an address that is no photo's page is told before anything is asked for`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            try await gallery.run(["fetch", "1-3", "https://example.com/photo/1"] + source, expecting: 64)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a thousand lines of standard input are a thousand photos`() async throws {
        try await withGallery(PixelServer(count: 1000)) { gallery, server, source in
            let list = try await gallery.run(
                ["popular", "--range", "1-1000", "--format", "jsonl"] + source)
            // Longer than a pipe holds, so that lines come in pieces.
            #expect(list.outputData.count > 200_000)
            let plan = try await gallery.run(["fetch", "-", "--dry-run"] + source, input: list.outputData)
            #expect(plan.status == 0 && plan.lines.count == 1000, "\(plan.errors)")
        }
    }

    @Test func `a photo is fetched before the next line has come`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, _, source in
            let list = try await gallery.run(["popular", "--format", "jsonl"] + source)
            let (lines, pipe) = (
                gallery.folder.appending(path: "lines"), gallery.folder.appending(path: "pipe")
            )
            try list.outputData.write(to: lines)
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                _ = try await shell.run(["-c", "mkfifo '\(pipe.path)'"])
                let words = (["fetch", "-", "-d", "p"] + source).map { "'\($0)'" }.joined(separator: " ")
                let run = try shell.start([
                    "-c",
                    "{ head -n 1 '\(lines.path)'; cat '\(pipe.path)'; } | '\(gallery.executable.path)' \(words)",
                ])
                #expect(try await run.waitForOutput("p/1_Photo 1.jpg\n"))
                let rest = try await shell.run(["-c", "tail -n 2 '\(lines.path)' > '\(pipe.path)'"])
                #expect(rest.status == 0)
                let outcome = try await run.outcome()
                #expect(outcome.lines.count == 3, "\(outcome.all)")
            }
        }
    }
}

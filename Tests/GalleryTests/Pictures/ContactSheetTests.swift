import Foundation
import GalleryTestSupport
import Testing

/// `--format grid`: thumbnails that stay in the terminal's scrollback, or titles in columns.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2)))
struct ContactSheetTests {
    private static let wezTerm = "\u{1B}P>|WezTerm 20240203\u{1B}\\\u{1B}[6;20;10t\u{1B}[?65;4;6;18;22c"

    @Test func `thumbnails stand in rows above their titles`() async throws {
        try await withBuiltProduct { gallery in
            let list = try gallery.start(
                ["popular", "-s", "sample", "--per-page", "4", "--format", "grid"], terminal: TerminalSize())
            list.type(Self.wezTerm)
            let outcome = try await list.outcome()
            #expect(outcome.status == 0)
            let parts = outcome.output.split(separator: "\u{1B}]1337;File=inline=1", maxSplits: 10)
            #expect(parts.count == 5, "\(parts.count)")
            // Three cells of 26 columns; the second one is beside the first.
            #expect(parts[1].hasSuffix("\r\u{1B}[26C\u{1B}7"), "\(parts[1].suffix(30))")
            #expect(parts[2].hasSuffix("\u{1B}[52C\u{1B}7"), "\(parts[2].suffix(30))")
            let captions = "1 Eileen Collins          2 Hubble eXtreme Deep F…  3 Falcon 9 Launch\r\n\r\n"
            #expect(parts[3].contains(captions), "\(parts[3].suffix(300))")
            #expect(parts[4].contains("4 Chelsea the Cat\r\n\r\n"))
            // Indexes mean what was shown.
            let shown = try await gallery.run(["show", "4", "--format", "jsonl"])
            #expect(shown.output.contains(#""id":"1004""#))
        }
    }

    @Test(arguments: [
        ["popular", "--per-page", "4"], ["popular", "--range", "1-4"], ["popular", "--limit", "4"],
        ["search", "a", "--limit", "4"],
    ])
    func `to a pipe only titles in columns`(words: [String]) async throws {
        try await withBuiltProduct { gallery in
            let list = try await gallery.runWell(words + ["--format", "grid"])
            #expect(list.lines.count == 2 && !list.output.contains("\u{1B}"), "\(list.all)")
            #expect(list.errors == "Pictures are only shown on a terminal.\n")
            let quiet = try await gallery.run(words + ["--format", "grid", "-q"])
            #expect(quiet.output == list.output && quiet.errors.isEmpty)
        }
    }

    @Test func `photos without a thumbnail keep their place, and are counted`() async throws {
        let answer: LocalServer.Handler = { request in
            guard request.path == "/v1/photos" else { return .status(404) }
            let photos = (1...2).map {
                let file = request.serverURL.appending(path: "\($0).jpg").absoluteString
                return
                    #"{"id":\#($0),"user_id":1,"name":"Photo \#($0)","images":[{"size":3,"url":"\#(file)"}]}"#
            }
            return .json(#"{"total_pages":1,"total_items":2,"photos":[\#(photos.joined(separator: ","))]}"#)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, _, source in
            let list = try gallery.start(
                ["popular", "--retries", "0", "--format", "grid"] + source, terminal: TerminalSize())
            list.type(Self.wezTerm)
            let outcome = try await list.outcome()
            #expect(outcome.output.contains("1 Photo 1                 2 Photo 2\r\n"), "\(outcome.output)")
            #expect(outcome.output.contains("2 thumbnails are missing.\r\n"))
            #expect(!outcome.output.contains("]1337"))
        }
    }
}

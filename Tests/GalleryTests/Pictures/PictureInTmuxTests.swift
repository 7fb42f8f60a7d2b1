import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// `show --picture` in a real tmux, whose terminal is played by the test.
@Suite(.enabled(if: PictureBench.tmux != nil, "tmux is not installed"), .timeLimit(.minutes(2)))
struct PictureInTmuxTests {
    /// Runs it in a pane of a terminal that calls itself `version`; all that reached the terminal.
    private func show(
        _ version: String, _ configuration: String, chafa: String = "echo symbols", until text: String
    ) async throws -> String {
        try await withProgram(at: URL(filePath: try #require(PictureBench.tmux))) { tmux in
            let settings = tmux.folder.appending(path: "tmux.conf")
            try Data("set -g status off\n\(configuration)\n".utf8).write(to: settings)
            let (path, _) = try await PictureBench.chafa(in: tmux.folder, chafa)
            let fifo = tmux.folder.appending(path: "go").path
            #expect(mkfifo(fifo, 0o600) == 0)
            let product = try ProductLocation.executable("gallery")
            // The pane waits until tmux knows its terminal. Then again and again, until the test has seen
            // enough: on a busy machine tmux may take longer than 200 ms to answer.
            let script = """
                read go < '\(fifo)'
                while [ ! -e enough ]; do
                    printf '\u{1B}[H\u{1B}[2J'; '\(product.path)' show 1 --picture -q
                done
                """
            let client = try tmux.start(
                ["-S", tmux.folder.appending(path: "s").path, "-f", settings.path, "new-session", script],
                environment: ["PATH": path, "LC_ALL": "C.UTF-8"],
                // Low, so that the pixels of a picture are few.
                terminal: TerminalSize(columns: 60, rows: 16))
            #expect(try await client.waitForOutput("\u{1B}[>q"))
            client.type("\u{1B}[?62;22c\u{1B}[>41;0;0c\u{1B}P>|\(version)\u{1B}\\")
            try await knows(version, tmux)
            try await PictureBench.write("go\n", to: fifo)
            #expect(try await client.waitForOutput(text))
            try Data().write(to: tmux.folder.appending(path: "enough"))
            return try await client.outcome().output
        }
    }

    /// Returns once tmux has read its terminal's name.
    private func knows(_ version: String, _ tmux: BuiltProduct) async throws {
        let question = [
            "-S", tmux.folder.appending(path: "s").path, "list-clients", "-F", "#{client_termtype}",
        ]
        while try await tmux.run(question).output != "\(version)\n" { try Task.checkCancellation() }
    }

    @Test func `iTerm2's pictures pass through, to where the pane is`() async throws {
        let output = try await show(
            "WezTerm 20240203", "set -g allow-passthrough on\nset -g status 2\nset -g status-position top",
            // The picture's end: a pane that ends in the middle of one takes the rest with it.
            until: "\u{7}\u{1B}8")
        #expect(output.contains("\u{1B}7\u{1B}[3;1H\u{1B}]1337;File=inline=1;size=60270;width="))
    }

    @Test func `where nothing passes, characters are shown`() async throws {
        let output = try await show("WezTerm 20240203", "set -g allow-passthrough off", until: "symbols")
        #expect(!output.contains("]1337"))
        // Nor does the question become the window's title.
        #expect(!output.contains("a=q"))
    }

    @Test func `kitty's pictures are placed by characters`() async throws {
        let output = try await show(
            "kitty(0.31.0)", "set -g allow-passthrough on", chafa: PictureBench.transparent,
            until: "\u{10EEEE}")
        #expect(output.contains("\u{1B}_Ga=T,U=1,f=32,s="))
        #expect(output.contains("\u{10EEEE}\u{305}\u{305}"))
    }
}

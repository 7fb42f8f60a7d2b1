import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// What the terminal answers, when it is too late to count.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseAnswerTests {
    /// The last thing asked: whoever answers has read all before it.
    private static let question = "\u{1B}[c"
    /// Its letters would be keys: next, mark, quit.
    private static let answer =
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|nnmq(1)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4;52c"

    @Test func `an answer after the first screen is no key press, and is not echoed`() async throws {
        try await withBuiltProduct { gallery in
            let browse = Browsing(
                try gallery.start(["browse"], environment: ["PATH": "/nowhere"], terminal: TerminalSize()))
            #expect(try await browse.product.waitForOutput(Self.question))
            // Nobody waits for the answer any more.
            try await browse.shows("1 of 12")
            browse.type(String(Self.answer.prefix(20)))
            browse.type(String(Self.answer.dropFirst(20)))
            browse.type("n")
            try await browse.shows("2 of 12")
            #expect(try await browse.quit() == 0)
            #expect(!browse.product.output.contains("nnmq"))
            #expect(try await gallery.run(["popular"]).lines.allSatisfy { !$0.contains("*") })
        }
    }

    @Test func `an answer that comes late is taken, and what it says of the clipboard, too`() async throws {
        try await withBuiltProduct { gallery in
            let (path, _) = try await PictureBench.chafa(in: gallery.home, PictureBench.transparent)
            let size = TerminalSize(columns: 40, rows: 10)
            let browse = Browsing(
                try gallery.start(["browse"], environment: ["PATH": path], terminal: size), size: size)
            try await browse.shows("1 of 12")
            browse.type("Y")
            try await browse.shows("Sent the path to the terminal,")
            #expect(!browse.product.output.contains("\u{1B}_Ga=T,"))
            browse.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\\u{1B}[?62;52;c")
            #expect(try await browse.product.waitForOutput("\u{1B}_Ga=T,"))
            browse.type("Y")
            try await browse.shows("Copied the path.")
            #expect(try await browse.quit() == 0)
        }
    }

    @Test(arguments: [(2, "C", false), (3, "en_US.UTF-8", true)])
    func `the terminal and not the environment decides about UTF-8`(
        column: Int, locale: String, isASCII: Bool
    ) async throws {
        try await withBuiltProduct { gallery in
            let browse = Browsing(
                try gallery.start(
                    ["browse"], environment: ["PATH": "/nowhere", "LC_ALL": locale], terminal: TerminalSize())
            )
            browse.type("\u{1B}[2;\(column)R\u{1B}[?1;2c")
            try await browse.shows("1 of 12")
            try await browse.shows(isASCII ? "popular - sample" : "popular · sample")
            #expect(try await browse.quit() == 0)
            let screens = browse.product.output.split(separator: "\u{1B}[?2026h").dropFirst().joined()
            #expect(screens.utf8.allSatisfy { $0 < 0x80 } == isASCII)
        }
    }

    @Test(
        .needs("screen", Self.screen != nil),
        arguments: [([], "C", true), (["-U"], "C", false), ([], "C.UTF-8", false)])
    func `within GNU screen it keeps to what screen reads`(
        words: [String], locale: String, isASCII: Bool
    ) async throws {
        try await withProgram(at: URL(filePath: try #require(Self.screen))) { screen in
            // A socket's path has at most 107 bytes, which the test's own folder may use up.
            let sockets = URL(filePath: "/tmp/gallery-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(
                at: sockets, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: sockets) }
            let gallery = try ProductLocation.executable("gallery").path
            let browse = Browsing(
                try screen.start(
                    words + ["-c", "/dev/null", gallery, "browse"],
                    environment: [
                        "LC_ALL": locale, "SCREENDIR": sockets.path, "COLORTERM": "truecolor",
                        "PATH": "/usr/bin:/bin",
                    ], terminal: TerminalSize()))
            try await browse.shows(isASCII ? "popular - sample" : "popular · sample")
            browse.type("q")
            _ = try await browse.product.outcome()
            #expect(!browse.product.output.contains("\u{1B}_G"))
        }
    }

    private static let screen = ["/usr/bin/screen", "/opt/homebrew/bin/screen", "/usr/local/bin/screen"].first
    {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test func `no picture stays in the terminal's memory`() async throws {
        try await withBuiltProduct { gallery in
            let (path, _) = try await PictureBench.chafa(in: gallery.home, PictureBench.transparent)
            let size = TerminalSize(columns: 40, rows: 10)
            let browse = Browsing(
                try gallery.start(["browse"], environment: ["PATH": path], terminal: size), size: size)
            // Before it is asked: 200 ms are short on a busy machine. The terminal keeps it.
            browse.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\\u{1B}[?62;52;c")
            #expect(try await browse.product.waitForOutput("\u{1B}_Ga=T,"))
            browse.type("n")
            #expect(try await browse.product.waitForOutput("\u{1B}_Ga=d,"))
            #expect(try await browse.quit() == 0)
            let output = browse.product.output
            let shown = output.matches(of: /_Ga=T,[^;]*i=(\d+),/).map(\.output.1)
            let removed = output.matches(of: /_Ga=d,d=I,i=(\d+),/).map(\.output.1)
            // One that was no longer wanted before its first byte is removed too.
            #expect(!shown.isEmpty && Set(shown).isSubset(of: removed), "\(shown), \(removed)")
        }
    }

    @Test func `a path is copied between two pictures, never within one`() async throws {
        try await withBuiltProduct { gallery in
            let (path, _) = try await PictureBench.chafa(in: gallery.home, PictureBench.transparent)
            let size = TerminalSize(columns: 200, rows: 60)
            let browse = Browsing(
                try gallery.start(["browse"], environment: ["PATH": path], terminal: size), size: size)
            browse.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\\u{1B}[?62;52;c")
            #expect(try await browse.product.waitForOutput("\u{1B}_Ga=T,"))
            browse.type("Y")
            #expect(try await browse.product.waitForOutput("\u{1B}]52;c;"))
            #expect(try await browse.quit() == 0)
            let output = Data(browse.product.output.utf8)
            let copying = try #require(output.range(of: Data("\u{1B}]52;c;".utf8))).lowerBound
            let before = output[..<copying]
            let start = before.range(of: Data("\u{1B}_G".utf8), options: .backwards)
            #expect(before[try #require(start).upperBound...].range(of: Data("\u{1B}\\".utf8)) != nil)
        }
    }

    @Test func `an answer after the last screen is not left to the shell`() async throws {
        // Half a second is given it. Where this machine was too busy to answer by then, it tries again.
        while try await !answeredInTime() {}
    }

    private func answeredInTime() async throws -> Bool {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let script = """
                stty -a > before
                "$GALLERY" browse
                stty -a > after; cmp before after && echo same
                echo ready; read line; echo "got <$line>" | tr '\\033' '^'
                """
            let product = try shell.start(
                ["-c", script],
                environment: [
                    "GALLERY": try ProductLocation.executable("gallery").path, "PATH": "/usr/bin:/bin",
                ],
                terminal: TerminalSize())
            #expect(try await product.waitForOutput(Self.question))
            let asked = ContinuousClock.now
            product.type("q")
            // The last thing that is kept. After it the program only waits for the terminal.
            let kept = shell.home.appending(path: ".local/state/gallery/lists").path
            try await until { FileManager.default.fileExists(atPath: kept) }
            // Late: a program that did not wait would have ended long before.
            try await until { asked.duration(to: .now) >= .milliseconds(250) }
            product.type(Self.answer)
            guard asked.duration(to: .now) < .milliseconds(350) else { return false }
            #expect(try await product.waitForOutput("ready\r\n"))
            product.type("typed\n")
            let outcome = try await product.outcome()
            #expect(outcome.output.contains("same\r\n"))
            #expect(outcome.output.hasSuffix("got <typed>\r\n"))
            return true
        }
    }
}

import Foundation
import GalleryTestSupport
import ProductTestSupport
import TerminalPictures
import Testing

/// A terminal that others wrote. Where there is no tmux these say so and are skipped.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)), .needs("tmux", TmuxPane.path != nil))
struct BrowseTmuxTests {
    @Test func `keys and screens are right in tmux, and the shell's terminal is as it was`() async throws {
        try await TmuxPane.run { tmux in
            try await tmux.shows("1 of 12")
            tmux.type("n")
            try await tmux.shows("2 of 12")
            let screen = try await tmux.capture()
            #expect(screen[0].hasPrefix("Hubble eXtreme Deep Field  NASA / ESA"))
            #expect(screen[23].hasPrefix("? help  g go to"))
            tmux.type("p")
            try await tmux.shows("Eileen Collins")
            tmux.type("g12\r")
            try await tmux.shows("12 of 12")
            tmux.type("n")
            try await tmux.shows("This is the last photo.")
            tmux.type("?")
            try await tmux.shows("suspend; 'fg' resumes")
            tmux.type("\u{1B}[A")
            tmux.type("\t")
            try await tmux.shows("[12 Falcon 9")
            tmux.type("q")
            try await tmux.shows("status 0")
            #expect(try tmux.file("before") == tmux.file("after"))
        }
    }

    @Test func `where the terminal closes it ends, and the place is kept`() async throws {
        try await TmuxPane.run { tmux in
            try await tmux.shows("1 of 12")
            tmux.type("n")
            try await tmux.shows("2 of 12")
            let process = try #require(try await tmux.browsing())
            await tmux.end()
            try await until { kill(process, 0) != 0 || PictureBench.isZombie(process) }
            #expect(try tmux.state("positions.jsonl").contains(#""index":2"#))
        }
    }

    @Test func `it draws anew when the window changes`() async throws {
        try await TmuxPane.run { tmux in
            try await tmux.shows("1 of 12")
            tmux.product.resize(to: TerminalSize(columns: 50, rows: 12))
            // The status line is off: the whole window is ours.
            try await tmux.screen {
                $0.count == 12 && $0[0].hasSuffix("1 of 12") && $0[11].hasPrefix("? help")
            }
            tmux.type("q")
            try await tmux.shows("status 0")
        }
    }

    @Test func `title and foot stand in their rows after a split, in another window, and back`() async throws
    {
        func stands(_ lines: [String], rows: ClosedRange<Int>) -> Bool {
            rows.contains(lines.count) && lines[0].hasSuffix("1 of 12")
                && lines[lines.count - 1].hasPrefix("? help")
                && lines.count { $0.hasSuffix("1 of 12") || $0.hasPrefix("? help") } == 2
        }
        try await TmuxPane.run { tmux in
            let height = TerminalSize().rows
            try await tmux.screen { stands($0, rows: height...height) }
            try await tmux.command("split-window", "-d", "-v", "cat")
            try await tmux.screen { stands($0, rows: 5...(height - 2)) }
            try await tmux.command("new-window", "cat")
            try await tmux.screen { !$0.contains { $0.contains("1 of 12") } }
            try await tmux.command("last-window")
            try await tmux.screen { stands($0, rows: 5...(height - 2)) }
            try await tmux.command("kill-pane", "-t", ":0.1")
            try await tmux.screen { stands($0, rows: height...height) }
        }
    }
}

/// A tmux of its own with one pane, in which a shell runs `gallery browse`.
struct TmuxPane {
    let product: RunningProduct
    private let program: BuiltProduct
    private let socket: String

    /// The program, where it is installed.
    static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static func run(_ body: (TmuxPane) async throws -> Void) async throws {
        let path = try #require(path)
        try await withProgram(at: URL(filePath: path)) { program in
            let gallery = try ProductLocation.executable("gallery").path
            let script = """
                stty -g > before; '\(gallery)' browse --picture none; s=$?; stty -g > after
                echo "status $s"; exec cat
                """
            let socket = program.home.appending(path: "tmp/tmux").path
            let words = [
                "-S", socket, "-f", "/dev/null", "new-session", "sh", "-c", script, ";", "set", "status",
                "off",
            ]
            let environment = ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"]
            let product = try program.start(words, environment: environment, terminal: TerminalSize())
            let tmux = TmuxPane(product: product, program: program, socket: socket)
            do {
                try await body(tmux)
            } catch {
                await tmux.end()
                throw error
            }
            await tmux.end()
        }
    }

    /// The number of the process that the pane runs under its shell.
    func browsing() async throws -> Int32? {
        let pane = try await program.run(["-S", socket, "list-panes", "-F", "#{pane_pid}"]).lines.first
        let children = try await ProcessRun("/usr/bin/pgrep", ["-P", pane ?? "0"], [:]).outcome()
        return Int32(String(decoding: children.output, as: UTF8.self).filter(\.isNumber))
    }

    /// What the program keeps in its state folder.
    func state(_ name: String) throws -> String {
        try String(contentsOf: program.home.appending(path: ".local/state/gallery/\(name)"), encoding: .utf8)
    }

    func end() async {
        _ = try? await program.run(["-S", socket, "kill-server"])
    }

    func type(_ keys: String) { product.type(keys) }

    /// Runs a command of tmux itself.
    func command(_ words: String...) async throws {
        #expect(try await program.run(["-S", socket] + words).status == 0)
    }

    func file(_ name: String) throws -> String {
        try String(contentsOf: program.folder.appending(path: name), encoding: .utf8)
    }

    /// The pane's lines at this moment.
    func capture() async throws -> [String] {
        try await program.run(["-S", socket, "capture-pane", "-p"]).lines
    }

    /// Returns once the pane is as `condition` says. Asks again whenever tmux has drawn something.
    func screen(where condition: ([String]) -> Bool) async throws {
        var length = 0
        while product.isRunning {
            length = try await product.waitForOutput(longerThan: length).count
            if condition(try await capture()) { return }
        }
        Issue.record("tmux ended: \(product.output.suffix(500).debugDescription)")
    }

    func shows(_ text: String) async throws {
        try await screen { $0.contains { $0.contains(text) } }
    }
}

import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// The terminal is as it was found, whichever way out is taken.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseExitTests {
    /// `gallery browse` under a shell that writes down the terminal's settings before and after.
    private struct Shell {
        let product: RunningProduct
        let folder: URL

        init(_ shell: BuiltProduct) throws {
            folder = shell.folder
            let script = """
                stty -a > before
                sh -c 'echo $$ > pid; exec "$0" browse --picture none --mouse' "$GALLERY"
                echo "status $?"
                stty -a > after
                echo over
                """
            let gallery = try ProductLocation.executable("gallery").path
            product = try shell.start(
                ["-c", script], environment: ["GALLERY": gallery, "SWIFT_BACKTRACE": "enable=no"],
                terminal: TerminalSize())
        }

        func file(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }

        var process: Int32? {
            get throws { Int32(try file("pid").split(separator: "\n")[0]) }
        }

        /// Expects `status`, and the settings, the screen and the cursor as they were.
        func expectEnd(status: String) async throws {
            let found = try await product.waitForOutput("over\r\n")
            #expect(found)
            #expect(product.output.contains("status \(status)\r\n"))
            #expect(try file("before") == file("after"))
            let picture = TerminalPicture(Data(product.output.utf8), columns: 80, rows: 24)
            #expect(!picture.isAlternate && !picture.isCursorHidden)
            // The mouse, the telling of pasted text, and updates at once are off again.
            let output = product.output
            for mode in [1000, 1006, 2004, 2026] {
                let on = try #require(output.range(of: "\u{1B}[?\(mode)h", options: .backwards))
                let off = output.range(of: "\u{1B}[?\(mode)l", options: .backwards)
                #expect(off.map { $0.lowerBound > on.lowerBound } == true, "mode \(mode)")
            }
        }
    }

    private func withBrowse(_ body: (Shell) async throws -> Void) async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { program in
            let shell = try Shell(program)
            try await shell.product.waitForOutput("1 of 12")
            try await body(shell)
        }
    }

    @Test(arguments: [("q", "0"), ("\u{3}", "130"), ("?qq", "0"), ("g1\u{3}", "130"), ("\u{3}\u{3}", "130")])
    func `by a key`(keys: String, status: String) async throws {
        try await withBrowse { shell in
            shell.product.type(keys)
            try await shell.expectEnd(status: status)
        }
    }

    @Test(arguments: [
        (SIGTERM, "130"), (SIGINT, "130"), (SIGHUP, "130"), (SIGSEGV, "139"), (SIGILL, "132"),
        (SIGTRAP, "133"),
        (SIGABRT, "134"), (SIGBUS, "135"), (SIGFPE, "136"), (SIGQUIT, "131"),
    ])
    func `by a signal, and by a crash`(signal: Int32, status: String) async throws {
        try await withBrowse { shell in
            let process = try #require(try shell.process)
            kill(process, signal)
            try await shell.expectEnd(status: status)
        }
    }

    @Test func `after Ctrl-Z a zoomed picture is sent anew, and none goes on where it was cut off`()
        async throws
    {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let gallery = try ProductLocation.executable("gallery").path
            let (path, _) = try await PictureBench.chafa(in: shell.home, PictureBench.transparent)
            let product = try shell.start(
                ["-i"], environment: ["GALLERY": gallery, "PS1": "ready> ", "ENV": "", "PATH": path],
                terminal: TerminalSize())
            try await product.waitForOutput("ready> ")
            product.type("\"$GALLERY\" browse 10 --picture kitty\r")
            // While it is being sent.
            try await product.waitForOutput("\u{1B}_Ga=T,f=")
            product.type("\u{1A}")
            try await product.waitForOutput("Stopped")
            let before = product.output.utf8.count
            product.type("fg\r")
            try await Self.waitForOutput("\u{1B}_Ga=T,f=", of: product, after: before)
            let resumed = Data(product.output.utf8).dropFirst(before)
            let first = try #require(resumed.range(of: Data("\u{1B}_G".utf8)))
            // A new picture, or the end of one that was cut off; no more of its pixels.
            let start = String(decoding: resumed[first.upperBound...].prefix(3), as: UTF8.self)
            #expect(start.hasPrefix("a=") || start == "m=0", "\(start)")
            product.type("+")
            try await Self.waitForOutput("\u{1B}_Ga=t,", of: product, after: before)
            try await Self.waitForOutput("\u{1B}_Ga=p,", of: product, after: before)
            // A window of another size is cleared, too.
            let resized = product.output.utf8.count
            product.resize(to: TerminalSize(columns: 70, rows: 20))
            try await Self.waitForOutput("\u{1B}_Ga=t,", of: product, after: resized)
            try await Self.waitForOutput("\u{1B}_Ga=p,", of: product, after: resized)
            let zoomed = product.output.utf8.count
            product.type("\u{1A}")
            try await Self.waitForOutput("Stopped", of: product, after: zoomed)
            product.type("fg\r")
            try await Self.waitForOutput("\u{1B}_Ga=t,", of: product, after: zoomed)
            let resumedAgain = product.output.utf8.count
            product.type("q")
            // Before the prompt, what is typed is dropped.
            try await Self.waitForOutput("ready> ", of: product, after: resumedAgain)
            product.type("exit\r")
            _ = try await product.outcome()
        }
    }

    /// Returns once `text` was written behind the first `count` bytes; fails where the program ends before.
    private static func waitForOutput(_ text: String, of product: RunningProduct, after count: Int)
        async throws
    {
        var length = count
        while true {
            let output = try await product.waitForOutput(longerThan: length)
            if output.dropFirst(count).range(of: Data(text.utf8)) != nil { return }
            try #require(output.count > length && product.isRunning, "'\(text)' never came.")
            length = output.count
        }
    }

    #if os(Linux)
        /// A terminal's late answer would be typed into the shell.
        @Test func `what the terminal sends while it is given back is dropped`() async throws {
            try await withBuiltProduct { gallery in
                let browse = try Browsing(gallery)
                try await browse.shows("1 of 12")
                let link = "/proc/\(browse.product.process)/fd/0"
                let name = try FileManager.default.destinationOfSymbolicLink(atPath: link)
                let terminal = open(name, O_RDWR | O_NOCTTY)
                defer { close(terminal) }
                @Sendable func unread() -> Int32 {
                    var count: Int32 = 0
                    _ = ioctl(terminal, UInt(FIONREAD), &count)
                    return count
                }
                // Stopped, as by Ctrl-S, it takes nothing, so that giving it back lasts until it goes on.
                #expect(tcflow(terminal, TCOOFF) == 0)
                browse.type("\u{1A}")
                try await until { unread() == 0 }
                browse.type("nnn")
                try await until { unread() == 3 }
                #expect(tcflow(terminal, TCOON) == 0)
                // Without a shell that stops jobs, it goes on by itself.
                let again = Data("\u{1B}[?1049h".utf8)
                var length = 0
                while true {
                    let output = try await browse.product.waitForOutput(longerThan: length)
                    if output.range(of: again, options: .backwards) != output.range(of: again) { break }
                    try #require(output.count > length)
                    length = output.count
                }
                browse.type("n")
                let picture = try await browse.screen { picture in
                    let top = picture.isAlternate ? picture.lines[0] : ""
                    return top.hasSuffix(" of 12") && !top.hasSuffix(" 1 of 12")
                }
                #expect(picture.lines[0].hasSuffix("2 of 12"))
                #expect(try await browse.quit() == 0)
            }
        }
    #endif

    @Test func `by an error before the first screen`() async throws {
        try await withBuiltProduct { gallery in
            let browse = try Browsing(gallery, ["--ranking", "nonsense"])
            #expect(try await browse.end() == 64)
            #expect(!browse.product.output.contains("\u{1B}[?1049h"))
        }
    }

    /// A shell has its own settings by then.
    @Test func `after a stop that nobody announced keys are read as before`() async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let gallery = try ProductLocation.executable("gallery").path
            let product = try shell.start(
                ["-i"], environment: ["GALLERY": gallery, "PS1": "ready> ", "ENV": ""],
                terminal: TerminalSize())
            try await product.waitForOutput("ready> ")
            product.type("sh -c 'echo $$ > pid; exec \"$GALLERY\" browse --picture none'\r")
            try await product.waitForOutput("1 of 12")
            let pid = try String(contentsOf: shell.folder.appending(path: "pid"), encoding: .utf8)
            kill(try #require(Int32(pid.split(separator: "\n")[0])), SIGSTOP)
            try await #require(product.waitForOutput("Stopped"))
            product.type("stty sane; echo calm\n")
            try await #require(product.waitForOutput("calm\r\n"))
            let stopped = product.output.utf8.count
            product.type("fg\n")
            try await Self.waitForOutput("1 of 12", of: product, after: stopped)
            let screen = Browsing(product)
            product.type("n")
            try await screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("2 of 12") }
            product.type("q")
            try await screen.screen { screen in
                !screen.isAlternate && screen.lines.contains { $0.hasSuffix("ready>") }
            }
            product.type("exit\r")
            _ = try await product.outcome()
        }
    }

    @Test(arguments: ["\u{1A}", "signal"])
    func `Ctrl-Z gives the terminal back until fg`(way: String) async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let gallery = try ProductLocation.executable("gallery").path
            let product = try shell.start(
                ["-i"], environment: ["GALLERY": gallery, "PS1": "ready> ", "ENV": ""],
                terminal: TerminalSize())
            try await product.waitForOutput("ready> ")
            product.type("stty -a > before; sh -c 'echo $$ > pid; exec \"$GALLERY\" browse --picture none'\r")
            try await product.waitForOutput("1 of 12")
            if way == "signal" {
                let pid = try String(contentsOf: shell.folder.appending(path: "pid"), encoding: .utf8)
                kill(try #require(Int32(pid.split(separator: "\n")[0])), SIGTSTP)
            } else {
                product.type(way)
            }
            try await #require(product.waitForOutput("Stopped"))
            product.type("stty -a > between; echo 'paused'\r")
            try await #require(
                product.waitForOutput("paused\r\n"), "\(product.output.suffix(800).debugDescription)")
            let picture = TerminalPicture(Data(product.output.utf8), columns: 80, rows: 24)
            #expect(!picture.isAlternate && !picture.isCursorHidden)
            product.type("fg\r")
            let screen = Browsing(product)
            try await screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("1 of 12") }
            // The second time as the first.
            product.type("\u{1A}")
            try await screen.screen { !$0.isAlternate && $0.lines.contains { $0.hasSuffix("ready>") } }
            product.type("stty -a > again; fg\r")
            try await screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("1 of 12") }
            product.type("n")
            try await screen.screen { $0.lines[0].hasSuffix("2 of 12") }
            product.type("q")
            // What is typed before the prompt is thrown away with late answers of the terminal's.
            try await screen.screen { screen in
                !screen.isAlternate && screen.lines.contains { $0.hasSuffix("ready>") }
            }
            product.type("stty -a > after; echo 'ended'; exit\r")
            try await product.waitForOutput("ended\r\n")
            let settings = try ["before", "between", "again", "after"].map {
                try String(contentsOf: shell.folder.appending(path: $0), encoding: .utf8)
            }
            #expect(Set(settings).count == 1)
        }
    }
}

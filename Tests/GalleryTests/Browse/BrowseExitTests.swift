import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// The terminal is as it was found, whichever way out is taken.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseExitTests {
    /// `gallery browse` under a shell that writes down the terminal's settings before and after.
    private struct Shell {
        let product: RunningProduct
        let folder: URL

        init(_ shell: BuiltProduct, backtrace: String) throws {
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
                ["-c", script], environment: ["GALLERY": gallery, "SWIFT_BACKTRACE": backtrace],
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

    private func withBrowse(
        backtrace: String = "enable=no", _ body: (Shell) async throws -> Void
    ) async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { program in
            let shell = try Shell(program, backtrace: backtrace)
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

    @Test(arguments: [(SIGSEGV, "139"), (SIGQUIT, "131")])
    func `a crash takes the terminal for no questions of Swift's own`(
        signal: Int32, status: String
    ) async throws {
        try await withBrowse(backtrace: "enable=yes,interactive=yes") { shell in
            let process = try #require(try shell.process)
            kill(process, signal)
            try await shell.expectEnd(status: status)
            #expect(!shell.product.output.contains("Program crashed"))
        }
    }

    @Test(arguments: [SIGQUIT, SIGTERM, SIGINT, SIGHUP])
    func `a signal during a conversion leaves no process, and nothing in TMPDIR`(signal: Int32) async throws {
        try await withBuiltProduct { gallery in
            let photos = gallery.folder.appending(path: "photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            // In colors that a converter has to bring to the terminal.
            try Fixture.data("pictures/p3.webp").write(to: photos.appending(path: "a.webp"))
            let (path, _) = try await PictureBench.chafa(in: gallery.home, PictureBench.transparent)
            let note = gallery.home.appending(path: "converter")
            try await PictureBench.program(
                "vipsthumbnail", "#!/bin/sh\necho $$ > '\(note.path)'; exec sleep 600", in: gallery.home)
            func left() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: gallery.home.appending(path: "tmp").path)
                    .filter { $0.hasPrefix("gallery-") }
            }
            let browse = try Browsing(
                gallery, ["1", "--folder", photos.path, "--picture", "kitty"], environment: ["PATH": path])
            try await until { ((try? Data(contentsOf: note)) ?? Data()).count > 1 }
            #expect(try !left().isEmpty)
            browse.product.send(signal)
            let outcome = try await browse.product.outcome()
            #expect(outcome.status == (signal == SIGQUIT ? nil : 130))
            #expect(try left().isEmpty)
            let text = try String(contentsOf: note, encoding: .utf8)
            let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            try await until { kill(process, 0) != 0 || PictureBench.isZombie(process) }
        }
    }

    /// `gallery browse` in the foreground of a shell that stops jobs.
    private struct Job {
        let product: RunningProduct
        let screen: Browsing
        let folder: URL

        func type(_ keys: String) { product.type(keys) }

        func file(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }

        func kill(_ signal: Int32) throws {
            Foundation.kill(try #require(Int32(try file("pid").split(separator: "\n")[0])), signal)
        }

        /// How many bytes were written so far.
        var length: Int { get async throws { try await product.waitForOutput(longerThan: -1).count } }

        /// Returns what was written behind the first `count` bytes once `text` is in it; fails where the program ends
        /// before.
        @discardableResult
        func waitForOutput(_ text: String, after count: Int) async throws -> Data {
            var length = count
            while true {
                let output = try await product.waitForOutput(longerThan: length)
                if output.dropFirst(count).range(of: Data(text.utf8)) != nil {
                    return output.dropFirst(count)
                }
                try #require(output.count > length && product.isRunning, "'\(text)' never came.")
                length = output.count
            }
        }

        /// Leaves for the shell by `way`, and returns how much was written once that has asked for the next command. What
        /// is typed before is dropped, as late answers of the terminal are.
        @discardableResult
        func leave(_ way: () throws -> Void) async throws -> Int {
            let before = try await length
            try way()
            try await waitForOutput("ready> ", after: before)
            let picture = TerminalPicture(Data(product.output.utf8), columns: 80, rows: 24)
            try #require(!picture.isAlternate && !picture.isCursorHidden)
            try await screen.screen { screen in
                !screen.isAlternate && screen.lines.contains { $0.hasSuffix("ready>") }
            }
            return try await length
        }

        func end() async throws {
            try await leave { type("q") }
            type("stty -g > after; exit\r")
            _ = try await product.outcome()
            #expect(try file("after") == file("before"))
        }
    }

    private func withJob(
        _ arguments: String, chafa: String? = nil, _ body: (Job) async throws -> Void
    ) async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            var environment = ["PS1": "ready> ", "ENV": ""]
            environment["GALLERY"] = try ProductLocation.executable("gallery").path
            if let chafa { environment["PATH"] = try await PictureBench.chafa(in: shell.home, chafa).path }
            let product = try shell.start(["-i"], environment: environment, terminal: TerminalSize())
            try await product.waitForOutput("ready> ")
            product.type(
                "stty -g > before; sh -c 'echo $$ > pid; exec \"$GALLERY\" browse \(arguments)'\r")
            let job = Job(product: product, screen: Browsing(product), folder: shell.folder)
            try await product.waitForOutput(" of 12")
            try await body(job)
            try await job.end()
        }
    }

    @Test(arguments: ["key", "signal"])
    func `Ctrl-Z gives the terminal back until fg`(way: String) async throws {
        try await withJob("--picture none") { job in
            // The second time as the first.
            for round in ["first", "second"] {
                try await job.screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("1 of 12") }
                try await job.leave { if way == "key" { job.type("\u{1A}") } else { try job.kill(SIGTSTP) } }
                #expect(job.product.output.contains("Stopped"))
                job.type("stty -g > \(round); fg\r")
            }
            try await job.screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("1 of 12") }
            job.type("n")
            try await job.screen.screen { $0.lines[0].hasSuffix("2 of 12") }
            #expect(try Set(["before", "first", "second"].map(job.file)).count == 1)
        }
    }

    /// A shell has its own settings by then.
    @Test func `after a stop that nobody announced keys are read as before`() async throws {
        try await withJob("--picture none") { job in
            try job.kill(SIGSTOP)
            try await #require(job.product.waitForOutput("Stopped"))
            job.type("stty sane; echo calm\n")
            try await #require(job.product.waitForOutput("calm\r\n"))
            let stopped = try await job.length
            job.type("fg\n")
            try await job.waitForOutput("1 of 12", after: stopped)
            job.type("n")
            try await job.screen.screen { $0.isAlternate && $0.lines[0].hasSuffix("2 of 12") }
        }
    }

    @Test func `after Ctrl-Z a zoomed picture is sent anew, and none goes on where it was cut off`()
        async throws
    {
        // A folder's files are there at once. Others have only their thumbnails at first, which do not zoom.
        let photos = "1 --folder \"\(Fixture.url("sample/full").path)\""
        try await withJob("\(photos) --picture kitty", chafa: PictureBench.transparent) { job in
            // While it is being sent.
            try await job.product.waitForOutput("\u{1B}_Ga=T,f=")
            var before = try await job.leave { job.type("\u{1A}") }
            job.type("fg\r")
            let resumed = try await job.waitForOutput("\u{1B}_Ga=T,f=", after: before)
            let first = try #require(resumed.range(of: Data("\u{1B}_G".utf8)))
            #expect(resumed[first.upperBound...].starts(with: Data("a=".utf8)))
            job.type("+")
            let place = "\u{1B}_Ga=p,"
            let pixels = Data("\u{1B}_Ga=t,".utf8)
            #expect(try await job.waitForOutput(place, after: before).range(of: pixels) != nil)
            // A window of another size is cleared, too.
            before = try await job.length
            job.product.resize(to: TerminalSize(columns: 70, rows: 20))
            #expect(try await job.waitForOutput(place, after: before).range(of: pixels) != nil)
            before = try await job.leave { job.type("\u{1A}") }
            job.type("fg\r")
            #expect(try await job.waitForOutput(place, after: before).range(of: pixels) != nil)
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
                @Sendable func isWriting() -> Bool {
                    let threads = "/proc/\(browse.product.process)/task"
                    let names = try? FileManager.default.contentsOfDirectory(atPath: threads)
                    return (names ?? []).contains { name in
                        let call = try? String(contentsOfFile: "\(threads)/\(name)/syscall", encoding: .utf8)
                        // The call's number differs by processor; the descriptor comes next.
                        return call?.split(separator: " ").dropFirst().first == "0x1"
                    }
                }
                // Stopped, as by Ctrl-S, it takes nothing, so that giving it back lasts until it goes on.
                #expect(tcflow(terminal, TCOOFF) == 0)
                browse.type("\u{1A}")
                // Once it is in the midst of that, and not just before the key has come.
                try await until { unread() == 0 && isWriting() }
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
}

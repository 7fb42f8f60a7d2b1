import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// `show --picture` on a terminal: what it asks, what becomes of the answers, what is left behind.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct PictureTerminalTests {
    /// The last thing asked: whoever answers has read all before it.
    private static let question = "\u{1B}[c"
    private static let details = "Eileen Collins"

    @Test func `iTerm2's protocol, then the details`() async throws {
        try await withBuiltProduct { gallery in
            let show = try gallery.start(["show", "1", "--picture", "-q"], terminal: TerminalSize())
            // Before it is asked: 200 ms are short on a busy machine. The terminal keeps it.
            show.type("\u{1B}P>|WezTerm 20240203\u{1B}\\\u{1B}[6;20;10t\u{1B}[?65;4;6;18;22c")
            let outcome = try await show.outcome()
            #expect(outcome.status == 0)
            // Two thirds of 24 lines, square: 16 rows of 20 pixels are 32 columns of 10.
            let room = String(repeating: "\r\n", count: 16)
            let start =
                "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[16t"
                + "\u{1B}[?1;1;0S\u{1B}[?2;1;0S\r\r\né\u{1B}[6n\r\u{1B}[K\u{1B}[A\u{1B}[c" + room
                + "\u{1B}[16A\u{1B}7\u{1B}]1337;File=inline=1;size=60270;width=32;height=16;preserveAspectRatio=1:"
            let begin = try #require(outcome.output.firstRange(of: start))
            let end = try #require(outcome.output.firstRange(of: "\u{7}\u{1B}8\r\u{1B}[16B"))
            let picture = outcome.output[begin.upperBound..<end.lowerBound]
            #expect(Data(base64Encoded: String(picture))?.count == 60270)
            #expect(outcome.output[end.upperBound...].contains(Self.details))
            #expect(try gallery.leftovers().isEmpty)
        }
    }

    /// The product on a terminal, in a shell that says afterwards what has come to it.
    private func show(
        _ gallery: BuiltProduct, chafa: String, then: String = "", set: [String: String] = [:]
    ) async throws -> RunningProduct {
        let (path, _) = try await PictureBench.chafa(in: gallery.folder, chafa)
        let script = """
            tty > tty; stty -a > before
            "$GALLERY" show 1 --picture -q
            stty -a > after; cmp before after && echo same
            echo ready; read line; echo "got <$line>" | tr '\\033' '^'
            """
        let product = try ProductLocation.executable("gallery")
        return try gallery.start(
            ["-c", script],
            environment: ["GALLERY": product.path, "PATH": path].merging(set) { $1 },
            terminal: TerminalSize())
    }

    /// Expects a picture, the settings as they were, and nothing typed but what the test types once the shell is ready.
    private static func expectCalm(_ show: RunningProduct) async throws {
        #expect(try await show.waitForOutput("ready"))
        show.type("typed\n")
        let outcome = try await show.outcome()
        #expect(outcome.output.contains("symbols"))
        #expect(outcome.output.contains("same\r\n"))
        #expect(outcome.output.hasSuffix("got <typed>\r\n"))
    }

    private func inShell(_ body: (BuiltProduct) async throws -> Void) async throws {
        try await withProgram(at: URL(filePath: "/bin/sh"), run: body)
    }

    @Test func `a terminal that never answers keeps nobody waiting`() async throws {
        try await inShell { shell in
            let show = try await show(shell, chafa: "echo symbols")
            #expect(try await show.waitForOutput(Self.question))
            let asked = ContinuousClock.now
            #expect(try await show.waitForOutput("ready"))
            // 200 ms of it for the question; the rest is the product's work on a busy machine.
            #expect(asked.duration(to: .now) < .seconds(20))
            try await Self.expectCalm(show)
        }
    }

    @Test func `an answer that comes too late is neither echoed nor read by the shell`() async throws {
        try await inShell { shell in
            // The helper's start tells that nobody waits for the answer any more; it waits for the test.
            let show = try await show(
                shell, chafa: "echo late > \"$(cat tty)\"; read go < go; echo symbols")
            #expect(mkfifo(shell.folder.appending(path: "go").path, 0o600) == 0)
            #expect(try await show.waitForOutput("late"))
            show.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.43.1)\u{1B}\\\u{1B}[?62;52;c")
            try await PictureBench.write("go\n", to: shell.folder.appending(path: "go").path)
            try await Self.expectCalm(show)
            #expect(!show.output.contains("OK") && !show.output.contains("kitty("))
        }
    }

    private static let senseless = [
        "garbage", "\u{1B}[?c\u{1B}[?1;x\u{1B}P>|\u{1B}_G", "\u{1B}P>|never ends", "\u{1B}[?1;2",
        String(repeating: "\u{1B}[6;1;1t", count: 200),
    ]

    @Test(arguments: Thorough.cases(senseless, few: 2))
    func `an answer that makes no sense does no harm`(answer: String) async throws {
        try await inShell { shell in
            let show = try await show(shell, chafa: "echo symbols")
            show.type(answer)
            try await Self.expectCalm(show)
        }
    }

    @Test(arguments: ["\u{3}", "\u{1C}"])
    func `Ctrl-C and Ctrl-Backslash give the terminal back and leave no file`(key: String) async throws {
        try await inShell { shell in
            let script = """
                # Otherwise the system drops what is typed before Ctrl-C.
                stty noflsh; stty -a > before
                trap : INT QUIT
                "$GALLERY" show 1 --picture; echo "status $?"
                stty -a > after; cmp before after && echo same; ls -A "$TMPDIR"; echo ready
                read line; echo "got <$line>" | tr '\\033' '^'
                """
            let (path, _) = try await PictureBench.chafa(in: shell.folder, "exec sleep 600")
            let product = try ProductLocation.executable("gallery")
            let show = try shell.start(
                ["-c", script], environment: ["GALLERY": product.path, "PATH": path],
                terminal: TerminalSize())
            let words = shell.folder.appending(path: "words.variables")
            #expect(try await show.waitForOutput(Self.question))
            // The helper is under way when it has noted its variables.
            try await until { FileManager.default.fileExists(atPath: words.path) }
            // The beginning of an answer, which nobody reads any more.
            show.type("\u{1B}P>|kitt")
            show.type(key)
            #expect(try await show.waitForOutput("ready\r\n"))
            show.type("typed\n")
            let outcome = try await show.outcome()
            #expect(outcome.output.contains("status 130\r\nsame\r\nready\r\n"))
            #expect(outcome.output.hasSuffix("got <typed>\r\n"))
        }
    }

    @Test func `in the background it neither asks the terminal nor stops`() async throws {
        try await inShell { shell in
            let (path, _) = try await PictureBench.chafa(in: shell.folder, "echo symbols")
            let product = try ProductLocation.executable("gallery")
            let show = try shell.start(
                ["-i"], environment: ["GALLERY": product.path, "PATH": path, "PS1": "ready> ", "ENV": ""],
                terminal: TerminalSize())
            try await show.waitForOutput("ready> ")
            show.type("\"$GALLERY\" show 1 --picture & wait; echo 'over'\r")
            try await show.waitForOutput("over\r\n")
            #expect(show.output.contains("symbols") && !show.output.contains("Stopped"))
            #expect(!show.output.contains(Self.question))
            show.type("exit\r")
            _ = try await show.outcome()
        }
    }

    @Test(arguments: [
        (["TERM": "dumb"], "No pictures: TERM does not name a terminal that can show them."),
        (["NO_COLOR": "1"], "No pictures, because NO_COLOR is set."),
        (
            ["PATH": "/nowhere"],
            "To see pictures here, install chafa: apt install chafa, or brew install chafa."
        ),
    ])
    func `where there can be none, a line says why`(set: [String: String], line: String) async throws {
        try await withBuiltProduct { gallery in
            let show = try gallery.start(
                ["show", "1", "--picture", "-s", "sample"], environment: set, terminal: TerminalSize())
            let outcome = try await show.outcome()
            #expect(outcome.status == 0)
            let lines = outcome.output.split(separator: "\r\n")
            // After what the terminal was asked.
            let said = try #require(lines.firstIndex { $0.hasSuffix(line) })
            #expect(lines[(said + 1)...].first?.contains(Self.details) == true)
            #expect(outcome.output.contains("_Gi=31") == (set["PATH"] != nil))
        }
    }

    @Test func `to a pipe only text, in colors or not`() async throws {
        try await withBuiltProduct { gallery in
            let plain = try await gallery.run(["show", "1"])
            let show = try await gallery.run(
                ["show", "1", "--picture"], environment: ["TERM": "xterm-kitty", "COLORTERM": "truecolor"])
            #expect(show.output == plain.output)
            #expect(show.errors == "Pictures are only shown on a terminal.\n")
            #expect(!show.output.contains("\u{1B}"))
        }
    }

    @Test func `with other formats it is refused`() async throws {
        try await withBuiltProduct { gallery in
            let show = try await gallery.run(["show", "1", "--picture", "--format", "json"])
            #expect(show.status == 64)
            #expect(show.errors.hasPrefix("Error: '--picture' can only be used with '--format text'.\n"))
        }
    }
}

/// What a service sends in place of a picture, shown or not.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PictureServiceTests {
    /// Shows photo 7 of a server, whose file is `reply`, on a terminal of iTerm2's kind.
    private func show(_ reply: LocalReply) async throws -> ProductOutcome {
        try await withLocalServer({ request in
            guard request.path == "/v1/photos/7" else { return reply }
            let file = "http://\(request.headers["Host"] ?? "")/7.png"
            return .json(
                #"{"photo":{"id":7,"user_id":1,"name":"Seven","images":[{"size":2048,"url":"\#(file)"}]}}"#)
        }) { server in
            try await withBuiltProduct { gallery in
                let words = [
                    "show", "https://500px.com/photo/7/seven", "--picture", "--service", "500px",
                    "--base-url", "\(server.url)/v1", "--retries", "0",
                ]
                let show = try gallery.start(words, terminal: TerminalSize())
                show.type("\u{1B}P>|WezTerm 20240203\u{1B}\\\u{1B}[?65;4;6;18;22c")
                let outcome = try await show.outcome()
                #expect(try gallery.leftovers().isEmpty)
                return outcome
            }
        }
    }

    @Test func `a file that is not there leaves the details, and is told`() async throws {
        let outcome = try await show(.status(404))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("Seven"))
        #expect(outcome.output.contains("Error: "))
        #expect(!outcome.output.contains("]1337"))
    }

    @Test func `a bomb leaves the details and a sentence`() async throws {
        // A whole picture by its end, of which only the header lies.
        let outcome = try await show(.body(PictureBench.lyingPNG, contentType: "image/png"))
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("The picture has 20000×20000 pixels, too many to show here.\r\n"))
        #expect(outcome.output.contains("Seven"))
        #expect(!outcome.output.contains("]1337"))
    }

    @Test func `a picture comes over the net too`() async throws {
        let png = Pictures.png(width: 4, height: 4)
        let outcome = try await show(.body(png, contentType: "image/png"))
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(":\(png.base64EncodedString())\u{7}"))
    }
}

extension BuiltProduct {
    /// What lies in its temporary folder.
    fileprivate func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.appending(path: "tmp").path)
    }
}

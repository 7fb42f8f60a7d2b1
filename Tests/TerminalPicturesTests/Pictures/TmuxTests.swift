import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

@Suite(.fewAtOnce) struct TmuxTests {
    private static func answer(
        passes: String = "on", type: String = "", term: String = "xterm-256color",
        features: String = "256,RGB",
        position: String = "bottom", status: String = "on", utf8: String = "1"
    ) -> String {
        "/dev/pts/5\t\(passes)\t\(type)\t\(term)\t\(features)\t10\t20\t3\t40\t\(position)\t\(status)\t\(utf8)\n"
    }

    @Test func `an answer is read`() throws {
        let tmux = try #require(Tmux(Self.answer(type: "WezTerm 20240203").utf8))
        #expect(tmux.terminal == "/dev/pts/5")
        #expect(tmux.passesThrough)
        #expect(tmux.outerVersion == "WezTerm 20240203")
        #expect(tmux.cell == CellSize(width: 10, height: 20))
        #expect(tmux.top == 3 && tmux.left == 40)
    }

    @Test(arguments: [("top", "on", 4), ("top", "2", 5), ("top", "off", 3), ("bottom", "3", 3)])
    func `status lines above push panes down`(position: String, status: String, top: Int) throws {
        let tmux = try #require(Tmux(Self.answer(position: position, status: status).utf8))
        #expect(tmux.top == top)
    }

    // 3.3 answers with numbers, 3.4 with words; before 3.3 there was no such option.
    @Test(arguments: [
        ("0", false), ("off", false), ("1", true), ("on", true), ("all", true), ("", true),
    ])
    func `whether sequences are handed on`(word: String, passes: Bool) throws {
        #expect(try #require(Tmux(Self.answer(passes: word).utf8)).passesThrough == passes)
    }

    @Test(arguments: ["", "\n", "no server running\n", "a\tb\n", String(repeating: "\t", count: 10)])
    func `what is no answer is none`(text: String) {
        #expect(Tmux(text.utf8) == nil)
    }

    struct Inside: CustomTestStringConvertible, Sendable {
        let outer: String
        var term = "xterm-256color"
        var passes = "on"
        var features = ""
        var attributes = "1;2"
        let shows: PictureSupport.Method
        var testDescription: String { "\(outer) \(term) \(passes) \(features)" }
    }

    @Test(arguments: [
        Inside(outer: "kitty(0.31.0)", term: "xterm-kitty", shows: .kitty),
        Inside(outer: "ghostty 1.1.3", shows: .kitty), Inside(outer: "iTerm2 3.5.1", shows: .iterm),
        Inside(outer: "WezTerm 20240203", shows: .iterm),
        // Characters in place of pictures came with 0.28.
        Inside(outer: "kitty(0.26.5)", term: "xterm-kitty", shows: .symbols),
        Inside(outer: "", term: "xterm-kitty", shows: .symbols),
        Inside(outer: "kitty(0.31.0)", passes: "off", shows: .symbols),
        Inside(outer: "iTerm2 3.5.1", passes: "off", shows: .symbols),
        Inside(outer: "foot(1.16.2)", features: "256,sixel", attributes: "1;2;4", shows: .sixel),
        Inside(outer: "foot(1.16.2)", passes: "0", features: "sixel", attributes: "1;2;4", shows: .sixel),
        // tmux was built with sixels, its terminal was not: it would print `SIXEL IMAGE`.
        Inside(outer: "VTE(7600)", attributes: "1;2;4", shows: .symbols),
        Inside(outer: "foot(1.16.2)", features: "sixel", shows: .symbols),
    ])
    func `inside tmux the terminal around it counts`(inside: Inside) {
        let tmux = Tmux(
            Self.answer(
                passes: inside.passes, type: inside.outer, term: inside.term, features: inside.features
            ).utf8)
        let support = PictureSupport(
            .auto, ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
            answers: PictureBench.answers("\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?\(inside.attributes)c"),
            tmux: tmux, isTerminal: true)
        #expect(support.method == inside.shows)
        #expect(support.isInTmux)
    }

    @Test func `what tmux would swallow is refused with what to do`() {
        let tmux = Tmux(Self.answer(passes: "off", type: "kitty(0.31.0)").utf8)
        let support = PictureSupport(
            .kitty, ["TERM": "tmux-256color", "TMUX": "x"], answers: nil, tmux: tmux, isTerminal: true)
        let sentence =
            "This multiplexer does not let pictures through; in tmux, run 'tmux set -p allow-passthrough on'."
        #expect(support.method == .none(because: sentence))
    }

    @Test func `escapes are doubled`() {
        #expect(
            Tmux.wrapped("\u{1B}_Gm=0;AA\u{1B}\\".utf8)
                == Array("\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;AA\u{1B}\u{1B}\\\u{1B}\\".utf8))
    }
}

/// What is handed to tmux for the terminal around it.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct TmuxSequenceTests {
    private func painter(_ outer: String, path: String) throws -> PicturePainter {
        let answer = "/dev/pts/5\t1\t\(outer)\txterm\t256\t10\t20\t3\t40\ttop\ton\t1"
        return PictureBench.painter(
            answer: "\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2c", path: path, tmux: Tmux(answer.utf8),
            set: ["TMUX": "x"])
    }

    /// A `tmux` that answers where the pane is.
    private func tmux(in folder: URL) async throws -> String {
        let text = "#!/bin/sh\nprintf '/dev/pts/5\\t1\\tx\\tx\\tx\\t10\\t20\\t3\\t40\\ttop\\ton\\t1\\n'\n"
        try await PictureBench.program("tmux", text, in: folder)
        return folder.path + ":/usr/bin:/bin"
    }

    @Test func `kitty's pictures are placed by characters`() async throws {
        try await withTemporaryDirectory { folder in
            let png = Pictures.png(width: 8, height: 8)
            let file = try PictureBench.file(png, "a.png", in: folder)
            let picture = try #require(
                try await painter("kitty(0.31.0)", path: folder.path)
                    .paint(file, in: PictureBox(columns: 2, rows: 1)).picture)
            // The first byte of the number is 1, its mark the second one of the table; the color is the last.
            let cells = ["\u{305}", "\u{30D}"].map { "\u{10EEEE}\u{305}\($0)\u{30D}" }.joined()
            #expect(
                try await PictureBench.text(picture)
                    == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,f=100,i=\(1 << 24 | 255),c=2,r=1,q=2,m=0;"
                    + "\(png.base64EncodedString())\u{1B}\u{1B}\\\u{1B}\\"
                    + "\u{1B}7\u{1B}[38;5;255m\(cells)\u{1B}[39m\u{1B}8")
            #expect(
                String(decoding: picture.clearing, as: UTF8.self)
                    == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=\(1 << 24 | 255),q=2;\u{1B}\u{1B}\\\u{1B}\\"
                    + "\u{1B}7\u{1B}[2X\u{1B}8")
        }
    }

    @Test func `a part that is zoomed in is sent as a picture of its own`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, _) = try await PictureBench.chafa(in: folder, PictureBench.transparent)
            let file = try PictureBench.file(Pictures.png(width: 64, height: 64), "a.png", in: folder)
            let painter = try painter("kitty(0.31.0)", path: path)
            #expect(painter.zooms && painter.farewell.isEmpty)
            var viewport = Viewport()
            _ = viewport.zoom(by: 2)
            let picture = try #require(
                try await painter.paint(
                    file, .view(viewport), in: PictureBox(columns: 6, rows: 3)
                ).picture)
            let text = try await PictureBench.text(picture)
            // Half of each edge, over all cells.
            #expect(text.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,f=32,s=32,v=32,i="))
            #expect(text.contains(",c=6,r=3,") && text.unicodeScalars.count { $0 == "\u{10EEEE}" } == 18)
            #expect(!text.contains("a=t,") && !text.contains("a=p,"))
            // It goes with its removal.
            #expect(String(decoding: picture.removal, as: UTF8.self).contains("a=d,d=I,"))
        }
    }

    @Test func `a terminal that has just been attached tells its name a bit later`() async throws {
        try await withTemporaryDirectory { folder in
            let text = """
                #!/bin/sh
                if [ -e '\(folder.path)/asked' ]; then name='kitty(0.41.1)'; fi
                : > '\(folder.path)/asked'
                printf '/dev/pts/5\\t1\\t%s\\txterm-kitty\\tx\\t10\\t20\\t3\\t40\\ttop\\ton\\t1\\n' "$name"
                """
            try await PictureBench.program("tmux", text, in: folder)
            let environment = ["TMUX": "x", "PATH": folder.path + ":/usr/bin:/bin"]
            let tmux = await Tmux.ask(environment, limit: .seconds(30))
            #expect(tmux?.outerProgram == .kitty(placesByText: true))
        }
    }

    @Test func `iTerm2's are placed on the outer screen, in one sequence`() async throws {
        try await withTemporaryDirectory { folder in
            let png = Pictures.png(width: 8, height: 8)
            let file = try PictureBench.file(png, "a.png", in: folder)
            let box = PictureBox(columns: 2, rows: 1, origin: .init(row: 5, column: 7))
            let picture = try #require(
                try await painter("WezTerm 2024", path: try await tmux(in: folder)).paint(file, in: box)
                    .picture)
            #expect(
                try await PictureBench.text(picture)
                    == "\u{1B}Ptmux;\u{1B}\u{1B}7\u{1B}\u{1B}[9;47H\u{1B}\u{1B}]1337;File=inline=1;"
                    + "size=\(png.count);width=2;height=1;preserveAspectRatio=1:"
                    + "\(png.base64EncodedString())\u{7}\u{1B}\u{1B}8\u{1B}\\")
            #expect(
                String(decoding: picture.clearing, as: UTF8.self)
                    == "\u{1B}Ptmux;\u{1B}\u{1B}7\u{1B}\u{1B}[9;47H\u{1B}\u{1B}7\u{1B}\u{1B}[2X\u{1B}\u{1B}8"
                    + "\u{1B}\u{1B}8\u{1B}\\")
        }
    }

    @Test func `a file longer than tmux takes comes in parts`() async throws {
        try await withTemporaryDirectory { folder in
            let jpeg = Pictures.jpeg(bytes: 800_000, seed: 1)
            let file = try PictureBench.file(jpeg, "a.jpg", in: folder)
            let box = PictureBox(columns: 2, rows: 1, origin: .init(row: 5, column: 7))
            let picture = try #require(
                try await painter("iTerm2 3.5.1", path: try await tmux(in: folder)).paint(file, in: box)
                    .picture)
            let text = try await PictureBench.text(picture)
            let parts = text.split(separator: "\u{1B}Ptmux;").map(String.init)
            #expect(parts.first?.hasPrefix("\u{1B}\u{1B}]1337;MultipartFile=inline=1;size=800000;") == true)
            #expect(
                parts.last
                    == "\u{1B}\u{1B}7\u{1B}\u{1B}[9;47H\u{1B}\u{1B}]1337;FileEnd\u{7}\u{1B}\u{1B}8\u{1B}\\")
            #expect(parts.allSatisfy { $0.utf8.count < Tmux.longestSequence })
            let base64 = parts.dropFirst().dropLast().map { $0.dropFirst(17).dropLast(3) }.joined()
            #expect(Data(base64Encoded: base64) == jpeg)
        }
    }

    @Test(arguments: [(1000, "~"), (1_100_000, "x")])
    func `sixels that tmux would drop for their length become characters`(length: Int, shown: String)
        async throws
    {
        try await withTemporaryDirectory { folder in
            let (path, _) = try await PictureBench.chafa(
                in: folder,
                """
                [ "$1" = --format=sixels ] || { echo x; exit; }
                printf '\\033P0;1;0q"1;1;16;6#0;2;0;0;0#0'
                head -c \(length) /dev/zero | tr '\\0' '~'; printf -- '-\\033\\\\'
                """)
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            let answer = "/dev/pts/5\t1\tfoot(1.16.2)\txterm\t256,sixel\t10\t20\t3\t40\ttop\ton\t1"
            let painter = PictureBench.painter(
                answer: "\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2;4c", path: path, tmux: Tmux(answer.utf8),
                set: ["TMUX": "x"])
            let picture = try #require(
                try await painter.paint(file, in: PictureBox(columns: 2, rows: 1)).picture)
            #expect(try await PictureBench.text(picture).contains(shown))
        }
    }

    @Test(arguments: [
        ("WezTerm 2024", 800_000, true), ("iTerm2 3.5.1", 1000, false), ("iTerm2 3.4", 800_000, true),
    ])
    func `without parts or a place, characters are shown`(outer: String, length: Int, hasPlace: Bool)
        async throws
    {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, "echo x")
            _ = try await tmux(in: folder)
            let file = try PictureBench.file(Pictures.jpeg(bytes: length), "a.jpg", in: folder)
            let origin = hasPlace ? CellPosition(row: 1, column: 1) : nil
            let picture = try #require(
                try await painter(outer, path: path)
                    .paint(file, in: PictureBox(columns: 2, rows: 1, origin: origin)).picture)
            #expect(try await PictureBench.text(picture) == "\u{1B}7x\u{1B}[0m\u{1B}8")
            #expect(PictureBench.words(log).first == "--format=symbols")
        }
    }
}

/// `show --picture` in a real tmux, whose terminal is played by the test.
@Suite(.fewAtOnce, .needs("tmux") { await PictureBench.has(Tmux.program) }, .timeLimit(.minutes(2)))
struct PictureInTmuxTests {
    /// Runs it in a pane of a terminal that calls itself `version`; all that reached the terminal.
    private func show(
        _ version: String, _ configuration: String, chafa: String = "echo symbols", until text: String
    ) async throws -> String {
        let program = await Tmux.program.path(in: ProcessInfo.processInfo.environment)
        return try await withProgram(at: URL(filePath: try #require(program))) { tmux in
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
                // The account's own shell may let nobody in.
                environment: ["PATH": path, "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"],
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

/// Parts of pixels for terminals that show whole pictures only.
struct KittyPixelsTests {
    /// Three by two pixels, in grays.
    private static let pixels = KittyPixels(
        width: 3, height: 2, hasOpacity: false, bytes: [10, 20, 30, 40, 50, 60].flatMap { [$0, $0, $0] })

    @Test(
        arguments: [
            ((0, 0, 3, 2), 6, (3, 2), [10, 20, 30, 40, 50, 60]), ((1, 0, 2, 1), 6, (2, 1), [20, 30]),
            ((2, 1, 1, 1), 1, (1, 1), [60]),
            // The mean of four; what is left of the edge is dropped.
            ((0, 0, 3, 2), 5, (1, 1), [30]), ((1, 0, 2, 2), 1, (1, 1), [40]),
            // A line that has no square.
            ((0, 0, 3, 1), 1, (1, 1), [15]),
        ] as [((Int, Int, Int, Int), Int, (Int, Int), [UInt8])])
    func `a part has at most so many pixels`(
        part: (Int, Int, Int, Int), most: Int, size: (Int, Int), grays: [UInt8]
    ) {
        let found = Self.pixels.part((part.0, part.1, part.2, part.3), most: most)
        #expect((found.width, found.height) == size)
        #expect(found.bytes == grays.flatMap { [$0, $0, $0] })
    }
}

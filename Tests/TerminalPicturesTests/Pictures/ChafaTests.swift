import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// How `chafa` is called, by a script of our own that notes its words.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PictureChafaTests {
    private let box = PictureBox(columns: 20, rows: 10)

    /// Paints a JPEG that is twice as wide as high.
    private func paint(
        _ script: String, by choice: PictureChoice, set: [String: String] = [:],
        name: String = "a.jpg"
    ) async throws -> (outcome: PictureOutcome, words: [String], variables: [String], file: String) {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, script)
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), name, in: folder)
            let outcome = try await PictureBench.painter(choice, path: path, set: set).paint(file, in: box)
            let variables = PictureBench.words(log.appendingPathExtension("variables"))
            return (outcome, PictureBench.words(log), variables, file.path)
        }
    }

    @Test func `symbols by its words, the file after the end of options`() async throws {
        let run = try await paint(#"printf '\033[0mab\n\033[38;5;1mcd\033[0m\n'"#, by: .symbols)
        #expect(
            run.words == [
                "--format=symbols", "--size=20x5", "--stretch", "--animate=off", "--polite=on",
                "--colors=240", "--", run.file,
            ])
        let picture = try #require(run.outcome.picture)
        #expect(
            try await PictureBench.text(picture)
                == "\u{1B}7\u{1B}[0mab\u{1B}[0m\u{1B}8\u{1B}[1B\u{1B}[38;5;1mcd\u{1B}[0m\u{1B}[0m\u{1B}8")
        #expect(picture.rows == 2)
    }

    @Test(arguments: ["-e.jpg", "$(id) `id`;x.jpg", "a b\u{1B}]0;x\u{7}.jpg", "%d[0].jpg"])
    func `a name is one word, whatever it is`(name: String) async throws {
        let run = try await paint("echo x", by: .symbols, name: name)
        #expect(run.words.last == run.file)
        #expect(run.words.dropLast().last == "--")
        #expect(run.file.hasPrefix("/"))
    }

    @Test func `nothing of ours is in its variables`() async throws {
        let run = try await paint(
            "echo x", by: .symbols,
            set: ["GALLERY_FLICKR_KEY": "secret", "TMUX": "x", "KITTY_WINDOW_ID": "1", "LC_CTYPE": "C.UTF-8"])
        let names = Set(run.variables.map { String($0.prefix { $0 != "=" }) })
        #expect(names.isDisjoint(with: ["GALLERY_FLICKR_KEY", "TMUX", "KITTY_WINDOW_ID"]))
        #expect(names.isSuperset(of: ["PATH", "LC_CTYPE"]))
        #expect(run.variables.contains("TERM=xterm-256color"))
        #expect(!"\(run.variables)".contains("secret"))
    }

    @Test func `sixels in the size of the box in pixels`() async throws {
        // 200×100 pixels in what it takes for cells, 8×8: 96 rows of pixels in twice as many columns.
        let run = try await paint(#"printf '\033P0;1;0q"1;1;192;96#0;2;0;0;0#0!192~-\033\\'"#, by: .sixel)
        #expect(run.words.contains("--size=24x12"))
        #expect(run.words.contains("--dither=diffusion"))
        let picture = try #require(run.outcome.picture)
        #expect(
            try await PictureBench.text(picture)
                == "\u{1B}7\u{1B}P0;1;0q\"1;1;192;96#0;2;0;0;0#0!192~-\u{1B}\\\u{1B}8")
        #expect(picture.columns == 20)
    }

    @Test func `sixels are no larger than the terminal shows`() async throws {
        try await withTemporaryDirectory { folder in
            let script = """
                size=${2#--size=}; width=$((${size%x*} * 8)); height=$((${size#*x} * 8))
                printf '\\033P0;1;0q"1;1;%d;%d#0;2;0;0;0#0!%d~-\\033\\\\' $width $height $width
                """
            let (path, log) = try await PictureBench.chafa(in: folder, script)
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            let answers = PictureBench.answers("\u{1B}[?2;0;100;50S\u{1B}[?62;4c")
            let environment = ["TERM": "xterm-256color", "PATH": path]
            let painter = PicturePainter(
                PictureSupport(.sixel, environment, answers: answers, isTerminal: true), answers: answers,
                environment: environment, hasChafa: true
            ) { PictureWindow(cell: CellSize(width: 10, height: 20)) }
            let picture = try #require(try await painter.paint(file, in: box).picture)
            #expect(picture.columns <= 10 && picture.rows <= 3)
            // In cells of 8 by 8 pixels, which it takes them to have.
            let size = PictureBench.words(log).compactMap { $0.wholeMatch(of: /--size=(\d+)x(\d+)/) }
            let (wide, high) = try #require(size.first.map { (Int($0.output.1), Int($0.output.2)) })
            #expect(try (1...12).contains(#require(wide)) && (1...6).contains(#require(high)))
        }
    }

    @Test(arguments: [(500_000, "--dither=diffusion"), (500_001, "--dither=ordered")])
    func `large sixels are dithered in the way that takes no time`(pixels: Int, word: String) {
        #expect(Chafa.dithering(pixels: pixels).first == word)
    }

    @Test(arguments: [(4096, true), (4097, false)])
    func `what VS Code would drop for its size goes by sixels`(height: Int, goesAsItIs: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(
                in: folder, #"printf '\033Pq"1;1;200;200#0~-\033\\'"#)
            var png = Pictures.png(width: 1, height: 1)
            png.replaceSubrange(
                16..<24, with: [0, 0, 0x10, 0, 0, 0, UInt8(height >> 8), UInt8(height & 0xFF)])
            let file = try PictureBench.file(png, "a.png", in: folder)
            let painter = PictureBench.painter(
                answer: "\u{1B}P>|xterm.js(6.0.0)\u{1B}\\\u{1B}[?62;4c", path: path)
            let picture = try #require(try await painter.paint(file, in: box).picture)
            #expect(try await PictureBench.text(picture).contains("]1337") == goesAsItIs)
            #expect(PictureBench.words(log).first == (goesAsItIs ? nil : "--format=sixels"))
        }
    }

    @Test func `another idea of cells is learnt from the answer`() async throws {
        // Cells of 10×20 pixels: 240×240 for the first question.
        let script = """
            case " $* " in
            *--size=24x12*) printf '\\033Pq"1;1;240;240#0~-\\033\\\\' ;;
            *) printf '\\033Pq"1;1;190;96#0~-\\033\\\\' ;;
            esac
            """
        let run = try await paint(script, by: .sixel)
        #expect(run.words.filter { $0.hasPrefix("--size") } == ["--size=24x12", "--size=19x5"])
        let picture = try #require(run.outcome.picture)
        #expect(try await PictureBench.text(picture).contains("1;1;190;96"))
    }

    @Test func `pixels for kitty as they are, under our own keys`() async throws {
        // 16×8 in two sequences, each of which fills its base64 up.
        let half = Data(repeating: 7, count: 256).base64EncodedString()
        let payload = "\u{1B}_Gm=1;\(half)\u{1B}\\\u{1B}_Gm=1;\(half)\u{1B}\\\u{1B}_Gm=0\u{1B}\\"
        let script = """
            printf '\\033_Ga=T,f=32,s=16,v=8,c=2,r=1,m=1\\033\\\\'
            cat <<'end'
            \(payload)
            end
            """
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, script)
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            let painter = PictureBench.painter(.kitty, path: path, cell: CellSize(width: 8, height: 8))
            let box = PictureBox(columns: 2, rows: 2)
            for number in [1 << 24 | 255, 1 << 24 | 1] {
                let picture = try #require(try await painter.paint(file, in: box).picture)
                #expect(
                    try await PictureBench.text(picture)
                        == "\u{1B}7\u{1B}_Ga=T,f=32,s=16,v=8,i=\(number),c=2,r=1,C=1,q=2,m=0;"
                        + "\(Data(repeating: 7, count: 512).base64EncodedString())\u{1B}\\\u{1B}8")
            }
            // The second time the same pixels did.
            #expect(PictureBench.words(log).filter { $0 == "--format=kitty" }.count == 1)
        }
    }

    @Test func `transparent parts get the box's color where the terminal would choose`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, "echo x")
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            var box = box
            box.background = "1c1c1c"
            _ = try await PictureBench.painter(.symbols, path: path).paint(file, in: box)
            let words = PictureBench.words(log)
            #expect(words.contains("--bg=1c1c1c") && words.contains("--threshold=1"))
        }
    }

    @Test(arguments: [
        ("exit 2", PictureChoice.symbols), ("kill -SEGV $$", .symbols), ("", .symbols), ("echo x", .sixel),
        ("echo x", .kitty), (#"printf '\033Pq"1;1;9;9#0\033]0;x\007\033\\'"#, .sixel),
        (#"printf '\033_Ga=T,f=32,s=9,v=9;AAAA\033\\'"#, .kitty),
    ])
    func `what is no picture becomes words`(script: String, choice: PictureChoice) async throws {
        let run = try await paint(script, by: choice)
        #expect(run.outcome.words == ["chafa could not read the picture."])
    }

    @Test func `without it, one line says what to install`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            for choice in [PictureChoice.symbols, .sixel, .kitty] {
                let outcome = try await PictureBench.painter(choice, path: folder.path).paint(file, in: box)
                let sentence =
                    "To see pictures here, install chafa: apt install chafa, or brew install chafa."
                #expect(outcome.words == [sentence])
            }
        }
    }

    @Test func `cancelling ends it`() async throws {
        try await withTemporaryDirectory { folder in
            let fifo = folder.appending(path: "fifo").path
            #expect(mkfifo(fifo, 0o600) == 0)
            let (path, _) = try await PictureBench.chafa(in: folder, "echo $$ > '\(fifo)'; exec sleep 600")
            let file = try PictureBench.file(Pictures.jpeg(width: 16, height: 8), "a.jpg", in: folder)
            let painting = Task { try await PictureBench.painter(.symbols, path: path).paint(file, in: box) }
            // Opening waits for the script, which is under way then.
            let process = try #require(
                Int32(
                    try await PictureBench.line(of: fifo).trimmingCharacters(in: .whitespacesAndNewlines)))
            painting.cancel()
            await #expect(throws: CancellationError.self) { try await painting.value }
            // Reaped before the task ended, or a moment later by its own thread.
            while kill(process, 0) == 0 { try Task.checkCancellation() }
        }
    }
}

/// Of a helper's output, only what a picture is made of comes through.
struct ChafaOutputTests {
    private func symbols(_ text: String) -> [String] {
        ChafaOutput.symbols(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (
            "\u{1B}[0m\u{1B}[38;2;1;2;3;48;5;6m▘█ é漢\u{1B}[0m",
            "\u{1B}[0m\u{1B}[38;2;1;2;3;48;5;6m▘█ é漢\u{1B}[0m"
        ),
        // Moving, asking, setting, titles, clipboards, ends of strings: all out.
        ("a\u{1B}[2Jb\u{1B}[6nc\u{1B}[?25ld", "abcd"), ("a\u{1B}[>4;1mb\u{1B}[?4mc", "abc"),
        ("a\u{1B}cb\u{1B}7c", "abc"), ("a\u{7}\u{8}\u{9}\r\u{B}\u{C}\u{7F}b", "ab"),
        ("a\u{9B}2Jb\u{9D}c\u{85}\u{A0}d", "a2Jbc\u{A0}d"), ("a\u{1B}[5bb", "ab"), ("a\u{1B}", "a"),
        ("a\u{1B}[38;5", "a"), ("\u{1B}]0;t\u{7}x", "0;tx"), ("\u{1B}_Ga=T;AA\u{1B}\\", "Ga=T;AA"),
    ])
    func `symbols and colors pass, nothing else`(line: String, kept: String) {
        #expect(symbols(line) == [kept])
    }

    @Test func `lines are told apart, the last one's end is no line`() {
        #expect(symbols("a\nb\n") == ["a", "b"])
        #expect(symbols("a\n\nb") == ["a", "", "b"])
        #expect(symbols("") == [])
    }

    @Test(arguments: [
        "", "x", "\u{1B}Pq\u{1B}\\", "\u{1B}Pq#0~\u{1B}\\", "\u{1B}Pq\"1;1;0;6#0~\u{1B}\\",
        "\u{1B}Pq\"1;1;6;6#0~", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}Pq\"1;1;6;6\u{7}\u{1B}\\",
        "\u{1B}Pq\"1;1;6;6\u{1B}[2J\u{1B}\\", "\u{1B}Pq\"1;1;6;6é\u{1B}\\",
    ])
    func `sixels with anything else in them are none`(text: String) {
        #expect(ChafaOutput.sixels(Array(text.utf8)) == nil)
    }

    @Test func `what stands around sixels stays behind`() throws {
        let text = "\u{1B}[?25l\u{1B}[2J\u{1B}P0;1q\"1;1;9;12#0!9~-\n\u{1B}\\\u{1B}]0;x\u{7}"
        let sixels = try #require(ChafaOutput.sixels(Array(text.utf8)))
        #expect(String(decoding: sixels.sequence, as: UTF8.self) == "\u{1B}P0;1q\"1;1;9;12#0!9~-\n\u{1B}\\")
        #expect(sixels.width == 9 && sixels.height == 12)
    }

    @Test(arguments: [
        // width and height of the cells, registers → what comes out
        (12, 6, 256, "\"1;1;12;6#1;2;11;11;11#0;2;9;9;9#0!9~$#1!9?!3~-"),
        (9, 14, 256, "\"1;1;9;14#1;2;11;11;11#0;2;9;9;9#0!9~-#1!9~-#1!9B-"),
        (12, 8, 2, "\"1;1;12;8#1;2;11;11;11#0;2;9;9;9#0!9~$#1!9?!3~-#1!12B-"),
        // Nothing to fill, or no register for it.
        (9, 6, 256, "\"1;1;9;6#0;2;9;9;9#0!9~-"), (8, 8, 256, "\"1;1;9;6#0;2;9;9;9#0!9~-"),
        (12, 8, 1, "\"1;1;9;6#0;2;9;9;9#0!9~-"),
    ])
    func `the rest of the last cells has the theme's color`(
        width: Int, height: Int, registers: Int, body: String
    ) throws {
        let sixels = try #require(
            ChafaOutput.sixels(Array("\u{1B}P0;1;0q\"1;1;9;6#0;2;9;9;9#0!9~-\u{1B}\\".utf8)))
        let padded = sixels.padded(width: width, height: height, color: "1c1c1c", registers: registers)
        #expect(String(decoding: padded.sequence, as: UTF8.self) == "\u{1B}P0;1;0q\(body)\u{1B}\\")
        let unchanged = sixels.padded(width: width, height: height, color: nil, registers: registers)
        #expect(unchanged == sixels)
    }

    @Test(arguments: [
        "", "\u{1B}_G\u{1B}\\", "\u{1B}_Gs=1,v=1;AAAA\u{1B}\\", "\u{1B}_Gs=1,v=1;AAAAAA==",
        "\u{1B}_Gs=1,v=1,f=24;AAAAAA==\u{1B}\\", "\u{1B}_Gs=1,v=1,f=100;AAAAAA==\u{1B}\\",
        "\u{1B}_Gs=1,v=1,o=z;AAAAAA==\u{1B}\\",
        "\u{1B}_Gs=1,v=1,t=f;AAAAAA==\u{1B}\\", "\u{1B}_Gs=0,v=1;\u{1B}\\",
        "\u{1B}_Gs=-1,v=-1;AAAAAA==\u{1B}\\",
        "\u{1B}_Gs=4611686018427387904,v=4;\u{1B}\\", "\u{1B}_Gs=1,v=1;A\u{1B}[2J\u{1B}\\",
    ])
    func `pixels of another number or kind are none`(text: String) {
        #expect(ChafaOutput.kitty(Array(text.utf8)) == nil)
    }

    @Test func `pixels are taken out of their sequences, and nothing around them`() throws {
        let payload = "\u{1B}_Gm=1;AQIDBA==\u{1B}\\\u{1B}_Gm=0;BQYHCA==\u{1B}\\"
        let text = "x\u{1B}_Ga=T,f=32,s=2,v=1,m=1\u{1B}\\\(payload)\u{1B}[2Jy"
        let pixels = try #require(ChafaOutput.kitty(Array(text.utf8)))
        #expect(pixels == .init(width: 2, height: 1, bytes: Array(1...8)))
        let single = try #require(ChafaOutput.kitty(Array("\u{1B}_Gs=1,v=1;AQIDBA==\u{1B}\\".utf8)))
        #expect(single.bytes == Array(1...4))
    }

    @Test func `pixels without their opacities take three bytes each`() throws {
        let bytes = (0..<1100 * 4).map { UInt8(truncatingIfNeeded: $0 % 4 == 3 ? 255 : $0 / 4) }
        let text = "\u{1B}_Gf=32,s=1100,v=1;\(Data(bytes).base64EncodedString())\u{1B}\\"
        let pixels = try #require(ChafaOutput.kitty(Array(text.utf8)))
        let opaque = pixels.opaque
        #expect(opaque.keys == "f=24,s=1100,v=1" && opaque.opaque == opaque)
        #expect(opaque.bytes == (0..<1100 * 3).map { UInt8(truncatingIfNeeded: $0 / 3) })
    }

    @Test(arguments: [
        "\u{1B}_Gs=2,v=1,m=1\u{1B}\\\u{1B}_Gm=1;AQIDBA==\u{1B}\\\u{1B}[2J\u{1B}_Gm=0;BQYHCA==\u{1B}\\",
        "\u{1B}_Gs=1,v=1,m=1\u{1B}\\\u{1B}_Ga=d,m=0;AQIDBA==\u{1B}\\",
        "\u{1B}_Gs=1,v=1,m=1\u{1B}\\\u{1B}_Gm=1;AQIDBA==\u{1B}\\", "\u{1B}_Gs=1,v=1;AQID\u{7}A==\u{1B}\\",
        "\u{1B}_Gs=1,v=1;AQID\u{9C}A==\u{1B}\\",
    ])
    func `sequences with anything else in them are none`(text: String) {
        #expect(ChafaOutput.kitty(Array(text.utf8)) == nil)
    }
}

/// The real one, of whatever version is here.
@Suite(
    .fewAtOnce, .needs("chafa") { await PictureBench.has(.chafa) }, .timeLimit(.minutes(1))
)
struct PictureRealChafaTests {
    private let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    private func paint(_ data: Data, _ name: String, by choice: PictureChoice) async throws -> PaintedPicture
    {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(data, name, in: folder)
            let outcome = try await PictureBench.painter(choice, path: path)
                .paint(file, in: PictureBox(columns: 20, rows: 10))
            return try #require(outcome.picture, "\(outcome)")
        }
    }

    @Test(arguments: ["a.jpg", "a.png", "a.gif", "a.webp"])
    func `symbols fill their rows`(name: String) async throws {
        let data = [
            "a.jpg": Pictures.jpeg(width: 64, height: 32), "a.png": Pictures.png(width: 64, height: 32),
            "a.gif": Pictures.gif(width: 64, height: 32), "a.webp": Pictures.webp(width: 64, height: 32),
        ]
        let picture = try await paint(try #require(data[name]), name, by: .symbols)
        #expect(picture.columns == 20 && picture.rows == 5)
    }

    @Test func `sixels fit their box`() async throws {
        let picture = try await paint(Pictures.jpeg(width: 640, height: 320), "a.jpg", by: .sixel)
        let sixels = try #require(ChafaOutput.sixels(try await PictureBench.bytes(picture)))
        #expect((180...200).contains(sixels.width) && (80...100).contains(sixels.height))
    }

    @Test func `pixels for kitty are all there`() async throws {
        let picture = try await paint(Pictures.jpeg(width: 640, height: 320), "a.jpg", by: .kitty)
        let pixels = try #require(try await PictureBench.pixels(picture))
        #expect((192...208).contains(pixels.width) && (92...108).contains(pixels.height))
    }

    @Test func `what is transparent has the theme's color`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.webp(width: 64, height: 32), "a.webp", in: folder)
            let painter = PictureBench.painter(.kitty, path: path)
            for (background, color) in [("1c1c1c", 0x1C as UInt8), ("ffffff", 0xFF), ("1c1c1c", 0x1C)] {
                let box = PictureBox(columns: 20, rows: 10, background: background)
                let picture = try #require(try await painter.paint(file, in: box).picture)
                let pixels = try #require(try await PictureBench.pixels(picture))
                #expect(!pixels.hasOpacity && pixels.bytes.allSatisfy { $0 == color })
            }
        }
    }
}

import Foundation
import Testing

@testable import TerminalPictures
@testable import gallery

/// What `gallery doctor` makes of what it saw.
@Suite struct FindingTests {
    private func pictures(
        _ environment: [String: String], _ answer: String? = nil, tmux: String? = nil, hasChafa: Bool = true,
        manager: PackageManager? = .apt
    ) -> Finding? {
        var parser = TerminalParser()
        if let answer { parser.listen(to: answer.utf8) }
        let support = PictureSupport(
            .auto, environment, answers: answer == nil ? nil : parser.answers,
            tmux: tmux.flatMap { Tmux($0.utf8) },
            isTerminal: true)
        return TerminalFindings(support, environment, size: "", hasChafa: hasChafa, manager: manager).findings
            .first { $0.name == "pictures" }
    }

    private static let tmux = "/dev/pts/1\toff\tkitty 0.30\txterm-kitty\t\t8\t16\t0\t0\tbottom\ton\t1"

    @Test func `what pictures are shown as, why not better, and what mends that`() {
        let xterm = ["TERM": "xterm-256color"]
        let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.30.1)\u{1B}\\\u{1B}[?62;c"
        let plain = "\u{1B}[?1;2c"
        #expect(pictures(xterm, kitty)?.text == "kitty")
        #expect(pictures(xterm, kitty)?.status == .ok)
        #expect(pictures(xterm, kitty, hasChafa: false)?.help == "apt install chafa")
        #expect(
            pictures(xterm, plain)?.text == "symbols: colored characters; the terminal told of nothing better"
        )
        #expect(pictures(xterm, plain, hasChafa: false, manager: .pacman)?.help == "pacman -S chafa")
        #expect(pictures(xterm, plain, hasChafa: false, manager: nil)?.help == "Install chafa.")
        #expect(pictures(xterm.merging(["NO_COLOR": "1"]) { $1 })?.help == "gallery browse --picture symbols")
        #expect(pictures(["TERM": "dumb"])?.status == .note)
        let inside = pictures(
            ["TERM": "tmux-256color", "TMUX": "x"], "\u{1B}P>|tmux 3.3a\u{1B}\\\(plain)", tmux: Self.tmux)
        #expect(inside?.help == "tmux set -g allow-passthrough on")
        let passed = Self.tmux.replacing("\toff\t", with: "\ton\t")
        let through = pictures(
            ["TERM": "tmux-256color", "TMUX": "x"], "\u{1B}P>|tmux 3.3a\u{1B}\\\(plain)", tmux: passed)
        #expect(through?.text == "kitty" && through?.help == nil)
    }

    @Test func `one program of several is enough, and the package of this system mends none`() {
        let programs = [
            HelperProgram(names: ["vipsthumbnail"], product: "vips", beginnings: ["vips"]),
            HelperProgram(names: ["ffmpeg"], product: "ffmpeg", beginnings: ["ffmpeg version"]),
        ]
        let converters = HelperPrograms(
            programs: programs, use: "sizes", package: "libvips", packages: [.apt: "libvips-tools"])
        func findings(_ path: String, _ said: String, _ ending: ProcessRun.Ending = .status(0)) -> [Finding] {
            let outcome = ProcessRun.Outcome(ending: ending, output: Array(said.utf8))
            let candidate = HelperPrograms.Candidate(
                program: programs[1], path: path, introduction: HelperIntroduction(outcome))
            return converters.findings([candidate], .apt)
        }
        #expect(
            findings("/usr/bin/ffmpeg", "ffmpeg version 5\nbuilt") == [
                Finding(.programs, "ffmpeg", "ffmpeg version 5; /usr/bin/ffmpeg")
            ])
        for (path, said, ending, text) in [
            ("/x/ffmpeg", "nonsense", ProcessRun.Ending.status(0), "/x/ffmpeg is not ffmpeg"),
            ("/x/ffmpeg", "ffmpeg version 5", .status(1), "/x/ffmpeg is not ffmpeg"),
            ("/x/ffmpeg", "", .status(127), "/x/ffmpeg does not run"),
            ("/x/ffmpeg", "ffmpeg version 5", .timedOut, "/x/ffmpeg does not run"),
            ("/x/ffmpeg", "", .notStarted(ENOEXEC), "/x/ffmpeg does not run"),
        ] {
            let found = findings(path, said, ending)
            #expect(found.map(\.text) == [text, "not installed; needed for sizes"])
            #expect(found.last?.help == "apt install libvips-tools")
        }
        for (manager, help) in [
            (PackageManager.apt, "apt install libvips-tools"), (.brew, "brew install libvips"),
            (nil, "Install vipsthumbnail."),
        ] {
            let none = converters.findings([], manager)
            #expect(none.map(\.help) == [help] && none.map(\.status) == [.note])
        }
    }

    @Test func `the table of programs has those that are run`() {
        let names = HelperPrograms.all.flatMap(\.programs).flatMap(\.names)
        for name in [
            "chafa", "vipsthumbnail", "magick", "ffmpeg", "rsvg-convert", "chromium",
            Desktop.opener.names[0],
        ] {
            #expect(names.contains(name))
        }
    }

    @Test(
        arguments: [
            (
                FolderCondition(exists: true, isWritable: true, free: 5_000_000_000), Finding.Status.ok,
                "~/x, 5 GB free", nil
            ),
            (FolderCondition(exists: false, isWritable: true), .ok, "~/x (not there yet)", nil),
            (
                FolderCondition(exists: true, isWritable: false), .broken, "~/x cannot be written",
                "chmod u+rwx"
            ),
            (
                FolderCondition(exists: false, isWritable: false), .broken,
                "~/x is not there and cannot be made",
                "mkdir -p"
            ),
            (
                FolderCondition(exists: true, isWritable: true, isOpenToOthers: true), .note,
                "~/x: others may write there", "chmod o-w"
            ),
            (
                FolderCondition(exists: true, isWritable: true, free: 5_000_000), .note,
                "~/x: only 5 MB free on its disk", nil
            ),
        ] as [(FolderCondition, Finding.Status, String, String?)])
    func `a folder is fit for use, or what is wrong with it`(
        facts: FolderCondition, status: Finding.Status, text: String, help: String?
    ) {
        let finding = facts.finding("cache", shown: "~/x")
        #expect(finding.status == status && finding.text == text)
        #expect((finding.help == nil) == (help == nil) && (finding.help ?? "").hasPrefix(help ?? ""))
    }

    @Test(arguments: [("~/a b", "~/\"a b\""), ("~/x", "~/x"), ("/a b", "\"/a b\""), ("~", "~")])
    func `a path can be pasted into a shell`(path: String, word: String) {
        #expect(path.shellPath == word)
    }

    @Test func `findings stand under their topics, and nothing that a terminal obeys is in them`() {
        let lines = [
            Finding(.programs, "cha\u{1B}fa", .note, "no\u{7}t there\n", help: "apt\u{9B}"),
            Finding(.gallery, "version", "0.1.0"),
        ].lines
        #expect(
            lines == [
                "Gallery", "  ok      version  0.1.0", "Programs", "  note    chafa    not there",
                "          Help: apt",
            ])
    }
}

/// Keys typed into a line that is not shown.
@Suite struct HiddenInputTests {
    @Test(arguments: [
        ("abc\r", HiddenInput.Ending.line("abc")), ("abc\n", .line("abc")), ("é\u{7F}a\n", .line("a")),
        ("ab\u{8}c\n", .line("ac")), ("a b\u{17}c\n", .line("c")), ("x\u{15}\u{7F}c\u{4}", .line("c")),
        ("\u{4}", .cancelled), ("abc\u{3}", .cancelled), ("\u{1C}", .cancelled),
    ])
    func `a line is edited, ended, or given up`(keys: String, ending: HiddenInput.Ending) {
        var input = HiddenInput()
        let steps = keys.utf8.map { input.take($0) }
        #expect(steps.last == .end(ending) && steps.dropLast().allSatisfy { $0 == .more })
    }

    @Test func `Ctrl-Z stops, and a book that is pasted takes no memory`() {
        var input = HiddenInput()
        #expect(input.take(0x1A) == .stop)
        for _ in 0..<100_000 { _ = input.take(0x61) }
        guard case .end(.line(let line)) = input.take(0x0A) else { return #expect(Bool(false), "no line") }
        #expect(line.utf8.count == HiddenInput.limit + 1)
    }
}

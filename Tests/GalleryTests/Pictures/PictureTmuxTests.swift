import Testing

@testable import gallery

struct PictureTmuxTests {
    private static func answer(
        passes: String = "on", type: String = "", term: String = "xterm-256color",
        features: String = "256,RGB",
        position: String = "bottom", status: String = "on"
    ) -> String {
        "/dev/pts/5\t\(passes)\t\(type)\t\(term)\t\(features)\t10\t20\t3\t40\t\(position)\t\(status)\n"
    }

    @Test func `an answer is read`() throws {
        let tmux = try #require(PictureTmux(Self.answer(type: "WezTerm 20240203").utf8))
        #expect(tmux.terminal == "/dev/pts/5")
        #expect(tmux.passesThrough)
        #expect(tmux.outerVersion == "WezTerm 20240203")
        #expect(tmux.cell == PictureCell(width: 10, height: 20))
        #expect([tmux.top, tmux.left] == [3, 40])
    }

    @Test(arguments: [("top", "on", 4), ("top", "2", 5), ("top", "off", 3), ("bottom", "3", 3)])
    func `status lines above push panes down`(position: String, status: String, top: Int) throws {
        let tmux = try #require(PictureTmux(Self.answer(position: position, status: status).utf8))
        #expect(tmux.top == top)
    }

    // 3.3 answers with numbers, 3.4 with words; before 3.3 there was no such option.
    @Test(arguments: [
        ("0", false), ("off", false), ("1", true), ("on", true), ("all", true), ("", true),
    ])
    func `whether sequences are handed on`(word: String, passes: Bool) throws {
        #expect(try #require(PictureTmux(Self.answer(passes: word).utf8)).passesThrough == passes)
    }

    @Test(arguments: ["", "\n", "no server running\n", "a\tb\n", String(repeating: "\t", count: 10)])
    func `what is no answer is none`(text: String) {
        #expect(PictureTmux(text.utf8) == nil)
    }

    struct Inside: CustomTestStringConvertible, Sendable {
        let outer: String
        var term = "xterm-256color"
        var passes = "on"
        var features = ""
        var attributes = "1;2"
        let shows: TerminalPictureSupport.Method
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
        let tmux = PictureTmux(
            Self.answer(
                passes: inside.passes, type: inside.outer, term: inside.term, features: inside.features
            ).utf8)
        let support = TerminalPictureSupport(
            .auto, ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
            answers: PictureSupportTests.answers("\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?\(inside.attributes)c"),
            tmux: tmux, isTerminal: true)
        #expect(support.method == inside.shows)
        #expect(support.isInTmux)
    }

    @Test func `what tmux would swallow is refused with what to do`() {
        let tmux = PictureTmux(Self.answer(passes: "off", type: "kitty(0.31.0)").utf8)
        let support = TerminalPictureSupport(
            .kitty, ["TERM": "tmux-256color", "TMUX": "x"], answers: nil, tmux: tmux, isTerminal: true)
        let sentence =
            "This multiplexer keeps pictures to itself; in tmux, run 'tmux set -p allow-passthrough on'."
        #expect(support.method == .none(because: sentence))
    }

    @Test func `escapes are doubled`() {
        #expect(
            PictureTmux.wrapped("\u{1B}_Gm=0;AA\u{1B}\\".utf8)
                == Array("\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;AA\u{1B}\u{1B}\\\u{1B}\\".utf8))
    }
}

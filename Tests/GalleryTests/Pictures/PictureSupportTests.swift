import GalleryCore
import Testing

@testable import gallery

/// Real terminals: what they set, what they answered, and what is shown on them.
///
/// The answers of 2023 to 2026 are from ucs-detect's records (github.com/jquast/ucs-detect, `data`), the tmux
/// ones from tmux 3.3a, the others from the programs' own documents.
struct PictureSupportTests {
    struct Terminal: CustomTestStringConvertible, Sendable {
        let name: String
        var set: [String: String] = ["TERM": "xterm-256color"]
        /// `nil` for one that does not answer.
        var answer: String?
        let shows: TerminalPictureSupport.Method

        var testDescription: String { name }
    }

    private static let ok = "\u{1B}_Gi=31;OK\u{1B}\\"

    private static func version(_ text: String) -> String { "\u{1B}P>|\(text)\u{1B}\\" }

    private static let talking: [Terminal] = [
        .init(
            name: "kitty 0.43.1", set: ["TERM": "xterm-kitty"],
            answer: ok + version("kitty(0.43.1)") + "\u{1B}[6;20;10t\u{1B}[?62;52;c", shows: .kitty),
        .init(
            name: "kitty 0.26.5", set: ["TERM": "xterm-kitty"], answer: ok + "\u{1B}[?62;c", shows: .kitty),
        .init(
            name: "ghostty 1.2.3", set: ["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"],
            answer: ok + version("ghostty 1.2.3") + "\u{1B}[6;38;18t\u{1B}[?62;22;52c", shows: .kitty),
        .init(
            name: "iTerm2 3.6.10", set: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
            answer: ok + version("iTerm2 3.6.10") + "\u{1B}[?64;1;2;4;6;17;18;21;22;52c", shows: .iterm),
        .init(
            name: "iTerm2 3.3, which does not tell its name",
            set: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], answer: "\u{1B}[?62;4c",
            shows: .iterm),
        .init(
            name: "iTerm2 through ssh", set: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"],
            answer: "\u{1B}[?62;4c", shows: .iterm),
        .init(
            name: "WezTerm 20240203",
            answer: ok + version("WezTerm 20240203-110809-5046fc22")
                + "\u{1B}[6;20;10t\u{1B}[?65;4;6;18;22c", shows: .iterm),
        .init(
            name: "Konsole 26.04.1", answer: ok + version("Konsole 26.04.1") + "\u{1B}[?62;1;4c",
            shows: .iterm),
        .init(
            name: "Konsole 21.12.3, before it knew pictures",
            answer: version("Konsole 21.12.3")
                + "\u{1B}[?62;1;4c", shows: .sixel),
        .init(
            name: "mintty 3.7.0", set: ["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"],
            answer: version("mintty 3.7.0") + "\u{1B}[?64;1;2;4;6;9;15;21;22;28;29c", shows: .iterm),
        .init(
            name: "VS Code 1.105.1", set: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
            answer: "\u{1B}[6;21;8t\u{1B}[?1;2c", shows: .symbols),
        .init(
            name: "VS Code with pictures on", set: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
            answer: "\u{1B}[6;21;8t\u{1B}[?62;4;9;22c", shows: .iterm),
        .init(
            name: "xterm.js that tells its name", answer: version("xterm.js(6.0.0)") + "\u{1B}[?62;4;9;22c",
            shows: .iterm),
        .init(
            name: "foot 1.16.2", set: ["TERM": "foot"],
            answer: version("foot(1.16.2)") + "\u{1B}[6;19;9t\u{1B}[?62;4;22c", shows: .sixel),
        .init(
            name: "contour 0.6.1", set: ["TERM": "contour"],
            answer: version("contour 0.6.1.7494") + "\u{1B}[?65;1;2;4;7;8;9;15;18;21;22;28;29c", shows: .sixel
        ),
        .init(
            name: "mlterm 3.9.3", set: ["TERM": "mlterm"], answer: "\u{1B}[?63;1;2;3;4;7;29c", shows: .sixel),
        .init(
            name: "xterm 390 as VT340", set: ["TERM": "xterm"],
            answer: version("XTerm(390)") + "\u{1B}[6;13;6t\u{1B}[?63;1;2;4;6;9;15;16;22;28;29c",
            shows: .sixel),
        .init(
            name: "Windows Terminal 1.22", answer: "\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42;52c",
            shows: .sixel),
        .init(
            name: "xterm 390", set: ["TERM": "xterm"],
            answer: version("XTerm(390)") + "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c", shows: .symbols),
        .init(
            name: "GNOME Terminal 3.52", answer: version("VTE(7600)") + "\u{1B}[?65;1;9c", shows: .symbols),
        .init(
            name: "Alacritty 0.13.2", set: ["TERM": "alacritty"], answer: "\u{1B}[?6c", shows: .symbols),
        .init(name: "Windows Terminal 1.19", answer: "\u{1B}[?61;6;7;21;22;23;24;28;32;42c", shows: .symbols),
        // 4 alone is the class VT132, and 14, 24, 42 and 47 are other abilities.
        .init(name: "a VT132", set: ["TERM": "vt132"], answer: "\u{1B}[?4;6c", shows: .symbols),
        .init(name: "almost sixel", answer: "\u{1B}[?62;14;24;42;47c", shows: .symbols),
        .init(
            name: "a graphics error", answer: "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62c", shows: .symbols
        ),
        .init(
            name: "Zellij in WezTerm",
            set: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "ZELLIJ": "0"],
            answer: version("Zellij(0.40.1)") + "\u{1B}[?62;4c", shows: .sixel),
        .init(
            name: "xterm started from kitty", set: ["TERM": "xterm", "KITTY_WINDOW_ID": "1"],
            answer: version("XTerm(390)") + "\u{1B}[?64;1;2c", shows: .symbols),
        .init(
            name: "Alacritty started from WezTerm", set: ["TERM": "alacritty", "TERM_PROGRAM": "WezTerm"],
            answer: "\u{1B}[?6c", shows: .symbols),
        .init(
            name: "GNOME Terminal started from tmux", set: ["TERM": "xterm-256color", "TMUX": "/tmp/x,1,0"],
            answer: version("VTE(7600)") + "\u{1B}[?65;1;4;9c", shows: .sixel),
        .init(
            name: "screen", set: ["TERM": "screen.xterm-256color", "STY": "1.pts-0.host"],
            answer: "\u{1B}[?1;2c", shows: .symbols),
        .init(
            name: "screen that answers for sixel", set: ["TERM": "screen-256color", "STY": "1.pts-0.host"],
            answer: "\u{1B}[?62;4c", shows: .symbols),
        .init(
            name: "tmux through ssh", set: ["TERM": "tmux-256color"],
            answer: version("tmux 3.4") + "\u{1B}[?1;2;4c", shows: .symbols),
    ]

    private static let silent: [Terminal] = [
        .init(name: "silent", shows: .symbols),
        .init(name: "silent kitty", set: ["TERM": "xterm-kitty"], shows: .kitty),
        .init(name: "silent ghostty", set: ["TERM": "xterm-ghostty"], shows: .kitty),
        .init(name: "silent iTerm2", set: ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"], shows: .iterm),
        .init(name: "silent WezTerm", set: ["TERM": "xterm", "TERM_PROGRAM": "WezTerm"], shows: .iterm),
        .init(name: "silent mintty", set: ["TERM": "xterm", "TERM_PROGRAM": "mintty"], shows: .iterm),
        .init(name: "silent Konsole", set: ["TERM": "xterm", "KONSOLE_VERSION": "230801"], shows: .iterm),
        .init(
            name: "silent old Konsole", set: ["TERM": "xterm", "KONSOLE_VERSION": "211203"], shows: .symbols),
        .init(name: "silent VS Code", set: ["TERM": "xterm", "TERM_PROGRAM": "vscode"], shows: .symbols),
        .init(name: "silent foot", set: ["TERM": "foot"], shows: .sixel),
        .init(name: "the Linux console", set: ["TERM": "linux"], shows: .symbols),
        .init(name: "dumb", set: ["TERM": "dumb"], shows: .none(because: dumb)),
        .init(name: "nothing", set: [:], shows: .none(because: dumb)),
        .init(
            name: "NO_COLOR", set: ["TERM": "xterm-kitty", "NO_COLOR": "1"],
            shows: .none(because: "No pictures, as the variable NO_COLOR asks.")),
        // https://no-color.org: only where it is not empty.
        .init(name: "empty NO_COLOR", set: ["TERM": "xterm-kitty", "NO_COLOR": ""], shows: .kitty),
    ]

    private static let dumb = "No pictures: the variable TERM names no terminal that shows them."

    static func answers(_ text: String?) -> TerminalAnswers? {
        text.map { text in
            var answers = TerminalAnswers()
            answers.take(text.utf8)
            return answers
        }
    }

    @Test(arguments: talking + silent)
    func `a terminal is known by what it answers, else by what it sets`(terminal: Terminal) {
        let support = TerminalPictureSupport(
            .auto, terminal.set, answers: Self.answers(terminal.answer), isTerminal: true)
        #expect(support.method == terminal.shows)
    }

    @Test(arguments: PictureChoice.allCases)
    func `nothing but text goes to a pipe, whatever is asked for`(choice: PictureChoice) {
        let support = TerminalPictureSupport(
            choice, ["TERM": "xterm-kitty"], answers: nil, isTerminal: false)
        #expect(support.method == .none(because: "Pictures are shown on a terminal only."))
    }

    @Test(arguments: [
        (PictureChoice.kitty, TerminalPictureSupport.Method.kitty), (.iterm, .iterm), (.sixel, .sixel),
        (.symbols, .symbols), (.none, .none(because: nil)),
    ])
    func `a way named by hand is taken, even without colours`(
        choice: PictureChoice, method: TerminalPictureSupport.Method
    ) {
        for set in [["TERM": "xterm"], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]] {
            let support = TerminalPictureSupport(choice, set, answers: nil, isTerminal: true)
            #expect(support.method == method)
        }
    }

    @Test func `what iTerm2's protocol cannot show goes another way`() {
        func support(_ answer: String) -> TerminalPictureSupport {
            TerminalPictureSupport(
                .auto, ["TERM": "xterm"], answers: Self.answers(answer), isTerminal: true)
        }
        let konsole = support(Self.version("Konsole 26.04.1") + "\u{1B}[?62;1;4c")
        #expect(konsole.shows(.jpeg) && konsole.shows(.gif) && !konsole.shows(.webp) && !konsole.shows(.avif))
        #expect(konsole.secondMethod == .sixel)
        let wezTerm = support(Self.version("WezTerm 20240203") + "\u{1B}[?65;6;18;22c")
        #expect(wezTerm.shows(.webp) && !wezTerm.shows(.avif))
        #expect(wezTerm.secondMethod == .symbols)
        #expect(support(Self.version("iTerm2 3.6.10") + "\u{1B}[?64;4c").shows(.avif))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], PictureColors.many),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
        (["TERM": "xterm", "COLORTERM": "24bit"], .full), (["TERM": "xterm-direct"], .full),
        (["TERM": "xterm"], .few), (["TERM": "linux"], .few), (["TERM": "vt220"], .none),
    ])
    func `symbols have the colours there are`(set: [String: String], colors: PictureColors) {
        let support = TerminalPictureSupport(.auto, set, answers: nil, isTerminal: true)
        #expect(support.colors == colors)
    }
}

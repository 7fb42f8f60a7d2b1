import Basics
import PictureFiles
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// Real terminals: what they set, what they answered, and what is shown on them.
///
/// The answers of 2023 to 2026 are from ucs-detect's records (github.com/jquast/ucs-detect, `data`), the tmux
/// ones from tmux 3.3a, the others from the programs' own documents.
struct PictureSupportTests {
    struct Terminal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let set: [String: String]
        /// The bytes; `nil` for one that does not answer.
        let answer: String?
        let shows: PictureSupport.Method

        /// - Parameter set: the variables, apart by spaces.
        init(
            _ name: String, _ set: String = "TERM=xterm-256color", says answers: String? = nil,
            _ shows: PictureSupport.Method
        ) {
            testDescription = name
            let pairs = set.split(separator: " ").map {
                $0.split(separator: "=", omittingEmptySubsequences: false)
            }
            self.set = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
            answer = answers.map(PictureSupportTests.bytes)
            self.shows = shows
        }
    }

    /// The bytes of answers that are written one by one, without what begins and ends each: `Gi=31;OK` of
    /// kitty's graphics, `>foot(1.16.2)` a name, `6;20;10t` the size of a cell, `?62;4c` what is known.
    private static func bytes(_ answers: String) -> String {
        answers.split(separator: " | ").map { answer in
            switch answer.first {
            case "G": "\u{1B}_\(answer)\u{1B}\\"
            case ">": "\u{1B}P>|\(answer.dropFirst())\u{1B}\\"
            default: "\u{1B}[\(answer)"
            }
        }.joined()
    }

    private static let talking: [Terminal] = [
        .init(
            "kitty 0.43.1", "TERM=xterm-kitty", says: "Gi=31;OK | >kitty(0.43.1) | 6;20;10t | ?62;52;c",
            .kitty),
        .init("kitty 0.26.5", "TERM=xterm-kitty", says: "Gi=31;OK | ?62;c", .kitty),
        .init(
            "ghostty 1.2.3", "TERM=xterm-ghostty TERM_PROGRAM=ghostty",
            says: "Gi=31;OK | >ghostty 1.2.3 | 6;38;18t | ?62;22;52c", .kitty),
        .init(
            "iTerm2 3.6.10", "TERM=xterm-256color TERM_PROGRAM=iTerm.app",
            says: "Gi=31;OK | >iTerm2 3.6.10 | ?64;1;2;4;6;17;18;21;22;52c", .iterm),
        .init(
            "iTerm2 3.3, which does not tell its name", "TERM=xterm-256color TERM_PROGRAM=iTerm.app",
            says: "?62;4c", .iterm),
        .init("iTerm2 through ssh", "TERM=xterm-256color LC_TERMINAL=iTerm2", says: "?62;4c", .iterm),
        .init(
            "WezTerm 20240203",
            says: "Gi=31;OK | >WezTerm 20240203-110809-5046fc22 | 6;20;10t | ?65;4;6;18;22c", .iterm),
        .init("Konsole 26.04.1", says: "Gi=31;OK | >Konsole 26.04.1 | ?62;1;4c", .kitty),
        .init("Konsole 21.12.3, before it knew pictures", says: ">Konsole 21.12.3 | ?62;1;4c", .sixel),
        .init(
            "mintty 3.7.0", "TERM=xterm-256color TERM_PROGRAM=mintty",
            says: ">mintty 3.7.0 | ?64;1;2;4;6;9;15;21;22;28;29c", .iterm),
        .init(
            "VS Code 1.105.1", "TERM=xterm-256color TERM_PROGRAM=vscode", says: "6;21;8t | ?1;2c", .symbols),
        .init(
            "VS Code with pictures on", "TERM=xterm-256color TERM_PROGRAM=vscode",
            says: "6;21;8t | ?62;4;9;22c", .iterm),
        .init("xterm.js that tells its name", says: ">xterm.js(6.0.0) | ?62;4;9;22c", .iterm),
        .init("foot 1.16.2", "TERM=foot", says: ">foot(1.16.2) | 6;19;9t | ?62;4;22c", .sixel),
        .init(
            "contour 0.6.1", "TERM=contour", says: ">contour 0.6.1.7494 | ?65;1;2;4;7;8;9;15;18;21;22;28;29c",
            .sixel),
        .init("mlterm 3.9.3", "TERM=mlterm", says: "?63;1;2;3;4;7;29c", .sixel),
        .init(
            "xterm 390 as VT340", "TERM=xterm", says: ">XTerm(390) | 6;13;6t | ?63;1;2;4;6;9;15;16;22;28;29c",
            .sixel),
        .init("Windows Terminal 1.22", says: "?61;4;6;7;14;21;22;23;24;28;32;42;52c", .sixel),
        .init("xterm 390", "TERM=xterm", says: ">XTerm(390) | ?64;1;2;6;9;15;16;17;18;21;22;28c", .symbols),
        .init("GNOME Terminal 3.52", says: ">VTE(7600) | ?65;1;9c", .symbols),
        .init("Alacritty 0.13.2", "TERM=alacritty", says: "?6c", .symbols),
        .init("Windows Terminal 1.19", says: "?61;6;7;21;22;23;24;28;32;42c", .symbols),
        // 4 alone is the class VT132, and 14, 24, 42 and 47 are other abilities.
        .init("a VT132", "TERM=vt132", says: "?4;6c", .symbols),
        .init("almost sixel", says: "?62;14;24;42;47c", .symbols),
        .init("a graphics error", says: "Gi=31;ENOTSUPPORTED | ?62c", .symbols),
        .init(
            "Zellij in WezTerm", "TERM=xterm-256color TERM_PROGRAM=WezTerm ZELLIJ=0",
            says: ">Zellij(0.40.1) | ?62;4c", .sixel),
        .init(
            "xterm started from kitty", "TERM=xterm KITTY_WINDOW_ID=1", says: ">XTerm(390) | ?64;1;2c",
            .symbols),
        .init("Alacritty started from WezTerm", "TERM=alacritty TERM_PROGRAM=WezTerm", says: "?6c", .symbols),
        .init(
            "GNOME Terminal started from tmux", "TERM=xterm-256color TMUX=/tmp/x,1,0",
            says: ">VTE(7600) | ?65;1;4;9c", .sixel),
        .init("screen", "TERM=screen.xterm-256color STY=1.pts-0.host", says: "?1;2c", .symbols),
        .init(
            "screen that answers for sixel", "TERM=screen-256color STY=1.pts-0.host", says: "?62;4c", .symbols
        ),
        .init("tmux through ssh", "TERM=tmux-256color", says: ">tmux 3.4 | ?1;2;4c", .symbols),
    ]

    private static let silent: [Terminal] = [
        .init("silent", "TERM=xterm-256color", .symbols),
        .init("silent kitty", "TERM=xterm-kitty", .kitty),
        .init("silent ghostty", "TERM=xterm-ghostty", .kitty),
        .init("silent iTerm2", "TERM=xterm TERM_PROGRAM=iTerm.app", .iterm),
        .init("silent WezTerm", "TERM=xterm TERM_PROGRAM=WezTerm", .iterm),
        .init("silent mintty", "TERM=xterm TERM_PROGRAM=mintty", .iterm),
        .init("silent Konsole", "TERM=xterm KONSOLE_VERSION=230801", .kitty),
        .init("silent old Konsole", "TERM=xterm KONSOLE_VERSION=211203", .symbols),
        .init("silent VS Code", "TERM=xterm TERM_PROGRAM=vscode", .symbols),
        .init("silent foot", "TERM=foot", .sixel),
        .init("the Linux console", "TERM=linux", .symbols),
        .init("dumb", "TERM=dumb", .none(because: dumb)),
        .init("nothing", "", .none(because: dumb)),
        .init(
            "NO_COLOR", "TERM=xterm-kitty NO_COLOR=1",
            .none(because: "No pictures, because NO_COLOR is set.")),
        // https://no-color.org: only where it is not empty.
        .init("empty NO_COLOR", "TERM=xterm-kitty NO_COLOR=", .kitty),
    ]

    private static let dumb = "No pictures: TERM does not name a terminal that can show them."

    @Test(arguments: talking + silent)
    func `a terminal is known by what it answers, else by what it sets`(terminal: Terminal) {
        let support = PictureSupport(
            .auto, terminal.set, answers: PictureBench.answers(terminal.answer), isTerminal: true)
        #expect(support.method == terminal.shows)
    }

    @Test(arguments: PictureChoice.allCases)
    func `nothing but text goes to a pipe, whatever is asked for`(choice: PictureChoice) {
        let support = PictureSupport(
            choice, ["TERM": "xterm-kitty"], answers: nil, isTerminal: false)
        #expect(support.method == .none(because: "Pictures are only shown on a terminal."))
    }

    @Test(arguments: [
        (PictureChoice.kitty, PictureSupport.Method.kitty), (.iterm, .iterm), (.sixel, .sixel),
        (.symbols, .symbols), (.none, .none(because: nil)),
    ])
    func `a way named by hand is taken, even without colors`(
        choice: PictureChoice, method: PictureSupport.Method
    ) {
        for set in [["TERM": "xterm"], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]] {
            let support = PictureSupport(choice, set, answers: nil, isTerminal: true)
            #expect(support.method == method)
        }
    }

    @Test func `what iTerm2's protocol cannot show goes another way`() {
        func support(_ answer: String) -> PictureSupport {
            PictureSupport(
                .auto, ["TERM": "xterm"], answers: PictureBench.answers(Self.bytes(answer)), isTerminal: true)
        }
        let mintty = support(">mintty 3.7.0 | ?64;1;2;4c")
        #expect([.jpeg, .png, .gif].allSatisfy(mintty.program.readsFile))
        #expect(!mintty.program.readsFile(of: .webp) && !mintty.program.readsFile(of: .avif))
        #expect(mintty.fallback == .sixel)
        let wezTerm = support(">WezTerm 20240203 | ?65;6;18;22c")
        #expect(wezTerm.program.readsFile(of: .webp) && !wezTerm.program.readsFile(of: .avif))
        #expect(wezTerm.fallback == .symbols)
        #expect(support(">iTerm2 3.6.10 | ?64;4c").program.readsFile(of: .avif))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], PictureColors.many),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
        (["TERM": "xterm", "COLORTERM": "24bit"], .full), (["TERM": "xterm-direct"], .full),
        (["TERM": "xterm"], .few), (["TERM": "linux"], .few), (["TERM": "vt220"], .none),
        // Variables of the terminal around GNU screen, or before a change of TERM.
        (["TERM": "screen", "STY": "1.a", "COLORTERM": "truecolor"], .many),
        (["TERM": "screen.xterm-256color", "STY": "1.a", "COLORTERM": "truecolor"], .many),
        (["TERM": "vt100", "COLORTERM": "truecolor"], .none),
    ])
    func `symbols have the colors there are`(set: [String: String], colors: PictureColors) {
        let support = PictureSupport(.auto, set, answers: nil, isTerminal: true)
        #expect(support.colors == colors)
    }

    @Test(arguments: [
        (">XTerm(379) | ?64;1;2;6;9;15;16;17;18;21;22;28c", PictureColors.many), ("?62;22c", .many),
        ("?1;2c", .few),
    ])
    func `TERM=xterm has 256 colors where the terminal promises more than that name`(
        answer: String, colors: PictureColors
    ) {
        let support = PictureSupport(
            .auto, ["TERM": "xterm"], answers: PictureBench.answers(Self.bytes(answer)), isTerminal: true)
        #expect(support.colors == colors)
    }

    @Test func `a terminal that says it has colors has them, whatever TERM says`() {
        let answers = PictureBench.answers(Self.bytes("?62;22c"))
        let support = PictureSupport(.auto, ["TERM": "vt100"], answers: answers, isTerminal: true)
        #expect(support.colors == .many)
    }

    @Test func `the limits of sixels are read, and a refusal is not one`() {
        let answers = PictureBench.answers(Self.bytes("?1;0;256S | ?2;0;1000;874S | ?63;4c"))
        #expect(answers?.sixelRegisters == 256)
        #expect(answers?.sixelLimit == PixelSize(width: 1000, height: 874))
        let refusal = PictureBench.answers(Self.bytes("?1;3;0S | ?2;3;0S | ?62;4c"))
        #expect(refusal?.sixelRegisters == nil && refusal?.sixelLimit == nil)
    }

    @Test(arguments: [
        // reported, window then, window now → limit
        ([1000, 874], [1400, 874], [1400, 874], [1000, 874]),
        ([1000, 874], [1400, 874], [1400, 1200], [1000, 1000]),
        ([400, 300], [400, 300], [1400, 900], [1000, 900]),
        ([4096, 4096], [1400, 900], [1400, 900], [4096, 4096]),
        ([1000, 874], [1400, 874], [600, 400], [1000, 874]),
    ])
    func `a limit that was the window's says nothing about a larger window`(
        reported: [Int], before: [Int], now: [Int], limit: [Int]
    ) throws {
        func size(_ sides: [Int]) throws -> PixelSize {
            try #require(PixelSize(width: sides[0], height: sides[1]))
        }
        let found = SixelLimit.size(
            reported: try size(reported), before: try size(before), now: try size(now))
        #expect(try found == size(limit))
    }
}

extension PictureSupport.Method {
    static let iterm = Self.shown(.iterm)
    static let kitty = Self.shown(.kitty)
    static let sixel = Self.shown(.sixel)
    static let symbols = Self.shown(.symbols)
}

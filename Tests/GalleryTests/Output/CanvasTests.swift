import Testing

@testable import TerminalPictures
@testable import gallery

struct CanvasTests {
    /// What lines of these widths write after others of ten and of fifty columns in a window of fifty.
    private func written(_ widths: [Int], columns: Int, reflows: Bool = true) throws -> String {
        let pipe = try #require(ProcessPipe())
        let canvas = Canvas(Terminal(output: pipe.write, messages: pipe.write), reflows: reflows)
        canvas.draw([10, 50].map(line), columns: 50)
        var bytes: [UInt8] = []
        _ = pipe.read(into: &bytes)
        bytes = []
        canvas.draw(widths.map(line), columns: columns)
        _ = pipe.read(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func line(_ width: Int) -> String { String(repeating: "x", count: width) }

    @Test(arguments: [
        // columns, widths → rows up, rows to erase below
        (50, [10, 50], 2, 0), (80, [10, 50], 2, 0), (50, [10], 2, 1),
        // The second line has wrapped, once or more often.
        (49, [10, 49], 3, 1), (25, [10, 25], 3, 1), (10, [10, 10], 6, 4), (9, [9, 9], 8, 6),
        (34, [10, 34, 5], 3, 0),
    ])
    func `what has wrapped in a narrower window is taken away`(
        columns: Int, widths: [Int], up: Int, below: Int
    ) throws {
        let erasure =
            below > 0 ? String(repeating: "\u{1B}[K\n", count: below) + "\u{1B}[\(below)A" : ""
        #expect(try written(widths, columns: columns) == redrawn(widths, up: up, erasure))
    }

    @Test func `nothing is drawn among what is printed above`() throws {
        let pipe = try #require(ProcessPipe())
        let canvas = Canvas(Terminal(output: pipe.write, messages: pipe.write), reflows: true)
        func written() -> String {
            var bytes: [UInt8] = []
            _ = pipe.read(into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        canvas.draw(["bar"])
        _ = written()
        canvas.above {
            _ = written()
            canvas.draw(["bar"])
            #expect(written().isEmpty)
        }
        canvas.draw(["bar"])
        #expect(written().contains("bar"))
    }

    @Test func `where a terminal cuts lines off nothing above them is touched`() throws {
        #expect(try written([10, 9], columns: 9, reflows: false) == redrawn([10, 9], up: 2))
    }

    /// Lines that do not wrap, whatever the window's width is by now.
    private func redrawn(_ widths: [Int], up: Int, _ erasure: String = "") -> String {
        let lines = widths.map { line($0) + "\u{1B}[K\n" }.joined()
        return "\u{1B}[?7l\u{1B}[\(up)A\r" + lines + erasure + "\u{1B}[?7h"
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], true),
        (["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"], false),
        (["TERM": "tmux-256color", "XTERM_VERSION": "XTerm(379)", "TMUX": "/tmp/t,1,0"], true),
        (["TERM": "screen", "TMUX": "/tmp/t,1,0"], true), (["TERM": "screen"], false),
        (["TERM": "linux"], false), (["TERM": "st-256color"], false), (["TERM": "stterm"], true), ([:], true),
    ])
    func `which terminals wrap what they show`(environment: [String: String], reflows: Bool) {
        #expect(TerminalAbilities.reflows(environment) == reflows)
    }
}

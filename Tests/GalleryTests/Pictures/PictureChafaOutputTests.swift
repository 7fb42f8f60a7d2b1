import Foundation
import Testing

@testable import gallery

/// Of a helper's output, only what a picture is made of comes through.
struct PictureChafaOutputTests {
    private func symbols(_ text: String) -> [String] {
        PictureChafaOutput.symbols(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
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
    func `symbols and colours pass, nothing else`(line: String, kept: String) {
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
        #expect(PictureChafaOutput.sixels(Array(text.utf8)) == nil)
    }

    @Test func `what stands around sixels stays behind`() throws {
        let text = "\u{1B}[?25l\u{1B}[2J\u{1B}P0;1q\"1;1;9;12#0!9~-\n\u{1B}\\\u{1B}]0;x\u{7}"
        let sixels = try #require(PictureChafaOutput.sixels(Array(text.utf8)))
        #expect(String(decoding: sixels.sequence, as: UTF8.self) == "\u{1B}P0;1q\"1;1;9;12#0!9~-\n\u{1B}\\")
        #expect(sixels.width == 9 && sixels.height == 12)
    }

    @Test(arguments: [
        "", "\u{1B}_G\u{1B}\\", "\u{1B}_Gs=1,v=1;AAAA\u{1B}\\", "\u{1B}_Gs=1,v=1;AAAAAA==",
        "\u{1B}_Gs=1,v=1,f=24;AAAAAA==\u{1B}\\", "\u{1B}_Gs=1,v=1,o=z;AAAAAA==\u{1B}\\",
        "\u{1B}_Gs=1,v=1,t=f;AAAAAA==\u{1B}\\", "\u{1B}_Gs=0,v=1;\u{1B}\\",
        "\u{1B}_Gs=-1,v=-1;AAAAAA==\u{1B}\\",
        "\u{1B}_Gs=4611686018427387904,v=4;\u{1B}\\", "\u{1B}_Gs=1,v=1;A\u{1B}[2J\u{1B}\\",
    ])
    func `pixels of another number or kind are none`(text: String) {
        #expect(PictureChafaOutput.raster(Array(text.utf8)) == nil)
    }

    @Test func `pixels are joined from all sequences`() {
        let text =
            "x\u{1B}_Ga=T,f=32,s=2,v=1,m=1\u{1B}\\\u{1B}_Gm=1;AQIDBA==\u{1B}\\\n\u{1B}_Gm=0;BQYHCA==\u{1B}\\"
        #expect(
            PictureChafaOutput.raster(Array(text.utf8))
                == .init(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
    }
}

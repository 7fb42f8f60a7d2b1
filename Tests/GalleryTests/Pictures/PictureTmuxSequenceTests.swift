import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// What is handed to tmux for the terminal around it.
@Suite(.timeLimit(.minutes(1)))
struct PictureTmuxSequenceTests {
    private func painter(_ outer: String, path: String) throws -> PicturePainter {
        let answer = "/dev/pts/5\t1\t\(outer)\txterm\t256\t10\t20\t3\t40\ttop\ton"
        return PictureBench.painter(
            answer: "\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2c", path: path, tmux: PictureTmux(answer.utf8),
            set: ["TMUX": "x"])
    }

    /// A `tmux` that answers where the pane is.
    private func tmux(in folder: URL) async throws -> String {
        let text = "#!/bin/sh\nprintf '/dev/pts/5\\t1\\tx\\tx\\tx\\t10\\t20\\t3\\t40\\ttop\\ton\\n'\n"
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
            // The first byte of the number is 1, its mark the second one of the table; the colour is the last.
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
            #expect(parts.allSatisfy { $0.utf8.count < PictureTmux.longestSequence })
            let base64 = parts.dropFirst().dropLast().map { $0.dropFirst(17).dropLast(3) }.joined()
            #expect(Data(base64Encoded: base64) == jpeg)
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
            let origin = hasPlace ? PictureBox.Cell(row: 1, column: 1) : nil
            let picture = try #require(
                try await painter(outer, path: path)
                    .paint(file, in: PictureBox(columns: 2, rows: 1, origin: origin)).picture)
            #expect(try await PictureBench.text(picture) == "\u{1B}7x\u{1B}[0m\u{1B}8")
            #expect(PictureBench.words(log).first == "--format=symbols")
        }
    }
}

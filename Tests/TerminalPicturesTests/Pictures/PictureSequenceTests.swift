import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// Every byte that goes to the terminal, for tiny pictures.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PictureSequenceTests {
    private let box = PictureBox(columns: 20, rows: 10)

    /// A picture of a file that is open, and has no name any more.
    private func painted(_ data: Data, _ name: String, by choice: PictureChoice) async throws
        -> PaintedPicture
    {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(data, name, in: folder)
            return try #require(try await PictureBench.painter(choice).paint(file, in: box).picture)
        }
    }

    @Test func `iTerm2 gets the file as it is, without its name`() async throws {
        let jpeg = Pictures.jpeg(width: 16, height: 8)
        let picture = try await painted(jpeg, "secret name.jpg", by: .iterm)
        #expect(picture.columns == 20 && picture.rows == 5)
        #expect(
            try await PictureBench.text(picture)
                == "\u{1B}7\u{1B}]1337;File=inline=1;size=\(jpeg.count);width=20;height=5;"
                + "preserveAspectRatio=1:\(jpeg.base64EncodedString())\u{7}\u{1B}8")
        #expect(
            String(decoding: picture.clearing, as: UTF8.self)
                == "\u{1B}7\u{1B}[20X" + (1...4).map { "\u{1B}8\u{1B}[\($0)B\u{1B}[20X" }.joined()
                + "\u{1B}8")
    }

    @Test func `kitty gets a PNG as it is, under a number by which it goes`() async throws {
        try await withTemporaryDirectory { folder in
            let png = Pictures.png(width: 8, height: 16)
            let file = try PictureBench.file(png, "a.png", in: folder)
            let painter = PictureBench.painter(.kitty)
            let picture = try #require(try await painter.paint(file, in: box).picture)
            #expect(picture.columns == 10 && picture.rows == 10)
            let number = 1 << 24 | 255
            #expect(
                try await PictureBench.text(picture)
                    == "\u{1B}7\u{1B}_Ga=T,f=100,i=\(number),c=10,r=10,C=1,q=2,m=0;"
                    + "\(png.base64EncodedString())\u{1B}\\\u{1B}8")
            #expect(
                String(decoding: picture.clearing, as: UTF8.self)
                    .hasPrefix("\u{1B}_Ga=d,d=I,i=\(number),q=2;\u{1B}\\\u{1B}7\u{1B}[10X"))
            let next = try #require(try await painter.paint(file, in: box).picture)
            #expect(try await PictureBench.text(next).contains(",i=\(1 << 24 | 1),"))
        }
    }

    @Test func `kitty's sequences hold 4096 characters`() async throws {
        let png = Pictures.png(width: 100, height: 92)
        try #require(png.count > 3 * 3072)
        let picture = try await painted(png, "a.png", by: .kitty)
        let text = try await PictureBench.text(picture)
        let frames = text.split(separator: "\u{1B}\\").filter { $0.contains("_G") }
        let payloads = frames.compactMap { $0.split(separator: ";").last.map(String.init) }
        #expect(payloads.dropLast().allSatisfy { $0.count == 4096 })
        #expect(Data(base64Encoded: payloads.joined()) == png)
        #expect(frames.dropFirst().dropLast().allSatisfy { $0.hasPrefix("\u{1B}_Gq=2,m=1;") })
        #expect(frames.last?.hasPrefix("\u{1B}_Gq=2,m=0;") == true)
    }

    @Test func `a large file comes in pieces of 64 KiB at most, and whole`() async throws {
        let jpeg = Pictures.jpeg(bytes: 500_000, seed: 1, width: 64, height: 64)
        let picture = try await painted(jpeg, "a.jpg", by: .iterm)
        let log = PictureLog()
        try await picture.write { log.add($0) }
        #expect(log.lengths.allSatisfy { $0 <= 1 << 16 })
        #expect(log.lengths.count == 11)
        let text = String(decoding: log.bytes, as: UTF8.self)
        let base64 = try #require(text.split(separator: ":").last?.dropLast(3))
        #expect(Data(base64Encoded: String(base64)) == jpeg)
    }

    @Test func `what was looked at is written, even where another file has taken its name`() async throws {
        try await withTemporaryDirectory { folder in
            let png = Pictures.png(width: 8, height: 8)
            let file = try PictureBench.file(png, "a.png", in: folder)
            let picture = try #require(
                try await PictureBench.painter(.iterm).paint(file, in: box).picture)
            try FileManager.default.removeItem(at: file)
            try Data("\u{1B}]0;x\u{7}".utf8).write(to: file)
            #expect(try await PictureBench.text(picture).contains(":\(png.base64EncodedString())\u{7}"))
        }
    }

    @Test(arguments: [PictureChoice.iterm, .kitty])
    func `a cancelled write ends its sequence`(choice: PictureChoice) async throws {
        let png = Pictures.png(width: 1000, height: 1000)
        let picture = try await painted(png, "a.png", by: choice)
        let written = try await PictureBench.bytesOfCanceledWrite(picture)
        #expect(written.count < png.count)
        let end = choice == .iterm ? "\u{7}\u{1B}8" : "\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}8"
        #expect(String(decoding: written, as: UTF8.self).hasSuffix(end))
    }

    @Test(arguments: [PictureChoice.iterm, .kitty], [true, false])
    func `a write that is cancelled or has lost its file before its first byte begins no sequence`(
        choice: PictureChoice, isCancelled: Bool
    ) async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.png(width: 300, height: 300), "a.png", in: folder)
            let picture = try #require(try await PictureBench.painter(choice).paint(file, in: box).picture)
            if !isCancelled { #expect(truncate(file.path, 0) == 0) }
            let written = PictureLog()
            await Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                try? await picture.write { written.add($0) }
            }.value
            #expect(String(decoding: written.bytes, as: UTF8.self) == "\u{1B}7\u{1B}8")
        }
    }

    @Test(arguments: [PictureChoice.kitty, .sixel])
    func `a cancelled write of what chafa made ends its sequence, too`(choice: PictureChoice) async throws {
        try await withTemporaryDirectory { folder in
            let sixels =
                #"printf '\033Pq"1;1;800;800#0;2;0;0;0#0'; head -c 200000 /dev/zero | tr '\0' '~'; printf '\033\\'"#
            let script = choice == .kitty ? PictureBench.transparent : sixels
            let (path, _) = try await PictureBench.chafa(in: folder, script)
            let file = try PictureBench.file(Pictures.jpeg(width: 640, height: 640), "a.jpg", in: folder)
            let painter = PictureBench.painter(choice, path: path)
            let box = PictureBox(columns: 80, rows: 40)
            let picture = try #require(try await painter.paint(file, in: box).picture)
            let whole = try await PictureBench.bytes(picture).count
            let written = try await PictureBench.bytesOfCanceledWrite(picture)
            #expect(written.count < whole)
            let end = choice == .kitty ? "\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}8" : "\u{1B}\\\u{1B}8"
            #expect(String(decoding: written, as: UTF8.self).hasSuffix(end))
        }
    }

    @Test func `a file that is cut meanwhile ends its sequence too`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.png(width: 300, height: 300), "a.png", in: folder)
            let picture = try #require(
                try await PictureBench.painter(.kitty).paint(file, in: box).picture)
            #expect(truncate(file.path, 3072) == 0)
            #expect(try await PictureBench.text(picture).hasSuffix("\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}8"))
        }
    }

    @Test func `a sink that fails ends the writing`() async throws {
        let picture = try await painted(Pictures.png(width: 300, height: 300), "a.png", by: .kitty)
        await #expect(throws: PictureBench.Failure.self) {
            try await picture.write { _ in throw PictureBench.Failure() }
        }
    }
}

import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// What is not handed on, to a terminal or to a helper.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PictureInspectionTests {
    private func outcome(_ data: Data, _ name: String = "a.png") async throws -> (PictureOutcome, ran: Bool) {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, "echo x")
            let file = try PictureBench.file(data, name, in: folder)
            let outcome = try await PictureBench.painter(.symbols, path: path)
                .paint(file, in: PictureBox(columns: 2, rows: 2))
            return (outcome, FileManager.default.fileExists(atPath: log.path))
        }
    }

    @Test func `a bomb of 48 KB is not`() async throws {
        #expect(PictureBench.bomb.count == 48_000)
        let (outcome, ran) = try await outcome(PictureBench.bomb)
        #expect(outcome.words == ["The picture has 20000×20000 pixels, too many to show here."])
        #expect(!ran)
    }

    @Test func `neither to a terminal that would take the file as it is`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(PictureBench.bomb, "a.png", in: folder)
            for choice in [PictureChoice.iterm, .kitty] {
                let outcome = try await PictureBench.painter(choice)
                    .paint(file, in: PictureBox(columns: 2, rows: 2))
                #expect(outcome.picture == nil)
            }
        }
    }

    @Test(arguments: [(10_000, 10_000, true), (10_000, 10_001, false), (100_000_001, 1, false)])
    func `the limit is 100 million pixels`(width: Int, height: Int, passes: Bool) async throws {
        var data = Pictures.png(width: 1, height: 1)
        for (place, side) in [(16, width), (20, height)] {
            let bytes = withUnsafeBytes(of: UInt32(side).bigEndian) { Data($0) }
            data.replaceSubrange(place..<place + 4, with: bytes)
        }
        let (outcome, ran) = try await outcome(data)
        #expect((outcome.picture != nil) == passes)
        #expect(ran == passes)
    }

    /// chafa 1.12 makes room for the frame, whatever the screen before it says.
    @Test(arguments: [(20_000, 20_000, false), (300, 200, true)])
    func `a GIF's frames count, not only its screen`(width: Int, height: Int, passes: Bool) async throws {
        var data = Pictures.gif(width: width % 301, height: height % 201)
        let screen = Data([1, 0, 1, 0])
        data.replaceSubrange(6..<10, with: screen)
        if !passes {
            let frame = 13 + 128 * 3
            data.replaceSubrange(frame + 5..<frame + 9, with: [0x20, 0x4E, 0x20, 0x4E])
        }
        let (outcome, ran) = try await outcome(data, "a.gif")
        #expect((outcome.picture != nil) == passes)
        #expect(ran == passes)
    }

    @Test func `a late frame counts too, and a place far out`() async throws {
        let gif = Pictures.gif(width: 4, height: 4)
        let frame = gif[(13 + 128 * 3)..<(gif.count - 1)]
        var far = Data(frame)
        far.replaceSubrange(1..<5, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let (good, _) = try await outcome(gif.dropLast() + frame + [0x3B], "a.gif")
        #expect(good.picture != nil)
        let (bad, ran) = try await outcome(gif.dropLast() + far + [0x3B], "a.gif")
        #expect(bad.words == ["The picture has 65539×65539 pixels, too many to show here."])
        #expect(!ran)
    }

    @Test(arguments: [
        (Data(), "The file is not a picture of a known format."),
        (Data("<svg onload=x>".utf8), "The file is not a picture of a known format."),
        (Data("\u{89}PNG".utf8), "The file is not a picture of a known format."),
        (
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            "The picture's size cannot be read, so it is not shown."
        ),
        (
            Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0]),
            "The picture's size cannot be read, so it is not shown."
        ),
        (Data("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0], "The picture is broken, so it is not shown."),
    ])
    func `what has no header that we know is not`(data: Data, sentence: String) async throws {
        let (outcome, ran) = try await outcome(data)
        #expect(outcome.words == [sentence])
        #expect(!ran)
    }

    @Test func `no folder, no missing file, and no pipe that keeps us waiting`() async throws {
        try await withTemporaryDirectory { folder in
            let pipe = folder.appending(path: "pipe.png")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let cases = [
                (pipe, "The picture is not a regular file."), (folder, "The picture is not a regular file."),
                (folder.appending(path: "none"), "The picture's file cannot be opened."),
            ]
            for (place, sentence) in cases {
                let outcome = try await PictureBench.painter(.iterm)
                    .paint(place, in: PictureBox(columns: 2, rows: 2))
                #expect(outcome.words == [sentence])
            }
        }
    }
}

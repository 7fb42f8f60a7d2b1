import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// Pictures that are turned before they are shown.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct TurnedPicturesTests {
    /// A picture of two columns and three lines.
    private static let pixels = KittyPixels(
        width: 2, height: 3, hasOpacity: false, bytes: (1...6).flatMap { [UInt8]([$0, $0 + 10, $0 + 20]) })

    @Test(arguments: [
        (0, 2, [1, 2, 3, 4, 5, 6]), (1, 3, [5, 3, 1, 6, 4, 2]), (2, 2, [6, 5, 4, 3, 2, 1]),
        (3, 3, [2, 4, 6, 1, 3, 5]), (-1, 3, [2, 4, 6, 1, 3, 5]), (5, 3, [5, 3, 1, 6, 4, 2]),
    ])
    func `pixels are turned clockwise`(quarters: Int, width: Int, reds: [UInt8]) {
        let turned = Self.pixels.turned(by: quarters)
        #expect(turned.width == width && turned.height == 6 / width)
        let bytes = reds.flatMap { [UInt8]([$0, $0 + 10, $0 + 20]) }
        #expect(turned.bytes == bytes)
    }

    @Test(arguments: [PictureChoice.kitty, .sixel, .symbols])
    func `chafa gets a JPEG that says it is turned, made once`(choice: PictureChoice) async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.jpeg(width: 64, height: 48), "a.jpg", in: folder)
            let copy = folder.appending(path: "copy.jpg")
            let (_, log) = try await PictureBench.chafa(
                in: folder, "for file; do :; done; /bin/cp \"$file\" '\(copy.path)'; exit 1")
            // Without a converter, which would be tried next.
            let painter = PictureBench.painter(choice, path: folder.path)
            for _ in 1...2 {
                _ = try await painter.paint(file, turnedBy: 1, in: PictureBox(columns: 20, rows: 10))
            }
            let shown = try Data(contentsOf: copy)
            #expect(PictureMetadata(PictureBytes(Array(shown)), .jpeg).orientation == 6)
            #expect(ImageHeader(PictureBytes(Array(shown)))?.size == PixelSize(width: 48, height: 64))
            let read = Set(PictureBench.words(log).filter { $0.hasSuffix("/picture.jpg") })
            #expect(read.count == 1 && !PictureBench.words(log).contains(file.path))
        }
    }

    @Test func `of another format its pixels are turned, and shown like a file`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.png(width: 64, height: 32), "a.png", in: folder)
            let (path, log) = try await PictureBench.chafa(
                in: folder,
                """
                case "$*" in *picture.png) printf 'ok\\n';; *) \(PictureBench.transparent);; esac
                """)
            let painter = PictureBench.painter(.symbols, path: path)
            let box = PictureBox(columns: 20, rows: 10)
            let painted = try #require(try await painter.paint(file, turnedBy: 3, in: box).picture)
            #expect(PictureBench.words(log).last?.hasSuffix("/picture.png") == true)
            // Twice as high as wide, in cells twice as high as wide.
            #expect(painted.columns == 10)
        }
    }

    @Test func `one that is not turned is not copied`() async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.jpeg(width: 64, height: 48), "a.jpg", in: folder)
            let (_, log) = try await PictureBench.chafa(in: folder, "exit 1")
            let painter = PictureBench.painter(.symbols, path: folder.path)
            _ = try await painter.paint(file, in: PictureBox(columns: 20, rows: 10))
            #expect(PictureBench.words(log).last == file.path)
        }
    }
}

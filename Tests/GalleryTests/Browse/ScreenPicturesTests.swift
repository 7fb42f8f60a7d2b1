import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// Which pictures stay on the screen when others are wanted.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct ScreenPicturesTests {
    private let box = PictureBox(columns: 20, rows: 10, origin: .init(row: 2, column: 1))

    private func frame(_ pictures: [Frame.Picture]) -> Frame {
        var frame = Frame(.init(columns: 60, rows: 12))
        for picture in pictures { frame.put(picture) }
        return frame
    }

    @Test func `a picture stays until the one in its place is there`() async throws {
        try await withTemporaryDirectory { folder in
            let painter = PictureBench.painter(.kitty)
            let pictures = ScreenPictures(painter, wake: {}, report: { _, _ in })
            var placed: [ScreenPictures.Placed] = []
            var wanted: [Frame.Picture] = []
            for name in ["a.png", "b.png"] {
                let file = try PictureBench.file(Pictures.png(width: 8, height: 8), name, in: folder)
                let painted = try #require(try await painter.paint(file, in: box).picture)
                placed.append(.init(picture: painted, cell: .init(row: 2, column: 1)))
                wanted.append(Frame.Picture(file: file, box: box))
            }
            await pictures.didShow(wanted[0], placed[0])
            #expect(await pictures.clear(keeping: [wanted[1]], frame([wanted[1]])) == "")
            let change = await pictures.replace(by: placed[1], wanted[1], frame([wanted[1]]))
            #expect(change.before.isEmpty)
            #expect(change.after == String(decoding: placed[0].picture.removal, as: UTF8.self))
            await pictures.didShow(wanted[1], placed[1])
            // One that nobody wants in its place goes at once.
            #expect(await pictures.clear(keeping: [], frame([])).contains("a=d,d=I,"))
        }
    }
}

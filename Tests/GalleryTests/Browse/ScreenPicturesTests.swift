import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures
@testable import gallery

/// Which pictures stay on the screen when others are wanted.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct ScreenPicturesTests {
    private let box = PictureBox(columns: 20, rows: 10, origin: .init(row: 2, column: 1))
    private var twofold: Viewport {
        var view = Viewport()
        _ = view.show(at: 2)
        return view
    }

    private func frame(_ pictures: [Frame.Picture]) -> Frame {
        var frame = Frame(.init(columns: 60, rows: 12))
        for picture in pictures { frame.put(picture) }
        return frame
    }

    @Test func `one of another shape is there before what is left of the one before goes`() async throws {
        try await withTemporaryDirectory { folder in
            let painter = PictureBench.painter(.kitty)
            let pictures = ScreenPictures(painter, wake: {}, report: { _, _ in })
            let tall = try PictureBench.file(Pictures.png(width: 10, height: 80), "a.png", in: folder)
            let wide = try PictureBench.file(Pictures.png(width: 80, height: 10), "b.png", in: folder)
            func placed(_ file: URL, at cell: CellPosition) async throws -> ScreenPictures.Placed {
                .init(picture: try #require(try await painter.paint(file, in: box).picture), cell: cell)
            }
            let old = try await placed(tall, at: .init(row: 2, column: 9))
            let new = try await placed(wide, at: .init(row: 6, column: 1))
            let (former, picture) = (Frame.Picture(file: tall, box: box), Frame.Picture(file: wide, box: box))
            await pictures.didShow(former, old)
            let change = await pictures.replace(by: new, picture, frame([picture]))
            #expect(change.before.isEmpty)
            // All of its rows but the one that is covered.
            var terminal = TerminalPicture(columns: 60, rows: 12)
            terminal.fill(old.box, with: "o")
            terminal.fill(new.box, with: "n")
            terminal.take(Data(change.after.utf8))
            #expect(terminal.lines.joined().allSatisfy { $0 == "n" || $0 == " " })
            #expect(terminal.cells(of: new.box).joined().allSatisfy { $0 == "n" })
            // Where the new one is cut off, both are there: it is drawn again, and removes both.
            await pictures.didShow(picture, new)
            await pictures.didCut(picture)
            #expect(await pictures.ready(former, standIn: nil) == nil)
            await pictures.didReplace(await pictures.replace(by: old, former, frame([former])).gone)
            #expect(
                await pictures.clear(keeping: [], frame([])).contains(
                    "i=\(old.picture.identity?.number ?? 0),"))
        }
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
            #expect(await pictures.clear(keeping: [box], frame([wanted[1]])) == "")
            let change = await pictures.replace(by: placed[1], wanted[1], frame([wanted[1]]))
            #expect(change.before.isEmpty)
            #expect(change.after == String(decoding: placed[0].picture.removal, as: UTF8.self))
            await pictures.didShow(wanted[1], placed[1])
            await pictures.didReplace(change.gone)
            #expect(change.gone == [wanted[0]])
            // One that nobody wants in its place goes at once.
            #expect(await pictures.clear(keeping: [], frame([])).contains("a=d,d=I,"))
        }
    }

    /// As where a zoomed picture's window changes: in another box the same pixels are wanted, and the work on them ends
    /// with whoever asked first, at any moment.
    @Test func `a picture is painted although another one left that shared its pixels`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, _) = try await PictureBench.chafa(in: folder, PictureBench.transparent)
            let file = try PictureBench.file(Pictures.jpeg(width: 64, height: 64), "a.jpg", in: folder)
            let part = PicturePart.view(twofold)
            let first = Frame.Picture(file: file, box: box, part: part)
            let second = Frame.Picture(
                file: file, box: PictureBox(columns: 15, rows: 8, origin: box.origin), part: part)
            for _ in 1...40 {
                let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
                let pictures = ScreenPictures(
                    PictureBench.painter(.kitty, path: path), wake: { wake.yield() }, report: { _, _ in })
                #expect(await pictures.ready(first, standIn: nil) == nil)
                _ = await pictures.clear(keeping: [], frame([second]))
                var iterator = wakes.makeAsyncIterator()
                while await pictures.ready(second, standIn: nil) == nil { await iterator.next() }
            }
        }
    }

    /// Two keys a second never show a late picture: what was begun for another photo is of no use any more.
    @Test func `what was begun goes on while it is shown, stands in, or is a part of what is shown`() {
        func picture(_ name: String, _ part: PicturePart = .whole) -> Frame.Picture {
            Frame.Picture(file: URL(filePath: "/\(name)"), box: box, part: part)
        }
        let (left, right) = (Viewport(), twofold)
        var whole = Frame(.init(columns: 60, rows: 12))
        whole.put(picture("photo"), standIn: picture("thumbnail"))
        whole.prepare(picture("next"))
        var zoomed = Frame(.init(columns: 60, rows: 12))
        zoomed.put(picture("photo", .view(left)))
        let cases: [(picture: Frame.Picture, isOfWhole: Bool, isOfZoomed: Bool)] = [
            (picture("photo"), true, true), (picture("thumbnail"), true, false),
            (picture("next"), false, false), (picture("former"), false, false),
            (picture("photo", .view(left)), false, true), (picture("photo", .view(right)), false, true),
            (picture("photo", .frame(3)), false, true), (picture("former", .view(left)), false, false),
            (picture("former", .frame(0)), false, false),
        ]
        for (picture, isOfWhole, isOfZoomed) in cases {
            #expect(whole.uses(picture) == isOfWhole, "\(picture)")
            #expect(zoomed.uses(picture) == isOfZoomed, "\(picture)")
        }
    }
}

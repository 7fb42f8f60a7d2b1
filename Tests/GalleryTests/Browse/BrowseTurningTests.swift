import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

struct BrowseTurningTests {
    private static func picture(_ model: BrowseModel) -> Frame.Picture? { model.frame.pictures.last }

    @Test func `R and L turn the photo, which stays so`() {
        var model = ScreenState.model()
        #expect(model.press(.character("R")) == [])
        #expect(model.notice?.text == "Turned right. L turns back.")
        #expect(Self.picture(model)?.quarters == 1)
        #expect(model.photoSize == PixelSize(width: 427, height: 640))
        model.cursor.current = ScreenState.entry(8)
        model.cursor.picture = .ready(ScreenState.file(8))
        #expect(Self.picture(model)?.quarters == 0)
        model.cursor.current = ScreenState.entry(7)
        model.cursor.picture = .ready(ScreenState.file(7))
        #expect(Self.picture(model)?.quarters == 1)
        for quarters in [0, 3, 2] {
            _ = model.press(.character("L"))
            #expect(Self.picture(model)?.quarters == quarters)
        }
        #expect(model.photoSize == PixelSize(width: 640, height: 427))
    }

    @Test func `what is looked at in zoom stays in view`() {
        var model = ScreenState.model()
        model.zooms = true
        for key in ["+", "+", "+"] { _ = model.press(.character(Character(key))) }
        for _ in 1...9 { _ = model.press(.right) }
        let (x, y) = (model.viewport.x, model.viewport.y)
        #expect(x > 0.5 && y == 0.5)
        _ = model.press(.character("R"))
        #expect((model.viewport.x, model.viewport.y) == (0.5, x))
        _ = model.press(.character("L"))
        #expect((model.viewport.x, model.viewport.y) == (x, y))
        #expect(model.viewport.isZoomed)
    }

    @Test func `compared photos turn one by one, and their boxes follow`() {
        var model = ScreenState.model(columns: 81, rows: 24)
        _ = model.press(.character("R"))
        _ = model.press(.character("c"))
        model.cursor.current = ScreenState.entry(8)
        model.cursor.picture = .ready(ScreenState.file(8))
        #expect(model.frame.pictures.map(\.quarters) == [1, 0])
        let wide = model.pair
        _ = model.press(.character("L"))
        #expect(model.frame.pictures.map(\.quarters) == [1, 3])
        #expect(model.pin.flatMap(model.size(of:)) == PixelSize(width: 427, height: 640))
        #expect(wide != nil)
    }

    @Test func `in the grid the selected cells turn`() throws {
        var model = ScreenState.model(columns: 80, rows: 24)
        for index in 1...40 {
            model.thumbnails[ScreenState.entry(index).photo.id] = URL(filePath: "/t/\(index).jpg")
        }
        _ = model.press(.tab)
        let before = try #require(model.frame.pictures.first { $0.file.lastPathComponent == "7.jpg" })
        _ = model.press(.character("R"))
        let after = try #require(model.frame.pictures.first { $0.file.lastPathComponent == "7.jpg" })
        #expect(after.quarters == 1 && after.box.columns < before.box.columns)
        #expect(model.frame.pictures.filter { $0.quarters != 0 }.count == 1)
        _ = model.press(.character(" "))
        _ = model.press(.right)
        _ = model.press(.character(" "))
        _ = model.press(.character("R"))
        #expect(
            model.frame.pictures.filter { $0.quarters != 0 }.map {
                "\($0.file.lastPathComponent) \($0.quarters)"
            }
                == ["7.jpg 2", "8.jpg 1"])
    }

    @Test func `an animation that is turned stands still until its frames are there`() throws {
        var model = ScreenState.model()
        model.animation.playback = AnimationTimeline(delays: [100, 100]).map {
            Playback(file: ScreenState.file(7).url, timeline: $0)
        }
        #expect(model.part == .frame(0))
        _ = model.press(.character("R"))
        let frame = model.frame
        #expect(frame.pictures.map(\.part) == [.frame(0)] && model.isAnimating)
        #expect(frame.pictures.map(\.quarters) == [1])
        #expect(frame.allPictures.contains(try #require(frame.pictures.first).whole))
    }
}

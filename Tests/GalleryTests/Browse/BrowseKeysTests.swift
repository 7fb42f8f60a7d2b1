import Foundation
import Testing

@testable import GalleryCore
@testable import gallery

struct BrowseKeysTests {
    @Test(arguments: [
        (Key.right, [BrowseAction.move(1)]), (.down, [.move(1)]), (.character(" "), [.move(1)]),
        (.character("n"), [.move(1)]), (.left, [.move(-1)]), (.up, [.move(-1)]),
        (.character("p"), [.move(-1)]),
        (.home, [.go(1)]), (.end, [.goToLast]), (.character("r"), [.retry]), (.character("q"), [.quit]),
        (.character("f"), [.fetch(ScreenState.entry(7))]), (.character("m"), [.mark(ScreenState.entry(7))]),
        (.character("a"), [.author(ScreenState.entry(7))]), (.character("t"), [.keep(.day)]),
        (.character("i"), []), (.character("?"), []), (.character("x"), []), (.backspace, []),
        (.character("o"), ScreenState.entry(7).photo.page.map { [.open($0)] } ?? []),
    ])
    func `keys on a photo`(key: Key, actions: [BrowseAction]) {
        var model = ScreenState.model()
        #expect(model.press(key) == actions)
    }

    @Test func `an index is typed after g`() {
        var model = ScreenState.model()
        for key in [Key.character("g"), .character("1"), .character("x"), .character("g")] {
            _ = model.press(key)
        }
        #expect(model.prompt == .index(""))
        for key in [Key.character("1"), .character("2"), .character("3"), .backspace] { _ = model.press(key) }
        #expect(model.prompt == .index("12"))
        #expect(model.press(.enter) == [.go(12)])
        #expect(model.prompt == nil)
        for key in [Key.character("g"), .character("0"), .enter] { #expect(model.press(key) == []) }
        #expect(model.notice?.isError == true)
        for key in [Key.character("g"), .escape, .character("1")] { #expect(model.press(key) == []) }
        #expect(model.prompt == nil)
    }

    @Test func `a mark is seen at once, and taken away by the same key`() {
        var model = ScreenState.model()
        _ = model.press(.character("m"))
        #expect(model.frame.text[0].hasSuffix("* 7 of 40"))
        #expect(model.press(.character("m")) == [.unmark(ScreenState.entry(7))])
        #expect(model.marks.isEmpty)
    }

    @Test func `a mark takes what the details have added, and what looking has asked for is fetched`() {
        var model = ScreenState.model()
        let listed = ScreenState.entry(7)
        let whole = Photo(
            id: listed.photo.id, title: "Photo 7", full: Rendition(url: URL(filePath: "/7"), size: nil))
        model.cursor.detail = PhotoDetail(photo: whole)
        #expect(model.press(.character("m")) == [.mark(IndexedPhoto(index: 7, photo: whole))])
        #expect(model.press(.character("f")) == [.fetch(listed)])
        // Not those of another photo, which the grid may have selected.
        _ = model.press(.tab)
        _ = model.press(.right)
        #expect(model.press(.character("m")) == [.mark(ScreenState.entry(8))])
    }

    @Test func `Enter shows the picture alone, and Enter or Escape the rest again`() {
        var model = ScreenState.model()
        for key in [Key.enter, .escape] {
            _ = model.press(.enter)
            #expect(model.mode == .alone)
            #expect(model.press(.right) == [.move(1)])
            _ = model.press(key)
            #expect(model.mode == .photo)
        }
    }

    @Test func `Backspace needs a feed to go back to`() {
        var model = ScreenState.model()
        _ = model.press(.backspace)
        #expect(model.notice != nil)
        model.depth = 2
        #expect(model.press(.backspace) == [.back])
    }

    @Test func `any key leaves the help`() {
        var model = ScreenState.model()
        _ = model.press(.character("?"))
        #expect(model.press(.right) == [])
        #expect(!model.showsHelp)
        _ = model.press(.character("?"))
        #expect(model.press(.character("q")) == [.quit])
    }

    @Test func `steps that come together are one`() {
        let steps: [BrowseAction] = [.move(1), .move(1), .move(-1), .go(3), .move(1), .move(1)]
        #expect(BrowseAction.merged(steps) == [.move(1), .go(3), .move(2)])
    }
}

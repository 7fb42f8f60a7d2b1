import Curation
import Foundation
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

struct BrowseKeysTests {
    @Test(arguments: [
        (Key.right, [BrowseAction.move(1)]), (.down, [.move(1)]), (.character(" "), [.move(1)]),
        (.character("n"), [.move(1)]), (.left, [.move(-1)]), (.up, [.move(-1)]),
        (.character("p"), [.move(-1)]), (.character("l"), [.move(1)]), (.character("j"), [.move(1)]),
        (.wheelDown, [.move(1)]), (.character("h"), [.move(-1)]), (.character("k"), [.move(-1)]),
        (.wheelUp, [.move(-1)]),
        (.home, [.go(1)]), (.end, [.goToLast]), (.character("r"), [.retry]), (.character("q"), [.quit]),
        (.character("f"), [.fetch(ScreenState.entry(7))]),
        (.character("m"), [.mark([ScreenState.entry(7)], true)]),
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
        #expect(model.prompt == .line(.index, ""))
        for key in [Key.character("1"), .character("2"), .character("3"), .backspace] { _ = model.press(key) }
        #expect(model.prompt == .line(.index, "12"))
        #expect(model.press(.enter) == [.go(12)])
        #expect(model.prompt == nil)
        for key in [Key.character("g"), .character("0"), .enter] { #expect(model.press(key) == []) }
        #expect(model.notice?.isError == true)
        for key in [Key.character("g"), .escape, .character("9")] { #expect(model.press(key) == []) }
        #expect(model.prompt == nil)
    }

    @Test func `a mark is seen at once, and taken away by the same key`() {
        var model = ScreenState.model()
        _ = model.press(.character("m"))
        #expect(model.frame.text[0].hasSuffix("* 7 of 40"))
        #expect(model.press(.character("m")) == [.mark([ScreenState.entry(7)], false)])
        #expect(model.marks.isEmpty)
    }

    @Test func `a mark takes what the details have added, and what looking has asked for is fetched`() {
        var model = ScreenState.model()
        let listed = ScreenState.entry(7)
        let whole = Photo(
            id: listed.photo.id, title: "Photo 7", full: Rendition(url: URL(filePath: "/7"), size: nil))
        model.cursor.detail = PhotoDetail(photo: whole)
        #expect(model.press(.character("m")) == [.mark([IndexedPhoto(index: 7, photo: whole)], true)])
        #expect(model.press(.character("f")) == [.fetch(listed)])
        // Not those of another photo, which the grid may have selected.
        _ = model.press(.tab)
        _ = model.press(.right)
        #expect(model.press(.character("m")) == [.mark([ScreenState.entry(8)], true)])
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
        #expect(model.press(.enter) == [])
        #expect(model.helpPage == nil)
        _ = model.press(.character("?"))
        #expect(model.press(.character("q")) == [] && model.helpPage == nil)
        // Escape leads to it where there is nothing to leave.
        model.sidePanel.isShown = true
        #expect(model.press(.escape) == [] && model.helpPage == nil && !model.sidePanel.isShown)
        #expect(model.press(.escape) == [] && model.helpPage == 0)
        #expect(model.press(.escape) == [] && model.helpPage == nil)
        #expect(model.press(.character("q")) == [.quit])
    }

    @Test func `q waits for a download, the second q does not, and another key takes it back`() {
        let photo = BrowseModel.Download.Key(photo: ScreenState.entry(7).photo.id, use: nil)
        var model = ScreenState.model()
        model.downloads[photo] = .init(label: "photo 7", progress: .init(received: 25, expected: 100))
        #expect(ScreenState.lines(model).last == "Fetching photo 7 … 25 %")
        #expect(model.press(.character("q")) == [])
        #expect(
            ScreenState.lines(model).last?.hasPrefix("Fetching photo 7 … 25 % Then gallery quits;") == true)
        #expect(model.press(.character("q")) == [.quit])
        #expect(model.press(.character("q")) == [] && model.press(.right) == [.move(1)])
        #expect(model.downloaded(photo, .init(text: "Fetched.")) == [])
        model.downloads[photo] = .init(label: "photo 7")
        #expect(model.press(.character("q")) == [])
        // The same photo may come for another use meanwhile.
        let viewed = BrowseModel.Download.Key(photo: photo.photo, use: .view)
        model.downloads[viewed] = .init(label: "photo 7")
        #expect(model.downloaded(photo, .init(text: "Fetched.")) == [])
        #expect(model.downloaded(viewed, nil) == [.quit])
        #expect(model.press(.character("q")) == [.quit])
    }

    @Test func `what is pasted goes to a prompt or nowhere`() {
        var model = ScreenState.model()
        model.cursor.current = ScreenState.entry(of: "folder", URL(filePath: "/photos/7.jpg"))
        #expect(model.press(.paste("body")) == [] && model.prompt == nil)
        _ = model.press(.character("d"))
        #expect(model.press(.paste("y")) == [])
        _ = model.press(.character("g"))
        _ = model.press(.paste("no. 1"))
        #expect(model.press(.paste("2\n")) == [] && model.prompt == .line(.index, "12"))
        #expect(model.press(.control("u")) == [] && model.prompt == .line(.index, ""))
        _ = model.press(.escape)
        _ = model.press(.character("/"))
        _ = model.press(.paste("a\n\u{1B}b"))
        #expect(model.prompt == .line(.find, PlainText.line("a\n\u{1B}b")))
        #expect(model.press(.control("u")) == [] && model.prompt == .line(.find, ""))
    }

    @Test func `a question is not answered by what was typed before anybody could read it`() {
        var model = ScreenState.model()
        let file = URL(filePath: "/photos/7.jpg")
        let photo = ScreenState.entry(of: "folder", file)
        model.cursor.current = photo
        // Pasted where the terminal does not tell pasted text from keys.
        #expect(model.press(typed: "body".map(Key.character)).allSatisfy { !$0.isTrash })
        #expect(model.isAskingForTrash)
        #expect(model.press(typed: [.character("y")]) == [.trash([.init(photo: photo, file: file)])])
    }

    @Test func `what was said while a search went on goes once it has found something`() {
        var model = ScreenState.model(index: 7, count: 20)
        model.cursor.isRunToEnd = false
        for key in "/photo 3\r" { _ = model.press(key == "\r" ? .enter : .character(key)) }
        #expect(model.notice?.text == "Looking for 'photo 3' beyond photo 20 …")
        model.cursor.run = (1...40).map(ScreenState.entry)
        #expect(model.extendGrid() == [.go(30)] && model.notice == nil)
    }

    @Test func `steps that come together are one`() {
        let steps: [BrowseAction] = [.move(1), .move(1), .move(-1), .go(3), .move(1), .move(1)]
        #expect(BrowseAction.merged(steps) == [.move(1), .go(3), .move(2)])
    }

    @Test func `a text is found in titles and authors, on and back`() {
        var model = ScreenState.model(index: 7)
        func type(_ text: String) -> [BrowseAction] {
            text.reduce(into: []) { $0 = model.press($1 == "\r" ? .enter : .character($1)) }
        }
        #expect(type("/PHOTO 1\r") == [.go(10)])
        model.cursor.current = ScreenState.entry(10)
        #expect(type("n") == [.go(11)])
        #expect(type("N") == [.go(1)])
        #expect(type("/hopper\r") == [.go(11)])
        #expect(type("/nobody\r") == [])
        #expect(model.notice?.text == "No other photo matches 'nobody'.")
        _ = model.press(.escape)
        #expect(type("n") == [.move(1)])
    }

    @Test func `a search goes on through the feed, until a key ends it`() {
        var model = ScreenState.model(index: 7, count: 20)
        model.cursor.isRunToEnd = false
        for key in "/photo 3" { _ = model.press(.character(key)) }
        #expect(model.press(.enter) == [.look(beyond: 20, count: 50)])
        model.cursor.run = (1...40).map(ScreenState.entry)
        #expect(model.extendGrid() == [.go(30)])
        for key in "/nothing" { _ = model.press(.character(key)) }
        _ = model.press(.enter)
        _ = model.press(.character("?"))
        model.cursor.run = (1...60).map(ScreenState.entry)
        #expect(model.extendGrid() == [])
    }

    @Test func `details that do not fit are scrolled, others leave the keys alone`() {
        var model = ScreenState.model(columns: 40, rows: 14)
        #expect(model.press(.down) == [.move(1)])
        _ = model.press(.character("i"))
        #expect(model.press(.down) == [])
        #expect(model.sidePanel.top == 1)
        for _ in 1...9 { _ = model.press(.pageDown) }
        #expect(model.shown.contains("License      CC0 1.0"))
        #expect(model.press(.right) == [.move(1)])
        model.size = Frame.Size(columns: model.size.columns, rows: 40)
        #expect(model.press(.down) == [.move(1)])
    }

    @Test func `without colors t changes nothing and says so`() {
        var model = ScreenState.model()
        model.isColored = false
        #expect(model.press(.character("t")) == [])
        #expect(model.theme == .night && model.notice?.text.contains("NO_COLOR") == true)
    }

    @Test func `a click opens the photo under it`() {
        var model = ScreenState.model(columns: 96, rows: 24)
        _ = model.press(.tab)
        let shape = model.gridShape
        let click = CellPosition(row: 3 + shape.height, column: 2 + 2 * shape.width)
        let index = (model.grid.top + 1) * shape.columns + 3
        #expect(model.press(.click(click)) == [.resume, .go(index)])
        #expect(model.press(.click(CellPosition(row: 1, column: 1))) == [])
    }

    @Test func `keys about the file need one, and the trash asks first`() {
        var model = ScreenState.model()
        let file = ScreenState.file(7).url
        #expect(model.press(.character("v")) == [.view(file)])
        #expect(model.press(.character("Y")) == [.copy(file.path, "path")])
        #expect(model.press(.character("y")) == [.copy("https://photos.example/7", "page address")])
        #expect(model.press(.character("x")) == [])
        model.hasCommand = true
        #expect(model.press(.character("x")) == [.run(file)])
        #expect(model.press(.character("d")) == [])
        #expect(model.notice?.isError == true)
        let own = URL(filePath: "/photos/7.jpg")
        let photo = ScreenState.entry(of: "folder", own)
        model.cursor.current = photo
        #expect(
            model.press(.character("d")) == [] && model.prompt == .trash([.init(photo: photo, file: own)]))
        #expect(ScreenState.lines(model).last == "Move '7.jpg' to the trash? (y/n)")
        #expect(model.press(.character("n")) == [] && model.prompt == nil)
        _ = model.press(.character("d"))
        #expect(model.press(.character("y")) == [.trash([.init(photo: photo, file: own)])])
        #expect(model.took(toTrash: .init(notice: .init(text: "No.", isError: true))) == [])
        let other = ScreenState.entry(of: "folder", URL(filePath: "/photos/8.jpg"))
        let gone = IndexedPhoto(
            index: 8, photo: Photo(id: PhotoID(service: "folder", value: "8.jpg"), title: "8"))
        let done = BrowseModel.Notice(text: "Done.")
        #expect(
            model.took(toTrash: .init(items: [.init(photo: gone, file: own)], notice: done)) == []
                && other != gone)
        let item = Trash.Item(photo: photo, file: own)
        #expect(model.took(toTrash: .init(items: [item], notice: done)) == [.move(1)])
        #expect(model.notice?.text == "Done.")
        for key in ["d", "v", "Y", "x"] as [Character] {
            #expect(model.press(.character(key)) == [] && model.prompt == nil)
            #expect(model.notice?.text == "The photo's file is in the trash.")
        }
    }

    @Test func `keys about the file bring the full-size one where another one is shown, or none`() {
        var model = ScreenState.model()
        model.hasCommand = true
        let photo = ScreenState.entry(7)
        for picture in [PhotoCursorState.Picture.ready(ScreenState.file(7)), .waiting] {
            (model.cursor.picture, model.cursor.isFull) = (picture, false)
            #expect(model.press(.character("v")) == [.bring(photo, .view)])
            #expect(model.press(.character("x")) == [.bring(photo, .run)])
            #expect(model.press(.character("Y")) == [.bring(photo, .copy)])
        }
        // A file in a folder is there.
        let own = URL(filePath: "/photos/7.jpg")
        model.cursor.current = ScreenState.entry(of: "folder", own)
        #expect(model.press(.character("v")) == [.view(own)])
        #expect(FileUse.copy.action(own) == .copy("/photos/7.jpg", "path"))
        #expect(FileUse.run.action(own) == .run(own))
    }

    @Test func `a bundled photo is not the user's file, and cannot go to the trash`() {
        var model = ScreenState.model()
        model.cursor.current = ScreenState.entry(of: "sample", URL(filePath: "/usr/share/gallery/7.jpg"))
        #expect(model.press(.character("d")) == [] && model.prompt == nil)
        #expect(model.notice?.isError == true)
    }

    @Test func `the slideshow goes on once a photo was seen, and only its last timer counts`() {
        var model = ScreenState.model()
        #expect(model.press(.character("S")) == [.waitForSlide(1)] && model.slideshow.isPlaying)
        #expect(model.endSlide(1) == [.waitForSlide(1), .move(1)])
        model.cursor.picture = .waiting
        #expect(model.endSlide(1) == [.waitForSlide(1)])
        #expect(model.press(.character("S")) == [] && !model.slideshow.isPlaying)
        #expect(model.press(.character("S")) == [.waitForSlide(3)])
        #expect(model.endSlide(1) == [])
        model.cursor.edge = .last
        #expect(model.endSlide(3) == [] && !model.slideshow.isPlaying)
        #expect(model.notice?.text == "The slideshow is over.")
    }

    @Test func `a thumbnail stands in for a file that is on its way, and for one that is not painted yet`()
        throws
    {
        var model = ScreenState.model()
        let thumbnail = URL(filePath: "/cache/t7.jpg")
        model.thumbnails[ScreenState.entry(7).photo.id] = thumbnail
        model.cursor.picture = .waiting
        #expect(model.frame.pictures.map(\.file) == [thumbnail])
        let waiting = model.frame.pictures
        model.cursor.picture = .ready(ScreenState.file(7))
        let frame = model.frame
        #expect(frame.pictures.map(\.file) == [ScreenState.file(7).url])
        // The very same picture, so that it stays on the screen.
        let picture = try #require(frame.pictures.first)
        #expect(frame.standIn(for: picture) == waiting.first)
    }

    @Test func `the file before stands in for a larger one in the very same part`() throws {
        var model = ScreenState.model()
        model.zooms = true
        model.thumbnails[ScreenState.entry(7).photo.id] = URL(filePath: "/cache/t7.jpg")
        _ = model.press(.character("+"))
        let before = try #require(model.frame.pictures.first)
        #expect(model.frame.standIn(for: before) == before.whole)
        model.cursor.smaller = ScreenState.file(7)
        model.cursor.picture = .ready(ScreenState.file(8))
        let frame = model.frame
        let larger = try #require(frame.pictures.first)
        #expect(larger.file == ScreenState.file(8).url && larger.part == before.part)
        #expect(frame.standIn(for: larger) == before && frame.uses(before))
    }

    @Test func `the full bar goes away`() {
        var model = ScreenState.model()
        #expect(model.shown.contains("100 %"))
        model.settledPhoto = ScreenState.entry(7).photo.id
        #expect(!model.shown.contains("100 %"))
    }

    // MARK: - Ratings and lists

    @Test func `digits rate, u steps back through ratings, and both are shown`() {
        var model = ScreenState.model()
        #expect(model.press(.character("4")) == [.rate([ScreenState.entry(7)], 4)])
        #expect(model.shown.contains("4/5") && model.notice?.text == "4 stars. u takes it back.")
        #expect(model.press(.character("2")) == [.rate([ScreenState.entry(7)], 2)])
        #expect(model.press(.character("u")) == [.rate([ScreenState.entry(7)], 4)])
        #expect(model.shown.contains("4/5"))
        #expect(model.press(.character("u")) == [.rate([ScreenState.entry(7)], 0)])
        #expect(model.notice?.text == "No stars." && model.press(.character("u")) == [])
        // What follows a rating acts.
        _ = model.press(.character("3"))
        #expect(model.press(.right) == [.move(1)])
        #expect(model.press(.character("0")) == [.rate([ScreenState.entry(7)], 0)])
        #expect(!model.shown.contains("/5"))
        #expect(model.press(.character("6")) == [])
        model.zooms = true
        _ = model.press(.character("+"))
        #expect(model.press(.character("1")) == [] && model.press(.character("3")) == [])
        model = ScreenState.model()
        #expect(model.press(.character("u")) == [] && model.notice?.text == "Nothing was rated yet.")
    }

    @Test func `a rating goes on to the next photo where that was asked for, and u names another one`() {
        var model = ScreenState.model()
        model.advances = true
        #expect(model.press(.character("4")) == [.rate([ScreenState.entry(7)], 4), .move(1)])
        model.cursor.current = ScreenState.entry(8)
        #expect(model.press(.character("u")) == [.rate([ScreenState.entry(7)], 0)])
        #expect(model.notice?.text == "No stars for 'Photo 7'.")
        model = ScreenState.model()
        (model.advances, model.mode, model.grid.selected) = (true, .grid, 7)
        _ = model.press(.character("2"))
        #expect(model.grid.selected == 8)
    }

    @Test func `M asks for a list`() throws {
        var model = ScreenState.model()
        let trip = try #require(MarkListName("trip"))
        for key in "Mtrip" { #expect(model.press(.character(key)) == []) }
        #expect(model.shown.contains("Mark into the list: trip_"))
        #expect(model.press(.enter) == [.choose(trip)])
        for key in "M../x" { _ = model.press(.character(key)) }
        #expect(model.press(.enter) == [] && model.notice?.isError == true)
        _ = model.press(.character("M"))
        #expect(model.press(.enter) == [.choose(nil)])
        model.mark(into: nil, [ScreenState.entry(7).photo])
        #expect(model.press(.character("m")) == [.mark([ScreenState.entry(7)], false)])
    }

    // MARK: - Zoom

    @Test func `the arrows move what is enlarged, and go on to other photos else`() {
        var model = ScreenState.model()
        model.zooms = true
        for key in "++++++" { #expect(model.press(.character(key)) == []) }
        for key in [Key.right, .down, .right, .up] { #expect(model.press(key) == []) }
        #expect(
            model.shown.hasSuffix(
                """
                ? help  g go to  i details  f fetch  m mar… popular · sample
                <7.jpg 60×8 at 2,1 8.0× at 0.65625,0.5>
                """), "\(model.shown)")
        #expect(model.press(.character("0")) == [])
        #expect(model.shown.hasSuffix("<7.jpg 60×8 at 2,1>"))
        #expect(model.press(.right) == [.move(1)])
    }

    @Test func `1 shows a pixel for a pixel, w the width, and the wheel zooms what is enlarged`() throws {
        var model = ScreenState.model(columns: 60, rows: 12)
        model.zooms = true
        // 640 pixels over 25 columns of 8.
        _ = model.press(.character("Z"))
        let whole = PictureFit(
            try #require(PixelSize(width: 640, height: 427)), in: model.photoBox, cell: .usual)
        #expect(model.viewport.factor == 640 / Double(whole.width))
        #expect(model.notice?.text == "Shown at 100 %. Arrows pan; 0 resets.")
        _ = model.press(.character("w"))
        #expect(model.viewport.factor == Double(60 * 8) / Double(whole.width))
        let former = model.viewport.factor
        #expect(model.press(.wheelUp) == [] && model.viewport.factor > former)
        _ = model.press(.wheelDown)
        #expect(model.viewport.factor <= former)
        _ = model.press(.character("0"))
        #expect(model.press(.wheelDown) == [.move(1)])
    }

    @Test func `a photo with fewer pixels than the window is not enlarged, but by whole numbers`() throws {
        var model = ScreenState.model(columns: 60, rows: 12)
        model.zooms = true
        let size = try #require(PixelSize(width: 50, height: 20))
        model.cursor.current = IndexedPhoto(
            index: 7, photo: Photo(id: ScreenState.entry(7).photo.id, title: "7", size: size))
        #expect(model.photoBox.natural == CellCount(columns: 7, rows: 2))
        let fit = PictureFit(size, inFitted: model.photoBox, cell: .usual)
        #expect(fit.isExact && (fit.columns, fit.rows, fit.width, fit.height) == (7, 2, 50, 20))
        for factor in [2.0, 3, 4] {
            _ = model.press(.character("+"))
            #expect(model.viewport.factor == factor)
        }
        let view = PictureView(of: size, through: model.viewport, in: model.photoBox, cell: .usual)
        #expect((view.columns, view.rows, view.width, view.height) == (25, 5, 1, 1))
        _ = model.press(.character("1"))
        #expect(!model.viewport.isZoomed && model.notice?.text == "Shown at 100 %.")
        // What stands in for it is as large as it.
        let thumbnail = try #require(PixelSize(width: 25, height: 10))
        let small = PictureFit(thumbnail, inFitted: model.photoBox, cell: .usual)
        #expect((small.columns, small.rows) == (7, 2) || small.columns <= 7 && small.rows <= 2)
    }

    @Test func `how large it is stands below until the next key`() {
        var model = ScreenState.model()
        model.zooms = true
        _ = model.press(.character("+"))
        #expect(model.shown.contains("Zoom 1.5×. Arrows pan; 0 resets."))
        _ = model.press(.right)
        #expect(!model.shown.contains("Zoom"))
        _ = model.press(.escape)
        #expect(!model.viewport.isZoomed && model.mode == .photo)
    }

    @Test(arguments: ["+", "-"])
    func `where the terminal cannot zoom, a line says what to press`(key: Character) {
        var model = ScreenState.model()
        #expect(model.press(.character(key)) == [])
        #expect(model.notice?.text == "This terminal cannot zoom; press v to open the file in a viewer.")
        #expect(model.part == .whole)
        model.zooms = true
        model.cursor.picture = .waiting
        #expect(model.press(.character(key)) == [])
        #expect(model.notice?.text == "The photo's file is not loaded yet.")
    }

    @Test func `next and previous, details and the grid work while it is enlarged`() {
        var model = ScreenState.model()
        model.zooms = true
        _ = model.press(.character("+"))
        #expect(model.press(.character("n")) == [.move(1)] && model.press(.character("p")) == [.move(-1)])
        _ = model.press(.character("i"))
        #expect(model.shown.contains("Author") && model.shown.contains("1.5×"))
        _ = model.press(.tab)
        #expect(!model.viewport.isZoomed)
    }

    // MARK: - Animations

    private func animated() throws -> BrowseModel {
        var model = ScreenState.model()
        let timeline = try #require(AnimationTimeline(delays: [100, 100, 100]))
        model.animation.playback = Playback(file: ScreenState.file(7).url, timeline: timeline)
        model.animation.playback?.frame = 2
        return model
    }

    @Test func `p pauses an animation, and goes back otherwise`() throws {
        var model = try animated()
        #expect(model.shown.hasSuffix("<7.jpg 60×8 at 2,1 frame 2>") && model.isAnimating)
        #expect(model.press(.character("p")) == [])
        #expect(model.shown.hasSuffix("frame 2>") && !model.isAnimating)
        #expect(model.press(.character("p")) == [])
        #expect(model.isAnimating)
        #expect(model.press(.character("h")) == [.move(-1)])
        model.animation.playback = nil
        #expect(model.press(.character("p")) == [.move(-1)])
    }

    @Test(arguments: [Key.character("i"), .character("?"), .tab, .character("+")])
    func `an animation stops while something else is looked at`(key: Key) throws {
        var model = try animated()
        model.zooms = true
        _ = model.press(key)
        #expect(!model.isAnimating)
        _ = model.press(key == .character("?") ? key : .escape)
        #expect(model.isAnimating)
    }

    @Test func `an animation is that of one file`() throws {
        var model = try animated()
        model.cursor.picture = .ready(ScreenState.file(8))
        #expect(!model.isAnimating && model.part == .whole)
        model.cursor.picture = .waiting
        #expect(!model.isAnimating && model.part == .whole)
    }
}

extension BrowseAction {
    fileprivate var isTrash: Bool { if case .trash = self { true } else { false } }
}

import Foundation
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

struct PhotoFrameTests {
    @Test func `a photo stands between its title and the bars`() {
        #expect(
            ScreenState.model().shown == """
                Photo 7  Grace Hopper                                7 of 40








                photo ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  1 MB

                ? help  g go to  i details  f fetch  m mar… popular · sample
                <7.jpg 60×8 at 2,1>
                """)
    }

    @Test func `the bars have their place, and a spinner until the size is known`() {
        var model = ScreenState.model(columns: 44, rows: 7)
        model.marks = [ScreenState.entry(7).photo.id]
        model.cursor.picture = .loading(.init(received: 300_000, expected: 1_000_000))
        model.cursor.preload = .init(received: 0, expected: nil)
        model.notice = .init(text: "Marked.")
        #expect(
            model.shown == """
                Photo 7  Grace Hopper              * 7 of 40



                photo ━━━━━━────────────────  30 %  1 MB
                next  ⠋
                Marked.
                """)
        #expect(!model.isSpinning)
        model.cursor.picture = .waiting
        #expect(model.isSpinning)
    }

    @Test func `a file on this machine needs no bar`() throws {
        var model = ScreenState.model()
        #expect(model.shown.contains("━"))
        let own = try #require(URL(string: "file:///photos/7.jpg"))
        model.cursor.current = IndexedPhoto(
            index: 7,
            photo: Photo(
                id: PhotoID(service: "folder", value: "7.jpg"), title: "7",
                full: Rendition(url: own, size: nil)))
        #expect(!model.shown.contains("━"))
    }

    @Test func `files of one stem are told apart, and what was named is called by its name`() {
        var model = ScreenState.model()
        for (title, shown) in [("7", "7.jpg"), ("Sunset", "Sunset")] {
            model.cursor.current = IndexedPhoto(
                index: 7,
                photo: Photo(
                    id: PhotoID(service: "folder", value: "7.jpg"), title: title,
                    full: Rendition(url: URL(filePath: "/photos/7.jpg"), size: nil)))
            #expect(ScreenState.lines(model)[0].hasPrefix("\(shown)  "))
        }
    }

    @Test func `who waits for two seconds is told why, and what to press`() {
        var model = ScreenState.model()
        (model.cursor.current, model.cursor.run) = (nil, [])
        model.spinner.waited = 19
        #expect(!model.shown.contains("Press r"))
        model.spinner.waited = 20
        #expect(model.shown.contains("There is no answer yet. Press r to ask again at once."))
        model.spinner.reason = "'photos.example' failed with status 500"
        #expect(model.shown.contains("'photos.example' failed with status 500. Press r"))
        model = ScreenState.model()
        (model.cursor.picture, model.spinner.waited) = (.waiting, 20)
        #expect(ScreenState.lines(model).last == "⠋ There is no answer yet. Press r to ask again at once.")
    }

    @Test func `what is to be said of a picture stands below it`() {
        var model = ScreenState.model()
        model.notes.remarks[ScreenState.file(7).url] = "The colors may be wrong."
        #expect(ScreenState.lines(model).last == "The colors may be wrong.")
        model.cursor.picture = .ready(ScreenState.file(8))
        #expect(ScreenState.lines(model).last?.hasPrefix("? help") == true)
    }

    @Test func `the picture before stays until there is something of the next one`() {
        var model = ScreenState.model()
        model.cursor.picture = .waiting
        #expect(model.frame.held.isEmpty)
        model.heldPhoto = ScreenState.entry(7).photo.id
        #expect(model.frame.held == [model.photoBox])
        model.heldPhoto = nil
        model.cursor.current = ScreenState.entry(of: "folder", URL(filePath: "/photos/7.jpg"))
        #expect(!model.frame.held.isEmpty)
    }

    @Test func `a photo in the trash says so until the feed is listed again`() {
        var model = ScreenState.model(columns: 44, rows: 7)
        _ = model.took(toTrash: .gone(ScreenState.entry(7)))
        let header = model.shown.split(separator: "\n")[0]
        #expect(header == "Photo 7  Grace Hopper  in the trash  7 of 40")
    }

    @Test func `details stand below, and leave the picture its half`() {
        var model = ScreenState.model(columns: 40, rows: 14)
        model.sidePanel.isShown = true
        #expect(
            model.shown == """
                Photo 7  Grace Hopper            7 of 40





                Author       Grace Hopper (grace)
                Tags         sea, light
                License      CC0 1.0
                Pixels       640×427
                …
                photo ━━━━━━━━━━━━━━━━━━ 100 %  1 MB

                ? help  g go to  i det… popular · sample
                <7.jpg 40×5 at 2,1>
                """)
    }

    @Test func `where the picture cannot be shown its details are, and why`() {
        var model = ScreenState.model(columns: 40, rows: 14)
        model.notes.words[ScreenState.file(7).url] = ["Install 'chafa' to see pictures here."]
        let shown = model.shown
        #expect(shown.contains("\nInstall 'chafa' to see pictures here.\n\nAuthor       Grace Hopper"))
        #expect(!shown.contains("<7.jpg"))
        model.sidePanel.isShown = true
        #expect(model.shown == shown)
    }

    @Test func `alone there is nothing but the picture`() {
        var model = ScreenState.model(columns: 30, rows: 8)
        model.mode = .alone
        #expect(model.shown == "\n\n\n\n\n\n\n\n<7.jpg 30×7 at 1,1>")
        model.cursor.picture = .loading(.init(received: 30, expected: 100))
        #expect(model.frame.text[3].contains("30 %"))
        model.prompt = .line(.index, "12")
        #expect(model.frame.text.last == "Go to photo: 12_")
    }

    @Test func `an error stands where the picture would`() {
        var model = ScreenState.model(columns: 30, rows: 10)
        model.cursor.picture = .failed(
            DownloadError.refused(host: "photos.example", status: 503, seconds: nil))
        #expect(
            model.shown == """
                Photo 7  Grace Hopper  7 of 40
                   Error: 'photos.example'
                  answered with status 503.
                 Help: Wait a while, then try
                            again.
                    Press r to try again.



                ? help  g go… popular · sample
                """)
    }

    @Test func `before the first photo, without one, and when it does not come`() {
        var model = BrowseModel(size: .init(columns: 40, rows: 6))
        model.feed = "user grace · 500px"
        #expect(model.frame.text[1].contains("⠋ Loading photos …"))
        #expect(model.isSpinning)
        model.cursor.pageError = .failed(service: "500px", status: 500, reason: "broken\u{1B}[31m")
        #expect(model.frame.text[1].contains("Error: 500px failed with status 500:"))
        #expect(!model.isSpinning)
        #expect(!model.shown.contains("\u{1B}"))
        model.cursor.pageError = nil
        model.cursor.isEmpty = true
        #expect(model.frame.text[1].contains("The feed 'user grace · 500px' has"))
    }

    @Test(arguments: [
        (PhotoCursorState.Edge.first, "This is the first photo."), (.last, "This is the last photo."),
        (.beyond(99), "There is no photo 99: the feed has 40."),
    ])
    func `an end is told at the bottom`(edge: PhotoCursorState.Edge, text: String) {
        var model = ScreenState.model()
        model.cursor.edge = edge
        #expect(model.frame.text.last == text)
    }

    @Test func `the keys are all there in a window of 80 by 24, and in a lower one`() {
        var model = ScreenState.model(columns: 80, rows: 24)
        model.helpPage = 0
        let keys = ["→ ↓ space n", "Home End", "Backspace", "Tab", "Ctrl-Z", "q            quit"]
        for key in keys { #expect(model.shown.contains(key)) }
        #expect(!model.shown.contains("…"))
        // On pages, where the window is low or narrow.
        for (columns, rows) in [(80, 12), (40, 24), (20, 5)] {
            model.size = .init(columns: columns, rows: rows)
            var (shown, pages) = ("", 0)
            model.helpPage = 0
            while model.helpPage != nil {
                shown += model.shown
                pages += 1
                _ = model.press(.down)
            }
            #expect(pages > 1 && model.helpPage == nil)
            for key in keys { #expect(shown.contains(key.prefix(columns - 1))) }
        }
        _ = model.press(.character("?"))
        _ = model.press(.down)
        _ = model.press(.up)
        #expect(model.helpPage == 0)
    }

    @Test func `details stand beside the picture where that leaves more of it`() throws {
        var model = ScreenState.model(columns: 100, rows: 30)
        model.sidePanel.isShown = true
        #expect(model.shown.contains("<7.jpg 66×26 at 2,1>"))
        #expect(
            model.frame.text[1] == String(repeating: " ", count: 67) + "Author       Grace Hopper (grace)")
        // A panorama is larger above them.
        let wide = try #require(PixelSize(width: 4000, height: 500))
        model.cursor.current = IndexedPhoto(
            index: 7, photo: Photo(id: ScreenState.entry(7).photo.id, title: "7", size: wide))
        #expect(model.shown.contains("<7.jpg 100×23 at 2,1>"))
    }

    @Test(
        arguments: [
            (nil, nil, nil), (1280, 6000, "1280 of 6000 px"), (6000, 6000, "6000 px"), (640, nil, "640 px"),
            (900, 600, "900 px"),
        ] as [(Int?, Int?, String?)])
    func `the status line says how much of the photo is shown`(shown: Int?, photo: Int?, text: String?) {
        func size(_ edge: Int?) -> PixelSize? { PixelSize(width: edge, height: edge) }
        var model = ScreenState.model(columns: 100)
        let url = URL(filePath: "/7.jpg")
        model.cursor.current = IndexedPhoto(
            index: 7,
            photo: Photo(
                id: PhotoID(service: "sample", value: "7"), title: "7", size: size(photo),
                thumbnail: Rendition(url: url, size: size(330))))
        model.cursor.isFull = false
        model.cursor.rendition = shown.map { Rendition(url: url, size: size($0)) }
        let last = model.frame.text.last ?? ""
        #expect(last.hasSuffix(" \(text ?? "?")  popular · sample") == (text != nil), "\(last)")
        #expect(last.contains("px") == (text != nil))
        model.cursor.picture = .waiting
        #expect(model.frame.text.last?.contains("px") == false)
        model.thumbnails[PhotoID(service: "sample", value: "7")] = url
        #expect(model.frame.text.last?.contains("330 ") == true)
        // The full-size file is what it is, whatever the service says of the photo.
        model.cursor.picture = .ready(ScreenState.file(7))
        model.cursor.isFull = true
        #expect(model.frame.text.last?.contains(" of ") == false)
        _ = model.press(.tab)
        #expect(model.frame.text.last?.contains("px") == false)
    }

    @Test func `a larger file on its way is told above the line`() {
        var model = ScreenState.model()
        model.settledPhoto = ScreenState.entry(7).photo.id
        model.cursor.larger = .init(received: 1_000_000, expected: 4_000_000)
        #expect(model.shown.contains("photo ━") && model.shown.contains(" 25 %"))
        #expect(!model.isSpinning)
        model.cursor.larger = .init(received: 0, expected: nil)
        #expect(model.isSpinning)
    }

    @Test func `the files that photos are looked at in fill the window`() {
        var model = ScreenState.model(columns: 150, rows: 50)
        model.resolution = .usual
        #expect(PixelSize(width: 1200, height: 800).map { .filling($0) } == model.viewSize)
        model.resolution = .character
        #expect(PixelSize(width: 300, height: 200).map { .filling($0) } == model.viewSize)
        model.fileSize = .pixels(700)
        #expect(model.viewSize == .file(.pixels(700)))
    }

    @Test func `no line is wider than its window, whatever the titles`() {
        let hostile = "\u{1B}]0;owned\u{7}\u{202E}世界" + String(repeating: "広い世界 ", count: 40)
        for columns in [1, 7, 19, 20, 21, 33, 79, 80, 200] {
            for rows in [1, 5, 6, 9, 24, 60] {
                for mode in [BrowseModel.Mode.photo, .alone, .grid] {
                    var model = ScreenState.model(columns: columns, rows: rows)
                    let photo = Photo(
                        id: PhotoID(service: "sample", value: "1"), title: hostile,
                        author: Author(name: hostile), description: hostile)
                    model.cursor.current = IndexedPhoto(index: 1, photo: photo)
                    model.cursor.run = [IndexedPhoto(index: 1, photo: photo)]
                    model.mode = mode
                    model.sidePanel.isShown = true
                    model.notice = .init(text: hostile)
                    let frame = model.frame
                    #expect(frame.lines.count == rows)
                    #expect(frame.text.allSatisfy { DisplayWidth.usual.of($0) <= columns })
                    #expect(
                        !frame.text.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }
                    )
                }
            }
        }
    }
}

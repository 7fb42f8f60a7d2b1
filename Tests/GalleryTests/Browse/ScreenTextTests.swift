import Foundation
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

struct ScreenTextTests {
    private func frame(_ model: BrowseModel, isColored: Bool = false) -> Frame {
        var model = model
        model.isColored = isColored
        return model.frame
    }

    @Test func `only lines that changed are drawn`() {
        var model = ScreenState.model()
        let before = frame(model)
        #expect(ScreenText.update(from: before, to: before) == "")
        model.notice = .init(text: "Marked.")
        let update = ScreenText.update(from: before, to: frame(model))
        // `? help  g …` becomes `Marked.`: every column differs but those of spaces in both.
        #expect(update.hasPrefix("\u{1B}[?2026h\u{1B}[12;1H\u{1B}[0mMarked."))
        #expect(update.hasSuffix("\u{1B}[0m\u{1B}[?2026l"))
        var terminal = TerminalPicture(columns: 60, rows: 12)
        terminal.take(Data((ScreenText.update(from: nil, to: before) + update).utf8))
        #expect(terminal.lines == ScreenState.lines(model))
    }

    @Test func `a screen has the same columns in ASCII`() {
        var model = ScreenState.model()
        model.notice = .init(text: "世界 Überfluß …")
        let drawn = model.frame
        model.readsUTF8 = false
        let frame = model.frame
        let text = ScreenText.update(from: nil, to: frame)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(frame.lines.map(\.count) == drawn.lines.map(\.count))
        #expect(frame.text.last == "???? Uberflus ~")
        #expect(!frame.text.joined().contains("━") && drawn.text.joined().contains("━"))
    }

    @Test func `columns that stay are not written over, and wide characters stay whole`() {
        var model = ScreenState.model()
        model.notice = .init(text: "世界 a 世界")
        let before = frame(model)
        model.notice = .init(text: "世界 b 世x世")
        let update = ScreenText.update(from: before, to: frame(model))
        #expect(update.contains("\u{1B}[12;6H\u{1B}[0mb\u{1B}[12;10H\u{1B}[0mx世"))
        #expect(!update.contains("世界"))
    }

    @Test(arguments: [true, false])
    func `of a title whose columns terminals count differently nothing remains`(countsCodePoints: Bool) {
        var model = ScreenState.model()
        var terminal = TerminalPicture(columns: 60, rows: 12)
        terminal.countsCodePoints = countsCodePoints
        var shown: Frame?
        for title in ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "กำกำกำกำ x", "क्षिक्षिक्षि", "🇩🇪🇫🇷 ❤️", "ᄒᆞᆫ글", "Photo"] {
            model.cursor.current = IndexedPhoto(
                index: 7, photo: Photo(id: ScreenState.entry(7).photo.id, title: title))
            let next = frame(model)
            terminal.take(Data(ScreenText.update(from: shown, to: next).utf8), isNew: true)
            shown = next
            #expect(terminal.lines[0].hasSuffix(" 7 of 40"), "\(terminal.lines[0])")
        }
        #expect(terminal.lines == ScreenState.lines(model))
    }

    @Test(arguments: [true, false])
    func `joined emoji have the columns that the terminal told of`(joins: Bool) {
        var model = ScreenState.model()
        if !joins { model.widths = .init(joinsEmoji: false, joinsLetters: false, vowelSign: 1) }
        model.cursor.current = IndexedPhoto(
            index: 7, photo: Photo(id: ScreenState.entry(7).photo.id, title: "👩‍👩‍👧‍👦 क्षि กำ x"))
        let cells = model.frame.lines[0]
        let expected = joins ? [0, 3, 5, 8] : [0, 9, 13, 16]
        let columns = ["👩‍👩‍👧‍👦", "क्षि", "กำ", "x"].map { text in cells.firstIndex { $0.text == text } }
        #expect(columns == expected)
        var terminal = TerminalPicture(columns: 60, rows: 12)
        terminal.countsCodePoints = !joins
        terminal.take(Data(ScreenText.update(from: nil, to: model.frame).utf8), isNew: true)
        #expect(terminal.lines[0].hasSuffix(" 7 of 40"))
        #expect(joins || terminal.lines[0].unicodeScalars.contains("👦"))
    }

    @Test func `the frame that moves from cell to cell leaves the thumbnails alone`() {
        var model = ScreenState.model(columns: 60, rows: 20)
        model.mode = .grid
        for index in 1...4 {
            model.thumbnails[ScreenState.entry(index).photo.id] = URL(filePath: "/t\(index)")
        }
        model.grid.selected = 1
        _ = model.scroll()
        var shown = frame(model, isColored: true)
        // Stands for the pixels of a terminal in which text erases them.
        var terminal = TerminalPicture(columns: 60, rows: 20)
        func paint(_ terminal: inout TerminalPicture) {
            for picture in shown.pictures { terminal.fill(picture.box, with: "#") }
        }
        paint(&terminal)
        let untouched = terminal
        for key in [Key.right, .down, .left, .up, .right] {
            _ = model.press(key)
            let next = frame(model, isColored: true)
            terminal.take(Data(ScreenText.update(from: shown, to: next).utf8), isNew: true)
            shown = next
            for picture in shown.pictures {
                #expect(terminal.cells(of: picture.box) == untouched.cells(of: picture.box))
            }
        }
    }

    @Test func `a screen of unknown state is cleared and drawn whole`() {
        let update = ScreenText.update(from: nil, to: frame(ScreenState.model()))
        #expect(update.contains("\u{1B}[2J"))
        for row in 1...12 { #expect(update.contains("\u{1B}[\(row);1H")) }
    }

    @Test func `without colors there are none, and by day others than by night`() {
        var model = ScreenState.model()
        #expect(!ScreenText.update(from: nil, to: frame(model)).contains("38;5"))
        let night = ScreenText.update(from: nil, to: frame(model, isColored: true))
        #expect(night.contains("48;5;234") && night.contains("38;5;39;48;5;234m━"))
        model.theme = .day
        #expect(ScreenText.update(from: nil, to: frame(model, isColored: true)).contains("48;5;231"))
    }

    @Test func `a picture's place is blanked inside the window`() {
        let box = PictureBox(columns: 100, rows: 3, origin: .init(row: 11, column: 50))
        let text = ScreenText.blank(box, frame(ScreenState.model()))
        let spaces = String(repeating: " ", count: 11)
        #expect(text == "\u{1B}[0m\u{1B}[11;50H\(spaces)\u{1B}[12;50H\(spaces)\u{1B}[0m")
    }
}

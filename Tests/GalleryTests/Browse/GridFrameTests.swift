import Foundation
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

struct GridFrameTests {
    private func grid(columns: Int, rows: Int, selected: Int) -> BrowseModel {
        var model = ScreenState.model(columns: columns, rows: rows)
        model.mode = .grid
        model.grid.selected = selected
        return model
    }

    @Test func `without pictures it is a list in columns, and brackets tell the selected one`() {
        var model = grid(columns: 50, rows: 8, selected: 7)
        model.paints = false
        model.marks = [ScreenState.entry(6).photo.id]
        _ = model.took(toTrash: .gone(ScreenState.entry(4)))
        model.notice = nil
        _ = model.scroll()
        #expect(
            model.shown == """
                popular · sample                           7 of 40
                 3 Photo 3                4 in the trash
                   Grace Hopper             Grace Hopper
                 5 Photo 5                6* Photo 6
                   Grace Hopper             Grace Hopper
                [7 Photo 7]               8 Photo 8
                   Grace Hopper             Grace Hopper
                ? help  g go to  i details  f fe… popular · sample
                """)
    }

    @Test func `thumbnails stand above their titles`() {
        var model = grid(columns: 60, rows: 20, selected: 2)
        for index in [1, 2, 40] {
            model.thumbnails[ScreenState.entry(index).photo.id] = URL(filePath: "/cache/t\(index).jpg")
        }
        _ = model.scroll()
        #expect(
            model.shown == """
                popular · sample                                     2 of 40
                                              ┌───────────────────────────┐
                                              │                           │
                                              │                           │
                                              │                           │
                                              │                           │
                                              │                           │
                                              │                           │
                          1 Photo 1           │         2 Photo 2         │
                                              └───────────────────────────┘






                          3 Photo 3                     4 Photo 4


                ? help  g go to  i details  f fetch  m mar… popular · sample
                <t1.jpg 18×6 at 3,6>
                <t2.jpg 18×6 at 3,36>
                """)
    }

    @Test func `titles stand in one line whatever the pictures' shapes`() {
        var model = grid(columns: 60, rows: 20, selected: 9)
        for (index, size) in [(1, (100, 900)), (2, (900, 100))] {
            let photo = model.cursor.run[index - 1].photo
            model.cursor.run[index - 1] = IndexedPhoto(
                index: index,
                photo: Photo(id: photo.id, title: "P", size: PixelSize(width: size.0, height: size.1)))
        }
        let lines = ScreenState.lines(model)
        #expect(lines.filter { $0.contains("1 P") && $0.contains("2 P") }.count == 1)
    }

    @Test(arguments: [(4, 2, 2), (12, 4, 3), (14, 5, 3), (1, 1, 1)])
    func `a few photos fill the window`(count: Int, columns: Int, rows: Int) {
        let model = ScreenState.model(columns: 140, rows: 50, index: 1, count: count)
        let shape = model.gridShape
        #expect((shape.columns, shape.rows) == (columns, rows))
        #expect(shape.width * columns > 130 && shape.height * rows > 44)
    }

    @Test func `a picture that cannot be read says so in its cell`() {
        var model = grid(columns: 96, rows: 24, selected: 1)
        model.unreadable = [model.cursor.run[0].photo.id]
        let broken = URL(filePath: "/t2")
        model.thumbnails[model.cursor.run[1].photo.id] = broken
        model.notes.words[broken] = ["chafa could not read the picture."]
        let line = ScreenState.lines(model).first { $0.contains("cannot be read") } ?? ""
        #expect(line.hasPrefix("│") && line.components(separatedBy: "cannot be read").count == 3)
        #expect(model.frame.pictures.isEmpty)
    }

    @Test func `a page down shows the next page, and a page up the one before`() {
        var model = grid(columns: 96, rows: 24, selected: 1)
        let rows = model.gridShape.rows
        for top in [rows, 2 * rows] {
            _ = model.press(.pageDown)
            #expect(model.grid.top == top)
        }
        _ = model.press(.pageUp)
        #expect(model.grid.top == rows && model.grid.selected == 1 + rows * model.gridShape.columns)
    }

    @Test func `a title that is cut leaves the frame as it is`() {
        var model = grid(columns: 60, rows: 20, selected: 2)
        model.cursor.run[1] = IndexedPhoto(
            index: 2,
            photo: Photo(id: model.cursor.run[1].photo.id, title: String(repeating: "long 世界 ", count: 9)))
        _ = model.scroll()
        let lines = ScreenState.lines(model).filter {
            $0.contains("│") || $0.contains("┐") || $0.contains("┘")
        }
        #expect(lines.count > 3)
        for line in lines { #expect(DisplayWidth.usual.of(line) == 59) }
    }

    @Test func `only thumbnails in view are asked for, those about to scroll in last`() {
        var model = grid(columns: 96, rows: 24, selected: 20)
        _ = model.scroll()
        #expect(model.gridShape == GridShape(in: model.size, columns: nil, paints: true))
        #expect(model.gridShape.columns == 4)
        #expect(model.gridShape.rows == 2)
        #expect(model.thumbnailsWanted.map(\.index) == Array(13...24))
        model.mode = .photo
        // The current one first, then its neighbors.
        #expect(model.thumbnailsWanted.map(\.index) == [7, 8, 9, 6])
        model.paints = false
        #expect(model.thumbnailsWanted.isEmpty)
    }

    @Test(arguments: [
        (200, nil, 8), (80, nil, 3), (20, nil, 1), (80, 5, 5), (80, 500, 10), (20, 3, 2),
    ])
    func `as many columns as fit, or as somebody says`(width: Int, wanted: Int?, columns: Int) {
        let shape = GridShape(in: .init(columns: width, rows: 24), columns: wanted, paints: true)
        #expect(shape.columns == columns)
    }

    @Test func `rows fill the window, and none is cut`() {
        for columns in [20, 40, 80, 100, 200] {
            for rows in 5...80 {
                let shape = GridShape(in: .init(columns: columns, rows: rows), columns: nil, paints: true)
                let used = shape.rows * shape.height
                #expect(shape.height >= 3 && used <= rows - 2 && used >= rows - 2 - shape.rows)
            }
        }
    }

    @Test func `keys move the selection and keep it in view`() {
        var model = grid(columns: 96, rows: 24, selected: 1)
        let moves: [(Key, Int, Int)] = [
            (.right, 2, 0), (.down, 6, 0), (.down, 10, 1), (.up, 6, 1), (.up, 2, 0), (.left, 1, 0),
            (.pageDown, 9, 2), (.end, 40, 8), (.right, 40, 8), (.home, 1, 0), (.left, 1, 0),
        ]
        for (key, selected, top) in moves {
            _ = model.press(key)
            #expect(model.grid.selected == selected)
            #expect(model.grid.top == top)
        }
        #expect(model.notice?.text == "This is the first photo.")
    }

    @Test func `keys that lead beyond what has come are obeyed once it has`() {
        var model = grid(columns: 96, rows: 24, selected: 19)
        model.cursor.run = (1...20).map(ScreenState.entry)
        model.cursor.isRunToEnd = false
        for _ in 1...3 { _ = model.press(.down) }
        #expect(model.grid.selected == 20)
        model.cursor.run = (1...30).map(ScreenState.entry)
        _ = model.extendGrid()
        #expect(model.grid.selected == 30)
        model.cursor.run = (1...40).map(ScreenState.entry)
        model.cursor.isRunToEnd = true
        _ = model.extendGrid()
        #expect(model.grid.selected == 31)
        #expect(model.grid.overshoot == 0)
    }

    @Test func `Enter opens the selected photo, and coming back the grid stands at the one looked at last`() {
        var model = ScreenState.model(columns: 96, rows: 24)
        #expect(model.press(.tab).first == .rest)
        #expect(model.grid.selected == 7)
        _ = model.press(.right)
        #expect(model.press(.enter) == [.resume, .go(8)])
        #expect(model.mode == .photo)
        model.cursor.current = ScreenState.entry(31)
        _ = model.press(.tab)
        #expect(model.grid.selected == 31)
        #expect(model.press(.tab) == [.resume])
    }

    // MARK: - The strip

    @Test(arguments: [(7, 5...9), (1, 1...5), (2, 1...5), (40, 36...40)])
    func `the strip has the photos around the current one`(index: Int, shown: ClosedRange<Int>) {
        var model = ScreenState.model(columns: 80, rows: 24, index: index)
        let former = model.photoBox
        #expect(model.press(.character("s")) == [])
        let lines = model.frame.text
        #expect(model.photoBox.rows == former.rows - 6 && lines.count == 24)
        let titles = lines[20].replacing("]", with: " ") + " "
        for index in 1...40 { #expect(titles.contains(" Photo \(index) ") == shown.contains(index)) }
        #expect(lines[20].contains("[\(index) Photo \(index)]"))
        // Its thumbnails are loaded, the current one's first.
        let wanted = model.thumbnailsWanted.compactMap(\.index)
        #expect(wanted.first == index && Set(shown).isSubset(of: wanted) && Set(wanted).count == wanted.count)
        model.thumbnails[ScreenState.entry(shown.lowerBound).photo.id] = URL(filePath: "/t.jpg")
        #expect(model.frame.pictures.contains { $0.file.path == "/t.jpg" && $0.box.origin?.row ?? 0 > 15 })
        _ = model.press(.character("s"))
        #expect(model.photoBox == former && !model.shown.contains("t.jpg"))
    }

    @Test func `there is no strip where there is no room, and none beside the grid or the picture alone`() {
        var model = ScreenState.model(columns: 40, rows: 12)
        model.showsStrip = true
        #expect(model.stripShape == nil && model.photoBox.rows == 8)
        model.size = .init(columns: 80, rows: 24)
        #expect(model.stripShape != nil)
        model.mode = .alone
        #expect(model.stripShape == nil)
        model.mode = .photo
        model.paints = false
        #expect(model.stripShape == nil)
    }
}

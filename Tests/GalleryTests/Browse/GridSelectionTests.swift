import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

/// Several photos of the grid: chosen, and acted on together.
struct GridSelectionTests {
    private static func grid(at index: Int = 7) -> BrowseModel {
        var model = ScreenState.model(columns: 80, rows: 24, index: index)
        _ = model.press(.tab)
        return model
    }

    private static func folder() -> BrowseModel {
        var model = grid(at: 1)
        model.cursor.run = (1...40).map { index in
            let file = URL(filePath: "/p/\(index).jpg")
            return IndexedPhoto(
                index: index,
                photo: Photo(
                    id: PhotoID(service: "folder", value: "\(index).jpg"), title: "\(index)",
                    full: Rendition(url: file, size: nil)))
        }
        return model
    }

    private static func press(_ keys: [Key], _ model: inout BrowseModel) -> [BrowseAction] {
        keys.flatMap { model.press($0) }
    }

    @Test(
        arguments: [
            ([.character(" ")], [7]), ([.character(" "), .character(" ")], []),
            ([.character(" "), .right, .character(" ")], [7, 8]),
            ([.character("V"), .right, .right], [7, 8, 9]), ([.character("V"), .left], [6, 7]),
            // A range shrinks again, past where it began too.
            ([.character("V"), .right, .right, .left, .left, .left], [6, 7]),
            ([.character("V"), .right, .character("V"), .right], [7, 8]),
            ([.character("V"), .down], [7, 8, 9, 10]),
            ([.shift(.right), .shift(.right)], [7, 8, 9]),
            // What Shift had selected stays when one moves on without it.
            ([.shift(.right), .right, .right, .shift(.right)], [7, 8, 10, 11]),
            ([.character(" "), .right, .right, .shift(.left)], [7, 8, 9]),
            ([.character("V"), .right, .escape, .right], [7, 8]), ([.character("V"), .escape, .escape], []),
            ([.character("V"), .end], Array(7...40)),
        ] as [([Key], [Int])])
    func `space and ranges select`(keys: [Key], indexes: [Int]) {
        var model = Self.grid()
        _ = Self.press(keys, &model)
        #expect(model.grid.selection.entries.compactMap(\.index) == indexes)
        #expect(model.mode == .grid && model.shown.contains("selected") == !indexes.isEmpty)
    }

    @Test func `what is selected can be told without color, and Escape leaves the grid once nothing is`() {
        var model = Self.grid()
        _ = Self.press([.character(" "), .right], &model)
        #expect(model.shown.contains("» 7 Photo 7") && !model.shown.contains("» 8"))
        #expect(model.press(.escape) == [] && !model.shown.contains("»") && model.mode == .grid)
        #expect(model.press(.escape) == [.resume] && model.mode == .photo)
    }

    @Test func `keys act on all that is selected`() {
        var model = Self.grid()
        _ = Self.press([.shift(.right), .shift(.right)], &model)
        let chosen = [7, 8, 9].map(ScreenState.entry)
        #expect(model.press(.character("f")) == chosen.map { .fetch($0) })
        #expect(model.press(.character("m")) == [.mark(chosen, true)])
        #expect(model.press(.character("m")) == [.mark(chosen, false)])
        model.marks = [chosen[1].photo.id]
        // Those that have none get one first.
        #expect(model.press(.character("m")) == [.mark([chosen[0], chosen[2]], true)])
        #expect(model.press(.character("4")) == [.rate(chosen, 4)])
        #expect(model.notice?.text == "4 stars for 3 photos. u takes it back.")
        #expect(model.press(.character("x")) == [] && model.notice?.isError == true)
        model.hasCommand = true
        #expect(model.press(.character("x")) == chosen.map { .bring($0, .run) })
        // One file at a time is looked at or copied.
        #expect(model.press(.character("Y")) == [.bring(chosen[2], .copy)])
        #expect(model.press(.character("d")) == [] && model.prompt == nil && model.notice?.isError == true)
        // Of one photo, they act on that.
        _ = model.press(.tab)
        #expect(model.press(.character("f")) == [.fetch(ScreenState.entry(7))])
    }

    @Test func `a rating of several is taken back for each`() {
        var model = Self.grid()
        _ = model.press(.character("2"))
        _ = Self.press([.shift(.right), .character("5")], &model)
        let (one, other) = (ScreenState.entry(7), ScreenState.entry(8))
        #expect(model.press(.character("u")) == [.rate([other], 0), .rate([one], 2)])
        #expect(model.stars(of: one.photo) == "2/5" && model.stars(of: other.photo).isEmpty)
        // And then the rating before it.
        #expect(model.press(.character("u")) == [.rate([one], 0)])
    }

    @Test func `files go to the trash together after one question, and come back`() throws {
        var model = Self.folder()
        _ = Self.press([.shift(.right), .character("d")], &model)
        #expect(model.frame.text.last == "Move 2 files to the trash? (y/n)")
        let actions = model.press(.character("y"))
        guard case .trash(let items)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(items.map(\.file.path) == ["/p/1.jpg", "/p/2.jpg"])
        #expect(
            model.press(.character("U")) == [] && model.notice?.text == "Nothing was moved to the trash yet.")
        #expect(model.took(toTrash: .init(items: items, notice: .init(text: "Gone."))) == [])
        #expect(model.grid.selection.isEmpty && model.shown.contains("in the trash"))
        // What is gone already is not asked about again.
        _ = Self.press([.left, .character("V"), .right, .right, .character("d")], &model)
        #expect(model.frame.text.last == "Move '3.jpg' to the trash? (y/n)")
        _ = model.press(.character("n"))
        #expect(model.press(.character("U")) == [.untrash(items)])
        model.tookBack(.init(items: [items[0]], notice: .init(text: "Back.")))
        #expect(model.bin.photos == [items[1].photo.photo.id] && model.bin.last == [items[1]])
    }

    @Test func `what came of several downloads is told at their end`() {
        var model = Self.grid()
        _ = Self.press([.shift(.right), .shift(.right), .character("f")], &model)
        let keys = [7, 8, 9].map { BrowseModel.Download.Key(photo: ScreenState.entry($0).photo.id, use: nil) }
        for key in keys { model.downloads[key] = .init(label: "x") }
        _ = model.downloaded(keys[0], .init(text: "Fetched a"))
        _ = model.downloaded(keys[1], .init(text: "b: no", isError: true))
        #expect(model.downloaded(keys[2], .init(text: "Fetched c")) == [])
        #expect(model.notice == .init(text: "2 fetched or kept, 1 failed. b: no", isError: true))
        _ = model.press(.character("f"))
        for key in keys { model.downloads[key] = .init(label: "x") }
        for key in keys { _ = model.downloaded(key, .init(text: "Fetched x")) }
        #expect(model.notice?.text == "Fetched or kept 3 photos.")
    }

    @Test func `a file comes back from the trash unless another one has its name`() async throws {
        try await withTemporaryDirectory { folder in
            let trash = Trash(environment: ["XDG_DATA_HOME": folder.appending(path: "data").path])
            let items = try ["a.jpg", "b\u{1B}.jpg"].map { name in
                let file = folder.appending(path: name)
                try Data(name.utf8).write(to: file)
                return Trash.Item(photo: ScreenState.entry(of: "folder", file), file: file)
            }
            let moved = await trash.move(items)
            #expect(
                moved.items.count == 2
                    && moved.notice.text == "Moved 2 files to the trash. U takes them back.")
            try Data("new".utf8).write(to: items[0].file)
            let back = await trash.takeBack(moved.items)
            #expect(back.items.map(\.file) == [items[1].file])
            #expect(
                back.notice
                    == .init(
                        text:
                            "Took 'b.jpg' back from the trash. 'a.jpg' cannot be taken back from the trash.",
                        isError: true))
            #expect(try String(contentsOf: items[0].file, encoding: .utf8) == "new")
            #expect(try String(contentsOf: items[1].file, encoding: .utf8) == "b\u{1B}.jpg")
            let notes = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "data/Trash/info").path)
            #expect(notes == ["a.jpg.trashinfo"])
            // Free again, it is taken back; and once only.
            try FileManager.default.removeItem(at: items[0].file)
            #expect(await trash.takeBack([moved.items[0]]).notice.text == "Took 'a.jpg' back from the trash.")
            #expect(await trash.takeBack([moved.items[0]]).notice.isError)
        }
    }
}

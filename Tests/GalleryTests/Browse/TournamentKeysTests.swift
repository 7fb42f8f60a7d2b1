import Curation
import Foundation
import PictureFiles
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

/// The keys of a tournament, and what is on the screen, without a terminal.
struct TournamentKeysTests {
    private static func model(count: Int = 4) -> BrowseModel {
        var model = ScreenState.model(columns: 81, rows: 24, index: 1, count: count)
        model.zooms = true
        return model
    }

    /// The model in a tournament over its photos, of which none is loaded yet.
    private static func contest(count: Int = 4) -> BrowseModel {
        var model = model(count: count)
        let photos = model.cursor.run.map(\.photo)
        let key = TournamentStore.Key(
            feed: .init(service: "sample", base: nil, feed: .feed(.popular())), filter: "", isSelection: false
        )
        let actions = model.enter(Contest(Tournament(of: photos.map(\.id)), key, showing: photos))
        #expect(actions == [.go(1)])
        return model
    }

    /// The file of photo `index` has come.
    private static func show(_ index: Int, _ model: inout BrowseModel) -> [BrowseAction] {
        model.cursor.current = ScreenState.entry(index)
        model.cursor.picture = .ready(ScreenState.file(index))
        return model.pairUp()
    }

    @Test func `keys count once both photos are there, and several in one read but once`() {
        var model = Self.contest()
        #expect(
            ScreenState.lines(model).last == "Loading the next two … · 0 of about 5 choices · rank 1 of 4")
        #expect(model.press(.left) == [])
        #expect(Self.show(1, &model) == [.go(2)])
        #expect(model.press(.left) == [])
        #expect(Self.show(2, &model) == [])
        #expect(model.frame.pictures.map(\.file.lastPathComponent) == ["1.jpg", "2.jpg"])
        #expect(ScreenState.lines(model)[0].hasPrefix("Photo 1  "))
        let boxes = model.frame.pictures.map(\.box.place)
        let actions = model.press(typed: [.right, .right, .character("l"), .left])
        #expect(actions == [.keepTournament, .go(3)] && model.contest?.tournament.choices == 1)
        // What was there stays until the next two are.
        #expect(model.frame.pictures.isEmpty && model.frame.held.map(\.place) == boxes)
    }

    @Test func `who stays at the left is not loaded again, and zoom moves both`() {
        var model = Self.contest(count: 3)
        _ = Self.show(1, &model)
        _ = Self.show(2, &model)
        for key in [Key.character("+"), .character("+"), .right] { #expect(model.press(key) == []) }
        #expect(model.frame.pictures.map(\.part) == [.view(model.viewport), .view(model.viewport)])
        #expect(ScreenState.lines(model).last?.hasPrefix("Which is better? h or l") == true)
        #expect(model.press(.character("h")) == [.keepTournament, .go(3)])
        #expect(!model.viewport.isZoomed)
    }

    @Test func `a photo without a picture is shown as such, and asked for again`() {
        var model = Self.contest()
        model.cursor.current = ScreenState.entry(1)
        model.cursor.picture = .unavailable
        #expect(model.pairUp() == [.go(2)])
        _ = Self.show(2, &model)
        #expect(ScreenState.lines(model).contains { $0.contains("No picture.") })
        #expect(model.press(.character("r")) == [.go(1)])
        model.cursor.current = ScreenState.entry(1)
        model.cursor.picture = .unavailable
        #expect(model.pairUp() == [.retry])
        #expect(Self.show(1, &model) == [.go(2)])
    }

    @Test func `the end asks for a name, and Escape leaves the tournament`() {
        var model = Self.contest(count: 2)
        _ = Self.show(1, &model)
        _ = Self.show(2, &model)
        #expect(model.press(.character("2")) == [.keepTournament, .go(2)])
        // Not `2 of 2`, which would pass for its rank.
        #expect(!ScreenState.lines(model)[0].contains(" of "))
        #expect(model.press(.enter) == [.nameRanking])
        model.prompt = .line(.ranking, "best")
        #expect(ScreenState.lines(model).last == "Keep the ranking as the list: best_")
        #expect(model.press(.enter) == [MarkListName("best").map { .keepRanking($0) }])
        model.prompt = .line(.ranking, "../best")
        #expect(model.press(.enter) == [] && model.notice?.isError == true)
        #expect(model.press(.enter) == [.nameRanking])
        #expect(model.press(.escape) == [.back])
        model.leaveTournament()
        #expect(model.contest == nil && model.pin == nil && model.pressInTournament(.left) == nil)
    }

    @Test func `those that were taken in a row meet first`() {
        func photo(_ id: String, _ second: Double?) -> Photo {
            Photo(
                id: PhotoID(service: "s", value: id), title: id,
                taken: second.map { Date(timeIntervalSince1970: $0) })
        }
        let photos = [
            photo("a", 9), photo("b", nil), photo("c", 1), photo("d", 8), photo("e", nil), photo("f", 1),
        ]
        #expect(Contest.order(of: photos).map(\.id.value) == ["c", "f", "d", "a", "b", "e"])
    }

    @Test func `those that look alike meet before others`() throws {
        // Darker to the right as often as told.
        func sketch(_ steps: Int) throws -> PictureSketch {
            let line = (0..<9).flatMap { column in
                let value = UInt8(100 + (column <= steps ? -column : column) * 10)
                return [value, value, value]
            }
            let lines = Array(repeating: line, count: 8).flatMap(\.self)
            return try #require(PictureSketch(lines, width: 9, height: 8, bytesPerPixel: 3))
        }
        let photos = "abcdefg".map { Photo(id: PhotoID(service: "s", value: String($0)), title: "") }
        let looks = ["b": 8, "c": 0, "d": 4, "f": 1, "g": 8]
        let sketches = try Dictionary(
            uniqueKeysWithValues: looks.map { (PhotoID(service: "s", value: $0), try sketch($1)) })
        #expect(Contest.order(of: photos, sketches).map(\.id.value).joined() == "bgcfade")
    }

    @Test func `it is over what is selected, or all, for which pages are loaded`() {
        var model = Self.model(count: 9)
        #expect(model.press(.character("T")) == [.contend(model.cursor.run, isSelection: false)])
        model.mode = .grid
        model.grid.selected = 3
        for key in [Key.character("V"), .character("l")] { _ = model.press(key) }
        let selected = Array(model.cursor.run[2...3])
        #expect(model.press(.character("T")) == [.contend(selected, isSelection: true)])
        model.mode = .photo
        model.bin.photos = [selected[0].photo.id]
        #expect(model.press(.character("T")).description.contains("contend"))
        model.cursor.isRunToEnd = false
        #expect(model.press(.character("T")) == [.look(beyond: 9, count: 200)])
        #expect(model.extendGrid() == [.look(beyond: 9, count: 200)])
        // Any other key ends the search.
        _ = model.press(.character("t"))
        #expect(model.extendGrid() == [])
        model.cursor.total = 201
        #expect(model.press(.character("T")) == [] && model.notice?.isError == true)
        var one = Self.model(count: 1)
        #expect(one.press(.character("T")) == [] && one.notice?.text == "A tournament needs two photos.")
    }
}

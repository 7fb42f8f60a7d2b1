import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

/// Two photos beside each other.
struct ComparisonTests {
    private static let landscape = PixelSize(width: 3000, height: 2000)
    private static let portrait = PixelSize(width: 2000, height: 3000)
    private static let panorama = PixelSize(width: 8000, height: 1000)

    /// Boxes as `columns×rows+column+row` of what is before them.
    private static func text(_ box: PictureBox) -> String {
        "\(box.columns)x\(box.rows)+\((box.origin?.column ?? 0) - 1)+\((box.origin?.row ?? 0) - 1)"
    }

    /// Cells of 8 by 16 pixels.
    @Test(
        arguments: [
            // A wide window, and most photos.
            (120, 30, landscape, landscape, ["59x30+0+1", "59x30+60+1"]),
            (121, 30, portrait, portrait, ["60x30+0+1", "60x30+61+1"]),
            // A narrow one, or photos that are wide.
            (40, 40, landscape, landscape, ["40x19+0+1", "40x19+0+21"]),
            (120, 30, panorama, panorama, ["120x14+0+1", "120x14+0+16"]),
            // Above only where that shows both larger.
            (120, 30, panorama, portrait, ["59x30+0+1", "59x30+60+1"]),
            // One that is not known yet is taken for the other's.
            (120, 30, panorama, nil, ["120x14+0+1", "120x14+0+16"]),
            (120, 30, nil, nil, ["59x30+0+1", "59x30+60+1"]),
            // No room for a line between.
            (20, 2, panorama, panorama, ["9x2+0+1", "9x2+10+1"]),
            (2, 1, landscape, landscape, ["1x1+0+1", "1x1+1+1"]),
        ] as [(Int, Int, PixelSize?, PixelSize?, [String])])
    func `beside each other, or above where that shows both larger`(
        columns: Int, rows: Int, first: PixelSize?, second: PixelSize?, boxes: [String]
    ) {
        let area = PictureBox(columns: columns, rows: rows, origin: .init(row: 2, column: 1))
        let layout = PairLayout((first, second), in: area, cell: .usual)
        #expect([layout.first, layout.second].map(Self.text) == boxes)
    }

    private static func model() -> BrowseModel {
        var model = ScreenState.model(columns: 81, rows: 24)
        model.zooms = true
        return model
    }

    private static func move(_ model: inout BrowseModel, to index: Int) {
        model.cursor.current = ScreenState.entry(index)
        model.cursor.picture = .ready(ScreenState.file(index))
    }

    @Test func `c pins the photo, moving changes the other one, and c ends it`() {
        var model = Self.model()
        #expect(model.press(.character("c")) == [])
        #expect(model.notice?.text == "Move on to compare photo 7 with others; c ends it.")
        #expect(model.press(.right) == [.move(1)])
        Self.move(&model, to: 8)
        let pictures = model.frame.pictures
        #expect(pictures.map(\.file.lastPathComponent) == ["7.jpg", "8.jpg"])
        #expect(pictures.map { $0.box.origin?.column } == [1, 42])
        #expect(ScreenState.lines(model)[0].hasPrefix("7 Photo 7"))
        #expect(ScreenState.lines(model)[0].dropFirst(41).hasPrefix("8 Photo 8"))
        #expect(ScreenState.lines(model)[0].hasSuffix("8 of 40"))
        #expect(model.press(.character("c")) == [])
        #expect(model.frame.pictures.map(\.file.lastPathComponent) == ["8.jpg"])
        #expect(model.frame.pictures[0].box.columns == 81)
    }

    @Test func `zoom and pan move both`() {
        var model = Self.model()
        _ = model.press(.character("c"))
        Self.move(&model, to: 8)
        for key in [Key.character("+"), .character("+"), .right] { #expect(model.press(key) == []) }
        #expect(model.viewport.isZoomed)
        #expect(model.frame.pictures.map(\.part) == [.view(model.viewport), .view(model.viewport)])
        // Escape shows all of both first, and then ends it.
        _ = model.press(.escape)
        #expect(model.frame.pictures.map(\.part) == [.whole, .whole])
        _ = model.press(.escape)
        #expect(model.pin == nil)
    }

    @Test func `what is said of the other photo stands in its half`() {
        var model = Self.model()
        _ = model.press(.character("c"))
        Self.move(&model, to: 8)
        model.notes.words[ScreenState.file(8).url] = ["chafa could not read the picture."]
        let line = ScreenState.lines(model).first { $0.contains("chafa could") }
        #expect(line?.hasPrefix(String(repeating: " ", count: 41)) == true)
        #expect(model.frame.pictures.map(\.file.lastPathComponent) == ["7.jpg"])
        model.notes.words[ScreenState.file(7).url] = []
        #expect(ScreenState.lines(model).contains { $0.contains("No picture.") })
    }

    @Test func `without a picture there is nothing to pin`() {
        var model = Self.model()
        model.cursor.picture = .waiting
        _ = model.press(.character("c"))
        #expect(model.pin == nil && model.notice?.isError == true)
    }

    @Test func `details name the color profile of what is shown`() {
        var model = Self.model()
        model.notes.profiles[ScreenState.file(7).url] = "Display P3"
        _ = model.press(.character("i"))
        #expect(ScreenState.lines(model).contains { $0.hasSuffix("Colors       Display P3") })
    }

    @Test func `a thumbnail of this machine's file is made only where the picture takes long`() throws {
        var model = Self.model()
        let entry = ScreenState.entry(of: "folder", URL(filePath: "/p/7.jpg"))
        (model.cursor.run, model.cursor.current) = ([entry], entry)
        model.heldPhoto = entry.photo.id
        #expect(!model.thumbnailWish.makes)
        model.heldPhoto = nil
        #expect(model.thumbnailWish.makes)
        model.heldPhoto = entry.photo.id
        _ = model.press(.tab)
        #expect(model.thumbnailWish.makes)
        // Those of services are loaded at once.
        var other = Self.model()
        other.heldPhoto = other.cursor.current?.photo.id
        #expect(other.thumbnailWish.makes)
    }
}

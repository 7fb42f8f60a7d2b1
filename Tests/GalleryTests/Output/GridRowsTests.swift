import GalleryCore
import Testing

@testable import gallery

@Suite struct GridRowsTests {
    private func photo(_ index: Int?, _ title: String) -> IndexedPhoto {
        IndexedPhoto(index: index, photo: Photo(id: PhotoID(service: "x", value: title), title: title))
    }

    @Test func `rows are filled across pages`() {
        var rows = GridRows(columns: 2, width: 12, ListMarkers())
        #expect(rows.lines(for: [photo(1, "a")], [:]) == [])
        #expect(rows.lines(for: [photo(2, "b"), photo(3, "c")], [:]) == ["1 a         2 b"])
        #expect(rows.end() == ["3 c"])
        #expect(rows.end() == [])
    }

    @Test(arguments: [
        ("Hubble eXtreme Deep Field", "1 Hubble …"), ("日本語の題名です", "1 日本語…"),
        ("\u{1B}[31mred\nand", "1 [31mred…"), (" ", "1"),
    ])
    func `a title is cut to its column`(title: String, line: String) {
        let rows = GridRows(columns: 3, width: 12, ListMarkers())
        #expect(rows.captions([photo(1, title)]) == line)
    }

    @Test(arguments: [(80, 3, 26), (23, 1, 23), (48, 2, 24), (1, 1, 1)])
    func `as many columns as fit`(window: Int, columns: Int, width: Int) {
        let rows = GridRows(in: window, ListMarkers())
        #expect(rows.columns == columns && rows.width == width)
    }

    @Test func `marked photos have their signs`() {
        let markers = ListMarkers(
            lastSeen: PhotoID(service: "x", value: "a"), marked: [PhotoID(service: "x", value: "a")])
        #expect(GridRows(columns: 1, width: 20, markers).captions([photo(7, "a")]) == "7›* a")
    }
}

import Foundation
import GalleryCore
import TerminalPictures
import Testing

@testable import gallery

extension RowFormat {
    fileprivate mutating func lines(for photos: [IndexedPhoto]) -> [String] { lines(for: photos, [:]) }

    fileprivate func whole(_ photos: [IndexedPhoto]) -> [String] {
        var rows = self
        return rows.lines(for: photos) + rows.end()
    }
}

@Suite struct TableRowsTests {
    private func photo(_ index: Int, _ title: String, author: String = "Someone", likes: Int? = nil)
        -> IndexedPhoto
    {
        IndexedPhoto(
            index: index,
            photo: Photo(
                id: PhotoID(service: "x", value: "\(index)"), title: title, author: Author(name: author),
                likes: likes))
    }

    private func lines(_ photos: [IndexedPhoto], width: Int?) -> [String] {
        TableRows(width: width, style: Style(isOn: false)).whole(photos)
    }

    @Test func `columns line up whatever the characters' width`() {
        let rows = lines(
            [photo(1, "日本語の題"), photo(2, "👨‍👩‍👧 family"), photo(10, "e\u{301}te\u{301}")], width: nil)
        #expect(
            rows == [
                " #  Title       Author",
                " 1  日本語の題  Someone",
                " 2  👨‍👩‍👧 family   Someone",
                "10  e\u{301}te\u{301}         Someone",
            ])
    }

    @Test(arguments: [80, 60, 40, 30, 20, 12, 5, 1])
    func `no line is wider than the terminal`(width: Int) {
        let long = String(repeating: "長い題名と", count: 20)
        let rows = lines([photo(1, long, author: long, likes: 12345), photo(200, "short")], width: width)
        #expect(rows.count == 3)
        #expect(rows.allSatisfy { DisplayWidth.usual.of($0) <= width }, "\(rows)")
    }

    @Test func `the widest column gives way first and says so`() {
        let rows = lines([photo(1, "A rather long title of a photo", author: "Bob")], width: 26)
        #expect(rows == ["#  Title            Author", "1  A rather long …  Bob"])
    }

    private func photo(
        _ id: String, of service: String = "x", _ title: String, license: String? = nil, tags: [String] = []
    ) -> IndexedPhoto {
        IndexedPhoto(
            index: 1,
            photo: Photo(
                id: PhotoID(service: service, value: id), title: title,
                taken: .init(timeIntervalSince1970: 86_400), tags: tags, license: license))
    }

    @Test func `photos of several services say of which`() {
        let rows = lines([photo("1", of: "nasa", "a"), photo("2", of: "commons", "b")], width: 80)
        #expect(rows == ["#  Title  Service", "1  a      nasa", "1  b      commons"])
        #expect(lines([photo("1", of: "nasa", "a")], width: 80)[0] == "#  Title")
    }

    @Test func `a wide terminal has the date, and tags or the folder`() {
        let tagged = photo("1", "Sea", tags: ["wave", "foam"])
        #expect(
            lines([tagged], width: 200) == ["#  Title  Taken       Tags", "1  Sea    1970-01-02  wave, foam"])
        #expect(lines([tagged], width: 80)[0] == "#  Title")
        let file = photo("2024/may/a.jpg", of: "folder", "a")
        #expect(
            lines([file], width: 200) == ["#  Title  Taken       Folder", "1  a      1970-01-02  2024/may"])
        #expect(lines([tagged], width: nil)[0] == "#  Title")
    }

    @Test func `in a narrow terminal the license goes before titles are cut`() {
        let long = photo("1", "A title of thirty-three columns..", license: "CC BY-SA 4.0")
        #expect(lines([long], width: 40) == ["#  Title", "1  A title of thirty-three columns.."])
        #expect(lines([long], width: 60)[0].hasSuffix("License"))
        #expect(lines([photo("1", "Short", license: "CC0")], width: 40)[0].hasSuffix("License"))
    }

    @Test func `titles that would be alike keep their endings`() {
        let rows = lines((1...2).map { photo("\($0)", "Holiday in the mountains \($0)") }, width: 20)
        #expect(rows.dropFirst() == ["1  Holiday …ntains 1", "1  Holiday …ntains 2"])
    }

    @Test func `a number of a later page is whole though the column is narrower`() {
        var rows = TableRows(width: nil, style: Style(isOn: false))
        #expect(rows.lines(for: [photo(9, "a")]) == ["#  Title  Author", "9  a      Someone"])
        #expect(rows.lines(for: [photo(100, "b")]) == ["100  b      Someone"])
    }

    @Test func `columns that nobody fills are left out`() {
        #expect(lines([photo(1, "a")], width: nil)[0] == "#  Title  Author")
        #expect(lines([photo(1, "a", likes: 5)], width: nil)[0] == "#  Title  Author   Likes")
    }

    @Test func `an empty title is the identifier, and controls never pass`() {
        #expect(lines([photo(1, "")], width: nil)[1] == "1  1      Someone")
        #expect(lines([photo(1, "a\u{1B}[2J\nb")], width: nil)[1] == "1  a[2J b  Someone")
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("👍", 2), ("👍🏽", 2), ("☺\u{FE0F}", 2), ("☺", 1), ("e\u{301}", 1),
        ("\u{200D}", 0),
        ("🇩🇪", 2), ("ﾊﾝ", 2), ("ＡＢ", 4), ("한글", 4), ("한", 2), ("", 0),
    ])
    func `a character takes the columns terminals give it`(text: String, columns: Int) {
        #expect(DisplayWidth.usual.of(text) == columns)
    }
}

@Suite struct RowFormatTests {
    private let photo = IndexedPhoto(
        index: 1,
        photo: Photo(
            id: PhotoID(service: "x", value: "7"), title: "say \"a, b\"\u{1B}\n",
            author: Author(name: "A, B"),
            tags: ["one", "two"]))

    @Test func `CSV quotes what RFC 4180 says`() {
        let expected =
            #"1,x,7,"say ""a, b""","A, B",,,,,,,,,,,one;two,,false,1,,"“say ""a, b""” by A, B",,,"#
        #expect(CSVRows().whole([photo])[1] == expected)
    }

    @Test(arguments: ListFormat.allCases)
    func `a list that comes in pieces is the same list`(format: ListFormat) {
        let photos = (1...5).map { IndexedPhoto(index: $0, photo: photo.photo) }
        for pieces in [[5], [2, 3], [1, 1, 1, 1, 1], [0, 5, 0]] {
            var rows = format.rows(columns: 60, style: Style(isOn: false))
            var rest = photos[...]
            var lines: [String] = []
            for count in pieces {
                lines += rows.lines(for: Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(lines + rows.end() == format.rows(columns: 60, style: Style(isOn: false)).whole(photos))
        }
    }

    @Test func `a wider cell further down keeps to its column`() {
        let short = IndexedPhoto(index: 1, photo: Photo(id: photo.photo.id, title: "Short title"))
        let long = IndexedPhoto(index: 2, photo: Photo(id: photo.photo.id, title: "A title that is longer"))
        var rows = TableRows(width: 40, style: Style(isOn: false))
        #expect(rows.lines(for: [short]) == ["#  Title", "1  Short title"])
        #expect(rows.lines(for: [long]) == ["2  A title th…"])
    }

    @Test func `an array has one object a line and is empty for nothing`() {
        #expect(JSONRows().whole([]) == ["[]"])
        #expect(JSONRows().whole([photo, photo]).map(\.last) == ["[", ",", "}", "]"])
    }

    @Test func `a photo without a full size has no address`() {
        #expect(URLRows().whole([photo]).isEmpty)
    }
}

import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct CommonsTests {
    private let service = Commons(base: URL(string: "http://127.0.0.1/api.php"))

    private static let common = "http://127.0.0.1/api.php?action=query&format=json&formatversion=2&maxlag=5"
    private static let files =
        "&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cuser%7Ctimestamp%7Cextmetadata&iiurlwidth=330"
        + "&iiextmetadatafilter=Artist%7CAttribution%7CDateTimeOriginal%7CGPSLatitude%7CGPSLongitude"
        + "%7CImageDescription%7CLicenseShortName%7CLicenseUrl%7CUsageTerms"
    private static let featured =
        "&generator=categorymembers&gcmtitle=Category%3AFeatured_pictures_on_Wikimedia_Commons"
        + "&gcmsort=timestamp&gcmdir=descending"

    private let empty = Data(#"{"batchcomplete":true}"#.utf8)

    private func pages(_ pages: String..., more: String = "") -> Data {
        Data(#"{"batchcomplete":true,\#(more)"query":{"pages":[\#(pages.joined(separator: ","))]}}"#.utf8)
    }

    private func file(_ id: Int, index: Int? = nil, time: String = "2015-10-31T23:00:00Z") -> String {
        let index = index.map { #""index":\#($0),"# } ?? ""
        let info = #"{"url":"https://a.example/\#(id).jpg","mime":"image/jpeg","timestamp":"\#(time)"}"#
        return #"{"pageid":\#(id),\#(index)"ns":6,"title":"File:\#(id).jpg","imageinfo":[\#(info)]}"#
    }

    private func run(
        _ slice: PageSlice, of feed: Feed, cursor: String? = nil, _ body: Data
    ) throws -> (page: Page, asked: [[String]]) {
        var conversation = Conversation((suffix: "action=query", status: 200, body: body))
        let start = cursor.map { PageCursor(offset: slice.firstIndex - 1, text: $0) }
        let page = try conversation.run(service.page(slice, of: feed, cursor: start))
        return (page, conversation.asked)
    }

    // MARK: - Requests

    @Test(arguments: [
        (Feed.popular(), 20, nil as String?, featured + "&gcmlimit=20"),
        (
            .popular(ranking: "featured"), 50, "2016|7",
            featured + "&gcmlimit=50&gcmcontinue=2016%7C7&continue=gcmcontinue%7C%7C"
        ),
        (
            .popular(ranking: "quality"), 1, nil,
            "&generator=categorymembers&gcmtitle=Category%3AQuality_images&gcmsort=timestamp&gcmdir=descending&gcmlimit=1"
        ),
        (
            .popular(ranking: "valued"), 1, nil,
            "&generator=categorymembers&gcmtitle=Category%3AValued_images_sorted_by_promotion_date"
                + "&gcmsort=timestamp&gcmdir=descending&gcmlimit=1"
        ),
        (
            .popular(ranking: "day", date: CalendarDay("2024-05-01")), 20, nil,
            "&generator=images&titles=Template%3APotd%2F2024-05-01&gimlimit=50"
        ),
        (
            .popular(date: CalendarDay("2024-05-01")), 20, nil,
            "&generator=images&titles=Template%3APotd%2F2024-05-01&gimlimit=50"
        ),
        (
            .search("Category:Red Sea"), 20, "2016|7",
            "&generator=categorymembers&gcmtitle=Category%3ARed%20Sea&gcmsort=timestamp&gcmdir=descending"
                + "&gcmlimit=20&gcmcontinue=2016%7C7&continue=gcmcontinue%7C%7C"
        ),
        (
            .search("a b&c+d"), 20, nil,
            "&generator=search&gsrsearch=a%20b%26c%2Bd%20filetype%3Abitmap&gsrnamespace=6&gsrlimit=20&gsroffset=0"
        ),
        (
            .user("User:Some one"), 20, "20151031230049|A.jpg",
            "&generator=allimages&gaiuser=Some%20one&gaisort=timestamp&gaidir=descending&gailimit=20"
                + "&gaicontinue=20151031230049%7CA.jpg&continue=gaicontinue%7C%7C"
        ),
    ])
    func `a page is one request with the files and their licenses`(
        feed: Feed, size: Int, cursor: String?, list: String
    ) throws {
        let slice = PageSlice(number: cursor == nil ? 1 : 3, size: size)
        let asked = try run(slice, of: feed, cursor: cursor, pages(file(1))).asked
        // What is to be said of each file comes last, but for a cursor.
        let address = asked[0][0].replacing(Self.files, with: "")
        #expect(asked.count == 1)
        #expect(address == Self.common + list)
        #expect(asked[0][0].contains(Self.files))
    }

    // MARK: - Searches

    @Test(arguments: [
        (1, 20, "gsrlimit=20&gsroffset=0"), (2, 20, "gsrlimit=20&gsroffset=20"),
        (23, 20, "gsrlimit=20&gsroffset=440"), (450, 1, "gsrlimit=1&gsroffset=449"),
        (200, 50, "gsrlimit=50&gsroffset=9950"), (334, 30, "gsrlimit=10&gsroffset=9990"),
    ])
    func `a search starts anywhere with one request`(number: Int, size: Int, place: String) throws {
        let slice = PageSlice(number: number, size: size)
        let more = #""continue":{"gsroffset":\#(slice.indexes.upperBound),"continue":"gsroffset||"},"#
        let (page, asked) = try run(
            slice, of: .search("sea"), pages(file(1, index: slice.firstIndex), more: more))
        #expect(asked.count == 1)
        #expect(asked[0][0].contains(place))
        #expect(page.photos.map(\.index) == [slice.firstIndex])
        #expect(page.hasMore == (slice.indexes.upperBound < 10_000))
        #expect(page.next == nil)
    }

    @Test func `beyond ten thousand results nothing is asked`() throws {
        let (page, asked) = try run(PageSlice(number: 201, size: 50), of: .search("sea"), empty)
        #expect(page == Page(photos: [], hasMore: false))
        #expect(asked.isEmpty)
    }

    @Test func `results stand where the search says, and a lost one leaves its gap`() throws {
        let body = pages(file(7, index: 44), file(8, index: 41), file(9, index: 43))
        let page = try run(PageSlice(number: 3, size: 20), of: .search("sea"), body).page
        #expect(page.photos.map(\.index) == [41, 43, 44])
        #expect(page.photos.map(\.photo.id.value) == ["8", "9", "7"])
    }

    @Test(arguments: [[3, 1, 2], [3, 3, 3]])
    func `places that lie elsewhere are an order at most`(said: [Int]) throws {
        let body = pages(file(7, index: said[0]), file(8, index: said[1]), file(9, index: said[2]))
        let page = try run(PageSlice(number: 3, size: 20), of: .search("sea"), body).page
        #expect(page.photos.map(\.index) == [41, 42, 43])
        #expect(Set(page.photos.map(\.photo.id.value)) == ["7", "8", "9"])
    }

    @Test func `a search without results is no failure`() throws {
        let page = try run(PageSlice(number: 1, size: 20), of: .search("qqqq"), empty).page
        #expect(page == Page(photos: [], hasMore: false))
    }

    /// The extensions of a wiki, as its site information has them.
    private func wiki(with name: String) -> String { #""extensions":[{"type":"other","name":"\#(name)"}]"# }

    @Test(arguments: [
        ("Cite", "http://127.0.0.1/api.php", ["1", "2"], 2),
        ("PdfHandler", "https://wiki.example/w/api.php", ["1", "2"], 2),
        ("CirrusSearch", "https://wiki.example/w/api.php", [], 2),
        ("Cite", "https://commons.wikimedia.org/w/api.php", [], 1),
    ])
    func `a wiki without CirrusSearch is asked without its words`(
        listed: String, base: String, found: [String], requests: Int
    ) throws {
        let service = Commons(base: URL(string: base))
        let more = #""continue":{"gsroffset":2,"continue":"gsroffset||"},"#
        let plain =
            #"{"batchcomplete":true,\#(more)"query":{\#(wiki(with: listed)),"pages":[\#(file(1, index: 1)),\#(file(2, index: 2))]}}"#
        let answers = [
            ("filetype", empty), ("siprop=extensions", Data(plain.utf8)),
            ("gsroffset=2", pages(file(3, index: 3))),
        ]
        var conversation = Conversation()
        conversation.answers = answers.map { (suffix: $0, status: 200, body: $1) }
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 2), of: .search("sea"), cursor: nil))
        #expect(page.photos.map(\.photo.id.value) == found && conversation.asked.count == requests)
        guard let next = page.next else { return #expect(found.isEmpty && !page.hasMore) }
        // What the first page has found out, the others need not.
        let cursor = PageCursor(offset: 2, text: next)
        let second = try conversation.run(
            service.page(PageSlice(number: 2, size: 2), of: .search("sea"), cursor: cursor))
        #expect(second.photos.map(\.photo.id.value) == ["3"] && conversation.asked.count == requests + 1)
        #expect(conversation.asked.last?[0].contains("gsrsearch=sea&") == true)
    }

    // MARK: - Lists that only go forward

    @Test func `a page gives the cursor for the next`() throws {
        let more = #""continue":{"gcmcontinue":"2016|7","continue":"gcmcontinue||"},"#
        let page = try run(PageSlice(number: 1, size: 2), of: .popular(), pages(file(5), file(3), more: more))
            .page
        #expect(page.photos.map(\.photo.id.value) == ["5", "3"])
        #expect(page.hasMore)
        #expect(page.next == "2016|7")
        let last = try run(PageSlice(number: 2, size: 2), of: .popular(), cursor: "2016|7", pages(file(1)))
            .page
        #expect(last.photos.map(\.index) == [3])
        #expect(!last.hasMore)
        #expect(last.next == nil)
    }

    @Test func `what is no picture leaves its slot empty`() throws {
        let drawing = #"{"url":"https://a.example/2.svg","mime":"image/svg+xml"}"#
        let body = pages(
            file(1), #"{"pageid":2,"title":"File:2.svg","imageinfo":[\#(drawing)]}"#,
            #"{"pageid":3,"ns":14,"title":"Category:Three"}"#,
            #"{"pageid":4,"title":"File:4.jpg","imageinfo":[{"filemissing":true}]}"#, file(5))
        let page = try run(PageSlice(number: 1, size: 5), of: .popular(), body).page
        #expect(page.photos.map(\.index) == [1, 5])
    }

    @Test func `uploads are put in the order of their time`() throws {
        let body = pages(
            file(1, time: "2015-10-31T23:00:00Z"), file(2, time: "2017-10-31T23:00:00Z"),
            file(3, time: "2016-10-31T23:00:00Z"), file(4, time: "2016-10-31T23:00:00Z"))
        let page = try run(PageSlice(number: 1, size: 5), of: .user("Someone"), body).page
        #expect(page.photos.map(\.photo.id.value) == ["2", "4", "3", "1"])
        #expect(page.photos.map(\.index) == [1, 2, 3, 4])
    }

    // MARK: - Pictures of the day, categories

    @Test func `a day's picture is the whole list, and several are each at its index`() throws {
        let feed = Feed.popular(ranking: "day", date: CalendarDay("2024-05-01"))
        let one = try run(PageSlice(number: 1, size: 20), of: feed, pages(file(7))).page
        #expect(one.photos.map(\.photo.id.value) == ["7"])
        #expect(one.total == 1 && !one.hasMore && one.next == nil)
        let second = try run(PageSlice(number: 2, size: 1), of: feed, pages(file(7), file(8), file(9))).page
        #expect(second.photos.map(\.index) == [2] && second.photos.map(\.photo.id.value) == ["8"])
        #expect(second.total == 3 && second.hasMore)
        let none = try run(PageSlice(number: 2, size: 20), of: feed, pages(file(7))).page
        #expect(none.photos.isEmpty && !none.hasMore)
    }

    @Test func `without a date it is today's`() throws {
        func today() -> String { String(Date().formatted(.iso8601).prefix(10)) }
        let before = today()
        let asked = try run(
            PageSlice(number: 1, size: 20), of: .popular(ranking: "day"), pages(file(7))
        ).asked[0][0]
        #expect([before, today()].contains { asked.contains("titles=Template%3APotd%2F\($0)&") })
    }

    @Test func `a day without a picture is missing`() {
        let drawing = #"{"url":"https://a.example/2.svg","mime":"image/svg+xml"}"#
        let svg = pages(#"{"pageid":2,"title":"File:2.svg","imageinfo":[\#(drawing)]}"#)
        for body in [empty, pages(), svg] {
            let error = #expect(throws: ServiceError.self) {
                try run(
                    PageSlice(number: 1, size: 20),
                    of: .popular(ranking: "day", date: CalendarDay("2999-01-01")), body)
            }
            #expect(error?.description == "commons has no picture of the day for 2999-01-01.")
        }
    }

    @Test func `other rankings have no past`() {
        let error = #expect(throws: ServiceError.self) {
            try service.page(
                PageSlice(number: 1, size: 20),
                of: .popular(ranking: "quality", date: CalendarDay("2024-05-01")), cursor: nil)
        }
        #expect(error?.description == "commons has no past rankings of 'quality'.")
        #expect(error?.hint == "Known: day.")
    }

    @Test func `a category without files is missing, one with subcategories alone is not`() throws {
        let feed = Feed.search("Category:Nothing\u{1B}[31m")
        let error = #expect(throws: ServiceError.self) {
            try run(PageSlice(number: 1, size: 5), of: feed, empty)
        }
        #expect(error?.description == "commons has no category 'Nothing[31m' with files.")
        let below = pages(#"{"pageid":3,"ns":14,"title":"Category:Three"}"#)
        #expect(try run(PageSlice(number: 1, size: 5), of: feed, below).page.photos.isEmpty)
        let invalid = service.complaint(
            about: feed, Data(#"{"error":{"code":"invalidcategory","info":"Not valid."}}"#.utf8))
        #expect(invalid?.description == "commons has no such category.")
    }

    @Test func `a user without uploads is missing`() {
        let error = #expect(throws: ServiceError.self) {
            try run(PageSlice(number: 1, size: 5), of: .user("Nobody"), empty)
        }
        #expect(error?.description == "commons has no uploads of user 'Nobody'.")
    }
}

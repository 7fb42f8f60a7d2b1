import Curation
import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

/// What of a feed is shown, in which order, and which other feed.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct BrowseFilterTests {
    private static func photo(
        _ title: String = "Sea and Shore", stars: Int? = 4, taken: String? = nil
    ) -> Photo {
        Photo(
            id: PhotoID(service: "sample", value: "1"), title: title, author: Author(name: "Grace Hopper"),
            size: PixelSize(width: 640, height: 427), stars: stars,
            taken: taken.flatMap { WrittenDate($0)?.date },
            tags: ["Light"])
    }

    @Test(arguments: [
        ("landscape", true), ("portrait", false), ("square", false), ("4-", true), ("5", false),
        ("2-4", true),
        ("0", false), ("marked", true), ("unmarked", false), ("sea", true), ("SHORE grace", true),
        ("light", true), ("landscape marked 4 sea", true), ("landscape marked 4 lake", false),
        // Not a rating, but a text.
        ("7", false), ("2024", false), ("4-x", false),
    ])
    func `conditions are all met, or texts found`(text: String, isAccepted: Bool) throws {
        let filter = try #require(BrowseFilter(text))
        let photo = Self.photo()
        #expect(filter.accepts(photo, marks: [photo.id], ratings: Ratings()) == isAccepted)
    }

    @Test func `a rating given here counts, and a text without words is no condition`() throws {
        var ratings = Ratings()
        ratings.rate(Self.photo(), 1)
        let filter = try #require(BrowseFilter(" 1 "))
        #expect(filter.text == "1" && filter.accepts(Self.photo(), marks: [], ratings: ratings))
        #expect(BrowseFilter("  ") == nil && BrowseFilter("") == nil)
    }

    @Test(
        arguments: [
            ("commons", "commons", .feed(.popular())), ("sea side", nil, .feed(.search("sea side"))),
            ("flickr search sea", "flickr", .feed(.search("sea"))),
            ("user grace", nil, .feed(.user("grace"))),
            ("commons popular featured", "commons", .feed(.popular(ranking: "featured"))),
            ("favorites", nil, .feed(.favorites(of: nil))), ("marked", nil, .marked(nil)),
            ("marked trip", nil, .marked(MarkListName("trip"))),
            ("flickr sea", "flickr", .feed(.search("sea"))),
            // A service's name later on is a text.
            ("search commons", nil, .feed(.search("commons"))),
        ] as [(String, String?, FeedReference)])
    func `another feed is read from what is typed`(text: String, service: String?, feed: FeedReference) {
        let wish = FeedWish(text) { ["commons", "flickr"].contains($0) }
        #expect(wish?.service == service && wish?.feed == feed)
    }

    @Test(arguments: ["", " ", "user", "flickr search", "marked ../x"])
    func `what names no feed is none`(text: String) {
        #expect(FeedWish(text) { $0 == "flickr" } == nil)
    }

    @Test func `a folder has its orders in turn, and other feeds have none`() {
        let folder = ServiceAddress(service: "folder", base: nil)
        var (feed, seen) = (FeedReference.feed(.popular()), [String]())
        while seen.count < Folder.rankings.count, let next = BrowseLevel.nextOrder(of: feed, at: folder) {
            if case .feed(.popular(let ranking?, _)) = next { seen.append(ranking) }
            feed = next
        }
        #expect(Set(seen) == Set(Folder.rankings) && seen.last == Folder.rankings.first)
        #expect(BrowseLevel.nextOrder(of: .feed(.search("x")), at: folder) == nil)
        #expect(BrowseLevel.nextOrder(of: feed, at: ServiceAddress(service: "sample", base: nil)) == nil)
    }

    @Test func `a date is gone to, and the next ones of it`() {
        var model = ScreenState.model()
        model.cursor.run = ["2024-06-01T00:00:00Z", "2024-05-17T10:00:00Z", "2024-05-02T10:00:00Z"]
            .enumerated()
            .map { index, date in
                IndexedPhoto(index: index + 1, photo: Self.photo(taken: date))
            }
        func type(_ text: String) -> [BrowseAction] {
            ("D" + text).map(Key.character).flatMap { model.press($0) } + model.press(.enter)
        }
        #expect(type("2024-05") == [.go(2)])
        #expect(type("2024-05-02") == [.go(3)])
        #expect(type("2024") == [.go(1)])
        model.cursor.current = model.cursor.run[0]
        #expect(model.press(.character("n")) == [.go(2)])
        #expect(type("May") == [] && model.notice?.isError == true)
        #expect(type("2023") == [] && model.notice?.text == "No other photo matches '2023'.")
        #expect(type("") == [])
    }

    @Test func `lines are typed, corrected, and pasted`() {
        var model = ScreenState.model()
        for key in "&seaa".map(Key.character) + [.backspace, .character(" "), .paste("\u{1B}4-")] {
            _ = model.press(key)
        }
        #expect(model.frame.text.last == "Show only (landscape, marked, 4-, text …): sea 4-_")
        let filter = BrowseFilter("sea 4-")
        #expect(filter != nil && model.press(.enter) == [.filter(filter)])
        // What is shown already can be changed.
        model.filter = "sea"
        _ = model.press(.character("&"))
        #expect(model.prompt == .line(.filter, "sea"))
        _ = model.press(.control("u"))
        #expect(model.press(.enter) == [.filter(nil)])
        for key in "Fcommons".map(Key.character) { _ = model.press(key) }
        #expect(model.press(.enter) == [.enter("commons")])
        #expect(model.press(.character("O")) == [.sort] && model.press(.character("*")) == [.showMarks])
    }

    @Test(.thorough)
    func `a filter that nothing passes ends after 2,000 photos, on Esc, and goes on at r`() async throws {
        try await withGallery(PhotoServer(count: 9000)) { gallery, server, source in
            let browse = try await Browsing.open(gallery, ["1"] + source, shows: "1 of 9000")
            browse.type("&nothing\r")
            try await browse.screen {
                $0.lines.contains {
                    $0.contains("2000 photos looked at, none passes. Press r to look further.")
                }
            }
            #expect(server.requests { $0.query("page") != nil }.count == 100)
            try await browse.type("r", shows: "looked at, none passes. Esc stops.")
            try await browse.type("\u{1B}", shows: "looked at, none passes. Press r to look further.")
            let count = server.requests { $0.query("page") != nil }.count
            // The conditions of before come back, without a request more.
            try await browse.type("&\u{15}Photo 7\r", shows: "7 of 9000")
            #expect(server.requests { $0.query("page") != nil }.count < count + 10)
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `the thumbnails of a filtered feed go on beyond pages without any`() async throws {
        try await withGallery(PhotoServer(count: 300)) { gallery, _, source in
            let browse = try await Browsing.open(gallery, ["7"] + source, shows: "7 of 300")
            try await browse.type("&77\r", shows: "Photo 77")
            try await browse.shows("& 77")
            try await browse.type("\t", shows: "Photo 177")
            try await browse.type("l", shows: "Photo 277")
            #expect(try await browse.quit() == 0)
        }
    }
}

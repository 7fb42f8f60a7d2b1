import Foundation
import Testing

@testable import GalleryCore

/// What the catalog knows of services, without asking any.
@Suite struct ServiceCatalogTests {
    private let catalog = ServiceCatalog(
        keys: [:], sample: URL(filePath: "/"),
        configured: [
            ConfiguredService(name: "club", like: "500px", base: URL(string: "https://club.example/v1")),
            ConfiguredService(
                name: "family", like: "commons", base: URL(string: "https://family.example/w/api.php")),
        ])

    private static let everyFeed = [
        "sample", "500px", "flickr", "pixiv", "commons", "folder",
    ]
    private static let everySearch =
        everyFeed + [
            "artic", "cleveland", "inaturalist", "met", "nasa", "openverse", "wallhaven", "club", "family",
        ]

    @Test(arguments: [
        ("sample", Feed.popular(ranking: "bogus"), "ranking 'bogus'", ["popular"]),
        ("sample", .popular(date: CalendarDay("2020-01-02")), "past rankings", []),
        ("sample", .favorites(of: "a"), "feed 'favorites'", ["flickr", "pixiv"]),
        ("500px", .popular(ranking: "bogus"), "ranking 'bogus'", FiveHundredPixels.rankings),
        ("500px", .popular(date: CalendarDay("2020-01-02")), "past rankings", []),
        ("500px", .favorites(of: nil), "feed 'favorites'", ["flickr", "pixiv"]),
        ("club", .popular(ranking: "bogus"), "ranking 'bogus'", FiveHundredPixels.rankings),
        ("club", .popular(date: CalendarDay("2020-01-02")), "past rankings", []),
        ("flickr", .popular(ranking: "bogus"), "ranking 'bogus'", ["interesting"]),
        ("pixiv", .popular(ranking: "yearly"), "ranking 'yearly'", Pixiv.rankings),
        ("commons", .popular(ranking: "bogus"), "ranking 'bogus'", ["featured", "quality", "valued", "day"]),
        ("commons", .favorites(of: nil), "feed 'favorites'", ["flickr", "pixiv"]),
        ("openverse", .popular(ranking: "best"), "ranking 'best'", ["relevance"]),
        ("openverse", .popular(date: CalendarDay("2024-01-02")), "past rankings", []),
        ("picsum", .popular(ranking: "best"), "ranking 'best'", ["list"]),
        ("picsum", .popular(date: CalendarDay("2024-01-02")), "past rankings", []),
        ("picsum", .search("a"), "feed 'search'", everySearch),
        ("picsum", .user("a"), "feed 'user'", everySearch.filter { $0 != "artic" }),
        ("folder", .popular(ranking: "daily"), "ranking 'daily'", ["newest", "taken", "name", "largest"]),
        ("folder", .popular(date: CalendarDay("2020-01-01")), "past rankings", []),
        (
            "folder", .popular(ranking: "a\u{1B}[31m"), "ranking 'a[31m'",
            ["newest", "taken", "name", "largest"]
        ),
    ])
    func `what a service lacks is refused, with what there is`(
        service: String, feed: Feed, what: String, known: [String]
    ) {
        let error = #expect(throws: ServiceError.self) { try catalog.require(feed, of: service) }
        #expect(error?.description == "\(service) has no \(what).")
        #expect(error?.hint == (known.isEmpty ? nil : "Known: \(known.joined(separator: ", "))."))
    }

    @Test func `what a service has is not refused`() throws {
        for entry in catalog.entries {
            for ranking in entry.rankings { try catalog.require(.popular(ranking: ranking), of: entry.name) }
            for feed in [Feed.popular(), .search("a"), .user("a"), .favorites(of: nil)]
            where entry.feeds.contains(feed.word) {
                try catalog.require(feed, of: entry.name)
            }
        }
        for name in ["flickr", "pixiv", "commons"] {
            try catalog.require(.popular(date: CalendarDay("2020-01-02")), of: name)
        }
        // A service of one's own speaks for itself.
        try catalog.require(.popular(ranking: "bogus"), of: "another")
    }

    @Test(arguments: [
        ("https://commons.wikimedia.org/w/api.php", true), ("https://thumb.wikimedia.org/a.jpg", true),
        ("https://DE.wikipedia.org/wiki/Sea", true), ("http://127.0.0.1:8000/files/1", true),
        ("http://127.0.0.1:8001/files/1", false), ("https://wikimedia.org.example/", false),
        ("https://api.openverse.org/v1/images/", false),
    ])
    func `hosts that count by operator are Wikimedia's, and what stands for their API`(
        address: String, isCounting: Bool
    ) throws {
        let base = URL(string: "http://127.0.0.1:8000/w/api.php")
        #expect(
            try ServiceCatalog.countsByOperator(#require(URL(string: address)), base: base) == isCounting)
    }

    @Test(arguments: [
        ("http://wiki.test:8080/index.php/File:Sea.jpg", "commons:File:Sea.jpg" as String?),
        ("http://wiki.test:8080/wiki/File:sea_at_night.jpg", "commons:File:Sea at night.jpg"),
        ("http://wiki.test:8080/index.php?title=Datei:Meer.jpg", "commons:File:Meer.jpg"),
        ("http://wiki.test:8080/File:Sea.jpg", "commons:File:Sea.jpg"),
        ("http://wiki.test:8080/index.php?curid=18", "commons:18"),
        ("https://family.example/de/wiki/Datei:Meer.jpg", "family:File:Meer.jpg"),
        // No file, another port, another host.
        ("http://wiki.test:8080/index.php/Category:Sea", nil),
        ("http://wiki.test:8080/index.php/Sea.jpg", nil),
        ("http://wiki.test/index.php/File:Sea.jpg", nil),
        ("https://wiki.test.example/wiki/File:Sea.jpg", nil),
        ("https://commons.wikimedia.org/wiki/File:Sea.jpg", "commons:File:Sea.jpg"),
        ("https://500px.com/photo/7", "500px:7"),
    ])
    func `a file's page is known where the API of a wiki is`(page: String, photo: String?) throws {
        let bases = try ["commons": #require(URL(string: "http://wiki.test:8080/w/api.php"))]
        let url = try #require(URL(string: page))
        #expect(catalog.photo(atPage: url, of: "sample", at: bases)?.description == photo)
    }

    @Test func `a loader of a service refuses what that lacks before anything is sent`() async throws {
        let loader = try PhotoLoader(service: "500px", at: URL(string: "http://127.0.0.1:9/v1"))
        let error = await #expect(throws: ServiceError.self) {
            try await loader.page(PageSlice(number: 1, size: 20), of: .popular(ranking: "bogus"))
        }
        #expect(error?.description == "500px has no ranking 'bogus'.")
    }
}

import Foundation
import GalleryCore
import Testing

@Suite struct PageAddressTests {
    private let catalog = ServiceCatalog(keys: [:], sample: URL(filePath: "/"))

    @Test(arguments: [
        ("https://flic.kr/p/abc", "https://flic.kr/p/abc" as String?),
        ("flic.kr/p/abc", "https://flic.kr/p/abc"), ("//flic.kr/p/abc", "https://flic.kr/p/abc"),
        (" www.flickr.com/photos/a/1?b=c#d\n", "https://www.flickr.com/photos/a/1?b=c#d"),
        ("localhost.test:8080/wiki/File:Sea.jpg", "https://localhost.test:8080/wiki/File:Sea.jpg"),
        ("ftp://flic.kr/p/abc", nil), ("https://", nil), ("7", nil), ("3-9", nil), ("90-", nil), ("-", nil),
        ("1.5/2", nil), ("flickr.com", nil), ("sea/sky", nil), ("../photos/sea.jpg", nil),
        (#"{"id":"1","page":"https://flic.kr/p/abc"}"#, nil), ("", nil),
    ])
    func `an address may lack its scheme`(text: String, address: String?) {
        #expect(PageAddress.url(typed: text)?.absoluteString == address)
    }

    @Test(arguments: [
        ("https://www.flickr.com/photos/nasa/", "flickr", Feed.user("nasa")),
        ("https://www.flickr.com/people/nasa", "flickr", .user("nasa")),
        ("https://www.flickr.com/photos/nasa/albums/72157650874140461", "flickr", .user("nasa")),
        ("https://www.flickr.com/photos/nasa/favorites", "flickr", .favorites(of: "nasa")),
        ("https://www.flickr.com/photos/tags/red%20sea", "flickr", .search("red sea")),
        ("https://www.flickr.com/search/?text=sea", "flickr", .search("sea")),
        ("https://www.flickr.com/explore", "flickr", .popular()),
        ("https://www.flickr.com/explore/2016/11/9", "flickr", .popular(date: CalendarDay("2016-11-09"))),
        ("https://500px.com/p/ann", "500px", .user("ann")), ("https://500px.com/ann", "500px", .user("ann")),
        ("https://500px.com/editors", "500px", .popular(ranking: "editors")),
        ("https://500px.com/search?q=sea&type=photos", "500px", .search("sea")),
        ("https://www.pixiv.net/en/users/9153585/artworks", "pixiv", .user("9153585")),
        ("https://www.pixiv.net/member.php?id=7", "pixiv", .user("7")),
        ("https://www.pixiv.net/users/7/bookmarks/artworks", "pixiv", .favorites(of: "7")),
        ("https://www.pixiv.net/tags/%E6%B5%B7/artworks", "pixiv", .search("海")),
        (
            "https://www.pixiv.net/ranking.php?mode=weekly&date=20200103", "pixiv",
            .popular(ranking: "weekly", date: CalendarDay("2020-01-03"))
        ),
        ("https://commons.wikimedia.org/wiki/User:Ann_B", "commons", .user("Ann B")),
        ("https://commons.wikimedia.org/wiki/Special:ListFiles/Ann", "commons", .user("Ann")),
        (
            "https://commons.wikimedia.org/wiki/Category:Quality_images", "commons",
            .popular(ranking: "quality")
        ),
        ("https://commons.wikimedia.org/wiki/Category:Red_Sea", "commons", .search("Category:Red Sea")),
        ("https://commons.wikimedia.org/w/index.php?search=sea", "commons", .search("sea")),
    ])
    func `a page of many photos is a feed of its service`(page: String, service: String, feed: Feed) throws {
        let address = try #require(URL(string: page))
        #expect(catalog.photo(atPage: address) == nil)
        let found = try #require(catalog.feed(atPage: address))
        #expect(found.service == service)
        #expect(found.feed == feed)
    }

    @Test(arguments: [
        "https://example.com/photos/nasa/", "https://www.flickr.com/", "https://500px.com/about",
        "https://www.pixiv.net/", "https://commons.wikimedia.org/wiki/Main_Page",
        "https://en.wikipedia.org/wiki/Sea",
        "file:///photos/nasa",
    ])
    func `another page is none`(page: String) throws {
        let address = try #require(URL(string: page))
        #expect(catalog.photo(atPage: address) == nil)
        #expect(catalog.feed(atPage: address) == nil)
    }

    @Test(
        arguments: [
            ("https://blog.example/feed", "feed"), ("http://blog.example/a/Feed/", "feed"),
            ("https://blog.example/rss?x=1", "feed"), ("https://blog.example/atom", "feed"),
            ("https://blog.example/index.xml", "feed"), ("https://social.example/@ann.rss", "feed"),
            ("https://blog.example/a.atom", "feed"), ("https://blog.example/feed.json", "feed"),
            ("https://library.example/iiif/7/manifest.json", "iiif"),
            ("https://blog.example/?feed=rss2", "feed"), ("https://blog.example/index.rdf", "feed"),
            ("https://a.blogspot.com/feeds/posts/default", "feed"),
            ("https://www.flickr.com/services/feeds/photos_public.gne?id=1@N02", "feed"),
            ("https://library.example/iiif/7/manifest", "iiif"), ("https://blog.example/", nil),
            ("https://library.example/manifests/drs:7", "iiif"),
            ("https://library.example/presentation/7", nil),
            ("https://iiif.library.example/presentation/v2/b7", "iiif"),
            ("https://library.example/iiif/collection.json", "iiif"),
            ("https://blog.example/feeding", nil), ("https://blog.example/a.json", nil),
            ("https://commons.wikimedia.org/wiki/File:Feed.xml", nil), ("file:///a/feed", nil),
        ] as [(String, String?)])
    func `the form of an address tells a feed or a manifest`(text: String, service: String?) throws {
        #expect(catalog.service(withBase: try #require(URL(string: text))) == service)
    }
}

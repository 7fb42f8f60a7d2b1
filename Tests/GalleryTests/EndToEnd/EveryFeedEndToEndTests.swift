import Foundation
import GalleryTestSupport
import Testing

/// Every feed of the services with an API, as the built program asks for it.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct EveryFeedEndToEndTests {
    /// A feed: what is typed, what that asks for, and how many photos come of the recordings.
    struct Case: Sendable, CustomTestStringConvertible {
        let service: String
        let command: [String]
        var environment: [String: String] = [:]
        let asked: [String]
        var photos = 1
        var testDescription: String { ([service] + command).joined(separator: " ") }
    }

    private static let flickr = ["GALLERY_FLICKR_KEY": "0123456789abcdef"]
    private static let session = ["GALLERY_PIXIV_SESSION": "43192924_Q7vX2mLp9KdR"]

    static let cases = [
        Case(service: "500px", command: ["popular"], asked: ["feature=popular"], photos: 12),
        Case(
            service: "500px", command: ["popular", "--ranking", "fresh_week"], asked: ["feature=fresh_week"],
            photos: 12),
        Case(service: "500px", command: ["search", "sea"], asked: ["term=sea"], photos: 12),
        Case(
            service: "500px", command: ["user", "ansel"], asked: ["feature=user&username=ansel"], photos: 12),
        Case(
            service: "flickr", command: ["popular", "--date", "2017-04-01"], environment: flickr,
            asked: ["flickr.interestingness.getList&date=2017-04-01"], photos: 5),
        Case(
            service: "flickr", command: ["search", "sea"], environment: flickr,
            asked: ["flickr.photos.search&text=sea"], photos: 5),
        Case(
            service: "flickr", command: ["user", "someone"], environment: flickr,
            asked: ["flickr.urls.lookupUser", "flickr.people.getPublicPhotos&user_id="], photos: 5),
        Case(
            service: "flickr", command: ["favorites", "12037949754@N01"], environment: flickr,
            asked: ["flickr.favorites.getPublicList&user_id=12037949754%40N01"], photos: 5),
        Case(
            service: "pixiv", command: ["popular", "--ranking", "weekly", "--date", "2022-08-24"],
            asked: ["ranking.php?format=json&mode=weekly&date=20220824&p=1"], photos: 20),
        Case(service: "pixiv", command: ["search", "sea"], asked: ["ajax/search/artworks/sea?"], photos: 20),
        Case(
            service: "pixiv", command: ["user", "9153585"],
            asked: ["ajax/user/9153585/profile/all", "ajax/user/9153585/profile/illusts?ids"], photos: 3),
        Case(
            service: "pixiv", command: ["favorites"], environment: session,
            asked: ["ajax/user/43192924/illusts/bookmarks?"], photos: 3),
        Case(
            service: "commons", command: ["popular", "--ranking", "quality"],
            asked: ["gcmtitle=Category%3AQuality_images"], photos: 20),
        Case(service: "commons", command: ["search", "sea"], asked: ["generator=search&gsrsearch=sea"]),
        Case(
            service: "commons", command: ["user", "Someone"], asked: ["generator=allimages&gaiuser=Someone"]),
        Case(service: "openverse", command: ["popular"], asked: ["/images/?page=1&page_size=20"]),
        Case(service: "openverse", command: ["search", "tree"], asked: ["/images/?q=tree&page=1"]),
        Case(service: "openverse", command: ["user", "Tim"], asked: ["/images/?creator=Tim&page=1"]),
        Case(
            service: "nasa", command: ["search", "stars"], asked: ["/search?media_type=image&q=stars&page=1"],
            photos: 2),
        Case(
            service: "cleveland", command: ["popular"],
            asked: ["/artworks/?has_image=1&cc0=1&limit=20&skip=0"]),
        Case(
            service: "inaturalist", command: ["user", "who"],
            asked: ["/observations?photos=true&user_login=who"],
            photos: 2),
        Case(
            service: "wallhaven", command: ["search", "fashion"], asked: ["/search?q=fashion&page=1"],
            photos: 4),
        Case(service: "artic", command: ["popular"], asked: ["/artworks?page=1&limit=20"], photos: 20),
        Case(
            service: "met", command: ["search", "sea"],
            asked: ["/search?hasImages=true&q=sea", "/objects/4", "/objects/4"], photos: 2),
        Case(service: "picsum", command: ["popular"], asked: ["/v2/list?page=1&limit=20"], photos: 20),
        Case(service: "feed", command: ["popular"], asked: ["/feed.xml"], photos: 5),
        Case(service: "iiif", command: ["popular"], asked: ["/manifest.json"], photos: 5),
    ]

    private static let recordings: KeyValuePairs = [
        "flickr.urls.lookupUser": "flickr/urls_lookupUser", "method=flickr.": "flickr/photos_search_2014",
        "ranking.php": "pixiv/ranking_web_weekly_illust_p1_2022",
        "ajax/search/": "pixiv/made_search_p1", "profile/all": "pixiv/ajax_user_profile_all_2022",
        "profile/illusts": "pixiv/made_user_illusts", "/bookmarks": "pixiv/ajax_user_bookmarks_2022",
        "q=stars": "nasa/search_apollo11_p1", "/artworks/?": "cleveland/artworks_one_2020",
        "/observations?": "inaturalist/observation_16227955_v1",
        "/search?q=fashion": "wallhaven/search_fashion_p1_2022", "/artworks?": "artic/artworks_p2_2025",
        "/search?hasImages": "met/search_two_ids", "/objects/": "met/object_45734_2020",
        "/images/": "openverse/openverse_search_docs", "/v2/list": "picsum/picsum_list_2021",
        "/manifest.json": "iiif/p3_0009_book_1",
    ]

    private static func answer(_ request: LocalRequest) -> LocalReply {
        if request.path.hasPrefix("/v1/") { return PixelServer().reply(to: request) }
        if request.query("generator") == "categorymembers" {
            return WikiServer(count: 50).reply(to: request)
        }
        if request.path == "/w/api.php" {
            let file = #"{"url":"https://a.example/1.jpg","mime":"image/jpeg"}"#
            return .json(
                #"{"batchcomplete":true,"query":{"pages":[{"pageid":1,"title":"File:1.jpg","imageinfo":[\#(file)]}]}}"#
            )
        }
        if request.path == "/feed.xml", let data = try? Fixture.data("feeds/guardian_rss_2018.xml") {
            return .json(String(decoding: data, as: UTF8.self))
        }
        guard let name = recordings.first(where: { request.target.contains($0.key) })?.value,
            let data = try? Fixture.data(name + ".json")
        else { return .status(404) }
        return .json(String(decoding: data, as: UTF8.self))
    }

    private func base(_ service: String, _ server: LocalServer) -> String {
        let paths = [
            "500px": "v1", "flickr": "services/rest/", "commons": "w/api.php", "feed": "feed.xml",
            "iiif": "manifest.json",
        ]
        return server.url(paths[service] ?? "").absoluteString
    }

    @Test(arguments: cases)
    func `a feed is listed`(_ feed: Case) async throws {
        try await withLocalServer(Self.answer) { server in
            try await withBuiltProduct("gallery") { gallery in
                let outcome = try await gallery.run(
                    feed.command + ["-s", feed.service, "--base-url", base(feed.service, server)]
                        + ["--adult", "--format", "jsonl"], environment: feed.environment)
                #expect(outcome.status == 0, "\(outcome.all)")
                #expect(outcome.lines.count == feed.photos, "\(outcome.all)")
                #expect(outcome.lines.allSatisfy { $0.contains(#""service":"\#(feed.service)""#) })
                let targets = server.requests.map(\.target)
                #expect(targets.count == feed.asked.count)
                for (target, part) in zip(targets, feed.asked) { #expect(target.contains(part), "\(target)") }
            }
        }
    }

    @Test func `a folder's files are named by their titles, not twice by their endings`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let album = gallery.folder.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            try Pictures.jpeg(bytes: 3000).write(to: album.appending(path: "a.jpg"))
            try Data("no picture".utf8).write(to: album.appending(path: "b.jpg"))
            let outcome = try await gallery.run(["fetch", "1-", "--folder", "album", "-d", "out"])
            #expect(outcome.lines == ["out/a.jpg_a.jpg"], "\(outcome.all)")
            let left = "Left out 1 photo: 'b.jpg' cannot be shown: it is no picture: it holds text."
            #expect(outcome.errors.split(separator: "\n").filter { $0 == left }.count == 1)
            let gone = try await gallery.run(["popular", "--folder", "gone"])
            #expect(gone.status == 66)
            #expect(gone.errors.hasPrefix("Error: There is no folder '") && gone.errors.hasSuffix("'.\n"))
        }
    }
}

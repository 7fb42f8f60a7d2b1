import Foundation
import GalleryTestSupport
import Testing

/// The built program lists every feed of every service, from recorded answers over real sockets.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(3))) struct RecordedFeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let site: RecordedSite
        let line: String
        let count: Int
        let first: String
        /// What each request says, in order: its path, and those parts of its query that name the feed.
        let requests: [String]
        var testDescription: String { "\(site.service) \(line)" }

        init(_ site: RecordedSite, _ line: String, _ count: Int, _ first: String, _ requests: String...) {
            self.site = site
            self.line = line
            self.count = count
            self.first = first
            self.requests = requests
        }
    }

    private static let lookUp =
        "method=flickr.urls.lookupUser&url=https%3A%2F%2Fwww.flickr.com%2Fphotos%2Fjinxlib%2F"
    private static let ofUser = "method=flickr.people.getPublicPhotos&user_id=124857539%40N03"

    private static let cases = [
        Case(
            .flickr, "popular --date 2014-05-27", 5, "14097596867 Sea of Galilee",
            "method=flickr.interestingness.getList&date=2014-05-27"),
        Case(
            .flickr, "search sea", 5, "14256698876 San Francisco Spirit",
            "method=flickr.photos.search&text=sea"),
        Case(.flickr, "user 124857539@N03", 10, "14667771243 Eddie Gaia", ofUser),
        Case(.flickr, "user jinxlib", 10, "14667771243 Eddie Gaia", lookUp, ofUser),
        // One of the ten is a video.
        Case(
            .flickr, "favorites jinxlib", 9, "8716439701 Happy Moment", lookUp,
            "method=flickr.favorites.getPublicList&user_id=124857539%40N03"),
        Case(
            .pixiv, "popular --ranking weekly --date 2022-08-23", 20, "100564879 FILM RED",
            "/ranking.php&mode=weekly&date=20220823&p=1"),
        Case(.pixiv, "search sea", 20, "900060 Work 900060", "/ajax/search/artworks/sea&word=sea&p=1"),
        Case(
            .pixiv, "user 9153585", 3, "97164570 Work 97164570", "/ajax/user/9153585/profile/all",
            "/ajax/user/9153585/profile/illusts"),
        Case(
            .pixiv, "favorites", 3, "81214321 居残り補習JKさん", "/ajax/user/31415926/illusts/bookmarks&rest=show"),
        Case(.pixiv, "bookmarks 7", 3, "81214321 居残り補習JKさん", "/ajax/user/7/illusts/bookmarks"),
        Case(
            .commons, "popular", 9, "18263872 Minchinmavida Volcano", "generator=categorymembers",
            "gucontinue=Edvard", "gucontinue=Niedercunnersdorf"),
        Case(
            .commons, "search volcano", 9, "18263872 Minchinmavida Volcano",
            "generator=search&gsrsearch=volcano%20filetype%3Abitmap", "gucontinue=", "gucontinue="),
        Case(
            .commons, "user Jeb", 9, "44672207 Niedercunnersdorf WillhelmTempelPlatz 11",
            "generator=allimages&gaiuser=Jeb", "gucontinue=",
            "gucontinue="),
        Case(.fiveHundredPixels, "popular", 2, "4910421 Orange or lemon", "/v1/photos&feature=popular"),
        Case(
            .fiveHundredPixels, "popular --ranking fresh_week", 20, "230343687 The Golden Window",
            "/v1/photos&feature=fresh_week"),
        Case(.fiveHundredPixels, "search bike", 2, "4930535 Bike", "/v1/photos/search&term=bike"),
        Case(
            .fiveHundredPixels, "user ansel", 20, "230362123 from the full moon story",
            "/v1/photos&feature=user&username=ansel"),
    ]

    @Test(arguments: cases) func `a feed is listed`(feed: Case) async throws {
        try await withRecordings(of: feed.site) { gallery, api, images in
            let photos = try await gallery.objects(
                feed.line.split(separator: " ").map(String.init) + ["--adult"])
            #expect(photos.count == feed.count)
            let first = photos.first.map { "\($0["id"] ?? "") \($0["title"] ?? "")" } ?? ""
            #expect(first.hasPrefix(feed.first), "\(first)")
            #expect(photos.allSatisfy { $0["service"] as? String == feed.site.service })
            #expect(photos.compactMap { $0["index"] as? Int }.first == 1)
            #expect(api.requests.count == feed.requests.count, "\(api.requests.map(\.target))")
            for (request, parts) in zip(api.requests, feed.requests) {
                for part in parts.split(separator: "&") {
                    #expect(request.target.contains(part), "\(request.target)")
                }
            }
            // A list costs no picture.
            #expect(images.requests.isEmpty)
        }
    }

    @Test func `fields of a recording arrive as they were recorded`() async throws {
        try await withRecordings(of: .flickr) { gallery, _, images in
            let photo = try #require(try await gallery.objects(["user", "124857539@N03"]).first)
            #expect(photo["page"] as? String == "https://www.flickr.com/photos/thomashawk/14667771243/")
            #expect(photo["width"] as? Int == 5218 && photo["height"] as? Int == 3479)
            #expect(photo["views"] as? Int == 245)
            #expect(photo["taken"] as? String == "2010-05-18T15:51:20")
            #expect(photo["license"] as? String == "CC BY-NC 2.0")
            let full = photo["full"] as? [String: any Sendable]
            #expect(full?["url"] as? String == images.url("3862/14667771243_1a5b9045ac_o.jpg").absoluteString)
        }
        try await withRecordings(of: .commons) { gallery, _, images in
            let photo = try #require(try await gallery.objects(["popular"]).first)
            #expect(
                (photo["full"] as? [String: any Sendable])?["url"] as? String
                    == images.url("wikipedia/commons/f/fb/Minchinmavida_Volcano.jpg").absoluteString)
            #expect(
                (photo["author"] as? [String: any Sendable])?["name"] as? String
                    == "The original uploader was Elvezio at Italian Wikipedia.")
        }
    }

    @Test func `addresses of pictures lead to the server, others stay`() throws {
        let server = try #require(URL(string: "http://127.0.0.1:1"))
        let json = #"["https:\/\/a.b.example\/1.jpg","http://a.b.example/1","https://example.com/b.example"]"#
        #expect(
            RecordedSite.localized(json, hosts: ["b.example"], at: server)
                == #"["http://127.0.0.1:1\/1.jpg","http://127.0.0.1:1/1","https://example.com/b.example"]"#)
    }
}

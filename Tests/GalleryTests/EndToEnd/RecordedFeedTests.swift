import Foundation
import GalleryTestSupport
import Testing

/// The built program lists every feed of every service, from recorded answers over real sockets.
@Suite(.timeLimit(.minutes(3))) struct RecordedFeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let site: RecordedSite
        let line: String
        let count: Int
        let first: String
        /// What each request says, in order: its path, and those parts of its query that name the feed.
        let requests: [String]
        var testDescription: String { "\(site.service) \(line)" }
    }

    private static let cases: [Case] = [
        Case(
            site: .flickr, line: "popular --date 2014-05-27", count: 5, first: "14097596867 Sea of Galilee",
            requests: ["method=flickr.interestingness.getList&date=2014-05-27"]),
        Case(
            site: .flickr, line: "search sea", count: 5, first: "14256698876 San Francisco Spirit",
            requests: ["method=flickr.photos.search&text=sea"]),
        Case(
            site: .flickr, line: "user 124857539@N03", count: 10, first: "14667771243 Eddie Gaia",
            requests: ["method=flickr.people.getPublicPhotos&user_id=124857539%40N03"]),
        Case(
            site: .flickr, line: "user jinxlib", count: 10, first: "14667771243 Eddie Gaia",
            requests: [
                "method=flickr.urls.lookupUser&url=https%3A%2F%2Fwww.flickr.com%2Fphotos%2Fjinxlib%2F",
                "method=flickr.people.getPublicPhotos&user_id=124857539%40N03",
            ]),
        // One of the ten is a video.
        Case(
            site: .flickr, line: "favorites jinxlib", count: 9, first: "8716439701 Happy Moment",
            requests: [
                "method=flickr.urls.lookupUser",
                "method=flickr.favorites.getPublicList&user_id=124857539%40N03",
            ]),
        Case(
            site: .pixiv, line: "popular --ranking weekly --date 2022-08-23", count: 20,
            first: "100564879 FILM RED", requests: ["/ranking.php&mode=weekly&date=20220823&p=1"]),
        Case(
            site: .pixiv, line: "search sea", count: 20, first: "900060 Work 900060",
            requests: ["/ajax/search/artworks/sea&word=sea&p=1"]),
        Case(
            site: .pixiv, line: "user 9153585", count: 3, first: "97164570 Work 97164570",
            requests: ["/ajax/user/9153585/profile/all", "/ajax/user/9153585/profile/illusts"]),
        Case(
            site: .pixiv, line: "favorites", count: 3, first: "81214321 居残り補習JKさん",
            requests: ["/ajax/user/31415926/illusts/bookmarks&rest=show"]),
        Case(
            site: .pixiv, line: "bookmarks 7", count: 3, first: "81214321 居残り補習JKさん",
            requests: ["/ajax/user/7/illusts/bookmarks"]),
        Case(
            site: .commons, line: "popular", count: 9, first: "18263872 Minchinmavida Volcano",
            requests: [
                "generator=categorymembers", "gucontinue=Edvard", "gucontinue=Niedercunnersdorf",
            ]),
        Case(
            site: .commons, line: "search volcano", count: 9, first: "18263872 Minchinmavida Volcano",
            requests: [
                "generator=search&gsrsearch=volcano%20filetype%3Abitmap", "gucontinue=", "gucontinue=",
            ]),
        Case(
            site: .commons, line: "user Jeb", count: 9, first: "",
            requests: ["generator=allimages&gaiuser=Jeb", "gucontinue=", "gucontinue="]),
        Case(
            site: .fiveHundredPixels, line: "popular", count: 2, first: "4910421 Orange or lemon",
            requests: ["/v1/photos&feature=popular"]),
        Case(
            site: .fiveHundredPixels, line: "popular --ranking fresh_week", count: 20,
            first: "230343687 The Golden Window", requests: ["/v1/photos&feature=fresh_week"]),
        Case(
            site: .fiveHundredPixels, line: "search bike", count: 2, first: "4930535 Bike",
            requests: ["/v1/photos/search&term=bike"]),
        Case(
            site: .fiveHundredPixels, line: "user ansel", count: 20,
            first: "230362123 from the full moon story",
            requests: ["/v1/photos&feature=user&username=ansel"]),
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
            #expect(photo["taken"] as? String == "2010-05-18T15:51:20Z")
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

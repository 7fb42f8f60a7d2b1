import Basics
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import Publishing

/// What a feed makes of what it said before.
@Suite struct FeedHistoryTests {
    private static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

    /// The feed of a run on a day, after one that left `before`.
    private static func feed(
        _ titles: [Int: String], on day: Int, after before: String = "", pages: [String] = []
    ) throws -> String {
        var options = SiteOptions()
        options.feed = FeedHistory(feed: before, pages: pages, now: Self.day(day))
        let photos = try titles.sorted { $0.key < $1.key }.map {
            try PublishingSamples.photo($0.key, title: $0.value)
        }
        return try PhotoSite(photos, options: options).text(of: .feed)
    }

    /// What the entries say of themselves, in order: title, published, updated, as days.
    private static func entries(_ feed: String) -> [String] {
        feed.matches(
            of: #/<title>(.*?)</title>\n<id>.*?</id>\n<published>(.*?)T.*?</published>\n<updated>(.*?)T/#
        ).map { "\($0.1) \($0.2.suffix(2)) \($0.3.suffix(2))" }
    }

    @Test func `what came is new, what changed is updated, and the rest stays as it was`() throws {
        let first = try Self.feed([1: "Sea", 2: "Sky"], on: 1)
        #expect(Self.entries(first) == ["Sea 02 02", "Sky 02 02"])
        #expect(try Self.feed([1: "Sea", 2: "Sky"], on: 2, after: first) == first)
        let second = try Self.feed([1: "Sea", 2: "Clouds", 3: "Wood"], on: 3, after: first)
        #expect(Self.entries(second) == ["Wood 04 04", "Sea 02 02", "Clouds 02 04"])
        #expect(second.contains("<updated>1970-01-04T00:00:00Z</updated>\n<author><name>Gallery"))
    }

    @Test func `a site's name is made once, and no other site has it`() throws {
        func name(_ feed: String) -> Substring? { feed.firstMatch(of: #/<id>(.*?)</id>/#)?.1 }
        let first = try Self.feed([1: "Sea"], on: 1)
        #expect(name(first)?.hasPrefix("urn:uuid:") == true)
        #expect(try name(Self.feed([2: "Sky"], on: 2, after: first)) == name(first))
        #expect(try name(Self.feed([1: "Sea"], on: 1)) != name(first))
    }

    @Test func `a photo that the page had, and the feed no more, is not new`() throws {
        let titles = Dictionary(uniqueKeysWithValues: (1...150).map { ($0, "Photo \($0)") })
        let first = try Self.feed(titles, on: 100)
        let page = (1...150).map { "<li id=\"sample_\($0)\" class=\"r1500\">" }.joined(separator: "\n")
        #expect(try Self.feed(titles, on: 101, after: first, pages: [page]) == first)
        let more = titles.merging([151: "New"]) { $1 }
        let second = try Self.feed(more, on: 102, after: first, pages: [page])
        #expect(Self.entries(second).prefix(2) == ["New 13 13", "Photo 1 11 11"])
    }

    @Test func `a photo that leaves the newest hundred and comes back is as new as it was`() async throws {
        try await withTemporaryDirectory { folder in
            func publish(_ numbers: some Sequence<Int>, on day: Int) async throws -> [String] {
                var options = SiteOptions()
                let top = try DestinationFolder(existing: folder)
                options.feed = FeedHistory(in: top, try SiteRecord(of: top), now: Self.day(day))
                options.hasPhotoPages = false
                let photos = try numbers.map { try PublishingSamples.photo($0, title: "Photo \($0)") }
                try await SitePublisher(folder).publish(PhotoSite(photos, options: options))
                return Self.entries(
                    try String(contentsOf: folder.appending(path: "feed.xml"), encoding: .utf8))
            }
            #expect(try await publish(1...2, on: 1) == ["Photo 1 02 02", "Photo 2 02 02"])
            #expect(try await publish(1...150, on: 2).allSatisfy { $0.hasSuffix("03 03") })
            #expect(try await publish(200...350, on: 3).count == 100)
            // Photo 1 left the page, too.
            let back = try await publish([1, 2, 3], on: 4)
            #expect(back == ["Photo 3 03 03", "Photo 1 02 02", "Photo 2 02 02"])
        }
    }

    @Test func `a photo that only its album's feed has kept is as new as it says there`() throws {
        let album = try Self.feed([1: "Sea"], on: 1)
        var options = SiteOptions()
        let main = album.components(separatedBy: "<entry>")[0] + "</feed>\n"
        options.feed = FeedHistory(feed: main, others: [album], pages: [], now: Self.day(9))
        let photos = [
            try PublishingSamples.photo(1, title: "Sea"), try PublishingSamples.photo(2, title: "Sky"),
        ]
        let feed = try PhotoSite(photos, options: options).text(of: .feed)
        #expect(Self.entries(feed) == ["Sky 10 10", "Sea 02 02"])
    }

    @Test(arguments: [
        "", "<feed>", "<entry>\n", "<entry>\n<id>a</id>", "<id>tag:old</id>", "<id>", "</id><id>",
        "<entry>\n</entry>\n<entry>\n<id></id>",
    ])
    func `a feed of somebody else's tells nothing`(feed: String) throws {
        #expect(Self.entries(try Self.feed([1: "Sea"], on: 1, after: feed)) == ["Sea 02 02"])
    }

    @Test func `a feed's pictures have at most 1600 pixels where there are such`() throws {
        func picture(_ width: Int) throws -> PublishedPicture {
            .init(
                path: "thumbs/\(width).jpg", size: try #require(PixelSize(width: width, height: 10)), bytes: 9
            )
        }
        let entry = try PublishingSamples.photo(title: "Sea").entry
        let photo = PublishedPhoto(
            entry: entry, name: "a", thumbnail: try picture(320), others: [try picture(1024)],
            pictures: [try picture(2048)])
        let large = PublishedPhoto(
            entry: entry, name: "a", thumbnail: try picture(4000), pictures: [try picture(4000)])
        #expect(photo.picture(longestEdge: 1600).size.width == 1024)
        #expect(photo.picture(longestEdge: 2048).size.width == 2048)
        #expect(large.picture(longestEdge: 1600).size.width == 4000)
    }

    @Test func `what the feed of all says counts more than what an album's said`() {
        func feed(_ day: String) -> String {
            "<entry>\n<id>a</id>\n<published>\(day)</published>\n<updated>\(day)</updated>\n</entry>\n"
        }
        let history = FeedHistory(
            feed: feed("2"), others: [feed("1"), feed("3")], pages: [], now: Self.day(9))
        #expect(history.entries["a"]?.published == "2")
    }
}

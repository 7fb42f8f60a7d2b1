import Foundation
import GalleryTestSupport
import Testing

/// Feeds of the services that ``RecordedFeedTests`` does not have, as the built program asks for them.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct EveryFeedEndToEndTests {
    /// A feed: what is typed, what that asks for, and how many photos come of the recordings.
    struct Case: Sendable, CustomTestStringConvertible {
        let service: String
        let command: [String]
        let asked: [String]
        var photos = 1
        var testDescription: String { ([service] + command).joined(separator: " ") }
    }

    static let cases = [
        Case(
            service: "commons", command: ["popular", "--ranking", "quality"],
            asked: ["gcmtitle=Category%3AQuality_images"], photos: 20),
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
        "q=stars": "nasa/search_apollo11_p1", "/artworks/?": "cleveland/artworks_one_2020",
        "/observations?": "inaturalist/observation_16227955_v1",
        "/search?q=fashion": "wallhaven/search_fashion_p1_2022", "/artworks?": "artic/artworks_p2_2025",
        "/search?hasImages": "met/search_two_ids", "/objects/": "met/object_45734_2020",
        "/images/": "openverse/openverse_search_docs", "/v2/list": "picsum/picsum_list_2021",
        "/manifest.json": "iiif/p3_0009_book_1",
    ]

    private static func answer(_ request: LocalRequest) -> LocalReply {
        if request.query("generator") == "categorymembers" {
            return WikiServer(count: 50).reply(to: request)
        }
        if request.path == "/feed.xml", let data = try? Fixture.data("feeds/guardian_rss_2018.xml") {
            return .json(String(decoding: data, as: UTF8.self))
        }
        guard let name = recordings.first(where: { request.target.contains($0.key) })?.value,
            let data = try? Fixture.data(name + ".json")
        else { return .status(404) }
        return .json(String(decoding: data, as: UTF8.self))
    }

    private static let paths = ["commons": "w/api.php", "feed": "feed.xml", "iiif": "manifest.json"]

    @Test(arguments: cases)
    func `a feed is listed`(_ feed: Case) async throws {
        try await withGallery(of: feed.service, at: Self.paths[feed.service] ?? "", Self.answer) {
            gallery, server, source in
            let outcome = try await gallery.runWell(
                feed.command + source + ["--adult", "--format", "jsonl"])
            #expect(outcome.lines.count == feed.photos, "\(outcome.all)")
            #expect(outcome.lines.allSatisfy { $0.contains(#""service":"\#(feed.service)""#) })
            let targets = server.requests.map(\.target)
            #expect(targets.count == feed.asked.count)
            for (target, part) in zip(targets, feed.asked) { #expect(target.contains(part), "\(target)") }
        }
    }

    @Test func `a folder's files keep their names`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.write(Pictures.jpeg(bytes: 3000), to: "album/a.jpg")
            try gallery.write("no picture", to: "album/b.jpg")
            let outcome = try await gallery.run(["fetch", "1-", "--folder", "album", "-d", "out"])
            #expect(outcome.lines == ["out/a.jpg"], "\(outcome.all)")
            let left = "Left out 1 photo: 'b.jpg' cannot be shown: it is no picture: it holds text."
            #expect(outcome.errors.split(separator: "\n").filter { $0 == left }.count == 1)
            let gone = try await gallery.run(["popular", "--folder", "gone"], expecting: 66)
            #expect(gone.errors.hasPrefix("Error: There is no folder '") && gone.errors.hasSuffix("'.\n"))
        }
    }
}

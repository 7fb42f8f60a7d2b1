import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite struct RememberedFeedTests {
    private func entry(_ index: Int, _ title: String = "a") -> IndexedPhoto {
        IndexedPhoto(
            index: index,
            photo: Photo(
                id: PhotoID(service: "sample", value: "\(index)"), title: title, category: "Nature"))
    }

    private func feed(_ photos: [IndexedPhoto], _ feed: Feed = .popular()) -> RememberedFeed {
        RememberedFeed(service: "sample", base: nil, feed: .feed(feed), photos: photos)
    }

    @Test func `nobody else can read what was shown`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "state/gallery/feed.jsonl")
            try feed([entry(1)]).write(to: file)
            func mode(_ url: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            }
            #expect(try mode(file) == 0o600)
            #expect(try mode(file.deletingLastPathComponent()) == 0o700)
        }
    }

    @Test(arguments: [
        (#"{"popular":{}}"#, FeedReference.feed(.popular())),
        (
            #"{"popular":{"date":{"day":29,"month":2,"year":2024},"ranking":"fresh"}}"#,
            .feed(.popular(ranking: "fresh", date: CalendarDay("2024-02-29")))
        ),
        (#"{"search":{"_0":"sea"}}"#, .feed(.search("sea"))),
        (#"{"user":{"_0":"ada"}}"#, .feed(.user("ada"))),
        (#"{"favorites":{}}"#, .feed(.favorites(of: nil))),
        (#"{"favorites":{"of":"ada"}}"#, .feed(.favorites(of: "ada"))),
        (#"{"marked":{}}"#, .marked(nil)), (#"{"marked":{"list":"trips"}}"#, .marked(MarkListName("trips"))),
    ])
    func `lists are written as they always were`(text: String, feed: FeedReference) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(feed), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(FeedReference.self, from: Data(text.utf8)) == feed)
    }

    @Test(arguments: [
        "{}", #"{"marked":{"list":"../x"}}"#, #"{"upcoming":{}}"#, #"{"search":{}}"#, #"{"user":{"_0":1}}"#,
        #"{"popular":1}"#, "[]",
    ])
    func `what is no list is none`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FeedReference.self, from: Data(text.utf8))
        }
    }

    @Test func `a file gives back the very photos`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "feed.jsonl")
            let shown = feed([entry(3, "\u{1B}[2J \"quoted\"\nline"), entry(450)], .search("sea"))
            try shown.write(to: file)
            let read = try #require(RememberedFeed(contentsOf: file))
            #expect(read == shown)
            #expect(read.feed == .feed(.search("sea")))
            #expect(read.photo(at: 450) == entry(450).photo)
            #expect(read.photo(at: 3)?.id.value == "3")
            #expect(read.photo(at: 4) == nil)
        }
    }

    @Test func `what was shown later wins, and another feed begins anew`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "feed.jsonl")
            var (same, other) = (feed([entry(2, "new")]), feed([entry(2)], .search("sea")))
            same.addEarlier(from: file)
            #expect(same == feed([entry(2, "new")]))
            try feed([entry(1, "old"), entry(2, "old")]).write(to: file)
            same.addEarlier(from: file)
            #expect(same.photo(at: 1)?.title == "old")
            #expect(same.photo(at: 2)?.title == "new")
            other.addEarlier(from: file)
            #expect(other.photo(at: 1) == nil)
        }
    }

    @Test(arguments: [
        #"{"index":2,"service":"sample","id":"2""#, #"{"index":2}"#, #"{"index":x,"id":"2"}"#, "{}", "\u{0}",
        #"{"index":99999999999999999999,"id":"2"}"#,
    ])
    func `a damaged line is one photo less`(line: String) throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "feed.jsonl")
            try feed([entry(1), entry(3)]).write(to: file)
            try Data(try String(contentsOf: file, encoding: .utf8).appending(line + "\n").utf8).write(
                to: file)
            let read = try #require(RememberedFeed(contentsOf: file))
            #expect(read.photo(at: 1) == entry(1).photo)
            #expect(read.photo(at: 2) == nil)
            #expect(read.photo(at: 3) == entry(3).photo)
        }
    }

    @Test(.thorough) func `of too many the highest indexes stay`() throws {
        var all = feed([])
        for page in 0..<130 { all.add((1...100).map { entry(page * 100 + $0) }) }
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "feed.jsonl")
            try all.write(to: file)
            let read = try #require(RememberedFeed(contentsOf: file))
            #expect(read.photo(at: 13_000) != nil)
            #expect(read.photo(at: 3_001) != nil)
            #expect(read.photo(at: 3_000) == nil)
        }
    }

    @Test(
        arguments: [
            ("flickr", "https://a.example", Feed.popular(), true),
            ("500px", "https://a.example", .popular(), false),
            ("flickr", "https://b.example", .popular(), false), ("flickr", nil, .popular(), false),
            ("flickr", "https://a.example", .search("sea"), false),
        ] as [(String, String?, Feed, Bool)])
    func `a list is that of its service, at its address, of its feed`(
        service: String, base: String?, feed: Feed, isSame: Bool
    ) {
        func remembered(_ service: String, _ base: String?, _ feed: Feed) -> RememberedFeed {
            RememberedFeed(
                service: service, base: base.flatMap { URL(string: $0) }, feed: .feed(feed), photos: [])
        }
        let known = remembered("flickr", "https://a.example", .popular())
        #expect(known.isSameFeed(as: remembered(service, base, feed)) == isSame)
    }
}

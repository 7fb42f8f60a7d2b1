import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// What a folder is asked, and how its answers are read.
struct FolderTests {
    private let folder = Folder(folder: URL(filePath: "/photos/my best?"))

    private func page(_ feed: Feed, _ status: Int, _ body: String) throws -> Page {
        let slice = PageSlice(number: 1, size: 20)
        var conversation = Conversation((suffix: "file:///photos/", status: status, body: Data(body.utf8)))
        let page = try conversation.run(folder.page(slice, of: feed, cursor: nil))
        #expect(conversation.asked.map(\.count) == [1])
        return page
    }

    @Test(arguments: [
        (Feed.popular(), 1, 20, "first=1&count=20"),
        (.popular(ranking: "newest"), 3, 20, "first=41&count=20"),
        (.popular(ranking: "largest"), 1, 20, "first=1&count=20&ranking=largest"),
        (.search("sea & sky"), 2, 100, "first=101&count=100&words=sea%20%26%20sky"),
        (.user("Ada Lovelace"), 1, 7, "first=1&count=7&author=Ada%20Lovelace"),
    ])
    func `asks for a slice of the folder`(feed: Feed, number: Int, size: Int, query: String) throws {
        let exchange = try folder.page(PageSlice(number: number, size: size), of: feed, cursor: nil)
        #expect(exchange.requests.map(\.url.absoluteString) == ["file:///photos/my%20best%3F?\(query)"])
        let first = try #require(exchange.requests.first)
        let match = FolderMatch(
            words: feed == .search("sea & sky") ? "sea & sky" : nil,
            author: feed == .user("Ada Lovelace") ? "Ada Lovelace" : nil)
        let ranking: FolderRanking = feed == .popular(ranking: "largest") ? .largest : .newest
        #expect(FolderQuery(first.url) == .list(first: (number - 1) * size + 1, count: size, ranking, match))
    }

    @Test(arguments: [
        "file:///photos/a.jpg", "file:///photos/?first=0&count=1", "file:///photos/?first=1",
        "file:///photos/?first=1&count=x", "https://example.com/?first=1&count=20",
        "file:///photos/?first=1&count=20&ranking=oldest",
    ])
    func `takes no other address for a list`(address: String) throws {
        #expect(FolderQuery(try #require(URL(string: address))) == nil)
    }

    @Test
    func `reads a picture with its note and one without`() async throws {
        try await withTemporaryDirectory { folder in
            let folder = folder.appending(path: "my best?")
            let album = Album(folder)
            let picture = Pictures.png(width: 40, height: 30)
            try album.add("sea/a?.png", picture, age: 1)
            let note = #"""
                {"index":9,"service":"flickr","id":"77","title":"Sea",
                "author":{"id":"1","name":"Ada","username":null},
                "page":"https://www.flickr.com/photos/ada/77/","width":400,"height":300,"likes":5,"tags":["sea"],
                "category":"Water","credit":"Ada, by courtesy",
                "taken":"2012-02-09T07:27:16Z","license":"CC BY 2.0","adult":true,
                "full":{"url":"https://live.staticflickr.com/77.jpg","width":400,"height":300}}
                """#
            try album.add("sea/a?.json", Data(note.utf8))
            try album.add("b.png", picture, age: 2)
            let page = try await album.list()
            #expect(page.total == 2)
            #expect(!page.hasMore)
            #expect(page.photos.map(\.index) == [1, 2])
            let photo = try #require(page.photos.first?.photo)
            #expect(photo.id == PhotoID(service: "folder", value: "sea/a?.png"))
            #expect(photo.title == "Sea")
            #expect(photo.author?.name == "Ada")
            #expect(photo.page?.absoluteString == "https://www.flickr.com/photos/ada/77/")
            // The file itself says what it is; the note is about what it was fetched from.
            #expect(photo.size == PixelSize(width: 40, height: 30))
            #expect(photo.full?.url.absoluteString.hasSuffix("/my%20best%3F/sea/a%3F.png") == true)
            #expect(photo.thumbnail == photo.full)
            #expect(photo.likes == 5)
            #expect(photo.taken == Date(timeIntervalSince1970: 1_328_772_436))
            #expect(!photo.isTakenInLocalTime)
            #expect(photo.license == "CC BY 2.0")
            #expect(photo.credit == "Ada, by courtesy")
            #expect(photo.tags == ["sea"])
            #expect(photo.category == "Water")
            #expect(photo.isAdult)
            let plain = try #require(page.photos.last?.photo)
            #expect(plain.title == "b")
            #expect(plain.author == nil)
            #expect(plain.published == nil)
        }
    }

    @Test(arguments: [
        (404, "There is no folder '/photos/my best?'."),
        (403, "The folder '/photos/my best?' is not readable."),
        (200, "folder sent an empty answer."),
    ])
    func `says what is wrong with the folder`(status: Int, message: String) {
        let error = #expect(throws: ServiceError.self) { try page(.popular(), status, "") }
        #expect(error?.description == message)
    }

    @Test
    func `an author without pictures is missing, a search without is empty`() throws {
        let nothing = #"{"total":0,"more":false,"photos":[]}"#
        let error = #expect(throws: ServiceError.self) { try page(.user("Ada"), 200, nothing) }
        #expect(error?.description == "folder has no user 'Ada'.")
        #expect(try page(.search("sea"), 200, nothing).photos.isEmpty)
    }
}

import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What is known of pictures in a folder.
struct FolderTests {
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
}

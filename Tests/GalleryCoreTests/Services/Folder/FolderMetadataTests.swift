import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import GalleryCore

/// What a folder's pictures say of themselves.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct FolderMetadataTests {
    private let plain = Pictures.png(width: 40, height: 30)

    private func album(_ folder: URL) throws -> Album {
        let album = Album(folder)
        try album.add("plain.png", plain, age: 0)
        try album.add("b/IMG_10.jpg", Fixture.data("pictures/camera.jpg"), age: 10)
        try album.add("b/IMG_9.heic", Fixture.data("pictures/phone.heic"), age: 20)
        try album.add("a.avif", Fixture.data("pictures/grid.avif"), age: 30)
        return album
    }

    @Test
    func `a phone's picture is listed upright, with date, author and keywords`() async throws {
        try await withTemporaryDirectory { folder in
            let album = try album(folder)
            for path in ["b/IMG_9.heic", "b/IMG_10.jpg"] {
                let detail = try await album.detail(path)
                let photo = detail.photo
                #expect(photo.size == PixelSize(width: 64, height: 96))
                #expect(photo.title == "A cup & saucer")
                #expect(photo.author == Author(name: "Ada Lovelace"))
                #expect(photo.taken == Date(timeIntervalSince1970: 1_620_277_689))
                #expect(photo.tags.prefix(2) == ["coffee", "cup"])
                #expect(detail.camera == "Apple iPhone 12")
                #expect(detail.lens == "iPhone 12 back camera 4.2mm f/1.6")
                #expect(detail.focalLength == "4.2 mm")
                #expect(detail.iso == "64")
                #expect(detail.shutterSpeed == "1/640")
                #expect(detail.aperture == "f/1.6")
                #expect(detail.latitude == 48.5 && detail.longitude == -2.25)
                let listed = try await album.list().photos.first { $0.photo.id == photo.id }
                #expect(listed?.photo == photo)
            }
            #expect(album.warnings.isEmpty)
        }
    }

    @Test
    func `the artist is a user, and keywords are searched`() async throws {
        try await withTemporaryDirectory { folder in
            let album = try album(folder)
            #expect(try await album.paths(.user("ada lovelace")) == ["b/IMG_10.jpg", "b/IMG_9.heic"])
            #expect(try await album.paths(.search("table")) == ["b/IMG_10.jpg"])
            #expect(try await album.paths(.search("saucer ada")) == ["b/IMG_10.jpg", "b/IMG_9.heic"])
            let note = Photo(
                id: PhotoID(service: "flickr", value: "1"), title: "", author: Author(name: "Bo"),
                tags: ["sea"])
            try album.add("b/IMG_9.json", Data(IndexedPhoto(index: 1, photo: note).json.text.utf8))
            // What was fetched is the author's who published it; gaps are filled from the file.
            let photo = try await album.detail("b/IMG_9.heic").photo
            #expect(photo.author?.name == "Bo")
            #expect(photo.tags == ["sea"])
            #expect(photo.title == "A cup & saucer")
        }
    }

    @Test(arguments: [
        ("newest", ["plain.png", "b/IMG_10.jpg", "b/IMG_9.heic", "a.avif"]),
        ("name", ["a.avif", "b/IMG_9.heic", "b/IMG_10.jpg", "plain.png"]),
        ("taken", ["b/IMG_10.jpg", "b/IMG_9.heic", "plain.png", "a.avif"]),
        ("largest", ["a.avif", "b/IMG_10.jpg", "b/IMG_9.heic", "plain.png"]),
    ])
    func `pictures are ordered`(ranking: String, paths: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let album = try album(folder)
            let feed = Feed.popular(ranking: ranking)
            #expect(try await album.paths(feed) == paths)
            // Page by page, and by a process of its own, the same.
            #expect(try await album.paths(feed, 3...4) == Array(paths[2...]))
            #expect(try await Album(folder).paths(feed, 2...2) == [paths[1]])
            #expect(try await album.list(feed).total == 4)
        }
    }

    @Test
    func `paths are ordered as people do`() {
        let sorted = ["a.png", "B/2.png", "b/10.png", "img1.png", "IMG2.png", "img02b.png", "img10.png", "z"]
        #expect(sorted.reversed().sorted(by: FolderScan.precedes) == sorted)
        #expect(!FolderScan.precedes("a", "a"))
    }

    @Test
    func `a stored thumbnail of the same proportions is the thumbnail, turned as the picture is`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let album = try album(folder)
            let photo = try await album.detail("b/IMG_10.jpg").photo
            #expect(photo.thumbnail?.size == PixelSize(width: 16, height: 24))
            let bytes = Array(try await album.bytes(of: photo.thumbnail))
            #expect(
                PictureFile.examine(PictureBytes(bytes))
                    == .whole(.jpeg, size: PixelSize(width: 16, height: 24)))
            #expect(bytes.count < 1000)
            // Behind the file's own address, so that other programs show the picture.
            #expect(
                photo.thumbnail?.url.path(percentEncoded: true) == photo.full?.url.path(percentEncoded: true))
            #expect(try await album.detail("plain.png").photo.thumbnail?.url.query() == nil)
        }
    }

    @Test
    func `a raw file's preview and the desktop's thumbnails are among the files`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            let raw = try album.add("a b.arw", Data(HandmadeRaw.holding(SmallPicture.baselineJPEG)))
            let note = ThumbnailNote(file: raw, modified: 1_600_000_000)
            let png = note.added(to: SmallPicture.png)
            for name in ["large", "x-large"] {
                try album.add(".cache/thumbnails/\(name)/\(note.name)", png)
            }
            let old = ThumbnailNote(file: raw, modified: 1).added(to: SmallPicture.png)
            try album.add(".cache/thumbnails/normal/\(note.name)", old)
            for photo in [try await album.detail("a b.arw").photo, try await album.list().photos[0].photo] {
                let queries = photo.renditions.map { $0.url.query() ?? "" }
                #expect(Set(queries) == ["preview", "thumbnail=large", "thumbnail=x-large", ""])
                // Turned as the raw file says.
                let preview = photo.renditions.first { $0.url.query() == "preview" }
                #expect(preview?.size == PixelSize(width: 5, height: 7))
                let bytes = Array(try await album.bytes(of: preview))
                #expect(
                    PictureFile.examine(PictureBytes(bytes)) == .whole(.jpeg, size: preview?.size))
                // Its note would say where the file is.
                let large = photo.renditions.first { $0.url.query() == "thumbnail=large" }
                #expect(try await album.bytes(of: large) == Data(SmallPicture.png))
                #expect(png != Data(SmallPicture.png))
                #expect(
                    photo.withoutThumbnails.renditions.map { $0.url.query() ?? "" }.sorted()
                        == ["", "preview"])
            }
            try album.setAge(raw, 5)
            #expect(try await album.detail("a b.arw").photo.renditions.count == 2)
        }
    }

    @Test
    func `a thumbnail of other proportions, or one that is cut, is none`() throws {
        let jpeg = SmallPicture.baselineJPEG
        let wanted = try #require(PixelSize(width: 700, height: 500))
        #expect(EmbeddedThumbnail(jpeg, orientation: nil, of: wanted)?.bytes == jpeg)
        #expect(EmbeddedThumbnail(jpeg, orientation: 6, of: wanted) == nil)
        #expect(EmbeddedThumbnail(jpeg.dropLast(), orientation: nil, of: wanted) == nil)
        #expect(EmbeddedThumbnail(SmallPicture.png, orientation: nil, of: wanted) == nil)
    }

    @Test
    func `no thumbnail is served from outside the folder`() async throws {
        try await withTemporaryDirectory { outer in
            let album = Album(outer.appending(path: "mine"))
            try album.add("a.png", plain)
            try Fixture.data("pictures/camera.jpg").write(to: outer.appending(path: "b.jpg"))
            for name in ["b.jpg", "mine/../b.jpg", "mine/a.png", "mine"] {
                let address = outer.absoluteString + name + "?thumbnail"
                let head = try await album.transport.send(
                    HTTPRequest(url: try #require(URL(string: address))), idleTimeout: 30, to: MemorySink())
                #expect(head.status == 404)
            }
        }
    }

    @Test
    func `what is left out is counted by kind, once`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for number in 1...12 {
                try album.add("\(number).mov", Data("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ".utf8))
            }
            try album.add("a.pdf", Data("%PDF-1.4".utf8))
            try album.add("b.txt", Data("text".utf8))
            try album.add("c.docx", Data("PK\u{3}\u{4}".utf8))
            try album.add("d.zip", Data("PK\u{3}\u{4}".utf8))
            try album.add("e.svg", Data("<svg/>".utf8))
            try album.add("f.mp3", Data("ID3\u{4}".utf8))
            try album.add("g.bin", Data(repeating: 0x81, count: 8))
            for _ in 1...2 { #expect(try await album.list().photos.isEmpty) }
            #expect(
                album.warnings == [
                    "folder has 12 videos, 1 sound file, 3 documents, 1 drawing, 1 archive, 1 other file."
                ])
        }
    }
}

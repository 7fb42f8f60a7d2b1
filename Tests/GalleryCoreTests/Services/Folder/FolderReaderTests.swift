import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Folders as they are found on disks.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct FolderReaderTests {
    private let picture = Pictures.png(width: 40, height: 30)

    @Test func `lists pictures by their bytes, newest first, with their pixels`() async throws {
        try await withAlbum { album in
            try album.add("old.txt", Pictures.jpeg(width: 64, height: 48), age: 50)
            try album.add("a/b/deep.gif", Pictures.gif(width: 5, height: 6), age: 10)
            try album.add("no ending", Pictures.webp(width: 7, height: 8), age: 20)
            try album.add("a/new.png", picture, age: 0)
            try album.add("wrong.gif", Pictures.avif(width: 9, height: 10), age: 30)
            try album.add("notes.txt", Data("no picture".utf8), age: 5)
            try album.add("clip.mp4", Data("\0\0\0\u{18}ftypmp42".utf8), age: 6)
            try album.add("lone.json", Data("{}".utf8), age: 7)
            let page = try await album.list()
            #expect(
                page.photos.map(\.photo.id.value)
                    == ["a/new.png", "a/b/deep.gif", "no ending", "wrong.gif", "old.txt"])
            #expect(page.photos.map(\.index) == [1, 2, 3, 4, 5])
            #expect(page.photos.map(\.photo.size?.width) == [40, 5, 7, 9, 64])
            #expect(
                page.photos.map(\.photo.title) == [
                    "new", "deep", "no ending", "wrong", "old.txt",
                ])
            #expect(page.total == 5)
            #expect(!page.hasMore)
            #expect(album.warnings == ["folder has 1 video, 2 documents."])
            #expect(try await album.bytes(of: page.photos.first?.photo.full) == picture)
        }
    }

    @Test func `pictures of one moment are in the order of their paths`() async throws {
        try await withAlbum { album in
            let paths = ["B.png", "a.png", "a/1.png", "a/10.png", "a/2.png", "ä.png"]
            for path in paths.reversed() { try album.add(path, picture) }
            #expect(try await album.paths() == ["B.png", "a.png", "ä.png", "a/1.png", "a/10.png", "a/2.png"])
        }
    }

    @Test func `passes by what is hidden, unfinished or a note`() async throws {
        try await withAlbum { album in
            for path in [".hidden.png", ".folder/a.png", "a.png.part", "b.part", "seen.png"] {
                try album.add(path, picture)
            }
            try album.add(".gallery.jsonl", Data("{}\n".utf8))
            try album.add("seen.json", Data("{}".utf8))
            #expect(try await album.paths() == ["seen.png"])
            #expect(album.warnings.isEmpty)
        }
    }

    @Test func `leaves out what has no readable head, with one line each`() async throws {
        try await withAlbum { album in
            let jpeg = Pictures.jpeg(bytes: 5000, width: 64, height: 64)
            try album.add("1.png", picture, age: 1)
            try album.add("2 cut.jpg", jpeg.prefix(20), age: 2)
            try album.add("3 page.JPEG", Data("<html>Not found</html>".utf8), age: 3)
            try album.add("4 empty.webp", Data(), age: 4)
            try album.add("5 line\u{1B}[31m.png", picture.prefix(20), age: 5)
            try album.add("6.png", picture, age: 6)
            for _ in 1...2 {
                let page = try await album.list()
                #expect(page.photos.map(\.photo.id.value) == ["1.png", "6.png"])
                // An index is a picture's, so nothing is missing between the two.
                #expect(page.photos.map(\.index) == [1, 2])
                #expect(page.total == 2)
            }
            #expect(album.warnings.count == 4)
            #expect(
                album.warnings.first?.hasPrefix("'2 cut.jpg' cannot be shown: the picture is broken: ")
                    == true)
            #expect(
                album.warnings.dropFirst().first
                    == "'3 page.JPEG' cannot be shown: it is no picture: it holds an HTML page.")
            #expect(
                album.warnings.dropFirst(2).first
                    == "'4 empty.webp' cannot be shown: it is no picture: it holds nothing.")
            #expect(album.warnings.last?.hasPrefix("'5 line[31m.png' cannot be shown: ") == true)
        }
    }

    @Test func `lists what decoders show of incomplete pictures, and says what they lack`() async throws {
        let jpeg = Pictures.jpeg(bytes: 5000, width: 64, height: 64)
        let samsung = Data("\0\0\u{1}\u{8}SEFHe\0\0\0SEFT".utf8)
        let webp = Pictures.webp(width: 7, height: 8)
        func riff(_ more: Int) -> Data {
            let length = UInt32(webp.count - 8 + more)
            return webp.prefix(4) + withUnsafeBytes(of: length.littleEndian) { Data($0) } + webp.dropFirst(8)
        }
        let incomplete: [(name: String, bytes: Data, lack: String)] = [
            ("a.jpg", jpeg.dropLast(2), "its end marker is missing"),
            ("b.jpg", jpeg.dropLast(2) + samsung, "its end marker is missing"),
            ("c.gif", Pictures.gif(width: 5, height: 6).dropLast(), "its trailer is missing"),
            ("d.png", picture.dropLast(12), "its last chunk, IEND, is missing"),
            ("e.webp", riff(1), "it has \(webp.count) of \(webp.count + 1) bytes"),
            ("f.webp", riff(-8), "it ends within a chunk"),
        ]
        try await withAlbum { album in
            for (name, bytes, _) in incomplete { try album.add(name, bytes) }
            try album.add("whole.jpg", jpeg + samsung)
            #expect(try await album.paths() == incomplete.map(\.name) + ["whole.jpg"])
            for (name, bytes, lack) in incomplete {
                let detail = try await album.detail(name)
                #expect(detail.incomplete == lack)
                let json = IndexedPhoto(index: 1, photo: detail.photo).json(with: detail)
                #expect(DescribedPhoto(json: Data(json.text.utf8))?.detail?.incomplete == lack)
                #expect(try await album.bytes(of: detail.photo.full) == bytes)
            }
            #expect(try await album.detail("whole.jpg").incomplete == nil)
            #expect(album.warnings.isEmpty)
        }
    }

    @Test
    func `folders of systems and those with a nomedia file are counted, and listed where they are named`()
        async throws
    {
        let system = [
            "@eaDir", "#recycle", "$Recycle.Bin", "__MACOSX", "System Volume Information", "lost+found",
            "2024 Catalog Previews.lrdata", "Photos.photoslibrary", ".Trash-1000", ".Trashes", "a/.Trash",
        ]
        try await withAlbum { album in
            for (number, path) in system.enumerated() {
                try album.add(path + "/x/y.png", picture)
                try album.add(path + "/z.png", picture, age: number)
            }
            // Whatever comes first in the folder.
            for number in 0..<20 { try album.add("hidden/\(number)/\(number).png", picture) }
            try album.add("hidden/.nomedia", Data())
            try album.add("seen.png", picture)
            try album.add(".Trash", Data())
            #expect(try await album.paths() == ["seen.png"])
            #expect(
                album.warnings == ["folder has \(system.count) system folders, 1 folder with '.nomedia'."])
            let named = Album(album.folder.appending(path: "@eaDir"))
            #expect(try await named.paths().sorted() == ["x/y.png", "z.png"])
            #expect(try await Album(album.folder.appending(path: "hidden")).paths().count == 20)
            // Once, however often the folder is listed.
            #expect(try await album.paths(.popular(), 1...1) == ["seen.png"])
            #expect(album.warnings.count == 1)
        }
    }

    // MARK: - Notes

    private func note(_ title: String, author: String, tags: [String] = []) -> Data {
        let photo = Photo(
            id: PhotoID(service: "flickr", value: "77"), title: title,
            author: Author(id: "9@N01", name: author, username: author.lowercased()), tags: tags)
        return Data(IndexedPhoto(index: 3, photo: photo).json.text.utf8)
    }

    @Test func `takes title, author and tags from the note that fetch wrote`() async throws {
        try await withAlbum { album in
            try album.add("x/77.png", picture, age: 1)
            try album.add("x/77.json", note("Low tide", author: "Ada", tags: ["sea"]))
            try album.add("78.png", picture, age: 2)
            try album.add("78.png.json", note("High tide", author: "Bo"))
            try album.add("79.png", picture, age: 3)
            try album.add("79.json", Data("not JSON".utf8))
            let photos = try await album.list().photos.map(\.photo)
            #expect(photos.map(\.title) == ["Low tide", "High tide", "79"])
            #expect(photos.map(\.author?.name) == ["Ada", "Bo", nil])
            #expect(photos.first?.tags == ["sea"])
            #expect(photos.first?.id == PhotoID(service: "folder", value: "x/77.png"))
            #expect(photos.first?.size == PixelSize(width: 40, height: 30))
            #expect(try await album.detail("x/77.png").photo == photos.first)
            try album.add("no.1/picture", picture, age: 4)
            try album.add("no.1/picture.json", note("Dots", author: "Ada"))
            #expect(try await album.detail("no.1/picture").photo.title == "Dots")
            #expect(try await album.list().photos.last?.photo.title == "Dots")
        }
    }

    @Test func `finds by words and by author`() async throws {
        try await withAlbum { album in
            try album.add("Beach/1.png", picture, age: 1)
            try album.add("2.png", picture, age: 2)
            try album.add("2.json", note("A quiet Beach", author: "Ada"))
            try album.add("3.png", picture, age: 3)
            try album.add("3.json", note("Hills", author: "Bo", tags: ["beach", "far"]))
            try album.add("4.png", picture, age: 4)
            #expect(try await album.paths(.search("beach")) == ["Beach/1.png", "2.png", "3.png"])
            #expect(try await album.paths(.search("far BEACH")) == ["3.png"])
            #expect(try await album.paths(.search("bo")) == ["3.png"])
            #expect(try await album.paths(.search("nothing")).isEmpty)
            let second = try await album.list(.search("beach"), 2...2)
            #expect(second.photos.map(\.photo.id.value) == ["2.png"])
            #expect(second.total == 3)
            #expect(second.hasMore)
            for author in ["Ada", "ADA", "ada"] { #expect(try await album.paths(.user(author)) == ["2.png"]) }
            #expect(try await album.paths(.user("9@N01")) == ["2.png", "3.png"])
            await #expect(throws: ServiceError.self) { try await album.paths(.user("Ad")) }
        }
    }

    // MARK: - Errors

    @Test func `says when there is no such folder`() async throws {
        try await withTemporaryDirectory { folder in
            for name in ["gone", "file.png"] {
                try picture.write(to: folder.appending(path: "file.png"))
                let error = await #expect(throws: ServiceError.self) {
                    try await Album(folder.appending(path: name)).list()
                }
                let path = PlainText.excerpt(folder.appending(path: name).path, limit: 120)
                #expect(error?.description == "There is no folder '\(path)'.")
                #expect(error?.hint == nil)
            }
        }
    }

    @Test func `says when the folder may not be read`() {
        let error = ServiceError.noFolder(path: "/photos", isLocked: true)
        #expect(error.description == "The folder '/photos' is not readable.")
    }

    @Test func `says why a picture named by itself cannot be shown`() async throws {
        try await withAlbum { album in
            try album.add("cut.png", picture.prefix(20))
            try album.add("text.png", Data("text".utf8))
            try album.add("text.txt", Data("text".utf8))
            var errors: [String] = []
            for path in ["cut.png", "text.png", "text.txt", "gone.png"] {
                let error = await #expect(throws: ServiceError.self) { try await album.detail(path) }
                errors.append(error?.description ?? "")
            }
            #expect(errors[0].hasPrefix("'cut.png' cannot be shown: the picture is broken: "))
            #expect(errors[1] == "'text.png' cannot be shown: it is no picture: it holds text.")
            #expect(errors[2] == "There is no picture in 'text.txt'.")
            #expect(errors[3] == "There is no file 'gone.png'.")
        }
    }

    @Test func `a receiver that will not go on ends the transfer of a thumbnail`() async throws {
        try await withAlbum { album in
            try album.add("a.jpg", Fixture.data("pictures/camera.jpg"))
            let thumbnail = try #require(try await album.detail("a.jpg").photo.thumbnail)
            #expect(thumbnail.url.query() == "thumbnail")
            let request = album.loader.service.image(thumbnail)
            #expect(
                await outcome(of: request, over: album.transport, to: RecordingSink(limit: 1)) == "rejected")
        }
    }

    @Test func `a cancelled list is over at once, though the folder is still being read`() async throws {
        try await withTemporaryDirectory { folder in
            let reading = Gate()
            let isOver = DispatchSemaphore(value: 0)
            let album = Album(folder)
            for number in 0..<300 { try album.add("\(number).png", picture) }
            // The service's own queue stands still.
            album.reader.queue.async {
                reading.open()
                isOver.wait()
            }
            let task = Task { try await album.list() }
            try await reading.wait()
            task.cancel()
            let error = await #expect(throws: ServiceError.self) { try await task.value }
            isOver.signal()
            guard case .transport(.cancelled) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await album.list().photos.count == 100)
        }
    }
}

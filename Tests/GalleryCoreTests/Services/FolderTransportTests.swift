import Foundation
import GalleryTestSupport
import Synchronization
import Testing

@testable import GalleryCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder with a loader over it.
private final class Album: Sendable {
    let folder: URL
    let loader: PhotoLoader
    let transport: FolderTransport
    private let told = Lines()

    init(_ folder: URL) {
        self.folder = folder
        transport = FolderTransport(folder: folder, files: FileTransport(roots: [folder])) { [told] in
            told.add($0)
        }
        loader = PhotoLoader(service: Folder(folder: folder), client: APIClient(transport: transport))
    }

    /// What was left out, in the order in which it was told.
    var warnings: [String] { told.all }

    /// Puts a file there, last changed `age` seconds before a fixed moment.
    @discardableResult
    func add(_ path: String, _ data: Data, age: Int = 0) throws -> URL {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        try setAge(url, age)
        return url
    }

    func setAge(_ url: URL, _ age: Int) throws {
        let date = Date(timeIntervalSince1970: TimeInterval(1_600_000_000 - age))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: path).path, withDestinationPath: target)
    }

    func list(_ feed: Feed = .popular(), _ range: ClosedRange<Int> = 1...100) async throws -> Page {
        try await loader.photos(range, of: feed)
    }

    func paths(_ feed: Feed = .popular(), _ range: ClosedRange<Int> = 1...100) async throws -> [String] {
        try await list(feed, range).photos.map(\.photo.id.value)
    }

    func bytes(of rendition: Rendition?) async throws -> Data {
        let sink = DataSink()
        let request = loader.service.image(try #require(rendition))
        let head = try await transport.send(request, idleTimeout: 30, to: sink)
        #expect(head.status == 200)
        return sink.data
    }

    func detail(_ path: String) async throws -> PhotoDetail {
        let id = PhotoID(service: "folder", value: path)
        return try #require(try await loader.details(of: [Photo(id: id, title: "")])[id]).get()
    }
}

/// Folders as they are found on disks.
struct FolderTransportTests {
    private let picture = Pictures.png(width: 40, height: 30)

    @Test
    func `lists pictures by their bytes, newest first, with their pixels`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
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
                    "new.png", "deep.gif", "no ending", "wrong.gif", "old.txt",
                ])
            #expect(page.total == 5)
            #expect(!page.hasMore)
            #expect(album.warnings.isEmpty)
            #expect(try await album.bytes(of: page.photos.first?.photo.full) == picture)
        }
    }

    @Test
    func `pictures of one moment are in the order of their paths`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            let paths = ["B.png", "a.png", "a/1.png", "a/10.png", "a/2.png", "ä.png"]
            for path in paths.reversed() { try album.add(path, picture) }
            #expect(try await album.paths() == ["B.png", "a.png", "ä.png", "a/1.png", "a/10.png", "a/2.png"])
        }
    }

    @Test
    func `passes by what is hidden, unfinished or a note`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for path in [".hidden.png", ".folder/a.png", "a.png.part", "b.part", "seen.png"] {
                try album.add(path, picture)
            }
            try album.add(".gallery.jsonl", Data("{}\n".utf8))
            try album.add("seen.json", Data("{}".utf8))
            #expect(try await album.paths() == ["seen.png"])
            #expect(album.warnings.isEmpty)
        }
    }

    @Test
    func `leaves out what is broken, with one line each`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            let jpeg = Pictures.jpeg(bytes: 5000, width: 64, height: 64)
            try album.add("1.png", picture, age: 1)
            try album.add("2 torso.jpg", jpeg.dropLast(200), age: 2)
            try album.add("3 page.JPEG", Data("<html>Not found</html>".utf8), age: 3)
            try album.add("4 empty.webp", Data(), age: 4)
            try album.add("5 line\u{1B}[31m.png", picture.prefix(30), age: 5)
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
                album.warnings.first?.hasPrefix("'2 torso.jpg' is left out: the picture is broken: ") == true)
            #expect(
                album.warnings.dropFirst().first
                    == "'3 page.JPEG' is left out: it is no picture: it holds an HTML page.")
            #expect(
                album.warnings.dropFirst(2).first
                    == "'4 empty.webp' is left out: it is no picture: it holds nothing.")
            #expect(album.warnings.last?.hasPrefix("'5 line[31m.png' is left out: ") == true)
        }
    }

    // MARK: - Notes

    private func note(_ title: String, author: String, tags: [String] = []) -> Data {
        let photo = Photo(
            id: PhotoID(service: "flickr", value: "77"), title: title,
            author: Author(id: "9@N01", name: author, username: author.lowercased()), tags: tags)
        return Data(IndexedPhoto(index: 3, photo: photo).json.text.utf8)
    }

    @Test
    func `takes title, author and tags from the note that fetch wrote`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            try album.add("x/77.png", picture, age: 1)
            try album.add("x/77.json", note("Low tide", author: "Ada", tags: ["sea"]))
            try album.add("78.png", picture, age: 2)
            try album.add("78.png.json", note("High tide", author: "Bo"))
            try album.add("79.png", picture, age: 3)
            try album.add("79.json", Data("not JSON".utf8))
            let photos = try await album.list().photos.map(\.photo)
            #expect(photos.map(\.title) == ["Low tide", "High tide", "79.png"])
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

    @Test
    func `finds by words and by author`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
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

    // MARK: - Links, odd names, odd files

    @Test
    func `follows a link to a picture inside, and none that leads outside`() async throws {
        try await withTemporaryDirectory { outer in
            let inner = outer.appending(path: "album")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let album = Album(inner)
            try picture.write(to: outer.appending(path: "outside.png"))
            try FileManager.default.createDirectory(
                at: outer.appending(path: "album2"), withIntermediateDirectories: true)
            try picture.write(to: outer.appending(path: "album2/b.png"))
            try album.add("in/real.png", picture)
            try album.link("file out.png", to: "../outside.png")
            try album.link("absolute out.png", to: outer.appending(path: "outside.png").path)
            try album.link("folder out", to: "../album2")
            try album.link("near namesake.png", to: "../album2/b.png")
            try album.link("loop", to: ".")
            try album.link("in/up", to: "..")
            try album.link("dangling.png", to: "gone.png")
            try album.link("itself.png", to: "itself.png")
            try album.link("kept.png", to: "in/real.png")
            let page = try await album.list()
            #expect(Set(page.photos.map(\.photo.id.value)) == ["in/real.png", "kept.png"])
            for photo in page.photos { #expect(try await album.bytes(of: photo.photo.full) == picture) }
            #expect(album.warnings.isEmpty)
            for path in [
                "file out.png", "folder out/b.png", "../outside.png", "in/../../outside.png", "", "in",
            ] {
                await #expect(throws: ServiceError.self) { try await album.detail(path) }
            }
        }
    }

    @Test
    func `the folder itself may be named by a link`() async throws {
        try await withTemporaryDirectory { outer in
            try Album(outer.appending(path: "real")).add("a.png", picture)
            let link = outer.appending(path: "link")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real")
            let album = Album(link)
            let page = try await album.list()
            #expect(page.photos.map(\.photo.id.value) == ["a.png"])
            #expect(try await album.bytes(of: page.photos.first?.photo.full) == picture)
        }
    }

    @Test
    func `names may be anything that is text`() async throws {
        try await withTemporaryDirectory { folder in
            let odd = folder.appending(path: "a b?#%41")
            try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
            let album = Album(odd)
            let names = [
                "line\nbreak.png", "a?b=c&first=1.png", "50%.png", "%2e%2e.png", "#1.png", "quo\"te'.png",
                "-rf.png",
                "写真 🌊.png", "e\u{301}.png", "back\\slash.png", "semi;colon:.png",
                "sub dir?/+.png",
                "tab\t.png", "~.png", "$HOME.png", "*.png", "\u{1B}[2J.png",
            ]
            for (age, name) in names.enumerated() {
                try album.add(name, picture + Data("\(age)".utf8), age: age)
            }
            let page = try await album.list()
            #expect(page.photos.map { Array($0.photo.id.value.utf8) } == names.map { Array($0.utf8) })
            for (age, photo) in page.photos.enumerated() {
                #expect(try await album.bytes(of: photo.photo.full) == picture + Data("\(age)".utf8))
                #expect(try await album.detail(photo.photo.id.value).photo == photo.photo)
            }
        }
    }

    #if os(Linux)
        @Test
        func `a name that is no text is left out with one line`() async throws {
            try await withTemporaryDirectory { folder in
                let album = Album(folder)
                try album.add("good.png", picture)
                var path = Array(folder.path.utf8CString.dropLast()) + Array("/caf".utf8CString.dropLast())
                path += [CChar(bitPattern: 0xE9)] + Array(".png".utf8CString)
                let file = open(path, O_WRONLY | O_CREAT, 0o600)
                try #require(file >= 0)
                close(file)
                #expect(try await album.paths() == ["good.png"])
                #expect(album.warnings == ["'caf\u{FFFD}.png' is left out: its name is not UTF-8."])
            }
        }
    #endif

    @Test
    func `a pipe with a picture's name holds nobody up`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            try album.add("a.png", picture)
            try #require(mkfifo(folder.appending(path: "pipe.jpg").path, 0o600) == 0)
            #expect(try await album.paths() == ["a.png"])
            await #expect(throws: ServiceError.self) { try await album.detail("pipe.jpg") }
        }
    }

    /// The administrator may read everything.
    @Test(.enabled(if: geteuid() != 0))
    func `a subfolder or a picture that may not be read is left out with one line`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            try album.add("locked/a.png", picture)
            let secret = try album.add("secret.png", picture, age: 1)
            try album.add("b.png", picture, age: 2)
            let locked = folder.appending(path: "locked")
            for path in [locked.path, secret.path] { try #require(chmod(path, 0) == 0) }
            #expect(try await album.paths() == ["b.png"])
            #expect(
                album.warnings == [
                    "'locked/' is left out: Permission denied.",
                    "'secret.png' is left out: Permission denied.",
                ])
            let error = await #expect(throws: ServiceError.self) { try await Album(locked).list() }
            #expect(
                error?.description
                    == "folder has no folder '\(PlainText.excerpt(locked.path, limit: 120))' that may be read."
            )
        }
    }

    // MARK: - Errors

    @Test
    func `says when there is no such folder`() async throws {
        try await withTemporaryDirectory { folder in
            for name in ["gone", "file.png"] {
                try picture.write(to: folder.appending(path: "file.png"))
                let error = await #expect(throws: ServiceError.self) {
                    try await Album(folder.appending(path: name)).list()
                }
                let path = PlainText.excerpt(folder.appending(path: name).path, limit: 120)
                #expect(error?.description == "folder has no folder '\(path)'.")
            }
        }
    }

    @Test
    func `lists no other folder than its own`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder.appending(path: "mine"))
            try album.add("a.png", picture)
            for other in [folder, folder.appending(path: "mine/..")] {
                let query = FolderQuery.list(first: 1, count: 9, FolderMatch(words: nil, author: nil))
                let head = try await album.transport.send(
                    HTTPRequest(other, "", query: query.items), idleTimeout: 30, to: DataSink())
                #expect(head.status == 403)
            }
        }
    }

    @Test
    func `says why a picture named by itself cannot be shown`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            try album.add("torso.png", picture.dropLast(12))
            try album.add("text.png", Data("text".utf8))
            try album.add("text.txt", Data("text".utf8))
            var errors: [String] = []
            for path in ["torso.png", "text.png", "text.txt", "gone.png"] {
                let error = await #expect(throws: ServiceError.self) { try await album.detail(path) }
                errors.append(error?.description ?? "")
            }
            #expect(
                errors[0].hasPrefix(
                    "folder answered: photo 'torso.png' cannot be shown: the picture is broken: "))
            #expect(
                errors[1]
                    == "folder answered: photo 'text.png' cannot be shown: it is no picture: it holds text.")
            #expect(errors[2] == "folder has no photo 'text.txt'.")
            #expect(errors[3] == "folder has no photo 'gone.png'.")
        }
    }

    @Test
    func `a cancelled list is over at once`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for number in 0..<300 { try album.add("\(number).png", picture) }
            let task = Task { try await album.list() }
            task.cancel()
            let error = await #expect(throws: ServiceError.self) { try await task.value }
            guard case .transport(.cancelled) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await album.list().photos.count == 100)
        }
    }

    // MARK: - Many

    @Test
    func `pages of 5,000 pictures fit together, wherever one begins`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            var generator = SeededGenerator(seed: 7)
            // Some of one moment, some no pictures, some broken, in fifty folders.
            let ages = (0..<5000).map { _ in Int.random(in: 0..<1000, using: &generator) }
            var wanted: [(path: String, age: Int)] = []
            for (number, age) in ages.enumerated() {
                let path = "\(number % 50)/\(number).png"
                switch number % 100 {
                case 7: try album.add("\(number % 50)/\(number).txt", Data("text".utf8), age: age)
                case 8: try album.add(path, picture.prefix(40), age: age)
                default:
                    try album.add(path, picture, age: age)
                    wanted.append((path, age))
                }
            }
            wanted.sort { one, other in
                if one.age != other.age { return one.age < other.age }
                let (left, right) = (one.path.split(separator: "/"), other.path.split(separator: "/"))
                return (left[0] + "/", left[1]) < (right[0] + "/", right[1])
            }
            let paths = wanted.map(\.path)
            let all = try await album.list(.popular(), 1...6000)
            #expect(all.photos.map(\.photo.id.value) == paths)
            #expect(all.photos.map(\.index) == Array(1...4900))
            #expect(all.total == 4900)
            #expect(!all.hasMore)
            #expect(album.warnings.count == 50)
            for turn in 0..<25 {
                let first = Int.random(in: 1...4900, using: &generator)
                let last = min(first + Int.random(in: 0..<150, using: &generator), 4900)
                // Some as if in a process of their own.
                let page = try await (turn < 5 ? Album(folder) : album).list(.popular(), first...last)
                #expect(page.photos.map(\.photo.id.value) == Array(paths[first - 1..<last]))
                #expect(page.photos.first?.index == first)
                #expect(page.hasMore == (last < 4900))
            }
        }
    }

    @Test
    func `looks only as far as it must, and knows the total once it has seen all`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for number in 0..<700 { try album.add("\(number).png", picture, age: number) }
            try album.add("torso.png", picture.dropLast(1), age: 650)
            #expect(try await album.list(.popular(), 1...20).total == nil)
            #expect(album.warnings.isEmpty)
            #expect(try await album.list(.popular(), 301...320).total == 700)
            #expect(album.warnings.count == 1)
        }
    }

    @Test
    func `pictures that come while somebody pages shift nothing until the first is asked for again`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for number in 0..<30 { try album.add("\(number).png", picture, age: 100 + number) }
            #expect(try await album.paths(.popular(), 1...10) == (0..<10).map { "\($0).png" })
            try album.add("new.png", picture)
            #expect(try await album.paths(.popular(), 21...30) == (20..<30).map { "\($0).png" })
            #expect(try await album.paths(.popular(), 1...2) == ["new.png", "0.png"])
        }
    }

    /// Takes a minute to make the files: `GALLERY_LARGE_FOLDER=1 swift test --filter "100,000"`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLERY_LARGE_FOLDER"] != nil))
    func `100,000 pictures list in seconds`() async throws {
        try await withTemporaryDirectory { folder in
            let album = Album(folder)
            for number in 0..<100 {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "\(number)"), withIntermediateDirectories: true)
            }
            for number in 0..<100_000 {
                try picture.write(to: folder.appending(path: "\(number % 100)/\(number).png"))
            }
            for range in [1...20, 99_981...100_000] {
                let clock = ContinuousClock()
                let start = clock.now
                let page = try await Album(folder).list(.popular(), range)
                #expect(page.photos.count == 20)
                #expect(clock.now - start < .seconds(20))
            }
            #expect(try await album.list(.popular(), 99_991...100_000).total == 100_000)
        }
    }
}

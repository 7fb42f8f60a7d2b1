import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Links, odd names and odd files in a folder.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct FolderLinkTests {
    private let picture = Pictures.png(width: 40, height: 30)

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
                #expect(album.warnings == ["'caf\u{FFFD}.png' cannot be shown: its name is not UTF-8."])
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
    @Test(.needsOrdinaryUser)
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
                    "'locked/' cannot be shown: Permission denied.",
                    "'secret.png' cannot be shown: Permission denied.",
                ])
            let error = await #expect(throws: ServiceError.self) { try await Album(locked).list() }
            #expect(
                error?.description
                    == "The folder '\(PlainText.excerpt(locked.path, limit: 120))' is not readable."
            )
        }
    }
}

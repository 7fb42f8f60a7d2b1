import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import TerminalPictures
import Testing

@testable import gallery

@Suite(.fewAtOnce) struct ThumbnailStoreTests {
    // RFC 1321, A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 is what the standard says`(text: String, digest: String) {
        #expect(MD5.hexadecimal(text) == digest)
    }

    @Test func `a thumbnail is named by the MD5 of the file's URI`() {
        // The example of the thumbnail standard.
        let note = ThumbnailNote(file: URL(filePath: "/home/jens/photos/me.png"), modified: 1)
        #expect(note.uri == "file:///home/jens/photos/me.png")
        #expect(note.name == "c6ee772d9e49320e97ec29a7eb5b1697.png")
        let odd = ThumbnailNote(file: URL(filePath: "/a b/ä#%?[1].jpg"), modified: 1)
        #expect(odd.uri == "file:///a%20b/%C3%A4%23%25%3F%5B1%5D.jpg")
    }

    @Test func `a thumbnail says which file it is of, and when that was changed`() throws {
        let note = ThumbnailNote(file: URL(filePath: "/a.jpg"), modified: 7)
        let png = note.added(to: Array(Pictures.png(width: 20, height: 10)))
        #expect(note.isCurrent(png))
        #expect(!ThumbnailNote(file: URL(filePath: "/a.jpg"), modified: 8).isCurrent(png))
        #expect(!ThumbnailNote(file: URL(filePath: "/b.jpg"), modified: 7).isCurrent(png))
        #expect(!note.isCurrent(png.prefix(60)) && !note.isCurrent(Data()))
        let verdict = PictureFile.examine(PictureBytes(Array(png)))
        #expect(verdict == .whole(.png, size: PixelSize(width: 20, height: 10)))
    }

    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    @Test(
        .needs("a converter such as ImageMagick") { await PictureConverter(["PATH": path]).isInstalled },
        .timeLimit(.minutes(1)))
    func `one is made, used again, and made anew when the file changes`() async throws {
        try await withTemporaryDirectory { folder in
            let store = ThumbnailStore(["XDG_CACHE_HOME": folder.path, "PATH": Self.path])
            // Without any program nothing can be made, only found.
            let reader = ThumbnailStore(["XDG_CACHE_HOME": folder.path, "PATH": "/nowhere"])
            let file = try PictureBench.file(Pictures.jpeg(width: 640, height: 320), "a.jpg", in: folder)
            #expect(await reader.thumbnail(of: file)?.file == nil)
            let first = try #require(await store.thumbnail(of: file))
            #expect(first.isSharp)
            #expect(first.file.deletingLastPathComponent().path == folder.path + "/thumbnails/large")
            let picture = try InspectedPicture(first.file)
            #expect(picture.type == .png && picture.size.width == 256 && picture.size.height == 128)
            let mode = try FileManager.default.attributesOfItem(atPath: first.file.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let before = try Data(contentsOf: first.file)
            for store in [store, reader] { #expect(await store.thumbnail(of: file)?.file == first.file) }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: file.path)
            #expect(await reader.thumbnail(of: file)?.file == nil)
            #expect(await store.thumbnail(of: file)?.file == first.file)
            #expect(try Data(contentsOf: first.file) != before)
        }
    }

    /// The pixels that are wanted, the folder that has a thumbnail, and whether it is sharp.
    @Test(arguments: [
        (100, "normal", true), (129, "normal", false), (256, "large", true), (100, "xx-large", true),
        (700, "large", false), (2000, "xx-large", true), (2000, "x-large", false),
    ])
    func `the smallest that is large enough is taken, else the largest`(
        edge: Int, name: String, isSharp: Bool
    ) async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Pictures.jpeg(width: 3000, height: 1500), "a.jpg", in: folder)
            let modified = try #require(
                FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
            let note = ThumbnailNote(file: file, modified: Int64(modified.timeIntervalSince1970))
            let kept = folder.appending(path: "thumbnails/\(name)")
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            let png = note.added(to: Array(Pictures.png(width: 128, height: 64)))
            try png.write(to: kept.appending(path: note.name))
            let store = ThumbnailStore(["XDG_CACHE_HOME": folder.path, "PATH": "/nowhere"])
            let found = try #require(await store.thumbnail(of: file, edge: edge))
            #expect(found.file == kept.appending(path: note.name) && found.isSharp == isSharp)
        }
    }

    @Test func `a small picture is its own thumbnail, and what is no picture has none`() async throws {
        try await withTemporaryDirectory { folder in
            let store = ThumbnailStore(["XDG_CACHE_HOME": folder.path, "PATH": "/nowhere"])
            let small = try PictureBench.file(Pictures.jpeg(width: 64, height: 32), "a.jpg", in: folder)
            #expect(await store.thumbnail(of: small)?.file == small)
            let text = try PictureBench.file(Data("text".utf8), "b.jpg", in: folder)
            #expect(await store.thumbnail(of: text)?.file == nil)
        }
    }
}

extension ThumbnailStore {
    fileprivate func thumbnail(of file: URL, edge: Int = 256) async -> (file: URL, isSharp: Bool)? {
        await thumbnails(of: [file], edge: edge)[file]
    }
}

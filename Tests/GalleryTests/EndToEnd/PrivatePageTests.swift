import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

/// What the built program's `web` publishes, and what it keeps for itself.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct PrivatePageTests {
    /// The built program, a folder of pictures, and the words that name it. No helper program is on its path.
    private func withAlbum(
        _ body: (BuiltProduct, _ album: URL, _ source: [String]) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let album = gallery.home.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            try await body(gallery, album, ["-s", "folder", "--folder", album.path])
        }
    }

    private static let noPrograms = ["PATH": "/nowhere"]

    private static func files(_ gallery: BuiltProduct, _ folder: String = "site") throws -> [String] {
        let folder = gallery.folder.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: folder.appending(path: path).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }

    private static func pictures(_ gallery: BuiltProduct) throws -> [Data] {
        try files(gallery).filter { $0.hasPrefix("full/") || $0.hasPrefix("thumbs/") }.map {
            try Data(contentsOf: gallery.folder.appending(path: "site/\($0)"))
        }
    }

    /// A JPEG with a comment, as a phone's with its place.
    private static let telling: Data = {
        let picture = Pictures.jpeg(width: 90, height: 60)
        let comment = Data("SECRET".utf8)
        return picture.prefix(2) + Data([0xFF, 0xFE, 0, UInt8(comment.count + 2)]) + comment
            + picture.dropFirst(2) + Data("SECRET film".utf8)
    }()

    private static func tells(_ data: Data) -> Bool { data.firstRange(of: Data("SECRET".utf8)) != nil }

    @Test func `pictures say nothing of places unless that is wanted, whatever earlier runs published`()
        async throws
    {
        try await withAlbum { gallery, album, source in
            try Self.telling.write(to: album.appending(path: "a.jpg"))
            for (words, tells) in [
                ([], false), (["--metadata-in-pictures", "keep"], true), ([], false),
                (["--metadata-in-pictures", "none"], false),
            ] {
                let run = try await gallery.run(
                    ["web", "-o", "site"] + source + words, environment: Self.noPrograms)
                #expect(run.status == 0, "\(run.all)")
                let pictures = try Self.pictures(gallery)
                #expect(pictures.count == 1 && pictures.allSatisfy { Self.tells($0) == tells }, "\(words)")
            }
        }
    }

    @Test func `downloads that were published with their metadata are cleaned, not fetched again`()
        async throws
    {
        let telling = Self.telling
        let server = { @Sendable (request: LocalRequest) -> LocalReply in
            request.path.hasSuffix(".jpg") ? .file(telling) : .status(404)
        }
        try await withBuiltProduct { gallery in
            try await withLocalServer(server) { server in
                let photo =
                    #"{"service":"sample","id":"1","title":"Sea","full":{"url":"\#(server.url("a.jpg"))","width":90,"height":60}}"#
                for (words, tells, requests) in [
                    (["--metadata-in-pictures", "keep"], true, 1), ([], false, 1), ([], false, 1),
                    (["--metadata-in-pictures", "keep"], true, 2),
                ] {
                    let run = try await gallery.run(
                        ["web", "-", "-o", "site"] + words, environment: Self.noPrograms,
                        input: Data(photo.utf8))
                    #expect(run.status == 0, "\(run.all)")
                    let pictures = try Self.pictures(gallery)
                    #expect(
                        pictures.count == 1 && pictures.allSatisfy { Self.tells($0) == tells }, "\(words)")
                    #expect(server.requests.count == requests, "\(words)")
                }
                let cache = try FileManager.default.subpathsOfDirectory(atPath: gallery.home.path)
                #expect(!cache.contains { $0.hasSuffix(".jpg") }, "\(cache)")
            }
        }
    }

    @Test func `a file of nothing to hide is not there twice`() async throws {
        try await withAlbum { gallery, album, source in
            let file = album.appending(path: "a.jpg")
            try Pictures.jpeg(width: 90, height: 60).write(to: file)
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
            #expect(run.status == 0, "\(run.all)")
            let path = try #require(try Self.files(gallery).first { $0.hasPrefix("full/") })
            let published = gallery.folder.appending(path: "site/\(path)")
            let numbers = try [file, published].map {
                try FileManager.default.attributesOfItem(atPath: $0.path)[.systemFileNumber] as? Int
            }
            #expect(numbers[0] == numbers[1])
            // Its owner's file stays one when the page goes on without it.
            try Self.telling.write(to: album.appending(path: "b.jpg"))
            try FileManager.default.removeItem(at: file)
            let other = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
            #expect(
                other.status == 0 && !FileManager.default.fileExists(atPath: published.path), "\(other.all)")
            #expect(other.errors.contains("Removed 1 file of earlier runs that the page no longer uses.\n"))
        }
    }

    @Test func `what is written into a file that the page has as a link goes again`() async throws {
        try await withAlbum { gallery, album, source in
            let file = album.appending(path: "a.jpg")
            let bare = Pictures.jpeg(width: 90, height: 60)
            try Pictures.jpeg(width: 60, height: 90).write(to: album.appending(path: "b.jpg"))
            /// What is published once `file` says what it did not when it was published.
            func publish(_ change: () throws -> Void) async throws {
                // A new file on a new page, which becomes a link: the page's own would be the same, and stay.
                for old in [file, gallery.folder.appending(path: "site")] {
                    try? FileManager.default.removeItem(at: old)
                }
                try bare.write(to: file)
                _ = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
                try Self.telling.write(to: file)
                #expect(try Self.pictures(gallery).contains(where: Self.tells))
                try change()
                let run = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
                #expect(run.status == 0, "\(run.all)")
                #expect(try !Self.pictures(gallery).contains(where: Self.tells))
            }
            try await publish {}
            #expect(try Self.pictures(gallery).count == 2)
            #expect(try Data(contentsOf: file) == Self.telling)
            let elsewhere = gallery.home.appending(path: "a.jpg")
            try await publish { try FileManager.default.moveItem(at: file, to: elsewhere) }
            #expect(try Self.pictures(gallery).count == 1)
            #expect(try Data(contentsOf: elsewhere) == Self.telling)
        }
    }

    @Test func `files that are no longer used are removed, unless they are to stay or are somebody else's`()
        async throws
    {
        try await withBuiltProduct { gallery in
            let first = try await gallery.run(
                ["web", "1-4", "-o", "site", "--metadata"], environment: Self.noPrograms)
            #expect(first.status == 0, "\(first.all)")
            let site = gallery.folder.appending(path: "site")
            try Data("mine".utf8).write(to: site.appending(path: "full/mine.jpg"))
            try Data("changed".utf8).write(to: site.appending(path: "full/sample_1004.jpg"))
            let kept = try await gallery.run(
                ["web", "1-2", "-o", "site", "--no-prune"], environment: Self.noPrograms)
            #expect(kept.status == 0 && !kept.errors.contains("Removed"), "\(kept.all)")
            #expect(try Self.files(gallery).contains("full/sample_1003.jpg"))
            let pruned = try await gallery.run(
                ["web", "1-2", "-o", "site"], environment: Self.noPrograms)
            #expect(pruned.errors.contains("Removed 3 files of earlier runs"), "\(pruned.all)")
            let pictures = try Self.files(gallery).filter { $0.hasSuffix(".jpg") }
            #expect(
                pictures == [
                    "full/mine.jpg", "full/sample_1001.jpg", "full/sample_1002.jpg", "full/sample_1004.jpg",
                    "thumbs/sample_1001.jpg", "thumbs/sample_1002.jpg",
                ])
        }
    }

    @Test func `a picture of somebody else's is never replaced, whatever its name`() async throws {
        try await withBuiltProduct { gallery in
            let file = gallery.folder.appending(path: "site/full/sample_1001.jpg")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let mine = Pictures.jpeg(width: 9, height: 6)
            try mine.write(to: file)
            for _ in 1...2 {
                let run = try await gallery.run(["web", "1-2", "-o", "site"])
                #expect(run.status == 1, "\(run.all)")
                #expect(
                    run.errors.contains(
                        "sample_1001.jpg' is a file that gallery did not write, or that was changed since."),
                    "\(run.all)")
                #expect(try Data(contentsOf: file) == mine)
            }
        }
    }

    @Test func `files whose names only look alike are two photos, with short names that stay`() async throws {
        try await withAlbum { gallery, album, source in
            try Pictures.jpeg(width: 90, height: 60).write(to: album.appending(path: "\u{F1}.jpg"))
            try Pictures.jpeg(width: 60, height: 90).write(to: album.appending(path: "n\u{303}.jpg"))
            let long = String(repeating: "Long Name ", count: 20) + ".jpg"
            try Pictures.jpeg(width: 80, height: 60).write(to: album.appending(path: long))
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
            #expect(run.status == 0 && run.errors.hasPrefix("3 fetched, "), "\(run.all)")
            let pages = try Self.files(gallery).filter { $0.hasPrefix("photo/") }
            #expect(pages.count == 3 && pages.allSatisfy { $0.utf8.count < 64 }, "\(pages)")
            try FileManager.default.removeItem(at: album.appending(path: "\u{F1}.jpg"))
            _ = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
            #expect(Set(pages).isSuperset(of: try Self.files(gallery).filter { $0.hasPrefix("photo/") }))
        }
    }

    @Test func `what a camera keeps beside a picture is not published, since it may show what was cut off`()
        async throws
    {
        try await withAlbum { gallery, album, source in
            let small = Array(Pictures.jpeg(width: 600, height: 400))
            let exif = HandmadeTIFF(.init([.short(0x112, 1)]), .init([.data(0x201, 0x202, small)])).bytes
            let picture = SmallPicture.segment(
                0xE1, Array("Exif\0\0".utf8) + exif, in: Array(Pictures.jpeg(width: 1500, height: 1000)))
            try Data(picture).write(to: album.appending(path: "a.jpg"))
            for words in [[], ["--size", "none"], ["--size", "thumbnail"], ["--size", "700"]] {
                try? FileManager.default.removeItem(at: gallery.folder.appending(path: "site"))
                let run = try await gallery.run(
                    ["web", "-o", "site"] + source + words, environment: Self.noPrograms)
                #expect(run.status == 0, "\(run.all)")
                let sizes = try Self.pictures(gallery).map {
                    ImageHeader(PictureBytes(Array($0)))?.size?.width
                }
                #expect(!sizes.isEmpty && sizes.allSatisfy { $0 == 1500 }, "\(words): \(sizes)")
            }
        }
    }

    @Test func `a file that cannot be rewritten is not published, and one line says so`() async throws {
        try await withAlbum { gallery, album, source in
            try Pictures.jpeg(width: 90, height: 60).write(to: album.appending(path: "a.jpg"))
            try Self.packed(50001).write(to: album.appending(path: "b.tif"))
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: Self.noPrograms)
            #expect(run.status == 1, "\(run.all)")
            #expect(run.errors.contains("TIFF"), "\(run.all)")
            #expect(try Self.files(gallery).filter { $0.hasPrefix("full/") }.count == 1)
            let programs = gallery.home.appending(path: "programs")
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            try Pictures.jpeg(width: 1, height: 1).write(to: programs.appending(path: "one.jpg"))
            try await PictureBench.program(
                "vipsthumbnail", "#!/bin/sh\n/bin/cat '\(programs.path)/one.jpg'", in: programs)
            try (Self.packed(1) + Data("SECRET".utf8)).write(to: album.appending(path: "c.tif"))
            let other = try await gallery.run(
                ["web", "-o", "site"] + source, environment: ["PATH": programs.path])
            #expect(other.status == 0, "\(other.all)")
            #expect(
                try Self.files(gallery).filter { $0.hasPrefix("full/") && $0.hasSuffix(".tif") }.count == 1)
            #expect(
                other.errors.contains("The file of 1 photo is not published, because its metadata"),
                "\(other.all)")
            for file in try Self.pictures(gallery) { #expect(!Self.tells(file)) }
        }
    }

    /// A TIFF of one pixel, packed as that number says.
    private static func packed(_ packing: UInt32) -> Data {
        func entry(_ tag: UInt16, _ type: UInt16, _ value: UInt32) -> Data {
            withUnsafeBytes(of: tag.littleEndian) { Data($0) }
                + withUnsafeBytes(of: type.littleEndian) { Data($0) }
                + withUnsafeBytes(of: UInt32(1).littleEndian) { Data($0) }
                + withUnsafeBytes(of: value.littleEndian) { Data($0) }
        }
        let entries = [
            entry(0x100, 4, 1), entry(0x101, 4, 1), entry(0x103, 4, packing), entry(0x111, 4, 86),
            entry(0x116, 4, 1), entry(0x117, 4, 1),
        ]
        return Data("II*\0".utf8) + Data([8, 0, 0, 0, 6, 0]) + entries.reduce(Data(), +)
            + Data([0, 0, 0, 0, 7, 7])
    }
}

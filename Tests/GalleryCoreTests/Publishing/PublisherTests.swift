import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Sites and collages on disk: all of one run, or all of the run before.
@Suite struct PublisherTests {
    private static func site(_ count: Int, title: String = "Gallery") throws -> PhotoSite {
        var options = SiteOptions()
        options.title = title
        options.photosPerPage = 2
        return PhotoSite(
            try (0..<count).map { try PublishingSamples.photo($0 + 1, title: "Photo \($0 + 1)") },
            options: options)
    }

    private static func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.contains(".") }.sorted()
    }

    @Test func `writes what the site consists of`() async throws {
        try await withTemporaryDirectory { folder in
            let site = try Self.site(3)
            try await SitePublisher(folder.appending(path: "new/site")).publish(site)
            #expect(
                try Self.files(in: folder.appending(path: "new/site"))
                    == site.documents.map(site.path).sorted())
        }
    }

    @Test func `a smaller site removes the pages it has no more, and nothing else`() async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            try await publisher.publish(try Self.site(5))
            try Data("mine".utf8).write(to: folder.appending(path: "about.html"))
            try Data("mine".utf8).write(to: folder.appending(path: "photo/notes.html"))
            let site = try Self.site(1)
            try await publisher.publish(site)
            let expected = site.documents.map(site.path) + ["about.html", "photo/notes.html"]
            #expect(try Self.files(in: folder) == expected.sorted())
        }
    }

    @Test func `a page that says the same is left alone`() async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            func file(_ name: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[
                    .systemFileNumber] as? Int
            }
            try await publisher.publish(try Self.site(2))
            let before = (try file("style.css"), try file("index.html"))
            try await publisher.publish(try Self.site(2, title: "Other"))
            #expect(try file("style.css") == before.0)
            #expect(try file("index.html") != before.1)
        }
    }

    @Test func `somebody else's page is not replaced`() async throws {
        try await withTemporaryDirectory { folder in
            let page = folder.appending(path: "index.html")
            try Data("<!DOCTYPE html><p>mine".utf8).write(to: page)
            let site = try Self.site(1)
            for work in [
                { try await SitePublisher(folder).prepare() },
                { try await SitePublisher(folder).publish(site) },
            ] {
                let error = await #expect(throws: PublishError.self) { try await work() }
                #expect(error == .otherPage(path: page.path))
            }
            #expect(try Self.files(in: folder) == ["index.html"])
        }
    }

    @Test func `a run that fails leaves the site before it whole`() async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            try await publisher.publish(try Self.site(2, title: "Before"))
            let before = try Self.contents(of: folder)
            // The last page cannot be written: its name is longer than any file's may be.
            let photo = try PublishingSamples.photo(9, title: "Ninth")
            let long = PublishedPhoto(
                entry: photo.entry, name: String(repeating: "n", count: 300), thumbnail: photo.thumbnail,
                pictures: photo.pictures, added: photo.added)
            var options = SiteOptions()
            options.title = "After"
            await #expect(throws: PublishError.self) {
                try await publisher.publish(PhotoSite([photo, long], options: options))
            }
            #expect(try Self.contents(of: folder) == before)
        }
    }

    @Test func `what a killed run has left is cleared away`() async throws {
        try await withTemporaryDirectory { folder in
            let left = folder.appending(path: ".gallery-web/photo")
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            try Data("half a page".utf8).write(to: left.appending(path: "sample_1.html"))
            let site = try Self.site(1)
            try await SitePublisher(folder).publish(site)
            #expect(try Self.files(in: folder) == site.documents.map(site.path).sorted())
        }
    }

    @Test func `writes through no link`() async throws {
        try await withTemporaryDirectory { folder in
            let (site, outside) = (folder.appending(path: "site"), folder.appending(path: "outside"))
            for one in [site, outside] {
                try FileManager.default.createDirectory(at: one, withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                at: site.appending(path: "photo"), withDestinationURL: outside)
            let pages = try Self.site(1)
            await #expect(throws: PublishError.self) { try await SitePublisher(site).publish(pages) }
            #expect(try Self.files(in: outside).isEmpty)
        }
    }

    @Test func `a folder that cannot be made is named`() async throws {
        let folder = URL(filePath: "/proc/nowhere/site")
        let error = await #expect(throws: PublishError.self) { try await SitePublisher(folder).prepare() }
        guard case .cannotCreate(let path, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasPrefix("/proc/nowhere"))
    }

    // MARK: - Collages

    @Test func `a collage embeds its pictures byte for byte, the same on every run`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "new/collage.svg")
            let pictures = try PublishingSamples.pictures(3)
            try await CollagePublisher(file).publish(Collage(pictures))
            let first = try Data(contentsOf: file)
            try await CollagePublisher(file).publish(Collage(pictures))
            #expect(try Data(contentsOf: file) == first)
            #expect(try Self.files(in: folder) == ["new/collage.svg"])
            for picture in pictures {
                let letters = try Data(contentsOf: picture.file).base64EncodedString()
                #expect(String(decoding: first, as: UTF8.self).contains("base64,\(letters)\""))
            }
        }
    }

    @Test func `a picture of several stretches is one piece of base64`() async throws {
        try await withTemporaryDirectory { folder in
            let bytes = Pictures.jpeg(bytes: 500_001, seed: 3)
            let picture = folder.appending(path: "large.jpg")
            try bytes.write(to: picture)
            let size = try #require(PixelSize(width: 3, height: 2))
            let file = folder.appending(path: "collage.svg")
            try await CollagePublisher(file).publish(
                Collage([
                    .init(title: "Large", credit: nil, file: picture, mediaType: "image/jpeg", size: size)
                ]))
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("base64,\(bytes.base64EncodedString())\""))
        }
    }

    @Test func `a picture that has gone leaves the collage before`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "collage.svg")
            try Data("before".utf8).write(to: file)
            let size = try #require(PixelSize(width: 3, height: 2))
            let gone = Collage.Picture(
                title: "Gone", credit: nil, file: folder.appending(path: "gone.jpg"),
                mediaType: "image/jpeg", size: size)
            let error = await #expect(throws: PublishError.self) {
                try await CollagePublisher(file).publish(Collage([gone]))
            }
            #expect(
                error?.description.hasSuffix("gone.jpg' could not be read: No such file or directory.")
                    == true)
            #expect(try Data(contentsOf: file) == Data("before".utf8))
            #expect(try Self.files(in: folder) == ["collage.svg"])
        }
    }

    @Test(arguments: [
        (1, "translate(0 0)", 1200, 1800), (2, "matrix(-1 0 0 1 1200 0)", 1200, 1800),
        (3, "matrix(-1 0 0 -1 1200 1800)", 1200, 1800), (4, "matrix(1 0 0 -1 0 1800)", 1200, 1800),
        (5, "matrix(0 1 1 0 0 0)", 1800, 1200), (6, "matrix(0 1 -1 0 1200 0)", 1800, 1200),
        (7, "matrix(0 -1 -1 0 1200 1800)", 1800, 1200), (8, "matrix(0 -1 1 0 0 1800)", 1800, 1200),
    ])
    func `a picture stands upright whatever its orientation`(
        orientation: Int, transform: String, width: Int, height: Int
    ) throws {
        let size = try #require(PixelSize(width: 200, height: 300))
        let picture = Collage.Picture(
            title: "Turned", credit: nil, file: Fixture.url("sample/thumb/clock.jpg"),
            mediaType: "image/jpeg", size: size, orientation: orientation)
        let text = try Collage([picture]).text
        #expect(text.contains("<g transform=\"\(transform)\">"))
        #expect(text.contains("<image width=\"\(width)\" height=\"\(height)\""))
        #expect(text.contains("image-orientation: none") == (orientation > 1))
    }

    @Test(arguments: 1...8)
    func `a file's own orientation is read`(orientation: Int) throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "turned.jpg")
            let jpeg = try Fixture.data("sample/full/rocket.jpg")
            let note =
                [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8)
                + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
            try (jpeg.prefix(2) + Data(note) + jpeg.dropFirst(2)).write(to: file)
            let facts = try PictureFacts(of: file)
            #expect(facts.orientation == orientation)
            #expect(facts.size.orientation == (orientation < 5 ? .landscape : .portrait))
            #expect(facts.bytes == jpeg.count + note.count)
        }
    }

    private static func contents(of folder: URL) throws -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: try files(in: folder).map {
                ($0, try Data(contentsOf: folder.appending(path: $0)))
            })
    }
}

import Basics
import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles
@testable import Publishing

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
                #expect(error == .foreign(path: page.path))
            }
            #expect(try Self.files(in: folder) == ["index.html"])
        }
    }

    /// What `web` did not write is never replaced, whatever its name, and nothing else is written then.
    @Test(arguments: [
        "index.html", "style.css", "script.js", "feed.xml", "photos.json", "page-2.html",
        "photo/sample_2.html",
        "gallery-web",
    ])
    func `a file of somebody else's is not replaced`(path: String) async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            var options = try Self.site(3).options
            options.hasMetadata = true
            let site = PhotoSite(try Self.site(3).photos, options: options)
            let file = folder.appending(path: path)
            // In a folder without a site, and in the place of a file that a run before has written.
            for isFirst in [true, false] where isFirst || path != "style.css" {
                if !isFirst {
                    try FileManager.default.removeItem(at: file)
                    try await publisher.publish(site)
                }
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("<p>mine".utf8).write(to: file)
                let before = try Self.contents(of: folder)
                let error = await #expect(throws: PublishError.self) { try await publisher.publish(site) }
                #expect(error == .foreign(path: file.path))
                let early = await #expect(throws: PublishError.self) {
                    try await publisher.prepare(for: options)
                    try await publisher.prepare(forPhotos: ["sample_1", "sample_2"])
                    throw PublishError.busy(path: "")
                }
                // But for pages of the grid, whose number is not known before.
                #expect(early == error || path == "page-2.html")
                #expect(try Self.contents(of: folder) == before)
            }
        }
    }

    @Test(arguments: [" ", "<!-- mine -->"])
    func `a page or style that was changed is its owner's`(addition: String) async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            try await publisher.publish(try Self.site(3))
            for path in ["script.js", "photo/sample_1.html", "index.html"] {
                let file = folder.appending(path: path)
                let own = try Data(contentsOf: file)
                try (own + Data(addition.utf8)).write(to: file)
                let other = try Self.site(3, title: "Other \(path)")
                await #expect(throws: PublishError.foreign(path: file.path)) {
                    try await publisher.publish(other)
                }
                #expect(try Data(contentsOf: file) == own + Data(addition.utf8))
                try own.write(to: file)
            }
            // Changed and no longer part of the site: it stays.
            let left = folder.appending(path: "photo/sample_3.html")
            try Data("mine".utf8).write(to: left)
            try await publisher.publish(try Self.site(1))
            #expect(try Data(contentsOf: left) == Data("mine".utf8))
        }
    }

    @Test func `a style that was changed stays, and the site goes on`() async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            try await publisher.publish(try Self.site(1))
            let style = folder.appending(path: "style.css")
            try Data("mine".utf8).write(to: style)
            for count in [3, 2] {
                try await publisher.publish(try Self.site(count, title: "Other \(count)"))
                #expect(try Data(contentsOf: style) == Data("mine".utf8))
                let page = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
                #expect(page.contains("Other \(count)"))
            }
            // Once it is gone, the site's own is back.
            try FileManager.default.removeItem(at: style)
            let site = try Self.site(1)
            try await publisher.publish(site)
            #expect(try String(contentsOf: style, encoding: .utf8) == site.text(of: .stylesheet))
        }
    }

    @Test func `two publishers do not mix a site`() async throws {
        try await withTemporaryDirectory { folder in
            let other = try SystemCall.openFolder(folder.path)
            try SystemCall.lock(other, LOCK_EX | LOCK_NB)
            let site = try Self.site(1)
            let error = await #expect(throws: PublishError.self) {
                try await SitePublisher(folder).publish(site)
            }
            guard case .busy? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try Self.files(in: folder).isEmpty)
            try SystemCall.lock(other, LOCK_UN)
            try await SitePublisher(folder).publish(site)
            #expect(try Self.files(in: folder) == site.documents.map(site.path).sorted())
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
                pictures: photo.pictures)
            var options = SiteOptions()
            options.title = "After"
            await #expect(throws: PublishError.self) {
                try await publisher.publish(PhotoSite([photo, long], options: options))
            }
            #expect(try Self.contents(of: folder) == before)
        }
    }

    @Test(.enabled(if: DiskJournal.isAvailable))
    func `pages of a run that ended among them are its own for the next`() async throws {
        try await withTemporaryDirectory { folder in
            let publisher = SitePublisher(folder)
            let last = "sample_999000001"
            func site(_ title: String) throws -> PhotoSite {
                var options = SiteOptions()
                options.title = title
                let photos = try [1, 2, 999_000_001].map { try PublishingSamples.photo($0, title: title) }
                return PhotoSite(photos, options: options)
            }
            try await publisher.publish(try site("One"))
            await DiskJournal.refusing(last + ".html") {
                await #expect(throws: PublishError.self) { try await publisher.publish(try site("Two")) }
            }
            func page(_ name: String) throws -> String {
                try String(contentsOf: folder.appending(path: "photo/\(name).html"), encoding: .utf8)
            }
            #expect(try page("sample_1").contains("Two") && page(last).contains("One"))
            try await publisher.publish(try site("Three"))
            #expect(try page("sample_1").contains("Three") && page(last).contains("Three"))
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

    @Test func `a link in the place of the record is somebody else's`() async throws {
        try await withTemporaryDirectory { folder in
            let record = folder.appending(path: "gallery-web")
            try FileManager.default.createSymbolicLink(atPath: record.path, withDestinationPath: "/nowhere")
            await #expect(throws: PublishError.foreign(path: record.path)) {
                try await SitePublisher(folder).prepare()
            }
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
        guard case .cannotCreate(let path, _)? = error else {
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
                let file = Array(try Data(contentsOf: picture.thumbnail.file))
                let letters = Data(JPEG.cleaned(file, adding: nil)).base64EncodedString()
                #expect(String(decoding: first, as: UTF8.self).contains("base64,\(letters)\""))
            }
        }
    }

    @Test func `a picture of several stretches is one piece of base64`() async throws {
        try await withTemporaryDirectory { folder in
            let bytes = Data(HandmadeBMP.bytes(400, 417))
            let picture = folder.appending(path: "large.bmp")
            try bytes.write(to: picture)
            let size = try #require(PixelSize(width: 3, height: 2))
            let file = folder.appending(path: "collage.svg")
            try await CollagePublisher(file).publish(
                Collage([PublishingSamples.collaged("Large", file: picture, size: size)]))
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("base64,\(bytes.base64EncodedString())\""))
        }
    }

    @Test func `a picture that has gone leaves the collage before`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "collage.svg")
            try Data("before".utf8).write(to: file)
            let size = try #require(PixelSize(width: 3, height: 2))
            let gone = PublishingSamples.collaged(
                "Gone", file: folder.appending(path: "gone.jpg"), size: size)
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
        let picture = PublishingSamples.collaged(
            "Turned", file: Fixture.url("sample/thumb/clock.jpg"), size: size, orientation: orientation)
        let text = try Collage([picture]).text
        #expect(text.contains("<g transform=\"\(transform)\">"))
        #expect(text.contains("<image width=\"\(width)\" height=\"\(height)\""))
    }

    @Test(arguments: 1...8)
    func `a PNG's own orientation is read`(orientation: Int) throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "turned.png")
            let tiff = HandmadeTIFF(.init([.short(0x112, orientation)])).bytes
            let chunk = big(tiff.count, 4) + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
            let (head, rest) = (Array(SmallPicture.png[..<33]), Array(SmallPicture.png[33...]))
            try Data(head + chunk + rest).write(to: file)
            let picture = try PublishedPicture(of: file)
            #expect(picture.orientation == orientation)
            #expect(
                picture.size == PixelSize(width: orientation < 5 ? 7 : 5, height: orientation < 5 ? 5 : 7))
            let collage = try Collage([
                PublishingSamples.collaged(
                    "Turned", file: file, size: picture.size, orientation: picture.orientation)
            ]).text
            // It is turned by its element, and says nothing of it itself.
            let embedded = try #require(
                collage.firstMatch(of: #/base64,([^"]*)/#).flatMap { Data(base64Encoded: String($0.1)) })
            #expect(PictureMetadata(PictureBytes(Array(embedded)), .png).orientation == nil)
            #expect(embedded == Data(PNG.cleaned(SmallPicture.png)))
        }
    }

    /// Browsers heed EXIF in JPEG and PNG alone; the size of others is already what is seen.
    @Test func `formats that browsers do not turn by EXIF are not turned`() throws {
        try withTemporaryDirectory { folder in
            let tiff = HandmadeTIFF(.init([.short(0x112, 6)])).bytes
            for (name, bytes) in [
                ("a.avif", HandmadeISO(turns: 1, exif: tiff).bytes), ("a.gif", SmallPicture.gif),
            ] {
                let file = folder.appending(path: name)
                try Data(bytes).write(to: file)
                #expect(try PublishedPicture(of: file).orientation == 1)
            }
        }
    }

    /// A work of several pages is shown if browsers show every page of it; else its first page or its thumbnail
    /// stands for it.
    @Test(arguments: [
        ([true], true), ([true, true, true], true), ([false], false), ([true, false], false),
        ([false, true], false), ([true, true, false], false),
    ])
    func `one page that browsers do not show leaves one picture`(isForWeb: [Bool], isShown: Bool) async throws
    {
        try await withTemporaryDirectory { folder in
            let thumbnail = folder.appending(path: "thumbs/small.png")
            let pages = isForWeb.enumerated().map { page, isForWeb in
                folder.appending(path: isForWeb ? "full/\(page).png" : "full/\(page).tif")
            }
            for file in [thumbnail] + pages {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                let isTIFF = file.pathExtension == "tif"
                try Data(isTIFF ? HandmadeTIFF(.picture(7, 5)).bytes : SmallPicture.png).write(to: file)
            }
            let entry = try PublishingSamples.photo(title: "Comic").entry
            func photo(small: [URL]) async throws -> PublishedPhoto {
                var set = PictureSet(PublishedSizes(), nil)
                return try await PublishedPhoto(
                    entry, named: "comic", files: pages.map { try PictureSet.Original(of: $0) }, isFull: true,
                    small: small.map { try PublishedPicture(of: $0) }, &set)
            }
            let shown = try await photo(small: [thumbnail])
            #expect(shown.pictures.map(\.file) == (isShown ? pages : isForWeb[0] ? [pages[0]] : [thumbnail]))
            #expect(shown.original?.file == pages[0])
            // A collage has no thumbnails, and shows the first page.
            if isForWeb[0] {
                let alone = try await photo(small: [])
                #expect(alone.pictures.first?.file == pages[0])
            } else {
                let error = await #expect(throws: PublishError.self) { try await photo(small: []) }
                #expect(error == .notForWeb(format: "TIFF", name: pages[0].lastPathComponent))
            }
        }
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
            let facts = try PublishedPicture(of: file)
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

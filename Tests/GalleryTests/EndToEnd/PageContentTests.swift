import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// What the built program's pages tell, and what is made of them again.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct PageContentTests {
    private static let noPrograms = ["PATH": "/nowhere"]

    private static func text(_ gallery: BuiltProduct, _ path: String) throws -> String {
        try gallery.text(path)
    }

    private static func photoPage(_ gallery: BuiltProduct, _ site: String = "site") throws -> String {
        let folder = gallery.folder.appending(path: "\(site)/photo")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try text(gallery, "\(site)/photo/\(try #require(pages.first))")
    }

    private func withAlbum(
        _ body: (BuiltProduct, _ album: URL, _ source: [String]) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let album = try gallery.makeFolder("~/album")
            try await body(gallery, album, ["-s", "folder", "--folder", album.path])
        }
    }

    /// A JPEG whose XMP tells when it was taken, with what, and of what.
    private static let telling: Data = {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description exif:DateTimeOriginal="2024-06-22T00:30:00+02:00" tiff:Make="Leica" tiff:Model="Leica Q3" \
            aux:Lens="Summilux 28"><dc:subject><rdf:Bag><rdf:li>harbor</rdf:li><rdf:li>&lt;b&gt;night</rdf:li>\
            </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let content = Data("http://ns.adobe.com/xap/1.0/\0".utf8) + Data(packet.utf8)
        let length = content.count + 2
        let picture = Pictures.jpeg(width: 90, height: 60)
        return picture.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]) + content
            + picture.dropFirst(2)
    }()

    @Test func `a photo's page tells the camera's own day, the camera, and tags, unless they are not wanted`()
        async throws
    {
        try await withAlbum { gallery, album, source in
            try Self.telling.write(to: album.appending(path: "a.jpg"))
            try await gallery.runWell(["web", "-o", "site"] + source, environment: Self.noPrograms)
            let page = try Self.photoPage(gallery)
            for fact in ["June 22, 2024", "Leica Q3", "Summilux 28", "harbor, &lt;b&gt;night"] {
                #expect(page.contains(fact), "\(fact)")
            }
            try await gallery.runWell(
                ["web", "-o", "site", "--details", "none"] + source, environment: Self.noPrograms)
            let bare = try Self.photoPage(gallery)
            #expect(!bare.contains("2024") && !bare.contains("Leica") && !bare.contains("harbor"))
        }
    }

    @Test func `services are asked for what their lists leave out where that is wanted`() async throws {
        try await withGallery(
            of: "500px", at: "v1",
            { request in
                guard request.query("ids") != nil || request.path.hasPrefix("/v1/photos/") else {
                    return PixelServer(count: 2).reply(to: request)
                }
                return .json(#"{"photos":{"1":{"id":1,"name":"T","camera":"Leica <3"}}}"#)
            }
        ) { gallery, server, source in
            let line = ["web", "1-2", "-o", "site"] + source
            for (words, isAsked) in [([], false), (["--details", "full"], true)] {
                let before = server.requests.count { $0.query("ids") != nil }
                let run = try await gallery.runWell(line + words, environment: Self.noPrograms)
                #expect((server.requests.count { $0.query("ids") != nil } > before) == isAsked)
                let page = try Self.text(gallery, "site/photo/500px_1.html")
                #expect(page.contains("<dd><span dir=\"auto\">Leica &lt;3</span>") == isAsked)
                let warning = "Warning: the details of 1 photo did not come: "
                #expect(run.errors.contains(warning) == isAsked, "\(run.all)")
            }
        }
    }

    @Test func `the first page has its owner's words, language, and style`() async throws {
        try await withBuiltProduct { gallery in
            let style = gallery.folder.appending(path: "mine.css")
            try Data("body { margin: 0 }".utf8).write(to: style)
            let line = ["web", "1-2", "-o", "site", "--description", "Two <b>photos</b>", "--lang", "pt-BR"]
            try await gallery.runWell(line + ["--css", "mine.css"])
            let index = try Self.text(gallery, "site/index.html")
            #expect(
                index.contains("<p>Two &lt;b&gt;photos&lt;/b&gt;</p>")
                    && index.contains("<html lang=\"pt-BR\">"))
            #expect(index.contains("<p class=\"credits\">Photos by "))
            #expect(index.contains("href=\"own.css\""))
            #expect(try Self.text(gallery, "site/own.css") == "body { margin: 0 }")
            try await gallery.runWell(line)
            #expect(!FileManager.default.fileExists(atPath: gallery.folder.path + "/site/own.css"))
            try Data([0xFF, 0xFE, 0xFF]).write(to: gallery.folder.appending(path: "odd.css"))
            try Data(count: 1 << 20 + 1).write(to: gallery.folder.appending(path: "long.css"))
            let others = [
                ("none.css", "could not be read"), (".", "could not be read: Is a directory"),
                ("odd.css", "is not text"), ("long.css", "is longer than 1 MiB"),
            ]
            for (name, problem) in others {
                let refused = try await gallery.run(line + ["--css", name])
                #expect(
                    refused.status == 66
                        && refused.errors.hasPrefix("Error: The style sheet '\(name)' \(problem).\n"),
                    "\(refused.all)")
            }
        }
    }

    @Test func `content credentials that are not published are told once`() async throws {
        try await withAlbum { gallery, album, source in
            for name in ["a", "b"] {
                let box = Array("JP\0\u{1}\0\0\0\u{1}\0\0\0@jumbjumdc2pa \(name)".utf8)
                let jpeg = SmallPicture.segment(0xEB, box, in: SmallPicture.baselineJPEG)
                try Data(jpeg).write(to: album.appending(path: "\(name).jpg"))
            }
            let line = ["web", "-o", "site"] + source
            let all = try await gallery.runWell(line + ["--metadata-in-pictures", "keep"])
            #expect(!all.errors.contains("credentials"), "\(all.errors)")
            let safe = try await gallery.runWell(line)
            let told =
                "The content credentials of 2 pictures were removed; '--metadata-in-pictures keep' keeps them.\n"
            #expect(safe.errors.components(separatedBy: "credentials").count == 2, "\(safe.errors)")
            #expect(safe.errors.contains(told), "\(safe.errors)")
        }
    }

    @Test func `photos.json names pages and the page's own files, and makes the page again from anywhere`()
        async throws
    {
        try await withAlbum { gallery, album, source in
            let folder = album.appending(path: "Private folder")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.telling.write(to: folder.appending(path: "a.jpg"))
            try await gallery.runWell(
                ["web", "-o", "site", "--metadata"] + source, environment: Self.noPrograms)
            let json = try Self.text(gallery, "site/photos.json")
            #expect(json.contains("\"url\":\"full/folder_a_"))
            #expect(!json.contains("://") && !json.contains("Private") && !json.contains(gallery.home.path))
            let site = gallery.folder.appending(path: "site")
            for path in try FileManager.default.subpathsOfDirectory(atPath: site.path)
            where !path.hasSuffix(".jpg") && path.contains(".") {
                #expect(try !Self.text(gallery, "site/\(path)").contains("Private"), "\(path)")
            }
            try FileManager.default.removeItem(at: album)
            // The same page, of what it has; and another one, of the first one's files, from elsewhere.
            let input = Data(json.utf8)
            let same = try await gallery.run(
                ["web", "-", "-o", "site"], environment: Self.noPrograms, input: input)
            #expect(same.status == 0 && same.errors.hasPrefix("0 fetched, 1 kept, 0 failed"), "\(same.all)")
            #expect(try Self.text(gallery, "site/photos.json") == json)
            // The clock that was there, whose zone is nobody's business.
            #expect(try Self.photoPage(gallery).contains("\"2024-06-22T00:30:00\">June 22, 2024"))
            let shell = "exec \"$0\" web - -o \"$1\" < \"$2\""
            let program = try ProductLocation.executable("gallery").path
            let place = try gallery.makeFolder("~/elsewhere")
            try await withProgram(at: URL(filePath: "/bin/sh")) { sh in
                _ = try await sh.runWell(
                    ["-c", shell, program, "other", gallery.folder.appending(path: "site/photos.json").path],
                    in: place)
            }
            let files = try FileManager.default.contentsOfDirectory(
                atPath: place.appending(path: "other/full").path)
            #expect(files.count == 1)
        }
    }

    @Test(arguments: ["../../album/a.jpg", "/etc/passwd", "full/../../secret.jpg"])
    func `a relative address leads nowhere but to the page's own files`(path: String) async throws {
        try await withAlbum { gallery, album, _ in
            for file in [album.appending(path: "a.jpg"), gallery.folder.appending(path: "secret.jpg")] {
                try Pictures.jpeg(width: 90, height: 60).write(to: file)
            }
            let photo =
                #"{"service":"500px","id":"1","title":"T","full":{"url":"\#(path)","width":9,"height":6}}"#
            let run = try await gallery.run(
                ["web", "-", "-o", "site"], environment: Self.noPrograms, input: Data(photo.utf8))
            #expect(run.status != 0, "\(run.all)")
            #expect(!FileManager.default.fileExists(atPath: gallery.folder.path + "/site/full"))
        }
    }

    @Test func `a page is none of the pictures of the folder that it is in`() async throws {
        try await withAlbum { gallery, album, _ in
            for number in 1...3 {
                try Pictures.jpeg(width: 90 + number, height: 60).write(
                    to: album.appending(path: "\(number).jpg"))
            }
            let line = ["web", "-s", "folder", "--folder", ".", "-o"]
            for _ in 1...2 {
                for site in ["site", "."] {
                    let run = try await gallery.runWell(
                        line + [site], environment: Self.noPrograms, in: album)
                    #expect(
                        run.errors.contains("Left out ") && run.errors.contains("gallery page"), "\(run.all)")
                    let index = try String(
                        contentsOf: album.appending(path: "\(site)/index.html"), encoding: .utf8)
                    #expect(index.components(separatedBy: "<li id=").count == 4)
                }
            }
        }
    }

    @Test func `a photo that cannot be shown is named with its file, and what would help`() async throws {
        try await withAlbum { gallery, album, source in
            try Pictures.jpeg(width: 90, height: 60).write(to: album.appending(path: "a.jpg"))
            try Data("II*\0".utf8).write(to: album.appending(path: "none.tif"))
            var tiff = Data("II*\0".utf8) + Data([8, 0, 0, 0, 5, 0])
            for (tag, value) in [(0x100, 1), (0x101, 1), (0x111, 74), (0x116, 1), (0x117, 1)] {
                tiff += Data([UInt8(tag & 0xFF), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0, UInt8(value), 0, 0, 0])
            }
            try (tiff + Data([0, 0, 0, 0, 7, 7])).write(to: album.appending(path: "scan.tif"))
            let run = try await gallery.run(
                ["web", "-o", "site"] + source, environment: Self.noPrograms, expecting: 1)
            #expect(
                run.errors.contains("'scan.tif' is a TIFF file, which browsers do not show."), "\(run.all)")
            #expect(run.errors.contains("Help: Install vipsthumbnail"), "\(run.all)")
        }
    }

    @Test func `albums have covers, pages, feeds, and ways back`() async throws {
        try await withAlbum { gallery, album, source in
            for (path, width) in [("b/1.jpg", 90), ("b/2.jpg", 91), ("a <i>/1.jpg", 92), ("top.jpg", 93)] {
                let file = album.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Pictures.jpeg(width: width, height: 60).write(to: file)
            }
            // Folders are albums by themselves.
            let line = ["web", "-o", "site", "--ranking", "name"] + source
            try await gallery.runWell(line, environment: Self.noPrograms)
            let index = try Self.text(gallery, "site/index.html")
            #expect(
                index.contains("3 albums, 4 photos") && !index.contains("<i>")
                    && index.contains("a &lt;i&gt;"))
            let pages = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path + "/site")
            let albums = pages.filter { $0.hasPrefix("album_") && $0.hasSuffix(".html") }.sorted()
            #expect(
                albums.count == 3
                    && pages.filter { $0.hasPrefix("album_") && $0.hasSuffix(".xml") }.count == 3)
            for name in albums { #expect(index.contains("href=\"\(name)\"")) }
            let two = try #require(
                albums.first { name in
                    (try? Self.text(gallery, "site/\(name)"))?.contains("<h1>b</h1>") == true
                })
            let page = try Self.text(gallery, "site/\(two)")
            #expect(
                page.components(separatedBy: "<li id=").count == 3 && page.contains("href=\"index.html\""))
            let feed = two.replacing(".html", with: ".xml")
            #expect(page.components(separatedBy: "href=\"\(feed)\"").count == 3 && !page.contains("feed.xml"))
            let photo = try #require(page.firstMatch(of: /href="(photo\/[^"]+)"/)?.1)
            let first = try Self.text(gallery, "site/\(photo)")
            #expect(
                first.contains("1 of 2") && first.contains("../\(two)#") && first.contains("../index.html"))
            // Without albums, their pages go.
            try await gallery.runWell(line + ["--by", "none"], environment: Self.noPrograms)
            let left = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path + "/site")
            #expect(!left.contains { $0.hasPrefix("album_") })
        }
    }
}

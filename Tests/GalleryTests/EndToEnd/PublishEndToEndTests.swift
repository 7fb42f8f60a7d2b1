import Foundation
import GalleryTestSupport
import Synchronization
import TerminalPictures
import Testing

@testable import gallery

/// The built program's `web` and `collage`: what stands on disk, and what is said.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct PublishEndToEndTests {
    private static func files(_ gallery: BuiltProduct, in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: gallery.folder.appending(path: folder).path)
            .filter { $0.contains(".") && $0 != ".gallery.jsonl" }.sorted()
    }

    private static func text(_ gallery: BuiltProduct, _ path: String) throws -> String {
        try String(contentsOf: gallery.folder.appending(path: path), encoding: .utf8)
    }

    // MARK: - Pages

    @Test func `the bundled catalog's page is as recorded, and a second run keeps its pictures`() async throws
    {
        try await withBuiltProduct { gallery in
            let line = ["web", "-o", "site", "--title", "Twelve photographs"]
            // Icons are there where something is installed that makes them.
            let first = try await gallery.run(line, environment: ["PATH": "/nowhere"])
            #expect(first.status == 0 && first.lines == ["site/index.html"], "\(first.all)")
            #expect(first.errors.hasPrefix("12 fetched, 0 kept, 0 failed, 900 KB in "), "\(first.errors)")
            for page in [
                "index.html", "sizes.css", "style.css", "photo/sample_1001.html", "photo/sample_1012.html",
            ] {
                let recorded = String(decoding: try Fixture.data("web/\(page)"), as: UTF8.self)
                #expect(try Self.text(gallery, "site/\(page)") == recorded, "\(page)")
            }
            let again = try await gallery.run(line)
            #expect(again.status == 0)
            #expect(again.errors.hasPrefix("0 fetched, 12 kept, 0 failed, 0 B in "), "\(again.errors)")
            // Nothing but what a visitor may see: no addresses, nor paths of this machine.
            let all = try FileManager.default.subpathsOfDirectory(
                atPath: gallery.folder.appending(path: "site").path)
            #expect(!all.contains { $0.hasPrefix(".") }, "\(all)")
            #expect(try !Self.text(gallery, "site/gallery-web").contains("://"))
        }
    }

    @Test func `more photos are added, and fewer remove their pages`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            _ = try await gallery.run(["web", "1-2", "-o", "site"] + source)
            let more = try await gallery.run(["web", "1-4", "-o", "site"] + source)
            #expect(more.errors.hasPrefix("2 fetched, 2 kept, 0 failed, "), "\(more.errors)")
            #expect(server.requests.count { $0.path == "/full/1" } == 1)
            let pages = (1...4).map { "photo/500px_\($0).html" }
            #expect(try Self.files(gallery, in: "site").filter { $0.hasPrefix("photo/") } == pages)
            let fewer = try await gallery.run(["web", "3", "-o", "site"] + source)
            #expect(fewer.status == 0)
            #expect(try Self.files(gallery, in: "site").filter { $0.hasPrefix("photo/") } == [pages[2]])
        }
    }

    @Test func `a photo that fails is named, and the page is made of the others`() async throws {
        let pixels = PixelServer(fault: { $0.path == "/full/2" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["web", "1-3", "-o", "site"] + source)
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.lines == ["site/index.html"])
            #expect(outcome.errors.contains("Error: photo 2: "), "\(outcome.errors)")
            #expect(outcome.errors.contains("\n2 fetched, 0 kept, 1 failed, "), "\(outcome.errors)")
            let page = try Self.text(gallery, "site/index.html")
            #expect(page.contains("500px_1") && page.contains("500px_3") && !page.contains("500px_2"))
        }
    }

    @Test func `what is new on a page is new in its feed, and nothing else is`() async throws {
        try await withBuiltProduct { gallery in
            func feed(_ selection: String) async throws -> String {
                let run = try await gallery.run(["web", selection, "-o", "site"])
                #expect(run.status == 0, "\(run.all)")
                return try Self.text(gallery, "site/feed.xml")
            }
            let first = try await feed("1-2")
            #expect(try await feed("1-2") == first)
            let second = try await feed("1-3")
            let entries = first.components(separatedBy: "<entry>").dropFirst()
            let id = try #require(first.firstMatch(of: #/<id>(urn:uuid:[0-9a-f-]{36})<\/id>/#)?.1)
            #expect(second.contains("<id>\(id)</id>") && second.contains("<id>\(id)#sample_1003</id>"))
            for entry in entries { #expect(second.contains(entry.components(separatedBy: "</entry>")[0])) }
            _ = try await gallery.run(["web", "1", "-o", "other"])
            #expect(try !Self.text(gallery, "other/feed.xml").contains(id))
        }
    }

    @Test func `a run without any photo leaves the page before it`() async throws {
        let isDown = Atomic(false)
        let pixels = PixelServer(fault: { _ in isDown.load(ordering: .acquiring) ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            _ = try await gallery.run(["web", "1-3", "-o", "site"] + source)
            let before = try Self.text(gallery, "site/index.html")
            isDown.store(true, ordering: .releasing)
            let outcome = try await gallery.run(["web", "7-9", "-o", "site", "--refresh"] + source)
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome.all)")
            #expect(try Self.text(gallery, "site/index.html") == before)
        }
    }

    @Test func `photos.json makes the same page without the service`() async throws {
        try await withBuiltProduct { gallery in
            let page = try await withLocalServer({ PixelServer(count: 5).reply(to: $0) }) { server in
                let source = ["-s", "500px", "--base-url", server.url("v1").absoluteString]
                let outcome = try await gallery.run(["web", "-o", "site", "--metadata"] + source)
                #expect(outcome.status == 0, "\(outcome.all)")
                return try Self.text(gallery, "site/index.html")
            }
            let photos = try Data(contentsOf: gallery.folder.appending(path: "site/photos.json"))
            let outcome = try await gallery.run(["web", "-", "-o", "site"], input: photos)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(try Data(contentsOf: gallery.folder.appending(path: "site/photos.json")) == photos)
            #expect(outcome.errors.hasPrefix("0 fetched, 5 kept, 0 failed, 0 B in "), "\(outcome.errors)")
            #expect(try Self.text(gallery, "site/index.html") == page)
        }
    }

    @Test func `a page of printed photos, and of marked ones, credits their authors in their own words`()
        async throws
    {
        let photo =
            #"{"service":"sample","id":"1001","title":"Sea","license":"CC BY 2.0","category":"photograph","credit":"Ann, by courtesy of the harbor","thumbnail":{"url":"sample:///thumb/rocket.jpg"},"full":{"url":"sample:///full/rocket.jpg"}}"#
        try await withBuiltProduct { gallery in
            let site = try await gallery.run(["web", "-", "-o", "site"], input: Data(photo.utf8))
            #expect(site.status == 0, "\(site.all)")
            let page = try Self.text(gallery, "site/photo/sample_1001.html")
            #expect(page.contains("Ann, by courtesy of the harbor"))
            let marked = try await gallery.run(["mark", "-"], input: Data(photo.utf8))
            #expect(marked.status == 0, "\(marked.all)")
            let list = try await gallery.run(["marked", "--tag", "photograph", "--format", "jsonl"])
            #expect(list.output.contains(#""credit":"Ann, by courtesy of the harbor""#), "\(list.all)")
            let again = try await gallery.run(["web", "--feed", "marked", "-o", "marked"])
            #expect(again.status == 0, "\(again.all)")
            let other = try Self.text(gallery, "marked/photo/sample_1001.html")
            #expect(other.contains("Ann, by courtesy of the harbor"))
        }
    }

    @Test func `pictures that browse or a list has loaded are not transferred again`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            _ = try await gallery.run(["collage", "1-3", "-o", "c.svg"] + source)
            let outcome = try await gallery.run(["web", "1-3", "-o", "site"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(server.requests.count { $0.path.hasPrefix("/full/") } == 3)
        }
    }

    @Test func `what a killed collage has left is removed by the next one, and nothing else`() async throws {
        try await withBuiltProduct { gallery in
            for name in ["c.svg.7.new", "c.svg.8.new", "other.svg.7.new", "c.svg.new"] {
                try Data("x".utf8).write(to: gallery.folder.appending(path: name))
            }
            // It is being written.
            let held = open(gallery.folder.appending(path: "c.svg.8.new").path, O_RDONLY)
            defer { close(held) }
            #expect(flock(held, LOCK_EX) == 0)
            let outcome = try await gallery.run(["collage", "1-2", "-o", "c.svg"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let names = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
            #expect(names.sorted() == ["c.svg", "c.svg.8.new", "c.svg.new", "other.svg.7.new"])
        }
    }

    @Test(arguments: [
        ("thumbnail", ["photo/sample_1001.html", "thumbs/sample_1001.jpg"]),
        ("none", ["thumbs/sample_1001.jpg"]),
    ])
    func `a page may do without full files, or without pages of photos`(
        size: String, files: [String]
    ) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(
                ["web", "1", "-o", "site", "--size", size], environment: ["PATH": "/nowhere"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                try Self.files(gallery, in: "site")
                    == (files + ["feed.xml", "index.html", "script.js", "sizes.css", "style.css"]).sorted())
        }
    }

    @Test func `identical files are left out where that is wanted`() async throws {
        let pixels = UniqueEndToEndTests.pixels(6, { $0 % 3 })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["web", "1-6", "-o", "site", "--unique"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.errors.hasPrefix("Left out 3 photos: 3 by --unique.\n"), "\(outcome.errors)")
            #expect(try Self.text(gallery, "site/index.html").components(separatedBy: "<li id=").count == 4)
        }
    }

    @Test(arguments: [
        ["web"], ["web", "-o", ""], ["web", "-o", "x", "--columns", "0"],
        ["web", "-o", "x", "--base", "nowhere"], ["web", "-o", "x", "--lang", "en\"><script>"],
        ["web", "-o", "x", "--metadata-in-pictures", "all"], ["web", "-o", "x", "--theme", "pink"],
        ["collage"],
        ["collage", "-o", "x.svg", "--width", "3"], ["collage", "-o", "x.svg", "--gap", "-1"],
        ["collage", "-o", "x.svg", "--style", "mosaic", "--columns", "2"], ["collage", "-o", "c.gif"],
        ["collage", "-o", "c.JPG", "--format", "png"], ["collage", "-o", "-", "--open"],
        ["collage", "-o", "c.txt", "--format", "svg"], ["collage", "-o", "c.svg", "--ratio", "16"],
        ["collage", "-o", "c.svg", "--ratio", "0:1"], ["collage", "-o", "c.svg", "--ratio", "100:1"],
        ["collage", "-o", "c.svg", "--background", "#12"],
        ["collage", "-o", "c.svg", "--background", "red\"/><script>"],
    ])
    func `what makes no sense is a usage error`(line: [String]) {
        #expect(Refusal(of: line)?.status == 64)
    }

    @Test(
        arguments: [
            (["web", "99", "-o", "x"], 66),
            (["web", "--feed", "search", "--query", "zzz", "-o", "x"], 66),
            (["collage", "--min-width", "9000", "-o", "x.svg"], 66), (["web", "-o", "/proc/nowhere"], 73),
            (["collage", "-o", "/proc/nowhere/x.svg"], 73),
        ] as [([String], Int32)])
    func `what cannot be done has its status`(line: [String], status: Int32) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(line)
            #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome.all)")
            #expect(outcome.errors.contains("Error: "), "\(outcome.errors)")
        }
    }

    @Test func `a page of somebody else's is not replaced`() async throws {
        try await withBuiltProduct { gallery in
            let page = gallery.folder.appending(path: "index.html")
            try Data("<p>mine".utf8).write(to: page)
            let outcome = try await gallery.run(["web", "1", "-o", "."])
            #expect(outcome.status == 73, "\(outcome.all)")
            #expect(
                outcome.errors.hasSuffix(
                    """
                    /index.html' is a page that gallery did not write, or that was changed since.
                    Help: Choose another folder, or remove that file.

                    """), "\(outcome.errors)")
            #expect(try Self.text(gallery, "index.html") == "<p>mine")
        }
    }

    @Test func `style and script are found where a package installs them, and missed by a page alone`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let built = try ProductLocation.executable("gallery")
            let program = folder.appending(path: "bin/gallery")
            let share = folder.appending(path: "share/gallery")
            for place in [program, share] {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            let resources = built.deletingLastPathComponent().appending(
                path: "gallery_GalleryCore.resources")
            // By another process: see the tests of the bundled catalog.
            try await withProgram(at: URL(filePath: "/bin/cp")) { cp in
                _ = try await cp.run([built.path, program.path])
                _ = try await cp.run(["-r", resources.path, share.path])
            }
            try await withProgram(at: program) { gallery in
                let whole = try await gallery.run(["web", "1", "-o", "site"])
                #expect(whole.status == 0, "\(whole.all)")
                try FileManager.default.removeItem(at: share.appending(path: "style.css"))
                let page = try await gallery.run(["web", "1", "-o", "other"])
                #expect(page.status == 66 && page.output.isEmpty, "\(page.all)")
                for place in ["bin/gallery_GalleryCore.resources/style.css", "share/gallery/style.css"] {
                    #expect(page.errors.contains(folder.appending(path: place).path), "\(page.errors)")
                }
                #expect(page.errors.contains("\nHelp: "))
                #expect(!FileManager.default.fileExists(atPath: gallery.folder.path + "/other/full"))
                let collage = try await gallery.run(["collage", "1-2", "-o", "c.svg"])
                #expect(collage.status == 0, "\(collage.all)")
            }
        }
    }

    /// Before anything is downloaded or written, whether a page of it was made before or not.
    @Test(arguments: ["style.css", "script.js", "feed.xml", "photos.json", "photo/sample_1001.html"])
    func `what web did not write is never replaced`(path: String) async throws {
        try await withBuiltProduct { gallery in
            let line = ["web", "1-2", "-o", "site", "--metadata"]
            let file = gallery.folder.appending(path: "site/\(path)")
            for isFirst in [true, false] {
                if !isFirst {
                    try FileManager.default.removeItem(at: file)
                    #expect(try await gallery.run(line).status == 0)
                }
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("mine".utf8).write(to: file)
                let before = try Self.files(gallery, in: "site")
                let outcome = try await gallery.run(line + ["--title", "Other"])
                // A style of its own that was changed is its owner's, and no obstacle.
                guard isFirst || path != "style.css" else {
                    #expect(outcome.status == 0, "\(outcome.all)")
                    #expect(try Self.text(gallery, "site/\(path)") == "mine")
                    continue
                }
                #expect(outcome.status == 73 && outcome.output.isEmpty, "\(outcome.all)")
                let kind = path.hasSuffix(".html") ? "page" : "file"
                #expect(
                    outcome.errors.contains(
                        "/\(path)' is a \(kind) that gallery did not write, or that was changed since.\nHelp: "
                    ),
                    "\(outcome.errors)")
                #expect(try Self.text(gallery, "site/\(path)") == "mine")
                #expect(try Self.files(gallery, in: "site") == before)
            }
        }
    }

    @Test func `a BMP is shown like any picture of the web`() async throws {
        let pixels = [UInt8](repeating: 200, count: 24 * 16)
        let header: [UInt8] =
            Array("BM".utf8) + [0xB6, 1, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0, 0]
            + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
        try await withBuiltProduct { gallery in
            let album = gallery.folder.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            try Data(header + pixels).write(to: album.appending(path: "old.bmp"))
            let source = ["-s", "folder", "--folder", album.path]
            let page = try await gallery.run(["web", "-o", "site"] + source)
            #expect(page.status == 0, "\(page.all)")
            #expect(
                try Self.files(gallery, in: "site").contains { $0.hasPrefix("full/") && $0.hasSuffix(".bmp") }
            )
            let line = ["collage", "1", "-o", "c.svg"] + source
            let collage = try await gallery.run(line, environment: ["PATH": "/nowhere"])
            #expect(collage.status == 0, "\(collage.all)")
            #expect(try Self.text(gallery, "c.svg").contains("data:image/bmp;base64,"))
        }
    }

    // MARK: - Collages

    @Test func `a collage may go to standard output`() async throws {
        try await withBuiltProduct { gallery in
            let file = try await gallery.run(["collage", "-o", "c.svg"])
            let stream = try await gallery.run(["collage", "-o", "-"])
            #expect(file.status == 0 && stream.status == 0, "\(stream.errors)")
            let written = try Data(contentsOf: gallery.folder.appending(path: "c.svg"))
            #expect(stream.outputData == written)
            #expect(!FileManager.default.fileExists(atPath: gallery.folder.appending(path: "-").path))
        }
    }

    @Test func `a collage has the shape, the background, and the credits that are wanted`() async throws {
        try await withBuiltProduct { gallery in
            let line = ["collage", "1-3", "--width", "900", "--ratio", "3:2", "--background", "#F4F1EA"]
            let outcome = try await gallery.run(line + ["--credits", "-o", "c.svg"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let text = try Self.text(gallery, "c.svg")
            #expect(text.contains("width=\"900\" height=\"600\" viewBox=\"0 0 900 600\""))
            #expect(text.contains("<rect width=\"900\" height=\"600\" fill=\"#f4f1ea\"/>"))
            #expect(text.components(separatedBy: "<text ").count == 4 && text.contains("by SpaceX"))
            _ = try await gallery.run(line + ["-o", "plain.svg"])
            #expect(try !Self.text(gallery, "plain.svg").contains("<text "))
        }
    }

    @Test func `a collage has six landscape photos, none twice, and the same bytes every time`() async throws
    {
        try await withBuiltProduct { gallery in
            for _ in 1...2 {
                let outcome = try await gallery.run(["collage", "-o", "c.svg"])
                #expect(outcome.status == 0 && outcome.lines == ["c.svg"], "\(outcome.all)")
            }
            let first = try Self.text(gallery, "c.svg")
            #expect(first.components(separatedBy: "<image ").count == 7)
            #expect(!first.contains("Eileen Collins") && first.contains("<title>Falcon 9 Launch</title>"))
            _ = try await gallery.run(["collage", "-o", "other.svg"])
            #expect(try Self.text(gallery, "other.svg") == first)
        }
    }

    /// The pixels of a collage's pictures, as their files store them.
    private static func pictures(in collage: String) -> [Data] {
        collage.matches(of: /base64,([^"]*)"/).compactMap { Data(base64Encoded: String($0.1)) }.map(pixels)
    }

    /// The end of a picture's file, where its pixels are: what it says of itself stands before them.
    private static func pixels(of file: Data) -> Data { Data(file.suffix(200)) }

    @Test func `copies make room for other photos`() async throws {
        let pixels = UniqueEndToEndTests.pixels(12, { $0 <= 4 ? 1 : $0 })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["collage", "-o", "c.svg", "--limit", "5"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.errors.hasPrefix("Left out 3 photos: 3 by --unique.\n"), "\(outcome.errors)")
            let text = try Self.text(gallery, "c.svg")
            let titles = text.matches(of: /<title>([^<]*) (\d+)<\/title>/).map { String($0.2) }
            #expect(titles == ["1", "5", "6", "7", "8"] && Self.pictures(in: text).count == 5)
        }
    }

    @Test(arguments: ["grid", "rows", "mosaic"])
    func `named photos are taken whatever their shape`(style: String) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(["collage", "1", "12", "9", "-o", "c.svg", "--style", style])
            #expect(outcome.status == 0, "\(outcome.all)")
            let text = try Self.text(gallery, "c.svg")
            let files = try ["astronaut", "ascent", "hopper"].map {
                try Fixture.data("sample/full/\($0).jpg")
            }
            #expect(Self.pictures(in: text) == files.map(Self.pixels))
        }
    }

    // MARK: - In a browser

    @Test(.needs("Chromium with Python") { await Self.canBrowse })
    func `a page looks well in a browser and works by keyboard`() async throws {
        try await withBuiltProduct { gallery in
            _ = try await gallery.run(["web", "-o", "site", "--title", "Twelve photographs"])
            let script = Fixture.packageRoot.appending(path: "Tests/Browser/check-site")
            try await withProgram(at: script) { check in
                // Python may be installed in the real home.
                let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
                let outcome = try await check.run(
                    [gallery.folder.appending(path: "site").path], environment: ["HOME": home],
                    timeLimit: .seconds(120))
                #expect(outcome.output == "13 pages, 0 complaints\n", "\(outcome.all)")
            }
        }
    }

    private static var canBrowse: Bool {
        get async {
            let environment = ProcessInfo.processInfo.environment
            guard ProcessRun.find("python3", in: environment) != nil else { return false }
            for program in SVGDrawing.helpers where program.product == "Chromium" {
                return await program.path(in: environment) != nil
            }
            return false
        }
    }
}

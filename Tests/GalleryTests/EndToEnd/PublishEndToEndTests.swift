import Foundation
import GalleryTestSupport
import ProductTestSupport
import Synchronization
import TerminalPictures
import Testing

@testable import gallery

/// The built program's `web` and `collage`: what stands on disk, and what is said.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(3))) struct PublishEndToEndTests {
    private static func files(_ gallery: BuiltProduct, in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: gallery.folder.appending(path: folder).path)
            .filter { $0.contains(".") && $0 != ".gallery.jsonl" }.sorted()
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
                #expect(try gallery.text("site/\(page)") == recorded, "\(page)")
            }
            let again = try await gallery.runWell(line)
            #expect(again.errors.hasPrefix("0 fetched, 12 kept, 0 failed, 0 B in "), "\(again.errors)")
            // Nothing but what a visitor may see: no addresses, nor paths of this machine.
            let all = try FileManager.default.subpathsOfDirectory(
                atPath: gallery.folder.appending(path: "site").path)
            #expect(!all.contains { $0.hasPrefix(".") }, "\(all)")
            #expect(try !gallery.text("site/gallery-web").contains("://"))
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
            try await gallery.runWell(["web", "3", "-o", "site"] + source)
            #expect(try Self.files(gallery, in: "site").filter { $0.hasPrefix("photo/") } == [pages[2]])
        }
    }

    @Test func `a photo that fails is named, and the page is made of the others`() async throws {
        let pixels = PixelServer(fault: { $0.path == "/full/2" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["web", "1-3", "-o", "site"] + source, expecting: 1)
            #expect(outcome.lines == ["site/index.html"])
            #expect(outcome.errors.contains("Error: photo 2: "), "\(outcome.errors)")
            #expect(outcome.errors.contains("\n2 fetched, 0 kept, 1 failed, "), "\(outcome.errors)")
            let page = try gallery.text("site/index.html")
            #expect(page.contains("500px_1") && page.contains("500px_3") && !page.contains("500px_2"))
        }
    }

    @Test func `what is new on a page is new in its feed, and nothing else is`() async throws {
        try await withBuiltProduct { gallery in
            func feed(_ selection: String) async throws -> String {
                try await gallery.runWell(["web", selection, "-o", "site"])
                return try gallery.text("site/feed.xml")
            }
            let first = try await feed("1-2")
            #expect(try await feed("1-2") == first)
            let second = try await feed("1-3")
            let entries = first.components(separatedBy: "<entry>").dropFirst()
            let id = try #require(first.firstMatch(of: #/<id>(urn:uuid:[0-9a-f-]{36})<\/id>/#)?.1)
            #expect(second.contains("<id>\(id)</id>") && second.contains("<id>\(id)#sample_1003</id>"))
            for entry in entries { #expect(second.contains(entry.components(separatedBy: "</entry>")[0])) }
            _ = try await gallery.run(["web", "1", "-o", "other"])
            #expect(try !gallery.text("other/feed.xml").contains(id))
        }
    }

    @Test func `a run without any photo leaves the page before it`() async throws {
        let isDown = Atomic(false)
        let pixels = PixelServer(fault: { _ in isDown.load(ordering: .acquiring) ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            _ = try await gallery.run(["web", "1-3", "-o", "site"] + source)
            let before = try gallery.text("site/index.html")
            isDown.store(true, ordering: .releasing)
            let outcome = try await gallery.run(["web", "7-9", "-o", "site", "--refresh"] + source)
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome.all)")
            #expect(try gallery.text("site/index.html") == before)
        }
    }

    @Test func `a page of printed photos, and of marked ones, credits their authors in their own words`()
        async throws
    {
        let photo =
            #"{"service":"sample","id":"1001","title":"Sea","license":"CC BY 2.0","category":"photograph","credit":"Ann, by courtesy of the harbor","thumbnail":{"url":"sample:///thumb/rocket.jpg"},"full":{"url":"sample:///full/rocket.jpg"}}"#
        try await withBuiltProduct { gallery in
            try await gallery.runWell(["web", "-", "-o", "site"], input: Data(photo.utf8))
            let page = try gallery.text("site/photo/sample_1001.html")
            #expect(page.contains("Ann, by courtesy of the harbor"))
            try await gallery.runWell(["mark", "-"], input: Data(photo.utf8))
            let list = try await gallery.run(["marked", "--tag", "photograph", "--format", "jsonl"])
            #expect(list.output.contains(#""credit":"Ann, by courtesy of the harbor""#), "\(list.all)")
            try await gallery.runWell(["web", "--feed", "marked", "-o", "marked"])
            let other = try gallery.text("marked/photo/sample_1001.html")
            #expect(other.contains("Ann, by courtesy of the harbor"))
        }
    }

    @Test func `pictures that browse or a list has loaded are not transferred again`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            _ = try await gallery.run(["collage", "1-3", "-o", "c.svg"] + source)
            try await gallery.runWell(["web", "1-3", "-o", "site"] + source)
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
            try await gallery.runWell(["collage", "1-2", "-o", "c.svg"])
            let names = try gallery.names()
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
            try await gallery.runWell(
                ["web", "1", "-o", "site", "--size", size], environment: ["PATH": "/nowhere"])
            #expect(
                try Self.files(gallery, in: "site")
                    == (files + ["feed.xml", "index.html", "script.js", "sizes.css", "style.css"]).sorted())
        }
    }

    @Test func `identical files are left out where that is wanted`() async throws {
        let pixels = UniqueEndToEndTests.pixels(6, { $0 % 3 })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.runWell(["web", "1-6", "-o", "site", "--unique"] + source)
            #expect(outcome.errors.hasPrefix("Left out 3 photos: 3 by --unique.\n"), "\(outcome.errors)")
            #expect(try gallery.text("site/index.html").components(separatedBy: "<li id=").count == 4)
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
                try await gallery.runWell(["web", "1", "-o", "site"])
                try FileManager.default.removeItem(at: share.appending(path: "style.css"))
                let page = try await gallery.run(["web", "1", "-o", "other"])
                #expect(page.status == 66 && page.output.isEmpty, "\(page.all)")
                for place in ["bin/gallery_GalleryCore.resources/style.css", "share/gallery/style.css"] {
                    #expect(page.errors.contains(folder.appending(path: place).path), "\(page.errors)")
                }
                #expect(page.errors.contains("\nHelp: "))
                #expect(!FileManager.default.fileExists(atPath: gallery.folder.path + "/other/full"))
                try await gallery.runWell(["collage", "1-2", "-o", "c.svg"])
            }
        }
    }

    /// Before anything is downloaded or written, whether a page of it was made before or not.
    @Test func `what web did not write is never replaced`() async throws {
        try await withBuiltProduct { gallery in
            let line = ["web", "1-2", "-o", "site", "--metadata"]
            for isFirst in [true, false] {
                if !isFirst {
                    try gallery.remove("site/photos.json")
                    try await gallery.runWell(line)
                }
                try gallery.write("mine", to: "site/photos.json")
                let before = try Self.files(gallery, in: "site")
                let outcome = try await gallery.run(line + ["--title", "Other"], expecting: 73)
                #expect(
                    outcome.errors.contains(
                        "/photos.json' is a file that gallery did not write, or that was changed since.\n"
                            + "Help: Choose another folder, or remove that file.\n"), "\(outcome.errors)")
                #expect(try outcome.output.isEmpty && gallery.text("site/photos.json") == "mine")
                #expect(try Self.files(gallery, in: "site") == before)
            }
        }
    }

    @Test func `a BMP is shown like any picture of the web`() async throws {
        try await withBuiltProduct { gallery in
            let album = try gallery.makeFolder("album")
            try gallery.write(Data(HandmadeBMP.bytes(8, 16)), to: "album/old.bmp")
            let source = ["-s", "folder", "--folder", album.path]
            try await gallery.runWell(["web", "-o", "site"] + source)
            #expect(
                try Self.files(gallery, in: "site").contains { $0.hasPrefix("full/") && $0.hasSuffix(".bmp") }
            )
            let line = ["collage", "1", "-o", "c.svg"] + source
            try await gallery.runWell(line, environment: ["PATH": "/nowhere"])
            #expect(try gallery.text("c.svg").contains("data:image/bmp;base64,"))
        }
    }

    // MARK: - Collages

    @Test func `a collage has the shape, the background, and the credits that are wanted`() async throws {
        try await withBuiltProduct { gallery in
            let line = ["collage", "1-3", "--width", "900", "--ratio", "3:2", "--background", "#F4F1EA"]
            try await gallery.runWell(line + ["--credits", "-o", "c.svg"])
            let text = try gallery.text("c.svg")
            #expect(text.contains("width=\"900\" height=\"600\" viewBox=\"0 0 900 600\""))
            #expect(text.contains("<rect width=\"900\" height=\"600\" fill=\"#f4f1ea\"/>"))
            #expect(text.components(separatedBy: "<text ").count == 4 && text.contains("by SpaceX"))
            _ = try await gallery.run(line + ["-o", "plain.svg"])
            #expect(try !gallery.text("plain.svg").contains("<text "))
        }
    }

    @Test
    func
        `a collage has six landscape photos, none twice, and the same bytes every time, on standard output too`()
        async throws
    {
        try await withBuiltProduct { gallery in
            for _ in 1...2 {
                let run = try await gallery.runWell(["collage", "-o", "c.svg"])
                #expect(run.lines == ["c.svg"])
                // By the name of the rule, since nobody has given an option.
                #expect(run.errors.contains(" by orientation (") && !run.errors.contains("--orientation"))
            }
            let first = try gallery.text("c.svg")
            #expect(first.components(separatedBy: "<image ").count == 7)
            #expect(!first.contains("Eileen Collins") && first.contains("<title>Falcon 9 Launch</title>"))
            #expect(try await gallery.runWell(["collage", "-o", "-"]).output == first)
            #expect(try gallery.names() == ["c.svg"])
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
            let outcome = try await gallery.runWell(["collage", "-o", "c.svg", "--limit", "5"] + source)
            let left = "Left out 3 photos: 3 by unique (2, 3, 4).\n"
            #expect(outcome.errors.hasPrefix(left), "\(outcome.errors)")
            let text = try gallery.text("c.svg")
            let titles = text.matches(of: /<title>([^<]*) (\d+)<\/title>/).map { String($0.2) }
            #expect(titles == ["1", "5", "6", "7", "8"] && Self.pictures(in: text).count == 5)
        }
    }

    @Test func `named photos are taken whatever their shape`() async throws {
        try await withBuiltProduct { gallery in
            try await gallery.runWell(["collage", "1", "12", "9", "-o", "c.svg", "--style", "mosaic"])
            let text = try gallery.text("c.svg")
            let files = try ["astronaut", "ascent", "hopper"].map {
                try Fixture.data("sample/full/\($0).jpg")
            }
            #expect(Self.pictures(in: text) == files.map(Self.pixels))
            let all = try await gallery.runWell(["collage", "1-12", "-o", "all.svg"])
            #expect(try Self.pictures(in: gallery.text("all.svg")).count == 12)
            #expect(!all.errors.contains("Left out"), "\(all.errors)")
            let limited = ["collage", "1-12", "-o", "few.svg", "--limit", "2"]
            try await gallery.runWell(limited)
            #expect(try Self.pictures(in: gallery.text("few.svg")).count == 2)
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

import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import TerminalPictures
import Testing

@testable import gallery

/// Pages and collages of pictures that are larger than they are looked at, by converters of our own.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct ConversionEndToEndTests {
    /// What a converter does that has all sizes of a picture of 6000 × 4000 pixels.
    private static let works = #"cat "${0%/*}/$size.jpg""#

    /// The built program, a folder with such pictures, and a `vipsthumbnail` that is the only program, and notes the
    /// sizes that it is asked for.
    private func withAlbum(
        _ names: [String] = ["a.jpg"], converter script: String?,
        _ body: (BuiltProduct, _ source: [String], _ path: [String: String], _ log: URL) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let (album, programs) = (
                gallery.home.appending(path: "album"), gallery.home.appending(path: "programs")
            )
            for folder in [album, programs] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            for (number, name) in names.enumerated() {
                // Each another content.
                try (Pictures.jpeg(width: 6000, height: 4000) + Data(count: number + 1))
                    .write(to: album.appending(path: name))
            }
            for edge in [3840, 2048, 1024, 820, 800, 680, 560, 490, 450, 380, 320, 180, 32] {
                let size = try #require(PixelSize(width: 6000, height: 4000)).fitting(longestEdge: edge)
                try Pictures.jpeg(width: size.width, height: size.height).write(
                    to: programs.appending(path: "\(edge).jpg"))
            }
            let log = programs.appending(path: "sizes")
            if let script {
                let text = """
                    #!/bin/sh
                    PATH=/usr/bin:/bin
                    for word; do case $word in --size=*) size=${word#--size=}; size=${size%%x*};; esac; done
                    echo $size >> '\(log.path)'
                    \(script)
                    """
                try await PictureBench.program("vipsthumbnail", text, in: programs)
            }
            try await body(gallery, ["-s", "folder", "--folder", album.path], ["PATH": programs.path], log)
        }
    }

    private static func text(_ gallery: BuiltProduct, _ path: String) throws -> String {
        try String(contentsOf: gallery.folder.appending(path: path), encoding: .utf8)
    }

    private static func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    private static func photoPage(_ gallery: BuiltProduct) throws -> String {
        let folder = gallery.folder.appending(path: "site/photo")
        return try text(gallery, "site/photo/" + #require(try files(in: folder).first))
    }

    /// The pixels of the grid's pictures.
    private static let grid = ["320", "380", "450", "490", "560", "680", "820", "1024"]

    private static func widths(_ page: String) -> [String] {
        page.matches(of: /(?:[ "])([^ "]+) (\d+)w/).map { String($0.2) }
    }

    @Test func `a page's pictures have the sizes they are seen at, and a second run converts nothing`()
        async throws
    {
        try await withAlbum(converter: Self.works) { gallery, source, path, log in
            let album = gallery.home.appending(path: "album")
            let before = try Self.files(in: album)
            for _ in 1...2 {
                let run = try await gallery.run(["web", "-o", "site"] + source, environment: path)
                #expect(run.status == 0 && !run.errors.contains("Warning"), "\(run.all)")
                let words = PictureBench.words(log)
                #expect(words == ["3840", "2048"] + Array(Self.grid.reversed()) + ["32", "180"])
            }
            let index = try Self.text(gallery, "site/index.html")
            // One alone is shown larger than any of a row.
            #expect(Self.widths(index) == Self.grid + ["2048"])
            #expect(index.contains(" sizes=\"auto, min(100vw, 2048px)\""), "\(index)")
            for (edge, rel) in [(32, "icon"), (180, "icon"), (180, "apple-touch-icon")] {
                let file = try #require(
                    index.firstMatch(
                        of: try Regex("rel=\"\(rel)\"[^>]*href=\"(thumbs/icon[^\"]*-\(edge)\\.jpg)\"")))
                let path = String(try #require(file.output[1].substring))
                #expect(
                    try InspectedPicture(gallery.folder.appending(path: "site/\(path)")).size.longestEdge
                        == edge)
            }
            let page = try Self.photoPage(gallery)
            #expect(Self.widths(page) == ["1024", "2048", "3840"])
            #expect(page.contains("width=\"2048\" height=\"1365\""))
            let thumbs = gallery.folder.appending(path: "site/thumbs")
            let mode =
                try FileManager.default.attributesOfItem(atPath: thumbs.path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o444 == 0o444 } == true)
            // The full file is a link away, as it was.
            let full = try #require(page.firstMatch(of: /href="\.\.\/(full\/[^"]+)">Open the picture/)?.1)
            let original = Pictures.jpeg(width: 6000, height: 4000)
            #expect(try Data(contentsOf: gallery.folder.appending(path: "site/\(full)")) == original)
            #expect(try Self.files(in: album) == before)
        }
    }

    @Test(arguments: [
        ("exit 1", "'vipsthumbnail' could not convert the picture"),
        ("echo garbage", "'vipsthumbnail' could not convert the picture"),
        (#"rm "$0"; exit 1"#, "'vipsthumbnail' could not convert the picture"),
    ])
    func `a photo that cannot be converted is published as it came, with one line`(
        script: String, reason: String
    ) async throws {
        try await withAlbum(converter: script) { gallery, source, path, log in
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: path)
            #expect(run.status == 0, "\(run.all)")
            #expect(
                run.errors.hasPrefix("Warning: photo 1: \(reason); it is published as it came.\n"),
                "\(run.all)")
            #expect(run.errors.components(separatedBy: "Warning").count == 2, "\(run.all)")
            #expect(try Self.photoPage(gallery).contains("width=\"6000\" height=\"4000\""))
            // A small one may go where a large one does not.
            #expect(PictureBench.words(log).count == (script.hasPrefix("rm") ? 1 : 3))
        }
    }

    @Test func `one that fails with one photo converts the others`() async throws {
        let script = #"mkdir "$0.once" 2>/dev/null && exit 1; \#(Self.works)"#
        try await withAlbum(["a.jpg", "b.jpg", "c.jpg"], converter: script) { gallery, source, path, _ in
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: path)
            #expect(run.status == 0 && run.errors.components(separatedBy: "Warning").count == 2, "\(run.all)")
            let index = try Self.text(gallery, "site/index.html")
            #expect(index.components(separatedBy: "<li id=").count == 4)
            // Of the first, a larger one failed.
            #expect(index.components(separatedBy: " 1024w").count == 4)
        }
    }

    @Test func `without a converter, a line says what the index weighs, and what to install`() async throws {
        try await withAlbum(["a.jpg", "b.jpg"], converter: nil) { gallery, source, path, _ in
            let run = try await gallery.run(["web", "-o", "site"] + source, environment: path)
            #expect(run.status == 0, "\(run.all)")
            let lines = run.errors.split(separator: "\n").filter { $0.contains("weigh") }
            #expect(
                lines.count == 1 && lines[0].hasPrefix("The pictures of the index weigh 188 KB: "),
                "\(run.all)")
            #expect(lines[0].contains("libvips-tools") && lines[0].contains("ImageMagick"))
            // Each once, not as its own thumbnail too.
            let files = try Self.files(in: gallery.folder.appending(path: "site")).filter {
                $0.hasSuffix(".jpg")
            }
            #expect(files.count == 2 && files.allSatisfy { $0.hasPrefix("full/") }, "\(files)")
            let quiet = try await gallery.run(["web", "-o", "site", "-q"] + source, environment: path)
            #expect(quiet.errors.isEmpty, "\(quiet.all)")
        }
    }

    @Test(arguments: ["thumbnail", "none"])
    func `a page without full files is made of the files where they are`(size: String) async throws {
        try await withAlbum(converter: Self.works) { gallery, source, path, _ in
            let run = try await gallery.run(
                ["web", "-o", "site", "--size", size] + source, environment: path)
            #expect(run.status == 0, "\(run.all)")
            let index = try Self.text(gallery, "site/index.html")
            #expect(Self.widths(index) == Self.grid)
            let files = try Self.files(in: gallery.folder.appending(path: "site")).filter {
                $0.hasSuffix(".jpg")
            }
            // Those of the grid, and two icons.
            #expect(
                files.count == Self.grid.count + 2 && files.allSatisfy { $0.hasPrefix("thumbs/") }, "\(files)"
            )
        }
    }

    @Test(arguments: ["exit 1", works])
    func `a page of files where they are has copies of those that need no smaller ones, or have none`(
        script: String
    ) async throws {
        try await withAlbum(converter: script) { gallery, source, path, _ in
            let album = gallery.home.appending(path: "album")
            let small = Pictures.jpeg(width: 90, height: 60)
            try small.write(to: album.appending(path: "small.jpg"))
            try FileManager.default.createSymbolicLink(
                at: album.appending(path: "link.jpg"), withDestinationURL: album.appending(path: "small.jpg"))
            let run = try await gallery.run(
                ["web", "-o", "site", "--size", "none", "--unique"] + source, environment: path)
            #expect(run.status == 0, "\(run.all)")
            let index = try Self.text(gallery, "site/index.html")
            let shown = index.components(separatedBy: "src=\"").dropFirst().compactMap {
                $0.split(separator: "\"").first.map(String.init)
            }
            #expect(shown.count >= 2, "\(index)")
            for file in shown {
                let site = gallery.folder.appending(path: "site/\(file.removingPercentEncoding ?? file)")
                #expect(FileManager.default.fileExists(atPath: site.path), "\(file)")
            }
        }
    }

    @Test func `a file that is as small as a grid's is copied, and no program makes it`() async throws {
        try await withAlbum([], converter: Self.works) { gallery, source, path, log in
            let small = Pictures.jpeg(width: 600, height: 400)
            try small.write(to: gallery.home.appending(path: "album/small.jpg"))
            for _ in 1...2 {
                let run = try await gallery.run(
                    ["web", "-o", "site", "--size", "none"] + source, environment: path)
                #expect(run.status == 0, "\(run.all)")
            }
            let site = gallery.folder.appending(path: "site")
            let pictures = try Self.files(in: site).filter { $0.hasSuffix(".jpg") && !$0.contains("icon") }
            #expect(pictures.count == 1 && pictures.allSatisfy { $0.hasPrefix("thumbs/") }, "\(pictures)")
            #expect(try pictures.map { try Data(contentsOf: site.appending(path: $0)) } == [small])
            // None but for the page's icons.
            #expect(Set(PictureBench.words(log)).isSubset(of: ["180", "32"]))
        }
    }

    @Test func `a file of a page or of its grid that does not come is replaced by another`() async throws {
        let server = { @Sendable (request: LocalRequest) -> LocalReply in
            let edge = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return [960, 6000].contains(edge)
                ? .status(404) : .file(Pictures.jpeg(width: edge, height: edge / 2))
        }
        try await withBuiltProduct { gallery in
            try await withLocalServer(server) { server in
                func file(_ edge: Int) -> String {
                    #"{"url":"\#(server.url("\(edge)").absoluteString)","width":\#(edge),"height":\#(edge / 2)}"#
                }
                for (files, page) in [([320, 500, 960, 2560], 2560), ([320, 500, 6000], 500)] {
                    let photo = """
                        {"service":"commons","id":"1","title":"T","width":6000,"height":3000,\
                        "thumbnail":\(file(320)),"full":\(file(6000)),\
                        "renditions":[\(files.map(file).joined(separator: ","))]}
                        """
                    let run = try await gallery.run(
                        ["web", "-", "-o", "site\(page)", "--size", "2048", "--retries", "0"],
                        // The service, which may know another address, is not there to be asked.
                        environment: ["PATH": "/nowhere", "https_proxy": "http://127.0.0.1:1"],
                        input: Data(photo.utf8))
                    #expect(run.status == 0, "\(run.all)")
                    let index = try Self.text(gallery, "site\(page)/index.html")
                    #expect(index.contains("src=\"thumbs/commons_1_400.jpg\""), "\(index)")
                    let shown = try Self.text(gallery, "site\(page)/photo/commons_1.html")
                    #expect(shown.contains("width=\"\(page)\""), "\(shown)")
                }
            }
        }
    }

    @Test func `a page may show fewer pixels, or all`() async throws {
        try await withAlbum(converter: Self.works + " 2>/dev/null") { gallery, source, path, _ in
            let line = ["web", "-o", "site"] + source
            let fewer = try await gallery.run(line + ["--size", "800"], environment: path)
            #expect(fewer.status == 0, "\(fewer.all)")
            let small = try Self.photoPage(gallery)
            #expect(small.contains("width=\"800\" height=\"533\""), "\(small)")
            let full = try await gallery.run(line + ["--size", "full"], environment: path)
            #expect(full.status == 0, "\(full.all)")
            let large = try Self.photoPage(gallery)
            #expect(Self.widths(large) == ["1024", "2048", "3840"])
        }
    }

    @Test(arguments: [SIGINT, SIGQUIT]) func `an interrupt kills the converter`(signal: Int32) async throws {
        try await withAlbum(converter: #"echo $$ > "$0.process"; exec sleep 600"#) {
            gallery, source, path, log in
            let others = ["TMPDIR": gallery.folder.appending(path: "scratch").path]
            try FileManager.default.createDirectory(
                at: gallery.folder.appending(path: "scratch"), withIntermediateDirectories: true)
            // What would be tried next.
            let next = #"#!/bin/sh\necho $$ >> "$0.process"; exec /bin/sleep 600"#
            let bin = log.deletingLastPathComponent()
            try await PictureBench.program("ffmpeg", next, in: bin)
            let note = log.deletingLastPathComponent().appending(path: "vipsthumbnail.process")
            let run = try gallery.start(
                ["web", "-o", "site"] + source, environment: path.merging(others) { $1 })
            try await until { ((try? Data(contentsOf: note)) ?? Data()).count > 1 }
            let text = try String(contentsOf: note, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            let process = try #require(Int32(text))
            run.send(signal)
            let outcome = try await run.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            try await until { kill(process, 0) != 0 || PictureBench.isZombie(process) }
            #expect(!FileManager.default.fileExists(atPath: bin.appending(path: "ffmpeg.process").path))
            #expect(try Self.files(in: gallery.folder.appending(path: "scratch")).isEmpty)
        }
    }

    @Test func `a service's own sizes are taken, by no more requests than there are sizes`() async throws {
        let server = { @Sendable (request: LocalRequest) -> LocalReply in
            let edge = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return edge == 0 ? .status(404) : .file(Pictures.jpeg(width: edge, height: edge / 2))
        }
        try await withBuiltProduct { gallery in
            try await withLocalServer(server) { server in
                func file(_ edge: Int) -> String {
                    #"{"url":"\#(server.url("\(edge)").absoluteString)","width":\#(edge),"height":\#(edge / 2)}"#
                }
                let files = [100, 320, 500, 960, 1280, 2560, 6000]
                let photo = """
                    {"service":"commons","id":"1","title":"T","width":6000,"height":3000,"thumbnail":\(file(320)),\
                    "full":\(file(6000)),"renditions":[\(files.map(file).joined(separator: ","))]}
                    """
                let run = try await gallery.run(
                    ["web", "-", "-o", "site"], environment: ["PATH": "/nowhere"], input: Data(photo.utf8))
                #expect(run.status == 0 && !run.errors.contains("weigh"), "\(run.all)")
                #expect(server.requests.map(\.path).sorted() == ["/2560", "/500", "/960"])
                #expect(Self.widths(try Self.text(gallery, "site/index.html")) == ["500", "960", "2560"])
                let page = try Self.photoPage(gallery)
                #expect(
                    page.contains("width=\"2560\"")
                        && page.contains("href=\"\(server.url("6000").absoluteString)\""))
            }
        }
    }

    @Test func `what standard input says of a file is published only from the folder that is named`()
        async throws
    {
        try await withAlbum(converter: Self.works) { gallery, source, path, log in
            let secret = try PictureBench.file(
                Pictures.jpeg(width: 6000, height: 4000), "secret.jpg", in: gallery.folder)
            let link = gallery.home.appending(path: "album/link.jpg")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: secret)
            for file in [secret, link, secret.deletingLastPathComponent().appending(path: "none.jpg")] {
                let photo =
                    #"{"service":"folder","id":"a.jpg","title":"T","full":{"url":"\#(file.absoluteString)"}}"#
                for folder in [source, []] {
                    let run = try await gallery.run(
                        ["web", "-", "-o", "site", "--size", "none"] + folder, environment: path,
                        input: Data(photo.utf8))
                    #expect(run.status != 0 && run.errors.contains("is not in the folder"), "\(run.all)")
                    #expect(!FileManager.default.fileExists(atPath: log.path))
                }
            }
        }
    }

    // MARK: - Collages

    @Test func `a collage embeds pictures of about the size they have there`() async throws {
        try await withAlbum(["a.jpg", "b.jpg"], converter: Self.works) { gallery, source, path, log in
            for _ in 1...2 {
                let run = try await gallery.run(
                    ["collage", "1-2", "--limit", "2", "--width", "320", "-o", "c.svg"] + source,
                    environment: path)
                #expect(run.status == 0, "\(run.all)")
            }
            let picture = Pictures.jpeg(width: 320, height: 213).base64EncodedString()
            #expect(try Self.text(gallery, "c.svg").contains(picture))
            #expect(PictureBench.words(log).count == 2)
            // Two photos stand as large whether more would have fit or not.
            let fewer = try await gallery.run(
                ["collage", "1-2", "--width", "320", "-o", "d.svg"] + source, environment: path)
            #expect(fewer.status == 0, "\(fewer.all)")
            #expect(try Self.text(gallery, "d.svg") == Self.text(gallery, "c.svg"))
            for (selection, file) in [
                (["1-"], "e.svg"), (["--feed", "popular", "--min-width", "10"], "f.svg"),
            ] {
                let all = try await gallery.run(
                    ["collage", "--width", "320", "-o", file] + selection + source, environment: path)
                #expect(all.status == 0, "\(all.all)")
                #expect(try Self.text(gallery, file) == Self.text(gallery, "c.svg"))
            }
        }
    }

    @Test func `a collage has no file that tells of its place and cannot be converted`() async throws {
        try await withAlbum(["b.jpg"], converter: nil) { gallery, source, path, _ in
            let name = { (brand: String) in Data(brand.utf8) }
            var phone = try Fixture.data("pictures/phone.heic")
            for (brand, other) in [("heic", "avif"), ("hvc1", "lhv1")] {
                while let range = phone.firstRange(of: name(brand)) {
                    phone.replaceSubrange(range, with: name(other))
                }
            }
            try phone.write(to: gallery.home.appending(path: "album/a.avif"))
            let run = try await gallery.run(
                ["collage", "1-2", "--limit", "2", "-o", "c.svg"] + source, environment: path)
            #expect(run.status == 1, "\(run.all)")
            #expect(run.errors.contains("The metadata of its AVIF file cannot be removed."), "\(run.all)")
            let text = try Self.text(gallery, "c.svg")
            #expect(text.contains("data:image/jpeg") && !text.contains("data:image/avif"))
        }
    }

    @Test func `a collage is drawn by what is installed, or says what to install`() async throws {
        try await withAlbum(converter: Self.works) { gallery, source, path, log in
            let line = ["collage", "1", "--width", "320", "--format", "png", "-o", "c.png"] + source
            let missing = try await gallery.run(line, environment: path)
            #expect(
                missing.status == 66 && missing.errors.contains("\nHelp: Install rsvg-convert"),
                "\(missing.all)")
            let programs = log.deletingLastPathComponent()
            try Pictures.png(width: 320, height: 213).write(to: programs.appending(path: "drawn.png"))
            let script = """
                #!/bin/sh
                for word; do case $word in --output=*) out=${word#--output=};; esac; done
                PATH=/usr/bin:/bin; cp '\(programs.path)/drawn.png' "$out"
                """
            try await PictureBench.program("rsvg-convert", script, in: programs)
            let drawn = try await gallery.run(line, environment: path)
            #expect(drawn.status == 0 && drawn.lines == ["c.png"], "\(drawn.all)")
            let written = try Data(contentsOf: gallery.folder.appending(path: "c.png"))
            #expect(written == Pictures.png(width: 320, height: 213))
        }
    }

    @Test(
        .needs("rsvg-convert with a converter such as ImageMagick") { await drawsJPEG() })
    func `a collage may be a JPEG file, by programs that are installed`() async throws {
        try await withBuiltProduct { gallery in
            for format in ["png", "jpg"] {
                let run = try await gallery.run(
                    [
                        "collage", "1-3", "--limit", "3", "--width", "600", "--format", format, "-o",
                        "c.\(format)",
                    ])
                #expect(run.status == 0, "\(run.all)")
                let picture = try InspectedPicture(gallery.folder.appending(path: "c.\(format)"))
                #expect(picture.size.width == 600 && picture.type == (format == "png" ? .png : .jpeg))
            }
        }
    }

    private static func drawsJPEG() async -> Bool {
        guard await PictureConverter(ProcessInfo.processInfo.environment).isInstalled else { return false }
        return await PictureBench.has(SVGDrawing.helpers[0])
    }
}

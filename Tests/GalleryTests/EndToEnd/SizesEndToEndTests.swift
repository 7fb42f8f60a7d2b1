import Foundation
import GalleryTestSupport
import Testing

/// `--size` with pixels, by the built program: what comes, what it is called, and what it costs.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct SizesEndToEndTests {
    /// A server compatible with 500px, whose photos of 4000 × 3000 come in the sizes that lists name.
    private static func pixels(
        _ ids: [Int] = [3, 4, 1080, 1600, 2048],
        signature: @escaping @Sendable (LocalRequest) -> String = { _ in "" }
    ) -> LocalServer.Handler {
        { request in
            let root = request.serverURL.absoluteString
            func photo(_ id: Int) -> String {
                let images = ids.map { size in
                    #"{"size":\#(size),"url":"\#(root)/file/\#(id)/\#(size)\#(signature(request))"}"#
                }.joined(separator: ",")
                return #"{"id":\#(id),"name":"Sea","width":4000,"height":3000,"images":[\#(images)]}"#
            }
            let parts = request.path.split(separator: "/").map(String.init)
            switch parts.first {
            case "v1" where parts.count == 3: return .json(#"{"photo":\#(photo(Int(parts[2]) ?? 0))}"#)
            case "v1":
                let photos = (1...3).map(photo).joined(separator: ",")
                return .json(#"{"total_pages":1,"total_items":3,"photos":[\#(photos)]}"#)
            case "file":
                guard let id = Int(parts[1]), let size = Int(parts[2]) else { return .status(404) }
                return .file(picture(id, size))
            default: return .status(404)
            }
        }
    }

    /// The edges of the files by their ids; the one of 1600 is none, whatever the list says.
    private static let edges = [3: 280, 4: 900, 1080: 1080, 1600: 300, 2048: 2048]

    private static func picture(_ id: Int, _ size: Int) -> Data {
        let edge = edges[size] ?? size
        return Pictures.jpeg(
            bytes: 60_000 + id, seed: UInt64(size), width: edge, height: size == 3 ? edge : edge * 3 / 4)
    }

    private func objects(_ outcome: ProductOutcome) throws -> [[String: Any]] {
        try outcome.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func names(_ gallery: BuiltProduct) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
            .filter { $0.hasSuffix(".jpg") }.sorted()
    }

    @Test(arguments: [
        ("900", 4, 900, 675), ("901", 1080, 1080, 810), ("1", 4, 900, 675), ("2048", 2048, 2048, 1536),
        ("5000", 2048, 2048, 1536), ("full", 2048, 2048, 1536), ("thumbnail", 3, 280, 280),
        // The list says 1600 pixels; the file decides.
        ("1500", 1600, 300, 225),
    ])
    func `the smallest file with as many pixels comes, and what came is said`(
        size: String, id: Int, width: Int, height: Int
    ) async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, server, source in
            let line = ["fetch", "2", "--size", size, "--name", "{id}_{size}", "--format", "jsonl"] + source
            for status in ["fetched", "kept"] {
                let outcome = try await gallery.run(line)
                let object = try #require(try objects(outcome).first, "\(outcome.all)")
                #expect(object["status"] as? String == status)
                #expect(object["path"] as? String == "2_\(size).jpg")
                #expect(object["size"] as? String == size)
                #expect(object["width"] as? Int == width && object["height"] as? Int == height)
                #expect(object["bytes"] as? Int == 60_002)
            }
            #expect(
                try Data(contentsOf: gallery.folder.appending(path: "2_\(size).jpg")) == Self.picture(2, id))
            #expect(server.requests.map(\.path) == ["/v1/photos", "/file/2/\(id)"])
            let manifest = try String(
                contentsOf: gallery.folder.appending(path: ".gallery.jsonl"), encoding: .utf8)
            #expect(
                manifest.contains(#""size":"\#(size)","bytes":60002,"width":\#(width),"height":\#(height),"#),
                "\(manifest)")
        }
    }

    @Test(arguments: [
        ([String](), ["1_Sea.jpg", "1_Sea_1000.jpg", "1_Sea_2000.jpg", "1_Sea_thumbnail.jpg"]),
        (["--name", "{title}"], ["Sea.jpg", "Sea_1000.jpg", "Sea_2000.jpg", "Sea_thumbnail.jpg"]),
        (["--name", "{id}"], ["1.jpg", "1_1000.jpg", "1_2000.jpg", "1_thumbnail.jpg"]),
    ])
    func `sizes of one photo never take each other's place or name`(
        template: [String], expected: [String]
    ) async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, server, source in
            let sizes = ["full", "1000", "thumbnail", "2000"]
            for status in ["1 fetched, 0 kept", "0 fetched, 1 kept"] {
                for size in sizes {
                    let outcome = try await gallery.run(["fetch", "1", "--size", size] + template + source)
                    #expect(outcome.errors.hasPrefix(status), "\(size): \(outcome.all)")
                }
                #expect(try names(gallery) == expected)
            }
            #expect(server.requests.count { $0.path.hasPrefix("/file/") } == 4)
            for (size, id) in [("", 2048), ("_1000", 1080), ("_thumbnail", 3), ("_2000", 2048)] {
                let name = try #require(expected.first?.replacing(".jpg", with: "\(size).jpg"))
                #expect(
                    try Data(contentsOf: gallery.folder.appending(path: name)) == Self.picture(1, id),
                    "\(name)")
            }
        }
    }

    @Test func `a smaller size first leaves the plain name to itself, on every run`() async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, _, source in
            for status in ["1 fetched, 0 kept", "0 fetched, 1 kept"] {
                for size in ["1000", "full"] {
                    let outcome = try await gallery.run(
                        ["fetch", "1", "--size", size, "--name", "{id}"] + source)
                    #expect(outcome.errors.hasPrefix(status), "\(size): \(outcome.all)")
                }
                #expect(try names(gallery) == ["1.jpg", "1_full.jpg"])
            }
        }
    }

    @Test func `a picture that nobody recorded is not taken for one of some pixels`() async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, _, source in
            let own = Pictures.jpeg(bytes: 5_000)
            try own.write(to: gallery.folder.appending(path: "1.jpg"))
            let outcome = try await gallery.run(["fetch", "1", "--size", "900", "--name", "{id}"] + source)
            #expect(outcome.errors.hasPrefix("1 fetched, 0 kept"), "\(outcome.all)")
            #expect(try Data(contentsOf: gallery.folder.appending(path: "1.jpg")) == own)
            #expect(try names(gallery) == ["1.jpg", "1_1_900.jpg"])
            let again = try await gallery.run(["fetch", "1", "--size", "900", "--name", "{id}"] + source)
            #expect(again.errors.hasPrefix("0 fetched, 1 kept"), "\(again.all)")
        }
    }

    @Test func `what is new is new by its size`() async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, _, source in
            for option in [["--new", "-d", "new"], ["--archive", "had", "-d", "archive"]] {
                var counts: [Int] = []
                for size in ["900", "900", "full", "1000"] {
                    let outcome = try await gallery.run(["fetch", "1-2", "--size", size] + option + source)
                    counts.append(outcome.lines.count)
                }
                // Who has the full-size file has all of it.
                #expect(counts == [2, 0, 2, 0], "\(option)")
            }
        }
    }

    @Test(arguments: ["0", "-5", "1.5", "2048px", "huge", "", "none", "99999999999999999999"])
    func `what is no size is a usage error`(size: String) throws {
        let refusal = try #require(Refusal(of: ["fetch", "1", "--size=\(size)"]))
        #expect(refusal.status == 64 && refusal.message.contains("--size"), "\(refusal)")
    }

    // MARK: - Bad lists

    @Test(arguments: [
        // No pixels, an address twice under two sizes, no address, an unknown size, zero, text.
        (#"{"size":"","url":"ROOT/file/1/900"},{"size":4}"#, "/file/1/2048"),
        (#"{"size":2048,"url":"ROOT/file/1/2048"},{"size":1,"url":"ROOT/file/1/2048"}"#, "/file/1/2048"),
        (#"{"size":0,"url":"ROOT/file/1/4"},{"size":-4,"url":"ROOT/file/1/3"}"#, "/file/1/2048"),
        (#"{"size":1600,"url":"javascript:x"},{"size":1080,"url":"ROOT/file/1/1080"}"#, "/file/1/1080"),
        (#"{"size":1,"url":"ROOT/file/1/3"},{"size":200,"url":"ROOT/file/1/4"}"#, "/file/1/2048"),
    ])
    func `a list that is wrong about its files still gives one`(images: String, path: String) async throws {
        let answer: LocalServer.Handler = { request in
            guard request.path == "/v1/photos" else { return Self.pixels()(request) }
            let root = request.serverURL.absoluteString
            let files = images.replacing("ROOT", with: root) + #",{"size":2048,"url":"\#(root)/file/1/2048"}"#
            let photo = #"{"id":1,"name":"Sea","width":4000,"height":3000,"images":[\#(files)]}"#
            return .json(#"{"total_pages":1,"photos":[\#(photo)]}"#)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1", "--size", "1000"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(server.requests.map(\.path) == ["/v1/photos", path])
        }
    }

    @Test func `of a thousand files the right one is taken, and the list is marked and read back whole`()
        async throws
    {
        try await withGallery(of: "500px", at: "v1", Self.pixels(Array(1001...2000))) {
            gallery, server, source in
            let list = try await gallery.run(["popular", "--format", "jsonl"] + source)
            let listed = try objects(list)
            #expect((listed.first?["renditions"] as? [Any])?.count == 1000)
            let fetched = try await gallery.run(
                ["fetch", "-", "--size", "1234"] + source, input: list.outputData)
            #expect(fetched.lines.count == 3, "\(fetched.all)")
            #expect(server.requests.dropFirst().map(\.path).sorted() == (1...3).map { "/file/\($0)/1234" })
            #expect(try await gallery.run(["mark", "1"]).status == 0)
            let marked = try objects(try await gallery.run(["marked", "--format", "jsonl"]))
            #expect(
                marked.first?["renditions"] as? NSArray == listed.first?["renditions"] as? NSArray)
        }
    }

    // MARK: - Addresses that have gone

    @Test(arguments: ["900", "1080", "2048", "thumbnail", "full"])
    func `an address of any size that has gone is asked for anew`(size: String) async throws {
        let hasGone = Gate()
        let answer: LocalServer.Handler = { request in
            let isOld = hasGone.isOpen && request.query("s") != "new"
            if request.path.hasPrefix("/file/"), isOld { return .status(403) }
            return Self.pixels(signature: { _ in "?s=" + (hasGone.isOpen ? "new" : "old") })(request)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, server, source in
            let list = try await gallery.run(["popular", "--format", "jsonl"] + source)
            hasGone.open()
            let outcome = try await gallery.run(
                ["fetch", "-", "--size", size, "--name", "{id}"] + source,
                input: Data(try #require(list.lines.first).utf8))
            #expect(outcome.status == 0, "\(outcome.all)")
            let ids = ["900": 4, "thumbnail": 3, "full": 2048]
            let id = try #require(ids[size] ?? Int(size))
            #expect(
                server.requests.map(\.path) == [
                    "/v1/photos", "/file/1/\(id)", "/v1/photos/1", "/file/1/\(id)",
                ])
            #expect(try Data(contentsOf: gallery.folder.appending(path: "1.jpg")) == Self.picture(1, id))
        }
    }

    // MARK: - Files that are not there

    /// The same server, which answers so for the files of the ids `gone`.
    private static func lacking(_ gone: [Int], _ status: Int) -> LocalServer.Handler {
        { request in
            let parts = request.path.split(separator: "/").map(String.init)
            guard parts.first == "file", gone.contains(Int(parts[2]) ?? 0) else {
                return pixels([3, 4, 1080, 2048])(request)
            }
            return status == 200 ? .file(picture(1, 4).dropLast(20_000)) : .status(status)
        }
    }

    @Test(arguments: [
        ("1000", [1080], 404, 2048, 2048), ("1000", [1080, 2048], 410, 4, 900), ("900", [4], 200, 1080, 1080),
        ("thumbnail", [3], 404, 4, 900),
    ])
    func `where a file is not there, the next larger one comes, then the next smaller, and that is said`(
        size: String, gone: [Int], status: Int, id: Int, width: Int
    ) async throws {
        try await withGallery(of: "500px", at: "v1", Self.lacking(gone, status)) { gallery, server, source in
            let line = ["fetch", "2", "--size", size, "--name", "{id}", "--format", "jsonl", "-v"] + source
            let address = server.url("file/2/\(id)").absoluteString
            for status in ["fetched", "kept"] {
                let outcome = try await gallery.run(line)
                let object = try #require(try objects(outcome).first, "\(outcome.all)")
                #expect(object["status"] as? String == status && object["path"] as? String == "2.jpg")
                #expect(object["size"] as? String == size && object["width"] as? Int == width)
                #expect(object["url"] as? String == address, "\(outcome.all)")
                let told = "photo 2: \(address) came in place"
                #expect(outcome.errors.contains(told) == (status == "fetched"), "\(outcome.errors)")
            }
            #expect(try Data(contentsOf: gallery.folder.appending(path: "2.jpg")) == Self.picture(2, id))
            #expect(server.requests(to: "/file/2/\(id)").count == 1)
            let manifest = try String(
                contentsOf: gallery.folder.appending(path: ".gallery.jsonl"), encoding: .utf8)
            #expect(
                manifest.contains(#""size":"\#(size)""#) && manifest.contains(#""standIn":"\#(address)""#))
            #expect(try await gallery.run(["verify"]).status == 0)
            #expect(try await gallery.run(line + ["--new"]).output == "")
            // A file that was damaged comes again from where it came.
            try Data("x".utf8).write(to: gallery.folder.appending(path: "2.jpg"))
            let repaired = try await gallery.run(["verify", "--repair"] + source)
            #expect(repaired.status == 0, "\(repaired.all)")
            #expect(try Data(contentsOf: gallery.folder.appending(path: "2.jpg")) == Self.picture(2, id))
        }
    }

    @Test func `a full-size file is replaced by none, and what has no file left fails as the first did`()
        async throws
    {
        try await withGallery(of: "500px", at: "v1", Self.lacking([4, 1080, 2048], 404)) {
            gallery, server, source in
            for (size, requests) in [("full", 1), ("900", 4)] {
                let outcome = try await gallery.run(["fetch", "1", "--size", size] + source)
                #expect(outcome.status == 66 && outcome.errors.contains("with status 404"), "\(outcome.all)")
                #expect(server.requests.count { $0.path.hasPrefix("/file/") } == requests)
            }
        }
    }

    @Test func `a page and a collage are made of what is there`() async throws {
        try await withGallery(of: "500px", at: "v1", Self.lacking([4, 1080], 404)) {
            gallery, server, source in
            for line in [
                ["web", "1", "-o", "page", "--size", "1000"],
                ["collage", "1", "-o", "c.svg", "--width", "900"],
            ] {
                let outcome = try await gallery.run(line + ["-v"] + source)
                #expect(outcome.status == 0, "\(outcome.all)")
                #expect(outcome.errors.contains("file/1/2048 came in place"), "\(outcome.errors)")
            }
        }
    }

    // MARK: - Dry runs

    @Test func `a dry run says pixels, bytes, and the sum`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let album = gallery.folder.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            for (number, bytes) in [1_500_000, 700_000, 800_000].enumerated() {
                try Pictures.jpeg(bytes: bytes, seed: UInt64(number), width: 1200, height: 800)
                    .write(to: album.appending(path: "\(number).jpg"))
            }
            let line = [
                "fetch", "1-3", "--folder", "album", "-s", "folder", "-d", "out", "--name", "{title}",
            ]
            let source = line + ["--ranking", "name", "--feed", "popular"]
            let plan = try await gallery.run(source + ["--dry-run"])
            #expect(
                plan.lines.map { $0.split(separator: "\t").suffix(2) } == [
                    ["1200×800", "1.5 MB"], ["1200×800", "700 KB"], ["1200×800", "800 KB"],
                ], "\(plan.all)")
            #expect(plan.errors == "3 files, about 3 MB\n")
            _ = try await gallery.run(source + ["--limit", "1"])
            let rest = try await gallery.run(source + ["--dry-run"])
            #expect(rest.errors == "2 files, about 1.5 MB, 1 kept\n", "\(rest.all)")
            let json = try objects(
                try await gallery.run(source + ["--dry-run", "--format", "jsonl", "-q"]))
            #expect(json.map { $0["bytes"] as? Int } == [1_500_000, 700_000, 800_000])
            #expect(json.map { $0["width"] as? Int } == [1200, 1200, 1200])
            #expect(json.map { $0["size"] as? String } == ["full", "full", "full"])
        }
    }

    @Test func `a dry run in pixels says which files they are`() async throws {
        try await withGallery(of: "500px", at: "v1", Self.pixels()) { gallery, server, source in
            let plan = try await gallery.run(["fetch", "1-2", "--size", "1000", "--dry-run"] + source)
            #expect(
                plan.lines
                    == (1...2).map {
                        "\($0)_Sea_1000\t\(server.url("file/\($0)/1080").absoluteString)\t1080×810"
                    }, "\(plan.all)")
            #expect(plan.errors == "")
            #expect(server.requests.count == 1)
        }
    }

    // MARK: - Services

    /// A wiki with originals of 6000 × 4000, on a host that serves the widths of Wikimedia and no other.
    private static let wiki: LocalServer.Handler = { request in
        let root = request.serverURL.absoluteString
        let parts = request.path.split(separator: "/").map(String.init)
        if parts.first == "thumb" {
            let widths = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840]
            let width = parts.last?.split(separator: "p").first.flatMap { Int($0) } ?? 0
            guard widths.contains(width) else { return .status(429) }
            return .file(Pictures.jpeg(bytes: 60_000, seed: 1, width: width, height: width * 2 / 3))
        }
        if parts.first == "original" { return .status(500) }
        let pages = (1...3).map { id in
            """
            {"pageid":\(id),"title":"File:Sea \(id).jpg","imageinfo":[{"url":"\(root)/original/\(id).jpg",
            "mime":"image/jpeg","width":6000,"height":4000,"size":20000000,"thumbwidth":330,"thumbheight":220,
            "thumburl":"\(root)/thumb/\(id)/Sea%20\(id).jpg/330px-Sea%20\(id).jpg?utm_content=thumbnail"}]}
            """
        }
        return .json(#"{"batchcomplete":true,"query":{"pages":[\#(pages.joined(separator: ","))]}}"#)
    }

    @Test(arguments: [("1000", 1280), ("1920", 1920), ("300", 330), ("3000", 3840)])
    func `Commons: a width that Wikimedia serves, and the original is left alone`(
        size: String, width: Int
    ) async throws {
        try await withGallery(of: "commons", at: "w/api.php", Self.wiki) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-3", "--size", size, "--name", "{id}"] + source)
            #expect(outcome.lines == ["1.jpg", "2.jpg", "3.jpg"], "\(outcome.all)")
            let files = (1...3).map { "/thumb/\($0)/Sea%20\($0).jpg/\(width)px-Sea%20\($0).jpg" }
            #expect(
                server.requests.dropFirst().map(\.target).sorted()
                    == files.map { $0 + "?utm_content=thumbnail" })
            let plan = try await gallery.run(["fetch", "1-3", "--dry-run", "-d", "x"] + source)
            #expect(plan.errors == "3 files, about 60 MB\n", "\(plan.all)")
        }
    }

    /// A site like pixiv with a work of one page and one of two.
    private static let works: LocalServer.Handler = { request in
        let root = request.serverURL.absoluteString
        func small(_ name: String) -> String { "\(root)/c/240x480/img-master/img/\(name)_p0_master1200.jpg" }
        func urls(_ name: String) -> String {
            """
            {"urls":{"small":"\(root)/c/540x540_70/img-master/img/\(name)_master1200.jpg",
            "regular":"\(root)/img-master/img/\(name)_master1200.jpg",
            "original":"\(root)/img-original/img/\(name).jpg"},"width":3000,"height":2000}
            """
        }
        let path = request.path
        if path == "/ranking.php" {
            let works = [(7, 1), (8, 2)].map { id, pages in
                #"{"illust_id":\#(id),"title":"Sea","url":"\#(small("\(id)"))","illust_page_count":"\#(pages)","width":3000,"height":2000,"tags":[]}"#
            }
            return .json(#"{"contents":[\#(works.joined(separator: ","))],"next":false,"rank_total":2}"#)
        }
        if path == "/ajax/illust/7" || path == "/ajax/illust/8" {
            let id = String(path.suffix(1))
            let body = #"{"id":"\#(id)","title":"Sea","pageCount":\#(id == "7" ? 1 : 2),"#
            return .json(#"{"error":false,"body":\#(body)\#(urls("\(id)_p0").dropFirst())}"#)
        }
        if path.hasSuffix("/pages") {
            return .json(#"{"error":false,"body":[\#(urls("8_p0")),\#(urls("8_p1"))]}"#)
        }
        return .file(Pictures.jpeg(bytes: 60_000, seed: UInt64(path.utf8.reduce(0) { $0 + Int($1) })))
    }

    @Test func `pixiv: a list names 1200 pixels, and every page has its own`() async throws {
        try await withGallery(of: "pixiv", at: "", Self.works) { gallery, server, source in
            let one = try await gallery.run(["fetch", "1", "--size", "1000"] + source)
            #expect(one.lines == ["7_Sea_1000.jpg"], "\(one.all)")
            #expect(server.requests.map(\.path) == ["/ranking.php", "/img-master/img/7_p0_master1200.jpg"])
            let line = ["fetch", "2", "--size", "1000"] + source
            let two = try await gallery.run(line)
            #expect(two.lines == ["8_Sea_1000_p0.jpg", "8_Sea_1000_p1.jpg"], "\(two.all)")
            #expect(
                Set(server.requests.dropFirst(2).map(\.path)) == [
                    "/ajax/illust/8", "/ajax/illust/8/pages", "/img-master/img/8_p0_master1200.jpg",
                    "/img-master/img/8_p1_master1200.jpg",
                ])
            // What is there is asked nothing.
            let count = server.requests.count
            let again = try await gallery.run(line)
            #expect(again.errors.hasPrefix("0 fetched, 2 kept"), "\(again.all)")
            #expect(server.requests.count == count)
            let large = try await gallery.run(
                ["fetch", "2", "--size", "2000", "--name", "{id}_{page}"] + source)
            #expect(large.lines == ["8_0.jpg", "8_1.jpg"], "\(large.all)")
            #expect(
                server.requests.suffix(2).map(\.path).sorted()
                    == (0...1).map { "/img-original/img/8_p\($0).jpg" })
        }
    }
}

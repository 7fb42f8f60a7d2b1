import Foundation
import GalleryTestSupport
import Testing

/// Photos given to the built program by the addresses that people have.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct AddressEndToEndTests {
    @Test(arguments: [
        "https://commons.wikimedia.org/wiki/File:Picture_7.jpg?uselang=de#mw-jump",
        "upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Picture_7.jpg/330px-Picture_7.jpg",
    ])
    func `a file has many addresses and is one photo`(address: String) async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, _, source in
            let outcome = try await gallery.runWell(["fetch", address] + source)
            #expect(outcome.lines == ["7_Picture 7.jpg"])
        }
    }

    @Test(arguments: [
        ("flickr.com/photos/nasa/favorites/", "gallery favorites nasa -s flickr"),
        ("https://www.flickr.com/search/?text=red%20sea", "gallery search \"red sea\" -s flickr"),
        (
            "https://commons.wikimedia.org/wiki/Category:Red_$ea",
            #"gallery search "Category:Red \$ea" -s commons"#
        ),
    ])
    func `a page of many photos says which command lists it`(address: String, command: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            for line in [["show", address], ["fetch", "1", address]] {
                let outcome = try await gallery.run(line, expecting: 64)
                #expect(outcome.errors.contains("is not one photo.\n"))
                #expect(
                    outcome.errors.hasSuffix("Help: List its photos with '\(command)'.\n"),
                    "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: [
        ("https://www.flickr.com/photos/nasa/sets/1", "flickr", "nasa"),
        ("500px.com/p/ada/galleries/sea", "500px", "ada"),
    ])
    func `an album is said not to be listed`(address: String, service: String, author: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["fetch", address], expecting: 64)
            #expect(outcome.errors.contains("' is an album, and albums of \(service) cannot be listed.\n"))
            #expect(
                outcome.errors.hasSuffix(
                    "Help: List its author's photos with 'gallery user \(author) -s \(service)'.\n"),
                "\(outcome.errors)")
        }
    }

    /// A feed of so many photos.
    private func withFeed(
        of count: Int,
        _ body: (_ gallery: BuiltProduct, _ address: String, _ source: [String]) async throws -> Void
    ) async throws {
        let items = (1...count).map { "<item><title>Sea \($0)</title><enclosure url='/\($0).jpg'/></item>" }
        let answer: LocalServer.Handler = { request in
            request.path == "/feed"
                ? .html("<rss>\(items.joined())</rss>")
                : .body(Pictures.jpeg(bytes: 4000), contentType: "image/jpeg")
        }
        try await withGallery(of: "feed", at: "feed", answer) { gallery, server, source in
            try await body(gallery, server.url("feed").absoluteString, source)
        }
    }

    @Test func `a feed's address is all of its photos, or those at the indexes after it`() async throws {
        try await withFeed(of: 3) { gallery, address, _ in
            let all = try await gallery.runWell(["fetch", address, "--name", "{title}"])
            #expect(all.lines == ["Sea 1.jpg", "Sea 2.jpg", "Sea 3.jpg"])
            let some = try await gallery.runWell(["show", address, "2-3", "--format", "jsonl"])
            #expect(some.lines.count == 2)
            #expect(some.lines.first?.contains(#""index":2,"service":"feed""#) == true)
        }
    }

    // The list remembers its address, and marks hold all that a feed says.
    @Test func `photos of a feed are fetched by index, and by mark, without its address`() async throws {
        try await withFeed(of: 1) { gallery, _, source in
            for line in [["popular"] + source, ["show", "1"], ["mark", "1"], ["fetch", "1", "-d", "a"]] {
                try await gallery.runWell(line)
            }
            _ = try await gallery.run(["popular", "-s", "sample"])
            let marked = try await gallery.runWell(["fetch", "1", "--feed", "marked", "-d", "b"])
            #expect(marked.lines.count == 1)
        }
    }

    @Test(arguments: [
        ("gone.xml", 66, "Error: feed has no feed at '/gone.xml'.\n"),
        ("page.xml", 65, "Error: feed sent 'the answer' as '<html><p>Hello' instead of a feed.\n"),
        ("manifest.json", 65, "Error: iiif sent something other than JSON, beginning '<html><p>Hello'.\n"),
    ])
    func `an address that holds something else is told as it is`(
        path: String, status: Int32, line: String
    ) async throws {
        let answer: LocalServer.Handler = { $0.path == "/gone.xml" ? .status(404) : .html("<html><p>Hello") }
        try await withGallery(of: "feed", at: path, answer) { gallery, server, _ in
            let outcome = try await gallery.run(
                ["fetch", server.url(path).absoluteString], expecting: status)
            #expect(outcome.errors.hasPrefix(line), "\(outcome.errors)")
            #expect(!outcome.errors.contains("--base-url"))
        }
    }

    @Test func `a base URL alone is that of the page's service`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, _ in
            let base = ["--base-url", server.url("v1").absoluteString]
            for environment in [[:], ["GALLERY_SERVICE": "commons"]] {
                let outcome = try await gallery.runWell(
                    ["show", "https://500px.com/photo/2/x", "--format", "jsonl", "--refresh"] + base,
                    environment: environment)
                #expect(outcome.output.contains(#""service":"500px","id":"2""#))
                #expect(server.requests.last?.path == "/v1/photos/2")
            }
            try await gallery.run(
                ["show", "https://500px.com/photo/2", "-s", "flickr"] + base, expecting: 64)
        }
    }

    @Test func `standard input takes addresses, one a line, among JSON`() async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, server, source in
            let input = Data(
                """
                https://commons.wikimedia.org/wiki/File:Picture_50.jpg
                {"service":"commons","id":"49"}

                \u{20} upload.wikimedia.org/wikipedia/commons/a/ab/Picture_7.jpg \u{20}
                a line
                https://www.flickr.com/photos/nasa/
                https://example.com/photos/1
                commons.wikimedia.org/wiki/File:Picture_50.jpg
                """.utf8)
            let outcome = try await gallery.run(["fetch", "-"] + source, input: input, expecting: 1)
            #expect(
                outcome.lines.sorted() == ["49_Picture 49.jpg", "50_Picture 50.jpg", "7_Picture 7.jpg"])
            #expect(server.requests(to: "/files/50").count == 1)
            for error in [
                "Error: Line 5 of standard input is not a photo.",
                "Error: line 6: 'https://www.flickr.com/photos/nasa/' is not one photo.",
                "Error: line 7: 'https://example.com/photos/1' is not a photo's page on a known service.",
                "Help: List its photos with 'gallery user nasa -s flickr'.",
            ] {
                #expect(outcome.errors.contains(error + "\n"), "\(outcome.errors)")
            }
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program against a 500px-style server on a real socket.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct ServiceEndToEndTests {
    @Test func `popular lists what the server answers`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            let outcome = try await gallery.run(
                ["popular"] + source + ["--per-page", "5", "--page", "2", "--format", "jsonl"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.lines.count == 5)
            #expect(outcome.lines[0].hasPrefix(#"{"index":6,"service":"500px","id":"6","title":"Photo 6""#))
            #expect(
                server.requests.map(\.target) == [
                    "/v1/photos?feature=popular&page=2&rpp=5&image_size=3,30,20,31,21,4,1080,5,6,1600,2048&tags=1"
                ])
        }
    }

    @Test func `index 450 costs one list request`() async throws {
        try await withGallery(PixelServer(count: 1_000)) { gallery, server, source in
            let outcome = try await gallery.run(
                ["popular", "--range", "450-450", "--format", "url"] + source)
            #expect(outcome.lines == [server.url("full/450").absoluteString + "?sig=abc%3D"])
            #expect(server.requests.count == 1)
        }
    }

    @Test func `fetch writes what the server serves with one list request and no more`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "2", "4"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            for id in [2, 4] {
                let file = try Data(contentsOf: gallery.folder.appending(path: "\(id)_Photo \(id).jpg"))
                #expect(file == PixelServer.picture(id))
            }
            #expect(server.requests.filter { $0.path.hasPrefix("/v1") }.count == 1)
        }
    }

    @Test func `where lists lack full sizes, two photos cost one list and one details request`() async throws
    {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-2"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                server.requests.filter { $0.path.hasPrefix("/v1") }.map(\.target) == [
                    "/v1/photos?feature=popular&page=1&rpp=20&image_size=3,30,20,31,21,4,1080,5,6,1600,2048&tags=1",
                    "/v1/photos?ids=1,2&image_size=3,30,20,31,21,4,1080,5,6,1600,2048&tags=1",
                ])
            #expect(
                try Data(contentsOf: gallery.folder.appending(path: "2_Photo 2.jpg"))
                    == PixelServer.picture(2))
        }
    }

    @Test func `a server without the batch is asked for each`() async throws {
        try await withGallery(PixelServer(listsFullSizes: false, hasBatch: false)) {
            gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-3"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(server.requests.filter { $0.path.hasPrefix("/v1/photos/") }.count == 3)
        }
    }

    @Test func `thumbnails need no details`() async throws {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "3", "--size", "thumbnail"] + source)
            #expect(
                try Data(contentsOf: gallery.folder.appending(path: "3_Photo 3_thumbnail.jpg"))
                    == PixelServer.thumbnail(3))
            #expect(outcome.status == 0)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `an index means what was shown, even where the ranking has moved`() async throws {
        let moved = Counter()
        let server = PixelServer(title: { moved.value > 0 ? "Moved \($0)" : "Photo \($0)" })
        try await withGallery(server) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            moved.increment()
            let outcome = try await gallery.run(["fetch", "5"])
            #expect(outcome.lines == ["5_Photo 5.jpg"], "\(outcome.all)")
            #expect(server.requests.filter { $0.path == "/v1/photos" }.count == 1)
        }
    }

    @Test func `show prints one object with its details`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            let outcome = try await gallery.run(["show", "7", "--format", "json"] + source)
            let object = try #require(
                try JSONSerialization.jsonObject(with: outcome.outputData) as? [String: Any])
            #expect(object["title"] as? String == "Photo 7")
            #expect((object["details"] as? [String: Any])?.keys.contains("camera") == true)
            #expect(server.requests.last?.path == "/v1/photos/7")
        }
    }

    @Test func `a title cannot reach the terminal's controls`() async throws {
        let server = PixelServer(title: { _ in #"evil\u001b]0;owned\u0007\u009b31m\u202egpj"# })
        try await withGallery(server) { gallery, _, source in
            for arguments in [
                ["popular"], ["show", "1"], ["popular", "--format", "csv"], ["popular", "--format", "json"],
                ["fetch", "1"],
            ] {
                let outcome = try await gallery.run(arguments + source + ["-v"])
                let all = (outcome.output + outcome.errors).unicodeScalars
                #expect(outcome.status == 0)
                #expect(
                    !all.contains { ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"].contains($0) }, "\(outcome.all)"
                )
            }
        }
    }

    // MARK: - Faults

    @Test(arguments: [
        ("{\"photos\":[{\"id\":null,\"name\":\"a\"}]}", "Error: 500px sent 'photos[0].id' as null.\n"),
        (
            "{\"photos\":[{\"id\":1,",
            "Error: 500px sent something other than JSON, beginning '{\"photos\":[{\"id\":1,'.\n"
        ),
        (
            "<html>login</html>",
            "Error: 500px sent something other than JSON, beginning '<html>login</html>'.\n"
        ),
        ("", "Error: 500px sent an empty answer.\n"),
        ("[]", "Error: 500px sent 'the answer' as a list instead of an object.\n"),
        (String(repeating: "[", count: 100_000), ""),
        ("{\"photos\":[{\"id\":true,\"name\":{}}]}", ""),
    ])
    func `an answer that cannot be understood is status 65`(body: String, errors: String) async throws {
        try await withGallery(PixelServer(fault: { _ in .json(body) })) { gallery, _, source in
            let outcome = try await gallery.run(["popular"] + source)
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.output.isEmpty)
            #expect(errors.isEmpty || outcome.errors.hasPrefix(errors), "\(outcome.errors)")
        }
    }

    @Test func `a key that is missing or refused is status 77 and names the variable`() async throws {
        let refusal = LocalReply.json(#"{"error":"Consumer key missing.","status":401}"#, status: 401)
        try await withGallery(PixelServer(fault: { _ in refusal })) { gallery, server, source in
            for (key, help) in [
                (nil, "Help: Set GALLERY_500PX_KEY"),
                ("hush-hush", "Help: Check the key in GALLERY_500PX_KEY."),
            ] {
                let environment = key.map { ["GALLERY_500PX_KEY": $0] } ?? [:]
                let outcome = try await gallery.run(["popular", "-v"] + source, environment: environment)
                #expect(outcome.status == 77)
                #expect(outcome.errors.contains(help), "\(outcome.errors)")
                #expect(!outcome.errors.contains("hush-hush"))
            }
            #expect(server.requests.last?.query("consumer_key") == "hush-hush")
        }
    }

    @Test func `nobody listening is status 69`() async throws {
        let port = try refusingPort()
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run([
                "popular", "-s", "500px", "--base-url", "http://127.0.0.1:\(port)/v1", "--retries", "0",
            ])
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("127.0.0.1"))
        }
    }

    @Test(arguments: [
        ("HTML", LocalReply.html("<html>Please sign in</html>"), 65),
        ("an empty body", .body(Data(), contentType: "image/jpeg"), 65),
        (
            "HTML that says it is a picture", .body(Data("<!DOCTYPE html>".utf8), contentType: "image/jpeg"),
            65
        ),
        ("404", .status(404), 66), ("403", .status(403), 69), ("500", .status(500), 69),
        ("a cut body", .file(PixelServer.picture(1), tag: nil).cut(at: .half), 69),
        (
            "a cut-off picture of the right length",
            .body(PixelServer.picture(1).prefix(30_000), contentType: "image/jpeg"), 65
        ),
    ])
    func `what is no picture leaves no file under its name`(fault: String, reply: LocalReply, status: Int32)
        async throws
    {
        let pixels = PixelServer(fault: { $0.path == "/full/1" ? reply : nil })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "1", "--retries", "0"] + source)
            #expect(outcome.status == status, "\(fault): \(outcome.all)")
            #expect(outcome.output.isEmpty)
            let names = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
            #expect(!names.contains { $0.hasSuffix(".jpg") || $0.hasSuffix(".html") }, "\(names)")
        }
    }

    @Test func `one that fails does not stop the others`() async throws {
        let pixels = PixelServer(fault: { $0.path == "/full/2" ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "1-3"] + source)
            #expect(outcome.status == 1)
            #expect(outcome.lines == ["1_Photo 1.jpg", "3_Photo 3.jpg"])
            #expect(
                outcome.errors.contains("Error: photo 2: '127.0.0.1' answered with status 404."),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("2 fetched, 0 kept, 1 failed"))
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program against a 500px-style server on a real socket.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct ServiceEndToEndTests {
    @Test func `thumbnails need no details`() async throws {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "3", "--size", "thumbnail"] + source)
            #expect(try gallery.data("3_Photo 3_thumbnail.jpg") == PixelServer.thumbnail(3))
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

    @Test func `a key that is missing or refused is status 77 and names the variable`() async throws {
        let refusal = LocalReply.json(#"{"error":"Consumer key missing.","status":401}"#, status: 401)
        try await withGallery(PixelServer(fault: { _ in refusal })) { gallery, server, source in
            for (key, help) in [
                (nil, "Help: Set GALLERY_500PX_KEY"),
                ("hush-hush", "Help: Check the key in GALLERY_500PX_KEY."),
            ] {
                let environment = key.map { ["GALLERY_500PX_KEY": $0] } ?? [:]
                let outcome = try await gallery.run(
                    ["popular", "-v"] + source, environment: environment, expecting: 77)
                #expect(outcome.errors.contains(help), "\(outcome.errors)")
                #expect(!outcome.errors.contains("hush-hush"))
            }
            #expect(server.requests.last?.query("consumer_key") == "hush-hush")
        }
    }

    @Test func `what is no picture leaves no file under its name`() async throws {
        // What comes in the place of each photo.
        let replies: [LocalReply] = [
            .html("<html>Please sign in</html>"), .status(404), .status(403),
            .body(Data(), contentType: "image/jpeg"),
            .body(Data("<!DOCTYPE html>".utf8), contentType: "image/jpeg"),
            .status(500), .file(PixelServer.picture(1), tag: nil).cut(at: .half),
            // A cut-off picture of the right length.
            .body(PixelServer.picture(1).prefix(30_000), contentType: "image/jpeg"),
        ]
        let pixels = PixelServer(fault: { request in
            request.path.hasPrefix("/full/") ? Int(request.path.dropFirst(6)).map { replies[$0 - 1] } : nil
        })
        try await withGallery(pixels) { gallery, _, source in
            for (selection, status) in [("1-8", 1), ("1", 65), ("2", 66), ("3", 69)] {
                let outcome = try await gallery.run(["fetch", selection, "--retries", "0"] + source)
                #expect(outcome.status == Int32(status) && outcome.output.isEmpty, "\(outcome.all)")
                #expect(try !gallery.names().contains { $0.hasSuffix(".jpg") || $0.hasSuffix(".html") })
            }
        }
    }
}

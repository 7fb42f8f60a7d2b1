import Foundation
import GalleryTestSupport
import Testing

/// The built program and services that the configuration names.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct ConfiguredServiceTests {
    private func configure(_ gallery: BuiltProduct, _ json: String) throws {
        let file = gallery.home.appending(path: ".config/gallery/config.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(json.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private func withClub(
        key: String = #","key":"hush-club""#, _ body: (BuiltProduct, LocalServer) async throws -> Void
    ) async throws {
        let pixels = PixelServer()
        try await withLocalServer({ pixels.reply(to: $0) }) { server in
            try await withBuiltProduct("gallery") { gallery in
                let base = server.url("v1").absoluteString
                try configure(
                    gallery, #"{"services":{"club":{"like":"500px","baseURL":"\#(base)"\#(key)}}}"#)
                try await body(gallery, server)
            }
        }
    }

    @Test func `a service of the configuration works as any other`() async throws {
        try await withClub { gallery, server in
            let listed = try await gallery.run(["popular", "-s", "club", "--format", "jsonl"])
            #expect(listed.status == 0, "\(listed.all)")
            #expect(listed.lines.count == 12)
            #expect(listed.lines.allSatisfy { $0.contains(#""service":"club""#) })
            // Indexes are those of the list shown last, whose service is remembered.
            let fetched = try await gallery.run(["fetch", "2"])
            #expect(fetched.lines == ["2_Photo 2.jpg"], "\(fetched.all)")
            let again = try await gallery.run(["fetch", "2"])
            #expect(again.errors.hasPrefix("0 fetched, 1 kept"))
            try Data("broken".utf8).write(to: gallery.folder.appending(path: "2_Photo 2.jpg"))
            let repaired = try await gallery.run(["verify", "--repair"])
            #expect(repaired.status == 0, "\(repaired.all)")
            #expect(
                try Data(contentsOf: gallery.folder.appending(path: "2_Photo 2.jpg"))
                    == PixelServer.picture(2))
            // A page of 500px is the club's where the line names the club.
            let shown = try await gallery.run(
                ["show", "https://500px.com/photo/7/a", "-s", "club", "--format", "json"])
            #expect(shown.output.contains(#""service":"club","id":"7""#), "\(shown.all)")
            let requests = server.requests.filter { $0.path.hasPrefix("/v1/") }
            #expect(requests.allSatisfy { $0.query("consumer_key") == "hush-club" })
            for outcome in [listed, fetched, repaired, shown] { #expect(!outcome.all.contains("hush-club")) }
        }
    }

    @Test func `another service's key is not sent to it`() async throws {
        try await withClub(key: "") { gallery, server in
            let listed = try await gallery.run(
                ["popular"], environment: ["GALLERY_SERVICE": "club", "GALLERY_500PX_KEY": "hush-500px"])
            #expect(listed.status == 0, "\(listed.all)")
            #expect(server.requests.allSatisfy { $0.query("consumer_key") == nil })
        }
    }

    @Test func `services lists it, and the file may make it the default`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try configure(
                gallery,
                #"{"service":"mine","services":{"mine":{"like":"flickr","key":"hush"},"club":{"like":"500px","baseURL":"https://a.example/v1"}}}"#
            )
            let listed = try await gallery.run(["services"])
            #expect(
                listed.output.contains(
                    """
                    mine  (the default, set in the configuration file)
                        Like flickr, at its own address.
                        Feeds: popular, search, user, favorites
                        Its key is set in the configuration file.
                    """), "\(listed.all)")
            #expect(listed.output.contains("    Like 500px, at https://a.example/v1.\n"))
            #expect(!listed.all.contains("hush"))
            let unknown = try await gallery.run(["popular", "-s", "other"])
            #expect(unknown.status == 64)
            let feed = try await gallery.run(["favorites", "me", "-s", "club"])
            #expect(feed.status == 64)
            #expect(feed.errors.contains("Known: flickr, pixiv, mine."), "\(feed.all)")
        }
    }

    @Test(arguments: [
        (#"{"club":{"baseURL":"https://a.example"}}"#, "'services.club.like' is not one of 500px, flickr"),
        (#"{"club":{"like":"folder"}}"#, "'services.club.like' is not one of 500px, flickr"),
        (#"{"club":{"like":"500px","baseURL":"ftp://a"}}"#, "'services.club.baseURL' is not an 'http://'"),
        (
            #"{"club":{"like":"500px","kee":"a"}}"#,
            "'services.club.kee' is unknown; known are like, baseURL, key"
        ),
        (#"{"flickr":{"like":"500px"}}"#, "'services.flickr' is not a new name"),
        (#"{"a/b":{"like":"500px"}}"#, "'services.a/b' is not a new name"),
        (#"{"club":7}"#, "'services' is not an object of objects of strings"),
        ("7", "'services' is not an object of objects of strings"),
    ])
    func `what cannot be used is status 78 and named`(services: String, problem: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try configure(gallery, #"{"services":\#(services)}"#)
            let outcome = try await gallery.run(["popular", "-s", "club"])
            #expect(outcome.status == 78, "\(outcome.all)")
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and services that the configuration names.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct ConfiguredServiceTests {
    private func withClub(
        key: String = #","key":"hush-club""#, _ body: (BuiltProduct, LocalServer) async throws -> Void
    ) async throws {
        let pixels = PixelServer()
        try await withLocalServer({ pixels.reply(to: $0) }) { server in
            try await withBuiltProduct("gallery") { gallery in
                let base = server.url("v1").absoluteString
                try gallery.configure(#"{"services":{"club":{"like":"500px","baseURL":"\#(base)"\#(key)}}}"#)
                try await body(gallery, server)
            }
        }
    }

    @Test func `a service of the configuration works as any other`() async throws {
        try await withClub { gallery, server in
            let listed = try await gallery.runWell(["popular", "-s", "club", "--format", "jsonl"])
            #expect(listed.lines.count == 12)
            #expect(listed.lines.allSatisfy { $0.contains(#""service":"club""#) })
            // Indexes are those of the list shown last, whose service is remembered.
            let fetched = try await gallery.run(["fetch", "2"])
            #expect(fetched.lines == ["2_Photo 2.jpg"], "\(fetched.all)")
            let again = try await gallery.run(["fetch", "2"])
            #expect(again.errors.hasPrefix("0 fetched, 1 kept"))
            try Data("broken".utf8).write(to: gallery.folder.appending(path: "2_Photo 2.jpg"))
            let repaired = try await gallery.runWell(["verify", "--repair"])
            #expect(try gallery.data("2_Photo 2.jpg") == PixelServer.picture(2))
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
            try await gallery.runWell(
                ["popular"], environment: ["GALLERY_SERVICE": "club", "GALLERY_500PX_KEY": "hush-500px"])
            #expect(server.requests.allSatisfy { $0.query("consumer_key") == nil })
        }
    }

    @Test func `services lists it, and the file may make it the default`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(
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
            try await gallery.run(["popular", "-s", "other"], expecting: 64)
            let feed = try await gallery.run(["favorites", "me", "-s", "club"], expecting: 64)
            #expect(feed.errors.contains("Known: flickr, pixiv, mine."), "\(feed.all)")
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and servers that stand in for a service: where a file came from is remembered.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct MirrorEndToEndTests {
    @Test func `a repair asks the servers that the files came from`() async throws {
        try await withLocalServer({ PixelServer(count: 3).reply(to: $0) }) { other in
            try await withGallery(PixelServer(count: 3)) { gallery, server, source in
                _ = try await gallery.run(["fetch", "1"] + source)
                _ = try await gallery.run([
                    "fetch", "2", "-s", "500px", "--base-url", other.url("v1").absoluteString,
                ])
                _ = try await gallery.run(["fetch", "1", "-s", "sample"])
                for name in ["1_Photo 1.jpg", "2_Photo 2.jpg", "1001_Eileen Collins.jpg"] {
                    try gallery.remove(name)
                }
                let (asked, otherAsked) = (server.requests.count, other.requests.count)
                let outcome = try await gallery.runWell(["verify", "--repair"])
                #expect(outcome.errors.contains("3 fetched, 0 kept, 0 failed"), "\(outcome.errors)")
                #expect(server.requests.dropFirst(asked).map(\.path) == ["/v1/photos/1", "/full/1"])
                #expect(other.requests.dropFirst(otherAsked).map(\.path) == ["/v1/photos/2", "/full/2"])
                // And still knows where.
                try gallery.remove("1_Photo 1.jpg")
                #expect(try await gallery.run(["verify", "--repair"]).status == 0)
            }
        }
    }

    @Test func `the line's address goes before the record's`() async throws {
        try await withLocalServer({ PixelServer(count: 3).reply(to: $0) }) { other in
            try await withGallery(PixelServer(count: 3)) { gallery, server, source in
                _ = try await gallery.run(["fetch", "1"] + source)
                try gallery.remove("1_Photo 1.jpg")
                try await gallery.runWell([
                    "verify", "--repair", "-s", "500px", "--base-url", other.url("v1").absoluteString,
                ])
                #expect(other.requests.map(\.path) == ["/v1/photos/1", "/full/1"])
            }
        }
    }

    @Test func `the folder that a picture came from is remembered too`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.write(Pictures.jpeg(bytes: 3000, seed: 1), to: "pictures/sea.jpg")
            let fetched = try await gallery.run(["fetch", "1", "--folder", "pictures", "-d", "copies"])
            #expect(fetched.lines.count == 1, "\(fetched.all)")
            try gallery.remove(fetched.lines.first ?? "")
            let outcome = try await gallery.run(["verify", "copies", "--repair"])
            #expect(outcome.status == 0 && outcome.errors.contains("1 fetched"), "\(outcome.all)")
        }
    }

    @Test func `an address with a password is not recorded`() async throws {
        try await withGallery(PixelServer(count: 1)) { gallery, server, _ in
            let base = "http://someone:hushhush@127.0.0.1:\(server.port)/v1"
            try await gallery.runWell(["fetch", "1", "-s", "500px", "--base-url", base])
            let text = try gallery.text(".gallery.jsonl")
            #expect(!text.contains("hushhush") && !text.contains(#""base""#), "\(text)")
        }
    }

    @Test func `no key goes to an address that only the record names`() async throws {
        try await withLocalServer({ PixelServer(count: 3).reply(to: $0) }) { stranger in
            try await withGallery(PixelServer(count: 3)) { gallery, server, source in
                let key = ["GALLERY_500PX_KEY": "hushhush"]
                _ = try await gallery.run(["fetch", "1"] + source, environment: key)
                #expect(server.requests.first?.query("consumer_key") == "hushhush")
                let text = try gallery.text(".gallery.jsonl")
                    .replacing(":\(server.port)/", with: ":\(stranger.port)/")
                try gallery.write(text, to: ".gallery.jsonl")
                try gallery.remove("1_Photo 1.jpg")
                try await gallery.runWell(["verify", "--repair"], environment: key)
                #expect(stranger.requests.map(\.path) == ["/v1/photos/1", "/full/1"])
                #expect(stranger.requests.allSatisfy { !$0.target.contains("hushhush") })
            }
        }
    }

    @Test func `the configuration says where services and folders are`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, _ in
            let base = server.url("v1").absoluteString
            try gallery.configure(
                #"{"service":"500px","folder":"~/pictures","baseURLs":{"500px":"\#(base)"}}"#)
            try gallery.write(Pictures.jpeg(bytes: 3000, seed: 1), to: "~/pictures/sea.jpg")
            #expect(try await gallery.run(["popular"]).lines.count == 4)
            let page = try await gallery.run(["show", "https://500px.com/photo/2", "--format", "url"])
            #expect(page.output.contains("/full/2"), "\(page.all)")
            let listed = try await gallery.run(["popular", "-s", "folder", "--format", "jsonl"])
            #expect(listed.lines.count == 1 && listed.output.contains("sea"), "\(listed.all)")
        }
    }
}

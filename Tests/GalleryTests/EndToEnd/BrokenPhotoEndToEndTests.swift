import Foundation
import GalleryTestSupport
import Testing

/// Lists with photos that cannot be read, through the built program: the list is there without them.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct BrokenPhotoEndToEndTests {
    /// A list of three photos of a service whose second has no identifier, and what is said of that.
    struct Site: Sendable, CustomTestStringConvertible {
        let service: String
        let path: String
        /// How a photo is written, around its members.
        let list: @Sendable ([String]) -> String
        let photo: @Sendable (Int) -> String
        let reason: String
        var testDescription: String { service }

        static let all = [
            Site(
                service: "500px", path: "v1", list: { #"{"photos":[\#($0.joined(separator: ","))]}"# },
                photo: { #"{"id":\#($0),"name":null}"# }, reason: "500px sent no 'photos[1].id'."),
            Site(
                service: "flickr", path: "rest",
                list: { #"{"photos":{"photo":[\#($0.joined(separator: ","))]},"stat":"ok"}"# },
                photo: { #"{"id":"\#($0)","title":[],"o_width":[]}"# },
                reason: "flickr sent no 'photos.photo[1].id'."),
            Site(
                service: "pixiv", path: "",
                list: { #"{"contents":[\#($0.joined(separator: ","))],"next":false}"# },
                photo: { #"{"illust_id":\#($0),"title":{},"width":"wide"}"# },
                reason: "pixiv sent no 'contents[1].illust_id'."),
            Site(
                service: "commons", path: "w/api.php",
                list: {
                    #"{"batchcomplete":true,"query":{"pages":[\#($0.joined(separator: ","))]}}"#
                },
                photo: {
                    #"{"pageid":\#($0),"imageinfo":[{"url":"https://example.org/\#($0).jpg","width":"?"}]}"#
                }, reason: "commons sent no 'query.pages[1].pageid'."),
        ]

        /// The photo without its identifier.
        func broken(_ id: Int) -> String {
            photo(id).replacing(/"(id|illust_id|pageid)":"?[0-9]+"?,/, with: "")
        }
    }

    @Test(arguments: Site.all)
    func `a list with a photo that cannot be read is the list without it`(site: Site) async throws {
        let body = site.list([site.photo(11), site.broken(12), site.photo(13)])
        try await withGallery(of: site.service, at: site.path, { _ in .json(body) }) { gallery, _, source in
            let outcome = try await gallery.runWell(["popular", "--format", "jsonl"] + source)
            #expect(outcome.errors == "Left out 1 photo: \(site.reason)\n")
            // Those behind it keep their places.
            #expect(
                outcome.lines.map { $0.prefix { $0 != "," } } == [#"{"index":1"#, #"{"index":3"#],
                "\(outcome.output)")
            #expect(outcome.lines.allSatisfy { $0.contains(#""title":"""#) })
            let table = try await gallery.run(["popular"] + source)
            #expect(table.lines.dropFirst().map { $0.split(separator: " ")[1] } == ["11", "13"])
            #expect(try await gallery.run(["popular", "-q"] + source).errors.isEmpty)
        }
    }

    @Test(arguments: Site.all)
    func `where no photo can be read the answer is not understood`(site: Site) async throws {
        let body = site.list([site.broken(1), site.broken(2)])
        try await withGallery(of: site.service, at: site.path, { _ in .json(body) }) { gallery, _, source in
            let outcome = try await gallery.run(["popular"] + source, expecting: 65)
            let reason = site.reason.replacing("[1]", with: "[0]")
            #expect(outcome.errors.hasPrefix("Error: \(reason)\n"), "\(outcome.errors)")
        }
    }

    @Test func `several are one line, before the summary of a fetch`() async throws {
        let pixels = PixelServer(count: 2)
        let answer: LocalServer.Handler = { request in
            guard request.path == "/v1/photos" else { return pixels.reply(to: request) }
            let root = request.serverURL.absoluteString
            let whole = (1...2).map {
                #"{"id":\#($0),"images":[{"size":2048,"url":"\#(root)/full/\#($0)"}]}"#
            }
            return .json(#"{"photos":[7,\#(whole.joined(separator: ",")),{"id":null},null]}"#)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, _, source in
            let outcome = try await gallery.runWell(["fetch", "1-5"] + source)
            #expect(outcome.lines == ["1_untitled.jpg", "2_untitled.jpg"])
            let lines = outcome.errors.split(separator: "\n")
            #expect(
                lines.first
                    == "Left out 3 photos: 500px sent 'photos[0]' as 7 instead of an object, and so on.")
            #expect(lines.count == 2 && lines.last?.hasPrefix("2 fetched, ") == true, "\(outcome.errors)")
        }
    }

    @Test func `a flag for adults that cannot be read leaves its photo out`() async throws {
        let body = #"{"photos":[{"id":1},{"id":2,"nsfw":"perhaps"}]}"#
        try await withGallery(PixelServer(fault: { _ in .json(body) })) { gallery, _, source in
            let outcome = try await gallery.run(["popular", "--format", "jsonl"] + source)
            #expect(outcome.lines.count == 1, "\(outcome.all)")
            #expect(
                outcome.errors.hasPrefix("Left out 1 photo: 500px sent 'photos[1].nsfw' as \"perhaps\""))
        }
    }

    @Test func `a line of JSON needs a service and an identifier, nothing else`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let lines = Data(
                """
                {"service":"sample","id":1001,"title":null,"width":"wide","tags":7,"full":[],"likes":{}}
                {"service":"sample","title":"no id"}
                {"id":"1002"}
                """.utf8)
            let outcome = try await gallery.run(["show", "-", "--format", "url"], input: lines)
            #expect(outcome.status == 1 && outcome.lines.count == 1, "\(outcome.all)")
            for line in [2, 3] {
                #expect(outcome.errors.contains("Line \(line) of standard input is not a photo."))
            }
        }
    }

    // MARK: - Another address

    @Test(arguments: [
        ("<html>Please sign in</html>", 200, "500px sent something other than JSON, beginning '<html>"),
        (#"{"contents":[],"next":false}"#, 200, "500px sent no 'photos'."),
        (
            #"{"photos":{"page":1,"photo":[{"id":"1"}]}}"#, 200, "500px sent 'photos."
        ),
        ("<html>Not found</html>", 404, "500px answered: there is nothing at '/v1/photos' (status 404)."),
    ])
    func `an address where something else answers is told`(body: String, status: Int, error: String)
        async throws
    {
        let reply = LocalReply.html(body, status: status)
        try await withGallery(PixelServer(fault: { _ in reply })) { gallery, server, source in
            let outcome = try await gallery.run(["popular"] + source, expecting: 65)
            #expect(outcome.errors.hasPrefix("Error: \(error)"), "\(outcome.errors)")
            #expect(
                outcome.errors.hasSuffix(
                    "\nHelp: '127.0.0.1:\(server.port)' does not answer as 500px does; check '--base-url'.\n"),
                "\(outcome.errors)")
        }
    }

    @Test func `what a compatible server lacks is missing, not wrong`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let outcome = try await gallery.run(
                ["show", "https://500px.com/photo/999"] + source, expecting: 66)
            #expect(outcome.errors == "Error: 500px has no photo 999.\n")
        }
    }
}

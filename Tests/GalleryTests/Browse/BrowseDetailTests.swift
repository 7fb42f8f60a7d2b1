import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// A service whose lists lack what only details know, and one that means harm.
@Suite(.timeLimit(.minutes(2)))
struct BrowseDetailTests {
    @Test func `a marked photo is kept with what its details said, and shown without asking anyone`()
        async throws
    {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let browse = try Browsing(gallery, ["3"] + source)
            try await browse.shows("100 %")
            browse.type("m")
            try await browse.shows("Marked.")
            #expect(try await browse.quit() == 0)
            let requests = server.requests.count
            let show = try await gallery.run(["show", "1", "--feed", "marked"])
            #expect(show.status == 0)
            #expect(show.output.contains("Photo 3") && show.output.contains("/full/3?sig=abc"))
            let plan = try await gallery.run(["fetch", "1", "--feed", "marked", "--dry-run"])
            #expect(plan.output.contains("/full/3?sig=abc"))
            #expect(server.requests.count == requests)
        }
    }

    @Test func `f asks for nothing that looking has asked for`() async throws {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let browse = try Browsing(gallery, ["3", "-d", "out"] + source)
            try await browse.shows("100 %")
            browse.type("f")
            try await browse.shows("Fetched out/3_Photo 3.jpg (40 KB)")
            #expect(try await browse.quit() == 0)
            #expect(server.requests { $0.path == "/full/3" }.count == 1)
            let batches = server.requests.compactMap { $0.query("ids") }
            #expect(batches.filter { $0.split(separator: ",").contains("3") }.count == 1)
            #expect(server.requests { $0.path == "/v1/photos/3" }.isEmpty)
        }
    }

    @Test func `f while the photo is on its way brings it once`() async throws {
        let gate = Gate()
        let photos = PhotoServer()
        try await withLocalServer { request in
            let reply = photos.answer(request)
            return request.path == "/full/1.jpg" ? reply.stalled(at: 5000, until: gate) : reply
        } run: { server in
            try await withBuiltProduct { gallery in
                let browse = try Browsing(gallery, ["-d", "out"] + server.service)
                try await browse.shows(" 25 %")
                browse.type("f")
                try await browse.shows("Fetching photo 1")
                gate.open()
                try await browse.shows("Fetched out/1_Photo 1.jpg (20 KB)")
                #expect(try await browse.quit() == 0)
                #expect(server.fullRequests[1] == 1)
            }
        }
    }

    @Test func `keys go on while the browser stays open`() async throws {
        let photos = PhotoServer()
        try await withLocalServer {
            photos.answer($0)
        } run: { server in
            try await withBuiltProduct { gallery in
                let fifo = gallery.home.appending(path: "go").path
                #expect(mkfifo(fifo, 0o600) == 0)
                for name in ["xdg-open", "open"] {
                    try await PictureBench.program(name, "#!/bin/sh\nread go < '\(fifo)'\n", in: gallery.home)
                }
                let path = gallery.home.path + ":" + (gallery.environment["PATH"] ?? "")
                let browse = try Browsing(gallery, ["7"] + server.service, environment: ["PATH": path])
                try await browse.shows("7 of 100")
                browse.type("o")
                try await browse.shows("Opening the page")
                browse.type("n")
                try await browse.shows("8 of 100")
                try await PictureBench.write("go\n", to: fifo)
                try await browse.shows("Opened https://500px.com/photo/7")
                #expect(try await browse.quit() == 0)
            }
        }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "ssh://host/", "http:///nowhere", "x"])
    func `only web addresses are opened`(address: String) async throws {
        let notice = await PageOpener(["PATH": "/nowhere"]).open(try #require(URL(string: address)))
        #expect(notice.text == "The photo's page is no web address.")
        #expect(notice.isError)
    }

    @Test func `what a title holds is shown, never obeyed`() async throws {
        let hostile = #"\u001b]0;owned\u0007\u001b[31m\u202e世界 \u0000\u009b2Jend"#
        try await withGallery(PixelServer(title: { _ in hostile })) { gallery, _, source in
            for keys in ["i", "\t", "m", "f", "a"] {
                let browse = try Browsing(gallery, ["--columns", "2", "-d", "out"] + source)
                try await browse.shows("]0;owned[31m世界 2Jend")
                browse.type(keys)
                try await browse.shows("]0;owned[31m世界 2Jend")
                #expect(try await browse.quit() == 0)
                for sequence in ["\u{1B}]", "\u{1B}[31m", "\u{7}", "\u{202E}", "\u{9B}"] {
                    #expect(!browse.product.output.contains(sequence))
                }
            }
        }
    }
}

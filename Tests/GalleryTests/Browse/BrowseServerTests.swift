import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import gallery

/// Browsing a service over a socket: what is asked for, in which order, and what happens when it fails.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseServerTests {
    @Test func `the photo looked at is asked for first, its neighbors once its bytes flow`() async throws {
        let gate = Gate()
        let photos = PhotoServer(changes: { $0.path == "/full/5.jpg" ? $1.delayed(until: gate) : $1 })
        try await withGallery(photos) { gallery, server, source in
            let browse = try Browsing(gallery, ["5"] + source)
            try await server.waitForRequests(1, to: "/full/5.jpg")
            try await browse.shows("Photo 5")
            #expect(server.fullRequests == [5: 1])
            gate.open()
            for index in [6, 7, 4] { try await server.waitForRequests(1, to: "/full/\(index).jpg") }
            #expect(server.fullRequests == [4: 1, 5: 1, 6: 1, 7: 1])
            try await server.waitForRequests(6)
            // The list, four files, and one batch for the whole page, the photo looked at and its neighbors first.
            let batches = server.requests { $0.query("ids") != nil }.compactMap { $0.query("ids") }
            #expect(batches.count == 1 && batches[0].hasPrefix("5,6,7,4,8,"), "\(batches)")
            browse.type("n")
            try await server.waitForRequests(1, to: "/full/8.jpg")
            try await browse.shows("6 of 100")
            #expect(try await browse.quit() == 0)
            #expect(server.fullRequests.values.allSatisfy { $0 == 1 })
        }
    }

    @Test func `a key held down asks for no photo twice, and the one it ends at comes`() async throws {
        let gate = Gate()
        let photos = PhotoServer(changes: { $0.path.hasPrefix("/full/") ? $1.delayed(until: gate) : $1 })
        try await withGallery(photos) { gallery, server, source in
            let browse = try Browsing(gallery, source)
            try await browse.shows("1 of 100")
            for index in 2...30 {
                browse.type("n")
                try await browse.shows("\(index) of 100")
            }
            try await server.waitForRequests(1, to: "/full/30.jpg")
            #expect(server.fullRequests.values.allSatisfy { $0 == 1 })
            #expect(server.fullRequests.keys.max() == 30)
            gate.open()
            try await browse.shows("100 %")
            for index in [31, 32, 29] { try await server.waitForRequests(1, to: "/full/\(index).jpg") }
            #expect(try await browse.quit() == 0)
            #expect(server.fullRequests.filter { $0.value > 1 && $0.key != 29 } == [:])
            #expect(server.requests { $0.query("page") != nil }.map { $0.query("page") } == ["1", "2"])
        }
    }

    @Test func `a feed that one comes back to loads its photos again`() async throws {
        try await withBrowsing(PixelServer(count: 60).reply, ["5"]) { browse, server in
            try await browse.shows("5 of 60")
            browse.type("a")
            try await browse.shows("1 of 60")
            browse.type("\u{7F}")
            try await browse.shows("5 of 60")
            browse.type("g40\r")
            try await browse.shows("40 of 60")
            try await server.waitForRequests(1, to: "/full/40")
        }
    }

    @Test func `a feed that one leaves asks for nothing more`() async throws {
        let pixels = PixelServer(count: 60, fault: { $0.path == "/full/1" ? .silence() : nil })
        try await withBrowsing(pixels.reply, ["30"]) { browse, server in
            for index in [30, 31, 32, 29] { try await server.waitForRequests(1, to: "/full/\(index)") }
            browse.type("a")
            try await server.waitForRequests(1, to: "/full/1")
            let left = ContinuousClock.now
            browse.type("\u{7F}")
            try await until { server.requestsInFlight == 0 }
            // Not by its time limit.
            #expect(left.duration(to: .now) < .seconds(15))
        }
    }

    @Test func `a server that stalls holds nobody up`() async throws {
        let photos = PhotoServer(changes: { $0.path == "/full/1.jpg" ? $1.stalled(at: 5000) : $1 })
        try await withBrowsing(photos.answer) { browse, _ in
            try await browse.shows(" 25 %")
            browse.type("n")
            try await browse.screen {
                $0.lines[0].hasSuffix("2 of 100") && $0.lines[21].contains("100 %")
            }
            browse.type("p")
            try await browse.screen {
                $0.lines[0].hasSuffix("1 of 100") && $0.lines[21].contains(" 25 %")
            }
        }
    }

    @Test func `a list that never comes can be left`() async throws {
        try await withLocalServer(.silence()) { server in
            try await withBuiltProduct { gallery in
                let browse = try Browsing(gallery, server.service)
                try await browse.shows("Loading photos")
                #expect(try await browse.quit() == 0)
            }
        }
    }

    @Test func `who waits for a list is told after two seconds, and r asks again at once`() async throws {
        let photos = PhotoServer(changes: { request, reply in
            let isFirst = request.query("page") != nil && request.attempt == 1
            return isFirst ? .silence() : reply
        })
        try await withBrowsing(photos.answer) { browse, server in
            try await server.waitForRequests(1, to: "/v1/photos")
            try await browse.shows("There is no answer yet. Press r to ask again at once.")
            browse.type("r")
            try await browse.shows("1 of 100")
        }
    }

    @Test func `r cuts the wait after a failure short, whose reason is told`() async throws {
        let gate = Gate()
        let photos = PhotoServer(changes: { request, reply in
            request.query("page") != nil && !gate.isOpen ? .status(500) : reply
        })
        try await withBrowsing(photos.answer, ["--retries", "9"]) { browse, server in
            try await browse.shows("'127.0.0.1' failed with status 500. Press r to ask again at once.")
            gate.open()
            browse.type("r")
            try await browse.shows("1 of 100")
        }
    }

    @Test func `an error stands in the photo's place until r tries again`() async throws {
        let photos = PhotoServer(changes: { request, reply in
            let isBroken = request.path == "/full/1.jpg" && request.attempt == 1
            return isBroken ? .status(404) : reply
        })
        try await withBrowsing(photos.answer) { browse, server in
            try await browse.shows("answered with status 404.")
            try await browse.shows("Press r to try again.")
            browse.type("np")
            try await browse.screen {
                $0.lines[0].hasSuffix("1 of 100") && $0.lines.contains { $0.contains("404") }
            }
            #expect(server.fullRequests[1] == 1)
            browse.type("r")
            try await browse.shows("Camera 1")
            #expect(server.fullRequests[1] == 2)
        }
    }

    @Test func `f brings the file whole from the bytes that are there`() async throws {
        try await withGallery(PhotoServer()) { gallery, server, source in
            let browse = try Browsing(gallery, ["3", "-d", "out"] + source)
            try await browse.shows("100 %")
            browse.type("f")
            try await browse.shows("Fetched out/3_Photo 3.jpg (20 KB)")
            browse.type("f")
            try await browse.shows("Kept out/3_Photo 3.jpg (20 KB)")
            #expect(try await browse.quit() == 0)
            let file = try Data(contentsOf: gallery.folder.appending(path: "out/3_Photo 3.jpg"))
            #expect(file == Pictures.jpeg(bytes: 20_000, seed: 3))
            #expect(server.fullRequests[3] == 1)
            let again = try await gallery.run(
                ["fetch", "3", "-d", "out", "--feed", "popular"] + source)
            #expect(again.errors.contains("0 fetched, 1 kept, 0 failed"))
            #expect(server.fullRequests[3] == 1)
        }
    }

    @Test func `coming back another day asks for no file that is here`() async throws {
        try await withGallery(PhotoServer()) { gallery, server, source in
            for _ in 1...2 {
                let browse = try Browsing(gallery, ["5"] + source)
                try await browse.shows("100 %")
                try await server.waitForRequests(1, to: "/full/4.jpg")
                #expect(try await browse.quit() == 0)
            }
            #expect(server.fullRequests[5] == 1)
        }
    }

    @Test func `o opens the photo's page, as one word and through no shell`() async throws {
        try await withGallery(PhotoServer()) { gallery, _, source in
            for name in ["xdg-open", "open"] {
                try await PictureBench.program(
                    name, "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" > opened\n", in: gallery.home)
            }
            let path = gallery.home.path + ":" + (gallery.environment["PATH"] ?? "")
            let browse = try Browsing(gallery, ["7"] + source, environment: ["PATH": path])
            try await browse.shows("7 of 100")
            browse.type("o")
            try await browse.shows("Opened https://500px.com/photo/7")
            #expect(try await browse.quit() == 0)
            let words = try String(contentsOf: gallery.folder.appending(path: "opened"), encoding: .utf8)
            #expect(words == "1|https://500px.com/photo/7|")
        }
    }

    @Test func `an index means what it meant on the screen`() async throws {
        try await withGallery(PhotoServer()) { gallery, server, source in
            let browse = try Browsing(gallery, source)
            try await browse.shows("1 of 100")
            #expect(try await browse.quit() == 0)
            let lists = server.requests { $0.query("page") != nil }.count
            let fetch = try await gallery.run(["fetch", "2"])
            #expect(fetch.lines == ["2_Photo 2.jpg"])
            #expect(server.requests { $0.query("page") != nil }.count == lists)
        }
    }

    @Test func `the next page comes by itself, in the grid too`() async throws {
        try await withGallery(PhotoServer(count: 45)) { gallery, server, source in
            let browse = try Browsing(gallery, ["14"] + source)
            try await browse.shows("14 of 45")
            browse.type("nn")
            try await server.waitForRequests(2, to: "/v1/photos")
            browse.type("\t")
            try await browse.shows("[16 Photo 16]")
            browse.type(String(repeating: "\u{1B}[B", count: 12))
            try await browse.shows("[45 Photo 45]")
            #expect(try await browse.quit() == 0)
            #expect(
                server.requests { $0.query("page") != nil }.map { $0.query("page") } == ["1", "2", "3"])
        }
    }
}

extension LocalServer {
    /// The requests for which `condition` is true, in order of arrival.
    func requests(where condition: (LocalRequest) -> Bool) -> [LocalRequest] { requests.filter(condition) }
}

/// The grid over a socket: what it asks for, and what it says of what does not come.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseGridTests {
    /// Opens a grid of four columns and two rows, whose pictures are painted by a `chafa` of this script.
    private func withGrid(
        _ photos: PhotoServer = PhotoServer(), _ options: [String] = [],
        chafa script: String = "echo symbols",
        _ body: (Browsing, LocalServer) async throws -> Void
    ) async throws {
        try await withGallery(photos) { gallery, server, source in
            let (path, _) = try await PictureBench.chafa(in: gallery.home, script)
            let browse = try Browsing(
                gallery, ["--picture", "symbols"] + options + source,
                size: TerminalSize(columns: 100, rows: 24),
                environment: ["PATH": path])
            try await browse.shows("1 of 100")
            browse.type("\t")
            try await body(browse, server)
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `only the thumbnails in view are asked for, and those about to scroll in`() async throws {
        try await withGrid { browse, server in
            // A row below, too.
            for index in 1...12 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
            #expect(server.thumbnails == Array(1...12))
            browse.type("\u{1B}[B\u{1B}[B")
            for index in 13...16 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
            #expect(server.thumbnails == Array(1...16))
        }
    }

    #if os(Linux)
        @Test func `no more than four pictures are painted at once, and none once it has ended`() async throws
        {
            try await withTemporaryDirectory { folder in
                let (started, fifo) = (folder.path + "/started", folder.path + "/go")
                #expect(mkfifo(fifo, 0o600) == 0)
                @Sendable func painting() -> Int {
                    let text = (try? String(contentsOfFile: started, encoding: .utf8)) ?? ""
                    return text.split(separator: "\n").compactMap { Int32($0) }
                        .count { kill($0, 0) == 0 && !PictureBench.isZombie($0) }
                }
                try await withGrid(chafa: "echo $$ >> '\(started)'; read go < '\(fifo)'") { _, server in
                    for index in 1...12 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
                    try await until { painting() >= 4 }
                    let full = ContinuousClock.now
                    try await until { painting() > 4 || full.duration(to: .now) > .milliseconds(300) }
                    #expect(painting() == 4)
                }
                try await until { painting() == 0 }
            }
        }
    #endif

    @Test func `thumbnails that are out of view hold up none that are in view`() async throws {
        let photos = PhotoServer(changes: { request, reply in
            let index = Int(request.path.dropFirst(7).prefix { $0.isNumber }) ?? 100
            return request.path.hasPrefix("/thumb/") && index <= 12 ? .silence() : reply
        })
        // Nothing comes because another thing has timed out.
        try await withGrid(photos, ["--timeout", "600"]) { browse, server in
            for index in 1...6 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
            browse.type("g20\r")
            try await server.waitForRequests(1, to: "/thumb/20.jpg")
        }
    }

    @Test func `a page that does not come is told, and r asks for it again`() async throws {
        let photos = PhotoServer(
            count: 45,
            changes: { request, reply in
                let isBroken = request.query("page") == "2" && request.attempt == 1
                return isBroken ? .status(403) : reply
            })
        try await withBrowsing(photos.answer) { browse, _ in
            try await browse.shows("1 of 45")
            browse.type("\t")
            try await browse.shows("Press r to try again.")
            browse.type("r")
            try await browse.screen { screen in
                !screen.lines.contains { $0.contains("Press r to try again.") }
            }
            browse.type("\u{1B}[F")
            try await browse.shows("[45 Photo 45]")
        }
    }

    @Test func `Home and End lead to the feed's own ends, whichever pages have come`() async throws {
        try await withGallery(PhotoServer(count: 200)) { gallery, _, source in
            let browse = try Browsing(
                gallery, ["100"] + source, size: TerminalSize(columns: 80, rows: 8))
            try await browse.shows("100 of 200")
            browse.type("\t")
            try await browse.shows("[100 Photo 100]")
            browse.type("\u{1B}[H")
            try await browse.shows("[1 Photo 1]")
            browse.type("\u{1B}[F")
            try await browse.shows("[200 Photo 200]")
            browse.type("g42\r")
            try await browse.shows("[42 Photo 42]")
            browse.type("\r")
            try await browse.screen { $0.lines[0].hasSuffix("42 of 200") }
            #expect(try await browse.quit() == 0)
        }
    }
}

extension LocalServer {
    /// The thumbnails asked for, each as often as it was, in order of their indexes.
    fileprivate var thumbnails: [Int] {
        requests.map(\.path).filter { $0.hasPrefix("/thumb/") }
            .compactMap { Int($0.dropFirst(7).prefix { $0.isNumber }) }.sorted()
    }
}

/// A service whose lists lack what only details know, and one that means harm.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseDetailTests {
    @Test func `a marked photo is kept with what its details said, and shown without asking anyone`()
        async throws
    {
        try await withGallery(PixelServer(listsFullSizes: false)) { gallery, server, source in
            let browse = try Browsing(gallery, ["3"] + source)
            try await browse.shows("100 %")
            browse.type("m")
            try await browse.shows("Marked.")
            // The list, one batch of details, the photo, and its neighbors: all that it will ask for.
            try await server.waitForRequests(6)
            #expect(try await browse.quit() == 0)
            let show = try await gallery.run(["show", "1", "--feed", "marked"])
            #expect(show.status == 0)
            #expect(show.output.contains("Photo 3") && show.output.contains("/full/3?sig=abc"))
            let plan = try await gallery.run(["fetch", "1", "--feed", "marked", "--dry-run"])
            #expect(plan.output.contains("/full/3?sig=abc"))
            let paths = server.requests.map(\.path).sorted()
            #expect(paths == ["/full/2", "/full/3", "/full/4", "/full/5", "/v1/photos", "/v1/photos"])
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
        let photos = PhotoServer(changes: {
            $0.path == "/full/1.jpg" ? $1.stalled(at: 5000, until: gate) : $1
        })
        try await withGallery(photos) { gallery, server, source in
            let browse = try Browsing(gallery, ["-d", "out"] + source)
            try await browse.shows(" 25 %")
            browse.type("f")
            try await browse.shows("Fetching photo 1")
            gate.open()
            try await browse.shows("Fetched out/1_Photo 1.jpg (20 KB)")
            #expect(try await browse.quit() == 0)
            #expect(server.fullRequests[1] == 1)
        }
    }

    @Test func `q waits for a download that is under way, and says what came of it`() async throws {
        let gate = Gate()
        let photos = PhotoServer(
            bytes: 400_000,
            changes: {
                $0.path == "/full/1.jpg" ? $1.stalled(at: 300_000, until: gate) : $1
            })
        try await withGallery(photos) { gallery, _, source in
            let browse = try Browsing(gallery, ["-d", "out"] + source)
            try await browse.shows("1 of 100")
            browse.type("\tf")
            try await browse.shows("Fetching photo 1 …")
            browse.type("q")
            try await browse.shows("Then gallery quits; press q again to stop and quit now.")
            gate.open()
            #expect(try await browse.end() == 0)
            #expect(browse.product.output.hasSuffix("Fetched out/1_Photo 1.jpg (400 KB)\r\n"))
            let file = try Data(contentsOf: gallery.folder.appending(path: "out/1_Photo 1.jpg"))
            #expect(file == Pictures.jpeg(bytes: 400_000, seed: 1))
        }
    }

    @Test(arguments: [("qq", 0 as Int32), ("\u{3}", 130)])
    func `who leaves at once is told that the part of a download is kept`(
        keys: String, status: Int32
    ) async throws {
        let photos = PhotoServer(
            bytes: 400_000,
            changes: {
                $0.path == "/full/1.jpg" ? $1.stalled(at: 300_000) : $1
            })
        try await withGallery(photos) { gallery, _, source in
            let browse = try Browsing(gallery, ["-d", "out"] + source)
            try await browse.shows("1 of 100")
            browse.type("\tf")
            let file = gallery.folder.appending(path: "out/1_Photo 1.part")
            try await until { (try? Data(contentsOf: file))?.count == 300_000 }
            browse.type(keys)
            #expect(try await browse.end() == status)
            #expect(
                browse.product.output.contains("The download of photo 1 was stopped. Its part is kept;"))
            let part = try Data(contentsOf: file)
            #expect(part == Pictures.jpeg(bytes: 400_000, seed: 1).prefix(300_000))
        }
    }

    @Test func `keys go on while the browser stays open`() async throws {
        try await withGallery(PhotoServer()) { gallery, _, source in
            let fifo = gallery.home.appending(path: "go").path
            #expect(mkfifo(fifo, 0o600) == 0)
            for name in ["xdg-open", "open"] {
                try await PictureBench.program(name, "#!/bin/sh\nread go < '\(fifo)'\n", in: gallery.home)
            }
            let path = gallery.home.path + ":" + (gallery.environment["PATH"] ?? "")
            let browse = try Browsing(gallery, ["7"] + source, environment: ["PATH": path])
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

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "ssh://host/", "http:///nowhere", "x"])
    func `only web addresses are opened`(address: String) async throws {
        let notice = await PageOpener(environment: ["PATH": "/nowhere"]).open(
            try #require(URL(string: address)))
        #expect(notice.text == "The photo's page is not a web address.")
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

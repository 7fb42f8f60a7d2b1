import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// A server like Wikimedia Commons: originals of 2 MB and 6000 pixels, and the widths that it makes of them.
struct CommonsServer: Sendable {
    var count = 20
    /// A reply in the place of another one.
    var fault: @Sendable (LocalRequest) -> LocalReply? = { _ in nil }

    /// The bytes of a file by its width.
    static func bytes(_ width: Int) -> Int { width == 6000 ? 2_000_000 : width * width / 50 }

    /// The number of a photo and the width of its file; `nil` for other addresses.
    static func file(at path: String) -> (id: Int, width: Int)? {
        guard let match = path.wholeMatch(of: /.*\/P_(\d+)\.jpg(?:\/(\d+)px-.*)?/), let id = Int(match.1)
        else {
            return nil
        }
        return (id, match.2.flatMap { Int($0) } ?? 6000)
    }

    func reply(to request: LocalRequest) -> LocalReply {
        if let reply = fault(request) { return reply }
        guard let (id, width) = Self.file(at: request.path) else { return .json(list(request)) }
        return .file(
            Pictures.jpeg(
                bytes: Self.bytes(width), seed: UInt64(id * 10_000 + width), width: width,
                height: width * 2 / 3),
            tag: "\"\(id)\"")
    }

    private func list(_ request: LocalRequest) -> String {
        let named = request.query("pageids")?.split(separator: "|").compactMap { Int($0) }
        let pages = (named ?? Array(1...count)).map { id in
            let (root, file) = (
                request.serverURL.appending(path: "wikipedia/commons").absoluteString, "P_\(id).jpg"
            )
            return """
                {"pageid":\(id),"title":"File:\(file)","imageinfo":[{"url":"\(root)/a/ab/\(file)","mime":"image/jpeg",
                "size":2000000,"width":6000,"height":4000,"user":"Someone","thumbwidth":330,"thumbheight":220,
                "thumburl":"\(root)/thumb/a/ab/\(file)/330px-\(file)",
                "descriptionurl":"https://commons.wikimedia.org/wiki/File:\(file)"}]}
                """
        }
        return #"{"batchcomplete":true,"query":{"pages":[\#(pages.joined(separator: ","))]}}"#
    }
}

extension LocalServer {
    /// The widths of a photo's files that were asked for, in order; of every photo without one.
    fileprivate func widths(of photo: Int? = nil) -> [Int] {
        requests.compactMap { CommonsServer.file(at: $0.path) }.filter { photo == nil || $0.id == photo }.map(
            \.width)
    }
}

/// How many bytes browsing moves: what is seen, and no more.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseSizeTests {
    /// 1200 by 800 pixels, where the terminal does not say how large a cell is.
    private static let window = TerminalSize(columns: 150, rows: 50)

    /// Browses in a terminal that takes files as they are, by the words of `more`.
    private func withBrowsing(
        _ commons: CommonsServer = CommonsServer(), _ more: [String] = [], size: TerminalSize = window,
        picture: String = "iterm",
        _ body: (Browsing, LocalServer, BuiltProduct) async throws -> Void
    ) async throws {
        try await withGallery(of: "commons", at: "w/api.php", { commons.reply(to: $0) }) {
            gallery, server, source in
            for name in ["xdg-open", "open"] {
                let script = "#!/bin/sh\nwc -c < \"$1\" >> '\(gallery.home.path)/opened'\n"
                try await PictureBench.program(name, script, in: gallery.home)
            }
            let (path, _) = try await PictureBench.chafa(in: gallery.home, PictureBench.transparent)
            let browse = try Browsing(
                gallery, ["--picture", picture] + more + source, size: size, environment: ["PATH": path])
            try await body(browse, server, gallery)
            #expect(try await browse.quit() == 0)
        }
    }

    /// Returns once photo `index` is shown with so many pixels.
    private func shows(_ index: Int, _ pixels: String, _ browse: Browsing) async throws {
        try await browse.screen { screen in
            let last = screen.lines.last ?? ""
            return screen.lines[0].hasSuffix(" \(index)") && last.contains(" \(pixels)  ")
                && last.contains(" of ") == pixels.contains(" of ")
        }
    }

    @Test func `twenty photos move a twentieth of their originals at most, and no request more`() async throws
    {
        try await withBrowsing { browse, server, _ in
            for index in 1...20 {
                try await shows(index, "1280 of 6000 px", browse)
                if index < 20 { browse.type("n") }
            }
            #expect(server.widths().filter { $0 == 1280 }.count == 20)
            #expect(Set(server.widths()) == [330, 1280] && server.widths().count <= 40)
            let moved = server.widths().reduce(0) { $0 + CommonsServer.bytes($1) }
            #expect(moved * 20 <= 20 * CommonsServer.bytes(6000), "\(moved)")
            // The list, and the details of its photos.
            #expect(server.requests { $0.path == "/w/api.php" }.count == 2)
        }
    }

    @Test func `a photo is sharp after one round trip: it waits for nothing else`() async throws {
        let commons = CommonsServer(fault: { request in
            let isOther =
                CommonsServer.file(at: request.path).map { $0.width == 330 }
                ?? (request.query("pageids") != nil)
            return isOther ? .silence() : nil
        })
        try await withBrowsing(commons) { browse, _, _ in
            try await shows(1, "1280 of 6000 px", browse)
            browse.type("g15\r")
            try await shows(15, "1280 of 6000 px", browse)
        }
    }

    @Test func `a window that grows asks for a larger file, one that shrinks for none`() async throws {
        try await withBrowsing(size: TerminalSize(columns: 75, rows: 25)) { browse, server, _ in
            try await shows(1, "960 of 6000 px", browse)
            for size in [TerminalSize(columns: 60, rows: 20), Self.window] { browse.resize(to: size) }
            try await shows(1, "1280 of 6000 px", browse)
            browse.resize(to: TerminalSize(columns: 75, rows: 25))
            try await browse.screen { $0.lines.count == 25 && $0.lines[0].hasSuffix(" 1") }
            #expect(server.widths(of: 1).filter { $0 != 330 } == [960, 1280])
        }
    }

    @Test func `as characters the thumbnail is all there is to see`() async throws {
        try await withBrowsing(size: TerminalSize(), picture: "symbols") { browse, server, _ in
            for index in 1...3 {
                try await shows(index, "330 of 6000 px", browse)
                browse.type("n")
            }
            #expect(Set(server.widths()) == [330])
        }
    }

    @Test(arguments: [
        ("full", 6000, "6000 px"), ("thumbnail", 330, "330 of 6000 px"), ("900", 960, "960 of 6000 px"),
    ])
    func `a size that is named is shown, whatever the window`(size: String, width: Int, text: String)
        async throws
    {
        try await withBrowsing(CommonsServer(count: 1), ["--size", size], picture: "none") {
            browse, server, _ in
            try await shows(1, text, browse)
            #expect(server.widths() == [width])
        }
    }

    @Test(arguments: ["0", "-1", "large", "1e3", ""])
    func `a size that is none is refused`(size: String) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(["browse", "--size=\(size)"])
            #expect(outcome.status == 64 && outcome.errors.contains("--size"), "\(outcome.all)")
        }
    }

    @Test func `what takes the file takes the full one, which is loaded for it`() async throws {
        try await withBrowsing(CommonsServer(), ["-d", "out", "--exec", "open"]) { browse, server, gallery in
            try await shows(1, "1280 of 6000 px", browse)
            browse.type("v")
            try await browse.shows("Opened /")
            browse.type("x")
            try await browse.shows("'open'")
            let opened = gallery.home.appending(path: "opened")
            try await until {
                (try? String(contentsOf: opened, encoding: .utf8))?.split(separator: "\n").count == 2
            }
            let lines = try String(contentsOf: opened, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            #expect(lines == ["2000000", "2000000"])
            browse.type("Y")
            try await browse.shows("Sent the path to the terminal")
            browse.type("f")
            try await browse.shows("Fetched out/1_")
            #expect(server.widths(of: 1).filter { $0 == 6000 }.count == 1)
            #expect(server.widths().filter { $0 == 6000 }.count == 1)
            // In the grid, too, of a photo that nobody has looked at.
            browse.type("\t\u{1B}[F")
            browse.type("Y")
            try await browse.shows("Sent the path to the terminal")
            #expect(server.widths(of: 20).contains(6000))
        }
    }

    @Test func `zoom brings larger files to the same place, without showing all of the picture between`()
        async throws
    {
        let size = TerminalSize(columns: 40, rows: 10)
        try await withBrowsing(CommonsServer(count: 1), size: size, picture: "kitty") { browse, server, _ in
            try await shows(1, "330 of 6000 px", browse)
            browse.type("+")
            try await browse.shows("Zoom 1.5×")
            try await server.waitForRequests(1, to: "/wikipedia/commons/thumb/a/ab/P_1.jpg/500px-P_1.jpg")
            browse.type("\u{1B}[C")
            try await shows(1, "500 of 6000 px", browse)
            browse.type("+++")
            try await browse.shows("Zoom 4×")
            browse.type("\u{1B}[C")
            try await shows(1, "960 of 6000 px", browse)
            #expect(server.widths(of: 1) == [330, 500, 960])
            // The pixels of a file, then a part of them: each file takes the place of the one before.
            _ = try await browse.product.waitForOutput(",s=960,v=640,")
            browse.type("\u{1B}[C")
            _ = try await browse.product.waitForOutput("_Ga=p,")
            let zoomed = browse.product.output.components(separatedBy: "\u{1B}_Ga=p,").dropFirst()
            #expect(!zoomed.isEmpty && !zoomed.contains { $0.contains("\u{1B}_Ga=T,") })
        }
    }

    @Test func `a file that fails is told of, and the next one shown`() async throws {
        let commons = CommonsServer(fault: {
            CommonsServer.file(at: $0.path).map { $0 == (1, 1280) } == true ? .status(404) : nil
        })
        try await withBrowsing(commons) { browse, server, _ in
            try await browse.shows("Skipped the 1280-pixel file: '127.0.0.1")
            browse.type("?")
            browse.type(" ")
            try await shows(1, "1920 of 6000 px", browse)
            #expect(server.widths(of: 1).filter { $0 != 330 } == [1280, 1920])
        }
    }

    @Test func `a file that cannot be shown is followed by one that can`() async throws {
        let commons = CommonsServer(fault: {
            CommonsServer.file(at: $0.path).map { $0 == (1, 1280) } == true
                ? .file(PictureBench.bomb, contentType: "image/png") : nil
        })
        try await withBrowsing(commons) { browse, server, _ in
            try await browse.shows("Skipped the 20000-pixel file: The picture has 20000×20000 pixels")
            browse.type("?")
            browse.type(" ")
            try await shows(1, "1920 of 6000 px", browse)
            #expect(server.widths(of: 1).filter { $0 != 330 } == [1280, 1920])
        }
    }
}

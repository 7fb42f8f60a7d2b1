import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// The grid over a socket: what it asks for, and what it says of what does not come.
@Suite(.timeLimit(.minutes(2)))
struct BrowseGridTests {
    @Test func `only the thumbnails in view are asked for, and those about to scroll in`() async throws {
        let photos = PhotoServer()
        try await withLocalServer {
            photos.answer($0)
        } run: { server in
            try await withBuiltProduct { gallery in
                let (path, _) = try await PictureBench.chafa(in: gallery.home, "echo symbols")
                // Four columns and two rows, and a row below.
                let browse = try Browsing(
                    gallery, ["--picture", "symbols"] + server.service,
                    size: TerminalSize(columns: 100, rows: 24), environment: ["PATH": path])
                try await browse.shows("1 of 100")
                browse.type("\t")
                for index in 1...12 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
                #expect(server.thumbnails == Array(1...12))
                browse.type("\u{1B}[B\u{1B}[B")
                for index in 13...16 { try await server.waitForRequests(1, to: "/thumb/\(index).jpg") }
                #expect(server.thumbnails == Array(1...16))
                #expect(try await browse.quit() == 0)
            }
        }
    }

    @Test func `a page that does not come is told, and r asks for it again`() async throws {
        let photos = PhotoServer(count: 45)
        try await withLocalServer { request in
            let isBroken = request.query("page") == "2" && request.attempt == 1
            return isBroken ? .status(403) : photos.answer(request)
        } run: { server in
            try await withBuiltProduct { gallery in
                let browse = try Browsing(gallery, server.service)
                try await browse.shows("1 of 45")
                browse.type("\t")
                try await browse.shows("r tries again.")
                browse.type("r")
                try await browse.screen { screen in !screen.lines.contains { $0.contains("r tries again.") } }
                browse.type("\u{1B}[F")
                try await browse.shows("[45 Photo 45]")
                #expect(try await browse.quit() == 0)
            }
        }
    }

    @Test func `Home and End lead to the feed's own ends, whichever pages have come`() async throws {
        let photos = PhotoServer(count: 200)
        try await withLocalServer {
            photos.answer($0)
        } run: { server in
            try await withBuiltProduct { gallery in
                let browse = try Browsing(
                    gallery, ["100"] + server.service, size: TerminalSize(columns: 80, rows: 8))
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
}

extension LocalServer {
    /// The thumbnails asked for, each as often as it was, in order of their indexes.
    fileprivate var thumbnails: [Int] {
        requests.map(\.path).filter { $0.hasPrefix("/thumb/") }
            .compactMap { Int($0.dropFirst(7).prefix { $0.isNumber }) }.sorted()
    }
}

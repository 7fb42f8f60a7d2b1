import Foundation
import GalleryTestSupport
import Testing

/// Filters that let little through, in the built program.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct SearchEndToEndTests {
    @Test(arguments: [
        ["popular", "--tag", "sea"], ["search", "sea", "--tag", "sea"], ["fetch", "1-9", "--tag", "sea"],
        ["fetch", "1", "2-", "--tag", "sea", "--dry-run"],
    ])
    func `tags in a service whose lists have none are refused at once`(line: [String]) async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, server, source in
            let outcome = try await gallery.run(line + source, expecting: 64)
            #expect(
                outcome.errors == """
                    Error: commons's lists do not include tags, so no photo would match.
                    Help: Leave out '--tag', or search for it; these include tags: sample, 500px, flickr, pixiv, feed, folder, artic, cleveland, inaturalist, met, nasa, openverse.

                    """)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [["red sea"], ["red", "sea"]])
    func `several words are one search`(words: [String]) async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            try await gallery.runWell(["search"] + words + source)
            #expect(server.requests.map { $0.query("term") } == ["red sea"])
        }
    }

    @Test func `a photo that is named is taken whatever the filters say`() async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, _, source in
            _ = try await gallery.runWell(["fetch", "1", "--tag", "sea"] + source)
        }
    }

    /// Photos of which only the last is in portrait format.
    private func portrait(at last: Int) -> LocalServer.Handler {
        let pixels = PixelServer(count: last)
        return { request in
            guard request.path == "/v1/photos", request.query("ids") == nil else {
                return pixels.reply(to: request)
            }
            let size = request.query("rpp").flatMap { Int($0) } ?? 0
            let first = ((request.query("page").flatMap { Int($0) } ?? 0) - 1) * size + 1
            let root = request.serverURL.absoluteString
            let photos = (first..<first + size).filter { $0 <= last }.map {
                #"{"id":\#($0),"name":"P","width":3,"height":\#($0 == last ? 4 : 2),"images":[{"size":2048,"url":"\#(root)/full/\#($0)"}]}"#
            }
            let pages = (last + size - 1) / max(1, size)
            return .json(#"{"photos":[\#(photos.joined(separator: ","))],"total_pages":\#(pages)}"#)
        }
    }

    @Test(arguments: Thorough.cases([["web", "1-", "-o", "site"], ["collage", "-o", "six.svg"]], few: 1))
    func `a page or a collage gives up as lists do`(line: [String]) async throws {
        try await withGallery(of: "500px", at: "v1", portrait(at: 1101)) { gallery, server, source in
            let outcome = try await gallery.run(
                line + ["--limit", "1", "--feed", "popular", "--orientation", "portrait"] + source,
                expecting: 66)
            #expect(server.requests.count == 10)
            #expect(outcome.errors.contains("Stopped after 1,000 photos without a match. "), "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ["popular", "--limit", "1"], ["fetch", "1-", "--limit", "1", "--feed", "popular"],
    ])
    func `a search for a limit is given up after a thousand photos`(line: [String]) async throws {
        try await withGallery(of: "500px", at: "v1", portrait(at: 1101)) { gallery, server, source in
            let outcome = try await gallery.runWell(line + ["--orientation", "portrait"] + source)
            // The largest pages there are.
            #expect(server.requests.map { $0.query("rpp") } == Array(repeating: "100", count: 10))
            #expect(outcome.errors.contains("Left out 1000 photos: 1000 by --orientation.\n"))
            #expect(
                outcome.errors.contains(
                    "Stopped after 1,000 photos without a match. "
                        + "Name a range or a higher '--limit' to look further.\n"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ["popular", "--limit", "1101"], ["popular", "--range", "1-1101", "--limit", "1"],
        ["fetch", "1-", "--feed", "popular"],
    ])
    func `a range or a limit that says more is gone through`(line: [String]) async throws {
        try await withGallery(of: "500px", at: "v1", portrait(at: 1101)) { gallery, _, source in
            let outcome = try await gallery.runWell(line + ["--orientation", "portrait"] + source)
            #expect(outcome.output.contains(line[0] == "fetch" ? "1101_P.jpg\n" : "1101"), "\(outcome.all)")
            #expect(!outcome.errors.contains("Stopped"), "\(outcome.errors)")
        }
    }

    @Test func `without a filter a limit asks for small pages`() async throws {
        try await withGallery(PixelServer(count: 100)) { gallery, server, source in
            _ = try await gallery.run(["popular", "--limit", "3"] + source)
            #expect(server.requests.map { $0.query("rpp") } == ["20"])
        }
    }

    @Test(arguments: [
        ["popular", "--limit", "1"], ["fetch", "1-", "--feed", "popular", "--limit", "1"],
    ])
    func `how far a search has come is shown on a terminal`(line: [String]) async throws {
        let gate = Gate()
        let answer = portrait(at: 401)
        let held: LocalServer.Handler = { request in
            let reply = answer(request)
            return request.query("page") == "4" ? reply.delayed(until: gate) : reply
        }
        try await withGallery(of: "500px", at: "v1", held) { gallery, _, source in
            let run = try gallery.start(
                line + ["--orientation", "portrait"] + source, terminal: TerminalSize())
            #expect(try await run.waitForOutput("searched 300 photos, 0 match"), "\(run.output)")
            gate.open()
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && outcome.output.contains("401"), "\(outcome.output)")
        }
    }

    @Test func `the first match is fetched while the search goes on`() async throws {
        let gate = Gate()
        let pixels = PixelServer(count: 300)
        let held: LocalServer.Handler = { request in
            let reply = pixels.reply(to: request)
            return request.query("page") == "3" ? reply.delayed(until: gate) : reply
        }
        try await withGallery(of: "500px", at: "v1", held) { gallery, _, source in
            let run = try gallery.start(
                ["fetch", "1-", "--feed", "popular", "--author", "ansel", "--limit", "250"] + source)
            #expect(try await run.waitForOutput("1_Photo 1.jpg\n"))
            gate.open()
            #expect(try await run.outcome().lines.count == 250)
        }
    }
}

import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import gallery

/// The built program shows and fetches photos of recorded answers, and is one part of a pipeline.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct RecordedFetchTests {
    // MARK: - Show

    @Test(arguments: [
        (
            RecordedSite.flickr, "https://www.flickr.com/photos/jeremybrooks/14118630850/",
            "Transamerica View 20140530", ["flickr.photos.getInfo", "flickr.photos.getSizes"]
        ),
        (
            .pixiv, "https://www.pixiv.net/artworks/87598468", "Work 87598468",
            ["/ajax/illust/87598468", "/ajax/illust/87598468/pages"]
        ),
        (
            .commons, "https://commons.wikimedia.org/wiki/File:Minchinmavida_Volcano.jpg",
            "Minchinmavida Volcano", ["titles=File%3AMinchinmavida"]
        ),
        (
            .fiveHundredPixels, "https://500px.com/photo/12539831/x", "Toronto panorama",
            ["/v1/photos/12539831"]
        ),
    ])
    func `show prints what a photo's own requests add`(
        site: RecordedSite, page: String, title: String, requests: [String]
    ) async throws {
        try await withRecordings(of: site) { gallery, api, images in
            let outcome = try await gallery.run(["show", page, "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let json = try JSONSerialization.jsonObject(with: outcome.outputData) as? [String: Any]
            let photo = try #require(json)
            #expect(photo["title"] as? String == title)
            let full = try #require((photo["full"] as? [String: Any])?["url"] as? String)
            #expect(full.hasPrefix(images.url.absoluteString), "\(full)")
            #expect(photo["details"] is [String: Any])
            for request in requests { #expect(api.requests.contains { $0.target.contains(request) }) }
        }
    }

    // MARK: - Fetch

    @Test func `flickr: originals from the list alone, and the key stays with the API`() async throws {
        try await withRecordings(of: .flickr) { gallery, api, images in
            let outcome = try await gallery.run(["fetch", "1-3", "--query", "sea", "-v"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                outcome.lines == [
                    "14256698876_San Francisco Spirit.jpg", "14093200050_untitled.jpg",
                    "14299997353_Pier, Boat, and Sky.jpg",
                ])
            let files = try gallery.files()
            #expect(files[outcome.lines[0]] == RecordedSite.bytes("/3744/14256698876_f985684cf1_o.jpg"))
            #expect(api.requests.map { $0.query("method") } == ["flickr.photos.search"])
            try expectSecret("hush-hush", isKeptFrom: images, outcome)
            #expect(api.requests.allSatisfy { $0.query("api_key") == "hush-hush" })
        }
    }

    @Test func `pixiv: a work of several pages is several files, asked for as the site wants it`()
        async throws
    {
        try await withRecordings(of: .pixiv) { gallery, api, images in
            let outcome = try await gallery.run(
                ["fetch", "https://www.pixiv.net/artworks/87598468", "--metadata", "-v"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let names = (0...2).map { "87598468_Work 87598468_p\($0)" }
            #expect(outcome.lines == names.map { $0 + ".jpg" })
            let files = try gallery.files()
            let expected: [String] = names.flatMap { (name: String) in ["\(name).jpg", "\(name).json"] }
            #expect(files.keys.sorted() == expected)
            for (name, page) in zip(outcome.lines, ["p0.jpg", "p1.jpg", "p2.png"]) {
                let path = "/img-original/img/2026/09/26/00/00/00/87598468_\(page)"
                // Named for what it is, whatever its address ends in.
                #expect(files[name] == RecordedSite.bytes(path))
            }
            for request in images.requests {
                #expect(request.headers["Referer"] == "https://www.pixiv.net/")
                #expect(request.headers["User-Agent"]?.hasPrefix("Mozilla/5.0") == true)
            }
            for request in api.requests { #expect(request.headers["Cookie"] == "PHPSESSID=31415926_hush") }
            try expectSecret("31415926_hush", isKeptFrom: images, outcome)
        }
    }

    @Test func `pixiv: of equal pages the first stays`() async throws {
        var site = RecordedSite.pixiv
        let edit = site.edit
        // The third page is the first once more.
        site.edit = { edit($0, $1).replacing("_p2.png", with: "_p0.jpg") }
        try await withRecordings(of: site) { gallery, _, _ in
            let outcome = try await gallery.run(["fetch", "1", "--feed", "popular", "--unique"])
            #expect(outcome.lines.count == 3, "named by itself: \(outcome.all)")
            let ranged = try await gallery.run(
                ["fetch", "2-3", "--feed", "popular", "--unique", "--name", "{id}", "-d", "r"])
            let kept = ["100564869_p0", "100564869_p1", "100540926_p0", "100540926_p1"]
            #expect(ranged.lines == kept.map { "r/\($0).jpg" }, "\(ranged.all)")
            #expect(ranged.errors.contains("Left out 2 photos: 2 by --unique."), "\(ranged.errors)")
        }
    }

    @Test func `commons: the original, with its licence beside it`() async throws {
        try await withRecordings(of: .commons) { gallery, _, images in
            let outcome = try await gallery.run(["fetch", "1", "--feed", "popular", "--metadata"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.lines == ["18263872_Minchinmavida Volcano.jpg"])
            let files = try gallery.files()
            #expect(
                files[outcome.lines[0]]
                    == RecordedSite.bytes("/wikipedia/commons/f/fb/Minchinmavida_Volcano.jpg"))
            let beside = try #require(files["18263872_Minchinmavida Volcano.json"])
            let photo = try #require(try JSONSerialization.jsonObject(with: beside) as? [String: Any])
            #expect(photo["license"] as? String != nil)
            #expect(images.requests.allSatisfy { $0.headers["User-Agent"]?.contains("http") == true })
        }
    }

    @Test func `500px: thumbnails of a stream`() async throws {
        try await withRecordings(of: .fiveHundredPixels) { gallery, api, images in
            let outcome = try await gallery.run(
                ["fetch", "1-4", "--ranking", "upcoming", "--size", "thumbnail", "-v"])
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.lines.count == 4 && images.requests.count == 4)
            #expect(api.requests.map { $0.query("feature") } == ["upcoming"])
            try expectSecret("hush-hush", isKeptFrom: images, outcome)
        }
    }

    // MARK: - Pipelines

    @Test(.needs("jq", ProcessRun.find("jq", in: ProcessInfo.processInfo.environment) != nil))
    func `a list, jq and fetch are a pipeline`() async throws {
        var site = RecordedSite.flickr
        // Nobody's favorites were counted when this was recorded: 5, 11, 11, 5, 5.
        site.edit = { text, _ in
            var number = 0
            return text.replacing(/"media" *:/) { _ in
                number += 1
                return "\"count_faves\":\"\([2, 3].contains(number) ? 11 : 5)\",\"media\":"
            }
        }
        try await withRecordings(of: site) { gallery, api, _ in
            let program = gallery.gallery.executable.path
            let source = gallery.source.joined(separator: " ")
            let script = """
                set -e; "\(program)" search sea \(source) --format jsonl | jq -c 'select(.likes>10)' \
                | "\(program)" fetch - \(source) -d got
                """
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let outcome = try await shell.run(["-c", script], environment: site.environment)
                #expect(outcome.status == 0, "\(outcome.all)")
                #expect(
                    outcome.lines == [
                        "got/14093200050_untitled.jpg", "got/14299997353_Pier, Boat, and Sky.jpg",
                    ])
                #expect(outcome.errors.contains("2 fetched, 0 kept, 0 failed"), "\(outcome.errors)")
            }
            #expect(api.requests.count == 1)
        }
    }

    @Test func `bookmarks lead to their works`() async throws {
        try await withRecordings(of: .pixiv) { gallery, _, images in
            let list = try await gallery.run(["bookmarks", "--format", "jsonl", "--adult"])
            let first = try #require(list.lines.first)
            let outcome = try await gallery.run(["fetch", "-"], input: Data(first.utf8))
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.lines.count == 3)
            #expect(outcome.lines.allSatisfy { $0.hasPrefix("81214321_") })
            #expect(images.requests.count == 3)
        }
    }

    @Test func `what is marked is listed without a network, and fetched from where it is`() async throws {
        try await withRecordings(of: .commons) { gallery, api, images in
            _ = try await gallery.run(["popular"])
            let marked = try await gallery.gallery.run(["mark", "2", "3"])
            #expect(marked.status == 0, "\(marked.all)")
            let asked = api.requests.count
            let plan = try await gallery.gallery.run(["fetch", "1-", "--feed", "marked", "--dry-run"])
            #expect(plan.lines.count == 2, "\(plan.all)")
            #expect(api.requests.count == asked && images.requests.isEmpty)
            let fetched = try await gallery.gallery.run(["fetch", "1-", "--feed", "marked"])
            #expect(fetched.status == 0, "\(fetched.all)")
            #expect(api.requests.count == asked && images.requests.count == 2)
        }
    }

    private func expectSecret(_ secret: String, isKeptFrom images: LocalServer, _ outcome: ProductOutcome)
        throws
    {
        #expect(!images.requests.isEmpty)
        for request in images.requests {
            #expect(request.headers["Cookie"] == nil && !request.target.contains(secret))
        }
        #expect(!outcome.all.contains(secret))
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and what `fetch` can be told.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FetchOptionsEndToEndTests {
    private func files(_ gallery: BuiltProduct) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
            .filter { $0 != ".gallery.jsonl" }.sorted()
    }

    private func lists(_ server: LocalServer) -> [String?] {
        server.requests.filter { $0.path == "/v1/photos" }.map { $0.query("page") }
    }

    // MARK: - New photos

    @Test func `new photos are those the folder has never had`() async throws {
        try await withGallery(PixelServer(count: 6)) { gallery, server, source in
            #expect(try await gallery.run(["fetch", "2-3"] + source).status == 0)
            try FileManager.default.removeItem(at: gallery.folder.appending(path: "3_Photo 3.jpg"))
            let images = server.requests.count { $0.path.hasPrefix("/full") }
            let line = ["fetch", "1-", "--feed", "popular", "--new"] + source
            let first = try await gallery.run(line)
            #expect(first.status == 0, "\(first.all)")
            #expect(first.lines == [1, 4, 5, 6].map { "\($0)_Photo \($0).jpg" })
            #expect(first.errors.contains("Left out 2 photos: downloaded before.\n"))
            #expect(server.requests.count { $0.path.hasPrefix("/full") } == images + 4)
            let again = try await gallery.run(line + ["-q", "--refresh"])
            #expect(again.all == "status(0)\n\n", "\(again.all)")
            #expect(try !files(gallery).contains("3_Photo 3.jpg"))
            #expect(server.requests.count { $0.path.hasPrefix("/full") } == images + 4)
        }
    }

    @Test(arguments: [["popular"], ["user", "--user", "ansel"]])
    func `what was fetched of a part does not end an open range`(feed: [String]) async throws {
        try await withGallery(PixelServer(count: 250)) { gallery, _, source in
            let small = ["--feed"] + feed + ["--size", "thumbnail"] + source
            #expect(try await gallery.run(["fetch", "1-100"] + small).lines.count == 100)
            let rest = try await gallery.run(["fetch", "1-", "--new"] + small)
            #expect(rest.status == 0 && rest.lines.count == 150, "\(rest.all)")
        }
    }

    /// A run came to the end of 200; older photos follow by now, which only the closed range asks for.
    @Test func `known photos do not end a closed range`() async throws {
        let later = Gate()
        let answer: LocalServer.Handler = { request in
            PixelServer(count: later.isOpen ? 400 : 200).reply(to: request)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, _, source in
            let options = ["--feed", "user", "--user", "ansel", "--size", "thumbnail", "--refresh"] + source
            #expect(try await gallery.run(["fetch", "1-"] + options).lines.count == 200)
            later.open()
            let outcome = try await gallery.run(["fetch", "1-350", "--new"] + options)
            #expect(outcome.status == 0 && outcome.lines.count == 150, "\(outcome.all)")
        }
    }

    /// Three photos come first by the second day; one of them cannot be had then.
    @Test func `an open range ends early where a whole run began, and nowhere else`() async throws {
        let (later, mended) = (Gate(), Gate())
        let pixels = PixelServer(
            count: 400, shift: { _ in later.isOpen ? 3 : 0 },
            // Neither its thumbnail nor what stands in for that.
            fault: {
                ["/thumb/1000001", "/full/1000001"].contains($0.path) && !mended.isOpen ? .status(404) : nil
            })
        try await withGallery(pixels) { gallery, server, source in
            let line =
                ["fetch", "1-", "--feed", "user", "--user", "ansel", "--new", "--refresh"]
                + ["--size", "thumbnail"] + source
            func run(_ line: [String]) async throws -> (outcome: ProductOutcome, pages: [String?]) {
                let before = lists(server).count
                return (try await gallery.run(line), Array(lists(server).dropFirst(before)))
            }
            #expect(try await run(line).pages == ["1", "2", "3", "4"])
            #expect(try await run(line).pages == ["1"])
            later.open()
            let failed = try await run(line)
            #expect(failed.outcome.status == 1 && failed.outcome.lines.count == 2, "\(failed.outcome.all)")
            mended.open()
            let second = try await run(line)
            #expect(second.outcome.lines.count == 1 && second.pages == ["1"], "\(second.outcome.all)")
            // Other photos are wanted, or the order says nothing.
            #expect(try await run(line + ["--min-width", "9"]).pages.count > 1)
            #expect(
                try await run(
                    line.map { $0 == "user" ? "popular" : $0 }.filter { !["--user", "ansel"].contains($0) }
                ).pages.count == 4)
        }
    }

    /// More than one page of a list.
    @Test func `a run that ended at its limit does not end a later one`() async throws {
        try await withGallery(PixelServer(count: 250)) { gallery, _, source in
            let line = ["fetch", "1-", "--feed", "user", "--user", "ansel", "--new", "--size", "thumbnail"]
            let few = try await gallery.run(line + ["--limit", "15"] + source)
            #expect(few.status == 0 && few.lines.count == 15, "\(few.all)")
            let rest = try await gallery.run(line + source)
            #expect(rest.status == 0 && rest.lines.count == 235, "\(rest.all)")
        }
    }

    @Test func `a run in which photos could not be read does not end a later one`() async throws {
        let mended = Gate()
        let pixels = PixelServer(count: 250)
        let answer: LocalServer.Handler = { request in
            guard !mended.isOpen, request.query("page") == "3" else { return pixels.reply(to: request) }
            let thumbnail = request.serverURL.appending(path: "thumb/201").absoluteString
            let photo = #"{"id":201,"name":"Photo 201","images":[{"size":3,"url":"\#(thumbnail)"}]}"#
            return .json(
                #"{"current_page":3,"total_pages":3,"total_items":250,"photos":[\#(photo),{"name":"?"}]}"#)
        }
        try await withGallery(of: "500px", at: "v1", answer) { gallery, _, source in
            let line =
                ["fetch", "1-", "--feed", "user", "--user", "ansel", "--new", "--size", "thumbnail"]
                + ["--refresh"] + source
            let first = try await gallery.run(line)
            #expect(first.lines.count == 201 && first.errors.contains("Left out 1 photo: "), "\(first.all)")
            mended.open()
            let rest = try await gallery.run(line)
            #expect(rest.status == 0 && rest.lines.count == 49, "\(rest.all)")
        }
    }

    // MARK: - Names

    @Test(arguments: [
        (["--name", "{id}.jpg"], "1.jpg"), (["--name", "{id}.{ext}"], "1.jpg"),
        (["--name", "{index:4}"], "0001.jpg"), (["--name", "{size}-{width:6}"], "full-004000.jpg"),
    ])
    func `names have fields, widths and one extension`(options: [String], name: String) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "1"] + options + source)
            #expect(outcome.lines == [name], "\(outcome.all)")
        }
    }

    @Test func `thumbnail and full size of a photo have names of their own`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let small = try await gallery.run(["fetch", "1", "--size", "thumbnail"] + source)
            #expect(small.lines == ["1_Photo 1_thumbnail.jpg"], "\(small.all)")
            let full = try await gallery.run(["fetch", "1"] + source)
            #expect(full.lines == ["1_Photo 1.jpg"], "\(full.all)")
            let names = try files(gallery)
            #expect(names == ["1_Photo 1.jpg", "1_Photo 1_thumbnail.jpg"])
        }
    }

    // MARK: - Readers

    @Test func `names that nobody reads do not end a download`() async throws {
        let isAlone = Gate()
        let pixels = PixelServer(fault: { request in
            guard request.path.hasPrefix("/thumb/"), request.path != "/thumb/1" else { return nil }
            return .file(PixelServer.thumbnail(2), tag: "\"v1\"").delayed(until: isAlone)
        })
        try await withGallery(pixels) { gallery, _, source in
            let words = ["fetch", "1-12", "--size", "thumbnail"] + source
            let command = ([gallery.executable.path] + words).map { "'\($0)'" }.joined(separator: " ")
            let reader = "{ head -n 1; exec </dev/null; echo gone > ../gone; }"
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let run = try shell.start(
                    ["-c", "(\(command); echo $? >&2) | \(reader)"], in: gallery.folder)
                let gone = gallery.folder.deletingLastPathComponent().appending(path: "gone")
                try await waitForFile(gone, bytes: 1)
                isAlone.open()
                let outcome = try await run.outcome()
                #expect(outcome.lines == ["1_Photo 1_thumbnail.jpg"], "\(outcome.all)")
                #expect(outcome.errors.contains("12 fetched, 0 kept, 0 failed"), "\(outcome.all)")
                #expect(
                    outcome.errors.components(separatedBy: "Output was closed").count == 2, "\(outcome.all)")
                #expect(outcome.errors.hasSuffix("\n0\n"), "\(outcome.all)")
                #expect(try files(gallery).count == 12)
            }
        }
    }

    // MARK: - Dry runs

    @Test func `a dry run says what would be kept, and keeps to the format`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            _ = try await gallery.run(["fetch", "2"] + source)
            let text = try await gallery.run(["fetch", "1-2", "--dry-run"] + source)
            let address = { (id: Int) in server.url("/full/\(id)").absoluteString + "?sig=abc%3D" }
            #expect(
                text.lines == [
                    "1_Photo 1\t\(address(1))\t2048×1536",
                    "2_Photo 2.jpg\t\(address(2))\t16×16\t40 KB\tkept",
                ], "\(text.all)")
            let json = try await gallery.run(
                ["fetch", "1-2", "--dry-run", "--format", "jsonl", "--name", "new/{id}"] + source)
            let objects = try json.lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(objects.map { $0["path"] as? String } == ["new/1", "new/2"])
            #expect(objects.map { $0["status"] as? String } == ["planned", "planned"])
            #expect(objects.map { $0["id"] as? String } == ["1", "2"])
            let kept = try await gallery.run(
                ["fetch", "2", "--dry-run", "--format", "jsonl"] + source)
            #expect(kept.output.contains(#""bytes":40002,"status":"kept","error":null"#), "\(kept.all)")
            let over = try await gallery.run(["fetch", "2", "--dry-run", "--overwrite"] + source)
            #expect(over.lines == ["2_Photo 2\t\(address(2))\t2048×1536"])
            #expect(try files(gallery) == ["2_Photo 2.jpg"])
        }
    }

    // MARK: - Rates

    @Test(arguments: ["", "k", "fast", "-1", "1e6", "500kb", "nan", "0", "999", "0.5k"])
    func `a rate that cannot be used is a usage error`(rate: String) throws {
        let refusal = try #require(Refusal(of: ["fetch", "1", "--limit-rate=\(rate)"]))
        #expect(refusal.status == 64 && refusal.message.contains("limit-rate"), "\(refusal)")
    }

    @Test(arguments: ["1000000", "500k", "2M", "1.5m", "1G"])
    func `a rate is given as in curl`(rate: String) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "1-2", "--limit-rate", rate] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 2, "\(outcome.all)")
        }
    }

    // MARK: - Times

    @Test func `a file's time is the photo's date`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            func time() throws -> Date? {
                let path = gallery.folder.appending(path: "1_Photo 1.jpg").path
                return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            }
            let list = try await gallery.run(["popular", "--per-page", "1", "--format", "jsonl"] + source)
            for (key, stamp) in [
                ("taken", "2011-11-05T15:54:37Z"), ("published", "2012-02-09T07:27:16Z"),
            ] {
                let line = list.output.replacing("\"\(key)\":null", with: "\"\(key)\":\"\(stamp)\"")
                let input = Data(line.utf8)
                let date = try Date(stamp, strategy: .iso8601)
                let plain = try await gallery.run(["fetch", "-"] + source, input: input)
                #expect(plain.lines == ["1_Photo 1.jpg"], "\(plain.all)")
                #expect(try time() != date)
                let dated = try await gallery.run(["fetch", "-", "--times"] + source, input: input)
                #expect(dated.errors.contains("1 kept"), "\(dated.all)")
                #expect(try time() == date)
            }
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and the folders it fetches into, over several runs.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FolderEndToEndTests {
    @Test func `verify finds what was cut, changed or removed, and repairs what is not whole`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            _ = try await gallery.run(["fetch", "1-4"] + source)
            let cut = gallery.folder.appending(path: "1_Photo 1.jpg")
            let changed = gallery.folder.appending(path: "2_Photo 2.jpg")
            try Data(contentsOf: cut).prefix(20_000).write(to: cut)
            let edited = Pictures.jpeg(bytes: 30_000, seed: 99)
            try edited.write(to: changed)
            try gallery.remove("3_Photo 3.jpg")

            let found = try await gallery.run(["verify"], expecting: 1)
            #expect(
                // In the order of the record, which is the order of arrival.
                found.lines.sorted() == [
                    "1_Photo 1.jpg: it has 20000 of 40001 bytes",
                    "2_Photo 2.jpg: changed since it was downloaded",
                    "3_Photo 3.jpg: missing",
                ])
            #expect(found.errors == "1 whole, 1 broken, 1 missing, 1 changed\n")

            try await gallery.runWell(["verify", "--repair"] + source)
            for id in 1...4 {
                let file = try gallery.data("\(id)_Photo \(id).jpg")
                #expect(file == (id == 2 ? edited : PixelServer.picture(id)))
            }
            // Details of two photos in one request.
            let batches = server.requests.compactMap { $0.query("ids") }
            #expect(batches.map { $0.split(separator: ",").sorted() } == [["1", "3"]])
            // The owner's picture stays, whatever is fetched.
            let again = try await gallery.run(["fetch", "1-4"] + source)
            #expect(again.errors.hasPrefix("0 fetched, 4 kept"), "\(again.all)")
            #expect(try Data(contentsOf: changed) == edited)
            let quiet = try await gallery.run(["verify", "-q"])
            #expect(quiet.all == "status(0)\n\n", "\(quiet.all)")
            let last = try await gallery.run(["verify"])
            #expect(
                last.status == 0 && last.errors == "3 whole, 1 changed\n", "\(last.all)")
        }
    }

    @Test func `what rotted is damaged, told even with -q, and mended by a repair`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            _ = try await gallery.run(["fetch", "1-3"] + source)
            let file = gallery.folder.appending(path: "2_Photo 2.jpg")
            let time = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
            var bytes = try Data(contentsOf: file)
            for place in 20_000..<20_004 { bytes[place] ^= 1 }
            try bytes.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: try #require(time)], ofItemAtPath: file.path)

            let line = "2_Photo 2.jpg: damaged: its bytes have changed, and nobody has written to it"
            let found = try await gallery.run(["verify"], expecting: 1)
            #expect(found.lines == [line] && found.errors == "2 whole, 1 damaged\n", "\(found.all)")
            let quiet = try await gallery.run(["verify", "-q"], expecting: 1)
            #expect(quiet.lines == [line] && quiet.errors.isEmpty, "\(quiet.all)")
            let fetched = try await gallery.run(["fetch", "1-3"] + source, expecting: 1)
            #expect(
                fetched.errors.contains("2_Photo 2.jpg' is damaged: its bytes have changed"),
                "\(fetched.all)")
            #expect(fetched.errors.contains("Help: Run 'gallery verify --repair'"), "\(fetched.all)")
            #expect(fetched.errors.contains("0 fetched, 2 kept, 1 failed"), "\(fetched.all)")
            try await gallery.runWell(["verify", "--repair"] + source)
            #expect(try Data(contentsOf: file) == PixelServer.picture(2))
            #expect(try await gallery.runWell(["verify"]).errors == "3 whole\n")
        }
    }

    @Test func `a manifest saved by another program is read, and what cannot be read of it is told`()
        async throws
    {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            let line = ["fetch", "1-", "--feed", "popular", "--new"] + source
            _ = try await gallery.run(line)
            let url = gallery.folder.appending(path: ".gallery.jsonl")
            let text = try String(contentsOf: url, encoding: .utf8)
            for name in ["1_Photo 1.jpg", "2_Photo 2.jpg"] {
                try gallery.remove(name)
            }
            let saved = Data(("\u{FEFF}" + text.replacing("\n", with: "\r\n")).utf8)
            try saved.write(to: url)
            let again = try await gallery.run(line)
            #expect(
                again.errors.contains("0 fetched, 0 kept") && !again.errors.contains("Warning"),
                "\(again.all)")
            // The photo of the line that cannot be read is new.
            var lines = text.split(separator: "\n").map(String.init)
            // Lines stand in the order in which files came.
            let place = try #require(lines.firstIndex { $0.contains("\"1_Photo 1.jpg\"") })
            lines[place] = "by hand"
            let damaged = Data((lines.joined(separator: "\n") + "\n").utf8)
            try damaged.write(to: url)
            let warning = "Warning: Line \(place + 1) of '.gallery.jsonl' is damaged.\n"
            #expect(try await gallery.run(["verify"]).errors.hasPrefix(warning))
            let fetched = try await gallery.run(line)
            #expect(
                fetched.errors.hasPrefix(warning) && fetched.errors.contains("1 fetched"), "\(fetched.all)")
            #expect(try gallery.data(".gallery.jsonl.damaged") == damaged)
            #expect(try await !gallery.run(line).errors.contains("Warning"))
        }
    }

    @Test func `a manifest of which nothing can be read ends each run until a new one is begun`() async throws
    {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            let line = ["fetch", "1-", "--feed", "popular", "--new", "-q"] + source
            _ = try await gallery.run(line)
            try gallery.remove("1_Photo 1.jpg")
            let (url, zeros) = (gallery.folder.appending(path: ".gallery.jsonl"), Data(count: 400))
            try zeros.write(to: url)
            let before = server.requests.count
            for words in [line, ["verify", "-q"]] {
                let outcome = try await gallery.run(words, expecting: 74)
                #expect(outcome.errors.hasPrefix("Error: Nothing of the manifest '"), "\(outcome.all)")
                #expect(outcome.errors.contains("'gallery verify --adopt "), "\(outcome.all)")
            }
            #expect(try Data(contentsOf: url) == zeros)
            #expect(
                server.requests.count { $0.path.hasPrefix("/full") } == 3
                    && server.requests.count <= before + 1)
            let adopted = try await gallery.run(["verify", "--adopt"])
            #expect(
                adopted.status == 0 && adopted.errors.contains("'.gallery.jsonl.damaged'"), "\(adopted.all)")
            #expect(try gallery.data(".gallery.jsonl.damaged") == zeros)
            // Nobody knows any more that the first was deleted; the others are there.
            #expect(try await gallery.run(line.filter { $0 != "-q" }).errors.contains("1 fetched, 2 kept"))
        }
    }

    @Test func `an interrupted fetch goes on where it stopped`() async throws {
        let gate = Gate()
        let pixels = PixelServer(fault: { request in
            guard request.path == "/full/1" else { return nil }
            let whole = LocalReply.file(PixelServer.picture(1), tag: "\"v1\"")
            return request.attempt == 1 ? whole.stalled(at: .half, until: gate) : whole
        })
        try await withGallery(pixels) { gallery, server, source in
            let run = try gallery.start(["fetch", "1"] + source)
            try await server.waitForRequests(1, to: "/full/1")
            let part = gallery.folder.appending(path: "1_Photo 1.part")
            try await waitForFile(part, bytes: 20_000)
            // Which file the bytes are of; a transfer of less than 50 ms leaves no such note.
            try await waitForFile(part.appendingPathExtension("json"), bytes: 1)
            run.send(SIGINT)
            let interrupted = try await run.outcome()
            #expect(interrupted.status == 130, "\(interrupted.all)")
            #expect(interrupted.errors.contains("Interrupted: 1 not fetched."))
            gate.open()
            let resumed = try await gallery.run(["fetch", "1", "--format", "jsonl"] + source)
            #expect(resumed.output.contains(#""status":"resumed""#), "\(resumed.all)")
            #expect(server.requests(to: "/full/1").last?.headers["Range"]?.hasPrefix("bytes=") == true)
            #expect(try gallery.data("1_Photo 1.jpg") == PixelServer.picture(1))
        }
    }
}

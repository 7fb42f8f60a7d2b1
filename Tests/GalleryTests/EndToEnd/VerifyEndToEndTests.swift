import Foundation
import GalleryTestSupport
import Testing

/// The built program and folders that are not as they were.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct VerifyEndToEndTests {
    private func remove(_ names: String..., from gallery: BuiltProduct) throws {
        for name in names { try gallery.remove(name) }
    }

    @Test func `a service without its key fails its own photos, and the others are repaired`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            _ = try await gallery.run(["fetch", "1", "-s", "sample"])
            _ = try await gallery.run(["fetch", "1-2"] + source)
            let own = "1001_Eileen Collins.jpg"
            try remove(own, "1_Photo 1.jpg", "2_Photo 2.jpg", from: gallery)
            // As an earlier version recorded them: it is the official API, which nobody may ask without a key.
            let record = gallery.folder.appending(path: ".gallery.jsonl")
            let text = try String(contentsOf: record, encoding: .utf8).replacing(/,"base":"[^"]*"/, with: "")
            try Data(text.utf8).write(to: record)
            let outcome = try await gallery.run(["verify", "--repair"], expecting: 1)
            #expect(outcome.lines.last == own)
            let reason = "500px needs a key, but none is set.\n"
            for name in ["1_Photo 1.jpg", "2_Photo 2.jpg"] {
                #expect(outcome.errors.contains("Error: \(name): \(reason)"), "\(outcome.errors)")
            }
            #expect(outcome.errors.contains("Help: Set GALLERY_500PX_KEY, "))
            #expect(outcome.errors.contains("1 fetched, 0 kept, 2 failed"))
            // Now they all fail for one reason.
            #expect(try await gallery.run(["verify", "--repair"]).status == 77)
        }
    }

    @Test(arguments: [-1, 7])
    func `a page that a work has not is one failure`(page: Int) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            _ = try await gallery.run(["fetch", "1"] + source)
            let record = gallery.folder.appending(path: ".gallery.jsonl")
            let text = try String(contentsOf: record, encoding: .utf8)
            try Data(text.replacing("\"page\":0", with: "\"page\":\(page)").utf8).write(to: record)
            try remove("1_Photo 1.jpg", from: gallery)
            let outcome = try await gallery.run(["verify", "--repair"] + source)
            #expect(outcome.errors.contains("has no file for '1_Photo 1.jpg'."), "\(outcome.all)")
            #expect(outcome.status == 66, "\(outcome.all)")
        }
    }

    @Test(arguments: [nil, "cut off"])
    func `a file that comes back as a picture of another type is whole`(before: String?) async throws {
        let changed = Gate()
        let pixels = PixelServer(fault: { request in
            guard request.path == "/full/1", changed.isOpen else { return nil }
            return .file(Pictures.png(width: 8, height: 8), tag: "\"v2\"")
        })
        try await withGallery(pixels) { gallery, server, source in
            _ = try await gallery.run(["fetch", "1-2"] + source)
            try remove("1_Photo 1.jpg", from: gallery)
            try before.map { try Data($0.utf8).write(to: gallery.folder.appending(path: "1_Photo 1.jpg")) }
            changed.open()
            let repaired = try await gallery.run(["verify", "--repair"] + source)
            #expect(repaired.status == 0 && repaired.lines.last == "1_Photo 1.png", "\(repaired.all)")
            #expect(try await gallery.run(["verify"]).all == "status(0)\n\n2 whole\n")
            // Where that one is gone, it is the one that is missing.
            try remove("1_Photo 1.png", "2_Photo 2.jpg", from: gallery)
            let missing = try await gallery.run(["verify"])
            #expect(
                missing.lines.sorted() == ["1_Photo 1.png: missing", "2_Photo 2.jpg: missing"])
            #expect(missing.errors == "2 missing\n")
        }
    }

    @Test func `a broken file stays while nothing whole has taken its place`() async throws {
        let away = Gate()
        let pixels = PixelServer(fault: { $0.path == "/full/1" && away.isOpen ? .status(404) : nil })
        try await withGallery(pixels) { gallery, _, source in
            _ = try await gallery.run(["fetch", "1-2"] + source)
            let file = gallery.folder.appending(path: "1_Photo 1.jpg")
            try Data("cut off".utf8).write(to: file)
            away.open()
            try await gallery.run(["verify", "--repair"] + source, expecting: 66)
            #expect(try Data(contentsOf: file) == Data("cut off".utf8))
        }
    }

    @Test func `a file moved within the folder is found by its bytes, and the manifest follows`() async throws
    {
        try await withBuiltProduct { gallery in
            _ = try await gallery.run(["fetch", "1-2", "-s", "sample"])
            let (old, new) = ("1001_Eileen Collins.jpg", "astronauts/Eileen.jpg")
            let files = (gallery.folder.appending(path: old), gallery.folder.appending(path: new))
            try FileManager.default.createDirectory(
                at: files.1.deletingLastPathComponent(), withIntermediateDirectories: true)
            for (from, to, names) in [(files.0, files.1, (old, new)), (files.1, files.0, (new, old))] {
                try FileManager.default.moveItem(at: from, to: to)
                let outcome = try await gallery.run(["verify"])
                #expect(outcome.status == 0 && outcome.lines == ["\(names.0): it is '\(names.1)' now"])
                #expect(outcome.errors == "1 whole, 1 moved\n")
                #expect(
                    try await gallery.run(["verify"]).all == "status(0)\n\n2 whole\n")
            }
            // A copy is no move: what it was copied from is the manifest's own.
            try FileManager.default.copyItem(at: files.0, to: files.1)
            #expect(try await gallery.run(["verify"]).errors == "2 whole\n")
        }
    }

    @Test func `what was deleted on purpose is forgotten, and is not new again`() async throws {
        try await withBuiltProduct { gallery in
            let fetch = ["fetch", "1-2", "-s", "sample"]
            _ = try await gallery.run(fetch)
            let own = "1001_Eileen Collins.jpg"
            try remove(own, from: gallery)
            let outcome = try await gallery.run(["verify", "--forget"])
            #expect(outcome.status == 0 && outcome.lines == ["\(own): missing, and forgotten now"])
            #expect(outcome.errors == "1 whole, 1 forgotten\n")
            #expect(try await gallery.run(["verify"]).all == "status(0)\n\n1 whole\n")
            #expect(try await gallery.run(fetch + ["--new"]).lines == [])
            // Downloaded again, it is missed again.
            #expect(try await gallery.run(fetch).lines.contains(own))
            try remove(own, from: gallery)
            let missing = try await gallery.run(["verify"])
            #expect(missing.status == 1 && missing.lines == ["\(own): missing"])
        }
    }

    @Test func `a part that no photo has claimed for a month is told, and removed by a repair`() async throws
    {
        try await withBuiltProduct { gallery in
            _ = try await gallery.run(["fetch", "1", "-s", "sample"])
            let note = #"{"photo":"500px:9","page":0,"source":"https://h/9","boot":"b","synced":0}"#
            func write(_ name: String, _ text: String, days: Double) throws {
                let file = gallery.folder.appending(path: name)
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() - days * 86_400], ofItemAtPath: file.path)
            }
            try write("old.part", "bytes", days: 31)
            try write("young.part", "bytes", days: 29)
            for name in ["old", "young"] { try write(name + ".part.json", note, days: 31) }
            // Without a note it is another program's.
            try write("foreign.part", "bytes", days: 31)
            let told = try await gallery.run(["verify"])
            #expect(told.status == 0 && told.lines == ["old.part: no photo has claimed it for 30 days"])
            #expect(told.errors == "1 whole, 1 old part\n")
            let repaired = try await gallery.runWell(["verify", "--repair"])
            #expect(
                repaired.lines == ["old.part: no photo has claimed it for 30 days, and is removed"])
            let names = try gallery.names()
            #expect(
                names.filter { $0.contains(".part") }.sorted()
                    == ["foreign.part", "young.part", "young.part.json"])
        }
    }

    @Test func `what is no folder has its reason`() async throws {
        try await withBuiltProduct { gallery in
            let (file, loop) = (
                gallery.folder.appending(path: "file"), gallery.folder.appending(path: "loop")
            )
            try Data().write(to: file)
            try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: "loop")
            for (path, status, message) in [
                ("none", 66, "There is no folder 'none'."), ("file", 66, "'file' is not a folder."),
                ("file/below", 66, "'file/below' is not a folder."),
                ("loop", 74, "'loop' cannot be read: Too many levels of symbolic links."),
            ] {
                let outcome = try await gallery.run(["verify", path])
                #expect(
                    outcome.status == Int32(status) && outcome.errors == "Error: \(message)\n",
                    "\(outcome.all)")
            }
            #expect(try await gallery.run(["verify", ""]).status == 64)
        }
    }

    @Test(.needsOrdinaryUser) func `a folder that may not be read has its reason`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "shut")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o000])
            let outcome = try await gallery.run(["verify", "shut"], expecting: 74)
            #expect(outcome.errors == "Error: 'shut' cannot be read: Permission denied.\n")
        }
    }

    @Test func `a folder that nothing was downloaded to has no manifest`() async throws {
        try await withBuiltProduct { gallery in
            for line in [["verify"], ["verify", "--repair"]] {
                let outcome = try await gallery.run(line, expecting: 66)
                #expect(
                    outcome.errors == "Error: '.' has no manifest, '.gallery.jsonl'.\n")
            }
        }
    }
}

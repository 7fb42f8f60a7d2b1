import Foundation
import GalleryTestSupport
import ProductTestSupport
import TerminalPictures
import Testing

/// Ratings: given, shown, filtered by, and written into files.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct RatingEndToEndTests {
    @Test func `photos are rated, which does not mark them, shown, filtered, and sorted by it`() async throws
    {
        try await withBuiltProduct("gallery") { gallery in
            _ = try await gallery.run(["popular"])
            #expect(try await gallery.run(["rate", "2", "4", "4"]).errors == "2 rated 4\n")
            #expect(try await gallery.run(["mark", "5", "--rating", "2"]).errors == "1 rated 2\n")
            #expect(try await gallery.run(["marked"]).errors == "No photos.\n")
            #expect(try await gallery.run(["mark", "2", "4", "-s", "sample"]).errors == "2 marked\n")
            let table = try await gallery.run(["popular", "--limit", "3"])
            #expect(table.lines[0].contains("Stars") && table.lines[2].contains("  4  "), "\(table.output)")
            let best = try await gallery.run(["popular", "--stars", "3-", "--format", "jsonl"])
            #expect(
                best.lines.count == 2 && best.lines.allSatisfy { $0.contains(#""stars":4,"#) }, "\(best.all)")
            #expect(best.errors == "Left out 10 photos: 10 by --stars.\n")
            #expect(try await gallery.run(["popular", "--rating", "0", "--format", "url"]).lines.count == 9)
            #expect(try await gallery.run(["popular", "--stars", "-3", "--format", "url"]).lines.count == 1)
            let list = try await gallery.run(["marked", "--rating", "2-4", "--format", "csv"])
            #expect(list.lines.count == 3 && list.lines[1].hasSuffix(",4,,"), "\(list.output)")
            let sorted = try await gallery.run(["popular", "--sort", "-stars", "--format", "jsonl"])
            #expect(Self.stars(sorted).prefix(4) == ["4", "4", "2", "null"])
            let shown = try await gallery.run(["show", "2", "-s", "sample"])
            #expect(shown.output.contains("Stars        4 of 5\n"), "\(shown.all)")
            let fetched = try await gallery.run(["fetch", "1-", "-s", "sample", "--stars", "4"])
            #expect(fetched.lines.count == 2, "\(fetched.all)")
            #expect(
                try await gallery.run(["rate", "2", "-s", "sample", "0"]).errors
                    == "rating removed from 1 photo\n")
            #expect(try await gallery.run(["popular", "--rating", "4", "--format", "url"]).lines.count == 1)
            #expect(try await gallery.run(["marked", "--format", "url"]).lines.count == 2)
        }
    }

    @Test(arguments: [
        ["popular", "--rating", "6"], ["popular", "--rating", "4-2"], ["popular", "--rating", "x"],
        ["popular", "--rating", "-"], ["popular", "--rating", "1-2-3"], ["popular", "--rating", ""],
        ["mark", "1", "--rating", "6"], ["mark", "1", "--write-ratings"], ["rate", "3"], ["rate"],
        ["rate", "3", "6"], ["rate", "3", "x"], ["popular", "--stars", "--"], ["popular", "--stars", "-6"],
    ])
    func `what is no rating is a usage error`(words: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            _ = try await gallery.run(words, expecting: 64)
        }
    }

    /// A folder with a picture of each kind, and what became of each once all were rated.
    private func withFolder(
        _ body: (BuiltProduct, _ folder: URL, _ gallery: ([String]) async throws -> ProductOutcome)
            async throws -> Void
    ) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let folder = try gallery.makeFolder("pictures")
            try Pictures.jpeg(bytes: 5000, seed: 1).write(to: folder.appending(path: "a.jpg"))
            try Pictures.png(width: 4, height: 4).write(to: folder.appending(path: "b.png"))
            try await body(gallery, folder) { words in
                try await gallery.run(words + ["--folder", folder.path])
            }
        }
    }

    private static func stars(_ outcome: ProductOutcome) -> [String] {
        outcome.lines.compactMap { $0.firstMatch(of: /"stars":(\d|null)/).map { String($0.1) } }
    }

    @Test func `without being told so, no file is touched`() async throws {
        try await withFolder { _, folder, gallery in
            let before = try Data(contentsOf: folder.appending(path: "a.jpg"))
            _ = try await gallery(["rate", "1-2", "5"])
            #expect(try Data(contentsOf: folder.appending(path: "a.jpg")) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
            #expect(Self.stars(try await gallery(["popular", "--format", "jsonl"])) == ["5", "5"])
        }
    }

    @Test func `a sidecar of another program is read, and edited in its place`() async throws {
        try await withFolder { product, folder, gallery in
            let (sidecar, other) = (folder.appending(path: "a.jpg.xmp"), folder.appending(path: "b.xmp"))
            let packet = "<rdf:Description xmp:Rating=\"2\" darktable:params=\"gz08\"/>"
            try Data(packet.utf8).write(to: sidecar)
            try Data("<rdf:Description xmp:Rating='3'/>".utf8).write(to: other)
            let list = try await gallery(["popular", "--ranking", "name", "--format", "jsonl"])
            #expect(Self.stars(list) == ["2", "3"])
            _ = try await gallery(["mark", "2", "--ranking", "name"])
            try Data("<rdf:Description xmp:Rating='1'/>".utf8).write(to: other)
            #expect(
                Self.stars(try await product.run(["marked", "--stars", "1", "--format", "jsonl"])) == ["1"])
            try Data("<rdf:Description xmp:Rating='3'/>".utf8).write(to: other)
            // It is not a picture that was left out.
            #expect(list.errors.isEmpty)
            let before = try Data(contentsOf: folder.appending(path: "a.jpg"))
            let rated = try await gallery([
                "rate", "1", "5", "--ranking", "name", "--write-ratings",
            ])
            #expect(rated.errors == "1 rated 5\n" && rated.status == 0, "\(rated.all)")
            #expect(
                try String(contentsOf: sidecar, encoding: .utf8) == packet.replacing("\"2\"", with: "\"5\""))
            #expect(try Data(contentsOf: folder.appending(path: "a.jpg")) == before)
            // The file says it now: what another program writes later counts.
            try Data(packet.replacing("\"2\"", with: "\"1\"").utf8).write(to: sidecar)
            #expect(
                Self.stars(try await gallery(["popular", "--ranking", "name", "--format", "jsonl"])) == [
                    "1", "3",
                ])
            try Data("damaged".utf8).write(to: sidecar)
            let refused = try await gallery([
                "rate", "1", "5", "--ranking", "name", "--write-ratings",
            ])
            #expect(
                refused.status == 1 && refused.errors.contains("'a.jpg.xmp' could not be rated"),
                "\(refused.all)")
            #expect(try String(contentsOf: sidecar, encoding: .utf8) == "damaged")
            // It is kept here.
            #expect(
                Self.stars(try await gallery(["popular", "--ranking", "name", "--format", "jsonl"])) == [
                    "5", "3",
                ])
        }
    }

    @Test func `a new sidecar says it, and the picture stays as it is`() async throws {
        try await withFolder { product, folder, _ in
            let link = folder.appending(path: "c.jpg")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.jpg")
            let pictures = ["a.jpg", "b.png"].map { folder.appending(path: $0) }
            let before = try pictures.map { try Data(contentsOf: $0) }
            try await product.runWell([
                "rate", "1-3", "4", "--ranking", "name", "--write-ratings", "--folder",
                folder.path,
            ])
            #expect(try pictures.map { try Data(contentsOf: $0) } == before)
            for name in ["a.jpg.xmp", "b.png.xmp", "c.jpg.xmp"] {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                #expect(text.contains("xmp:Rating=\"4\""))
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "a.jpg")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 6)
        }
    }

    @Test func `the configuration says it once for all`() async throws {
        try await withFolder { product, folder, gallery in
            #expect(try await product.run(["config", "set", "writeRatings", "yes"]).status == 64)
            #expect(try await product.run(["config", "set", "writeRatings", "true"]).status == 0)
            #expect(try await product.run(["config", "get", "writeRatings"]).output == "true\n")
            try Data("<rdf:Description xmp:Rating='3'/>".utf8).write(to: folder.appending(path: "b.xmp"))
            _ = try await gallery(["rate", "2", "1", "--ranking", "name"])
            let text = try String(contentsOf: folder.appending(path: "b.xmp"), encoding: .utf8)
            #expect(text == "<rdf:Description xmp:Rating='1'/>")
        }
    }
}

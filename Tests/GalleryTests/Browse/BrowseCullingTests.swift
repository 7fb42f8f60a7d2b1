import Foundation
import GalleryTestSupport
import Testing

/// Judging photos in the built program: several at once, and taking it back.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct BrowseCullingTests {
    /// A folder of nine pictures, browsed by name.
    private func browsing(
        _ words: [String] = [], _ body: (BuiltProduct, _ folder: URL, Browsing) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in 1...9 {
                try Pictures.jpeg(bytes: 5000, seed: UInt64(name)).write(
                    to: folder.appending(path: "\(name).jpg"))
            }
            let browse = try Browsing(
                gallery, ["1", "--folder", "p", "--ranking", "name"] + words,
                environment: ["XDG_DATA_HOME": gallery.folder.path])
            try await browse.shows("1 of 9")
            try await body(gallery, folder, browse)
            #expect(try await browse.quit() == 0)
        }
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    @Test func `several photos go to the trash together, and come back`() async throws {
        try await browsing { _, folder, browse in
            let all = try names(in: folder)
            browse.type("\t")
            try await browse.shows("[1 1.jpg]")
            browse.type("\u{1B}[1;2C\u{1B}[1;2C")
            try await browse.shows("3 selected")
            browse.type("d")
            try await browse.shows("Move 3 files to the trash? (y/n)")
            browse.type("y")
            try await browse.shows("Moved 3 files to the trash. U takes them back.")
            #expect(try names(in: folder) == Array(all.dropFirst(3)))
            browse.type("U")
            try await browse.shows("Took 3 files back from the trash.")
            #expect(try names(in: folder) == all)
        }
    }

    @Test func `several photos are marked, rated, and fetched`() async throws {
        try await browsing(["-d", "out"]) { gallery, folder, browse in
            browse.type("\t V")
            try await browse.shows("1 selected")
            browse.type("ll")
            try await browse.shows("3 selected")
            browse.type("m")
            try await browse.shows("3 photos marked.")
            browse.type("4")
            try await browse.shows("4 stars for 3 photos. u takes it back.")
            browse.type("f")
            try await browse.shows("Fetched or kept 3 photos.")
            #expect(try names(in: gallery.folder.appending(path: "out")) == ["1.jpg", "2.jpg", "3.jpg"])
            let marked = try await gallery.run(["marked", "--format", "jsonl"])
            #expect(
                marked.lines.count == 3 && marked.lines.allSatisfy { $0.contains(#""stars":4,"#) },
                "\(marked.all)")
        }
    }
}

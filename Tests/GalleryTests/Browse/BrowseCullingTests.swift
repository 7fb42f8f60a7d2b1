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
            let folder = try gallery.makeFolder("p")
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
            try await browse.type("\t", shows: "[1 1.jpg]")
            try await browse.type("\u{1B}[1;2C\u{1B}[1;2C", shows: "3 selected")
            try await browse.type("d", shows: "Move 3 files to the trash? (y/n)")
            try await browse.type("y", shows: "Moved 3 files to the trash. U takes them back.")
            #expect(try names(in: folder) == Array(all.dropFirst(3)))
            try await browse.type("U", shows: "Took 3 files back from the trash.")
            #expect(try names(in: folder) == all)
        }
    }

    @Test func `several photos are marked, rated, and fetched`() async throws {
        try await browsing(["-d", "out"]) { gallery, folder, browse in
            try await browse.type("\t V", shows: "1 selected")
            try await browse.type("ll", shows: "3 selected")
            try await browse.type("m", shows: "3 photos marked.")
            try await browse.type("4", shows: "4 stars for 3 photos. u takes it back.")
            try await browse.type("f", shows: "Fetched or kept 3 photos.")
            #expect(try names(in: gallery.folder.appending(path: "out")) == ["1.jpg", "2.jpg", "3.jpg"])
            let marked = try await gallery.run(["marked", "--format", "jsonl"])
            #expect(
                marked.lines.count == 3 && marked.lines.allSatisfy { $0.contains(#""stars":4,"#) },
                "\(marked.all)")
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and a folder of every format: listed, shown, fetched, verified.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct FolderFormatsTests {
    private static let names = try? Fixture.names(in: "pictures").filter { !$0.hasSuffix(".md") }

    private func fill(_ folder: URL) throws -> [String] {
        let names = try #require(Self.names)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            let leaf = String(try #require(name.split(separator: "/").last))
            try Fixture.data(name).write(to: folder.appending(path: leaf))
        }
        return names
    }

    @Test func `the folder service, fetch and verify agree on every format`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let count = try fill(gallery.folder.appending(path: "p")).count + 1
            // A raw file that only its name tells from a TIFF.
            try Fixture.data("pictures/tiled.tif").write(to: gallery.folder.appending(path: "p/raw.NEF"))
            try Data("%PDF-1.4".utf8).write(to: gallery.folder.appending(path: "p/a.pdf"))
            let listed = try await gallery.runWell([
                "popular", "--folder", "p", "--ranking", "name", "--format", "jsonl",
            ])
            #expect(listed.lines.count == count)
            #expect(listed.errors == "Left out 1 document.\n")
            let fetched = try await gallery.runWell([
                "fetch", "1-", "--folder", "p", "--feed", "popular", "-d", "q", "--name", "{index}",
            ])
            #expect(fetched.lines.count == count)
            let endings = Set(fetched.lines.compactMap { $0.split(separator: ".").last.map(String.init) })
            #expect(endings == ["jpg", "heic", "avif", "jxl", "tif", "bmp", "nef", "webp", "gif"])
            let verified = try await gallery.run(["verify", "q"])
            #expect(verified.errors == "\(count) whole\n", "\(verified.all)")
            let fetchedAgain = try await gallery.run(["popular", "--folder", "q", "--format", "jsonl"])
            #expect(fetchedAgain.lines.count == count)
            // Cut, all of them are shown by the one, and none is whole to the other.
            for name in fetched.lines {
                let file = gallery.folder.appending(path: name)
                try Data(contentsOf: file).dropLast().write(to: file)
            }
            let cut = try await gallery.runWell(["popular", "--folder", "q", "--format", "jsonl"])
            #expect(cut.lines.count == count)
            #expect(cut.errors.isEmpty)
            #expect(try await gallery.run(["verify", "q"]).errors == "\(count) broken\n")
            // Copied as they are, they are what their source has.
            let copied = try await gallery.runWell([
                "fetch", "1-", "--folder", "q", "--feed", "popular", "-d", "r", "--name", "{index}",
            ])
            #expect(copied.lines.count == count)
            #expect(try await gallery.run(["verify", "r"]).errors == "\(count) incomplete\n")
            // A head that says nothing is no picture.
            for name in fetched.lines {
                let file = gallery.folder.appending(path: name)
                try Data(contentsOf: file).prefix(8).write(to: file)
            }
            let list = ["popular", "--folder", "q", "--format", "jsonl"]
            let broken = try await gallery.run(list)
            #expect(broken.lines.isEmpty)
            #expect(broken.errors.contains("Left out \(count) photos: '"), "\(broken.errors)")
            let named = try await gallery.run(list + ["-v"])
            for name in fetched.lines {
                let file = try #require(name.split(separator: "/").last)
                #expect(named.errors.contains("Left out: '\(file)' "), "\(named.errors)")
            }
        }
    }
}

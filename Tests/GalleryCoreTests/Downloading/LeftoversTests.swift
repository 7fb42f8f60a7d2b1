import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("What killed runs leave", .fewAtOnce, .timeLimit(.minutes(1)))
struct LeftoversTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)

    @Test(arguments: [
        ("a.part", Leftovers.Kind.part), ("b/a.part.json", .note), ("a.json.7.new", .draft(of: "a.json")),
        ("a.json.4294967296.new", nil), ("a.new", nil), ("7.new", nil), (".new", nil), ("a.json..new", nil),
        ("a.jpg", nil), ("a.part.jpg", nil),
    ])
    func `what a name says`(path: String, kind: Leftovers.Kind?) {
        #expect(Leftovers.Kind(path: path) == kind)
    }

    /// A folder whose manifest has `1_photo.jpg`, and what it has besides.
    private func withFolder(_ body: (DownloadFolder, URL) throws -> Void) async throws {
        try await withServer(.file(Self.photo)) { server, url in
            _ = await collect(downloader().fetch([item(1, at: server.url("/1"))], into: url))
            try body(DownloadFolder(try DestinationFolder(existing: url)), url)
        }
    }

    private func part(_ name: String, _ length: Int, _ folder: DownloadFolder) throws -> PartFile {
        let part = try #require(try PartFile.open(folder.folder.destination(for: name)))
        try SystemCall.write([UInt8](repeating: 7, count: length), to: part.file)
        if length > 0 { part.mark(length: Int64(length)) }
        return part
    }

    @Test func `only what is the program's own and nobody holds is removed`() async throws {
        try await withFolder { folder, url in
            // Ours, left.
            for length in [0, 1, 20_000] { try part("left\(length)", length, folder).unlock() }
            let gone = try part("gone", 10, folder)
            let head = HTTPHead(status: 200, url: url, headers: ["ETag": "\"1\""])
            let note = PartNote(item(1, at: url), head: head, boot: "x", now: Date())
            try gone.write(note)
            try SystemCall.remove("gone.part", from: folder.folder.root)
            let ours = ["1_photo.json.7.new", "1_photo.jpg.xmp.8.new", "1_photo.xmp.9.new"]
            let drafts = ours + [".gallery.jsonl.7.new", ".gallery.jsonl.damaged.7.new"]
            // Ours, held or of use; somebody else's.
            let held = try part("held", 10, folder)
            let resumable = try part("resumable", 10, folder)
            try resumable.write(note)
            let foreign = [
                "2_photo.json.7.new", "notes.7.new", "1_photo.png.7.new", "empty.part", "x.jpg.part",
            ]
            for name in drafts + foreign { try Data().write(to: url.appending(path: name)) }
            try Data("<html>".utf8).write(to: url.appending(path: "x.jpg.part"))
            let draft = try FileDraft(of: "1_photo.json", in: folder.folder.root, mode: 0o666)
            let open = try names(in: url).filter { $0.hasSuffix(".new") && !(drafts + foreign).contains($0) }
            Leftovers(in: folder).clear()
            let stays =
                foreign + open + ["1_photo.jpg", "held.part", "resumable.part", "resumable.part.json"]
            #expect(try Set(names(in: url)) == Set(stays))
            withExtendedLifetime((held, resumable, draft)) {}
        }
    }
}

import Foundation
import GalleryTestSupport
import Testing

/// The built program and the service `folder`, on a folder that it fetched itself.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FolderServiceTests {
    @Test func `a fetched folder is a service: listed, searched, shown, fetched from`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            func objects(_ line: [String]) async throws -> [[String: Any]] {
                let outcome = try await gallery.run(line + ["--folder", "p", "--format", "jsonl"])
                #expect(outcome.status == 0, "\(outcome.all)")
                return try outcome.lines.compactMap {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
            }
            _ = try await gallery.run(["fetch", "1-3", "-d", "p", "--metadata"])
            let folder = gallery.folder.appending(path: "p")
            let names = ["1003_Falcon 9 Launch", "1001_Eileen Collins", "1002_Hubble eXtreme Deep Field"]
            for (age, name) in names.enumerated() {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - Double(age) * 60)],
                    ofItemAtPath: folder.appending(path: name + ".jpg").path)
            }
            // The same bytes once more, the oldest, in a folder below.
            let copy = folder.appending(path: "below/again.jpg")
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: folder.appending(path: names[1] + ".jpg"), to: copy)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: copy.path)

            let titles = ["Falcon 9 Launch", "Eileen Collins", "Hubble eXtreme Deep Field", "again"]
            #expect(try await objects(["popular"]).map { $0["title"] as? String } == titles)
            #expect(try await objects(["search", "hubble"]).map { $0["width"] as? Int } == [1000])
            #expect(try await objects(["user", "NASA"]).map { $0["title"] as? String } == ["Eileen Collins"])
            #expect(
                try await objects(["popular", "--unique"]).map { $0["title"] as? String }
                    == titles.dropLast())
            let shown = try await gallery.run(["show", "3", "--folder", "p"])
            #expect(shown.output.contains("Hubble eXtreme Deep Field"), "\(shown.all)")

            let fetched = try await gallery.run(
                ["fetch", "1-", "--folder", "p", "-d", "q", "--name", "{index}", "--unique"])
            #expect(fetched.lines == ["q/1.jpg", "q/2.jpg", "q/3.jpg"], "\(fetched.all)")
            #expect(
                fetched.errors.hasPrefix("Left out 1 photo: 1 by --unique.\n3 fetched"), "\(fetched.errors)")
            #expect(
                try Data(contentsOf: gallery.folder.appending(path: "q/1.jpg"))
                    == (try Fixture.data("sample/full/rocket.jpg")))
        }
    }
}

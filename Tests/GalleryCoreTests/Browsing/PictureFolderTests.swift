import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct PictureFolderTests {
    /// Keeps files of 100 bytes, the first the oldest, within `limit` bytes.
    private func kept(_ names: [String], limit: Int) async throws -> [String] {
        try await withTemporaryDirectory { folder in
            let manager = FileManager.default
            for (age, name) in names.enumerated() {
                let file = folder.appending(path: name)
                try Data(count: 100).write(to: file)
                try manager.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(age))],
                    ofItemAtPath: file.path)
            }
            let downloader = Downloader(transport: FileTransport(roots: []))
            await PictureFolder(folder, downloader: downloader).prepare(limit: limit)
            return try manager.contentsOfDirectory(atPath: folder.path).sorted()
        }
    }

    @Test(arguments: [
        (["old", "mid", "new"], 300, ["mid", "new", "old"]), (["old", "mid", "new"], 250, ["mid", "new"]),
        (["c", "b", "a"], 250, ["a", "b"]), (["old", "mid", "new"], 120, ["new"]),
        (["old", "mid", "new"], 0, []), ([], 100, []),
    ])
    func `above its limit the pictures looked at longest ago go first`(
        names: [String], limit: Int, kept: [String]
    ) async throws {
        #expect(try await self.kept(names, limit: limit) == kept)
    }
}

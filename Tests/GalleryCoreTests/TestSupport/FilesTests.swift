import Foundation
import GalleryTestSupport
import Testing

struct FilesTests {
    private struct Failure: Error {}

    @Test func `a temporary folder goes with all it holds, even after a failure`() throws {
        let place = Watched<URL?>(nil)
        #expect(throws: Failure.self) {
            try withTemporaryDirectory { folder in
                place.update { $0 = folder }
                let locked = folder.appending(path: "locked/inner")
                try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
                try Data([1]).write(to: locked.appending(path: "file"))
                for path in [locked.path, folder.appending(path: "locked").path] {
                    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
                }
                throw Failure()
            }
        }
        let folder = try #require(place.value)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}

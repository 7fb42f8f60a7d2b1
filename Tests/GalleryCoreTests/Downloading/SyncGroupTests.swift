import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import GalleryCore

@Suite("What a name outlasts", .fewAtOnce, .serialized, .timeLimit(.minutes(1)))
struct SyncGroupTests {
    @Test(arguments: [
        // Group, synced, there: whether the file was ever there.
        (nil, false, false, true), ("now-1", false, false, true), ("before-1", true, false, true),
        ("before-1", false, true, true), ("before-1", false, false, false), ("nowhere", false, false, false),
    ])
    func `a line counts unless a power failure may have undone its name`(
        group: String?, isSynced: Bool, isThere: Bool, outlasted: Bool
    ) throws {
        #expect(
            try SyncGroup.outlasted(group, boot: "now") { _ in
                isSynced
            } isThere: {
                isThere
            } == outlasted)
    }

    private static let photo = Pictures.jpeg(bytes: 30_000, seed: 1)

    private func hasHad(_ number: Int, _ folder: URL) throws -> Bool {
        try FolderRecord(
            of: TargetFolder(folder).existing(), named: .standard, size: .full, looksForFiles: false
        ).history.contains(Photo(id: PhotoID(service: "test", value: "\(number)"), title: ""))
    }

    @Test(.enabled(if: DiskJournal.isAvailable))
    func `a photo whose file could not be named has not been had, and its part is finished`() async throws {
        try await withLocalServer(.file(Self.photo, tag: "\"1\"")) { server in
            try await withTemporaryDirectory { folder in
                let wish = item(1, at: server.url("/1"), name: "1_refused")
                await DiskJournal.refusing("1_refused.jpg") {
                    let result = await collect(downloader(retries: 0).fetch([wish], into: folder))
                    #expect(result.failures.count == 1)
                }
                let left = try names(in: folder)
                #expect(try !hasHad(1, folder) && left == ["1_refused.part", "1_refused.part.json"])
                let result = await collect(downloader().fetch([wish], into: folder))
                #expect(result.files.count == 1 && server.requests.count == 1)
                #expect(try hasHad(1, folder))
                #expect(try names(in: folder) == ["1_refused.jpg"])
            }
        }
    }

    @Test func `a folder of the photo's name is a failure, and nothing is recorded`() async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                let inTheWay = folder.appending(path: "1_photo.jpg")
                try FileManager.default.createDirectory(at: inTheWay, withIntermediateDirectories: true)
                let wish = item(1, at: server.url("/1"))
                let result = await collect(downloader(retries: 0).fetch([wish], into: folder))
                #expect(result.failures.count == 1)
                #expect(try !hasHad(1, folder))
                try FileManager.default.removeItem(at: inTheWay)
                #expect(await collect(downloader().fetch([wish], into: folder)).files.count == 1)
                #expect(try hasHad(1, folder))
            }
        }
    }

    @Test(arguments: [true, false])
    func `a file that was named and not recorded is not fetched under a second name`(
        isNameUnique: Bool
    ) async throws {
        try await withLocalServer(.file(Self.photo)) { server in
            try await withTemporaryDirectory { folder in
                try Self.photo.write(to: folder.appending(path: "1_photo.jpg"))
                let wish = item(1, at: server.url("/1"), isNameUnique: isNameUnique)
                let result = await collect(downloader().fetch([wish], into: folder))
                #expect(result.files.count == 1)
                #expect(try names(in: folder) == ["1_photo.jpg"] && hasHad(1, folder))
            }
        }
    }
}

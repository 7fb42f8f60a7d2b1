import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("What a host has broken", .fewAtOnce, .timeLimit(.minutes(1)))
struct BrokenEntryTests {
    private static let photo = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let broken = photo.dropLast(2)
    private static let wish = item(1, at: URL(filePath: "/1"))

    private func entry(
        transfers: Int = 2, validator: String? = "\"1\"", day: Int = 100, item: DownloadItem = wish
    ) -> BrokenEntry {
        func next(after known: BrokenEntry?) -> BrokenEntry {
            BrokenEntry(
                item, bytes: 1, digest: "00", reason: "x", validator: validator, day: day, after: known)
        }
        return (1..<transfers).reduce(next(after: nil)) { entry, _ in next(after: entry) }
    }

    @Test func `it is asked about for a week, and then transferred once more`() {
        let elsewhere = item(1, at: URL(filePath: "/2"))
        let cases: [(BrokenEntry, day: Int, BrokenEntry.Step)] = [
            (entry(), 100, .ask), (entry(), 106, .ask), (entry(), 107, .transfer), (entry(), 99, .transfer),
            (entry(transfers: 1), 100, .transfer), (entry(transfers: 9), 100, .ask),
            (entry(validator: nil), 106, .leave), (entry(validator: nil), 107, .transfer),
            (entry(item: elsewhere), 100, .transfer), (entry(day: .max), 100, .transfer),
            (entry(day: .min), 100, .transfer),
        ]
        for (entry, day, step) in cases {
            #expect(entry.step(for: Self.wish, today: day) == step, "\(entry) \(day)")
        }
        let old = BrokenEntry(
            line: Data(
                #"{"broken":"x","source":"s","bytes":1,"digest":"0","reason":"r","transfers":2}"#.utf8))
        #expect(old != nil && old?.day == nil)
    }

    @Test(arguments: [true, false], ["\"1\"", "W/\"1\""])
    func `a host that has mended it is believed, and one that has not is asked once a run`(
        knowsConditions: Bool, tag: String
    ) async throws {
        let isMended = Gate()
        let handler: LocalServer.Handler = { _ in
            if isMended.isOpen { return .file(Self.photo, tag: "\"2\"") }
            return knowsConditions
                ? .file(Self.broken, tag: tag)
                : .status(200, headers: ["ETag": tag], body: LocalBody(Data(Self.broken)))
        }
        try await withServer(handler) { server, folder in
            let wish = item(1, at: server.url("/1"))
            for run in 1...4 {
                let result = await collect(downloader().fetch([wish], into: folder))
                #expect(result.outcome(1).hasPrefix("incomplete"), "\(result.outcome(1))")
                #expect(server.requests.count == run)
            }
            isMended.open()
            let result = await collect(downloader().fetch([wish], into: folder))
            #expect(result.outcome(1) == "fetched" && server.requests.count == 5)
            #expect(bytes("1_photo.jpg", in: folder) == Self.photo)
        }
    }
}
